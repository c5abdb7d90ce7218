//! The referee: it alone throws the dice, holds every turn against the rules, and says how the game ended.

use crate::board::Color;
use crate::dice::DiceStream;
use crate::position::Outcome;
use crate::turns::{Game, PlayError, Status, Turn};
use thiserror::Error;

/// Somebody who chooses turns.
pub trait Player {
    /// The turn to play where the game waits for one.
    fn turn(&mut self, game: &Game) -> Turn;
}

/// A game that was played to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// How it ended.
    pub outcome: Outcome,
    /// Turns made by both sides, passes included.
    pub turns: u32,
}

/// Why a game could not be played to its end.
#[derive(Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefereeError {
    /// A player broke the rules.
    #[error("{} broke the rules: {error}", side.name())]
    Illegal {
        /// Who.
        side: Color,
        /// How.
        error: PlayError,
    },
    /// A player left a turn unfinished.
    #[error("{} left a turn unfinished", .0.name())]
    Unfinished(Color),
    /// The dice gave out.
    #[error("the dice: {0}")]
    Dice(PlayError),
}

/// Plays a game to its end between White and Black.
pub fn play_game(
    mut game: Game,
    players: [&mut dyn Player; 2],
    dice: &mut dyn DiceStream,
) -> Result<Played, RefereeError> {
    let [white, black] = players;
    let mut turns = 0;
    loop {
        match game.status() {
            Status::Over(outcome) => return Ok(Played { outcome, turns }),
            Status::Roll => {
                game.roll_from(dice).map_err(RefereeError::Dice)?;
            }
            Status::Pass(_) => {
                turns += 1;
                game.pass_if_forced();
            }
            Status::Decide(side) => {
                turns += 1;
                let turn = match side {
                    Color::White => white.turn(&game),
                    Color::Black => black.turn(&game),
                };
                let illegal = |error| RefereeError::Illegal { side, error };
                if turn.is_pass() {
                    game.pass().map_err(illegal)?;
                }
                for &mv in turn.moves() {
                    game.play(mv).map_err(illegal)?;
                }
                if game.made() != 0 && matches!(game.status(), Status::Decide(_)) {
                    return Err(RefereeError::Unfinished(side));
                }
            }
        }
    }
}

//! Single moves, turns and rolls as text, and the tokens of a `moves` list.

use super::shown;
use crate::board::{Role, Square};
use crate::dice::{DiceStream, Face, FairDice, Roll};
use crate::position::{MoveKind, SingleMove};
use crate::turns::{Game, PlayError};
use crate::variant::Variant;
use thiserror::Error;

/// How castling is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// The king's two squares: `e1g1`.
    #[default]
    Orthodox,
    /// King takes rook: `e1h1` (`UCI_Chess960`).
    Chess960,
}

/// A single move as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveText {
    from: Square,
    to: Square,
    promotion: Option<Role>,
}

/// A token of a `moves` list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    /// The dice that fell.
    Roll(Roll),
    /// One single move, or a turn of several.
    Moves(Vec<MoveText>),
    /// `0000`.
    Pass,
}

/// What is wrong with a token.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum TokenError {
    /// Neither a roll nor a move.
    #[error("'{0}' is neither a roll of {1} nor a move")]
    Malformed(String, &'static str),
    /// It cannot be played here.
    #[error("'{0}': {1}")]
    Play(String, PlayError),
}

impl MoveText {
    /// Reads `e2e4`, `a7a8q`.
    pub fn parse(text: &str) -> Option<MoveText> {
        let promotion = match text.len() {
            4 => None,
            5 => Some(text.get(4..)?.chars().next().filter(char::is_ascii_lowercase).and_then(Role::parse)?),
            _ => return None,
        };
        let (from, to) = (Square::parse(text.get(..2)?)?, Square::parse(text.get(2..4)?)?);
        Some(MoveText { from, to, promotion })
    }

    fn of(mv: SingleMove, style: Style) -> MoveText {
        let to = match (mv.kind, style) {
            (MoveKind::Castle, Style::Orthodox) => Square::on(mv.wing().files().0, mv.from.rank()),
            _ => mv.to,
        };
        MoveText { from: mv.from, to, promotion: mv.promotion }
    }
}

impl Token {
    /// Reads a roll token, a single move, comma-joined moves or `0000`.
    pub fn parse(text: &str, variant: &'static Variant) -> Result<Token, TokenError> {
        let malformed = || TokenError::Malformed(shown(text), variant.name);
        if text == "0000" {
            return Ok(Token::Pass);
        }
        if let Some(roll) = roll(text, variant) {
            return Ok(Token::Roll(roll));
        }
        let moves: Option<Vec<MoveText>> = text.split(',').map(MoveText::parse).collect();
        moves.map(Token::Moves).ok_or_else(malformed)
    }
}

/// Reads a roll in digits, or in upper-case letters where each die names a man.
fn roll(text: &str, variant: &Variant) -> Option<Roll> {
    let roll = if variant.has_letter_rolls() && text.bytes().all(|byte| byte.is_ascii_uppercase()) {
        let faces: Option<Vec<Face>> = text.chars().map(|letter| Role::parse(letter).map(Face::of)).collect();
        Roll::new(&faces?)
    } else {
        Roll::parse(text)
    };
    roll.filter(|_| variant.has_dice())
}

/// Plays a token on the game. On an error the game is unchanged.
pub fn apply(game: &mut Game, text: &str, style: Style) -> Result<(), TokenError> {
    let at = |error: PlayError| TokenError::Play(shown(text), error);
    match Token::parse(text, game.rules().variant)? {
        Token::Roll(roll) => game.roll(roll).map_err(at),
        Token::Pass => game.pass().map_err(at),
        Token::Moves(moves) => {
            let mut trial = game.clone();
            for wanted in moves {
                play(&mut trial, wanted, style).map_err(at)?;
            }
            *game = trial;
            Ok(())
        }
    }
}

/// Plays a token on the game where a seed gives the dice that the host does not. On an error the game is unchanged.
///
/// Where a move comes instead of a roll, the seed's roll is meant and the move must obey it; some hosts play on without
/// dice, so that a legal move which does not is accepted as a turn of its own. True says that this was so.
pub fn apply_seeded(game: &mut Game, text: &str, style: Style, seed: &FairDice) -> Result<bool, TokenError> {
    let at = |error: PlayError| TokenError::Play(shown(text), error);
    let mut dice = seed.clone();
    let mut trial = game.clone();
    let mut disobeyed = false;
    match Token::parse(text, game.rules().variant)? {
        Token::Roll(_) => return apply(game, text, style).map(|()| false),
        Token::Pass => {
            trial.roll_until_it_counts(&mut dice as &mut dyn DiceStream).map_err(at)?;
            trial.pass().map_err(at)?;
        }
        Token::Moves(moves) => {
            for wanted in moves {
                let mut free = trial.clone();
                trial.roll_until_a_move(&mut dice).map_err(at)?;
                if let Err(error) = play(&mut trial, wanted, style) {
                    free.free_move().map_err(|_| at(error))?;
                    play(&mut free, wanted, style).map_err(|_| at(error))?;
                    trial = free;
                    disobeyed = true;
                }
            }
        }
    }
    *game = trial;
    Ok(disobeyed)
}

fn play(game: &mut Game, wanted: MoveText, style: Style) -> Result<(), PlayError> {
    game.pass_if_forced();
    let mut moves = Vec::new();
    game.rules().single_moves(game.position(), &mut moves);
    match moves.into_iter().find(|&mv| MoveText::of(mv, style) == wanted) {
        Some(mv) => game.play(mv),
        // Something that is never a move, so that the game says why none can be made, or that this one is illegal.
        None => game.play(SingleMove::new(wanted.from, wanted.from)),
    }
}

impl std::fmt::Display for MoveText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |role| write!(f, "{}", role.letter().to_ascii_lowercase()))
    }
}

/// Writes a single move.
pub fn move_text(mv: SingleMove, style: Style) -> String {
    MoveText::of(mv, style).to_string()
}

/// Writes the single moves of a turn with a separator between them; a pass is `0000`.
pub fn turn_text(moves: &[SingleMove], style: Style, separator: &str) -> String {
    if moves.is_empty() {
        return "0000".to_string();
    }
    moves.iter().map(|&mv| move_text(mv, style)).collect::<Vec<_>>().join(separator)
}

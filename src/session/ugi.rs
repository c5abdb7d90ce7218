//! UGI: what its hosts ask about the game. They know no dice: the session throws them, and passes where they allow no
//! move, so that the side to move always has one.

use super::{Dialect, Session};
use crate::board::Color;
use crate::protocol::{Question, Reply};
use crate::turns::{Game, Status};
use std::io::{self, Write};

/// A position that makes no sense. It ends the game: who made it has lost.
#[derive(Clone, Copy, Debug)]
pub struct Nonsense {
    /// Who made a move that is none; nobody where the position itself is at fault.
    pub culprit: Option<Color>,
}

impl<W: Write> Session<W> {
    /// A game once the dice are thrown and every forced pass is made.
    fn thrown(&self, game: &Game) -> Game {
        let mut game = game.clone();
        if let Some(seed) = self.seed.as_ref().filter(|_| self.rules.variant.has_dice()) {
            // A stream that follows from a text never ends, and rolls and passes are made only where they are due.
            let _ = game.roll_until_a_move(&mut seed.clone());
        }
        game
    }

    /// Who is to move next.
    pub(super) fn mover(&self, game: &Game) -> Option<Color> {
        self.thrown(game).position().side()
    }

    /// Throws the dice for a search; false where there is nothing to search.
    pub(super) fn throw_for_ugi(&mut self) -> bool {
        if self.nonsense.is_some() {
            return false;
        }
        self.game = self.thrown(&self.game);
        !matches!(self.game.status(), Status::Over(_))
    }

    /// Answers a `query`.
    pub(super) fn answer(&mut self, question: Question) -> io::Result<()> {
        if self.dialect != Dialect::Ugi {
            return self.error("'query' is for sessions that begin with 'ugi'");
        }
        let game = self.thrown(&self.game);
        let outcome = match game.status() {
            Status::Over(outcome) => Some(outcome.winner),
            _ => None,
        };
        let outcome = self.nonsense.map(|nonsense| nonsense.culprit.map(Color::other)).or(outcome);
        let is_true = |yes: bool| if yes { "true" } else { "false" };
        let answer = match question {
            Question::FirstPlayersTurn => is_true(game.position().side() != Some(Color::Black)),
            Question::GameOver => is_true(outcome.is_some()),
            Question::Result => match outcome {
                None => "none",
                Some(None) => "draw",
                Some(Some(Color::White)) => "p1win",
                Some(Some(Color::Black)) => "p2win",
            },
        };
        self.say(&Reply::Response(answer.to_string()))
    }
}

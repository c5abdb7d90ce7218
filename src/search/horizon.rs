//! Where the search ends: static values, and the danger of the next roll.

use super::Searcher;
use crate::board::Color;
use crate::eval::{Score, with_danger};
use crate::position::Position;
use crate::turns::Status;

/// How many moves deep the danger of a series is looked for.
const SERIES_DANGER: usize = 4;

impl Searcher<'_> {
    /// The value of a position after a turn for a side, by the rules where the game is over, else by the evaluation.
    pub(super) fn static_value(&self, position: &Position, side: Color) -> Score {
        match self.rules.outcome(position, false).map(|outcome| outcome.winner) {
            Some(Some(winner)) if winner == side => Score::WIN,
            Some(Some(_)) => Score::LOSS,
            Some(None) => Score::DRAW,
            None => self.evaluator.evaluate(&self.rules, position, side),
        }
    }

    /// The static value less the danger of the next roll: what a turn is worth that nothing is searched beyond.
    pub(super) fn horizon(&self, position: &Position, side: Color, value: Score) -> Score {
        match self.rules.status(position, false) {
            Status::Over(_) => value,
            _ => with_danger(self.evaluator, &self.rules, position, side, value, SERIES_DANGER),
        }
    }
}

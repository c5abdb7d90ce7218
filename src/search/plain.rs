//! Plain expectiminimax: the same values as the search by the definition alone, without pruning, table or filters.
//!
//! For tests and benches; slow, and obviously right.

use crate::board::Color;
use crate::eval::{Evaluator, Score};
use crate::position::Position;
use crate::turns::{Effort, Rules, Status, Turn};

/// A plain search.
pub struct Plain<'a> {
    /// The rules.
    pub rules: Rules,
    /// The static evaluation.
    pub evaluator: &'a dyn Evaluator,
    /// Positions at the ends of turns looked at so far.
    pub nodes: u64,
}

impl<'a> Plain<'a> {
    /// A search by these rules.
    pub fn new(rules: Rules, evaluator: &'a dyn Evaluator) -> Plain<'a> {
        Plain { rules, evaluator, nodes: 0 }
    }

    /// The static value of a position after a turn for a side.
    fn leaf(&mut self, position: &Position, side: Color) -> Score {
        self.nodes += 1;
        match self.rules.outcome(position, false) {
            Some(outcome) if outcome.winner == Some(side) => Score::WIN,
            Some(outcome) if outcome.winner.is_some() => Score::LOSS,
            Some(_) => Score::DRAW,
            None => self.evaluator.evaluate(&self.rules, position, side),
        }
    }

    /// The value of what is due in a position for a side, so many turns deep.
    pub fn value(&mut self, position: &Position, side: Color, depth: u32) -> Score {
        match self.rules.status(position, false) {
            Status::Over(_) => self.leaf(position, side),
            Status::Roll if depth == 0 => self.leaf(position, side),
            Status::Roll => {
                // The mean is taken for who is to roll, or for White: truncation is not the same from both sides'
                // views only where nobody is, and there it is White's.
                let chance = self.rules.outcomes(position);
                let values =
                    chance.outcomes.iter().map(|outcome| (self.rolled(&outcome.position, side, depth), outcome.weight));
                Score::mean(values)
            }
            Status::Decide(_) if depth == 0 && !self.rules.variant.has_second_half() => self.leaf(position, side),
            Status::Decide(_) if self.rules.variant.has_second_half() => self.rolled(position, side, depth + 1),
            Status::Decide(_) => self.rolled(position, side, depth),
            Status::Pass(_) => {
                let passed = self.passed(position);
                self.value(&passed, side, depth)
            }
        }
    }

    fn passed(&self, position: &Position) -> Position {
        let mut passed = *position;
        passed.end_turn(self.rules.variant, self.rules.sliders);
        passed
    }

    /// The value of a rolled position.
    fn rolled(&mut self, position: &Position, side: Color, depth: u32) -> Score {
        match self.rules.status(position, false) {
            Status::Over(_) => self.leaf(position, side),
            Status::Pass(_) => {
                let passed = self.passed(position);
                self.value(&passed, side, depth - 1)
            }
            Status::Roll => Score::DRAW,
            Status::Decide(mover) => {
                let (afterstates, _) = self.rules.afterstates(position, Effort::FULL);
                let values = afterstates.iter().map(|after| self.value(&after.position, side, depth - 1));
                let best = if mover == side { values.max() } else { values.min() };
                best.unwrap_or(Score::DRAW)
            }
        }
    }

    /// The best turn of a decision node and its value for the side to move.
    pub fn best(&mut self, position: &Position, depth: u32) -> Option<(Turn, Score)> {
        let side = position.side()?;
        let (afterstates, _) = self.rules.afterstates(position, Effort::FULL);
        let valued = afterstates.iter().map(|after| (after.turn, self.value(&after.position, side, depth - 1)));
        valued.max_by_key(|(_, score)| *score)
    }
}

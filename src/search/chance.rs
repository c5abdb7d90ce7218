//! The chance node: the mean over all rolls of the best turn on each.

use super::Search;
use crate::board::Color;
use crate::eval::Score;
use crate::position::Position;
use crate::turns::Status;

impl Search<'_> {
    /// The expected value of a position that awaits a roll: for the side to roll, or for White where nobody is.
    ///
    /// Where time runs out, the mean over the rolls seen so far.
    pub fn expectation(&self, position: &Position) -> Score {
        let view = position.side().unwrap_or(Color::White);
        let mut known: Vec<(Score, u32)> = Vec::new();
        for outcome in &self.rules.outcomes(position).outcomes {
            if !known.is_empty() && self.spent.is_over() {
                break;
            }
            known.push((self.rolled(&outcome.position, view), outcome.weight));
        }
        Score::mean(known)
    }

    /// The value of a decision node from a view.
    fn rolled(&self, position: &Position, view: Color) -> Score {
        let seen = |mover: Color, score: Score| if mover == view { score } else { -score };
        match self.rules.status(position, false) {
            Status::Over(outcome) => match outcome.winner {
                Some(winner) => seen(winner, Score::WIN),
                None => Score::DRAW,
            },
            Status::Decide(mover) => {
                self.best_turn(position, &[], 0).map_or(Score::DRAW, |choice| seen(mover, choice.score))
            }
            Status::Pass(mover) => {
                let mut passed = *position;
                passed.end_turn(self.rules.variant, self.rules.sliders);
                match self.rules.status(&passed, false) {
                    // The second half of a round goes on with its own die.
                    Status::Decide(_) | Status::Pass(_) | Status::Over(_) => self.rolled(&passed, view),
                    Status::Roll => {
                        let material = self.evaluator.evaluate(&self.rules, &passed, mover);
                        seen(mover, self.afterstate_value(&passed, mover, material, 0))
                    }
                }
            }
            Status::Roll => Score::DRAW,
        }
    }
}

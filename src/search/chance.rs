//! The chance node: the mean over all rolls of the best turn on each.

use super::Search;
use super::decide::{Candidate, sort};
use crate::board::Color;
use crate::eval::Score;
use crate::position::Position;
use crate::turns::{Afterstate, Fan, Status};

/// How many afterstates of a roll are kept to be looked at closely: the best by material.
const KEPT: usize = 2_000;

impl Search<'_> {
    /// The expected value of a position that awaits a roll: for the side to roll, or for White where nobody is.
    ///
    /// Where time runs out, the mean over the rolls seen so far.
    pub fn expectation(&self, position: &Position) -> Score {
        let view = position.side().unwrap_or(Color::White);
        if let Some(fan) = Fan::new(self.rules) {
            return self.fan_expectation(fan, position, view);
        }
        let mut known: Vec<(Score, u32)> = Vec::new();
        for outcome in &self.rules.outcomes(position).outcomes {
            if !known.is_empty() && self.spent.is_over() {
                break;
            }
            known.push((self.rolled(&outcome.position, view), outcome.weight));
        }
        Score::mean(known)
    }

    /// The same for three dice: the afterstates of all rolls come from one pass.
    fn fan_expectation(&self, mut fan: Fan, position: &Position, side: Color) -> Score {
        let rolls = self.rules.variant.dice.rolls();
        let mut lists: Vec<Vec<Candidate>> = rolls.iter().map(|_| Vec::new()).collect();
        let mut won = 0;
        fan.walk(position, (), Fan::ALL, &mut |leaf| {
            if self.spent.is_over() {
                return Fan::ALL;
            }
            self.spent.node();
            if leaf.wins {
                won |= leaf.rolls;
                return leaf.rolls;
            }
            let afterstate = Afterstate { position: leaf.position(), turn: leaf.turn() };
            let material = self.static_value(&afterstate.position, side);
            for (_, list) in lists.iter_mut().enumerate().filter(|(roll, _)| leaf.rolls >> roll & 1 != 0) {
                list.push(Candidate { material, afterstate: afterstate.clone() });
                if list.len() >= 2 * KEPT {
                    sort(list);
                    list.truncate(KEPT);
                }
            }
            0
        });
        let mut known: Vec<(Score, u32)> = Vec::new();
        for ((index, (_, weight)), list) in rolls.iter().enumerate().zip(&mut lists) {
            if won >> index & 1 != 0 {
                known.push((Score::WIN, *weight));
                continue;
            }
            sort(list);
            known.extend(self.best_candidate(list, side, 0).map(|choice| (choice.score, *weight)));
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

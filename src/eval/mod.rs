//! What a position is worth.

mod accumulator;
pub mod bytes;
mod choice;
mod danger;
pub mod features;
pub mod glance;
mod hand;
mod judge;
mod linear;
mod material;
pub mod network;
mod odds;
mod reference;
mod series;
mod simd;
pub mod threats;

pub use accumulator::Accumulator;
pub use choice::Choice;
pub use danger::with_danger;
pub use hand::Hand;
pub use judge::Judge;
pub use linear::{Linear, Sum};
pub use material::{Material, material};
pub use network::{Head, Network, Weights};
pub use reference::Reference;
pub use series::SeriesJudge;
pub use simd::{HIDDEN, ONE as UNIT_ONE};

use crate::board::Color;
use crate::position::Position;
use crate::turns::Rules;
use std::ops::Neg;

/// The value of a game as a fixed-point number: one win is 2^20, so that sums with the weights of 216 rolls still fit.
///
/// Integers keep every sum the same on every processor; division truncates toward zero, so that a change of colours
/// changes the sign and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(pub i32);

impl Score {
    /// A certain win.
    pub const WIN: Score = Score(1 << 20);
    /// A draw, or an even game.
    pub const DRAW: Score = Score(0);
    /// A certain loss.
    pub const LOSS: Score = Score(-(1 << 20));

    /// The expected result, 0 for a loss to 1 for a win.
    pub fn expectation(self) -> f64 {
        (1.0 + f64::from(self.0) / f64::from(Score::WIN.0)) / 2.0
    }

    /// The same as centipawns, 400·log10(p/(1−p)) rounded, within ±2000.
    pub fn centipawns(self) -> i32 {
        let p = self.expectation();
        if p <= 0.0 {
            -2000
        } else if p >= 1.0 {
            2000
        } else {
            (400.0 * (p / (1.0 - p)).log10()).round().clamp(-2000.0, 2000.0) as i32
        }
    }

    /// The mean of scores with integer weights; a draw where the weights sum to nothing.
    pub fn mean(weighted: impl IntoIterator<Item = (Score, u32)>) -> Score {
        let (sum, total) = weighted.into_iter().fold((0i64, 0i64), |(sum, total), (score, weight)| {
            (sum + i64::from(score.0) * i64::from(weight), total + i64::from(weight))
        });
        Score(sum.checked_div(total).unwrap_or(0) as i32)
    }
}

impl Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// A static evaluation.
pub trait Evaluator: Send + Sync {
    /// The expected result of a position that is not over, from the view of a side.
    fn evaluate(&self, rules: &Rules, position: &Position, view: Color) -> Score;

    /// The same where the next roll takes no king: what is reckoned beside the exact odds that it does.
    fn quiet(&self, rules: &Rules, position: &Position, view: Color) -> Score {
        self.evaluate(rules, position, view)
    }

    /// Whether [`Evaluator::quiet`] says something of its own.
    fn has_quiet(&self) -> bool {
        false
    }

    /// The network, where it is one: its values are told from changes.
    fn network(&self) -> Option<&Network> {
        None
    }

    /// The same in the evaluator's own units, from which [`Linear::squash`] leads to a score.
    fn units(&self, rules: &Rules, position: &Position, view: Color) -> i32 {
        self.evaluate(rules, position, view).0
    }

    /// What a turn of `side` of at most so many single moves can lead to at least and at most, as long as it does not
    /// decide the game; none where that is not known. The tighter, the sooner a throw is settled.
    fn reach(&self, rules: &Rules, position: &Position, side: Color, moves: usize) -> Option<(Score, Score)> {
        let _ = (rules, position, side, moves);
        None
    }

    /// The same as a sum over men, for the ends of a turn of `side` from a position; none where it is no such sum.
    fn linear(&self, rules: &Rules, position: &Position, side: Color) -> Option<Linear> {
        let _ = (rules, position, side);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_symmetric() {
        assert_eq!(Score::DRAW.expectation(), 0.5);
        assert_eq!(Score::DRAW.centipawns(), 0);
        assert_eq!((Score::WIN.centipawns(), Score::LOSS.centipawns()), (2000, -2000));
        for value in [1, 77, 5_000, 300_000, 1_048_000] {
            assert_eq!(Score(value).centipawns(), -Score(-value).centipawns());
            let mean = |sign: i32| Score::mean([(Score(sign * value), 3), (Score(sign * 10), 213)]);
            assert_eq!(mean(1), -mean(-1));
        }
        assert_eq!(Score::mean([(Score::WIN, 1), (Score::LOSS, 1)]), Score::DRAW);
        assert_eq!(Score::mean([]), Score::DRAW);
        assert_eq!(Score::mean([(Score::LOSS, 216)]), Score::LOSS);
    }
}

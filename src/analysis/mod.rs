//! What gnubg gives to backgammon players: how good a position is, what was luck, what was error, whether to double.

mod cube;
mod page;
mod report;
mod review;
mod rollout;
mod totals;

pub use cube::{
    Advice, CAP, Cube, CubeStakes, Decision, EFFICIENCY, Holder, advise, cash_point, equity, implied_efficiency,
};
pub use page::page;
pub use report::{annotate, points};
pub use review::{Alternative, Class, How, Player, Review, ReviewError, TurnReview, review};
pub use rollout::{Plan, Points, Rollout, Stakes, Tally, after};
pub use totals::Totals;

//! What a search is asked, and how much time that leaves.

mod clock;

pub use clock::Budget;

use std::time::Duration;

/// The limits of one search, as the host states them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The depth in turns.
    pub depth: Option<u32>,
    /// So many nodes and no more.
    pub nodes: Option<u64>,
    /// So much time for this move.
    pub movetime: Option<Duration>,
    /// The time left on the clocks, White's first.
    pub time: [Option<Duration>; 2],
    /// The increment a turn, White's first.
    pub increment: [Duration; 2],
    /// Turns to the next time control.
    pub movestogo: Option<u32>,
    /// Search for a win in so many turns.
    pub mate: Option<u32>,
    /// Search until told to stop.
    pub infinite: bool,
    /// Search on the opponent's time until told that the move was played.
    pub ponder: bool,
}

impl Limits {
    /// Whether the search ends only when told to.
    pub fn is_unbounded(&self) -> bool {
        self.infinite || self.ponder
    }
}

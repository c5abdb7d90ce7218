//! What a search says, as values.

use crate::dice::Roll;
use crate::eval::Score;
use crate::turns::Turn;
use std::time::Duration;

/// What is known after an iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// The depth reached, in turns.
    pub depth: u32,
    /// The value: from White's view where nobody is to move, else from that of the side to roll or to move.
    pub score: Score,
    /// Whether this very turn wins by force.
    pub wins: bool,
    /// Positions looked at.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
    /// The best turn, none before the roll.
    pub turn: Option<Turn>,
    /// Which of the best turns this is, from 1, where several are reported.
    pub rank: Option<u32>,
    /// How full the table is, per mille.
    pub hashfull: u32,
}

/// What a roll would come to.
#[derive(Clone, Debug, PartialEq)]
pub struct RollReport {
    /// The roll.
    pub roll: Roll,
    /// Its value: from White's view where nobody is to move, else from that of the side to roll.
    pub score: Score,
    /// The best turn on it.
    pub turn: Turn,
}

/// What a search comes to.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Report {
    /// The turn to play; none before the roll and after the end.
    pub turn: Option<Turn>,
    /// What was last said.
    pub info: Option<Info>,
    /// Before the roll: every roll and the best turn on it.
    pub rolls: Vec<RollReport>,
}

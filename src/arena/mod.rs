//! Games between players: who moves, who throws the dice, how a game ends, and what many games come to. Players are
//! handed in from outside.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod adjudication;
mod clock;
mod engine;
pub mod journal;
mod numbers;
mod openings;
mod player;
mod process;
pub mod records;
mod referee;
mod report;
mod schedule;
mod secrets;
mod sprt;
mod stats;
mod tournament;

pub use clock::{Clock, Pace, TimeControl, TimeControlError};
pub use engine::{Engine, Protocol, Setup, style};
pub use journal::{Entry, Finished, Frame};
pub use openings::{Opening, OpeningError, read_openings};
pub use player::{Answer, Ask, Fault, Moves, Player, Thought};
pub use process::Program;
pub use referee::{Ending, Match, Played, Terms, play_game};
pub use report::{closing, results};
pub use schedule::{Pairing, Schedule, Scheduled};
pub use secrets::Secrets;
pub use sprt::{Decision, Model, Sprt};
pub use stats::{Estimate, Sample, Tally, elo_of, score_of};
pub use tournament::{Closing, Contender, End, Event, Make, Standings, Tournament};

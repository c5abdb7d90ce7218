//! Games between players: who moves, who throws the dice, how a game ends. Players are handed in from outside.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod duel;
mod referee;

pub use duel::{Duel, Tally, duel, score};
pub use referee::{Played, Player, RefereeError, play_game};

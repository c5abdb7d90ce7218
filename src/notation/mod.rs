//! The text forms: DFEN, pools, roll tokens, single moves, turns, and records of whole games.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod dfen;
mod list;
mod pool;
mod record;
mod san;
mod turn;

pub use dfen::{DfenError, Parsed, from_dfen, to_dfen};
pub use pool::PoolError;
pub use record::{Assumed, GameRecord, RESULTS, RecordError, TurnRecord, tokens};
pub use san::{parse_san, san};
pub use turn::{MoveText, Style, Token, TokenError, apply, apply_seeded, move_text, turn_text};

/// A text as an error message shows it: control characters escaped, long ones cut.
pub fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}

//! The protocol as text: commands in, replies out, the options table. It knows nothing of engines.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod advice;
pub mod cecp;
mod command;
pub mod options;
mod reply;

pub use advice::{Advice, Owner, Subject};
pub use cecp::Command as CecpCommand;
pub use command::{Command, CommandError, Question, Start};
pub use reply::{Reply, info_lines};

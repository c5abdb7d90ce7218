//! Somebody who chooses turns: a built-in player or an engine in a process of its own.

use crate::limits::Limits;
use crate::notation::Style;
use crate::turns::{Game, Turn};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use thiserror::Error;

/// What a player is asked.
pub struct Ask<'a> {
    /// The game, with a turn due.
    pub game: &'a Game,
    /// The start position as a DFEN; none for the array.
    pub start: Option<&'a str>,
    /// All tokens from there, rolls included.
    pub tokens: &'a [String],
    /// What to heed.
    pub limits: &'a Limits,
    /// How castling is written.
    pub style: Style,
    /// When the player has lost on time or counts as hung.
    pub deadline: Instant,
    /// Set where the match is to end at once.
    pub halt: &'a AtomicBool,
}

impl Ask<'_> {
    /// Whether the match is to end at once.
    pub fn is_halted(&self) -> bool {
        self.halt.load(Ordering::Relaxed)
    }
}

/// What a player answers.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The moves.
    pub moves: Moves,
    /// What it thought.
    pub thought: Thought,
    /// How long it took.
    pub time: Duration,
}

/// The moves of an answer.
#[derive(Clone, Debug)]
pub enum Moves {
    /// A whole turn.
    Turn(Turn),
    /// Moves as text, perhaps only the first of a turn.
    Text(Vec<String>),
}

impl Default for Moves {
    fn default() -> Moves {
        Moves::Turn(Turn::PASS)
    }
}

/// What a player thought of its turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thought {
    /// The depth reached.
    pub depth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Centipawns.
    pub cp: Option<i32>,
    /// A forced win (or loss, where negative) in so many turns.
    pub mate: Option<i32>,
    /// The expected score, 0 to 1.
    pub expectation: Option<f64>,
}

/// Why a player has lost its game otherwise than by the rules.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The process cannot be started, or does not speak the protocol.
    #[error("does not start: {0}")]
    Start(String),
    /// The process ended, or closed its output.
    #[error("disconnected: {0}")]
    Disconnected(String),
    /// No answer, even past its deadline.
    #[error("did not answer in time")]
    Overdue,
    /// An answer that is no legal turn.
    #[error("illegal move: {0}")]
    Illegal(String),
    /// The match was ended.
    #[error("the match was interrupted")]
    Halted,
}

/// Somebody who chooses turns.
pub trait Player: Send {
    /// A new game begins: of these dice chances may follow from `seed`.
    fn new_game(&mut self, game: &Game, seed: u64, halt: &AtomicBool) -> Result<(), Fault>;

    /// The turn to play. Past the deadline the answer is [`Fault::Overdue`].
    fn turn(&mut self, ask: &Ask) -> Result<Answer, Fault>;

    /// Whether it can play on after a fault; else it must be made anew.
    fn is_alive(&mut self) -> bool {
        true
    }

    /// What it calls itself, where it does.
    fn title(&self) -> Option<&str> {
        None
    }
}

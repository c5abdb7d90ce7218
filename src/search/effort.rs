//! What a search has spent, and whether it must end.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The clock and the counters of one search.
pub struct Spent<'a> {
    start: Instant,
    deadline: Option<Instant>,
    most_nodes: u64,
    stop: &'a AtomicBool,
    nodes: Cell<u64>,
    asked: Cell<u32>,
    over: Cell<bool>,
}

/// How many questions are answered between two looks at the clock.
const CLOCK_EVERY: u32 = 16;

impl<'a> Spent<'a> {
    /// Starts the clock.
    pub fn new(hard: Option<Duration>, most_nodes: Option<u64>, stop: &'a AtomicBool) -> Spent<'a> {
        let start = Instant::now();
        Spent {
            start,
            deadline: hard.and_then(|hard| start.checked_add(hard)),
            most_nodes: most_nodes.unwrap_or(u64::MAX),
            stop,
            nodes: Cell::new(0),
            asked: Cell::new(0),
            over: Cell::new(false),
        }
    }

    /// Counts a node.
    pub fn node(&self) {
        self.nodes.set(self.nodes.get() + 1);
    }

    /// Nodes so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.get()
    }

    /// Time so far.
    pub fn time(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the search must end: told to, out of time, or out of nodes. Once true it stays true.
    pub fn is_over(&self) -> bool {
        if self.over.get() {
            return true;
        }
        let asked = self.asked.get() + 1;
        self.asked.set(asked % CLOCK_EVERY);
        let late = asked == CLOCK_EVERY && self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.over.set(late || self.stop.load(Ordering::Relaxed) || self.nodes.get() >= self.most_nodes);
        self.over.get()
    }
}

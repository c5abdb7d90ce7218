//! What a search has spent, and whether it must end; shared by all its threads.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The clock and the counters of one search.
pub struct Spent<'a> {
    start: Instant,
    deadline: Option<Instant>,
    most_nodes: u64,
    stop: &'a AtomicBool,
    ponder: Option<Ponder<'a>>,
    nodes: AtomicU64,
    over: AtomicBool,
}

/// A search on the opponent's time: its own begins when the move pondered on is played.
pub struct Ponder<'a> {
    /// Set when it is.
    pub hit: &'a AtomicBool,
    /// How long the search may last from then on; none where nothing limits it: then it ends.
    pub hard: Option<Duration>,
    /// When its time is up, once it runs.
    pub end: OnceLock<Instant>,
}

impl<'a> Spent<'a> {
    /// Starts the clock.
    pub fn new(hard: Option<Duration>, most_nodes: Option<u64>, stop: &'a AtomicBool) -> Spent<'a> {
        let start = Instant::now();
        Spent {
            start,
            deadline: hard.and_then(|hard| start.checked_add(hard)),
            most_nodes: most_nodes.unwrap_or(u64::MAX),
            stop,
            ponder: None,
            nodes: AtomicU64::new(0),
            over: AtomicBool::new(false),
        }
    }

    /// The same on the opponent's time.
    pub fn pondering(self, ponder: Ponder<'a>) -> Spent<'a> {
        Spent { deadline: None, ponder: Some(ponder), ..self }
    }

    /// When the search must end, where it must.
    fn deadline(&self) -> Option<Instant> {
        match &self.ponder {
            Some(ponder) if ponder.hit.load(Ordering::Relaxed) => {
                let now = Instant::now();
                Some(*ponder.end.get_or_init(|| now + ponder.hard.unwrap_or_default()))
            }
            Some(_) => None,
            None => self.deadline,
        }
    }

    /// Counts nodes.
    #[inline]
    pub fn add(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Nodes so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Time so far.
    pub fn time(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the search must end: told to, out of time, or out of nodes. Once true it stays true.
    pub fn is_over(&self) -> bool {
        if self.over.load(Ordering::Relaxed) {
            return true;
        }
        let over = self.stop.load(Ordering::Relaxed)
            || self.nodes() >= self.most_nodes
            || self.deadline().is_some_and(|deadline| Instant::now() >= deadline);
        if over {
            self.over.store(true, Ordering::Relaxed);
        }
        over
    }
}

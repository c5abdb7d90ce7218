//! Work that takes time, on a thread of its own: searches, counts, listings.

use super::memory::Memory;
use super::terms;
use crate::bench;
use crate::bench::Bench;
use crate::eval::Choice;
use crate::info::Info;
use crate::limits::Limits;
use crate::notation::{Style, turn_text};
use crate::position::SingleMove;
use crate::protocol::{Advice, Reply};
use crate::search::{Request, think};
use crate::turns::perft::Perft;
use crate::turns::{Afterstate, Effort, Game, Status, Turn};
use crossbeam_channel::{Receiver, Sender, bounded};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What is to be done.
#[derive(Clone, Debug)]
pub enum Task {
    /// Think and name a turn.
    Search {
        /// The limits.
        limits: Limits,
        /// The only turns to consider; empty for all.
        only: Vec<Afterstate>,
    },
    /// Count turns to a depth.
    Perft(u32),
    /// Give advice.
    Advise(Advice),
    /// List every legal turn.
    Legal,
    /// Tell the odds of a king capture.
    Threat,
    /// Tell the static evaluation.
    Eval,
    /// Search the fixed positions.
    Bench,
}

/// How a job speaks and what it keeps back.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// How castling is written.
    pub style: Style,
    /// Only the first single move of a turn is named.
    pub single: bool,
    /// Time kept back from every limit.
    pub overhead: Duration,
    /// Search threads.
    pub threads: usize,
    /// How many turns are reported.
    pub lines: usize,
    /// MiB of the table.
    pub hash: u64,
    /// The level to play at, where it is limited.
    pub elo: Option<u32>,
}

/// What a job hands to the session.
pub enum Said {
    /// A line for the host.
    Reply(Reply),
    /// What a search has found out.
    Info(Box<Info>),
    /// The last line; the job is done. Both in one, so that a host that has seen the line finds the session free.
    Done(Reply),
}

/// A job under way.
pub struct Job {
    task: Task,
    stop: Arc<AtomicBool>,
    ponder_hit: Arc<AtomicBool>,
    /// Held while an unbounded search must not name its turn yet.
    hold: Option<Sender<()>>,
    /// What the job says.
    pub said: Receiver<Said>,
}

/// How many lines wait between a job and the session.
const WAITING: usize = 1024;
/// How many turns `legal` prints.
const LISTED: usize = 200_000;

impl Job {
    /// Starts a job on the game as it stands.
    pub fn start(task: Task, game: &Game, manner: Manner, choice: Choice, memory: Arc<Memory>) -> Job {
        let (sender, said) = bounded(WAITING);
        let (hold, held) = bounded(0);
        let stop = Arc::new(AtomicBool::new(false));
        let ponder_hit = Arc::new(AtomicBool::new(false));
        let worker = Worker {
            game: game.clone(),
            manner,
            choice,
            memory,
            stop: stop.clone(),
            ponder_hit: ponder_hit.clone(),
            said: sender,
            held,
        };
        let work = task.clone();
        std::thread::spawn(move || worker.run(&work));
        Job { task, stop, ponder_hit, hold: Some(hold), said }
    }

    /// Ends the job as soon as can be; a search still names its turn.
    pub fn stop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.hold = None;
    }

    /// Lets a pondering search go on as an ordinary one; false where none ponders.
    pub fn ponder_hit(&mut self) -> bool {
        let ponders = self.hold.is_some() && matches!(&self.task, Task::Search { limits, .. } if limits.ponder);
        if ponders {
            self.ponder_hit.store(true, Ordering::Relaxed);
            self.hold = None;
        }
        ponders
    }

    /// Whether the job ends only when told to.
    pub fn is_unbounded(&self) -> bool {
        matches!(&self.task, Task::Search { limits, .. } if limits.is_unbounded())
    }
}

pub(super) struct Worker {
    pub(super) game: Game,
    pub(super) manner: Manner,
    pub(super) choice: Choice,
    pub(super) memory: Arc<Memory>,
    pub(super) stop: Arc<AtomicBool>,
    ponder_hit: Arc<AtomicBool>,
    said: Sender<Said>,
    held: Receiver<()>,
}

impl Worker {
    fn run(&self, task: &Task) {
        let last = match task {
            Task::Search { limits, only } => self.search(limits, only),
            Task::Perft(depth) => self.perft(*depth),
            Task::Advise(advice) => self.advise(advice),
            Task::Legal => self.legal(),
            Task::Threat => self.threat(),
            Task::Eval => self.eval(),
            Task::Bench => self.bench(),
        };
        // A session that has gone does not listen any more, and that is no fault.
        let _ = self.said.send(Said::Done(last));
    }

    /// Says all lines but the last, which it gives back.
    fn say_all_but_last(&self, mut lines: Vec<String>) -> Reply {
        let last = lines.pop().unwrap_or_default();
        lines.into_iter().for_each(|line| self.say(Reply::Extra(line)));
        Reply::Extra(last)
    }

    pub(super) fn say(&self, reply: Reply) {
        let _ = self.said.send(Said::Reply(reply));
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn search(&self, limits: &Limits, only: &[Afterstate]) -> Reply {
        let turn = if let Status::Over(outcome) = self.game.status() {
            self.say(Reply::Note(format!("the game is over: {outcome}")));
            None
        } else {
            self.recall(limits, only).or_else(|| self.think(limits, only))
        };
        if limits.is_unbounded() {
            // Answers when the session lets go of its end.
            let _ = self.held.recv();
        }
        let Manner { style, single, .. } = self.manner;
        let text = turn.map(|turn| {
            let moves = turn.moves();
            let named = if single { moves.get(..1).unwrap_or(moves) } else { moves };
            turn_text(named, style, " ")
        });
        Reply::BestMove(text.unwrap_or_else(|| "(none)".to_string()))
    }

    fn tell(&self, info: &Info) {
        let _ = self.said.send(Said::Info(Box::new(info.clone())));
    }

    /// The rest of a turn that was answered before, where no deeper look is asked for.
    fn recall(&self, limits: &Limits, only: &[Afterstate]) -> Option<Turn> {
        if !only.is_empty() || limits.is_unbounded() || self.manner.lines > 1 {
            return None;
        }
        let (turn, info) = self.memory.recall(self.game.position())?;
        if limits.depth.is_some_and(|depth| depth > info.depth) {
            return None;
        }
        self.tell(&info);
        Some(turn)
    }

    fn think(&self, limits: &Limits, only: &[Afterstate]) -> Option<Turn> {
        let Manner { style, overhead, threads, lines, hash, elo, .. } = self.manner;
        let (rules, position) = (self.game.rules(), self.game.position());
        let table = self.memory.table(hash);
        let request = Request {
            overhead,
            only,
            threads,
            lines,
            elo,
            ponder_hit: &self.ponder_hit,
            ..Request::new(rules, position, self.choice.get(), &table, limits)
        };
        let report = think(&request, &self.stop, &mut |info| self.tell(info));
        if lines > 1 {
            for value in &report.rolls {
                let (expectation, turn) = (value.score.expectation(), turn_text(value.turn.moves(), style, ","));
                self.say(Reply::Note(format!("roll {} expectation {expectation:.4} turn {turn}", value.roll)));
            }
        }
        if let (Some(turn), Some(info)) = (&report.turn, &report.info) {
            self.memory.remember(rules, position, turn, info);
        }
        report.turn
    }

    fn perft(&self, depth: u32) -> Reply {
        let start = Instant::now();
        let (rules, position) = (self.game.rules(), self.game.position());
        let stop = || self.is_stopped();
        let total = if rules.variant.has_dice() { rules.perft(position, depth, &stop) } else { self.divide(depth) };
        if self.is_stopped() {
            self.say(Reply::Note("perft was stopped: its counts are not complete".to_string()));
        }
        if rules.variant.has_dice() {
            let Perft { rolls, turns, ends, passes, .. } = total;
            self.say(Reply::Extra(format!("perft rolls {rolls} turns {turns} ends {ends} passes {passes}")));
        }
        self.say(Reply::Note(format!("time {}", start.elapsed().as_millis())));
        Reply::Extra(format!("Nodes searched: {}", total.nodes))
    }

    /// Without dice the count of each move is shown, as chess engines do.
    fn divide(&self, depth: u32) -> Perft {
        let (rules, position) = (self.game.rules(), self.game.position());
        let text = |mv: SingleMove| turn_text(&[mv], self.manner.style, ",");
        let mut moves = Vec::new();
        rules.single_moves(position, &mut moves);
        moves.sort_by_cached_key(|&mv| text(mv));
        let mut total = Perft::default();
        for mv in moves {
            let next = rules.after_single(position, mv);
            let nodes = rules.perft(&next, depth - 1, &|| self.is_stopped()).nodes;
            self.say(Reply::Extra(format!("{}: {nodes}", text(mv))));
            total.nodes += nodes;
        }
        total
    }

    fn legal(&self) -> Reply {
        let side = match self.game.status() {
            Status::Over(outcome) => return Reply::Extra(format!("legal result {outcome}")),
            Status::Roll if self.game.void_roll().is_some() => return Reply::Extra("legal reroll".into()),
            Status::Roll => return Reply::Extra("legal roll".into()),
            Status::Pass(side) => return Reply::Extra(format!("legal pass mover {}", side.letter())),
            Status::Decide(side) => side,
        };
        let (rules, position) = (self.game.rules(), self.game.position());
        let stop = || self.is_stopped();
        let survey = rules.each_afterstate(position, Effort { stop: &stop, ..Effort::FULL }, |_| {});
        let order = |mv: SingleMove| turn_text(&[mv], self.manner.style, ",");
        let mut listed = 0;
        let _ = rules.each_turn(position, &order, &mut |line| {
            if listed == LISTED || self.is_stopped() {
                return ControlFlow::Break(());
            }
            listed += 1;
            self.say(Reply::Extra(format!("legal turn {}", turn_text(line, self.manner.style, ","))));
            ControlFlow::Continue(())
        });
        let (turns, ends) = (survey.sequences, survey.ends);
        if self.is_stopped() {
            self.say(Reply::Note("legal was stopped: its list is not complete".to_string()));
        } else if turns > LISTED as u64 {
            self.say(Reply::Note(format!("only the first {LISTED} of {turns} turns are listed")));
        }
        if survey.truncated {
            self.say(Reply::Note("too many to count: both numbers are lower bounds".to_string()));
        }
        Reply::Extra(format!("legal turns {turns} ends {ends} mover {}", side.letter()))
    }

    fn threat(&self) -> Reply {
        self.say_all_but_last(terms::threat(&self.game))
    }

    /// The static evaluation and what goes into it.
    fn eval(&self) -> Reply {
        self.say_all_but_last(terms::evaluation(&self.game, self.choice.get()))
    }

    fn bench(&self) -> Reply {
        let start = Instant::now();
        let mut each = |row: &Bench| self.say(Reply::Extra(row.to_string()));
        let nodes = bench::run(&self.stop, &mut each);
        if self.is_stopped() {
            self.say(Reply::Note("bench was stopped: its count is not complete".to_string()));
        }
        self.say_all_but_last(bench::closing_lines(nodes, start.elapsed()).to_vec())
    }
}

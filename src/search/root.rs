//! The root of a search: what is asked, what is reported.

use super::Searcher;
use super::effort::{Ponder, Spent};
use super::handicap::{at_random, pick};
use super::iterate::{Iteration, RootTurn, deeper, first, rolls};
use super::killers::Killers;
use super::order::{BROAD_FROM, Candidate, Width};
use super::table::Table;
use crate::board::Color;
use crate::eval::{Evaluator, Score};
use crate::info::{Info, Report, RollReport};
use crate::limits::{Budget, Limits};
use crate::position::Position;
use crate::turns::{Afterstate, Fan, Rules, Status, Turn};
use std::cmp::Ordering;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What is asked of a search.
pub struct Request<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The position.
    pub position: &'a Position,
    /// The static evaluation.
    pub evaluator: &'a dyn Evaluator,
    /// What was found out before, and room for more.
    pub table: &'a Table,
    /// The limits.
    pub limits: &'a Limits,
    /// Time kept back from every limit.
    pub overhead: Duration,
    /// The only turns to consider; empty for all.
    pub only: &'a [Afterstate],
    /// How many threads search.
    pub threads: usize,
    /// How many turns are reported with their values.
    pub lines: usize,
    /// How wide it is.
    pub width: Width,
    /// The level to play at, none for the full strength.
    pub elo: Option<u32>,
    /// Set when the move pondered on was played: a search that ponders then heeds its limits.
    pub ponder_hit: &'a AtomicBool,
}

/// For a search that does not ponder.
static NO_HIT: AtomicBool = AtomicBool::new(false);

impl<'a> Request<'a> {
    /// A search of all turns on one thread that reports the best.
    pub fn new(
        rules: &'a Rules,
        position: &'a Position,
        evaluator: &'a dyn Evaluator,
        table: &'a Table,
        limits: &'a Limits,
    ) -> Request<'a> {
        Request {
            rules,
            position,
            evaluator,
            table,
            limits,
            overhead: Duration::ZERO,
            only: &[],
            threads: 1,
            lines: 1,
            width: Width::default(),
            elo: None,
            ponder_hit: &NO_HIT,
        }
    }

    /// How wide the search is: narrower where a network values.
    fn width(&self) -> Width {
        match self.width {
            Width::Filtered if self.evaluator.network().is_some() => Width::Narrow,
            width => width,
        }
    }
}

/// The depth that is searched where nothing limits the search.
const DEFAULT_DEPTH: u32 = 2;
/// The deepest.
const DEEPEST: u32 = 64;

/// Thinks about a position and tells what it finds: a turn where dice are known, an expectation before the roll.
///
/// The turn is always a legal one, and wins at once wherever the dice allow it. `stop` ends the search within
/// milliseconds.
pub fn think(request: &Request, stop: &AtomicBool, say: &mut dyn FnMut(&Info)) -> Report {
    let Request { rules, position, limits, .. } = *request;
    let budget = Budget::new(limits, position.side(), request.overhead);
    let mut spent = Spent::new(budget.hard, limits.nodes, stop);
    if limits.ponder {
        let own = Limits { ponder: false, ..limits.clone() };
        let hard = Budget::new(&own, position.side(), request.overhead).hard;
        spent = spent.pondering(Ponder { hit: request.ponder_hit, hard, end: OnceLock::new() });
    }
    request.table.age();
    let killers = Killers::new();
    let width = request.width();
    let make = |_| Searcher::new(*rules, request.evaluator, &spent, request.table, &killers, width);
    let mut searchers: Vec<Searcher> = (0..request.threads.max(1)).map(make).collect();
    let mut root = Root { request, budget, spent: &spent, say };
    match rules.status(position, false) {
        Status::Over(_) => Report::default(),
        Status::Pass(_) => Report { turn: Some(Turn::PASS), ..Report::default() },
        Status::Roll => root.expectation(&mut searchers),
        Status::Decide(side) => root.turn(&mut searchers, side),
    }
}

struct Root<'a, 'b> {
    request: &'a Request<'a>,
    budget: Budget,
    spent: &'a Spent<'a>,
    say: &'b mut dyn FnMut(&Info),
}

impl Root<'_, '_> {
    /// How deep to go at most.
    fn deepest(&self) -> u32 {
        let limits = self.request.limits;
        let by_mate =
            limits.mate.map(|turns| if self.request.rules.variant.has_dice() { turns } else { 2 * turns - 1 });
        let free = limits.is_unbounded() || limits.nodes.is_some() || self.budget.hard.is_some();
        let none = if free { DEEPEST } else { DEFAULT_DEPTH };
        limits.depth.or(by_mate).unwrap_or(none).min(DEEPEST)
    }

    /// How deep and how wide each iteration after the first is. Where three dice are valued by a network, more depth is
    /// worth less than more width from some depth on.
    fn iterations(&self) -> impl Iterator<Item = (u32, Width)> + use<> {
        let (deepest, width) = (self.deepest(), self.request.width());
        let broadens = width == Width::Narrow && Fan::suits(self.request.rules);
        (2..=deepest).flat_map(move |depth| match depth.cmp(&BROAD_FROM) {
            Ordering::Equal if broadens && deepest > depth => vec![(depth, width), (depth, Width::Broad)],
            Ordering::Greater if broadens => vec![(depth, Width::Broad)],
            _ => vec![(depth, width)],
        })
    }

    /// Whether there is time to begin another iteration.
    fn goes_on(&self) -> bool {
        !self.spent.is_over() && self.budget.soft.is_none_or(|soft| self.spent.time() < soft.mul_f64(0.6))
    }

    fn info(&self, depth: u32, score: Score, wins: bool, turn: Option<Turn>, rank: Option<u32>) -> Info {
        let (nodes, time) = (self.spent.nodes(), self.spent.time());
        Info { depth, score, wins, nodes, time, turn, rank, hashfull: self.request.table.fullness() }
    }

    /// Shows what an iteration has come to; gives the first line.
    fn show(&mut self, turns: &[RootTurn], depth: u32) -> Option<Info> {
        let lines = self.request.lines.max(1);
        let mut best = None;
        for (rank, turn) in (1..).zip(turns.iter().take(lines)) {
            // Of others than the best a value may not be known where time ran out.
            if rank > 1 && !turn.exact {
                break;
            }
            let wins = turn.candidate.value == Score::WIN;
            let info = self.info(depth, turn.score, wins, Some(turn.candidate.turn), (lines > 1).then_some(rank));
            (self.say)(&info);
            best = best.or(Some(info));
        }
        best
    }

    /// The best turn of a side that must have one.
    fn turn(&mut self, searchers: &mut [Searcher], side: Color) -> Report {
        let Request { rules, position, elo, .. } = *self.request;
        if let Some(turn) = elo.and_then(|elo| at_random(rules, position, elo)) {
            return Report { turn: Some(turn), ..Report::default() };
        }
        let Some(main) = searchers.first_mut() else { return Report::default() };
        let mut turns: Vec<RootTurn> = if self.request.only.is_empty() {
            main.candidates(self.request.position, 0).into_iter().map(RootTurn::new).collect()
        } else {
            let mut turns: Vec<RootTurn> =
                self.request.only.iter().map(|only| RootTurn::new(given(main, only, side))).collect();
            turns.sort_by_key(|turn| (-turn.candidate.value, turn.candidate.position.key()));
            self.spent.add(turns.len() as u64);
            turns
        };
        first(searchers, &mut turns, side, self.request.lines);
        if let Some(elo) = self.request.elo {
            let place = pick(&turns, elo, self.request.position.key());
            // The first of all shown is the one that is played.
            if let Some(head) = turns.get_mut(..=place) {
                head.rotate_right(1);
            }
            let turn = turns.first().map(|turn| turn.candidate.turn);
            return Report { turn, info: self.show(&turns, 1), rolls: Vec::new() };
        }
        let mut report = self.show(&turns, 1);
        let settled = |turns: &[RootTurn]| turns.first().is_none_or(|best| best.exact && best.score == Score::WIN);
        let forced = turns.len() == 1 && !self.request.limits.is_unbounded();
        for (depth, width) in self.iterations() {
            if forced || settled(&turns) || !self.goes_on() {
                break;
            }
            let before = turns.first().map(|turn| turn.candidate.turn);
            searchers.iter_mut().for_each(|searcher| searcher.width = width);
            match deeper(searchers, &mut turns, side, depth, self.request.lines, width) {
                Iteration::Complete => report = self.show(&turns, depth),
                Iteration::Partial => {
                    // A better turn that was found in time is played.
                    if turns.first().map(|turn| turn.candidate.turn) != before {
                        report = self.show(&turns, depth);
                    }
                    break;
                }
            }
        }
        let turn = turns.first().map(|turn| turn.candidate.turn);
        Report { turn, info: report, rolls: Vec::new() }
    }

    /// The value of a throw.
    fn expectation(&mut self, searchers: &mut [Searcher]) -> Report {
        let mut report = Report::default();
        for (depth, width) in std::iter::once((1, self.request.width())).chain(self.iterations()) {
            if depth > 1 && !self.goes_on() {
                break;
            }
            searchers.iter_mut().for_each(|searcher| searcher.width = width);
            let (values, how) = rolls(searchers, self.request.position, depth);
            if depth > 1 && matches!(how, Iteration::Partial) {
                break;
            }
            let score = Score::mean(values.iter().map(|value| (value.score, value.weight)));
            let info = self.info(depth, score, false, None, None);
            (self.say)(&info);
            let rolls = values.into_iter().map(|value| RollReport {
                roll: value.roll,
                score: value.score,
                turn: value.turn.unwrap_or(Turn::PASS),
            });
            report = Report { turn: None, info: Some(info), rolls: rolls.collect() };
            if matches!(how, Iteration::Partial) {
                break;
            }
        }
        report
    }
}

/// A candidate that the host has named.
fn given(searcher: &Searcher, only: &Afterstate, side: Color) -> Candidate {
    let value = searcher.static_value(&only.position, side);
    Candidate { position: only.position, turn: only.turn, value }
}

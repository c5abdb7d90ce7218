//! Candidates: the distinct ends of a turn, in the order in which they are looked at, and how many of them are.

use super::Searcher;
use super::effort::Spent;
use crate::board::Color;
use crate::eval::network::squash;
use crate::eval::{Accumulator, Judge, Score, SeriesJudge};
use crate::position::Position;
use crate::turns::{Afterstate, Effort, Fan, Step, Turn};
use crate::variant::Filters;
use std::cell::Cell;

/// A turn that may be the best.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Where it leads.
    pub position: Position,
    /// The turn.
    pub turn: Turn,
    /// The static value for the side that plays it.
    pub value: Score,
}

/// How wide the search is beyond its first turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Width {
    /// The best few replies to each roll where there are hundreds: gnubg's move filters.
    #[default]
    Filtered,
    /// The same for a network, which is dearer and deserves more trust: few candidates and replies, of which the last
    /// are valued with the exact danger of the next roll. Taken by itself where a network values.
    Narrow,
    /// The same with more replies and rolls: for the time that is left once three turns have been looked at narrowly.
    Broad,
    /// Everything.
    Full,
}

/// The depth that is searched a second time, more broadly, before any deeper one.
pub const BROAD_FROM: u32 = 3;

impl Width {
    /// How many replies to a roll are looked at when `left` turns follow them.
    pub fn replies(self, left: u32) -> usize {
        match (self, left) {
            (Width::Full | Width::Filtered, 0) => 1,
            (Width::Full, _) => usize::MAX,
            (Width::Filtered, 1) | (Width::Narrow, 0) | (Width::Broad, _) => 3,
            (Width::Narrow, _) => 1,
            (Width::Filtered, _) => 2,
        }
    }

    /// Whether the last replies are valued with the exact danger of the next roll.
    pub fn is_exact(self) -> bool {
        matches!(self, Width::Narrow | Width::Broad)
    }

    /// Of how many rolls one is looked at, from the second throw of three dice on.
    pub fn samples(self) -> usize {
        if self == Width::Narrow { 14 } else { 7 }
    }

    /// How many candidates of the first turn are looked at to a depth; `many` where a turn is one of hundreds.
    pub fn candidates(self, filters: &Filters, depth: u32, many: bool) -> usize {
        let [second, third, deeper] = filters.candidates;
        match (self, depth) {
            (Width::Full, _) | (_, 0..=1) | (Width::Filtered, 2) => usize::MAX,
            (Width::Filtered, _) if !many => usize::MAX,
            (Width::Filtered, 3) => 12,
            (Width::Filtered, _) => 6,
            (_, 2) => second,
            (_, 3) => third,
            (_, _) => deeper,
        }
    }

    /// By how much a candidate may be worse than the best, one turn less deep, to be looked at.
    pub fn margin(self, depth: u32) -> i32 {
        match (self, depth) {
            (Width::Full | Width::Filtered, _) => i32::MAX,
            (_, 2) => Score::WIN.0 / 5,
            _ => Score::WIN.0 / 10,
        }
    }
}

/// How many moves a series has at most of which every turn is looked at.
const SHORT_SERIES: usize = 2;
/// How many positions of each length of a longer series are carried on: in the first turn, and in later ones.
const BEAM: usize = 2_000;
const INNER_BEAM: usize = 24;
/// How many positions inside a turn are expanded before it is judged by what was found.
const NODES: usize = 200_000;
/// How many candidates are kept: the best by static value.
const KEPT: usize = 20_000;

impl Searcher<'_> {
    /// The candidates of a decision node, best static value first, ties by the key, so that their order never depends
    /// on how they were found. One that wins at once stands alone. Empty where time ran out before any was found.
    pub(super) fn candidates(&mut self, position: &Position, ply: u32) -> Vec<Candidate> {
        let Some(side) = position.side() else { return Vec::new() };
        let mut found = Found { list: Vec::new(), win: None };
        if position.pool().len() == 1 && !position.pool().is_optional() {
            self.single(position, side, &mut found);
        } else if let Some(roll) = Fan::roll_of(position).filter(|_| self.has_fan) {
            self.by_fan(position, side, roll, &mut found);
        } else if self.is_long_series(position, side, ply) {
            self.series(position, side, ply, &mut found);
        } else {
            self.all(position, side, &mut found);
        }
        self.spent.add(found.list.len() as u64 + u64::from(found.win.is_some()));
        match found.win {
            Some(win) => vec![win],
            None => {
                found.list.sort_by_cached_key(|candidate| (-candidate.value, candidate.position.key()));
                found.list
            }
        }
    }

    /// Turns of one single move.
    fn single(&mut self, position: &Position, side: Color, found: &mut Found) {
        let mut moves = std::mem::take(&mut self.moves);
        self.rules.single_moves(position, &mut moves);
        for &mv in &moves {
            let next = self.rules.after_single(position, mv);
            found.offer(next, Turn::new(&[mv]), self.static_value(&next, side));
        }
        self.moves = moves;
    }

    fn by_fan(&mut self, position: &Position, side: Color, roll: usize, found: &mut Found) {
        let Some(mut fan) = self.take_fan() else { return };
        let outcome = |after: &Position| self.rules.outcome(after, false);
        let wins = || self.rules.king_captures(position, side) >> roll & 1 == 1;
        let mut haste = Haste { spent: self.spent, wins: &wins, shown: 0, care: Care::All };
        if let Some(network) = self.evaluator.network() {
            let judge = Judge::new(self.rules, network, side);
            fan.walk(position, Accumulator::new(network, position), 1 << roll, &mut |leaf| {
                if let Some(enough) = haste.passes_over(leaf.wins, leaf.rolls) {
                    return enough;
                }
                let after = leaf.position();
                let value = match (leaf.wins, outcome(&after)) {
                    (true, _) => Score::WIN,
                    (_, Some(_)) => self.static_value(&after, side),
                    _ => squash(judge.leaf(leaf)),
                };
                found.offer(after, leaf.turn(), value);
                if leaf.wins { leaf.rolls } else { 0 }
            });
        } else {
            fan.walk(position, (), 1 << roll, &mut |leaf| {
                if let Some(enough) = haste.passes_over(leaf.wins, leaf.rolls) {
                    return enough;
                }
                let after = leaf.position();
                let value = if leaf.wins { Score::WIN } else { self.static_value(&after, side) };
                found.offer(after, leaf.turn(), value);
                if leaf.wins { leaf.rolls } else { 0 }
            });
        }
        self.fan = Some(fan);
    }

    fn series(&mut self, position: &Position, side: Color, ply: u32, found: &mut Found) {
        let stop = || self.spent.is_over();
        if let Some(turn) = self.rules.turn_that_takes_the_last_pawn(position, Effort { stop: &stop, ..Effort::FULL }) {
            let end = self.play(position, &turn);
            return found.offer(end, turn, Score::WIN);
        }
        let ends = match self.evaluator.network() {
            Some(network) => {
                let mut judge = SeriesJudge::new(self.rules, network, side);
                let [first, later] = self.rules.variant.filters.beams;
                let width = if ply == 0 { first } else { later };
                let ends = self.rules.beam(position, width, &stop, &mut judge);
                self.spent.add(judge.valued);
                ends
            }
            None => {
                let width = if ply == 0 { BEAM } else { INNER_BEAM };
                self.rules.beam(position, width, &stop, &mut |at: &Position| self.static_value(at, side).0)
            }
        };
        for Afterstate { position, turn } in ends {
            let value = self.static_value(&position, side);
            found.offer(position, turn, value);
        }
        if found.list.is_empty() && found.win.is_none() {
            self.greedy_turn(position, side, found);
        }
    }

    fn all(&mut self, position: &Position, side: Color, found: &mut Found) {
        // Only a series is long enough to be cut short; elsewhere a win must never be missed for haste.
        let won = Cell::new(false);
        let stop = || won.get() || self.rules.variant.is_series() && self.spent.is_over();
        let effort = Effort { nodes: NODES, stop: &stop };
        let survey = self.rules.each_afterstate(position, effort, |leaf| {
            found.offer(*leaf.position, leaf.turn(), self.static_value(leaf.position, side));
            won.set(found.win.is_some());
        });
        if survey.truncated && found.win.is_none() {
            self.greedy_turn(position, side, found);
        }
    }

    /// Whether only the best lines of the turn are looked at: a long series in which the king cannot be taken.
    fn is_long_series(&self, position: &Position, side: Color, ply: u32) -> bool {
        let (variant, pool) = (self.rules.variant, position.pool());
        let short = if ply == 0 { SHORT_SERIES } else { 1 };
        self.width != Width::Full
            && variant.is_series()
            && pool.len() > short
            && pool.tickets().iter().all(|ticket| ticket.is_free())
            && !(variant.has_king_capture() && self.rules.shortest_capture(position, side, pool.len()).is_some())
    }

    /// The turn of which each single move is the best by static value: for a search that was cut short.
    fn greedy_turn(&self, position: &Position, side: Color, found: &mut Found) {
        let mut turn = Turn::PASS;
        let mut at = *position;
        loop {
            let steps = self.rules.steps(&at);
            let best = steps.iter().max_by_key(|(_, step)| self.static_value(step.position(), side));
            let Some(&(mv, step)) = best else { break };
            turn.push(mv);
            at = *step.position();
            if let Step::Ended(_) = step {
                break;
            }
        }
        found.offer(at, turn, self.static_value(&at, side));
    }

    /// Where a turn leads from a decision node.
    pub(super) fn play(&self, position: &Position, turn: &Turn) -> Position {
        self.rules.after_turn(position, turn)
    }
}

/// What a walk over all turns of a roll still looks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Care {
    All,
    Wins,
    Nothing,
}

/// Nine queens have half a million turns: where time runs out on them only a win is looked for, if there is one.
struct Haste<'a> {
    spent: &'a Spent<'a>,
    wins: &'a dyn Fn() -> bool,
    shown: u32,
    care: Care,
}

impl Haste<'_> {
    /// How often the clock is looked at, in turns.
    const LOOK: u32 = 1024;

    /// Another turn is shown, of one roll. Where it is not to be looked at: the rolls of which enough was seen.
    #[inline]
    fn passes_over(&mut self, wins: bool, roll: u64) -> Option<u64> {
        self.shown += 1;
        if self.shown.is_multiple_of(Haste::LOOK) && self.care == Care::All && self.spent.is_over() {
            self.care = if (self.wins)() { Care::Wins } else { Care::Nothing };
        }
        match self.care {
            Care::Nothing => Some(roll),
            Care::Wins if !wins => Some(0),
            _ => None,
        }
    }
}

struct Found {
    list: Vec<Candidate>,
    win: Option<Candidate>,
}

impl Found {
    fn offer(&mut self, position: Position, turn: Turn, value: Score) {
        if value == Score::WIN {
            self.win.get_or_insert(Candidate { position, turn, value });
        } else if self.win.is_none() {
            self.list.push(Candidate { position, turn, value });
            if self.list.len() >= 2 * KEPT {
                self.list.sort_by_cached_key(|candidate| (-candidate.value, candidate.position.key()));
                self.list.truncate(KEPT);
            }
        }
    }
}

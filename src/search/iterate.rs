//! Iterative deepening at the root: all candidates one turn deep, then deeper, as long as time allows.

use super::decide::Window;
use super::order::{Candidate, Width};
use super::race::{race, suits};
use super::workers::share;
use super::{Searcher, THREE_DICE};
use crate::board::Color;
use crate::dice::Roll;
use crate::eval::Score;
use crate::position::Position;
use crate::turns::{Fan, Status, Turn};
use std::sync::Mutex;

/// A candidate of the first turn and what is known of it.
#[derive(Clone, Debug)]
pub struct RootTurn {
    /// The turn and where it leads.
    pub candidate: Candidate,
    /// Its value, or what it is at most.
    pub score: Score,
    /// Whether that is its value.
    pub exact: bool,
}

/// What an iteration has come to.
pub enum Iteration {
    /// All was looked at.
    Complete,
    /// Time ran out; what was found until then holds.
    Partial,
}

/// How many candidates are valued with the danger of the next roll where all would be too many.
const DANGERS: usize = 2_000;
/// How many of the best keep their exact values for the next, narrower iteration.
const EXACT: usize = 4;

/// From how many candidates on neighbours are one task, and how many tasks each thread gets then.
const MANY: usize = 96;
const BLOCKS: usize = 8;

/// How many rolls of the first candidate are one task: the more, the more prefixes of turns they share.
const SHALLOW_PART: usize = 8;
const DEEP_PART: usize = 2;

/// The values of the best so far, that of the worst of them bounding what is still of interest.
struct Best {
    places: usize,
    found: Vec<(Score, usize)>,
}

impl Best {
    /// The window's lower bound for a candidate: as good as the last of the best is not enough, unless it comes earlier.
    fn alpha(&self, place: usize) -> i32 {
        match self.found.get(self.places.wrapping_sub(1)) {
            Some(&(score, last)) => score.0 - i32::from(place < last),
            None => Window::FULL.alpha,
        }
    }

    fn add(&mut self, score: Score, place: usize) {
        let at =
            self.found.iter().position(|&(known, first)| (known, usize::MAX - first) < (score, usize::MAX - place));
        self.found.insert(at.unwrap_or(self.found.len()), (score, place));
        self.found.truncate(self.places);
    }
}

/// The first iteration: every candidate with the danger of the next roll, the best first; so many are `wanted` exactly.
pub fn first(searchers: &mut [Searcher], turns: &mut [RootTurn], side: Color, wanted: usize) {
    let Some(variant) = searchers.first().map(|searcher| searcher.rules.variant) else { return };
    // Where the opponent rolls next, danger only takes away, and who is worse without it need not be looked at closely.
    let bounded = variant.has_mover() && !variant.free_turns && variant.has_king_capture();
    let has_network = searchers.first().is_some_and(|searcher| searcher.evaluator.network().is_some());
    // A network values a position without the danger by itself.
    let bounded = bounded && !has_network;
    let cheap = searchers.first().is_some_and(|searcher| searcher.has_fan);
    if cheap {
        dangers(searchers, turns, side);
    } else if let Some(searcher) = searchers.first_mut() {
        let mut best: Option<Score> = None;
        for (place, turn) in turns.iter_mut().enumerate() {
            let value = turn.candidate.value;
            let late = best.is_some() && (searcher.must_end() || place >= DANGERS);
            let is_hopeless = bounded && wanted <= 1 && best.is_some_and(|best| value <= best);
            if value == Score::WIN || late || is_hopeless {
                turn.score = value;
                turn.exact = value == Score::WIN || !bounded;
            } else {
                turn.score = searcher.horizon(&turn.candidate.position, side, value);
                turn.exact = true;
            }
            if turn.exact {
                best = best.max(Some(turn.score));
            }
        }
    }
    turns.sort_by_cached_key(|turn| (-turn.score, !turn.exact));
    // A bound must not stand before a value.
    if let Some(at) = turns.iter().position(|turn| turn.exact) {
        turns.get_mut(..=at).into_iter().for_each(|head| head.rotate_right(1));
    }
}

/// How many candidates are one task where their dangers are told by several threads.
const TOGETHER: usize = 64;

/// The danger of every candidate, where that is told fast.
fn dangers(searchers: &mut [Searcher], turns: &mut [RootTurn], side: Color) {
    let chunks: Vec<&[RootTurn]> = turns.get(..turns.len().min(DANGERS)).unwrap_or_default().chunks(TOGETHER).collect();
    let work = |searcher: &mut Searcher, place: usize| -> Vec<Score> {
        let chunk = chunks.get(place).copied().unwrap_or_default();
        // The first are always looked at, the rest as long as there is time.
        let in_time = chunk.iter().take_while(|_| place == 0 || !searcher.spent.is_over());
        in_time.map(|turn| searcher.horizon(&turn.candidate.position, side, turn.candidate.value)).collect()
    };
    let mut found = vec![Vec::new(); chunks.len()];
    share(searchers, found.len(), &work, &mut |place, scores| {
        if let Some(slot) = found.get_mut(place) {
            *slot = scores;
        }
    });
    for (chunk, scores) in turns.chunks_mut(TOGETHER).zip(found) {
        for (turn, score) in chunk.iter_mut().zip(scores) {
            (turn.score, turn.exact) = (score, true);
        }
    }
}

/// A deeper iteration over the best candidates. They come sorted, and leave so: exact values first.
pub fn deeper(
    searchers: &mut [Searcher],
    turns: &mut Vec<RootTurn>,
    side: Color,
    depth: u32,
    wanted: usize,
    width: Width,
) -> Iteration {
    let Some((filters, many)) = searchers.first().map(|first| (&first.rules.variant.filters, first.has_fan)) else {
        return Iteration::Partial;
    };
    let most = width.candidates(filters, depth, many);
    let near = if most < usize::MAX { worth_a_look(turns, most, width.margin(depth)) } else { turns.len() };
    let count = near.max(wanted).min(turns.len());
    if searchers.first().is_some_and(|searcher| suits(searcher, turns.get(..count).unwrap_or_default())) {
        return race(searchers, turns, side, depth, (count, wanted));
    }
    let narrows = width.candidates(filters, depth + 1, many) < turns.len();
    let best = Mutex::new(Best { places: wanted.max(if narrows { EXACT } else { 1 }), found: Vec::new() });
    let mut results: Vec<Option<(Score, bool)>> = vec![None; count];
    let head = turns.first().and_then(|head| split(searchers, &head.candidate.position, side, depth - 1));
    if let (Some(score), Some(slot), Ok(mut best)) = (head, results.first_mut(), best.lock()) {
        best.add(score, 0);
        *slot = Some((score, true));
    }
    let done = usize::from(head.is_some());
    let work = |searcher: &mut Searcher, place: usize| -> Option<(Score, bool)> {
        let candidate = &turns.get(place)?.candidate;
        if searcher.spent.is_over() {
            return None;
        }
        let window = Window { alpha: best.lock().ok()?.alpha(place), ..Window::FULL };
        let score = searcher.after(&candidate.position, side, candidate.value, depth - 1, window, 1)?;
        let exact = score.0 > window.alpha;
        if exact {
            best.lock().ok()?.add(score, place);
        }
        Some((score, exact))
    };
    let mut missing = false;
    // Neighbours are alike, and what refutes one refutes the next: they are one task where there are many. Smaller tasks
    // at the head would share the work more evenly, but several at once know nothing of what refutes each other.
    let together = if count > MANY { (count / (BLOCKS * searchers.len())).max(1) } else { 1 };
    let tasks = (count - done).div_ceil(together);
    let block = |searcher: &mut Searcher, task: usize| -> Vec<Option<(Score, bool)>> {
        let first = done + task * together;
        (first..count.min(first + together)).map(|place| work(searcher, place)).collect()
    };
    share(searchers, tasks, &block, &mut |task, values| {
        for (slot, value) in results.iter_mut().skip(done + task * together).zip(values) {
            missing |= value.is_none();
            *slot = value;
        }
    });
    // Without a value of the best so far nothing can be said to be better.
    if missing && results.first().is_none_or(Option::is_none) {
        return Iteration::Partial;
    }
    // What fell out of the best again is known only to be worse than they are, for the sake of one order for any number
    // of threads.
    let kept = best.into_inner().map_or(0, |best| best.found.len());
    settle(turns, &results, kept);
    if missing { Iteration::Partial } else { Iteration::Complete }
}

/// The value for a side of the position that the first candidate leads to, `left` turns deep, its rolls divided among
/// several threads: until it is known the others have nothing to be measured by. None where one thread is as good, or
/// time ran out.
fn split(searchers: &mut [Searcher], position: &Position, side: Color, left: u32) -> Option<Score> {
    let rules = searchers.first().filter(|searcher| searcher.has_fan)?.rules;
    if searchers.len() == 1 || rules.status(position, false) != Status::Roll {
        return None;
    }
    let together = if left == 1 { SHALLOW_PART } else { DEEP_PART };
    let mask = |part: usize| ((1 << together) - 1) << (part * together) & Fan::ALL;
    let work = |searcher: &mut Searcher, part: usize| searcher.part(position, left, mask(part), 1);
    let mut scores: Vec<Option<Score>> = vec![None; THREE_DICE.len()];
    share(searchers, scores.len().div_ceil(together), &work, &mut |part, values| {
        for (slot, value) in scores.iter_mut().skip(part * together).zip(values.into_iter().flatten()) {
            *slot = Some(value);
        }
    });
    let weighted = scores.iter().zip(THREE_DICE.iter()).map(|(score, (_, weight))| Some(((*score)?, *weight)));
    let score = Score::mean(weighted.collect::<Option<Vec<_>>>()?);
    Some(if position.side() == Some(side) { score } else { -score })
}

/// How many candidates are looked at: at most so many of the best that are not much worse than the very best.
fn worth_a_look(turns: &[RootTurn], most: usize, margin: i32) -> usize {
    let Some(best) = turns.first().map(|turn| turn.score.0) else { return 0 };
    turns.iter().take(most).take_while(|turn| best - turn.score.0 <= margin).count()
}

/// Sorts the turns by what an iteration has found of them: exact values first, of which so many are `kept`.
fn settle(turns: &mut Vec<RootTurn>, results: &[Option<(Score, bool)>], kept: usize) {
    let (mut valued, mut others) = (Vec::new(), Vec::new());
    for (place, mut turn) in std::mem::take(turns).into_iter().enumerate() {
        match results.get(place).copied().flatten() {
            Some((score, true)) => {
                (turn.score, turn.exact) = (score, true);
                valued.push(turn);
            }
            _ => {
                turn.exact = false;
                others.push(turn);
            }
        }
    }
    valued.sort_by_key(|turn| -turn.score);
    for turn in valued.iter_mut().skip(kept) {
        turn.exact = false;
    }
    turns.extend(valued);
    turns.extend(others);
}

/// What a roll comes to: its value for a view and the turn to play, none for a pass.
#[derive(Clone, Debug)]
pub struct RollValue {
    /// The roll.
    pub roll: Roll,
    /// How many rolls of the total are meant.
    pub weight: u32,
    /// The value, for the side to roll, or for White.
    pub score: Score,
    /// The best turn.
    pub turn: Option<Turn>,
}

/// The value of every roll of a position that awaits one, so many turns deep; of those that time allowed.
pub fn rolls(searchers: &mut [Searcher], position: &Position, depth: u32) -> (Vec<RollValue>, Iteration) {
    let view = position.side().unwrap_or(Color::White);
    let Some(rules) = searchers.first().map(|searcher| searcher.rules) else { return (Vec::new(), Iteration::Partial) };
    let chance = rules.outcomes(position);
    let mut values: Vec<Option<(Score, Option<Turn>)>> = vec![None; chance.outcomes.len()];
    let work = |searcher: &mut Searcher, place: usize| {
        // One roll is always looked at.
        if place > 0 && searcher.spent.is_over() {
            return None;
        }
        rolled(searcher, &chance.outcomes.get(place)?.position, view, depth)
    };
    share(searchers, chance.outcomes.len(), &work, &mut |place, value| {
        if let Some(slot) = values.get_mut(place) {
            *slot = value;
        }
    });
    let complete = values.iter().all(Option::is_some);
    let known = chance.outcomes.iter().zip(values).filter_map(|(outcome, value)| {
        let (score, turn) = value?;
        Some(RollValue { roll: outcome.roll, weight: outcome.weight, score, turn })
    });
    (known.collect(), if complete { Iteration::Complete } else { Iteration::Partial })
}

/// The value of a rolled position for a view, with the turn to play.
fn rolled(searcher: &mut Searcher, position: &Position, view: Color, depth: u32) -> Option<(Score, Option<Turn>)> {
    let Status::Decide(mover) = searcher.rules.status(position, false) else {
        return searcher.rolled(position, view, depth, Window::FULL, 0).map(|score| (score, None));
    };
    let candidates = searcher.candidates(position, 0);
    let signed = |score: Score| if mover == view { score } else { -score };
    let mut turns: Vec<RootTurn> = candidates.into_iter().map(RootTurn::new).collect();
    let (width, searchers) = (searcher.width, std::slice::from_mut(searcher));
    first(searchers, &mut turns, mover, 1);
    for depth in 2..=depth {
        if matches!(deeper(searchers, &mut turns, mover, depth, 1, width), Iteration::Partial) {
            return None;
        }
    }
    let best = turns.first()?;
    Some((signed(best.score), Some(best.candidate.turn)))
}

impl RootTurn {
    /// Of which only the static value is known.
    pub fn new(candidate: Candidate) -> RootTurn {
        RootTurn { score: candidate.value, candidate, exact: false }
    }
}

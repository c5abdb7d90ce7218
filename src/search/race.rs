//! The race: the candidates of the first turn are searched on the same rolls, some at a time, and who has fallen behind
//! beyond doubt is left out of the rest (after the Hoeffding races of Maron and Moore 1994).
//!
//! What two candidates come to on the same roll goes up and down together, so that their difference is known long before
//! their values are. What was thought of it one turn less deep counts as well, for as much as that is usually worth. Where
//! time runs out, the best by what is known until then is played.

use super::iterate::{Iteration, RootTurn};
use super::leaves::{ROLLS, rolls};
use super::order::Width;
use super::workers::share;
use super::{Searcher, THREE_DICE};
use crate::board::Color;
use crate::eval::Score;
use crate::position::Position;
use crate::turns::{Fan, Rules, Status};

/// By how many standard deviations a candidate must be behind to be left out.
const DOUBT: f64 = 2.0;
/// By how much the difference between two candidates usually changes with the second turn, with the third, and with what
/// comes after: the standard deviation over 800 positions of games.
const USUAL: [f64; 3] = [0.04, 0.02, 0.01];
/// From this many rolls on something can be said of how much they differ.
const FEW: f64 = 3.0;
/// The rolls are divided into so many samples, of every seventh roll each.
const SAMPLES: usize = 7;
/// How many samples each heat adds: two turns deep many rolls at once share the beginnings of the replies to them.
const SHALLOW_HEATS: &[usize] = &[2, 5];
const DEEP_HEATS: &[usize] = &[1, 1, 2, 3];

/// A candidate and what is known of it. All values are those of the opponent, who rolls next.
struct Runner {
    /// Its place among the turns.
    place: usize,
    position: Position,
    /// Its value one turn less deep.
    before: f64,
    /// The rolls that win at once.
    won: u64,
    /// The rolls whose value is known, and their values.
    known: u64,
    values: [f64; ROLLS],
    /// Whether it is still in the race.
    runs: bool,
    /// What it is sorted by.
    key: i64,
}

/// A difference that is known roughly.
#[derive(Clone, Copy)]
struct Guess {
    mean: f64,
    variance: f64,
}

impl Guess {
    /// Two independent guesses of the same together.
    fn with(self, other: Guess) -> Guess {
        let part = if self.variance > 0.0 { other.variance / (self.variance + other.variance) } else { 1.0 };
        Guess { mean: other.mean + part * (self.mean - other.mean), variance: (1.0 - part) * other.variance }
    }
}

/// How many rolls of the total some are.
fn weight(some: u64) -> f64 {
    rolls(some).map(weight_of).sum()
}

fn weight_of(roll: usize) -> f64 {
    THREE_DICE.get(roll).map_or(0.0, |(_, weight)| f64::from(*weight))
}

impl Runner {
    fn new(rules: &Rules, turn: &RootTurn, place: usize, side: Color) -> Runner {
        let position = turn.candidate.position;
        let won = rules.king_captures(&position, side.other());
        let values = [f64::from(Score::WIN.0); ROLLS];
        Runner { place, position, before: -f64::from(turn.score.0), won, known: won, values, runs: true, key: 0 }
    }

    /// Hears what some rolls come to.
    fn hear(&mut self, some: u64, scores: &[Score]) {
        for (roll, score) in rolls(some).zip(scores) {
            if let Some(value) = self.values.get_mut(roll) {
                *value = f64::from(score.0);
            }
        }
        self.known |= some;
    }

    fn is_known(&self) -> bool {
        self.known == Fan::ALL
    }

    fn value_of(&self, roll: usize) -> f64 {
        self.values.get(roll).copied().unwrap_or_default()
    }

    /// Its value, the rolls that win at once counting exactly, and some of the others for all of them.
    fn value(&self, some: u64) -> f64 {
        let (some, rest) = (some & self.known & !self.won, Fan::ALL & !self.won);
        if some == 0 {
            return self.before;
        }
        let mean = rolls(some).map(|roll| weight_of(roll) * self.value_of(roll)).sum::<f64>() / weight(some);
        (weight(self.won) * f64::from(Score::WIN.0) + weight(rest) * mean) / weight(Fan::ALL)
    }

    /// By how much it is better for the opponent than another one, by the rolls known of both.
    fn against(&self, other: &Runner) -> Guess {
        let both = self.known & other.known;
        let open = Fan::ALL & !(self.won & other.won);
        let (seen, total) = (weight(both & open), weight(open));
        let mean = self.value(both) - other.value(both);
        if both == Fan::ALL {
            return Guess { mean, variance: 0.0 };
        }
        let squares: f64 = rolls(both & open).map(|roll| weight_of(roll).powi(2)).sum();
        let count = seen * seen / squares.max(1.0);
        if count < FEW {
            return Guess { mean: 0.0, variance: f64::INFINITY };
        }
        let differences =
            || rolls(both & open).map(|roll| (weight_of(roll), self.value_of(roll) - other.value_of(roll)));
        let middle = differences().map(|(weight, difference)| weight * difference).sum::<f64>() / seen;
        let spread =
            differences().map(|(weight, difference)| weight * (difference - middle).powi(2)).sum::<f64>() / seen;
        // Of a sample without repetition, and only for the part of the rolls that is open.
        let part = total / weight(Fan::ALL);
        Guess { mean, variance: spread / (count - 1.0) * (1.0 - seen / total) * part * part }
    }

    /// The same with what was thought of both before.
    fn behind(&self, other: &Runner, usual: f64) -> Guess {
        let before = Guess { mean: self.before - other.before, variance: usual * usual };
        self.against(other).with(before)
    }
}

/// Whether the candidates of a search race: those of three dice where a network values, the opponent's roll being next.
pub fn suits(searcher: &Searcher, turns: &[RootTurn]) -> bool {
    let rolls_next = |turn: &RootTurn| searcher.rules.status(&turn.candidate.position, false) == Status::Roll;
    searcher.width.is_exact() && searcher.has_fan && turns.iter().all(rolls_next)
}

/// A deeper iteration over the first so many of the turns, which come sorted and leave so; so many are `wanted` exactly.
pub fn race(
    searchers: &mut [Searcher],
    turns: &mut Vec<RootTurn>,
    side: Color,
    depth: u32,
    (count, wanted): (usize, usize),
) -> Iteration {
    let Some((rules, width)) = searchers.first().map(|searcher| (searcher.rules, searcher.width)) else {
        return Iteration::Partial;
    };
    let [second, third, later] = USUAL.map(|part| part * f64::from(Score::WIN.0));
    let usual = match (depth, width) {
        (2, _) => second,
        (3, Width::Narrow) => third,
        _ => later,
    };
    let places = turns.iter().take(count).enumerate();
    let mut runners: Vec<Runner> = places.map(|(place, turn)| Runner::new(&rules, turn, place, side)).collect();
    let mut samples = 0..0;
    let mut in_time = true;
    for heat in if depth == 2 { SHALLOW_HEATS } else { DEEP_HEATS } {
        samples = samples.end..samples.end + heat;
        let some = (0..ROLLS).filter(|roll| samples.contains(&(roll % SAMPLES))).fold(0, |some, roll| some | 1 << roll);
        in_time = run(searchers, &mut runners, depth, some);
        rank(&mut runners, usual);
        if !in_time {
            break;
        }
        leave_behind(&mut runners, wanted, usual);
    }
    settle(turns, &runners, usual);
    if in_time { Iteration::Complete } else { Iteration::Partial }
}

/// Has some rolls searched of all that are still in the race; whether there was time for it.
fn run(searchers: &mut [Searcher], runners: &mut [Runner], depth: u32, some: u64) -> bool {
    let field: Vec<&mut Runner> = runners.iter_mut().filter(|runner| runner.runs).collect();
    let positions: Vec<Position> = field.iter().map(|runner| runner.position).collect();
    let work = |searcher: &mut Searcher, task: usize| {
        let position = positions.get(task).filter(|_| !searcher.spent.is_over())?;
        searcher.part(position, depth - 1, some, 1)
    };
    let mut found = vec![None; positions.len()];
    share(searchers, positions.len(), &work, &mut |task, scores| {
        if let Some(slot) = found.get_mut(task) {
            *slot = scores;
        }
    });
    let in_time = found.iter().all(Option::is_some);
    for (runner, scores) in field.into_iter().zip(found) {
        scores.into_iter().for_each(|scores| runner.hear(some, &scores));
    }
    in_time
}

/// Sorts by what is known: best first, those left out at the end.
fn rank(runners: &mut [Runner], usual: f64) {
    let Some(head) = runners.first() else { return };
    let behind = |runner: &Runner| if runner.place == head.place { 0.0 } else { runner.behind(head, usual).mean };
    let keys: Vec<i64> = runners.iter().map(|runner| behind(runner) as i64).collect();
    for (runner, key) in runners.iter_mut().zip(keys) {
        runner.key = key;
    }
    runners.sort_by_key(|runner| (!runner.runs, runner.key));
}

/// Leaves out who is behind the last of those wanted beyond doubt.
fn leave_behind(runners: &mut [Runner], wanted: usize, usual: f64) {
    let Some((ahead, others)) = runners.split_at_mut_checked(wanted.max(1)) else { return };
    let Some(last) = ahead.last() else { return };
    for runner in others {
        let guess = runner.behind(last, usual);
        runner.runs &= guess.mean <= DOUBT * guess.variance.sqrt();
    }
}

/// Sorts the turns by what was found of them: the best, those whose values are known, and the others by what they seem to
/// be worth.
fn settle(turns: &mut Vec<RootTurn>, runners: &[Runner], usual: f64) {
    let Some(head) = runners.first() else { return };
    let mut field: Vec<Option<RootTurn>> = turns.drain(..runners.len().min(turns.len())).map(Some).collect();
    let mut others = std::mem::take(turns);
    let mut left_out = Vec::new();
    for runner in runners {
        let Some(mut turn) = field.get_mut(runner.place).and_then(Option::take) else { continue };
        let is_head = runner.place == head.place;
        let behind = if is_head { 0.0 } else { runner.behind(head, usual).mean };
        let value = if runner.is_known() { runner.value(Fan::ALL) } else { head.value(Fan::ALL) + behind };
        (turn.score, turn.exact) = (Score(-value as i32), runner.is_known());
        if is_head || turn.exact { turns.push(turn) } else { left_out.push(turn) }
    }
    left_out.sort_by_key(|turn| -turn.score);
    others.iter_mut().for_each(|turn| turn.exact = false);
    turns.extend(left_out);
    turns.append(&mut others);
}

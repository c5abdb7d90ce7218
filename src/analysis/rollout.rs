//! Rollouts: what a position comes to when it is played on many times.
//!
//! A game's luck is the sum over its throws of what the roll was worth less what all rolls are worth in the mean, by one
//! and the same judgement. Its expectation is nothing, so that it may be taken off the result, which leaves the mean as it
//! is and much less noise (variance reduction by lookahead, as gnubg has it after Zare and Montgomery). The first two
//! throws are dealt so that all outcomes come up equally often.

use crate::board::Color;
use crate::eval::Evaluator;
use crate::search::{Outlook, RollValue, with_outlook};
use crate::turns::{Game, Rules, Status, Turn};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

/// How a position is rolled out.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// How many games are played at most.
    pub games: u64,
    /// After so many turns a game is not played on but valued; none for whole games.
    pub truncate: Option<u32>,
    /// Whether the luck is taken off the results.
    pub reduce: bool,
    /// The standard error at which enough is known.
    pub error: Option<f64>,
    /// What the dice follow from.
    pub seed: u64,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { games: 1_296, truncate: None, reduce: true, error: None, seed: 1 }
    }
}

/// The sum of results and of their squares.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Sum {
    sum: f64,
    squares: f64,
}

impl Sum {
    fn add(&mut self, number: f64) {
        *self = Sum { sum: self.sum + number, squares: self.squares + number * number };
    }

    fn mean(&self, count: u64) -> f64 {
        self.sum / count.max(1) as f64
    }

    /// The standard error of the mean; of a single number nothing is known.
    fn error(&self, count: u64) -> f64 {
        if count < 2 {
            return f64::INFINITY;
        }
        let variance = (self.squares / count as f64 - self.mean(count).powi(2)).max(0.0);
        (variance / (count - 1) as f64).sqrt()
    }
}

/// What a game is about.
pub trait Stakes: Clone + Sync {
    /// Before a throw: what White gets where the game ends without it, as when a double is refused.
    fn offer(&mut self, outlook: &Outlook, game: &Game) -> Option<f64>;

    /// What White has where he can expect so much of the game itself, 0 to 1.
    fn worth(&self, white: f64) -> f64;
}

/// Nothing but the game itself.
#[derive(Clone, Copy, Debug)]
pub struct Points;

impl Stakes for Points {
    fn offer(&mut self, _: &Outlook, _: &Game) -> Option<f64> {
        None
    }

    fn worth(&self, white: f64) -> f64 {
        white
    }
}

/// What rollouts have come to so far; all results are White's: 0 to 1, or what was at stake.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Games played.
    pub games: u64,
    /// Turns played in them.
    pub turns: u64,
    /// Results as they came.
    plain: Sum,
    /// Results less luck.
    reduced: Sum,
}

impl Tally {
    fn add(&mut self, outcome: &Rolled) {
        self.games += 1;
        self.turns += u64::from(outcome.turns);
        self.plain.add(outcome.result);
        self.reduced.add(outcome.result - outcome.luck);
    }

    /// The expected result for White.
    pub fn mean(&self) -> f64 {
        self.reduced.mean(self.games)
    }

    /// Its standard error.
    pub fn error(&self) -> f64 {
        self.reduced.error(self.games)
    }

    /// What the standard error would be with the luck left in.
    pub fn plain_error(&self) -> f64 {
        self.plain.error(self.games)
    }

    /// The expected result for a side.
    pub fn mean_for(&self, side: Color) -> f64 {
        if side == Color::White { self.mean() } else { 1.0 - self.mean() }
    }
}

/// One game that was played on: White's result, and the luck in it.
#[derive(Clone, Copy, Debug)]
struct Rolled {
    result: f64,
    luck: f64,
    turns: u32,
}

/// Longer games are valued where they stand.
const LONGEST: u32 = 1_000;
/// Games that are played before the error is looked at.
const BATCH: u64 = 108;

/// Rolls out positions of one game.
#[derive(Clone, Copy)]
pub struct Rollout<'a> {
    /// The static evaluation by which both sides play.
    pub evaluator: &'a dyn Evaluator,
    /// How it is done.
    pub plan: Plan,
    /// Threads; the result is the same for any number of them.
    pub threads: usize,
    /// Ends it early.
    pub stop: &'a AtomicBool,
}

impl Rollout<'_> {
    /// Plays a game on, from where `known` has come to; `watch` is told now and then. The end may come early by the
    /// plan's error, or where it is stopped.
    pub fn run(&self, game: &Game, known: Tally, watch: &mut dyn FnMut(&Tally)) -> Tally {
        self.run_for(game, &Points, known, watch)
    }

    /// The same for other stakes.
    pub fn run_for(&self, game: &Game, stakes: &impl Stakes, known: Tally, watch: &mut dyn FnMut(&Tally)) -> Tally {
        let mut tally = known;
        let enough =
            |tally: &Tally| self.plan.error.is_some_and(|wanted| tally.games >= BATCH && tally.error() <= wanted);
        while tally.games < self.plan.games && !enough(&tally) {
            let numbers = tally.games..self.plan.games.min(tally.games + BATCH);
            let Some(outcomes) = self.batch(game, stakes, numbers) else { break };
            outcomes.iter().for_each(|outcome| tally.add(outcome));
            watch(&tally);
        }
        tally
    }

    /// The games of some numbers; none where it was stopped.
    fn batch(&self, game: &Game, stakes: &impl Stakes, numbers: Range<u64>) -> Option<Vec<Rolled>> {
        let next = AtomicU64::new(numbers.start);
        let labour = || {
            with_outlook(game.rules(), self.evaluator, self.stop, |outlook| {
                let mut found = Vec::new();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= numbers.end || self.stop.load(Ordering::Relaxed) {
                        return found;
                    }
                    found.push((number, self.one(outlook, game.clone(), stakes.clone(), number)));
                }
            })
        };
        let mut found: Vec<(u64, Rolled)> = thread::scope(|scope| {
            let others: Vec<_> = (1..self.threads.max(1)).map(|_| scope.spawn(labour)).collect();
            let mut found = labour();
            others.into_iter().filter_map(|other| other.join().ok()).for_each(|more| found.extend(more));
            found
        });
        found.sort_by_key(|(number, _)| *number);
        let whole = !self.stop.load(Ordering::Relaxed) && found.len() as u64 == numbers.end - numbers.start;
        whole.then(|| found.into_iter().map(|(_, outcome)| outcome).collect())
    }

    /// Plays one game on.
    fn one(&self, outlook: &mut Outlook, mut game: Game, mut stakes: impl Stakes, number: u64) -> Rolled {
        let mut dice = Dealer::new(game.rules(), self.plan.seed, number);
        let (mut luck, mut turns) = (0.0, 0);
        let last = self.plan.truncate.unwrap_or(LONGEST);
        loop {
            match game.status() {
                Status::Over(outcome) => {
                    let white = outcome.winner.map_or(0.5, |winner| if winner == Color::White { 1.0 } else { 0.0 });
                    return Rolled { result: stakes.worth(white), luck, turns };
                }
                Status::Roll if turns >= last => {
                    let white = outlook.value(game.position(), Color::White).expectation();
                    return Rolled { result: stakes.worth(white), luck, turns };
                }
                Status::Roll => {
                    if let Some(result) = stakes.offer(outlook, &game) {
                        return Rolled { result, luck, turns };
                    }
                    luck += self.throw(outlook, &mut game, &stakes, &mut dice);
                }
                Status::Pass(_) => {
                    turns += 1;
                    if game.pass().is_err() {
                        return Rolled { result: stakes.worth(0.5), luck, turns };
                    }
                }
                Status::Decide(_) => {
                    turns += 1;
                    match outlook.pick(game.position()) {
                        Some(pick) => game.take(pick.turn.position),
                        None => return Rolled { result: stakes.worth(0.5), luck, turns },
                    }
                }
            }
        }
    }

    /// Throws the dice and gives White's luck in it. The turn that goes with the roll is left to be picked.
    fn throw(&self, outlook: &mut Outlook, game: &mut Game, stakes: &impl Stakes, dice: &mut Dealer) -> f64 {
        let chance = game.rules().outcomes(game.position());
        let Some(place) = dice.deal(chance.outcomes.iter().map(|outcome| outcome.weight), chance.total) else {
            return 0.0;
        };
        let Some(outcome) = chance.outcomes.get(place) else { return 0.0 };
        let mut luck = 0.0;
        if self.plan.reduce {
            let view = game.position().side().unwrap_or(Color::White);
            let values = outlook.rolls(game.position());
            let worth = |value: &RollValue| {
                let own = value.score.expectation();
                stakes.worth(if view == Color::White { own } else { 1.0 - own })
            };
            if let Some(value) = values.iter().find(|value| value.roll == outcome.roll) {
                let total: f64 = values.iter().map(|value| f64::from(value.weight)).sum();
                let sum: f64 = values.iter().map(|value| f64::from(value.weight) * worth(value)).sum();
                luck = worth(value) - sum / total;
            }
        }
        // What the rules offer as an outcome can be rolled.
        let _ = game.roll(outcome.roll);
        luck
    }
}

/// The dice of one of many games: the first two throws are spread evenly over the games, later ones are drawn.
struct Dealer {
    chance: ChaCha8Rng,
    throws: usize,
    /// In which part of all outcomes the first two throws fall.
    strata: [u64; 2],
    parts: u64,
}

impl Dealer {
    fn new(rules: &Rules, seed: u64, number: u64) -> Dealer {
        let parts: u64 = rules.variant.dice.rolls().iter().map(|(_, weight)| u64::from(*weight)).sum();
        let parts = parts.max(1);
        let mut orders = ChaCha8Rng::seed_from_u64(seed);
        let mut order = || {
            let mut order: Vec<u64> = (0..parts).collect();
            order.shuffle(&mut orders);
            order
        };
        let (first, second) = (order(), order());
        let column = number % parts;
        let at = |order: &[u64], place: u64| order.get((place % parts) as usize).copied().unwrap_or(0);
        let strata = [at(&first, column), (at(&second, column) + number / parts) % parts];
        let chance = ChaCha8Rng::seed_from_u64(seed ^ number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Dealer { chance, throws: 0, strata, parts }
    }

    /// Which of the outcomes with these weights comes up.
    fn deal(&mut self, weights: impl Iterator<Item = u32>, total: u32) -> Option<usize> {
        let drawn: f64 = self.chance.random();
        let part = match self.strata.get(self.throws) {
            Some(&stratum) => (stratum as f64 + drawn) / self.parts as f64,
            None => drawn,
        };
        self.throws += 1;
        let mut left = (part * f64::from(total)) as u32;
        for (place, weight) in weights.enumerate() {
            if left < weight {
                return Some(place);
            }
            left -= weight;
        }
        None
    }
}

/// The game as it goes on after a turn.
pub fn after(game: &Game, turn: &Turn) -> Game {
    let mut next = game.clone();
    if turn.is_pass() && next.pass().is_ok() {
        return next;
    }
    next.take(game.rules().after_turn(game.position(), turn));
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Choice;
    use crate::notation::from_dfen;
    use crate::position::{Position, Rigour};
    use crate::variant::find;

    fn game(variant: &str, dfen: Option<&str>) -> Game {
        let rules = Rules::new(find(variant).unwrap());
        let start = match dfen {
            Some(dfen) => from_dfen(&rules, dfen, false, Rigour::Lenient).unwrap().position,
            None => Position::start(rules.variant),
        };
        Game::new(rules, start)
    }

    fn roll_out(game: &Game, plan: Plan, threads: usize) -> Tally {
        let (choice, stop) = (Choice::Own(game.rules().variant.name), AtomicBool::new(false));
        let rollout = Rollout { evaluator: choice.get(), plan, threads, stop: &stop };
        rollout.run(game, Tally::default(), &mut |_| {})
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let plan = Plan { games: 40, truncate: Some(3), ..Plan::default() };
        let game = game("dicechess", None);
        let one = roll_out(&game, plan, 1);
        assert_eq!(one, roll_out(&game, plan, 3));
        assert!(one.games == 40 && (0.3..0.7).contains(&one.mean()), "{one:?}");
        assert_ne!(one, roll_out(&game, Plan { seed: 2, ..plan }, 1));
    }

    /// A run that was cut off and carried on is the run in one go.
    #[test]
    fn rollouts_are_carried_on() {
        let game = game("anydice", None);
        let plan = |games| Plan { games, truncate: Some(2), ..Plan::default() };
        let (choice, stop) = (Choice::Own("anydice"), AtomicBool::new(false));
        let run = |plan, known| {
            let rollout = Rollout { evaluator: choice.get(), plan, threads: 1, stop: &stop };
            rollout.run(&game, known, &mut |_| {})
        };
        let whole = run(plan(216), Tally::default());
        assert_eq!(run(plan(216), run(plan(50), Tally::default())), whole);
        // It ends where enough is known.
        assert!(run(Plan { error: Some(1.0), ..plan(10_000) }, Tally::default()).games == BATCH);
    }

    /// Two kings side by side: who rolls takes the other with a king on any of three dice, 91 of 216, else it is nearly
    /// the other's turn in the same place.
    #[test]
    fn luck_is_taken_off_and_the_mean_stays() {
        let game = game("dicechess", Some("8/8/8/3kK3/8/8/8/8 w - - 0 1 -"));
        let plan = Plan { games: 1_296, ..Plan::default() };
        let tally = roll_out(&game, plan, 2);
        let plain = roll_out(&game, Plan { reduce: false, ..plan }, 2);
        assert!(tally.error() < tally.plain_error() / 3.0, "{tally:?}");
        let distance = (tally.mean() - plain.mean()).abs();
        assert!(distance < 4.0 * plain.error(), "{tally:?} {plain:?}");
    }

    /// The first throws are spread evenly: after as many games as there are rolls each has come up as often as it weighs.
    #[test]
    fn first_throws_are_dealt_evenly() {
        let rules = Rules::new(find("dicechess").unwrap());
        let chance = rules.outcomes(&Position::start(rules.variant));
        let mut counts = [vec![0u32; 56], vec![0u32; 56]];
        for number in 0..216 * 216 {
            let mut dealer = Dealer::new(&rules, 9, number);
            for counts in &mut counts {
                let place = dealer.deal(chance.outcomes.iter().map(|one| one.weight), chance.total).unwrap();
                counts[place] += 1;
            }
            if number == 215 {
                let wanted: Vec<u32> = chance.outcomes.iter().map(|one| one.weight).collect();
                assert_eq!(counts, [wanted.clone(), wanted]);
            }
        }
    }
}

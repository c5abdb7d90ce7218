//! A game of the engine with itself, by the best value one turn ahead, for the sake of learning.

use super::sample::Sample;
use crate::board::Color;
use crate::dice::{Roll, Seeded};
use crate::eval::network::squash;
use crate::eval::{Accumulator, Head, Judge, Network, Score, SeriesJudge};
use crate::position::{Position, Reason};
use crate::turns::{Audience, Effort, Fan, FanLeaf, FanSet, Game, Odds, Rules, Status, Threat, Turn};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub struct Play {
    /// Up to so many turns at the beginning are random.
    pub random_turns: u32,
    /// How often the second or third best turn is played instead of the best.
    pub noise: f64,
    /// How many turns are valued with the exact danger of the next roll.
    pub candidates: usize,
}

/// A position of a game between two turns, and what the player thought of it: one that awaits a roll, or one to be played on
/// without.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The position.
    pub position: Position,
    /// The chance that the next roll takes a king for the side about to roll, or White, and against it.
    pub captures: [f32; 2],
    /// The value where it takes none, -1 to 1.
    pub quiet: f32,
    /// Whether the turn that followed was not the best one, for the sake of variety: then what came of it says nothing of
    /// the position.
    pub strayed: bool,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// Where it began.
    pub start: Position,
    /// What was rolled and played, in order.
    pub events: Vec<Happening>,
    /// Its positions between turns, the first included.
    pub moments: Vec<Moment>,
    /// The winner, none in a draw.
    pub winner: Option<Color>,
    /// Whether the last roll took a king.
    pub by_capture: bool,
}

/// One thing that happened in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Happening {
    /// A roll that counted.
    Roll(Roll),
    /// A turn, passes included.
    Turn(Turn),
}

/// Longer games are called drawn.
const LONGEST: usize = 600;

/// Plays games with one network.
pub struct Player<'n> {
    rules: Rules,
    network: &'n Network,
    play: Play,
    fan: Option<Fan>,
}

/// A turn that is played.
struct Picked {
    turn: Turn,
    afterstate: Position,
    strayed: bool,
}

/// A turn that may be played.
struct Choice {
    turn: Turn,
    position: Position,
    value: i32,
}

impl<'n> Player<'n> {
    /// A player.
    pub fn new(rules: Rules, network: &'n Network, play: Play) -> Player<'n> {
        Player { rules, network, play, fan: Fan::new(rules) }
    }

    /// Plays the game of a seed from a position.
    pub fn game(&mut self, start: &Position, seed: u64) -> Played {
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        let mut dice = Seeded::new(chance.random());
        let mut game = Game::new(self.rules, *start);
        let random = chance.random_range(0..=self.play.random_turns);
        let mut played = Played { start: *start, events: vec![], moments: vec![], winner: None, by_capture: false };
        let mut turns = 0;
        loop {
            match game.status() {
                Status::Over(outcome) => {
                    played.winner = outcome.winner;
                    played.by_capture = outcome.reason == Reason::KingCaptured;
                    return played;
                }
                Status::Roll => {
                    played.moments.push(self.moment(game.position()));
                    match game.roll_from(&mut dice) {
                        Ok(roll) if played.moments.len() <= LONGEST => {
                            if game.void_roll().is_some() {
                                played.moments.pop();
                            } else {
                                played.events.push(Happening::Roll(roll));
                            }
                        }
                        _ => return played,
                    }
                }
                Status::Pass(_) => {
                    played.events.push(Happening::Turn(Turn::PASS));
                    if game.pass().is_err() {
                        return played;
                    }
                }
                Status::Decide(side) => {
                    if is_unrolled(&self.rules, played.events.last()) {
                        played.moments.push(self.moment(game.position()));
                        if played.moments.len() > LONGEST {
                            return played;
                        }
                    }
                    let Picked { turn, afterstate, strayed } =
                        self.choose(game.position(), side, turns < random, &mut chance);
                    turns += 1;
                    if let Some(moment) = played.moments.last_mut() {
                        moment.strayed |= strayed;
                    }
                    played.events.push(Happening::Turn(turn));
                    game.take(afterstate);
                }
            }
        }
    }

    fn moment(&self, position: &Position) -> Moment {
        let quiet = expected(self.network.logit_of(&self.rules, position, Head::Quiet));
        Moment { position: *position, captures: captures(&self.rules, position), quiet, strayed: false }
    }

    fn choose(&mut self, position: &Position, side: Color, at_random: bool, chance: &mut impl Rng) -> Picked {
        if at_random {
            let turn = self.any(position, chance);
            return Picked { turn, afterstate: self.rules.after_turn(position, &turn), strayed: true };
        }
        let mut choices = self.best(position, side);
        for choice in &mut choices {
            choice.value = self.exact(choice, side);
        }
        choices.sort_by_key(|choice| -choice.value);
        let won = choices.first().is_some_and(|choice| choice.value == i32::MAX);
        let place = if !won && chance.random_bool(self.play.noise) { chance.random_range(1..3) } else { 0 };
        let strayed = place > 0 && choices.len() > place;
        match choices.get(place).or(choices.first()) {
            Some(choice) => Picked { turn: choice.turn, afterstate: choice.position, strayed },
            None => Picked { turn: Turn::PASS, afterstate: self.rules.after_turn(position, &Turn::PASS), strayed },
        }
    }

    /// Any turn, each afterstate as likely.
    fn any(&mut self, position: &Position, chance: &mut impl Rng) -> Turn {
        let mut seen = 0;
        let mut choice = Turn::PASS;
        let mut reservoir = |turn: &dyn Fn() -> Turn| {
            seen += 1;
            if chance.random_range(0..seen) == 0 {
                choice = turn();
            }
        };
        match (&mut self.fan, Fan::roll_of(position)) {
            (Some(fan), Some(roll)) => fan.walk(position, (), 1 << roll, &mut |leaf| {
                reservoir(&|| leaf.turn());
                0
            }),
            _ => {
                // Of a long series the first turns found will do.
                let effort = Effort { nodes: SERIES_NODES, ..Effort::FULL };
                self.rules.each_afterstate(position, effort, |leaf| reservoir(&|| leaf.turn()));
            }
        }
        choice
    }

    /// The value of a turn for its side with the danger of the next roll.
    fn exact(&self, choice: &Choice, side: Color) -> i32 {
        let outcome = self.rules.outcome(&choice.position, false);
        if let Some(outcome) = outcome {
            return outcome.winner.map_or(0, |winner| if winner == side { i32::MAX } else { -i32::MAX });
        }
        let moment = self.moment(&choice.position);
        let value = (moment.value() * 1e6) as i32;
        if choice.position.side().unwrap_or(Color::White) == side { value } else { -value }
    }

    /// The best few turns by the network.
    fn best(&mut self, position: &Position, side: Color) -> Vec<Choice> {
        let mut best = Best { keep: self.play.candidates.max(1), turns: Vec::new() };
        if let (Some(fan), Some(roll)) = (&mut self.fan, Fan::roll_of(position)) {
            let judge = Judge::new(self.rules, self.network, side);
            let accumulator = Accumulator::new(self.network, position);
            fan.walk_sets(position, accumulator, 1 << roll, &mut Listener { judge, best: &mut best });
        } else if self.is_long_series(position) {
            self.best_of_series(position, side, &mut best);
        } else {
            self.rules.each_afterstate(position, Effort::FULL, |leaf| {
                best.offer(self.value(leaf.position, side), || leaf.turn());
            });
        }
        let choice = |(value, turn)| Choice { turn, position: self.rules.after_turn(position, &turn), value };
        best.turns.into_iter().map(choice).collect()
    }

    /// What the network makes of a position for a side.
    fn value(&self, position: &Position, side: Color) -> i32 {
        match self.rules.outcome(position, false) {
            Some(outcome) => outcome.winner.map_or(0, |winner| if winner == side { WON } else { -WON }),
            None => {
                let logit = self.network.logit_of(&self.rules, position, Head::Full);
                let own = position.side().unwrap_or(Color::White) == side;
                if own { logit } else { -logit }
            }
        }
    }

    /// Whether a turn is a series of so many moves by any man that not all turns can be looked at.
    fn is_long_series(&self, position: &Position) -> bool {
        let pool = position.pool();
        self.rules.variant.is_series() && pool.len() > 2 && pool.tickets().iter().all(|ticket| ticket.is_free())
    }

    /// The best turns of a long series: one that wins, else those of a beam.
    fn best_of_series(&self, position: &Position, side: Color, best: &mut Best) {
        let rules = &self.rules;
        if let Some(turn) = rules.turn_that_takes_the_last_pawn(position, Effort::FULL) {
            return best.offer(WON, || turn);
        }
        let length = position.pool().len();
        if rules.variant.has_king_capture() && rules.shortest_capture(position, side, length).is_some() {
            let won = Cell::new(false);
            let effort = Effort { nodes: SERIES_NODES, stop: &|| won.get() };
            rules.each_afterstate(position, effort, |leaf| {
                let value = self.value(leaf.position, side);
                won.set(won.get() || value == WON);
                best.offer(value, || leaf.turn());
            });
        }
        if best.turns.first().is_none_or(|(value, _)| *value < WON) {
            let mut judge = SeriesJudge::new(self.rules, self.network, side);
            for end in rules.beam(position, SERIES_BEAM, &|| false, &mut judge) {
                best.offer(self.value(&end.position, side), || end.turn);
            }
        }
    }
}

/// How many positions of each length of a long series are carried on, and how many are expanded to take a king.
const SERIES_BEAM: usize = 24;
const SERIES_NODES: usize = 50_000;

/// Plays games by their numbers, each of which with the seed decides one, on several threads.
pub fn play_many(
    rules: Rules,
    network: &Network,
    play: Play,
    seed: u64,
    numbers: Range<u64>,
    threads: usize,
) -> Vec<Played> {
    let start = Position::start(rules.variant);
    let next = AtomicU64::new(numbers.start);
    let labour = || {
        let mut player = Player::new(rules, network, play);
        let mut played = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end {
                return played;
            }
            played.push((number, player.game(&start, seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number))));
        }
    };
    let mut played: Vec<(u64, Played)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(labour)).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).flatten().collect()
    });
    played.sort_by_key(|(number, _)| *number);
    played.into_iter().map(|(_, game)| game).collect()
}

/// Whether a decision after such an event comes without a roll of its own: an answer to a check, a free turn. Not one
/// inside a round, in which both sides play what was thrown for both.
pub(super) fn is_unrolled(rules: &Rules, before: Option<&Happening>) -> bool {
    rules.variant.has_mover() && !matches!(before, Some(Happening::Roll(_)))
}

const WON: i32 = 1 << 24;

struct Best {
    keep: usize,
    turns: Vec<(i32, Turn)>,
}

impl Best {
    #[inline]
    fn offer(&mut self, value: i32, turn: impl FnOnce() -> Turn) {
        if self.turns.len() >= self.keep && self.turns.last().is_some_and(|(least, _)| value <= *least) {
            return;
        }
        let at = self.turns.iter().position(|(known, _)| *known < value).unwrap_or(self.turns.len());
        self.turns.insert(at, (value, turn()));
        self.turns.truncate(self.keep);
    }
}

struct Listener<'a, 'n> {
    judge: Judge<'n>,
    best: &'a mut Best,
}

impl<'n> Audience<Accumulator<'n>> for Listener<'_, 'n> {
    fn leaf(&mut self, leaf: &FanLeaf<Accumulator<'n>>) -> u64 {
        let value = if leaf.wins { WON } else { self.judge.leaf(leaf) };
        self.best.offer(value, || leaf.turn());
        if leaf.wins { leaf.rolls } else { 0 }
    }

    fn set(&mut self, set: &FanSet<Accumulator<'n>>) -> u64 {
        let best = &mut *self.best;
        self.judge.set(set, |mv, value| best.offer(value, || set.turn(mv)));
        0
    }
}

/// A logit as an expected result, -1 to 1.
fn expected(logit: i32) -> f32 {
    squash(logit).0 as f32 / Score::WIN.0 as f32
}

/// The chances that the next roll takes a king, for the side about to roll, or White, and against it.
pub(super) fn captures(rules: &Rules, position: &Position) -> [f32; 2] {
    let part = |odds: Odds| odds.favourable as f32 / odds.total.max(1) as f32;
    match rules.threat(position) {
        Threat::None => [0.0; 2],
        Threat::Mover(odds) => [part(odds), 0.0],
        // Inside a round somebody is to move, and speaks for himself.
        Threat::Both(white, black) if position.side() == Some(Color::Black) => [part(black), part(white)],
        Threat::Both(white, black) => [part(white), part(black)],
    }
}

impl Moment {
    /// The expected result for the side about to roll, or White, if quiet is worth so much.
    fn with(&self, quiet: f32) -> f32 {
        let [win, loss] = self.captures;
        win - loss + (1.0 - win - loss).max(0.0) * quiet
    }

    /// The expected result that the player thought of.
    pub fn value(&self) -> f32 {
        self.with(self.quiet)
    }

    fn view(&self) -> Color {
        self.position.side().unwrap_or(Color::White)
    }
}

impl Played {
    /// What there is to learn: TD(λ) returns (Sutton 1988) in which the next roll's captures count with their exact chances
    /// instead of by what fell. Nothing is learned from positions where the player strayed.
    pub fn samples(&self, rules: &Rules, lambda: f32) -> Vec<Sample> {
        let mut samples = Vec::with_capacity(self.moments.len());
        let mut later: Option<(&Moment, f32)> = None;
        for moment in self.moments.iter().rev() {
            let view = moment.view();
            let next = match later {
                _ if moment.strayed => None,
                Some((next, value)) => {
                    let mixed = (1.0 - lambda) * next.value() + lambda * value;
                    Some(if next.view() == view { mixed } else { -mixed })
                }
                None if self.by_capture => None,
                None => Some(self.winner.map_or(0.0, |winner| if winner == view { 1.0 } else { -1.0 })),
            };
            let quiet = next.unwrap_or(moment.quiet);
            let value = moment.with(quiet);
            let [win, loss] = moment.captures;
            let weight = if next.is_some() { 1.0 - win - loss } else { 0.0 };
            let chance = |value: f32| ((1.0 + value) / 2.0).clamp(0.0, 1.0);
            if !moment.strayed {
                samples.extend(Sample::new(rules, &moment.position, [chance(value), chance(quiet)], [1.0, weight]));
            }
            later = Some((moment, value));
        }
        samples.reverse();
        samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::from_dfen;
    use crate::position::Rigour;
    use crate::variant::find;

    /// Inside a round of a contest a side sees the odds as its own, whichever colour it has.
    #[test]
    fn odds_are_those_of_who_looks() {
        for (variant, dfen) in [
            ("diceultimate", "4k3/8/8/8/b7/8/4R3/4K3 b - - 0 1 b"),
            ("diceultimate", "4k3/4r3/8/8/b7/8/8/4K3 b - - 0 1 b"),
            ("dicechess", "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1 -"),
        ] {
            let rules = Rules::new(find(variant).unwrap());
            let position = from_dfen(&rules, dfen, false, Rigour::Lenient).unwrap().position;
            let [win, loss] = captures(&rules, &position);
            assert!(win + loss > 0.0 || variant == "dicechess", "{dfen}");
            assert_eq!(captures(&rules, &position.flipped()), [win, loss], "{dfen}");
        }
    }
}

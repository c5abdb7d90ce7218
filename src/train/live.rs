//! Learning while playing: rounds of games by the latest network, then steps on what the last rounds have shown.

use super::checkpoint;
use super::game::{Play, Played, play_many};
use super::model::{Gradients, Model};
use super::sample::Sample;
use crate::board::Color;
use crate::eval::{HIDDEN, Network, Weights};
use crate::turns::Rules;
use crate::variant::{Variant, find};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::io;
use std::path::Path;

/// Everything that decides what a run of training does. The defaults are those of the networks in the program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The game, by name.
    pub variant: String,
    /// How many hidden units are used, at most those of the program.
    pub units: usize,
    /// What all chance follows from.
    pub seed: u64,
    /// How many games are played.
    pub games: u64,
    /// How many of them in a round, by one network.
    pub round: u64,
    /// From how many rounds back positions are drawn.
    pub window: usize,
    /// How often each position is drawn in the mean.
    pub reuse: f64,
    /// Positions in a batch.
    pub batch: usize,
    /// Adam's rate at the beginning, and at the end.
    pub rate: [f32; 2],
    /// The λ of the returns.
    pub lambda: f32,
    /// Up to so many turns at the beginning of a game are random.
    pub random_turns: u32,
    /// How often not the best turn is played.
    pub noise: f64,
    /// How many turns are valued with the exact danger of the next roll.
    pub candidates: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            variant: "dicechess".to_string(),
            units: HIDDEN,
            seed: 1,
            games: 1_500_000,
            round: 4_000,
            window: 16,
            reuse: 6.0,
            batch: 2_048,
            rate: [1e-3, 3e-5],
            lambda: 0.7,
            random_turns: 3,
            noise: 0.03,
            candidates: 6,
        }
    }
}

/// The other games, how many games their networks are trained on, as many as take some minutes, and the λ of the returns:
/// the longer the games, the further what they come to has to be seen.
const GAMES: [(&str, u64, f32); 9] = [
    ("dicehard", 200_000, 0.7),
    ("diceultimate", 160_000, 0.7),
    ("pawnhunt", 24_000, 0.7),
    ("dicecheckmate", 80_000, 0.7),
    ("brainking", 120_000, 0.7),
    ("vegas", 60_000, 0.9),
    ("anydice", 32_000, 0.9),
    ("gollon-count", 48_000, 0.7),
    ("gollon-piececount", 80_000, 0.7),
];
/// Their hidden units.
const FEWER_UNITS: usize = 64;

impl Settings {
    /// The defaults for a game.
    pub fn of(variant: &str) -> Settings {
        let plain = Settings { variant: variant.to_string(), ..Settings::default() };
        match GAMES.iter().find(|(name, ..)| *name == variant) {
            Some(&(_, games, lambda)) => {
                let round = (games / 120).max(100);
                Settings { units: FEWER_UNITS, games, round, window: 24, lambda, ..plain }
            }
            None => plain,
        }
    }

    /// The game, where there is one of that name.
    pub fn variant(&self) -> Option<&'static Variant> {
        find(&self.variant)
    }
}

/// What a round has come to.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Event {
    /// Rounds done.
    pub round: u64,
    /// Games played.
    pub games: u64,
    /// Positions seen.
    pub positions: u64,
    /// The loss on the round's positions before anything was learned from them (cross-entropy of both heads).
    pub fresh: f32,
    /// The mean loss while learning.
    pub loss: f32,
    /// The mean number of turns of a game.
    pub length: f32,
    /// White's score, a draw being half.
    pub white: f32,
    /// How many games were drawn.
    pub drawn: f32,
}

/// A run of training.
pub struct Trainer {
    settings: Settings,
    rules: Rules,
    pub(super) model: Model,
    pub(super) rounds: u64,
    pub(super) positions: u64,
    window: VecDeque<Vec<Sample>>,
    room: Gradients,
}

impl Trainer {
    /// A run from the beginning; none where the game is unknown.
    pub fn new(settings: Settings) -> Option<Trainer> {
        let rules = Rules::new(settings.variant()?);
        let model = Model::new(&mut ChaCha8Rng::seed_from_u64(settings.seed), settings.units);
        let room = Gradients::new();
        Some(Trainer { settings, rules, model, rounds: 0, positions: 0, window: VecDeque::new(), room })
    }

    /// What it follows.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Whether all games have been played.
    pub fn is_done(&self) -> bool {
        self.games() >= self.settings.games
    }

    /// Games played.
    pub fn games(&self) -> u64 {
        self.rounds * self.settings.round
    }

    /// The network as it is.
    pub fn weights(&self) -> Weights {
        self.model.quantized(&self.settings.variant, self.settings.units)
    }

    /// Adam's rate: it falls along half a cosine.
    fn rate(&self) -> f32 {
        let [first, last] = self.settings.rate;
        let part = (self.games() as f32 / self.settings.games.max(1) as f32).min(1.0);
        last + (first - last) * (1.0 + (part * std::f32::consts::PI).cos()) / 2.0
    }

    /// Plays a round and learns from it.
    pub fn round(&mut self, threads: usize) -> Event {
        let network = Network::new(&self.weights());
        let played = self.play(&network, threads);
        self.study(&played, threads)
    }

    /// Learns from a round of games.
    pub fn study(&mut self, played: &[Played], threads: usize) -> Event {
        let games = played.len().max(1) as f32;
        let length = played.iter().map(|game| game.moments.len()).sum::<usize>() as f32 / games;
        let drawn = played.iter().filter(|game| game.winner.is_none()).count() as f32 / games;
        let won = |color| played.iter().filter(|game| game.winner == Some(color)).count() as f32 / games;
        let white = won(Color::White) + drawn / 2.0;
        let lambda = self.settings.lambda;
        let fresh: Vec<Sample> = played.iter().flat_map(|game| game.samples(&self.rules, lambda)).collect();
        let count = fresh.len();
        self.positions += count as u64;
        let fresh_loss = self.model.loss(fresh.get(..count.min(8_192)).unwrap_or_default());
        self.window.push_back(fresh);
        if self.window.len() > self.settings.window.max(1) {
            self.window.pop_front();
        }
        let loss = self.learn(count, threads);
        self.rounds += 1;
        let (round, games, positions) = (self.rounds, self.games(), self.positions);
        Event { round, games, positions, fresh: fresh_loss, loss, length, white, drawn }
    }

    /// The games of a round: played, or read.
    fn play(&self, network: &Network, threads: usize) -> Vec<Played> {
        let Settings { random_turns, noise, candidates, seed, round, .. } = self.settings;
        let play = Play { random_turns, noise, candidates };
        let first = self.rounds * round;
        play_many(self.rules, network, play, seed, first..first + round, threads)
    }

    /// Steps on positions drawn from the window; the mean loss.
    fn learn(&mut self, fresh: usize, threads: usize) -> f32 {
        let Settings { batch, reuse, seed, .. } = self.settings;
        let mut chance = ChaCha8Rng::seed_from_u64(seed ^ (self.rounds << 20));
        let steps = (fresh as f64 * reuse / batch.max(1) as f64).round() as usize;
        let rate = self.rate();
        let mut total = 0.0;
        let mut drawn = Vec::with_capacity(batch);
        for _ in 0..steps {
            drawn.clear();
            while drawn.len() < batch {
                let round = &self.window[chance.random_range(0..self.window.len())];
                if round.is_empty() {
                    break;
                }
                drawn.push(round[chance.random_range(0..round.len())]);
            }
            total += self.model.learn(&drawn, rate, threads, &mut self.room);
        }
        total / steps.max(1) as f32
    }

    /// Writes all that is needed to go on, so that a file is there whole or not at all.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        checkpoint::save(self, path)
    }

    /// Goes on from a file. Positions of earlier rounds are gone; the window fills anew.
    pub fn resume(settings: Settings, path: &Path) -> io::Result<Option<Trainer>> {
        let Some(mut trainer) = Trainer::new(settings) else { return Ok(None) };
        checkpoint::load(&mut trainer, path)?;
        Ok(Some(trainer))
    }
}

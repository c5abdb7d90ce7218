//! How true the stated expectations are: when 63 % is said, are 63 in 100 won?

use super::game::{Play, play_many};
use super::plot::{Curve, svg};
use crate::board::Color;
use crate::eval::Network;
use crate::turns::Rules;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt;

/// Bins of equal width.
const BINS: usize = 10;

/// What was said and what came of it, in ten bins.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Reliability {
    /// Of each bin: how many positions, the sum of what was said, and of what came.
    bins: [(u64, f64, f64); BINS],
}

impl Reliability {
    /// Adds a position of which `said` was expected and that came to `result`.
    pub fn add(&mut self, said: f64, result: f64) {
        let bin = &mut self.bins[((said * BINS as f64) as usize).min(BINS - 1)];
        *bin = (bin.0 + 1, bin.1 + said, bin.2 + result);
    }

    /// Positions in all.
    pub fn positions(&self) -> u64 {
        self.bins.iter().map(|bin| bin.0).sum()
    }

    /// The expected calibration error: the mean distance between what was said and what came, bins by their size.
    pub fn error(&self) -> f64 {
        self.bins.iter().map(|(_, said, came)| (said - came).abs()).sum::<f64>() / self.positions().max(1) as f64
    }

    fn points(&self) -> Vec<(f64, f64)> {
        let filled = self.bins.iter().filter(|bin| bin.0 > 0);
        filled.map(|&(count, said, came)| (said / count as f64, came / count as f64)).collect()
    }

    /// The plot.
    pub fn svg(&self, title: &str) -> String {
        let ideal =
            Curve { name: "what should come", color: "#999", points: vec![(0.0, 0.0), (1.0, 1.0)], marked: false };
        let real = Curve { name: "what came", color: "#06c", points: self.points(), marked: true };
        svg(title, ["stated expectation", "mean result"], &[ideal, real])
    }
}

impl fmt::Display for Reliability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| said | positions | mean said | mean result | 95 % |")?;
        writeln!(f, "|---|---|---|---|---|")?;
        for (bin, &(count, said, came)) in self.bins.iter().enumerate() {
            let (low, high) = (bin as f64 / BINS as f64, (bin + 1) as f64 / BINS as f64);
            let n = count.max(1) as f64;
            let (said, came) = (said / n, came / n);
            let error = 1.96 * (came * (1.0 - came) / n).sqrt();
            writeln!(f, "| {low:.1} to {high:.1} | {count} | {said:.4} | {came:.4} | ±{error:.4} |")?;
        }
        write!(f, "\nexpected calibration error {:.4} over {} positions", self.error(), self.positions())
    }
}

/// Positions are picked from so many turns at the beginning of a game; of a short game, from twice its mean length.
const TURNS: usize = 40;
/// The mean length is told by so many games.
const SCOUTS: u64 = 100;
/// Of so many games at least one reaches the turn that was picked, or the measurement ends.
const PATIENCE: u64 = 50;

/// Plays games of the engine with itself until one position each of so many has been looked at.
///
/// The turn to look at is picked before the game, and a game that ends sooner does not count: to pick among the
/// positions of a finished game would favour those of short games, in which the better side has won more often than
/// from the same positions in all games.
pub fn measure(rules: Rules, network: &Network, games: u64, seed: u64, threads: usize) -> Reliability {
    // Every turn is the best: what is stated is meant for play as it is.
    let play = Play { random_turns: 0, noise: 0.0, candidates: 6 };
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let mut reliability = Reliability::default();
    let turns = early_turns(rules, network, play, seed, threads);
    let mut first = 0;
    while reliability.positions() < games && first < games.saturating_mul(PATIENCE) {
        // Some at a time: a game takes room.
        let numbers = first..first + 2_000;
        first = numbers.end;
        for game in play_many(rules, network, play, seed, numbers, threads) {
            let pick = chance.random_range(0..turns);
            let Some(moment) = game.moments.get(pick).filter(|_| reliability.positions() < games) else { continue };
            let view = moment.position.side().unwrap_or(Color::White);
            let result = game.winner.map_or(0.5, |winner| if winner == view { 1.0 } else { 0.0 });
            reliability.add((1.0 + f64::from(moment.value())) / 2.0, result);
        }
    }
    reliability
}

/// From how many turns at the beginning of a game positions are picked.
pub(super) fn early_turns(rules: Rules, network: &Network, play: Play, seed: u64, threads: usize) -> usize {
    let games = play_many(rules, network, play, seed, 0..SCOUTS, threads);
    let turns: usize = games.iter().map(|game| game.moments.len()).sum();
    (2 * turns / games.len().max(1)).clamp(1, TURNS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_the_mean_distance() {
        let mut reliability = Reliability::default();
        for game in 0..100 {
            reliability.add(0.75, if game < 60 { 1.0 } else { 0.0 });
            reliability.add(0.25, if game < 25 { 1.0 } else { 0.0 });
        }
        reliability.add(1.0, 1.0);
        assert!((reliability.error() - 15.0 / 201.0).abs() < 1e-9);
        assert!(reliability.to_string().contains("| 0.7 to 0.8 | 100 | 0.7500 | 0.6000 |"));
        assert_eq!(reliability.svg("x").matches("<circle").count(), 3);
    }
}

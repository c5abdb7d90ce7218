//! Playing below one's strength: the best turn is missed the more often the weaker the player is to be.
//!
//! Turns are valued one turn deep, and one is drawn with a chance that falls exponentially with what it gives away
//! (softmax choice, by Gumbel's maximum: Gumbel 1954). The scale is anchored on the reference players: *greedy* is 1000.

use super::iterate::RootTurn;
use crate::eval::Score;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The temperature at which a player scores so much against *greedy*, in expected wins; measured by matches of 2,000
/// games of `dicechess` (see the README).
const LEVELS: [(u32, f64); 8] =
    [(400, 4.0), (500, 0.7), (600, 0.4), (700, 0.26), (800, 0.17), (900, 0.11), (1000, 0.07), (1250, 0.0)];

/// The weakest level.
pub const LEAST: u32 = LEVELS[0].0;
/// The strongest level.
pub const MOST: u32 = LEVELS[LEVELS.len() - 1].0;

/// The temperature of a level.
fn temperature(elo: u32) -> f64 {
    let elo = elo.clamp(LEAST, MOST);
    let pair = LEVELS.windows(2).find(|pair| pair.iter().any(|level| level.0 >= elo) && pair[0].0 <= elo);
    match pair {
        Some([(low, hot), (high, cold)]) => hot + (cold - hot) * f64::from(elo - low) / f64::from(high - low),
        _ => 0.0,
    }
}

/// The turn that a player of a level picks, by its place; the same for the same seed.
pub fn pick(turns: &[RootTurn], elo: u32, seed: u64) -> usize {
    let temperature = temperature(elo);
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let mut lot = |turn: &RootTurn| {
        let value = f64::from(turn.score.0) / f64::from(Score::WIN.0) / 2.0;
        let uniform: f64 = chance.random_range(1e-12..1.0);
        value - temperature * (-uniform.ln()).ln()
    };
    let lots: Vec<f64> = turns.iter().map(&mut lot).collect();
    lots.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_falls_from_the_weakest_to_the_strongest() {
        assert!(LEVELS.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 > pair[1].1));
        assert_eq!((temperature(0), temperature(LEAST), temperature(MOST), temperature(9_999)), (4.0, 4.0, 0.0, 0.0));
        assert!((LEAST..MOST).all(|elo| temperature(elo) > temperature(elo + 1)));
    }
}

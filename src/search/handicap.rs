//! Playing below one's strength: the best turn is missed the more often the weaker the player is to be.
//!
//! Turns are valued one turn deep, and one is drawn with a chance that falls exponentially with what it gives away
//! (softmax choice, by Gumbel's maximum: Gumbel 1954); the weakest players besides move at random now and then, whatever
//! there is to win. The scale is anchored on the reference players: *greedy* is 1000, and *random* some 390.

use super::iterate::RootTurn;
use crate::eval::{Reference, Score};
use crate::position::Position;
use crate::turns::{Rules, Turn};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A level: its number, the temperature of the choice in expected wins, and how often a turn is random; measured by
/// matches of `dicechess` against *greedy* (see the README).
type Level = (u32, f64, f64);

const LEVELS: [Level; 10] = [
    (400, 0.7, 1.0),
    (500, 0.7, 0.955),
    (600, 0.7, 0.88),
    (700, 0.7, 0.75),
    (800, 0.7, 0.5),
    (900, 0.7, 0.05),
    (1000, 0.11, 0.0),
    (1100, 0.055, 0.0),
    (1200, 0.024, 0.0),
    (1300, 0.0, 0.0),
];

/// The weakest level.
pub const LEAST: u32 = LEVELS[0].0;
/// The strongest level.
pub const MOST: u32 = LEVELS[LEVELS.len() - 1].0;

/// The temperature of a level and how often it moves at random.
fn manner(elo: u32) -> (f64, f64) {
    let elo = elo.clamp(LEAST, MOST);
    let pair = LEVELS.windows(2).find(|pair| pair.iter().any(|level| level.0 >= elo) && pair[0].0 <= elo);
    match pair {
        Some([(low, hot, wild), (high, cold, tame)]) => {
            let part = f64::from(elo - low) / f64::from(high - low);
            (hot + (cold - hot) * part, wild + (tame - wild) * part)
        }
        _ => (0.0, 0.0),
    }
}

/// A turn at random, where a player of a level moves so here; the same for the same position.
pub fn at_random(rules: &Rules, position: &Position, elo: u32) -> Option<Turn> {
    let mut chance = ChaCha8Rng::seed_from_u64(!position.key());
    chance.random_bool(manner(elo).1).then(|| Reference::Random.choose(rules, position, &mut chance))
}

/// The turn that a player of a level picks, by its place; the same for the same seed.
pub fn pick(turns: &[RootTurn], elo: u32, seed: u64) -> usize {
    let (temperature, _) = manner(elo);
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
        assert!(
            LEVELS.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 >= pair[1].1 && pair[0].2 >= pair[1].2)
        );
        assert_eq!((manner(0), manner(MOST), manner(9_999)), ((0.7, 1.0), (0.0, 0.0), (0.0, 0.0)));
        assert!((LEAST..MOST).all(|elo| manner(elo) > manner(elo + 1)));
    }
}

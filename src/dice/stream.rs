//! Where rolls come from: a seeded generator, a script, or the fair procedure.

use super::model::DiceKind;
use super::roll::{Face, Roll};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A source of rolls.
pub trait DiceStream {
    /// The roll of absolute turn number `ply` (0-based; contest games: the round's number).
    ///
    /// `attempt` is 0 for the first throw and counts the rerolls of the same turn. None once the source is
    /// exhausted, or where the game throws no dice.
    fn roll(&mut self, kind: DiceKind, ply: u64, attempt: u32) -> Option<Roll>;
}

/// Rolls from ChaCha8 (rand_chacha), the same for the same seed on every machine. The turn's number plays no part.
pub struct Seeded {
    generator: ChaCha8Rng,
}

impl Seeded {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Seeded {
        Seeded { generator: ChaCha8Rng::seed_from_u64(seed) }
    }
}

impl DiceStream for Seeded {
    fn roll(&mut self, kind: DiceKind, _ply: u64, _attempt: u32) -> Option<Roll> {
        let dice: Vec<Face> = (0..kind.count()).map(|_| Face::ALL[self.generator.random_range(0..6)]).collect();
        Roll::new(&dice)
    }
}

/// Rolls from a list, in order, whatever the turn.
pub struct Scripted {
    rolls: std::vec::IntoIter<Roll>,
}

impl Scripted {
    /// The stream of these rolls.
    pub fn new(rolls: Vec<Roll>) -> Scripted {
        Scripted { rolls: rolls.into_iter() }
    }
}

impl DiceStream for Scripted {
    fn roll(&mut self, kind: DiceKind, _ply: u64, _attempt: u32) -> Option<Roll> {
        self.rolls.next().filter(|roll| roll.dice().len() == kind.count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(stream: &mut dyn DiceStream, kind: DiceKind, count: u64) -> Vec<String> {
        (0..count).filter_map(|ply| stream.roll(kind, ply, 0)).map(|roll| roll.to_string()).collect()
    }

    #[test]
    fn a_seed_gives_one_stream() {
        let one = digits(&mut Seeded::new(7), DiceKind::Three, 50);
        assert_eq!(one, digits(&mut Seeded::new(7), DiceKind::Three, 50));
        assert_ne!(one, digits(&mut Seeded::new(8), DiceKind::Three, 50));
        assert_eq!(one.len(), 50);
        assert!(digits(&mut Seeded::new(7), DiceKind::None, 5).is_empty());
    }

    #[test]
    fn seeded_faces_are_even() {
        let mut stream = Seeded::new(1);
        let mut seen = [0u32; 6];
        for ply in 0..20_000 {
            for die in stream.roll(DiceKind::Three, ply, 0).unwrap().dice() {
                seen[die.number() as usize - 1] += 1;
            }
        }
        // Chi-square with 5 degrees of freedom: 20.5 is passed once in a thousand seeds.
        let chi: f64 = seen.iter().map(|&n| (f64::from(n) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi < 20.5, "{seen:?}");
    }

    #[test]
    fn a_script_runs_out() {
        let rolls = ["124", "666"].iter().filter_map(|text| Roll::parse(text)).collect();
        assert_eq!(digits(&mut Scripted::new(rolls), DiceKind::Three, 5), ["124", "666"]);
    }
}

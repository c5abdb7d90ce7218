//! What games of the engine with itself say of a game: who has the better of the beginning, what the men are worth, how
//! long it lasts.

use super::calibration::early_turns;
use super::game::{Happening, Moment, Play, Played, captures, play_many};
use crate::board::{Color, Role};
use crate::eval::network::squash;
use crate::eval::{Head, Network};
use crate::turns::Rules;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use std::fmt;

/// The mean of some numbers and how sure it is.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Mean {
    count: u64,
    sum: f64,
    squares: f64,
}

impl Mean {
    fn add(&mut self, number: f64) {
        *self = Mean { count: self.count + 1, sum: self.sum + number, squares: self.squares + number * number };
    }

    /// How many there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean; nothing where there were none.
    pub fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }

    /// Half of its 95 % interval.
    pub fn error(&self) -> f64 {
        let variance = (self.squares / self.count.max(1) as f64 - self.mean().powi(2)).max(0.0);
        1.96 * (variance / self.count.max(1) as f64).sqrt()
    }
}

/// What is written of a mean.
#[derive(Serialize)]
struct Told {
    count: u64,
    mean: f64,
    error: f64,
}

impl Serialize for Mean {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Told { count: self.count, mean: self.mean(), error: self.error() }.serialize(serializer)
    }
}

/// A game as its network plays it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Portrait {
    /// The version of this form.
    schema: u32,
    /// Its name.
    pub variant: &'static str,
    /// The score of the side that moved first: of White, or of the higher die of the first throw.
    pub first: Mean,
    /// Turns of a game, both sides' together, passes included.
    pub turns: Mean,
    /// The median of that, and the numbers that a tenth of all games fall short of or exceed.
    pub spread: [usize; 3],
    /// The share of draws.
    pub drawn: Mean,
    /// Positions that men were taken from.
    pub positions: u64,
    /// By role, what a side's expected result loses without one such man.
    pub men: [Mean; 6],
}

/// Of so many games at least one reaches the turn that was picked, or the measurement ends.
const PATIENCE: u64 = 50;
/// Games that are played at once.
const TOGETHER: u64 = 500;

/// Plays games until one position each of so many has been looked at.
pub fn portray(rules: Rules, network: &Network, positions: u64, seed: u64, threads: usize) -> Portrait {
    let play = Play { random_turns: 0, noise: 0.0, candidates: 6 };
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let empty = Mean::default();
    let mut portrait = Portrait {
        schema: 1,
        variant: rules.variant.name,
        first: empty,
        turns: empty,
        spread: [0; 3],
        drawn: empty,
        positions: 0,
        men: [empty; 6],
    };
    let early = early_turns(rules, network, play, seed, threads);
    let mut lengths = Vec::new();
    let mut first = 0;
    while portrait.positions < positions && first < positions.saturating_mul(PATIENCE) {
        for game in play_many(rules, network, play, seed, first..first + TOGETHER, threads) {
            let turns = game.events.iter().filter(|event| matches!(event, Happening::Turn(_))).count();
            lengths.push(turns);
            portrait.turns.add(turns as f64);
            portrait.drawn.add(f64::from(u8::from(game.winner.is_none())));
            let score = |side| game.winner.map_or(0.5, |winner| f64::from(u8::from(winner == side)));
            portrait.first.add(score(first_mover(&game)));
            let pick = chance.random_range(0..early);
            if let Some(moment) = game.moments.get(pick).filter(|_| portrait.positions < positions) {
                portrait.take_men(&rules, network, moment);
            }
        }
        first += TOGETHER;
    }
    lengths.sort_unstable();
    portrait.spread = [1, 5, 9].map(|tenths| lengths.get(lengths.len() * tenths / 10).copied().unwrap_or(0));
    portrait
}

/// Who moved first: the side to move, or the higher die.
fn first_mover(game: &Played) -> Color {
    let thrown = game.events.iter().find_map(|event| match event {
        Happening::Roll(roll) => Some(roll),
        Happening::Turn(_) => None,
    });
    match (game.start.side(), thrown.map(|roll| roll.dice())) {
        (Some(side), _) => side,
        (None, Some([white, black])) if black > white => Color::Black,
        _ => Color::White,
    }
}

impl Portrait {
    /// Takes each man away once.
    fn take_men(&mut self, rules: &Rules, network: &Network, moment: &Moment) {
        let whole = moment.value();
        self.positions += 1;
        // A king that may not be lost is worth everything.
        let is_royal = rules.variant.has_king_capture() || rules.variant.has_check();
        for (role, mean) in Role::ALL.into_iter().zip(&mut self.men) {
            if is_royal && role == Role::King {
                continue;
            }
            for side in Color::ALL {
                for square in moment.position.men(side, role) {
                    let without = moment.position.without(square.bit());
                    if rules.outcome(&without, false).is_some() {
                        continue;
                    }
                    let quiet = squash(network.logit_of(rules, &without, Head::Quiet)).expectation() * 2.0 - 1.0;
                    let captures = captures(rules, &without);
                    let less = Moment { position: without, captures, quiet: quiet as f32, strayed: false }.value();
                    let view = moment.position.side().unwrap_or(Color::White);
                    let loss = f64::from(whole - less) / 2.0;
                    mean.add(if view == side { loss } else { -loss });
                }
            }
        }
    }
}

const NAMES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

impl fmt::Display for Portrait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |mean: &Mean| format!("{:.1} ± {:.1} %", mean.mean() * 100.0, mean.error() * 100.0);
        writeln!(f, "{}: {} games, men taken from {} positions", self.variant, self.turns.count(), self.positions)?;
        writeln!(f, "first to move scores {}", percent(&self.first))?;
        let [least, median, most] = self.spread;
        let (mean, error) = (self.turns.mean(), self.turns.error());
        writeln!(f, "turns {mean:.1} ± {error:.1}, median {median}, eight in ten between {least} and {most}")?;
        writeln!(f, "drawn {}", percent(&self.drawn))?;
        let pawn = self.men.first().map_or(0.0, Mean::mean);
        for (name, mean) in NAMES.iter().zip(&self.men).filter(|(_, mean)| mean.count() > 0) {
            let men = if pawn > 0.001 { format!(", {:.1} pawns", mean.mean() / pawn) } else { String::new() };
            let (worth, error) = (mean.mean() * 100.0, mean.error() * 100.0);
            writeln!(f, "a {name} is worth {worth:.1} ± {error:.1} points{men}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Choice;
    use crate::variant::find;

    #[test]
    fn a_queen_is_worth_more_than_a_pawn() {
        for name in ["dicechess", "dicehard"] {
            let choice = Choice::Own(name);
            let network = choice.get().network().unwrap();
            let portrait = portray(Rules::new(find(name).unwrap()), network, 20, 3, 2);
            let [pawn, .., queen, king] = portrait.men;
            assert!(portrait.positions == 20 && portrait.turns.count() >= 20, "{portrait}");
            assert!(queen.mean() > pawn.mean() && king.count() == 0, "{portrait}");
            assert!(portrait.spread[0] <= portrait.spread[1] && portrait.spread[1] <= portrait.spread[2]);
        }
    }

    #[test]
    fn means_come_with_their_errors() {
        let mut mean = Mean::default();
        (0..100).for_each(|number| mean.add(f64::from(number % 2)));
        assert!((mean.mean() - 0.5).abs() < 1e-12 && (mean.error() - 0.098).abs() < 1e-6);
    }
}

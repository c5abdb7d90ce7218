//! Many games between two players with alternating colours and seeded dice, and what they come to.

use super::referee::{Player, RefereeError, play_game};
use crate::board::Color;
use crate::dice::Seeded;
use crate::position::{Position, Reason};
use crate::turns::{Game, Rules};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

/// What is to be played.
#[derive(Clone, Copy)]
pub struct Duel {
    /// The game.
    pub rules: Rules,
    /// How many games; the first player has White in the first, third, ….
    pub games: u32,
    /// From which dice and players' chances follow.
    pub seed: u64,
    /// How many threads play.
    pub threads: u32,
}

/// What the games of a duel have come to, from the first player's view.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Won, drawn and lost by the first player.
    pub results: [u32; 3],
    /// Won, drawn and lost by White.
    pub white: [u32; 3],
    /// The turns of all games.
    pub turns: u64,
    /// The longest game in turns.
    pub longest: u32,
    /// How often each reason ended a game.
    pub reasons: BTreeMap<String, u32>,
}

impl Tally {
    /// Games played.
    pub fn games(&self) -> u32 {
        self.results.iter().sum()
    }

    fn add(&mut self, other: &Tally) {
        for (sum, more) in self.results.iter_mut().chain(&mut self.white).zip(other.results.iter().chain(&other.white))
        {
            *sum += more;
        }
        self.turns += other.turns;
        self.longest = self.longest.max(other.longest);
        for (reason, count) in &other.reasons {
            *self.reasons.entry(reason.clone()).or_default() += count;
        }
    }

    fn count(&mut self, winner: Option<Color>, first: Color, reason: Reason, turns: u32) {
        let slot = |side| match winner {
            None => 1,
            Some(winner) if winner == side => 0,
            Some(_) => 2,
        };
        for (counts, side) in [(&mut self.results, first), (&mut self.white, Color::White)] {
            if let Some(count) = counts.get_mut(slot(side)) {
                *count += 1;
            }
        }
        self.turns += u64::from(turns);
        self.longest = self.longest.max(turns);
        *self.reasons.entry(reason.to_string()).or_default() += 1;
    }
}

/// The expected score of a player with these wins, draws and losses, and its standard error.
pub fn score(results: [u32; 3]) -> (f64, f64) {
    let [won, drawn, lost] = results.map(f64::from);
    let games = (won + drawn + lost).max(1.0);
    let mean = (won + drawn / 2.0) / games;
    let squares = (won * (1.0 - mean).powi(2) + drawn * (0.5 - mean).powi(2) + lost * mean.powi(2)) / games;
    (mean, (squares / games).sqrt())
}

/// Plays a duel. `seat` makes the first (`true`) or the second player of a game from a seed of its own; the result does
/// not depend on the number of threads.
pub fn duel<P: Player>(duel: &Duel, seat: &(impl Fn(bool, u64) -> P + Sync)) -> Result<Tally, RefereeError> {
    let next = AtomicU32::new(0);
    let work = || {
        let mut tally = Tally::default();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= duel.games {
                return Ok(tally);
            }
            // Seeds of neighbouring games must not be neighbours in the players' streams.
            let seed = duel.seed.wrapping_add(u64::from(index)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let (mut first, mut second) = (seat(true, seed ^ 1), seat(false, seed ^ 2));
            let game = Game::new(duel.rules, Position::start(duel.rules.variant));
            let first_is_white = index.is_multiple_of(2);
            let players: [&mut dyn Player; 2] =
                if first_is_white { [&mut first, &mut second] } else { [&mut second, &mut first] };
            let played = play_game(game, players, &mut Seeded::new(seed))?;
            let first_color = if first_is_white { Color::White } else { Color::Black };
            tally.count(played.outcome.winner, first_color, played.outcome.reason, played.turns);
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..duel.threads.max(1)).map(|_| scope.spawn(work)).collect();
        let mut sum = Tally::default();
        for worker in workers {
            match worker.join() {
                Ok(tally) => sum.add(&tally?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(sum)
    })
}

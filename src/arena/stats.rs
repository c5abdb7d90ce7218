//! What the games of two players come to: points, Elo and how sure they are.
//!
//! Games are counted in pairs that share an opening and the dice with colours swapped. The five results of a pair (the
//! pentanomial) carry what pairing removes of the luck; single games alone would overstate the error.

use super::numbers::{INVERSE_95, cumulative_normal};

/// Elo per decade of the odds.
const ELO: f64 = 400.0;
/// Normalized Elo per standard deviation of a game's score (Van den Bergh, "Normalized Elo", 2021).
pub const NORMALIZED: f64 = 800.0 / std::f64::consts::LN_10;

/// Results from one player's view.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games won, drawn and lost.
    pub games: [u32; 3],
    /// Pairs by their points: 0, ½, 1, 1½, 2.
    pub pairs: [u32; 5],
}

/// A mean score with its variance, from a number of independent observations.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// Observations.
    pub count: f64,
    /// The mean score, 0 to 1.
    pub mean: f64,
    /// The variance of one observation.
    pub variance: f64,
}

/// An estimate with the half-width of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Half the interval.
    pub error: f64,
}

impl Tally {
    /// Counts a game: 2, 1 or 0 half points for the player.
    pub fn add_game(&mut self, half_points: usize) {
        let slot = 2usize.saturating_sub(half_points);
        if let Some(count) = self.games.get_mut(slot) {
            *count += 1;
        }
    }

    /// Counts a pair by the half points of both games.
    pub fn add_pair(&mut self, half_points: usize) {
        if let Some(count) = self.pairs.get_mut(half_points) {
            *count += 1;
        }
    }

    /// How many games.
    pub fn count(&self) -> u32 {
        self.games.iter().sum()
    }

    /// Points, a draw being half of one.
    pub fn points(&self) -> f64 {
        let [won, drawn, _] = self.games.map(f64::from);
        won + drawn / 2.0
    }

    /// Single games as observations.
    pub fn game_sample(&self) -> Sample {
        let [won, drawn, lost] = self.games.map(f64::from);
        Sample::of(&[(0.0, lost), (0.5, drawn), (1.0, won)])
    }

    /// Pairs as observations, where there are any; else single games.
    pub fn sample(&self) -> Sample {
        if self.pairs.iter().sum::<u32>() == 0 { self.game_sample() } else { Sample::of(&self.pair_scores()) }
    }

    /// How many games an observation of [`Tally::sample`] holds.
    fn games_each(&self) -> f64 {
        if self.pairs.iter().sum::<u32>() == 0 { 1.0 } else { 2.0 }
    }

    /// The scores of a pair and how often each came.
    pub fn pair_scores(&self) -> [(f64, f64); 5] {
        let [a, b, c, d, e] = self.pairs.map(f64::from);
        [(0.0, a), (0.25, b), (0.5, c), (0.75, d), (1.0, e)]
    }

    /// How many times fewer games paired dice need for the same certainty: the variance of a pair of unrelated games
    /// divided by that of the pairs played. None before there are enough of them.
    pub fn saved_by_pairing(&self) -> Option<f64> {
        let (pairs, games) = (Sample::of(&self.pair_scores()), self.game_sample());
        (pairs.count >= 10.0 && pairs.variance > 0.0).then(|| games.variance / 2.0 / pairs.variance)
    }

    /// The difference in Elo.
    pub fn elo(&self) -> Estimate {
        let sample = self.sample();
        let half = INVERSE_95 * sample.error();
        let value = elo_of(sample.mean);
        Estimate { value, error: (elo_of(sample.mean + half) - elo_of(sample.mean - half)) / 2.0 }
    }

    /// The difference in normalized Elo: in standard deviations of a game, which does not depend on how drawish it is.
    pub fn normalized_elo(&self) -> Estimate {
        let sample = self.sample();
        let each = self.games_each();
        let deviation = (sample.variance * each).sqrt();
        let value = if deviation > 0.0 { (sample.mean - 0.5) / deviation * NORMALIZED } else { 0.0 };
        Estimate { value, error: INVERSE_95 * NORMALIZED / (sample.count * each).max(1.0).sqrt() }
    }

    /// The likelihood that the player is the stronger one, 0 to 1.
    pub fn likelihood_of_superiority(&self) -> f64 {
        let sample = self.sample();
        let error = sample.error();
        if error > 0.0 {
            return cumulative_normal((sample.mean - 0.5) / error);
        }
        match sample.mean.partial_cmp(&0.5) {
            Some(std::cmp::Ordering::Greater) => 1.0,
            Some(std::cmp::Ordering::Less) => 0.0,
            _ => 0.5,
        }
    }
}

impl Sample {
    /// Of scores and how often each came.
    pub fn of(scores: &[(f64, f64)]) -> Sample {
        let count: f64 = scores.iter().map(|(_, count)| count).sum();
        if count == 0.0 {
            return Sample { count: 0.0, mean: 0.5, variance: 0.0 };
        }
        let mean = scores.iter().map(|(score, count)| score * count).sum::<f64>() / count;
        let variance = scores.iter().map(|(score, times)| (score - mean).powi(2) * times).sum::<f64>() / count;
        Sample { count, mean, variance }
    }

    /// The standard error of the mean.
    pub fn error(&self) -> f64 {
        if self.count > 0.0 { (self.variance / self.count).sqrt() } else { 0.0 }
    }
}

/// The difference in Elo that an expected score means, within ±10,000.
pub fn elo_of(score: f64) -> f64 {
    let score = score.clamp(1e-25, 1.0 - 1e-16);
    (ELO * (score / (1.0 - score)).log10()).clamp(-10_000.0, 10_000.0)
}

/// The expected score at a difference in Elo.
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / ELO))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, wanted: f64, what: &str) {
        assert!((found - wanted).abs() <= 0.01 * wanted.abs().max(0.5), "{what}: {found}, not {wanted}");
    }

    /// The values that fastchess publishes in its tests for the same results.
    #[test]
    fn published_values_are_met_from_games() {
        for (games, elo, normalized, superiority) in [
            ([76, 123, 89], None, (-20.76, 40.13), Some(0.1553)),
            ([136, 111, 96], Some((40.70, 30.43)), (49.77, 36.77), Some(0.9960)),
            ([34, 0, 356], None, (-508.44, 34.48), None),
        ] {
            let tally = Tally { games, pairs: [0; 5] };
            near(tally.normalized_elo().value, normalized.0, "normalized Elo");
            near(tally.normalized_elo().error, normalized.1, "its error");
            if let Some((value, error)) = elo {
                near(tally.elo().value, value, "Elo");
                near(tally.elo().error, error, "its error");
            }
            if let Some(superiority) = superiority {
                near(tally.likelihood_of_superiority(), superiority, "LOS");
            }
        }
    }

    #[test]
    fn published_values_are_met_from_pairs() {
        for (pairs, elo, normalized, superiority) in [
            ([34, 54, 63, 64, 75], (55.58, 27.65), (57.94, 28.28), Some(1.0)),
            ([332, 433, 498, 333, 334], (-8.64, 10.33), (-9.17, 10.96), Some(0.0505)),
            ([7895, 8757, 5685, 568, 9999], (-21.04, 2.95), (-19.01, 2.65), None),
        ] {
            let tally = Tally { games: [0; 3], pairs };
            near(tally.elo().value, elo.0, "Elo");
            near(tally.elo().error, elo.1, "its error");
            near(tally.normalized_elo().value, normalized.0, "normalized Elo");
            near(tally.normalized_elo().error, normalized.1, "its error");
            if let Some(superiority) = superiority {
                near(tally.likelihood_of_superiority(), superiority, "LOS");
            }
        }
    }

    #[test]
    fn nothing_played_says_nothing() {
        let tally = Tally::default();
        assert_eq!((tally.elo().value, tally.likelihood_of_superiority()), (0.0, 0.5));
        assert_eq!(tally.saved_by_pairing(), None);
        let all_won = Tally { games: [20, 0, 0], pairs: [0, 0, 0, 0, 10] };
        assert_eq!(all_won.likelihood_of_superiority(), 1.0);
        assert!(all_won.elo().value > 1000.0 && all_won.elo().error.is_finite());
    }

    #[test]
    fn pairs_that_share_their_luck_save_games() {
        // Ten pairs of which each player wins one game: all luck, and pairing removes nearly all of it.
        let shared = Tally { games: [21, 0, 19], pairs: [0, 0, 19, 0, 1] };
        assert!(shared.saved_by_pairing().unwrap() > 5.0);
        let unrelated = Tally { games: [20, 0, 20], pairs: [5, 0, 10, 0, 5] };
        near(unrelated.saved_by_pairing().unwrap(), 1.0, "nothing saved");
        near(elo_of(score_of(33.0)), 33.0, "there and back");
    }
}

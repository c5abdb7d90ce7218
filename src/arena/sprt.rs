//! The generalized sequential probability ratio test on pairs of games.
//!
//! Michel Van den Bergh, "A practical introduction to the GSPRT" (2020): the two hypotheses are the likeliest
//! distributions of pair results whose mean (or normalized mean) is the one stated, and Wald's bounds (1945) hold for
//! their log-likelihood ratio as they do for simple hypotheses.

use super::numbers::root;
use super::stats::{NORMALIZED, Sample, Tally, score_of};

/// What the Elo of the hypotheses means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Model {
    /// Standard deviations of a game, see [`Tally::normalized_elo`].
    #[default]
    Normalized,
    /// The expected score.
    Logistic,
}

/// A test of two hypotheses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The Elo of the null hypothesis.
    pub elo0: f64,
    /// The Elo of the other.
    pub elo1: f64,
    /// The probability of taking the second where the first holds.
    pub alpha: f64,
    /// The probability of taking the first where the second holds.
    pub beta: f64,
    /// What Elo means.
    pub model: Model,
}

/// What a test has decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The null hypothesis.
    H0,
    /// The other.
    H1,
}

/// What stands in for results that never came, so that every distribution has a likelihood.
const TRACE: f64 = 1e-3;

impl Sprt {
    /// Wald's bounds of the log-likelihood ratio.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of what was played: by pairs, or by games where there are no pairs.
    pub fn ratio(&self, tally: &Tally) -> f64 {
        let [won, drawn, lost] = tally.games.map(f64::from);
        if tally.pairs.iter().sum::<u32>() > 0 {
            self.ratio_of(&tally.pair_scores(), 2.0)
        } else {
            self.ratio_of(&[(0.0, lost), (0.5, drawn), (1.0, won)], 1.0)
        }
    }

    /// The log-likelihood ratio of scores, 0 to 1, and how often each came, where each is the mean of so many games.
    pub fn ratio_of(&self, observed: &[(f64, f64)], games: f64) -> f64 {
        let total: f64 = observed.iter().map(|(_, count)| count).sum();
        if total == 0.0 {
            return 0.0;
        }
        let counts: Vec<(f64, f64)> = observed.iter().map(|&(score, count)| (score, count.max(TRACE))).collect();
        let sum: f64 = counts.iter().map(|(_, count)| count).sum();
        let shares: Vec<(f64, f64)> = counts.iter().map(|&(score, count)| (score, count / sum)).collect();
        let likeliest = |elo: f64| match self.model {
            Model::Logistic => with_mean(&shares, score_of(elo)),
            Model::Normalized => with_normalized_mean(&shares, elo / NORMALIZED * games.sqrt()),
        };
        let (null, other) = (likeliest(self.elo0), likeliest(self.elo1));
        let mean: f64 = shares.iter().zip(null.iter().zip(&other)).map(|((_, p), (p0, p1))| p * (p1 / p0).ln()).sum();
        mean * sum
    }

    /// What a ratio decides, nothing while it is between the bounds.
    pub fn decided(&self, ratio: f64) -> Option<Decision> {
        let (lower, upper) = self.bounds();
        if ratio >= upper {
            Some(Decision::H1)
        } else if ratio <= lower {
            Some(Decision::H0)
        } else {
            None
        }
    }

    /// A ratio beside its bounds and hypotheses, as it is told.
    pub fn told(&self, ratio: f64) -> String {
        let (lower, upper) = self.bounds();
        let model = if self.model == Model::Normalized { "nElo" } else { "Elo" };
        let towards = if ratio >= 0.0 { ratio / upper } else { ratio / lower };
        format!(
            "LLR: {ratio:.2} ({:.1} %) ({lower:.2}, {upper:.2}) [{:.2}, {:.2}] {model}",
            100.0 * towards.copysign(ratio),
            self.elo0,
            self.elo1
        )
    }

    /// What is decided, none while the games must go on.
    pub fn decision(&self, tally: &Tally) -> Option<Decision> {
        self.decided(self.ratio(tally))
    }
}

/// The likeliest distribution near the shares with a given mean of its values (Van den Bergh, proposition 1.1): each share
/// divided by 1 + θ (value − mean).
fn with_mean(shares: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let apart = |value: f64| value - mean;
    let (least, most) = shares
        .iter()
        .map(|&(value, _)| apart(value))
        .fold((0f64, 0f64), |(least, most), value| (least.min(value), most.max(value)));
    if least >= 0.0 || most <= 0.0 {
        return shares.iter().map(|&(_, share)| share).collect();
    }
    let edge = 1e-12;
    let theta = root(-1.0 / most * (1.0 - edge), -1.0 / least * (1.0 - edge), |theta| {
        shares.iter().map(|&(value, share)| share * apart(value) / (1.0 + theta * apart(value))).sum()
    });
    shares.iter().map(|&(value, share)| share / (1.0 + theta * apart(value))).collect()
}

/// The likeliest distribution whose mean lies a given number of its own standard deviations above one half: by repeating
/// the first problem with the values bent by the distribution found before.
fn with_normalized_mean(shares: &[(f64, f64)], deviations: f64) -> Vec<f64> {
    let mut found: Vec<f64> = shares.iter().map(|_| 1.0 / shares.len() as f64).collect();
    for _ in 0..20 {
        let weighted: Vec<(f64, f64)> = shares.iter().zip(&found).map(|(&(value, _), &p)| (value, p)).collect();
        let Sample { mean, variance, .. } = Sample::of(&weighted);
        let deviation = variance.sqrt();
        let bent: Vec<(f64, f64)> = shares
            .iter()
            .map(|&(value, share)| {
                let apart = (mean - value) / deviation;
                (value - 0.5 - deviations * deviation * (1.0 + apart * apart) / 2.0, share)
            })
            .collect();
        let next = with_mean(&bent, 0.0);
        let moved = next.iter().zip(&found).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        found = next;
        if moved < 1e-9 {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn test(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    /// The values that fastchess publishes in its tests for the same results.
    #[test]
    fn published_ratios_are_met() {
        let pairs = |pairs| Tally { games: [0; 3], pairs };
        let games = |games| Tally { games, pairs: [0; 5] };
        for (sprt, tally, wanted) in [
            (test(0.0, 2.0, Model::Normalized), games([36433, 68692, 36027]), 0.92),
            (test(-1.75, 0.25, Model::Normalized), games([10871, 20431, 10650]), 2.30),
            (test(0.5, 2.5, Model::Logistic), games([21404, 40708, 21184]), -1.57),
            (test(0.0, 2.0, Model::Logistic), games([57433, 106593, 57030]), -2.59),
            (test(0.0, 2.0, Model::Normalized), pairs([365, 16618, 36229, 16974, 390]), 2.25),
            (test(-1.75, 0.25, Model::Normalized), pairs([127, 4883, 10712, 5150, 104]), 3.01),
            (test(0.5, 2.5, Model::Logistic), pairs([223, 9863, 21279, 10037, 246]), -3.07),
            (test(0.0, 2.0, Model::Logistic), pairs([871, 26175, 55983, 26678, 821]), -4.98),
        ] {
            let found = sprt.ratio(&tally);
            assert!((found - wanted).abs() < 0.011, "{sprt:?} {tally:?}: {found}, not {wanted}");
        }
    }

    /// A match of pairs whose results fall with given probabilities: what the test decides.
    fn simulate(sprt: &Sprt, shares: &[f64; 5], chance: &mut ChaCha8Rng) -> Decision {
        let mut tally = Tally::default();
        loop {
            let mut at = chance.random::<f64>();
            let fallen = shares.iter().position(|share| {
                at -= share;
                at < 0.0
            });
            tally.add_pair(fallen.unwrap_or(4));
            if let Some(decision) = sprt.decision(&tally) {
                return decision;
            }
        }
    }

    /// The shares of a pair's results at a mean score, by tilting a typical distribution of a game without draws.
    fn shares_at(mean: f64) -> [f64; 5] {
        let typical = [(0.0, 0.2), (0.25, 0.02), (0.5, 0.56), (0.75, 0.02), (1.0, 0.2)];
        with_mean(&typical, mean).try_into().unwrap()
    }

    /// Errors of both kinds stay within their bounds over 2,000 simulated matches each: three standard errors of a
    /// frequency of 5 % in 2,000 are 1.5 points.
    #[test]
    fn errors_stay_within_the_bounds() {
        let mut chance = ChaCha8Rng::seed_from_u64(5);
        let sprt = test(0.0, 60.0, Model::Logistic);
        let mut wrong = |elo: f64, not: Decision| {
            let shares = shares_at(score_of(elo));
            (0..2000).filter(|_| simulate(&sprt, &shares, &mut chance) == not).count()
        };
        let (first, second) = (wrong(0.0, Decision::H1), wrong(60.0, Decision::H0));
        assert!(first <= 130 && second <= 130, "type I {first}, type II {second} of 2000");
        assert!(first >= 20 && second >= 20, "type I {first}, type II {second}: a test that never errs wastes games");
    }
}

//! A test of two players on their scores without luck: the same test as a match's, with far fewer games.
//!
//! The luck of a throw, what the roll is worth less the mean of all rolls by one judgement, comes to nothing in the mean
//! whoever plays and however wrong that judgement is. What is left of a result without it has the same mean, but most of
//! its spread is gone (the advantage sum of Zinkevich, Bowling, Bard, Kan and Billings, "Optimal unbiased estimators for
//! evaluating agent performance", 2006).

use crate::analysis::Review;
use crate::arena::{Decision, Sample, Sprt};
use crate::notation::GameRecord;
use std::collections::BTreeMap;
use std::fmt;

/// A game's place in a match.
type Place = (String, String);

/// The scores of a match's pairs without luck, and what a test makes of them as they come in.
pub struct Luckless {
    sprt: Sprt,
    /// The players, as the first game of a pair has them: White and Black.
    names: Option<[String; 2]>,
    /// The first player's score in the game of a pair whose other game has not come yet.
    halves: BTreeMap<Place, f64>,
    /// The mean of both games of each pair, once each; and both ends of the scale, which never came but could have.
    scores: Vec<(f64, f64)>,
    pairs: usize,
    decided: Option<(Decision, usize)>,
}

impl Luckless {
    /// Nothing yet.
    pub fn new(sprt: Sprt) -> Luckless {
        let scores = vec![(0.0, 0.0), (1.0, 0.0)];
        Luckless { sprt, names: None, halves: BTreeMap::new(), scores, pairs: 0, decided: None }
    }

    /// Adds a game of a match; games without a result are left out.
    pub fn add(&mut self, record: &GameRecord, review: &Review) -> Result<(), String> {
        let tag = |name: &str| record.tag(name).map(str::to_string);
        let of_pair = tag("Round").and_then(|round| round.split_once('.').map(|(_, place)| place.to_string()));
        let (Some(pair), Some(of_pair)) = (tag("Pair"), of_pair) else {
            return Err("a test needs the games of a match in pairs, with their tags".to_string());
        };
        let is_first = of_pair == "1";
        let [white, black] = review.names.clone();
        let names = if is_first { [white, black] } else { [black, white] };
        if *self.names.get_or_insert_with(|| names.clone()) != names {
            return Err("a test needs the games of two players with two names".to_string());
        }
        let [white, black] = review.players;
        let Some(score) = (if is_first { white.adjusted } else { black.adjusted }) else { return Ok(()) };
        let place = (tag("MatchId").unwrap_or_default(), pair);
        if let Some(other) = self.halves.remove(&place) {
            self.add_pair((score + other) / 2.0);
        } else {
            self.halves.insert(place, score);
        }
        Ok(())
    }

    fn add_pair(&mut self, score: f64) {
        self.scores.push((score, 1.0));
        self.pairs += 1;
        if self.decided.is_none() {
            self.decided = self.sprt.decided(self.ratio()).map(|decision| (decision, self.pairs));
        }
    }

    fn ratio(&self) -> f64 {
        self.sprt.ratio_of(&self.scores, 2.0)
    }
}

impl fmt::Display for Luckless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sample = Sample::of(&self.scores);
        let [one, other] = self.names.clone().unwrap_or_default();
        let (mean, half) = (100.0 * sample.mean, 196.0 * sample.error());
        writeln!(f, "{one} vs {other} without luck: {mean:.2} +/- {half:.2} % over {} pairs", self.pairs)?;
        write!(f, "{}", self.sprt.told(self.ratio()))?;
        match self.decided {
            Some((decision, pairs)) => write!(f, "\nSPRT: {decision:?} was accepted after {pairs} pairs"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Player;
    use crate::arena::{Model, score_of};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn game(round: &str, pair: &str, names: [&str; 2], adjusted: f64) -> (GameRecord, Review) {
        let tags = [("Round", round), ("Pair", pair), ("MatchId", "m")];
        let mut record = GameRecord::from_list("", crate::variant::DEFAULT).unwrap();
        record.tags = tags.map(|(name, value)| (name.to_string(), value.to_string())).to_vec();
        let player = |adjusted| Player { adjusted: Some(adjusted), ..Player::default() };
        let review = Review {
            schema: 1,
            variant: "dicechess",
            names: names.map(str::to_string),
            result: "1-0".to_string(),
            start: 0.5,
            players: [player(adjusted), player(1.0 - adjusted)],
            rest: Some(0.0),
            turns: Vec::new(),
        };
        (record, review)
    }

    /// The first player's view is taken of both games, whichever comes first; pairs that came in later do not undo what
    /// was decided.
    #[test]
    fn pairs_are_put_together_and_tested_in_order() {
        let sprt = Sprt { elo0: 0.0, elo1: 40.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
        let mut test = Luckless::new(sprt);
        for pair in 0..40 {
            let number = pair.to_string();
            let noise = if pair % 2 == 0 { 0.1 } else { -0.1 };
            let (first, second) = (("A", "B", 0.55 + noise), ("B", "A", 0.43));
            let both = [("1.1", first), ("1.2", second)];
            let order = if pair % 3 == 0 { [1, 0] } else { [0, 1] };
            for (round, (white, black, adjusted)) in order.map(|place| both[place]) {
                let (record, review) = game(round, &number, [white, black], adjusted);
                test.add(&record, &review).unwrap();
            }
        }
        let text = test.to_string();
        assert!(text.starts_with("A vs B without luck: 56.00 +/- 1.55 % over 40 pairs\nLLR: "), "{text}");
        assert!(text.contains("SPRT: H1 was accepted after "), "{text}");
        let decided = test.decided;
        for pair in 40..140 {
            let (record, review) = game("1.1", &pair.to_string(), ["A", "B"], 0.2);
            test.add(&record, &review).unwrap();
            let (record, review) = game("1.2", &pair.to_string(), ["B", "A"], 0.7);
            test.add(&record, &review).unwrap();
        }
        assert_eq!((test.decided, test.pairs), (decided, 140));
        let (record, review) = game("1.1", "200", ["A", "C"], 0.5);
        assert!(test.add(&record, &review).unwrap_err().contains("two players"));
    }

    /// Errors of both kinds stay near their bounds where scores have any value: 300 simulated matches each, of which
    /// 5 % with three standard errors are 26.
    #[test]
    fn errors_stay_within_the_bounds() {
        let mut chance = ChaCha8Rng::seed_from_u64(3);
        for model in [Model::Logistic, Model::Normalized] {
            // By a spread of 0.1 in a pair both are the same mean, 0.54.
            let elo1 = if model == Model::Logistic { 28.0 } else { 99.0 };
            let sprt = Sprt { elo0: 0.0, elo1, alpha: 0.05, beta: 0.05, model };
            let mut wrong = |mean: f64, not: Decision| {
                let mut decide = || {
                    let mut test = Luckless::new(sprt);
                    loop {
                        let noise: f64 = (0..12).map(|_| chance.random::<f64>()).sum::<f64>() - 6.0;
                        test.add_pair(mean + 0.1 * noise);
                        if let Some((decision, _)) = test.decided {
                            return decision;
                        }
                    }
                };
                (0..300).filter(|_| decide() == not).count()
            };
            let (first, second) = (wrong(0.5, Decision::H1), wrong(score_of(28.0), Decision::H0));
            assert!(first <= 26 && second <= 26, "{model:?}: type I {first}, type II {second} of 300");
            assert!(first + second > 0, "a test that never errs wastes games");
        }
    }
}

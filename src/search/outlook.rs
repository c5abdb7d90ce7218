//! A quick look at all rolls of a position: what each is worth one turn deep, and what to play on it.
//!
//! This is what rollouts live on: they need the value of the roll that fell and the mean over all rolls by the same
//! judgement, whose difference is the roll's luck.

use super::Searcher;
use super::effort::Spent;
use super::iterate::{RollValue, rolls};
use super::killers::Killers;
use super::leaves::Best;
use super::order::Width;
use super::table::Table;
use crate::board::Color;
use crate::eval::{Evaluator, Score};
use crate::position::Position;
use crate::turns::{Afterstate, Fan, Rules, Turn};
use std::sync::atomic::AtomicBool;

/// How many turns are looked at closely where one has to be picked.
const CLOSELY: usize = 6;

/// One thread's quick looks.
pub struct Outlook<'a> {
    searcher: Searcher<'a>,
}

/// A turn and what it is worth to its side.
#[derive(Clone, Debug)]
pub struct Pick {
    /// The turn and where it leads.
    pub turn: Afterstate,
    /// The value.
    pub score: Score,
}

/// Hands quick looks to `work`; `stop` ends a look at a long series early.
pub fn with_outlook<R>(
    rules: &Rules,
    evaluator: &dyn Evaluator,
    stop: &AtomicBool,
    work: impl FnOnce(&mut Outlook) -> R,
) -> R {
    let (spent, table, killers) = (Spent::new(None, None, stop), Table::new(1), Killers::new());
    let width = if evaluator.network().is_some() { Width::Narrow } else { Width::Filtered };
    work(&mut Outlook { searcher: Searcher::new(*rules, evaluator, &spent, &table, &killers, width) })
}

impl Outlook<'_> {
    /// The value of every outcome of the next throw, for the side to roll, or for White where nobody is; with the turn to
    /// play, none for a pass and none where a king is taken.
    pub fn rolls(&mut self, position: &Position) -> Vec<RollValue> {
        match position.side().filter(|_| self.searcher.has_fan) {
            Some(side) => self.three_dice(position, side),
            None => rolls(std::slice::from_mut(&mut self.searcher), position, 1).0,
        }
    }

    fn three_dice(&mut self, position: &Position, side: Color) -> Vec<RollValue> {
        let searcher = &mut self.searcher;
        let won = searcher.rules.king_captures(position, side);
        let heard = searcher.hear(position, side, Fan::ALL & !won, searcher.width.replies(0));
        let Some(Best { replies, squash, .. }) = heard else { return Vec::new() };
        let dice = searcher.rules.variant.dice.rolls();
        let mut values = Vec::with_capacity(dice.len());
        for (place, ((roll, weight), list)) in dice.into_iter().zip(&replies).enumerate() {
            let valued = list.iter().map(|reply| {
                let next = searcher.play(position, &reply.turn);
                (searcher.horizon(&next, side, squash(reply.value)), reply.turn)
            });
            let best = valued.max_by_key(|(score, _)| *score);
            let (score, turn) = match best {
                _ if won >> place & 1 != 0 => (Score::WIN, None),
                Some((score, turn)) => (score, Some(turn).filter(|turn| !turn.is_pass())),
                None => {
                    let passed = searcher.play(position, &Turn::PASS);
                    let value = searcher.static_value(&passed, side);
                    (searcher.horizon(&passed, side, value), None)
                }
            };
            values.push(RollValue { roll, weight, score, turn });
        }
        values
    }

    /// The best turn of a decision by a close look at the few that look best. None where there is none.
    pub fn pick(&mut self, position: &Position) -> Option<Pick> {
        let side = position.side()?;
        let mut candidates = self.searcher.candidates(position, 1);
        candidates.truncate(CLOSELY);
        let searcher = &self.searcher;
        let valued = candidates.iter().map(|candidate| {
            let score = match candidate.value {
                Score::WIN => Score::WIN,
                value => searcher.horizon(&candidate.position, side, value),
            };
            Pick { turn: Afterstate { position: candidate.position, turn: candidate.turn }, score }
        });
        valued.reduce(|best, next| if next.score > best.score { next } else { best })
    }

    /// The value for a side of a position that is not over, with the danger of the next roll.
    pub fn value(&self, position: &Position, side: Color) -> Score {
        let value = self.searcher.static_value(position, side);
        self.searcher.horizon(position, side, value)
    }

    /// The mean over all outcomes of a throw; a draw where there are none.
    pub fn mean(values: &[RollValue]) -> Score {
        Score::mean(values.iter().map(|value| (value.score, value.weight)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Choice;
    use crate::turns::Status;
    use crate::variant::VARIANTS;

    /// The outlook of every game is that of its rules: all outcomes, legal turns, values within bounds.
    #[test]
    fn outlooks_hold_every_outcome() {
        let stop = AtomicBool::new(false);
        for variant in VARIANTS.iter().filter(|variant| variant.has_dice()) {
            let (rules, choice) = (Rules::new(variant), Choice::Own(variant.name));
            let start = Position::start(variant);
            with_outlook(&rules, choice.get(), &stop, |outlook| {
                let values = outlook.rolls(&start);
                let chance = rules.outcomes(&start);
                assert_eq!(values.iter().map(|value| value.weight).sum::<u32>(), chance.total, "{}", variant.name);
                assert!(Outlook::mean(&values).0.abs() < Score::WIN.0 * 3 / 4, "{}", variant.name);
                for value in &values {
                    let rolled = rules.roll(&start, value.roll).unwrap();
                    let decides = matches!(rules.status(&rolled, false), Status::Decide(_));
                    assert_eq!(decides, value.turn.is_some(), "{} {}", variant.name, value.roll);
                    let picked = outlook.pick(&rolled).filter(|_| decides);
                    assert!(picked.is_some() == decides && picked.is_none_or(|pick| !pick.turn.turn.is_pass()));
                }
            });
        }
    }
}

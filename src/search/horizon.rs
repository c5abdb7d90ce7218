//! Where the search ends: static values, and the danger of the next roll.

use super::Searcher;
use crate::board::Color;
use crate::eval::Score;
use crate::position::Position;
use crate::turns::{Odds, Status, Threat};

/// How many moves deep the danger of a series is looked for.
const SERIES_DANGER: usize = 2;

impl Searcher<'_> {
    /// The value of a position after a turn for a side, by the rules where the game is over, else by the evaluation.
    pub(super) fn static_value(&self, position: &Position, side: Color) -> Score {
        match self.rules.outcome(position, false).map(|outcome| outcome.winner) {
            Some(Some(winner)) if winner == side => Score::WIN,
            Some(Some(_)) => Score::LOSS,
            Some(None) => Score::DRAW,
            None => self.evaluator.evaluate(&self.rules, position, side),
        }
    }

    /// The static value less the danger of the next roll: what a turn is worth that nothing is searched beyond.
    ///
    /// King captures are exact one turn ahead without generating any: see [`Rules::threat`](crate::turns::Rules::threat).
    pub(super) fn horizon(&self, position: &Position, side: Color, value: Score) -> Score {
        match self.rules.status(position, false) {
            Status::Over(_) => return value,
            Status::Decide(_) | Status::Pass(_) | Status::Roll => {}
        }
        let chances = |favourable: Odds, against: Odds| {
            let value = if self.evaluator.network().is_some() {
                self.evaluator.quiet(&self.rules, position, side)
            } else {
                value
            };
            let rest = against.total.saturating_sub(favourable.favourable + against.favourable);
            Score::mean([(Score::WIN, favourable.favourable), (Score::LOSS, against.favourable), (value, rest)])
        };
        match self.rules.threat_within(position, SERIES_DANGER) {
            Threat::None => value,
            Threat::Mover(odds) if position.side() == Some(side) => {
                chances(odds, Odds { favourable: 0, total: odds.total })
            }
            Threat::Mover(odds) => chances(Odds { favourable: 0, total: odds.total }, odds),
            Threat::Both(white, black) if side == Color::White => chances(white, black),
            Threat::Both(white, black) => chances(black, white),
        }
    }
}

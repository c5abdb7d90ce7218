//! The value of a position with the exact odds of the next roll's king captures.

use super::{Evaluator, Score};
use crate::board::Color;
use crate::position::Position;
use crate::turns::{Odds, Rules, Threat};

/// The value of a position that is not over for a side, where `value` is its static one: captures of the next roll count
/// with their exact odds, the rest by what the evaluation makes of it ([`Evaluator::quiet`]).
///
/// King captures are exact one turn ahead without generating any: see [`Rules::threat`]. In games of free series they
/// are looked for within `series` moves.
pub fn with_danger(
    evaluator: &dyn Evaluator,
    rules: &Rules,
    position: &Position,
    side: Color,
    value: Score,
    series: usize,
) -> Score {
    let chances = |favourable: Odds, against: Odds| {
        let quiet = if evaluator.has_quiet() { evaluator.quiet(rules, position, side) } else { value };
        let rest = against.total.saturating_sub(favourable.favourable + against.favourable);
        Score::mean([(Score::WIN, favourable.favourable), (Score::LOSS, against.favourable), (quiet, rest)])
    };
    match rules.threat_within(position, series) {
        // Where no king can be taken a closer look is worth the same.
        Threat::None if evaluator.has_quiet() => evaluator.quiet(rules, position, side),
        Threat::None => value,
        Threat::Mover(odds) if position.side() == Some(side) => {
            chances(odds, Odds { favourable: 0, total: odds.total })
        }
        Threat::Mover(odds) => chances(Odds { favourable: 0, total: odds.total }, odds),
        Threat::Both(white, black) if side == Color::White => chances(white, black),
        Threat::Both(white, black) => chances(black, white),
    }
}

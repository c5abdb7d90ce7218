//! What the network says of positions inside a long series of moves, each told from the one before it.

use super::judge::Ground;
use super::network::{Head, squash};
use super::{Judge, Network, Score};
use crate::board::Color;
use crate::position::{Position, SingleMove};
use crate::turns::{Promise, Rules};

/// Values the moves of a series for the side that makes them, as if the turn ended with each of them.
pub struct SeriesJudge<'n> {
    rules: Rules,
    network: &'n Network,
    side: Color,
    judge: Judge<'n>,
    ground: Option<(Position, Ground)>,
    /// How many positions it has valued.
    pub valued: u64,
}

impl<'n> SeriesJudge<'n> {
    /// For the series of a side.
    pub fn new(rules: Rules, network: &'n Network, side: Color) -> SeriesJudge<'n> {
        SeriesJudge { rules, network, side, judge: Judge::new(rules, network, side), ground: None, valued: 0 }
    }

    /// By looking at every man.
    fn slow(&self, after: &Position) -> i32 {
        let mut end = *after;
        if end.side() == Some(self.side) && !end.awaits_roll() {
            end.end_turn(self.rules.variant, self.rules.sliders);
        }
        -self.network.logit_of(&self.rules, &end, Head::Full)
    }
}

impl Promise for SeriesJudge<'_> {
    fn leave(&mut self, position: &Position) {
        self.ground = Some((*position, self.judge.ground(position)));
    }

    fn value(&mut self, mv: SingleMove, after: &Position) -> i32 {
        self.valued += 1;
        if let Some(outcome) = after.decided(self.rules.variant) {
            let score = |winner| if winner == self.side { Score::WIN } else { Score::LOSS };
            return outcome.winner.map_or(Score::DRAW, score).0;
        }
        let told = self.ground.as_ref().and_then(|(from, ground)| self.judge.step(from, ground, mv));
        squash(told.unwrap_or_else(|| self.slow(after))).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;
    use crate::position::{Pool, Ticket};
    use crate::variant::find;

    /// What is told from the position before is what a look at every man says, whatever the move.
    #[test]
    fn moves_are_valued_as_if_the_turn_ended_with_them() {
        for name in ["pawnhunt", "gollon-count"] {
            let rules = Rules::new(find(name).unwrap());
            let mut weights = Weights::zero(name);
            let men = weights.men.iter_mut().flatten().enumerate();
            men.for_each(|(place, weight)| *weight = (place * 7 % 41) as i8 - 20);
            let outputs = weights.outputs.iter_mut().flatten().flatten().flatten().enumerate();
            outputs.for_each(|(place, weight)| *weight = (place * 5 % 31) as i8 - 12);
            weights.attacks.iter_mut().flatten().enumerate().for_each(|(place, weight)| *weight = place as i16 % 90);
            let network = Network::new(&weights);
            let mut at = Position::start(rules.variant);
            let mut moves = Vec::new();
            let mut seen = std::collections::BTreeSet::new();
            for turn in 0..240usize {
                let side = if turn % 2 == 0 { Color::White } else { Color::Black };
                at.set_allowance(side, Pool::new(&[Ticket::ANY; 3]));
                rules.single_moves(&at, &mut moves);
                let mut judge = SeriesJudge::new(rules, &network, side);
                judge.leave(&at);
                for &mv in &moves {
                    let mut next = at;
                    next.play(rules.variant, mv, &mut ());
                    if next.decided(rules.variant).is_none() {
                        let value = judge.value(mv, &next);
                        assert_eq!(value, squash(judge.slow(&next)).0, "{name} {mv:?}");
                        seen.insert(value);
                    }
                }
                let Some(&mv) = moves.get(turn * 31 % moves.len().max(1)) else { break };
                let mut next = at;
                next.play(rules.variant, mv, &mut ());
                next.end_turn(rules.variant, rules.sliders);
                at = if next.decided(rules.variant).is_none() { next } else { Position::start(rules.variant) };
            }
            assert!(seen.len() > 100, "{name}: {}", seen.len());
        }
    }
}

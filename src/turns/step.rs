//! One single move of a turn: whether it begins a legal turn, and what is left after it.

use super::{Rules, Survey};
use crate::position::{Position, SingleMove};
use crate::variant::Use;
use std::ops::ControlFlow;

/// Where a single move leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The turn goes on from here.
    Within(Position),
    /// The turn is over; this is its afterstate.
    Ended(Position),
}

impl Step {
    /// The position reached.
    pub fn position(&self) -> &Position {
        match self {
            Step::Within(position) | Step::Ended(position) => position,
        }
    }
}

impl Rules {
    /// Every single move that begins a legal turn, and where it leads, in the generator's order.
    ///
    /// The voluntary pass is not among them.
    pub fn steps(&self, position: &Position) -> Vec<(SingleMove, Step)> {
        let mut moves = Vec::new();
        self.single_moves(position, &mut moves);
        let whole = self.whole_turn(position);
        moves.into_iter().filter_map(|mv| Some((mv, self.step_within(position, mv, &whole)?))).collect()
    }

    /// Where a single move leads; none where it begins no legal turn.
    pub fn step(&self, position: &Position, mv: SingleMove) -> Option<Step> {
        let mut moves = Vec::new();
        self.single_moves(position, &mut moves);
        if !moves.contains(&mv) {
            return None;
        }
        self.step_within(position, mv, &self.whole_turn(position))
    }

    /// The survey of the turn where look-ahead decides what is legal; elsewhere nothing needs to be known.
    fn whole_turn(&self, position: &Position) -> Survey {
        if self.variant.usage == Use::Max { self.survey(position) } else { Survey::default() }
    }

    fn step_within(&self, position: &Position, mv: SingleMove, whole: &Survey) -> Option<Step> {
        let mut next = *position;
        next.play(self.variant, mv, &mut ());
        if next.decided(self.variant).is_none() {
            match self.variant.usage {
                Use::Must if !next.pool().is_empty() && self.has_move(&next) => return Some(Step::Within(next)),
                Use::Must => {}
                Use::Max => {
                    let rest = if next.pool().is_empty() { DONE } else { self.survey(&next) };
                    let spent = mv.cost(self.variant) as u8;
                    let keeps_maximum = !position.pool().spoilt && rest.quiet.map(|more| more + spent) == whole.quiet;
                    if keeps_maximum && rest.quiet.is_some() {
                        if rest.quiet != Some(0) {
                            return Some(Step::Within(next));
                        }
                    } else if rest.decides {
                        if whole.quiet.is_some() {
                            next.set_spoilt();
                        }
                        return Some(Step::Within(next));
                    } else {
                        return None;
                    }
                }
            }
        }
        next.end_turn(self.variant, self.sliders);
        Some(Step::Ended(next))
    }

    /// Walks every legal turn as a sequence of single moves, siblings in the order of the key that `order` gives them.
    ///
    /// A voluntary pass comes first, as the empty sequence. A forced pass is not shown.
    pub fn each_turn<K: Ord>(
        &self,
        position: &Position,
        order: &dyn Fn(SingleMove) -> K,
        visit: &mut dyn FnMut(&[SingleMove]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if position.pool().is_optional() {
            visit(&[])?;
        }
        self.each_continuation(position, order, &mut Vec::new(), visit)
    }

    fn each_continuation<K: Ord>(
        &self,
        position: &Position,
        order: &dyn Fn(SingleMove) -> K,
        line: &mut Vec<SingleMove>,
        visit: &mut dyn FnMut(&[SingleMove]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut steps = self.steps(position);
        steps.sort_by_cached_key(|&(mv, _)| order(mv));
        for (mv, step) in steps {
            line.push(mv);
            match step {
                Step::Within(next) => self.each_continuation(&next, order, line, visit)?,
                Step::Ended(_) => visit(line)?,
            }
            line.pop();
        }
        ControlFlow::Continue(())
    }
}

/// The survey of a turn with nothing left to move.
const DONE: Survey = Survey { sequences: 0, ends: 1, quiet: Some(0), decides: false, truncated: false };

//! Counting turns to a depth: the yardstick of every move generator.

use super::Rules;
use crate::position::{Position, SingleMove};

/// What a count over turns comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Perft {
    /// Paths of turns: a pass is one turn, and each distinct outcome of a throw is followed once, whatever its weight.
    pub nodes: u64,
    /// Throws at the last turn.
    pub rolls: u64,
    /// Turns at the last turn: legal move sequences, and each forced pass as one.
    pub turns: u64,
    /// Distinct afterstates at the last turn, roll by roll.
    pub ends: u64,
    /// Forced passes at the last turn.
    pub passes: u64,
}

impl Perft {
    fn add(&mut self, other: Perft) {
        self.nodes += other.nodes;
        self.rolls += other.rolls;
        self.turns += other.turns;
        self.ends += other.ends;
        self.passes += other.passes;
    }
}

impl Rules {
    /// Counts the paths of `depth` turns. `stop` is asked between turns and ends the count early.
    pub fn perft(&self, position: &Position, depth: u32, stop: &dyn Fn() -> bool) -> Perft {
        let mut sum = Perft::default();
        if depth == 0 {
            sum.nodes = 1;
            return sum;
        }
        if stop() || self.outcome(position, false).is_some() {
            return sum;
        }
        if position.awaits_roll() {
            for outcome in self.outcomes(position).outcomes {
                sum.add(self.perft(&outcome.position, depth, stop));
            }
            return sum;
        }
        if depth > 1 {
            self.each_path(position, &mut |next| sum.add(self.perft(next, depth - 1, stop)));
            return sum;
        }
        sum.rolls = 1;
        if self.variant.has_dice() {
            let survey = self.survey(position);
            sum.passes = u64::from(survey.sequences == 0);
            sum.turns = survey.sequences + sum.passes;
            sum.ends = survey.ends;
        } else {
            let mut moves = Vec::new();
            self.single_moves(position, &mut moves);
            sum.turns = moves.len() as u64;
            sum.ends = sum.turns;
        }
        sum.nodes = sum.turns;
        sum
    }

    /// Every move sequence's end, each once for each sequence.
    fn each_path(&self, position: &Position, visit: &mut dyn FnMut(&Position)) {
        if !self.variant.has_dice() {
            let mut moves = Vec::new();
            self.single_moves(position, &mut moves);
            for mv in moves {
                visit(&self.after_single(position, mv));
            }
            return;
        }
        let mut passed = *position;
        passed.end_turn(self.variant, self.sliders);
        let steps = self.steps(position);
        if steps.is_empty() || position.pool().is_optional() {
            visit(&passed);
        }
        for (_, step) in steps {
            match step {
                super::Step::Ended(end) => visit(&end),
                super::Step::Within(next) => self.each_path(&next, visit),
            }
        }
    }

    /// The position after a turn of one single move.
    pub fn after_single(&self, position: &Position, mv: SingleMove) -> Position {
        let mut next = *position;
        next.play(self.variant, mv, &mut ());
        next.end_turn(self.variant, self.sliders);
        next
    }
}

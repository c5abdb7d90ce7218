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
        if !self.variant.has_dice() {
            let (moves, positions) = self.count_without_dice(position, depth, stop);
            return Perft { nodes: moves, turns: moves, ends: moves, rolls: positions, passes: 0 };
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
        let survey = self.survey(position);
        sum.passes = u64::from(survey.sequences == 0);
        sum.turns = survey.sequences + sum.passes;
        sum.ends = survey.ends;
        sum.nodes = sum.turns;
        sum
    }

    /// The same where every turn is one move: the moves of the last turn, which are counted and not made, and the
    /// positions that have any.
    fn count_without_dice(&self, position: &Position, depth: u32, stop: &dyn Fn() -> bool) -> (u64, u64) {
        if self.is_over_without_dice(position) {
            return (0, 0);
        }
        let mut sum = (0, 0);
        if depth == 1 {
            sum.0 = self.count_moves(position).unwrap_or_else(|| {
                let mut count = 0;
                self.each_single_move(position, &mut |_| count += 1);
                count
            });
            sum.1 = u64::from(sum.0 > 0);
        } else if !stop() {
            self.each_single_move(position, &mut |mv| {
                let (moves, positions) = self.count_without_dice(&self.after_single(position, mv), depth - 1, stop);
                sum = (sum.0 + moves, sum.1 + positions);
            });
        }
        sum
    }

    /// Every move sequence's end, each once for each sequence.
    fn each_path(&self, position: &Position, visit: &mut dyn FnMut(&Position)) {
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
        if !self.variant.has_dice() {
            next.play_without_dice(self.variant, mv);
            return next;
        }
        next.play(self.variant, mv, &mut ());
        next.end_turn(self.variant, self.sliders);
        next
    }
}

//! Finding the turn that takes the last enemy pawn, where series are too long to look through every turn.

use super::generate::{Effort, KeySet};
use super::{Rules, Turn};
use crate::board::{Color, Role};
use crate::position::{Position, SingleMove};
use crate::variant::Goal;

/// A position inside the series: where it comes from, and by which move.
struct Step {
    position: Position,
    parent: usize,
    mv: Option<SingleMove>,
}

impl Rules {
    /// A turn that takes the last enemy pawn, the shortest, where pawns are the goal and the tickets suffice: no move
    /// takes more than one, so that positions with more pawns than tickets are not looked into.
    pub fn turn_that_takes_the_last_pawn(&self, root: &Position, effort: Effort) -> Option<Turn> {
        let side = root.side().filter(|_| self.variant.goal == Goal::Pawns)?;
        let mut steps = vec![Step { position: *root, parent: 0, mv: None }];
        let mut seen = KeySet::default();
        let mut moves = Vec::new();
        let mut at = 0;
        while let Some(position) = steps.get(at).map(|step| step.position) {
            if !is_within_reach(&position, side) || (effort.stop)() {
                return None;
            }
            self.single_moves(&position, &mut moves);
            for &mv in &moves {
                let mut next = position;
                next.play(self.variant, mv, &mut ());
                if next.men(side.other(), Role::Pawn).is_empty() {
                    return Some(line(&steps, at, mv));
                }
                let lives = next.decided(self.variant).is_none() && is_within_reach(&next, side);
                if lives && steps.len() < effort.nodes && seen.insert(next.key()) {
                    steps.push(Step { position: next, parent: at, mv: Some(mv) });
                }
            }
            at += 1;
        }
        None
    }
}

fn is_within_reach(position: &Position, side: Color) -> bool {
    position.men(side.other(), Role::Pawn).count() as usize <= position.pool().len()
}

fn line(steps: &[Step], mut at: usize, last: SingleMove) -> Turn {
    let mut backwards = vec![last];
    while let Some(mv) = steps[at].mv {
        backwards.push(mv);
        at = steps[at].parent;
    }
    backwards.reverse();
    Turn::new(&backwards)
}

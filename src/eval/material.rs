//! The material balance: the plainest evaluation, and the yardstick of the others.

use super::{Evaluator, Linear, Score};
use crate::board::{Color, Piece, Role};
use crate::position::Position;
use crate::turns::Rules;
use crate::variant::{Goal, Variant};

/// Material alone.
pub struct Material;

/// The balance in centipawns at which a side is expected to score three quarters.
const HALF_WAY: i64 = 700;

/// What a man is worth in centipawns: P 100, N 300, B 300, R 500, Q 900; where pawns are the goal P 900, K 300.
pub(super) const fn worth(variant: &Variant, role: Role) -> i32 {
    match (role, variant.goal) {
        (Role::Pawn, Goal::Pawns) => 900,
        (Role::King, Goal::Pawns) => 300,
        (Role::Pawn, _) => 100,
        (Role::Knight | Role::Bishop, _) => 300,
        (Role::Rook, _) => 500,
        (Role::Queen, _) => 900,
        (Role::King, _) => 0,
    }
}

/// The material balance in centipawns from the view of a side.
pub fn material(variant: &Variant, position: &Position, view: Color) -> i32 {
    let side = |color| -> i32 {
        Role::ALL.into_iter().map(|role| worth(variant, role) * position.men(color, role).count() as i32).sum()
    };
    side(view) - side(view.other())
}

/// The expected result of a balance in centipawns.
pub(super) fn squash(balance: i32) -> Score {
    // A rational squash stays in integers, and so the same on every processor.
    let balance = i64::from(balance);
    Score((i64::from(Score::WIN.0) * balance / (balance.abs() + HALF_WAY)) as i32)
}

impl Evaluator for Material {
    fn evaluate(&self, rules: &Rules, position: &Position, view: Color) -> Score {
        squash(material(rules.variant, position, view))
    }

    fn units(&self, rules: &Rules, position: &Position, view: Color) -> i32 {
        material(rules.variant, position, view)
    }

    fn linear(&self, rules: &Rules, position: &Position, side: Color) -> Option<Linear> {
        let mut men = [[0; 64]; 12];
        for role in Role::ALL {
            men[Piece::new(side, role).index()] = [worth(rules.variant, role); 64];
            men[Piece::new(side.other(), role).index()] = [-worth(rules.variant, role); 64];
        }
        Some(Linear { base: material(rules.variant, position, side), men, bends: false, squash })
    }
}

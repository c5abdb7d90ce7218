//! The material balance: the plainest evaluation, and the yardstick of the others.

use super::{Evaluator, Linear, Score};
use crate::board::{Bitboard, Color, Piece, Role};
use crate::position::Position;
use crate::turns::Rules;
use crate::variant::{Goal, PromotionRule, Variant};

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

/// How much material a turn of so many moves can cost its own side, and bring it: what evaporates; the most valuable
/// men taken, and pawns promoted.
pub(super) fn swing(rules: &Rules, position: &Position, side: Color, moves: usize) -> (i32, i32) {
    let worth = |role| worth(rules.variant, role);
    let mut taken = 0;
    let mut left = moves;
    for role in [Role::Queen, Role::Pawn, Role::Rook, Role::King, Role::Bishop, Role::Knight] {
        // Where pawns are the goal they are worth as much as queens; elsewhere they come last, after this loop.
        if role == Role::Pawn && worth(role) < worth(Role::Knight) {
            continue;
        }
        let count = left.min(position.men(side.other(), role).count() as usize);
        taken += count as i32 * worth(role);
        left -= count;
    }
    taken += left as i32 * worth(Role::Pawn);
    let near = (1..=moves.min(6) as u8)
        .fold(Bitboard::EMPTY, |ranks, back| ranks | Bitboard::rank(side.relative_rank(7 - back)));
    let advanced = moves.min((position.men(side, Role::Pawn) & near).count() as usize) as i32;
    match rules.variant.promotion {
        PromotionRule::Evaporate => (advanced * worth(Role::Pawn), taken),
        _ => (0, taken + advanced * (worth(Role::Queen) - worth(Role::Pawn))),
    }
}

impl Evaluator for Material {
    fn evaluate(&self, rules: &Rules, position: &Position, view: Color) -> Score {
        squash(material(rules.variant, position, view))
    }

    fn reach(&self, rules: &Rules, position: &Position, side: Color, moves: usize) -> Option<(Score, Score)> {
        let base = material(rules.variant, position, side);
        let (loss, gain) = swing(rules, position, side, moves);
        Some((squash(base - loss), squash(base + gain)))
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
        Some(Linear { base: material(rules.variant, position, side), men, nearness: None, squash })
    }
}

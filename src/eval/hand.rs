//! A simple two-sided evaluation by hand: material, the advance of pawns, and the nearness of men to the enemy king.

use super::linear::distance;
use super::material::{squash, swing, worth};
use super::{Evaluator, Linear, Score};
use crate::board::{Color, Piece, Role, Square};
use crate::position::Position;
use crate::turns::Rules;
use crate::variant::{Goal, Variant};

/// The evaluation by hand.
pub struct Hand;

/// For a rank of a pawn's advance.
const ADVANCE: i32 = 15;

/// For a step of nearness to the enemy king, out of eight.
const fn nearness(role: Role) -> i32 {
    match role {
        Role::Knight | Role::Bishop => 15,
        Role::Rook => 25,
        Role::Queen => 40,
        Role::Pawn | Role::King => 0,
    }
}

/// What a man is worth to his own side, the enemy king standing on a square.
fn value(variant: &Variant, color: Color, role: Role, square: Square, enemy_king: Option<Square>) -> i32 {
    let mut value = worth(variant, role);
    if role == Role::Pawn {
        value += ADVANCE * (i32::from(color.relative_rank(square.rank())) - 1);
    }
    match enemy_king.filter(|_| !matches!(variant.goal, Goal::Pawns)) {
        Some(king) => value + nearness(role) * (8 - distance(square, king)),
        None => value,
    }
}

fn sum(rules: &Rules, position: &Position, view: Color) -> i32 {
    let side = |color: Color| -> i32 {
        let king = position.king(color.other());
        let of_role = |role| {
            let men = position.men(color, role);
            men.map(|square| value(rules.variant, color, role, square, king)).sum::<i32>()
        };
        Role::ALL.into_iter().map(of_role).sum()
    };
    side(view) - side(view.other())
}

impl Evaluator for Hand {
    fn evaluate(&self, rules: &Rules, position: &Position, view: Color) -> Score {
        squash(sum(rules, position, view))
    }

    fn reach(&self, rules: &Rules, position: &Position, side: Color, moves: usize) -> Option<(Score, Score)> {
        let base = sum(rules, position, side);
        let (loss, gain) = swing(rules, position, side, moves);
        // A move brings a man nearer by seven steps at most, or takes one that stood near; and a step of the own king
        // brings him nearer to all enemies, or away from them. Pawns advance, and lose their advance where they vanish.
        let enemies = |role| nearness(role) * position.men(side.other(), role).count() as i32;
        let king: i32 = Role::ALL.into_iter().map(enemies).sum();
        let step = 8 * nearness(Role::Queen) + king + 8 * ADVANCE;
        let steps = moves as i32 * step;
        Some((squash(base - loss - steps), squash(base + gain + 2 * steps)))
    }

    fn units(&self, rules: &Rules, position: &Position, view: Color) -> i32 {
        sum(rules, position, view)
    }

    fn linear(&self, rules: &Rules, position: &Position, side: Color) -> Option<Linear> {
        let mut men = [[0; 64]; 12];
        let enemy = side.other();
        let (own_king, enemy_king) = (position.king(side), position.king(enemy));
        let squares = || (0..64).map(Square::from_index_masked);
        for role in Role::ALL {
            for square in squares() {
                men[Piece::new(side, role).index()][square.usize()] =
                    value(rules.variant, side, role, square, enemy_king);
                men[Piece::new(enemy, role).index()][square.usize()] =
                    -value(rules.variant, enemy, role, square, own_king);
            }
        }
        // Where the own king goes, the enemy's men are nearer to him or farther.
        if let Some(from) = own_king.filter(|_| !matches!(rules.variant.goal, Goal::Pawns)) {
            let row = &mut men[Piece::new(side, Role::King).index()];
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                for man in position.men(enemy, role) {
                    for square in squares() {
                        row[square.usize()] += nearness(role) * (distance(man, square) - distance(man, from));
                    }
                }
            }
        }
        Some(Linear { base: sum(rules, position, side), men, nearness: Some(Role::ALL.map(nearness)), squash })
    }
}

//! What the network sees of a position: men, men as seen from the kings, and who attacks a king now.
//!
//! Each side has its own view: the board turned so that it moves up, and mirrored so that its king stands on the files
//! a to d. Castling rights and en-passant targets are not seen.

use crate::board::{Color, Piece, Role, Square};
use crate::position::Position;
use crate::turns::Rules;

/// Men on squares: own ones first, by role, square by square.
pub const MEN: usize = 2 * 6 * 64;
/// Men by where they stand as seen from the own king: five roles of one's own and six of the enemy, 15 × 15 steps.
pub const STEPS: usize = 11 * 225;
/// The sets of roles by which the enemy king, and the own king, are attacked; an empty set is not seen.
pub const ATTACKS: usize = 2 * 64;
/// All inputs.
pub const INPUTS: usize = MEN + STEPS + ATTACKS;
/// Kinds of material that have an output of their own.
pub const STAGES: usize = 4;

/// A square as seen by a side.
pub fn turned(square: Square, view: Color) -> Square {
    match view {
        Color::White => square,
        Color::Black => square.flip(),
    }
}

/// A square mirrored from wing to wing.
fn mirrored(square: Square) -> Square {
    Square::on(7 - square.file(), square.rank())
}

/// The input of a man on a square, and that of where he stands from the own king (none for that king, or without one).
///
/// Squares are turned, but not mirrored.
pub fn man(is_own: bool, role: Role, square: Square, king: Option<Square>) -> (usize, Option<usize>) {
    let mirror = king.is_some_and(|king| king.file() >= 4);
    let see = |square| if mirror { mirrored(square) } else { square };
    let (square, king) = (see(square), king.map(see));
    let kind = usize::from(!is_own) * 6 + role.index();
    let steps = king.filter(|_| !(is_own && role == Role::King)).map(|king| {
        let class = if is_own { role.index() } else { 5 + role.index() };
        let file = usize::from(7 + square.file() - king.file());
        let rank = usize::from(7 + square.rank() - king.rank());
        MEN + class * 225 + rank * 15 + file
    });
    (kind * 64 + square.usize(), steps)
}

/// The input of a set of roles that attack the enemy king, or by which the own king is attacked.
pub fn attack(on_own_king: bool, roles: u8) -> Option<usize> {
    (roles & 63 != 0).then(|| MEN + STEPS + usize::from(on_own_king) * 64 + usize::from(roles & 63))
}

/// All inputs of a position as a side sees it.
pub fn inputs(rules: &Rules, position: &Position, view: Color, mut show: impl FnMut(usize)) {
    let king = position.king(view).map(|king| turned(king, view));
    for square in position.occupied() {
        let Some(piece) = position.man(square) else { continue };
        let (place, steps) = man(piece.color() == view, piece.role(), turned(square, view), king);
        show(place);
        steps.into_iter().for_each(&mut show);
    }
    let sets = [rules.attacking_roles(position, view), rules.attacking_roles(position, view.other())];
    attack(false, sets[0]).into_iter().chain(attack(true, sets[1])).for_each(&mut show);
}

/// Which output a position has, by the number of its men.
pub fn stage(position: &Position) -> usize {
    stage_of(position.occupied().count())
}

/// Which output that many men have.
pub fn stage_of(men: u32) -> usize {
    match men {
        0..=8 => 0,
        9..=16 => 1,
        17..=24 => 2,
        _ => 3,
    }
}

/// What a piece is to a side: own or not, and its role.
pub fn kind_of(piece: Piece, view: Color) -> usize {
    usize::from(piece.color() != view) * 6 + piece.role().index()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_distinct_and_in_range() {
        let squares = || (0..64).filter_map(Square::new);
        for king in squares().filter(|king| king.file() < 4) {
            let mut seen = std::collections::HashSet::new();
            for (is_own, role) in [true, false].into_iter().flat_map(|own| Role::ALL.map(|role| (own, role))) {
                for square in squares() {
                    let (place, steps) = man(is_own, role, square, Some(king));
                    assert!(place < MEN && seen.insert(place));
                    assert_eq!(steps.is_none(), is_own && role == Role::King);
                    assert!(steps.is_none_or(|steps| (MEN..MEN + STEPS).contains(&steps) && seen.insert(steps)));
                    // Mirrored the same is seen.
                    assert_eq!(man(is_own, role, mirrored(square), Some(mirrored(king))), (place, steps));
                }
            }
        }
        assert_eq!((attack(false, 0), attack(true, 63)), (None, Some(INPUTS - 1)));
    }
}

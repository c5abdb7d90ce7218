//! Steps of many pawns at once.

use crate::board::{Bitboard, Color, Square};

/// How far the four steps lead (one square, two, taking to either side), as shifts to the left round the board.
pub const SHIFTS: [[u32; 4]; 2] = [[8, 16, 7, 9], [56, 48, 55, 57]];
/// The double step among them.
pub const DOUBLE: usize = 1;
/// The steps from here on take.
pub const TAKES: usize = 2;

/// What the steps of pawns depend on besides themselves.
#[derive(Clone, Copy)]
pub struct Ground {
    /// All occupied squares.
    pub occupied: Bitboard,
    /// The squares that a pawn may take on.
    pub takable: Bitboard,
}

impl Ground {
    /// Where pawns of a side get by each step.
    #[inline(always)]
    pub fn steps(&self, side: Color, pawns: Bitboard) -> [Bitboard; 4] {
        let [one, _, left, right] = SHIFTS[side.index()];
        let single = shift(pawns, one) & !self.occupied;
        let double = shift(single & Bitboard::rank(side.relative_rank(2)), one) & !self.occupied;
        let takes = |edge: u8, by: u32| shift(pawns & !Bitboard::file(edge), by) & self.takable;
        [single, double, takes(0, left), takes(7, right)]
    }
}

/// Squares shifted to the left round the board's 64.
#[inline(always)]
pub fn shift(squares: Bitboard, by: u32) -> Bitboard {
    Bitboard(squares.0.rotate_left(by))
}

/// The square from which a shift leads to another.
#[inline]
pub fn behind(to: Square, by: u32) -> Square {
    Square::from_index_masked(to.index().wrapping_sub(by as u8))
}

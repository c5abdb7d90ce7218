//! Evaluations that are sums over men and squares, so that a turn's end costs a few additions.

use super::Score;
use crate::board::{Piece, Role, Square};
use crate::position::Observer;

/// A static value as a sum over men: exact for every end of one turn of a side from a given position.
///
/// Units are the evaluator's own, from the side's view; what it takes off the board is taken off the sum.
pub struct Linear {
    /// The value of the position itself.
    pub base: i32,
    /// What a man on a square is worth.
    pub men: [[i32; 64]; 12],
    /// What a step of nearness to the side's king is worth to an enemy of a role: where the king moves and something is
    /// taken in one turn, the sum is off by that of what was taken; see [`Linear::bend`]. None where it never is.
    pub nearness: Option<[i32; 6]>,
    /// From units to a score.
    pub squash: fn(i32) -> Score,
}

/// The sum as it changes with the men on the board.
#[derive(Clone, Copy)]
pub struct Sum<'a> {
    /// The value so far.
    pub value: i32,
    /// The table.
    pub linear: &'a Linear,
}

impl<'a> Sum<'a> {
    /// The sum of the table's own position.
    pub fn new(linear: &'a Linear) -> Sum<'a> {
        Sum { value: linear.base, linear }
    }
}

impl Linear {
    /// What a man on a square is worth.
    #[inline]
    pub fn man(&self, piece: Piece, square: Square) -> i32 {
        self.men[piece.index()][square.usize()]
    }

    /// What has to be added to the sum where the side's king has gone from one square to another and a man of a role on
    /// a square was taken.
    #[inline]
    pub fn bend(&self, role: Role, square: Square, from: Square, to: Square) -> i32 {
        let nearness = self.nearness.map_or(0, |nearness| nearness[role.index()]);
        nearness * (distance(square, from) - distance(square, to))
    }
}

/// How many steps a king needs from one square to the other (Chebyshev).
pub(super) fn distance(a: Square, b: Square) -> i32 {
    i32::from(a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())))
}

impl Observer for Sum<'_> {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.value += self.linear.man(piece, square);
    }

    #[inline]
    fn take(&mut self, piece: Piece, square: Square) {
        self.value -= self.linear.man(piece, square);
    }
}

//! Evaluations that are sums over men and squares, so that a turn's end costs a few additions.

use super::Score;
use crate::board::{Piece, Square};
use crate::position::Observer;

/// A static value as a sum over men: exact for every end of one turn of a side from a given position.
///
/// Units are the evaluator's own, from the side's view; what it takes off the board is taken off the sum.
pub struct Linear {
    /// The value of the position itself.
    pub base: i32,
    /// What a man on a square is worth.
    pub men: [[i32; 64]; 12],
    /// Whether a turn in which the side's king moves and something is taken may be off, and must be evaluated in full.
    pub bends: bool,
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

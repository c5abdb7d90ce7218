//! The hidden units of both views as they change with the men on the board.

use super::network::Network;
use super::simd::{Row, add, subtract};
use crate::board::{Color, Piece, Role, Square};
use crate::position::{Observer, Position};

/// The units of both views, by men alone; attacks on kings are added where a value is asked for.
#[derive(Clone, Copy)]
pub struct Accumulator<'n> {
    network: &'n Network,
    units: [Row; 2],
    /// Where the rows of each view begin.
    base: [usize; 2],
    /// Views whose king has moved: every man is seen anew.
    stale: [bool; 2],
}

impl<'n> Accumulator<'n> {
    /// The units of a position.
    pub fn new(network: &'n Network, position: &Position) -> Accumulator<'n> {
        Accumulator {
            network,
            units: Color::ALL.map(|view| network.men_of(position, view)),
            base: Color::ALL.map(|view| Network::base_of(position.king(view), view)),
            stale: [false; 2],
        }
    }

    /// The units of a view, worked out anew where its king has moved; the position must be the one reached.
    #[inline]
    pub fn units(&self, position: &Position, view: Color) -> Row {
        let at = view.index();
        if self.stale[at] { self.network.men_of(position, view) } else { self.units[at] }
    }

    #[inline]
    fn change(&mut self, piece: Piece, square: Square, how: impl Fn(&mut Row, &Row)) {
        for view in Color::ALL {
            let at = view.index();
            if piece.role() == Role::King && piece.color() == view {
                self.stale[at] = true;
            } else if !self.stale[at] {
                how(&mut self.units[at], self.network.man(self.base[at], piece, square, view));
            }
        }
    }
}

impl Observer for Accumulator<'_> {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.change(piece, square, add);
    }

    #[inline]
    fn take(&mut self, piece: Piece, square: Square) {
        self.change(piece, square, subtract);
    }
}

//! The hidden units of both views as they change with the men on the board.

use super::features::stage_of;
use super::network::{Head, Network};
use super::simd::{Change, Row, add, subtract};
use crate::board::{Color, Piece, Role, Square};
use crate::position::{Observer, Position};

/// The most changes of the board that are remembered: a turn of three dice makes nine at most.
const MOST: usize = 12;

/// The units of both views, by men alone; attacks on kings are added where a value is asked for.
#[derive(Clone, Copy)]
pub struct Accumulator<'n> {
    network: &'n Network,
    root: &'n Position,
    units: [Row; 2],
    /// Where the rows of each view begin.
    base: [usize; 2],
    /// What has changed since the root: where a king moves, his view is built anew from there.
    changes: [(Piece, Square, bool); MOST],
    len: usize,
}

impl<'n> Accumulator<'n> {
    /// The units of a position.
    pub fn new(network: &'n Network, root: &'n Position) -> Accumulator<'n> {
        let nothing = (Piece::new(Color::White, Role::Pawn), Square::on(0, 0), false);
        Accumulator {
            network,
            root,
            units: Color::ALL.map(|view| network.men_of(root, view)),
            base: Color::ALL.map(|view| Network::base_of(root.king(view), view)),
            changes: [nothing; MOST],
            len: 0,
        }
    }

    /// The units of a view.
    #[inline]
    pub fn units(&self, view: Color) -> &Row {
        &self.units[view.index()]
    }

    /// The logit for the side about to roll, where the enemy's king is attacked by these roles and its own by those, and
    /// so many men are left.
    pub fn logit(&self, roller: Color, attacks: [u8; 2], men: u32, head: Head) -> i32 {
        let [theirs, ours] = attacks;
        let (mut own, mut other) = (*self.units(roller), *self.units(roller.other()));
        for (units, sets) in [(&mut own, [theirs, ours]), (&mut other, [ours, theirs])] {
            add(units, self.network.attack(false, sets[0]));
            add(units, self.network.attack(true, sets[1]));
        }
        let change = Change { more: [&Row::ZERO; 2], less: [&Row::ZERO; 2] };
        self.network.logit([&own, &other], &change, stage_of(men), head)
    }

    /// Builds a view anew around its king's new square.
    fn turn(&mut self, view: Color, king: Square) {
        let base = Network::base_of(Some(king), view);
        let mut units = self.network.men_around(self.root, base, view);
        for &(piece, square, comes) in self.changes.iter().take(self.len) {
            let row = self.network.man(base, piece, square, view);
            if comes { add(&mut units, row) } else { subtract(&mut units, row) }
        }
        self.units[view.index()] = units;
        self.base[view.index()] = base;
    }

    #[inline]
    fn change(&mut self, piece: Piece, square: Square, comes: bool) {
        if let Some(slot) = self.changes.get_mut(self.len) {
            *slot = (piece, square, comes);
            self.len += 1;
        }
        for view in Color::ALL {
            if comes && piece.role() == Role::King && piece.color() == view {
                self.turn(view, square);
                continue;
            }
            let at = view.index();
            let row = self.network.man(self.base[at], piece, square, view);
            if comes { add(&mut self.units[at], row) } else { subtract(&mut self.units[at], row) }
        }
    }
}

impl Observer for Accumulator<'_> {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.change(piece, square, true);
    }

    #[inline]
    fn take(&mut self, piece: Piece, square: Square) {
        self.change(piece, square, false);
    }
}

//! Twins: afterstates that more than one line of the walk may lead to, told apart from those that only one can.
//!
//! The order in which the lower number goes first wherever both orders are possible is the only one walked of three
//! single moves by three different men. So an afterstate can have twins only where it does not tell who moved where:
//! a man moved twice (by one square or another), men of one role changed places, a pawn took (and may have been another
//! pawn), or a pawn became what another die moved. Everything else needs no table to be shown once.

use super::{Last, MEN};
use crate::board::{Bitboard, Role};

/// All six roles.
const ALL: u8 = 63;

/// A move made before the last die.
#[derive(Clone, Copy)]
struct Mover<'a> {
    last: &'a Last<'a>,
}

impl Mover<'_> {
    fn role(&self) -> Role {
        self.last.role
    }

    /// Whether it is a pawn that went straight on.
    fn is_straight(&self) -> bool {
        self.last.mv.from.file() == self.last.mv.to.file()
    }

    /// The targets of another man of its role, each moved once, with which the afterstate may have twins.
    fn twins(&self, man: usize, targets: Bitboard, reach: &[Bitboard; MEN]) -> Bitboard {
        let &Last { mv, man: other, role, .. } = self.last;
        if role == Role::Pawn {
            // Pawns of a file keep their order, and takers show by who is missing: straight on, nobody changes places.
            return if self.is_straight() { targets & !reach[man] } else { targets };
        }
        // Changing places takes two men who reach both squares, even on an empty board. On the square that the other
        // has left a man may look like one who never moved.
        let swaps = if reach[man].has(mv.to) { targets & reach[other] } else { Bitboard::EMPTY };
        swaps | (targets & mv.from.bit())
    }
}

/// What tells of the last die's moves which may have twins.
pub(super) struct Twins<'a> {
    /// The moves before.
    movers: Option<[Mover<'a>; 2]>,
    /// The roles of which no move has a twin, but by promotion.
    clear: u8,
    /// The roles of which each may.
    clouded: u8,
    reach: &'a [Bitboard; MEN],
}

impl<'a> Twins<'a> {
    /// Nothing is known: everything may have twins.
    pub(super) fn unknown(reach: &'a [Bitboard; MEN]) -> Twins<'a> {
        Twins { movers: None, clear: 0, clouded: ALL, reach }
    }

    /// After a move that is the second; also whether what they lead to can have twins itself. `castling` says that
    /// castling may look like a move of the king and one of the rook.
    pub(super) fn after(last: &'a Last<'a>, reach: &'a [Bitboard; MEN], castling: bool) -> Twins<'a> {
        let Some(first) = last.first else { return Twins::unknown(reach) };
        let (one, two) = (Mover { last: first }, Mover { last });
        let promotes = first.mv.promotion.is_some() || last.mv.promotion.is_some();
        if promotes || first.man == last.man {
            return Twins::unknown(reach);
        }
        let (a, b) = (one.role(), two.role());
        let mut clear = ALL & !(1 << a.index() | 1 << b.index());
        let mut clouded = 0;
        if a == b {
            if !one.twins(last.man, last.mv.to.bit(), reach).is_empty() || (a == Role::Pawn && !two.is_straight()) {
                return Twins::unknown(reach);
            }
            clouded = if a == Role::Pawn { 0 } else { 1 << a.index() };
        }
        if castling {
            let pair = 1 << Role::King.index() | 1 << Role::Rook.index();
            let spent = (1 << a.index() | 1 << b.index()) & pair;
            if spent == pair {
                return Twins::unknown(reach);
            }
            if spent != 0 {
                clear &= !(pair ^ spent);
                clouded |= pair ^ spent;
            }
        }
        Twins { movers: Some([one, two]), clear, clouded, reach }
    }

    /// Whether the position before the last die can be reached by one line only.
    pub(super) fn is_unique(&self) -> bool {
        self.movers.is_some()
    }

    /// The targets of a man with the last die where a table must tell whether they were shown; promotions apart.
    #[inline]
    pub(super) fn of(&self, man: usize, role: Role, targets: Bitboard) -> Bitboard {
        if self.clear >> role.index() & 1 != 0 { Bitboard::EMPTY } else { self.in_doubt(man, role, targets) }
    }

    fn in_doubt(&self, man: usize, role: Role, targets: Bitboard) -> Bitboard {
        let Some(movers) = self.movers.filter(|_| self.clouded >> role.index() & 1 == 0) else { return targets };
        if movers.iter().any(|mover| mover.last.man == man) {
            return targets;
        }
        let same = movers.iter().filter(|mover| mover.role() == role);
        same.fold(Bitboard::EMPTY, |twins, mover| twins | mover.twins(man, targets, self.reach))
    }

    /// Whether a promotion with the last die may have twins: where another die moved a man of the new role, or a pawn.
    pub(super) fn of_promotion(&self, role: Role) -> bool {
        let plain = |mover: &Mover| mover.role() != role && mover.role() != Role::Pawn;
        self.clear >> Role::Pawn.index() & 1 == 0 || !self.movers.is_some_and(|movers| movers.iter().all(plain))
    }
}

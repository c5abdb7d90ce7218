//! Twins: afterstates that more than one line of the walk may lead to, told apart from those that only one can.
//!
//! The order in which the lower number goes first wherever both orders are possible is the only one walked of three
//! single moves by three different men. So an afterstate can have twins only where it does not tell who moved where:
//! a man moved twice (by one square or another), men of one role changed places, one of several pawns took (and may have
//! been another), or a pawn became what another die moved. Everything else needs no table to be shown once.

use super::{Last, MEN};
use crate::board::{Bitboard, Role};

/// All six roles.
const ALL: u8 = 63;

/// What tells which of the last die's moves may have twins.
pub(super) struct Twins<'a> {
    /// The two moves before, of different men; none where everything may have twins.
    movers: Option<[&'a Last<'a>; 2]>,
    /// The roles of which no move has a twin.
    clear: u8,
    /// The roles of which each may.
    clouded: u8,
    reach: &'a [Bitboard; MEN],
}

/// Which pawn moves of the last die may have twins, promotions apart.
pub(super) struct PawnTwins {
    pub straight: bool,
    pub taking: bool,
    /// Where any may.
    pub squares: Bitboard,
}

impl<'a> Twins<'a> {
    /// Nothing is known: everything may have twins.
    pub(super) fn unknown(reach: &'a [Bitboard; MEN]) -> Twins<'a> {
        Twins { movers: None, clear: 0, clouded: ALL, reach }
    }

    /// After a move that is the second. `castling` says that castling may look like a move of the king and one of the
    /// rook.
    #[inline]
    pub(super) fn after(last: &'a Last<'a>, reach: &'a [Bitboard; MEN], castling: bool) -> Twins<'a> {
        let Some(first) = last.first.filter(|first| first.man != last.man) else { return Twins::unknown(reach) };
        let (a, b) = (first.role, last.role);
        let mut clear = ALL & !(1 << a.index() | 1 << b.index());
        let mut clouded = 0;
        for (mover, other) in [(first, b), (last, a)] {
            if let Some(role) = mover.mv.promotion {
                // The new man may look like one that the die of his role moved there.
                if role == other {
                    return Twins::unknown(reach);
                }
                clear &= !(1 << role.index());
                clouded |= 1 << role.index();
            }
        }
        if a == b {
            if are_twins(first, last, reach) {
                return Twins::unknown(reach);
            }
            if a != Role::Pawn || first.mv.promotion.is_some() || last.mv.promotion.is_some() {
                clouded |= 1 << a.index();
            }
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
        Twins { movers: Some([first, last]), clear, clouded, reach }
    }

    /// Whether the position before the last die can be reached by one line only.
    pub(super) fn is_unique(&self) -> bool {
        self.movers.is_some()
    }

    /// The targets of a man who is no pawn where a table must tell whether they were shown.
    #[inline]
    pub(super) fn of(&self, man: usize, role: Role, targets: Bitboard) -> Bitboard {
        let bit = 1 << role.index();
        if self.clear & bit != 0 {
            return Bitboard::EMPTY;
        }
        let Some([first, last]) = self.movers.filter(|_| self.clouded & bit == 0) else { return targets };
        if first.man == man || last.man == man {
            return targets;
        }
        changed_places(if first.role == role { first } else { last }, man, targets, self.reach)
    }

    /// The moves of pawns who have not moved before where a table must tell.
    #[inline]
    pub(super) fn of_pawns(&self) -> PawnTwins {
        let bit = 1 << Role::Pawn.index();
        let mut twins = PawnTwins { straight: false, taking: false, squares: Bitboard::EMPTY };
        if self.clear & bit != 0 {
            return twins;
        }
        let Some(movers) = self.movers.filter(|_| self.clouded & bit == 0) else {
            return PawnTwins { straight: true, taking: true, ..twins };
        };
        for mover in movers.into_iter().filter(|mover| mover.role == Role::Pawn) {
            if mover.mv.promotion.is_some() {
                // Who vanished tells who was promoted, unless another has come to his square.
                twins.squares |= mover.mv.from.bit();
            } else {
                twins.taking = true;
                twins.straight |= !is_straight(mover);
            }
        }
        twins
    }

    /// Whether a promotion of a pawn who has not moved before may have twins.
    pub(super) fn of_promotion(&self, role: Role, straight: bool) -> bool {
        let Some([first, last]) = self.movers else { return true };
        let (a, b) = (first.role, last.role);
        if a == role || b == role || self.clouded >> Role::Pawn.index() & 1 != 0 || (a == b && a == Role::Pawn) {
            return true;
        }
        // Two pawns who both promote can change places only if both take.
        let taker = |mover: &Last| mover.mv.promotion.is_some() && !is_straight(mover);
        !straight && (taker(first) || taker(last))
    }
}

/// Whether it is a pawn that went straight on.
fn is_straight(mover: &Last) -> bool {
    mover.mv.from.file() == mover.mv.to.file()
}

/// Whether two moves by men of one role may lead where others of that role do.
fn are_twins(first: &Last, last: &Last, reach: &[Bitboard; MEN]) -> bool {
    if first.role != Role::Pawn {
        return !changed_places(first, last.man, last.mv.to.bit(), reach).is_empty();
    }
    match (first.mv.promotion, last.mv.promotion) {
        // Pawns of a file keep their order, and takers show by what is missing: straight on, nobody changes places.
        (None, None) => !(is_straight(first) && is_straight(last)),
        (Some(_), Some(_)) => !(is_straight(first) || is_straight(last)),
        (Some(_), None) => first.mv.from == last.mv.to,
        (None, Some(_)) => false,
    }
}

/// The targets of a man, no pawn, with which he and another of his role, each moved once, may have changed places, or
/// one of them moved twice. Changing places takes two who reach both squares, even on an empty board; and on the square
/// that the other has left a man may look like one who never moved.
#[inline]
fn changed_places(other: &Last, man: usize, targets: Bitboard, reach: &[Bitboard; MEN]) -> Bitboard {
    let swaps = if reach[man].has(other.mv.to) { targets & reach[other.man] } else { Bitboard::EMPTY };
    swaps | (targets & other.mv.from.bit())
}

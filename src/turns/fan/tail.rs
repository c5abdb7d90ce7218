//! The last die: the board as far as it is needed to show where the last moves end, without making any of them.

use super::state::{Sight, State};
use super::{Rules, end_key};
use crate::board::{Bitboard, Color, Piece, Role, Square, zobrist};
use crate::position::{MoveKind, Observer, Position, SingleMove, Wing};

/// The homes of the rooks with which castling is still possible, White's two first; and the mover's king.
#[derive(Clone, Copy)]
pub struct Homes {
    rooks: [Option<Square>; 4],
    king: Option<Square>,
    side: Color,
}

impl Homes {
    fn new(position: &Position, side: Color) -> Homes {
        let [white, black] = Color::ALL.map(|color| Wing::ALL.map(|wing| position.castling_rook(color, wing)));
        let rooks = [white[0], white[1], black[0], black[1]];
        Homes { rooks, king: position.king(side), side }
    }

    fn is_own(&self, index: usize) -> bool {
        index / 2 == self.side.index()
    }

    /// The squares on which a move of the mover loses a right.
    fn squares(&self) -> Bitboard {
        let rooks: Bitboard = self.rooks.into_iter().flatten().collect();
        let own = (0..4).any(|index| self.is_own(index) && self.rooks[index].is_some());
        rooks | self.king.filter(|_| own).map_or(Bitboard::EMPTY, Square::bit)
    }

    /// Loses what a move of the mover between two squares loses, and gives the change of the key.
    fn lose(&mut self, from: Square, to: Square) -> u64 {
        let mut key = 0;
        for index in 0..4 {
            let Some(rook) = self.rooks[index] else { continue };
            if rook == from || rook == to || (self.is_own(index) && self.king == Some(from)) {
                key ^= zobrist::home(rook);
                self.rooks[index] = None;
            }
        }
        if self.king == Some(from) {
            self.king = Some(to);
        }
        key
    }

    /// The change of the key when the enemy loses all.
    fn enemy(&self) -> u64 {
        let lost = |index: usize| if self.is_own(index) { None } else { self.rooks[index] };
        (0..4).filter_map(lost).fold(0, |key, rook| key ^ zobrist::home(rook))
    }
}

/// A position before the last die, as far as keys need it.
#[derive(Clone, Copy)]
pub struct Tail {
    pub sight: Sight,
    pub enemies: Bitboard,
    /// The squares on which a move touches an en-passant target.
    pub passing: Bitboard,
    /// Those among them where the target is the mover's own, and outlives the turn.
    pub own_passing: Bitboard,
    own_targets: Bitboard,
    /// The squares on which a move loses a right.
    pub rights: Bitboard,
    homes: Homes,
    /// The key of the afterstate if the turn ended here.
    pub key: u64,
    side: Color,
}

impl Tail {
    /// Of a position.
    pub fn new(position: &Position, side: Color) -> Tail {
        let homes = Homes::new(position, side);
        let own_rank = Bitboard::rank(side.relative_rank(2));
        let own_targets = position.targets() & own_rank;
        let with_pawns = |targets: Bitboard| targets.fold(targets, |squares, target| squares | pusher(target).bit());
        Tail {
            sight: Sight {
                occupied: position.occupied(),
                own: position.of(side),
                passed: position.targets() & Bitboard::rank(side.relative_rank(5)),
            },
            enemies: position.of(side.other()),
            passing: with_pawns(position.targets()),
            own_passing: with_pawns(own_targets),
            own_targets,
            rights: homes.squares(),
            homes,
            key: end_key(position, side),
            side,
        }
    }

    /// The change of the key by the own rights that go when the man on a square moves.
    pub fn rights_of(&self, from: Square) -> u64 {
        let mut homes = self.homes;
        homes.lose(from, from)
    }

    /// The key of the afterstate after the last move of a turn, which is no castling: the enemy's targets are gone by
    /// then, whatever it touches.
    pub fn last_key(&self, mv: SingleMove, piece: Piece, taken: Option<Piece>) -> u64 {
        let touched = mv.from.bit() | mv.to.bit();
        let arrives = mv.promotion.map_or(piece, |role| Piece::new(self.side, role));
        let mut key = self.key ^ zobrist::man(piece, mv.from) ^ zobrist::man(arrives, mv.to);
        if let Some(taken) = taken {
            key ^= zobrist::man(taken, mv.to);
            if taken.role() == Role::King {
                // A pawn that takes a king on the last rank stays a pawn, and the enemy's rights end.
                let mut homes = self.homes;
                let own = homes.lose(mv.from, mv.to);
                return self.without_touched(key, mv) ^ own ^ homes.enemy();
            }
        }
        if mv.kind == MoveKind::DoubleStep {
            key ^= zobrist::target(Square::on(mv.to.file(), self.side.relative_rank(2)));
        }
        if mv.kind == MoveKind::EnPassant {
            let victim = Square::on(mv.to.file(), mv.from.rank());
            key ^= zobrist::man(Piece::new(self.side.other(), Role::Pawn), victim);
        }
        if touched.intersects(self.rights) {
            let mut homes = self.homes;
            key ^= homes.lose(mv.from, mv.to);
        }
        self.without_touched(key, mv)
    }

    /// The key without the own targets that a move ends: by landing there, or by moving the pawn on.
    fn without_touched(&self, mut key: u64, mv: SingleMove) -> u64 {
        if (mv.from.bit() | mv.to.bit()).intersects(self.own_passing) {
            for target in self.own_targets.filter(|&target| target == mv.to || pusher(target) == mv.from) {
                key ^= zobrist::target(target);
            }
        }
        key
    }

    /// The tail after a move that has such a key.
    #[inline]
    pub fn after(&self, mv: SingleMove, key: u64) -> Tail {
        let (from, to) = (mv.from.bit(), mv.to.bit());
        let mut next = Tail { key, ..*self };
        next.sight.occupied = (self.sight.occupied ^ from) | to;
        next.sight.own = self.sight.own ^ from ^ to;
        next.enemies = self.enemies & !to;
        if mv.kind == MoveKind::DoubleStep {
            let target = Square::on(mv.to.file(), self.side.relative_rank(2)).bit();
            next.own_targets |= target;
            next.own_passing |= to | target;
            next.passing |= to | target;
        }
        if (from | to).intersects(self.rights) {
            next.homes.lose(mv.from, mv.to);
            next.rights = next.homes.squares();
        }
        next
    }
}

/// The square of the pawn that has passed a target.
fn pusher(target: Square) -> Square {
    Square::on(target.file(), if target.rank() == 2 { 3 } else { 4 })
}

/// The key of the afterstate after a move that ends the turn, by making it.
pub fn made_key<O: Observer + Copy>(rules: &Rules, state: &State<O>, mv: SingleMove) -> u64 {
    let mut position = state.position;
    position.displace(rules.variant, mv, &mut ());
    end_key(&position, state.side)
}

//! Making a single move and ending a turn.

use super::{MoveKind, NO_HOME, Pool, Position, SingleMove, Ticket, Wing};
use crate::board::{Color, Piece, Role, Sliders, Square, zobrist};
use crate::variant::{Allowance, CastlingCost, CastlingRule, PromotionRule, Schedule, Variant};

/// Told of every man that appears on or disappears from a square. `()` is the observer that does nothing.
pub trait Observer {
    /// A man now stands on the square.
    fn put(&mut self, piece: Piece, square: Square);
    /// The man on the square is gone from it.
    fn take(&mut self, piece: Piece, square: Square);
}

impl Observer for () {
    #[inline(always)]
    fn put(&mut self, _: Piece, _: Square) {}
    #[inline(always)]
    fn take(&mut self, _: Piece, _: Square) {}
}

impl Position {
    /// Makes a single move and spends its ticket. The move must be one that the generator gives here.
    ///
    /// The turn is not ended, even where nothing is left to move.
    pub fn play(&mut self, variant: &Variant, mv: SingleMove, observer: &mut impl Observer) {
        let role = self.man(mv.from).map_or(Role::Pawn, Piece::role);
        self.displace(variant, mv, observer);
        self.spend(variant, mv, role);
    }

    /// Changes the board, the rights, the en-passant targets and the clock; the pool stays.
    #[inline]
    pub fn displace(&mut self, variant: &Variant, mv: SingleMove, observer: &mut impl Observer) {
        let Some(man) = self.man(mv.from) else { return };
        let color = man.color();
        if mv.kind == MoveKind::Castle {
            self.castle(mv, color, observer);
            self.halfmove = self.halfmove.saturating_add(1).min(127);
            return;
        }
        let victim = if mv.kind == MoveKind::EnPassant { Square::on(mv.to.file(), mv.from.rank()) } else { mv.to };
        let captured = self.man(victim);
        if let Some(taken) = captured {
            self.remove(taken, victim, observer);
            self.forget_target_of(victim);
            self.lose_right_of_rook(victim);
            if taken.role() == Role::King {
                self.lose_rights(taken.color());
            }
        }
        self.remove(man, mv.from, observer);
        self.forget_target_of(mv.from);
        match man.role() {
            Role::King => self.lose_rights(color),
            Role::Rook => self.lose_right_of_rook(mv.from),
            _ => {}
        }
        self.forget_target(mv.to);
        let evaporates = variant.promotion == PromotionRule::Evaporate
            && man.role() == Role::Pawn
            && mv.to.rank() == color.relative_rank(7);
        if !evaporates {
            let arrived = mv.promotion.map_or(man, |role| Piece::new(color, role));
            self.add(arrived, mv.to, observer);
        }
        if mv.kind == MoveKind::DoubleStep && variant.has_en_passant() {
            self.add_target(Square::on(mv.to.file(), color.relative_rank(2)));
        }
        let quiet = captured.is_none() && man.role() != Role::Pawn;
        self.halfmove = if quiet { self.halfmove.saturating_add(1).min(127) } else { 0 };
    }

    fn castle(&mut self, mv: SingleMove, color: Color, observer: &mut impl Observer) {
        let (king_file, rook_file) = mv.wing().files();
        let (king, rook) = (Piece::new(color, Role::King), Piece::new(color, Role::Rook));
        self.remove(king, mv.from, observer);
        self.remove(rook, mv.to, observer);
        self.add(king, Square::on(king_file, mv.from.rank()), observer);
        self.add(rook, Square::on(rook_file, mv.from.rank()), observer);
        self.lose_rights(color);
    }

    fn spend(&mut self, variant: &Variant, mv: SingleMove, role: Role) {
        let mut pool = self.pool;
        match (mv.kind, variant.castling) {
            (MoveKind::Castle, CastlingRule::On { cost: CastlingCost::KingAndRook, .. }) => {
                pool.spend(Role::King);
                pool.spend(Role::Rook);
            }
            _ => pool.spend(role),
        }
        if variant.allowance == Allowance::RoleTimes {
            let to = if mv.kind == MoveKind::Castle { Square::on(mv.wing().files().0, mv.from.rank()) } else { mv.to };
            pool.lock = Some(to);
            // A promotion ends the locked series.
            if mv.promotion.is_some() || pool.is_empty() {
                pool = Pool::EMPTY;
            }
        }
        self.set_pool(pool);
    }

    /// Ends the turn of the side to move, a pass included: targets that it could have used go, the next side comes.
    ///
    /// In games with free turns the next side's pool is laid out where it does not roll; without dice, always.
    pub fn end_turn(&mut self, variant: &Variant, sliders: &Sliders) {
        let Some(mover) = self.side else { return };
        let usable = if mover == Color::White { 0xff00 } else { 0x00ff };
        self.clear_targets(usable);
        let (next, waiting) = (mover.other(), self.pool.next);
        let was_answering = self.pool.answers_check;
        self.set_pool(Pool::EMPTY);
        match (variant.schedule, waiting) {
            (Schedule::Alternate, _) => {
                self.set_side(Some(next));
                if mover == Color::Black {
                    self.fullmove = self.fullmove.saturating_add(1);
                }
            }
            (Schedule::ContestBoth, Some(face)) => {
                self.set_side(Some(next));
                self.set_pool(Pool::new(&[Ticket::of(face.role())]));
            }
            _ => {
                self.set_side(None);
                self.fullmove = self.fullmove.saturating_add(1);
            }
        }
        self.lay_out_free_turn(variant, sliders, was_answering);
    }

    /// Makes the one move of a turn in a game without dice, and ends the turn: the same as [`Position::play`] and
    /// [`Position::end_turn`], but that the pool, which is the same for every turn, stays where it is.
    #[inline]
    pub fn play_without_dice(&mut self, variant: &Variant, mv: SingleMove) {
        self.displace(variant, mv, &mut ());
        let Some(mover) = self.side else { return };
        self.clear_targets(if mover == Color::White { 0xff00 } else { 0x00ff });
        self.set_side(Some(mover.other()));
        self.fullmove = self.fullmove.saturating_add(u16::from(mover == Color::Black));
    }

    /// Lays out the pool of a turn that needs no roll: without dice, or (games with free turns) when the side to move
    /// stands in check, or when `gave_check` says that its last turn gave one.
    pub(super) fn lay_out_free_turn(&mut self, variant: &Variant, sliders: &Sliders, gave_check: bool) {
        let Some(side) = self.side else { return };
        if !variant.has_dice() {
            self.set_pool(Pool::new(&[Ticket::ANY]));
        } else if variant.free_turns {
            if self.in_check(sliders, side) {
                let mut pool = Pool::new(&[Ticket::ANY]);
                pool.answers_check = true;
                self.set_pool(pool);
            } else if gave_check {
                self.set_pool(Pool::new(&[Ticket::ANY_OR_PASS]));
            }
        }
    }

    /// Gives the side what a roll allows it.
    pub fn set_allowance(&mut self, side: Color, pool: Pool) {
        self.set_side(Some(side));
        self.set_pool(pool);
    }

    /// Sets the mark that only a line that takes the king can still complete the turn.
    pub fn set_spoilt(&mut self) {
        let mut pool = self.pool;
        pool.spoilt = true;
        self.set_pool(pool);
    }

    pub(super) fn set_pool(&mut self, pool: Pool) {
        self.key ^= zobrist::word(self.pool.packed()) ^ zobrist::word(pool.packed());
        self.pool = pool;
    }

    pub(super) fn set_side(&mut self, side: Option<Color>) {
        let key = |side| match side {
            Some(Color::White) => 0,
            Some(Color::Black) => zobrist::black_to_move(),
            None => zobrist::nobody_to_move(),
        };
        self.key ^= key(self.side) ^ key(side);
        self.side = side;
    }

    #[inline]
    pub(super) fn add(&mut self, piece: Piece, square: Square, observer: &mut impl Observer) {
        self.roles[piece.role().index()] |= square.bit();
        self.colors[piece.color().index()] |= square.bit();
        self.men[square.usize()] = Some(piece);
        self.key ^= zobrist::man(piece, square);
        observer.put(piece, square);
    }

    #[inline]
    pub(super) fn remove(&mut self, piece: Piece, square: Square, observer: &mut impl Observer) {
        self.roles[piece.role().index()] ^= square.bit();
        self.colors[piece.color().index()] ^= square.bit();
        self.men[square.usize()] = None;
        self.key ^= zobrist::man(piece, square);
        observer.take(piece, square);
    }

    pub(super) fn add_target(&mut self, target: Square) {
        let bit = target_bit(target);
        if self.targets & bit == 0 {
            self.targets |= bit;
            self.key ^= zobrist::target(target);
        }
    }

    /// A man has landed on the square: it is no target any more.
    #[inline]
    fn forget_target(&mut self, target: Square) {
        let bit = target_bit(target);
        if self.targets & bit != 0 {
            self.targets ^= bit;
            self.key ^= zobrist::target(target);
        }
    }

    /// The man on the square is gone: the target behind it, if it was a pawn that had just passed, dies.
    #[inline]
    pub(super) fn forget_target_of(&mut self, pawn: Square) {
        match pawn.rank() {
            3 => self.forget_target(Square::on(pawn.file(), 2)),
            4 => self.forget_target(Square::on(pawn.file(), 5)),
            _ => {}
        }
    }

    fn clear_targets(&mut self, bits: u16) {
        if self.targets & bits != 0 {
            for target in self.targets() {
                if target_bit(target) & bits != 0 {
                    self.key ^= zobrist::target(target);
                }
            }
            self.targets &= !bits;
        }
    }

    pub(super) fn give_right(&mut self, color: Color, wing: Wing, rook: Square) {
        self.homes[color.index() * 2 + wing as usize] = rook.index();
        self.key ^= zobrist::home(rook);
    }

    #[inline]
    pub(super) fn lose_right_of_rook(&mut self, square: Square) {
        for home in &mut self.homes {
            if *home == square.index() {
                *home = NO_HOME;
                self.key ^= zobrist::home(square);
            }
        }
    }

    #[inline]
    fn lose_rights(&mut self, color: Color) {
        let first = color.index() * 2;
        for at in [first, first + 1] {
            if let Some(rook) = Square::new(self.homes[at]) {
                self.homes[at] = NO_HOME;
                self.key ^= zobrist::home(rook);
            }
        }
    }
}

/// The bit of a square among the targets; none for squares off the third and sixth rank.
#[inline]
pub(super) const fn target_bit(square: Square) -> u16 {
    match square.rank() {
        2 => 1 << square.file(),
        5 => 256 << square.file(),
        _ => 0,
    }
}

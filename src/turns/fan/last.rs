//! The last die: what each man's last move comes to, which is where nearly all the time goes.

use super::set::{Audience, FanSet, Movers};
use super::state::State;
use super::tail::Tail;
use super::twins::Twins;
use super::{Last, MEN, Walk, one_of, state};
use crate::board::{Bitboard, Piece, Role, Square, zobrist};
use crate::position::{MoveKind, Observer, SingleMove, Wing};

/// Which men of a state see what, as bits by their number.
pub(super) struct Lists {
    /// Who sees a square.
    seen: [u16; 64],
    /// Who can move.
    alive: u16,
    /// Who can take the king.
    takes_king: u16,
    /// Who is of a role.
    of_role: [u16; 6],
    /// How the key changes when the man on a square is taken: by the man, and by a castling right that goes with him.
    pub(super) taken: [u64; 64],
    /// How the key changes when a man leaves his square: by him, and by the rights that go with him.
    leaves: [u64; MEN],
    /// Where rights are lost by moving.
    rights: Bitboard,
}

impl Lists {
    /// The lists of a state; who sees what only where one more die is left than the last.
    pub(super) fn new<O: Observer + Copy>(state: &State<O>, king: Bitboard, tail: &Tail) -> Lists {
        let mut lists = Lists {
            seen: [0; 64],
            alive: 0,
            takes_king: 0,
            of_role: [0; 6],
            taken: [0; 64],
            leaves: [0; MEN],
            rights: tail.rights,
        };
        for square in state.position.of(state.side.other()) {
            lists.taken[square.usize()] = state.position.man(square).map_or(0, |man| zobrist::man(man, square));
        }
        for wing in Wing::ALL {
            if let Some(home) = state.position.castling_rook(state.side.other(), wing) {
                lists.taken[home.usize()] ^= zobrist::home(home);
            }
        }
        for man in 0..state.men {
            let bit = 1 << man;
            let (role, square) = (state.role[man], state.square[man]);
            lists.of_role[role.index()] |= bit;
            lists.leaves[man] = zobrist::man(Piece::new(state.side, role), square);
            if tail.rights.has(square) {
                lists.leaves[man] ^= tail.rights_of(square);
            }
            lists.alive |= if state.targets[man].is_empty() { 0 } else { bit };
            lists.takes_king |= if state.targets[man].intersects(king) { bit } else { 0 };
            if state.left == 2 {
                for square in state.sight[man] {
                    lists.seen[square.usize()] |= bit;
                }
            }
        }
        lists
    }

    /// The key after a man's move. None where an en-passant target is touched: then it must be made.
    #[inline]
    pub(super) fn key_after(&self, man: usize, mv: SingleMove, piece: Piece, tail: &Tail) -> Option<u64> {
        if (mv.from.bit() | mv.to.bit()).intersects(tail.passing) || mv.kind == MoveKind::EnPassant {
            return None;
        }
        let arrives = mv.promotion.map_or(piece, |role| Piece::new(piece.color(), role));
        let mut key = tail.key ^ self.leaves[man] ^ zobrist::man(arrives, mv.to) ^ self.taken[mv.to.usize()];
        if mv.kind == MoveKind::DoubleStep {
            key ^= zobrist::target(Square::on(mv.to.file(), piece.color().relative_rank(2)));
        }
        Some(key)
    }

    /// Whose targets a move may have changed; and who is to be looked at after it.
    #[inline]
    fn touched(&self, last: &Last) -> (u16, u16) {
        let mv = last.mv;
        let touched = self.seen[mv.from.usize()] | self.seen[mv.to.usize()];
        let between = last.path.without(mv.from).without(mv.to);
        let entering = between.fold(0, |men, square| men | self.seen[square.usize()]);
        (touched, touched | entering | self.takes_king | (u16::MAX << last.man & self.alive))
    }

    /// The roles of these men.
    #[inline]
    fn roles_of(&self, men: u16) -> u8 {
        (0..6).fold(0, |roles, role| roles | u8::from(self.of_role[role] & men != 0) << role)
    }
}

/// A position before the last die.
pub(super) struct Before<'a, O> {
    pub(super) state: &'a State<O>,
    /// The move made since the state.
    pub(super) made: Option<SingleMove>,
    pub(super) tail: &'a Tail,
    /// The enemy king's square.
    pub(super) king: Bitboard,
    pub(super) lists: &'a Lists,
    /// For a last die of each role its roll and what salts that roll's keys.
    pub(super) dice: &'a [(u64, u64); 6],
    pub(super) twins: &'a Twins<'a>,
}

impl<F> Walk<'_, F> {
    /// Shows what the last die leads to after a move made since a state, told without making it.
    ///
    /// Lower men than the last mover are looked at only where that move has changed something for them, or where they
    /// can enter its path or take the king; the lists tell who they are.
    pub(super) fn last_of_tail<O: Observer + Copy>(
        &mut self,
        state: &State<O>,
        tail: &Tail,
        lists: &Lists,
        last: &Last,
        twins: &Twins,
    ) where
        F: Audience<O>,
    {
        let before = state.spent + one_of(last.role);
        let dice = self.dice.last(before);
        let end = Before { state, made: Some(last.mv), tail, king: self.enemy_king(state), lists, dice, twins };
        let (touched, work) = lists.touched(last);
        let mover = 1 << last.man;
        let first = last.first.map_or(0, |first| 1 << first.man);
        let pawns = lists.of_role[Role::Pawn.index()] & !first;
        let mut alive = lists.alive & !touched & !mover & !pawns;
        let mut work = work & !mover & !pawns;
        while work != 0 {
            let man = work.trailing_zeros() as usize % MEN;
            work &= work - 1;
            let (from, role, mut targets) = (state.square[man], state.role[man], state.targets[man]);
            if touched >> man & 1 != 0 {
                targets = tail.sight.aim(self.rules, state.side, role, from).1;
                alive |= u16::from(!targets.is_empty()) << man;
            }
            // Taking the king ends a line, and no other order gives that.
            targets = last.fresh(man, targets) | (targets & end.king);
            if !targets.is_empty() {
                self.last_man(&end, man, role, from, targets);
            }
        }
        let mut movable = lists.roles_of(alive);
        if self.last_pawns(&end, last) {
            movable |= 1 << Role::Pawn.index();
        }
        let role = last.mv.promotion.unwrap_or(last.role);
        let targets = tail.sight.aim(self.rules, state.side, role, last.mv.to).1;
        if !targets.is_empty() {
            movable |= 1 << role.index();
            self.last_man(&end, last.man, role, last.mv.to, targets);
        }
        self.line_ends(state, Some(last.mv), self.dice.stuck(before, movable), tail.key);
    }

    /// Shows what the last die leads to after a state with one die left.
    pub(super) fn last_die<O: Observer + Copy>(
        &mut self,
        state: &State<O>,
        tail: &Tail,
        lists: &Lists,
        last: Option<Last>,
    ) where
        F: Audience<O>,
    {
        let (dice, king) = (self.dice.last(state.spent), self.enemy_king(state));
        let twins = &Twins::unknown(self.reach);
        let end = Before { state, made: None, tail, king, lists, dice, twins };
        for man in 0..state.men {
            let mut targets = state.targets[man];
            if let Some(last) = last {
                targets = last.fresh(man, targets) | (targets & king);
            }
            if !targets.is_empty() {
                self.last_man(&end, man, state.role[man], state.square[man], targets);
            }
        }
        self.line_ends(state, None, self.dice.stuck(state.spent, lists.roles_of(lists.alive)), tail.key);
    }

    /// Shows what one man's moves with the last die come to.
    #[inline]
    fn last_man<O: Observer + Copy>(
        &mut self,
        end: &Before<O>,
        man: usize,
        role: Role,
        from: Square,
        mut targets: Bitboard,
    ) where
        F: Audience<O>,
    {
        let (roll, _) = end.dice[role.index()];
        if roll & self.wanted == 0 {
            return;
        }
        if targets.intersects(end.king) {
            for to in targets & end.king {
                self.win(end.state, end.made, SingleMove::new(from, to), role, roll, end.tail);
            }
            targets &= !end.king;
        }
        // The king taken may have been all that was wanted of the roll.
        if !targets.is_empty() && roll & self.wanted != 0 {
            self.full |= roll;
            self.leaves(end, man, role, from, targets);
        }
    }

    /// Shows the ends of a man's quiet moves with the last die. What is more than a man moved goes the longer way to its
    /// key.
    #[inline]
    fn leaves<O: Observer + Copy>(&mut self, end: &Before<O>, man: usize, role: Role, from: Square, targets: Bitboard)
    where
        F: Audience<O>,
    {
        let &Before { state, made, tail, lists, dice, .. } = end;
        let (roll, salt) = dice[role.index()];
        if role == Role::Pawn {
            self.long_way(end, role, from, targets, targets);
            return;
        }
        let touching = targets & tail.own_passing;
        let row = zobrist::row(Piece::new(state.side, role));
        let leaves = if tail.rights == lists.rights && state.square[man] == from {
            lists.leaves[man]
        } else if tail.rights.has(from) {
            row[from.usize()] ^ tail.rights_of(from)
        } else {
            row[from.usize()]
        };
        let twins = end.twins.of(man, role, targets);
        let set = FanSet {
            roll,
            targets: targets & !touching,
            movers: Movers::Man(from),
            promotion: None,
            kind: MoveKind::Normal,
            base: tail.key ^ leaves,
            leave: row,
            arrive: row,
            taken: &lists.taken,
            made,
            rules: self.rules,
            state,
        };
        self.set(set, twins, salt);
        if !touching.is_empty() {
            self.long_way(end, role, from, touching, twins);
        }
    }

    /// Shows the ends of quiet moves one by one.
    pub(super) fn long_way<O: Observer + Copy>(
        &mut self,
        end: &Before<O>,
        role: Role,
        from: Square,
        targets: Bitboard,
        twins: Bitboard,
    ) where
        F: Audience<O>,
    {
        let &Before { state, made, tail, dice, .. } = end;
        let (roll, salt) = dice[role.index()];
        for to in targets {
            let taken = state.position.man(to).filter(|_| tail.enemies.has(to));
            for mv in state::moves(state.side, role, from, to, taken.is_some()) {
                let key = tail.last_key(mv, Piece::new(state.side, role), taken) ^ salt;
                self.leaf(state, made, mv, roll, key, twins.has(to));
            }
        }
    }
}

//! The last die: what each man's last move comes to, which is where nearly all the time goes.

use super::state::State;
use super::tail::Tail;
use super::twins::Twins;
use super::{Audience, FanSet, Last, MEN, Walk, one_of, state};
use crate::board::{Bitboard, Color, Piece, Role, Square, zobrist};
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
    taken: [u64; 64],
}

impl Lists {
    /// The lists of a state; who sees what only where one more die is left than the last.
    pub(super) fn new<O: Observer + Copy>(state: &State<O>, king: Bitboard) -> Lists {
        let mut lists = Lists { seen: [0; 64], alive: 0, takes_king: 0, of_role: [0; 6], taken: [0; 64] };
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
            lists.of_role[state.role[man].index()] |= bit;
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

    /// Whose targets a move may have changed; and who is to be looked at after it.
    #[inline]
    fn touched(&self, mv: SingleMove, last: &Last) -> (u16, u16) {
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
struct Before<'a, O> {
    state: &'a State<O>,
    /// The move made since the state.
    made: Option<SingleMove>,
    tail: &'a Tail,
    /// The enemy king's square.
    king: Bitboard,
    lists: &'a Lists,
    /// For a last die of each role its roll and what salts that roll's keys.
    dice: &'a [(u64, u64); 6],
    twins: &'a Twins<'a>,
}

impl<F> Walk<'_, F> {
    /// Shows what the last die leads to, after a state with one die left, or a move (`made`) after one with two.
    ///
    /// Lower men than the last mover are looked at only where that move has changed something for them, or where they
    /// can enter its path or take the king; the lists tell who they are.
    pub(super) fn last_die<O: Observer + Copy>(
        &mut self,
        state: &State<O>,
        made: Option<SingleMove>,
        tail: &Tail,
        lists: &Lists,
        last: Option<Last>,
        twins: &Twins,
    ) where
        F: Audience<O>,
    {
        let moved = last.filter(|_| made.is_some());
        let before = state.spent + moved.map_or(0, |last| one_of(state.role[last.man]));
        let end = Before { state, made, tail, king: self.enemy_king(state), lists, dice: self.dice.last(before), twins };
        let (touched, mut work) = match (made, last) {
            (Some(mv), Some(last)) => lists.touched(mv, &last),
            _ => (0, u16::MAX >> (MEN - state.men)),
        };
        let mover = moved.map_or(0, |last| 1 << last.man);
        let mut alive = lists.alive & !touched & !mover;
        work &= !mover;
        while work != 0 {
            let man = work.trailing_zeros() as usize % MEN;
            work &= work - 1;
            let (from, role, mut targets) = (state.square[man], state.role[man], state.targets[man]);
            if touched >> man & 1 != 0 {
                targets = tail.sight.aim(self.rules, state.side, role, from).1;
                alive |= u16::from(!targets.is_empty()) << man;
            }
            if let Some(last) = last {
                // Taking the king ends a line, and no other order gives that.
                targets = last.fresh(man, targets) | (targets & end.king);
            }
            if !targets.is_empty() {
                self.last_man(&end, man, role, from, targets);
            }
        }
        let mut movable = lists.roles_of(alive);
        if let (Some(mv), Some(last)) = (made, moved) {
            let role = mv.promotion.unwrap_or(state.role[last.man]);
            let targets = tail.sight.aim(self.rules, state.side, role, mv.to).1;
            if !targets.is_empty() {
                movable |= 1 << role.index();
                self.last_man(&end, last.man, role, mv.to, targets);
            }
        }
        self.line_ends(state, made, self.dice.stuck(before, movable), tail.key);
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
        let touching = if tail.own_passing.has(from) { Bitboard::ALL } else { tail.own_passing };
        let (mut plain, mut double) = (targets & !touching, Bitboard::EMPTY);
        let row = zobrist::row(Piece::new(state.side, role));
        let mut base = tail.key ^ row[from.usize()] ^ salt;
        if role == Role::Pawn {
            double = plain & double_step(state.side, from);
            plain &= !(Bitboard::rank(state.side.relative_rank(7)) | tail.sight.passed | double);
        } else if tail.rights.has(from) {
            base ^= tail.rights_of(from);
        }
        let twins = end.twins.of(man, role, targets);
        let alone = plain & !twins;
        if !alone.is_empty() {
            let (base, taken, rules) = (base ^ salt, &lists.taken, self.rules);
            let set = FanSet { roll, targets: alone, base, row, taken, from, made, rules, state };
            self.wanted &= !self.show.set(&set);
        }
        for to in plain & twins {
            let key = base ^ row[to.usize()] ^ lists.taken[to.usize()];
            self.leaf(state, made, SingleMove::new(from, to), roll, key, true);
        }
        for to in double {
            let mv = SingleMove { kind: MoveKind::DoubleStep, ..SingleMove::new(from, to) };
            let passed = zobrist::target(Square::on(to.file(), state.side.relative_rank(2)));
            self.leaf(state, made, mv, roll, base ^ row[to.usize()] ^ passed, twins.has(to));
        }
        for to in targets & !plain & !double {
            let taken = state.position.man(to).filter(|_| tail.enemies.has(to));
            for mv in state::moves(state.side, role, from, to, taken.is_some()) {
                let twins = mv.promotion.map_or(twins.has(to), |role| end.twins.of_promotion(role));
                self.leaf(state, made, mv, roll, tail.last_key(mv, Piece::new(state.side, role), taken) ^ salt, twins);
            }
        }
    }
}

/// The square of a pawn's double step, where it stands at home.
fn double_step(side: Color, from: Square) -> Bitboard {
    if from.rank() == side.relative_rank(1) {
        Square::on(from.file(), side.relative_rank(3)).bit()
    } else {
        Bitboard::EMPTY
    }
}

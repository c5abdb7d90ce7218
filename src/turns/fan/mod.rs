//! The distinct afterstates of all 56 rolls of three dice in one pass, without generating what other orders give.
//!
//! Men keep their number through a turn. Of two single moves of different men that commute, only the order in which the
//! lower number goes first is walked: a target of a lower man that he already had before the last move, and that does not
//! touch its path, belongs to a pair that the other order gives. What slips through (a quarter more than the distinct
//! count) a table of keys drops, and it keeps the first, so that the first of all orders always survives: among the
//! sequences to one afterstate the first in walking order is neither masked, or a still earlier one would exist, nor is
//! one of its prefixes dropped, or the earlier prefix would make an earlier sequence.
//!
//! Prefixes are shared among the rolls, since the walk is over men and not over dice. Rolls of which no line spends all
//! three dice are found by what could still move where lines end, and their shorter lines are shown at the end.

mod keys;
mod state;
mod tail;

use super::multiset::{THREE_DICE, ThreeDice, one_of, roll_salt};
use super::{Rules, Turn};
use crate::board::{Bitboard, Color, Piece, Role, Square, zobrist};
use crate::position::{MoveKind, Observer, Position, SingleMove, Wing};
use crate::variant::{KingRule, PromotionRule, Use};
use keys::KeyTable;
use state::State;
use tail::{Tail, made_key};

/// The most men a side has.
const MEN: usize = 16;

/// A generator that keeps its tables from one position to the next.
pub struct Fan {
    rules: Rules,
    dice: &'static ThreeDice,
    keys: KeyTable,
    short: Vec<ShortLine>,
}

/// A quiet line that may end before all three dice are spent.
#[derive(Clone, Copy)]
struct ShortLine {
    /// The rolls of which no other die can move after it.
    rolls: u64,
    spent: usize,
    moves: [Option<SingleMove>; 2],
    key: u64,
}

/// What the last move leaves to be walked.
#[derive(Clone, Copy)]
struct Last<'a> {
    /// Who made it; men with lower numbers are restricted.
    man: usize,
    /// What each man could reach before it.
    before: &'a [Bitboard; MEN],
    /// The squares that it left, passed or entered, and that of what it took.
    path: Bitboard,
}

impl Last<'_> {
    /// The targets of a lower man that no other order gives: those that he did not have before, or that touch the path.
    #[inline]
    fn fresh(&self, man: usize, targets: Bitboard) -> Bitboard {
        targets & !(self.before[man] & !self.path)
    }
}

/// A distinct afterstate, for one or more rolls.
pub struct FanLeaf<'a, O> {
    /// The rolls that it belongs to, as bits in the order of the rolls of [`DiceKind::Three`].
    ///
    /// [`DiceKind::Three`]: crate::dice::DiceKind::Three
    pub rolls: u64,
    /// Whether it takes the king.
    pub wins: bool,
    /// The key of the afterstate ([`Position::afterstate_key`]).
    pub key: u64,
    rules: &'a Rules,
    /// Where the walk stands, and the moves made from there.
    state: &'a State<O>,
    then: [Option<SingleMove>; 2],
}

impl<O: Observer + Copy> FanLeaf<'_, O> {
    /// The afterstate itself.
    pub fn position(&self) -> Position {
        let mut position = self.state.position;
        for mv in self.then.into_iter().flatten() {
            position.displace(self.rules.variant, mv, &mut ());
        }
        position.end_turn(self.rules.variant, self.rules.sliders);
        position
    }

    /// The observer after the whole turn.
    pub fn observer(&self) -> O {
        let (mut observer, mut position) = (self.state.observer, self.state.position);
        for mv in self.then.into_iter().flatten() {
            position.displace(self.rules.variant, mv, &mut observer);
        }
        observer
    }

    /// A turn that leads here.
    pub fn turn(&self) -> Turn {
        let mut turn = Turn::new(self.state.line.get(..self.state.made).unwrap_or_default());
        self.then.into_iter().flatten().for_each(|mv| turn.push(mv));
        turn
    }
}

impl Fan {
    /// A generator for a variant of three dice that are all used to the maximum; none for any other.
    pub fn new(rules: Rules) -> Option<Fan> {
        let variant = rules.variant;
        let suits = variant.usage == Use::Max
            && variant.dice.count() == 3
            && variant.king == KingRule::Capture
            && variant.promotion == PromotionRule::Fide;
        suits.then(|| Fan { rules, dice: &THREE_DICE, keys: KeyTable::new(), short: Vec::new() })
    }

    /// Shows the distinct afterstates of every roll, each once for the rolls that it belongs to. A roll without a move
    /// has the one afterstate of the pass.
    ///
    /// `wanted` are the rolls to look at, [`Fan::ALL`] for all. `show` says which rolls it has seen enough of; such a
    /// roll may be shown a few more times, until the man under way has made all his moves. Whatever
    /// pool is left in the position is ignored.
    pub fn walk<O: Observer + Copy>(
        &mut self,
        position: &Position,
        observer: O,
        wanted: u64,
        show: &mut impl FnMut(&FanLeaf<O>) -> u64,
    ) {
        let Some(side) = position.side() else { return };
        let root = State::new(&self.rules, *position, side, observer);
        self.keys.begin();
        self.short.clear();
        let rules = self.rules;
        let mut walk = Walk {
            rules: &rules,
            dice: self.dice,
            keys: &mut self.keys,
            wanted,
            full: 0,
            short: &mut self.short,
            show,
        };
        walk.state(&root, None);
        walk.short_lines(&root);
    }

    /// All 56 rolls.
    pub const ALL: u64 = ThreeDice::ALL;
}

struct Walk<'a, F> {
    rules: &'a Rules,
    dice: &'static ThreeDice,
    keys: &'a mut KeyTable,
    /// The rolls still looked at.
    wanted: u64,
    /// The rolls of which some quiet line spends all three dice.
    full: u64,
    /// Lines that may turn out to be among the longest of their rolls.
    short: &'a mut Vec<ShortLine>,
    show: &'a mut F,
}

/// Which men of a state see what, as bits by their number.
struct Lists {
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
    fn new<O: Observer + Copy>(state: &State<O>, king: Bitboard) -> Lists {
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
}

impl<F> Walk<'_, F> {
    /// Walks on from a state with two or three dice left.
    fn state<O: Observer + Copy>(&mut self, state: &State<O>, last: Option<Last>)
    where
        F: FnMut(&FanLeaf<O>) -> u64,
    {
        let tail = Tail::new(&state.position, state.side);
        let king = self.enemy_king(state);
        let lists = Lists::new(state, king);
        if state.left == 1 {
            self.last_die(state, None, &tail, &lists, last);
            return;
        }
        let movable = self.captures(state, king, &tail);
        let castles = self.castlings(state);
        let mut ended = self.dice.stuck(state.spent, movable);
        if castles.iter().any(Option::is_some) {
            ended &= !self.dice.containing[state.spent + one_of(Role::King) + one_of(Role::Rook)];
        }
        self.line_ends(state, None, ended, tail.key);
        for man in 0..state.men {
            let spent = state.spent + one_of(state.role[man]);
            if self.dice.containing[spent] & self.wanted == 0 {
                continue;
            }
            let targets = state.targets[man] & !king;
            let fresh = last.filter(|last| man < last.man).map_or(targets, |last| last.fresh(man, targets));
            if !fresh.is_empty() {
                self.children(state, man, fresh, &tail, &lists);
            }
        }
        for mv in castles.into_iter().flatten() {
            self.castle(state, mv);
        }
    }

    fn enemy_king<O>(&self, state: &State<O>) -> Bitboard {
        state.position.men(state.side.other(), Role::King)
    }

    /// Shows the lines that take the king from here; gives the roles that can move at all.
    fn captures<O: Observer + Copy>(&mut self, state: &State<O>, king: Bitboard, tail: &Tail) -> u8
    where
        F: FnMut(&FanLeaf<O>) -> u64,
    {
        let mut movable = 0;
        for man in 0..state.men {
            let (role, targets) = (state.role[man], state.targets[man]);
            if targets.is_empty() {
                continue;
            }
            movable |= 1 << role.index();
            let rolls = self.dice.containing[state.spent + one_of(role)] & self.wanted;
            if rolls != 0 {
                for to in targets & king {
                    self.win(state, None, SingleMove::new(state.square[man], to), role, rolls, tail);
                }
            }
        }
        movable
    }

    /// Shows a line that ends by taking the king.
    fn win<O: Observer + Copy>(
        &mut self,
        state: &State<O>,
        then: Option<SingleMove>,
        mv: SingleMove,
        role: Role,
        rolls: u64,
        tail: &Tail,
    ) where
        F: FnMut(&FanLeaf<O>) -> u64,
    {
        let piece = Piece::new(state.side, role);
        let key = tail.last_key(mv, piece, state.position.man(mv.to));
        self.tell(state, [then, Some(mv)], rolls, true, key);
    }

    /// Notes the rolls whose quiet lines can end here.
    #[inline]
    fn line_ends<O: Observer + Copy>(&mut self, state: &State<O>, then: Option<SingleMove>, rolls: u64, key: u64) {
        let rolls = rolls & self.wanted & !self.full;
        if rolls != 0 {
            let mut line = state.line.into_iter().take(state.made).chain(then);
            let spent = 3 - state.left + usize::from(then.is_some());
            self.short.push(ShortLine { rolls, spent, moves: [line.next(), line.next()], key });
        }
    }

    /// Shows the longest quiet lines of the rolls of which none spends all three dice.
    fn short_lines<O: Observer + Copy>(&mut self, root: &State<O>)
    where
        F: FnMut(&FanLeaf<O>) -> u64,
    {
        let mut open = self.wanted & !self.full;
        for spent in [2, 1, 0] {
            let mut ended = 0;
            for index in 0..self.short.len() {
                let line = self.short[index];
                let rolls = line.rolls & open;
                if line.spent == spent && rolls != 0 {
                    ended |= rolls;
                    self.tell(root, line.moves, rolls, false, line.key);
                }
            }
            open &= !ended;
        }
    }

    fn children<O: Observer + Copy>(
        &mut self,
        state: &State<O>,
        man: usize,
        targets: Bitboard,
        tail: &Tail,
        lists: &Lists,
    ) where
        F: FnMut(&FanLeaf<O>) -> u64,
    {
        let from = state.square[man];
        let salt = self.prefix_salt(state.spent + one_of(state.role[man])) ^ state.position.afterstate_key() ^ tail.key;
        for to in targets {
            let path = self.rules.sliders.between(from, to) | from.bit() | to.bit();
            let last = Last { man, before: &state.targets, path };
            if state.role[man] == Role::Pawn {
                for mv in state.moves(man, to) {
                    let passed = if mv.kind == MoveKind::EnPassant {
                        Square::on(to.file(), from.rank()).bit()
                    } else {
                        Bitboard::EMPTY
                    };
                    self.child(state, mv, Last { path: path | passed, ..last }, tail, lists, salt);
                }
            } else {
                self.child(state, SingleMove::new(from, to), last, tail, lists, salt);
            }
        }
    }

    #[inline]
    fn child<O: Observer + Copy>(
        &mut self,
        state: &State<O>,
        mv: SingleMove,
        last: Last,
        tail: &Tail,
        lists: &Lists,
        salt: u64,
    ) where
        F: FnMut(&FanLeaf<O>) -> u64,
    {
        let piece = Piece::new(state.side, state.role[last.man]);
        let key = if state.left == 2 { tail.key_after(mv, piece, state.position.man(mv.to)) } else { None };
        match key {
            // With one die left nothing needs to be made, and the key tells whether it is new.
            Some(key) => {
                if self.keys.insert(key ^ salt) {
                    self.last_die(state, Some(mv), &tail.after(mv, key), lists, Some(last));
                }
            }
            None => {
                let child = state.after(self.rules, last.man, mv);
                if self.is_new(&child) {
                    self.state(&child, Some(last));
                }
            }
        }
    }

    /// Shows what the last die leads to, after a state with one die left, or a move (`made`) after one with two.
    ///
    /// Lower men than the last mover are looked at only where that move has changed something for them, or where they
    /// can enter its path or take the king; the lists tell who they are.
    fn last_die<O: Observer + Copy>(
        &mut self,
        state: &State<O>,
        made: Option<SingleMove>,
        tail: &Tail,
        lists: &Lists,
        last: Option<Last>,
    ) where
        F: FnMut(&FanLeaf<O>) -> u64,
    {
        let moved = last.filter(|_| made.is_some());
        let before = state.spent + moved.map_or(0, |last| one_of(state.role[last.man]));
        let end = Before { state, made, tail, king: self.enemy_king(state), lists, dice: self.dice.last(before) };
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
            if let Some(last) = last.filter(|last| man < last.man) {
                // Taking the king ends a line, and no other order gives that.
                targets = last.fresh(man, targets) | (targets & end.king);
            }
            if !targets.is_empty() {
                self.last_man(&end, role, from, targets);
            }
        }
        let mut movable = lists.roles_of(alive);
        if let (Some(mv), Some(last)) = (made, moved) {
            let role = mv.promotion.unwrap_or(state.role[last.man]);
            let targets = tail.sight.aim(self.rules, state.side, role, mv.to).1;
            if !targets.is_empty() {
                movable |= 1 << role.index();
                self.last_man(&end, role, mv.to, targets);
            }
        }
        self.line_ends(state, made, self.dice.stuck(before, movable), tail.key);
    }

    /// Shows what one man's moves with the last die come to.
    #[inline]
    fn last_man<O: Observer + Copy>(&mut self, end: &Before<O>, role: Role, from: Square, mut targets: Bitboard)
    where
        F: FnMut(&FanLeaf<O>) -> u64,
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
            self.leaves(end, role, from, targets);
        }
    }

    /// Shows the ends of a man's quiet moves with the last die. What is more than a man moved goes the longer way to its
    /// key.
    #[inline]
    fn leaves<O: Observer + Copy>(&mut self, end: &Before<O>, role: Role, from: Square, targets: Bitboard)
    where
        F: FnMut(&FanLeaf<O>) -> u64,
    {
        let &Before { state, made, tail, lists, dice, .. } = end;
        let (roll, salt) = dice[role.index()];
        let touching = if tail.own_passing.has(from) { Bitboard::ALL } else { tail.own_passing };
        let mut plain = targets & !touching;
        let row = zobrist::row(Piece::new(state.side, role));
        let mut base = tail.key ^ row[from.usize()] ^ salt;
        if role == Role::Pawn {
            let double = plain & double_step(state.side, from);
            plain &= !(Bitboard::rank(state.side.relative_rank(7)) | tail.sight.passed | double);
            for to in double {
                let mv = SingleMove { kind: MoveKind::DoubleStep, ..SingleMove::new(from, to) };
                let passed = zobrist::target(Square::on(to.file(), state.side.relative_rank(2)));
                self.leaf(state, made, mv, roll, base ^ row[to.usize()] ^ passed);
            }
        } else if tail.rights.has(from) {
            base ^= tail.rights_of(from);
        }
        for to in plain {
            self.leaf(state, made, SingleMove::new(from, to), roll, base ^ row[to.usize()] ^ lists.taken[to.usize()]);
        }
        let double = if role == Role::Pawn { double_step(state.side, from) & !touching } else { Bitboard::EMPTY };
        for to in targets & !plain & !double {
            let taken = state.position.man(to).filter(|_| tail.enemies.has(to));
            for mv in state::moves(state.side, role, from, to, taken.is_some()) {
                self.leaf(state, made, mv, roll, tail.last_key(mv, Piece::new(state.side, role), taken) ^ salt);
            }
        }
    }

    /// Shows a leaf of one roll unless it was shown; its key comes salted with the roll.
    #[inline(always)]
    fn leaf<O: Observer + Copy>(
        &mut self,
        state: &State<O>,
        then: Option<SingleMove>,
        mv: SingleMove,
        roll: u64,
        salted: u64,
    ) where
        F: FnMut(&FanLeaf<O>) -> u64,
    {
        if self.keys.insert(salted) {
            let key = salted ^ roll_salt(roll);
            let then = [then, Some(mv)];
            let leaf = FanLeaf { rolls: roll, wins: false, key, rules: self.rules, state, then };
            self.wanted &= !(self.show)(&leaf);
        }
    }

    /// Whether a position with these dice spent is met for the first time in this walk. After one die each is.
    fn is_new<O: Observer + Copy>(&mut self, child: &State<O>) -> bool {
        let salt = self.prefix_salt(child.spent);
        child.left == 2 || self.keys.insert(child.position.afterstate_key() ^ salt)
    }

    /// What tells prefixes apart in the table of keys, by the dice spent.
    fn prefix_salt(&self, spent: usize) -> u64 {
        zobrist::word((1 << 20 | spent) as u64)
    }

    /// The castling moves that a king's and a rook's die would pay for, where a roll that is wanted still has both.
    fn castlings<O: Observer + Copy>(&self, state: &State<O>) -> [Option<SingleMove>; 2] {
        let position = &state.position;
        Wing::ALL.map(|wing| {
            let (king, rook) = (position.king(state.side)?, position.castling_rook(state.side, wing)?);
            let (king_file, rook_file) = wing.files();
            let (king_to, rook_to) = (Square::on(king_file, king.rank()), Square::on(rook_file, king.rank()));
            let between = |a, b| self.rules.sliders.between(a, b);
            let path = between(king, king_to) | king_to.bit() | between(rook, rook_to) | rook_to.bit();
            let free = !path.intersects(position.occupied().without(king).without(rook));
            free.then(|| SingleMove { kind: MoveKind::Castle, ..SingleMove::new(king, rook) })
        })
    }

    fn castle<O: Observer + Copy>(&mut self, state: &State<O>, mv: SingleMove)
    where
        F: FnMut(&FanLeaf<O>) -> u64,
    {
        let spent = state.spent + one_of(Role::King) + one_of(Role::Rook);
        if self.dice.containing[spent] & self.wanted == 0 {
            return;
        }
        if state.left == 2 {
            let roll = self.dice.bit(spent);
            self.full |= roll;
            let key = made_key(self.rules, state, [Some(mv), None]);
            self.leaf(state, None, mv, roll, key ^ roll_salt(roll));
            return;
        }
        let child = state.castled(self.rules, mv);
        if self.is_new(&child) {
            // Every order of castling and other moves is walked; the table drops what comes twice.
            self.state(&child, None);
        }
    }

    /// Shows an afterstate to the rolls among these that have not had it yet.
    fn tell<O: Observer + Copy>(
        &mut self,
        state: &State<O>,
        then: [Option<SingleMove>; 2],
        rolls: u64,
        wins: bool,
        key: u64,
    ) where
        F: FnMut(&FanLeaf<O>) -> u64,
    {
        let mut fresh = 0;
        let mut left = rolls & self.wanted;
        while left != 0 {
            let roll = left & left.wrapping_neg();
            left ^= roll;
            if self.keys.insert(key ^ roll_salt(roll)) {
                fresh |= roll;
            }
        }
        if fresh != 0 {
            let leaf = FanLeaf { rolls: fresh, wins, key, rules: self.rules, state, then };
            self.wanted &= !(self.show)(&leaf);
        }
    }
}

/// The key of the afterstate that a position becomes when the turn of its side ends here.
fn end_key(position: &Position, side: Color) -> u64 {
    let mut key = position.afterstate_key() ^ zobrist::black_to_move();
    for target in position.targets() & Bitboard::rank(side.relative_rank(5)) {
        key ^= zobrist::target(target);
    }
    key
}

/// The square of a pawn's double step, where it stands at home.
fn double_step(side: Color, from: Square) -> Bitboard {
    if from.rank() == side.relative_rank(1) {
        Square::on(from.file(), side.relative_rank(3)).bit()
    } else {
        Bitboard::EMPTY
    }
}

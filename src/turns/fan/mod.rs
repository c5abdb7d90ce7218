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
mod last;
mod pawns;
mod set;
mod state;
mod tail;
mod twins;

use super::multiset::{THREE_DICE, ThreeDice, one_of, roll_salt};
use super::{Rules, Turn, ground};
use crate::board::{Bitboard, Color, Piece, Role, Square, zobrist};
use crate::position::{MoveKind, Observer, Position, SingleMove, Wing};
use crate::variant::{KingRule, PromotionRule, Use};
use ground::Ground;
use keys::KeyTable;
use last::Lists;
use pawns::ground_of;
use set::Each;
use state::State;
use tail::{Tail, made_key};
use twins::Twins;

pub use set::{Audience, FanLeaf, FanSet};

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
    mv: SingleMove,
    /// Who made it; men with lower numbers are restricted.
    man: usize,
    /// His role before it.
    role: Role,
    /// What each man could reach before it.
    before: &'a [Bitboard; MEN],
    /// The squares that it left, passed or entered, and that of what it took.
    path: Bitboard,
    /// The move before it.
    first: Option<&'a Last<'a>>,
}

impl Last<'_> {
    /// The targets of a man that no earlier order gives. A lower man could have gone before the last mover to what he
    /// had then and what does not touch that path; and before two movers, if he is lower than the first, to what he had
    /// at first and what touches neither path. Before one who moved twice not: he may have ended a target in passing.
    #[inline]
    fn fresh(&self, man: usize, mut targets: Bitboard) -> Bitboard {
        if man < self.man {
            targets &= !(self.before[man] & !self.path);
        }
        if let Some(first) = self.first.filter(|first| man < first.man && first.man != self.man && man != self.man) {
            targets &= !(first.before[man] & !(first.path | self.path));
        }
        targets
    }
}

impl Fan {
    /// A generator for a variant of three dice that are all used to the maximum; none for any other.
    pub fn new(rules: Rules) -> Option<Fan> {
        Fan::suits(&rules).then(|| Fan { rules, dice: &THREE_DICE, keys: KeyTable::new(), short: Vec::new() })
    }

    /// Whether there is one for these rules.
    pub fn suits(rules: &Rules) -> bool {
        let variant = rules.variant;
        variant.usage == Use::Max
            && variant.dice.count() == 3
            && variant.king == KingRule::Capture
            && variant.promotion == PromotionRule::Fide
    }

    /// Shows the distinct afterstates of every roll, each once for the rolls that it belongs to. A roll without a move
    /// has the one afterstate of the pass.
    ///
    /// `wanted` are the rolls to look at, [`Fan::ALL`] for all. `show` says which rolls it has seen enough of; such a
    /// roll may be shown a few more times, until the man under way has made all his moves. Whatever pool is left in the
    /// position is ignored.
    pub fn walk<O: Observer + Copy>(
        &mut self,
        position: &Position,
        observer: O,
        wanted: u64,
        show: &mut impl FnMut(&FanLeaf<O>) -> u64,
    ) {
        self.walk_sets(position, observer, wanted, &mut Each(show));
    }

    /// The same, with afterstates that differ only in the last man's target shown at once.
    pub fn walk_sets<O: Observer + Copy>(
        &mut self,
        position: &Position,
        observer: O,
        wanted: u64,
        show: &mut impl Audience<O>,
    ) {
        let Some(side) = position.side() else { return };
        let root = State::new(&self.rules, *position, side, observer);
        self.keys.begin();
        self.short.clear();
        let (rules, reach) = (self.rules, root.reach(&self.rules));
        let double = double_steps(side);
        let mut walk = Walk {
            rules: &rules,
            dice: self.dice,
            keys: &mut self.keys,
            wanted,
            full: 0,
            short: &mut self.short,
            reach: &reach,
            ground: ground_of(&root.position, side),
            double: &double,
            castling: Wing::ALL.into_iter().any(|wing| castling_looks_plain(position, side, wing)),
            show,
        };
        walk.state(&root, None);
        walk.short_lines(&root);
    }

    /// The place of the roll of which nothing has been spent yet; none where the pool is something else.
    pub fn roll_of(position: &Position) -> Option<usize> {
        let pool = position.pool();
        if pool.len() != 3 || pool.spoilt {
            return None;
        }
        let multiset = pool.tickets().iter().map(|ticket| ticket.role().map(one_of)).sum::<Option<usize>>()?;
        let bit = THREE_DICE.bit(multiset);
        (bit != 0).then(|| bit.trailing_zeros() as usize)
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
    /// What each man could reach at most on an empty board; of a pawn its file.
    reach: &'a [Bitboard; MEN],
    /// What pawns' steps depend on at first.
    ground: Ground,
    /// The keys of a pawn after a double step, and of the target it leaves behind.
    double: &'a [u64; 64],
    /// Whether castling may look like a move of the king and one of the rook.
    castling: bool,
    show: &'a mut F,
}

impl<F> Walk<'_, F> {
    /// Walks on from a state with two or three dice left.
    fn state<O: Observer + Copy>(&mut self, state: &State<O>, last: Option<Last>)
    where
        F: Audience<O>,
    {
        let tail = Tail::new(&state.position, state.side);
        let king = self.enemy_king(state);
        let lists = Lists::new(state, king, &tail);
        if state.left == 1 {
            self.last_die(state, &tail, &lists, last);
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
            let fresh = last.map_or(targets, |last| last.fresh(man, targets));
            if !fresh.is_empty() {
                self.children(state, man, fresh, last.as_ref(), &tail, &lists);
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
        F: Audience<O>,
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
        F: Audience<O>,
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
        F: Audience<O>,
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
        first: Option<&Last>,
        tail: &Tail,
        lists: &Lists,
    ) where
        F: Audience<O>,
    {
        let from = state.square[man];
        let salt = self.prefix_salt(state.spent + one_of(state.role[man])) ^ state.position.afterstate_key() ^ tail.key;
        for to in targets {
            let path = self.rules.sliders.between(from, to) | from.bit() | to.bit();
            let mv = SingleMove::new(from, to);
            let last = Last { mv, man, role: state.role[man], before: &state.targets, path, first };
            if state.role[man] == Role::Pawn {
                for mv in state.moves(man, to) {
                    let passed = if mv.kind == MoveKind::EnPassant {
                        Square::on(to.file(), from.rank()).bit()
                    } else {
                        Bitboard::EMPTY
                    };
                    self.child(state, Last { mv, path: path | passed, ..last }, tail, lists, salt);
                }
            } else {
                self.child(state, last, tail, lists, salt);
            }
        }
    }

    #[inline]
    fn child<O: Observer + Copy>(&mut self, state: &State<O>, last: Last, tail: &Tail, lists: &Lists, salt: u64)
    where
        F: Audience<O>,
    {
        let (mv, piece) = (last.mv, Piece::new(state.side, last.role));
        let key = if state.left == 2 { lists.key_after(last.man, mv, piece, tail) } else { None };
        match key {
            // With one die left nothing needs to be made, and the key tells whether it is new.
            Some(key) => {
                let twins = Twins::after(&last, self.reach, self.castling);
                if twins.is_unique() || self.keys.insert(key ^ salt) {
                    self.last_of_tail(state, &tail.after(mv, key), lists, &last, &twins);
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

    /// Shows a leaf of one roll unless it may have twins (`twins`) and was shown; its key comes salted with the roll.
    #[inline(always)]
    fn leaf<O: Observer + Copy>(
        &mut self,
        state: &State<O>,
        then: Option<SingleMove>,
        mv: SingleMove,
        roll: u64,
        salted: u64,
        twins: bool,
    ) where
        F: Audience<O>,
    {
        if !twins || self.keys.insert(salted) {
            let key = salted ^ roll_salt(roll);
            let then = [then, Some(mv)];
            let leaf = FanLeaf { rolls: roll, wins: false, key, rules: self.rules, state, then };
            self.wanted &= !self.show.leaf(&leaf);
        }
    }

    /// Shows a set of leaves of one roll; those that may have `twins` unless they were shown. `salt` is the roll's.
    #[inline(always)]
    fn set<O: Observer + Copy>(&mut self, mut set: FanSet<O>, twins: Bitboard, salt: u64)
    where
        F: Audience<O>,
    {
        let all = set.targets;
        set.targets = all & !twins;
        if !set.targets.is_empty() {
            self.wanted &= !self.show.set(&set);
        }
        set.targets = all & twins;
        if !set.targets.is_empty() {
            let (keys, show) = (&mut *self.keys, &mut *self.show);
            self.wanted &= !set.each(|leaf| if keys.insert(leaf.key ^ salt) { show.leaf(leaf) } else { 0 });
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

    /// The castling moves that a king's and a rook's die would pay for.
    fn castlings<O: Observer + Copy>(&self, state: &State<O>) -> [Option<SingleMove>; 2] {
        Wing::ALL.map(|wing| self.rules.free_castling(&state.position, state.side, wing))
    }

    fn castle<O: Observer + Copy>(&mut self, state: &State<O>, mv: SingleMove)
    where
        F: Audience<O>,
    {
        let spent = state.spent + one_of(Role::King) + one_of(Role::Rook);
        if self.dice.containing[spent] & self.wanted == 0 {
            return;
        }
        if state.left == 2 {
            let roll = self.dice.bit(spent);
            self.full |= roll;
            let key = made_key(self.rules, state, mv);
            self.leaf(state, None, mv, roll, key ^ roll_salt(roll), true);
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
        F: Audience<O>,
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
            self.wanted &= !self.show.leaf(&leaf);
        }
    }
}

/// The keys of a pawn where a double step ends, with the target that it leaves.
fn double_steps(side: Color) -> [u64; 64] {
    let mut keys = [0; 64];
    for to in Bitboard::rank(side.relative_rank(3)) {
        let passed = Square::on(to.file(), side.relative_rank(2));
        keys[to.usize()] = zobrist::man(Piece::new(side, Role::Pawn), to) ^ zobrist::target(passed);
    }
    keys
}

/// Whether castling moves the king by a step at most, as his own die might.
fn castling_looks_plain(position: &Position, side: Color, wing: Wing) -> bool {
    let king = position.king(side).filter(|_| position.castling_rook(side, wing).is_some());
    king.is_some_and(|king| king.file().abs_diff(wing.files().0) <= 1)
}

/// The key of the afterstate that a position becomes when the turn of its side ends here.
fn end_key(position: &Position, side: Color) -> u64 {
    let mut key = position.afterstate_key() ^ zobrist::black_to_move();
    for target in position.targets() & Bitboard::rank(side.relative_rank(5)) {
        key ^= zobrist::target(target);
    }
    key
}

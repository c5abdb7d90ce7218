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
//! three dice are found by what could still move where lines end, and their shorter lines are shown in a second walk.

use super::multiset::{THREE_DICE, ThreeDice, one_of};
use super::{Rules, Turn};
use crate::board::{Bitboard, Color, Role, Square, king_attacks, knight_attacks, pawn_attacks, zobrist};
use crate::position::{MoveKind, Observer, Pool, Position, SingleMove, Wing};

/// The most men a side has.
const MEN: usize = 16;

/// A generator that keeps its tables from one position to the next.
pub struct Fan {
    rules: Rules,
    dice: &'static ThreeDice,
    keys: KeyTable,
}

/// A position inside a turn, and what each man of the mover can reach from it.
#[derive(Clone, Copy)]
struct State<O> {
    position: Position,
    observer: O,
    side: Color,
    men: usize,
    square: [Square; MEN],
    role: [Role; MEN],
    /// The squares of which a change may change a man's targets.
    sight: [Bitboard; MEN],
    /// Where a man can go.
    targets: [Bitboard; MEN],
    /// The single moves made so far, and the dice that they spent.
    line: [SingleMove; 2],
    made: usize,
    spent: usize,
    left: usize,
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
    state: &'a State<O>,
    last: Option<SingleMove>,
}

impl<O: Observer + Copy> FanLeaf<'_, O> {
    /// The afterstate itself.
    pub fn position(&self) -> Position {
        let mut position = self.state.position;
        if let Some(mv) = self.last {
            position.displace(self.rules.variant, mv, &mut ());
        }
        position.end_turn(self.rules.variant, self.rules.sliders);
        position
    }

    /// The observer after the whole turn.
    pub fn observer(&self) -> O {
        let mut observer = self.state.observer;
        if let Some(mv) = self.last {
            let mut position = self.state.position;
            position.displace(self.rules.variant, mv, &mut observer);
        }
        observer
    }

    /// A turn that leads here.
    pub fn turn(&self) -> Turn {
        let mut turn = Turn::new(self.state.line.get(..self.state.made).unwrap_or_default());
        if let Some(mv) = self.last {
            turn.push(mv);
        }
        turn
    }
}

impl Fan {
    /// A generator for a variant of three dice that are all used to the maximum; none for any other.
    pub fn new(rules: Rules) -> Option<Fan> {
        use crate::variant::{KingRule, PromotionRule, Use};
        let variant = rules.variant;
        let suits = variant.usage == Use::Max
            && variant.dice.count() == 3
            && variant.king == KingRule::Capture
            && variant.promotion == PromotionRule::Fide;
        suits.then(|| Fan { rules, dice: &THREE_DICE, keys: KeyTable::new() })
    }

    /// Shows the distinct afterstates of every roll, each once for the rolls that it belongs to. A roll without a move
    /// has the one afterstate of the pass.
    ///
    /// `wanted` are the rolls to look at, [`Fan::ALL`] for all. `show` says which rolls it has seen enough of. Whatever
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
        let rules = self.rules;
        let mut walk = Walk {
            rules: &rules,
            dice: self.dice,
            keys: &mut self.keys,
            wanted,
            full: 0,
            complete: [0; 3],
            short: None,
            show,
        };
        walk.state(&root, None);
        let open = wanted & !walk.full;
        let two = open & walk.complete[2];
        let one = open & walk.complete[1] & !two;
        let none = open & walk.complete[0] & !two & !one;
        if none != 0 {
            walk.tell(&root, None, none, false, end_key(&root.position, side));
        }
        if one | two != 0 {
            walk.short = Some([0, one, two]);
            walk.wanted &= one | two;
            walk.state(&root, None);
        }
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
    /// The rolls of which some quiet line ends after so many dice.
    complete: [u64; 3],
    /// In the second walk: the rolls of which the quiet lines that end after so many dice are shown.
    short: Option<[u64; 3]>,
    show: &'a mut F,
}

impl<F> Walk<'_, F> {
    fn state<O: Observer + Copy>(&mut self, state: &State<O>, last: Option<Last>)
    where
        F: FnMut(&FanLeaf<O>) -> u64,
    {
        let king = state.position.king(state.side.other()).map_or(Bitboard::EMPTY, Square::bit);
        let movable = self.captures(state, king);
        let castles = if state.left > 1 { self.castlings(state) } else { [None; 2] };
        self.lines_that_end(state, movable, castles.iter().any(Option::is_some));
        if state.left == 1 && self.short.is_some() {
            return;
        }
        let base = end_key(&state.position, state.side);
        let special = special_squares(&state.position, state.side);
        for man in 0..state.men {
            let role = state.role[man];
            let spent = state.spent + one_of(role);
            if self.dice.containing[spent] & self.wanted == 0 {
                continue;
            }
            let mut targets = state.targets[man] & !king;
            if let Some(last) = last.filter(|last| man < last.man) {
                targets &= !(last.before[man] & !last.path);
            }
            if targets.is_empty() {
                continue;
            }
            if state.left == 1 {
                self.full |= self.dice.bit(spent);
                self.leaves(state, man, targets, spent, base, special);
            } else {
                self.children(state, man, targets);
            }
        }
        for mv in castles.into_iter().flatten() {
            self.castle(state, mv);
        }
    }

    /// Shows the lines that take the king from here; gives the roles that can move at all.
    fn captures<O: Observer + Copy>(&mut self, state: &State<O>, king: Bitboard) -> u8
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
            if targets.intersects(king) && self.short.is_none() {
                let rolls = self.dice.containing[state.spent + one_of(role)] & self.wanted;
                for to in targets & king {
                    let mv = SingleMove::new(state.square[man], to);
                    if rolls != 0 {
                        self.tell(state, Some(mv), rolls, true, slow_key(self.rules, state, mv));
                    }
                }
            }
        }
        movable
    }

    /// Notes the rolls whose quiet lines can end here, and in the second walk shows them.
    fn lines_that_end<O: Observer + Copy>(&mut self, state: &State<O>, movable: u8, castles: bool)
    where
        F: FnMut(&FanLeaf<O>) -> u64,
    {
        let mut rolls = self.dice.stuck(state.spent, movable);
        if castles {
            rolls &= !self.dice.containing[state.spent + one_of(Role::King) + one_of(Role::Rook)];
        }
        let spent = 3 - state.left;
        match self.short {
            None => self.complete[spent] |= rolls,
            Some(short) => {
                let rolls = rolls & short[spent];
                if rolls != 0 {
                    self.tell(state, None, rolls, false, end_key(&state.position, state.side));
                }
            }
        }
    }

    /// Shows the ends of a man's moves with the last die.
    #[inline]
    fn leaves<O: Observer + Copy>(
        &mut self,
        state: &State<O>,
        man: usize,
        targets: Bitboard,
        spent: usize,
        base: u64,
        special: Bitboard,
    ) where
        F: FnMut(&FanLeaf<O>) -> u64,
    {
        let roll = self.dice.bit(spent);
        let salt = roll_salt(roll);
        let (from, role) = (state.square[man], state.role[man]);
        let Some(piece) = state.position.man(from) else { return };
        let base = base ^ zobrist::man(piece, from);
        let plain = role != Role::Pawn && !special.has(from);
        for to in targets {
            if plain && !special.has(to) {
                let captured = state.position.man(to).map_or(0, |captured| zobrist::man(captured, to));
                let key = base ^ zobrist::man(piece, to) ^ captured;
                self.leaf(state, SingleMove::new(from, to), roll, salt, key);
            } else {
                for mv in state.moves(man, to) {
                    let key = slow_key(self.rules, state, mv);
                    self.leaf(state, mv, roll, salt, key);
                }
            }
        }
    }

    #[inline]
    fn leaf<O: Observer + Copy>(&mut self, state: &State<O>, mv: SingleMove, roll: u64, salt: u64, key: u64)
    where
        F: FnMut(&FanLeaf<O>) -> u64,
    {
        if self.keys.insert(key ^ salt) {
            let leaf = FanLeaf { rolls: roll, wins: false, key, rules: self.rules, state, last: Some(mv) };
            self.wanted &= !(self.show)(&leaf);
        }
    }

    fn children<O: Observer + Copy>(&mut self, state: &State<O>, man: usize, targets: Bitboard)
    where
        F: FnMut(&FanLeaf<O>) -> u64,
    {
        let from = state.square[man];
        for to in targets {
            for mv in state.moves(man, to) {
                let child = state.after(self.rules, man, mv);
                if !self.is_new(&child) {
                    continue;
                }
                let mut path = self.rules.sliders.between(from, to) | from.bit() | to.bit();
                if mv.kind == MoveKind::EnPassant {
                    path |= Square::on(to.file(), from.rank()).bit();
                }
                self.state(&child, Some(Last { man, before: &state.targets, path }));
            }
        }
    }

    /// Whether a position with these dice spent is met for the first time in this walk. After one die each is.
    fn is_new<O: Observer + Copy>(&mut self, child: &State<O>) -> bool {
        let walk = if self.short.is_some() { 1 << 20 } else { 1 << 19 };
        child.left == 2
            || self.keys.insert(child.position.afterstate_key() ^ zobrist::word((walk | child.spent) as u64))
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
            if self.short.is_none() {
                let roll = self.dice.bit(spent);
                self.full |= roll;
                self.leaf(state, mv, roll, roll_salt(roll), slow_key(self.rules, state, mv));
            }
            return;
        }
        let child = state.castled(self.rules, mv);
        if self.is_new(&child) {
            // Every order of castling and other moves is walked; the table drops what comes twice.
            self.state(&child, None);
        }
    }

    /// Shows an afterstate to the rolls among these that have not had it yet.
    fn tell<O: Observer + Copy>(&mut self, state: &State<O>, last: Option<SingleMove>, rolls: u64, wins: bool, key: u64)
    where
        F: FnMut(&FanLeaf<O>) -> u64,
    {
        let mut fresh = 0;
        let mut left = rolls;
        while left != 0 {
            let roll = left & left.wrapping_neg();
            left ^= roll;
            if self.keys.insert(key ^ roll_salt(roll)) {
                fresh |= roll;
            }
        }
        if fresh != 0 {
            let leaf = FanLeaf { rolls: fresh, wins, key, rules: self.rules, state, last };
            self.wanted &= !(self.show)(&leaf);
        }
    }
}

impl<O: Observer + Copy> State<O> {
    fn new(rules: &Rules, mut position: Position, side: Color, observer: O) -> State<O> {
        position.set_allowance(side, Pool::EMPTY);
        let nowhere = Square::on(0, 0);
        let mut state = State {
            position,
            observer,
            side,
            men: 0,
            square: [nowhere; MEN],
            role: [Role::Pawn; MEN],
            sight: [Bitboard::EMPTY; MEN],
            targets: [Bitboard::EMPTY; MEN],
            line: [SingleMove::new(nowhere, nowhere); 2],
            made: 0,
            spent: 0,
            left: 3,
        };
        for square in position.of(side) {
            let Some(man) = position.man(square).filter(|_| state.men < MEN) else { continue };
            (state.square[state.men], state.role[state.men]) = (square, man.role());
            state.aim(rules, state.men);
            state.men += 1;
        }
        state
    }

    /// Works out what a man sees and where he can go.
    #[inline]
    fn aim(&mut self, rules: &Rules, man: usize) {
        let (from, position) = (self.square[man], &self.position);
        let occupied = position.occupied();
        let sight = match self.role[man] {
            Role::Pawn => {
                self.aim_pawn(man);
                return;
            }
            Role::Knight => knight_attacks(from),
            Role::Bishop => rules.sliders.bishop(from, occupied),
            Role::Rook => rules.sliders.rook(from, occupied),
            Role::Queen => rules.sliders.queen(from, occupied),
            Role::King => king_attacks(from),
        };
        self.sight[man] = sight;
        self.targets[man] = sight & !position.of(self.side);
    }

    fn aim_pawn(&mut self, man: usize) {
        let (from, side, position) = (self.square[man], self.side, &self.position);
        let empty = !position.occupied();
        let ahead = |squares: Bitboard| match side {
            Color::White => Bitboard(squares.0 << 8),
            Color::Black => Bitboard(squares.0 >> 8),
        };
        let attacks = pawn_attacks(side, from);
        let (one, third) = (ahead(from.bit()), Bitboard::rank(side.relative_rank(2)));
        let two = ahead(one & third);
        let passed = position.targets() & Bitboard::rank(side.relative_rank(5));
        self.sight[man] = attacks | one | two;
        let step = one & empty;
        self.targets[man] = step | (ahead(step & third) & empty) | (attacks & (position.of(side.other()) | passed));
    }

    /// The single moves of a man to a target: four where a pawn promotes.
    #[inline]
    fn moves(&self, man: usize, to: Square) -> impl Iterator<Item = SingleMove> + use<O> {
        let (from, side) = (self.square[man], self.side);
        let mut mv = SingleMove::new(from, to);
        let mut promotes = false;
        if self.role[man] == Role::Pawn {
            promotes = to.rank() == side.relative_rank(7);
            if from.file() != to.file() && self.position.man(to).is_none() {
                mv.kind = MoveKind::EnPassant;
            } else if from.rank().abs_diff(to.rank()) == 2 {
                mv.kind = MoveKind::DoubleStep;
            }
        }
        let count = if promotes { Role::PROMOTIONS.len() } else { 1 };
        Role::PROMOTIONS
            .into_iter()
            .take(count)
            .map(move |role| SingleMove { promotion: promotes.then_some(role), ..mv })
    }

    /// The state after a man's move, which is no castling.
    fn after(&self, rules: &Rules, man: usize, mv: SingleMove) -> State<O> {
        let mut next = *self;
        next.position.displace(rules.variant, mv, &mut next.observer);
        next.square[man] = mv.to;
        next.spent += one_of(self.role[man]);
        next.left -= 1;
        next.role[man] = mv.promotion.unwrap_or(self.role[man]);
        next.line[next.made] = mv;
        next.made += 1;
        next.look_again(rules, self);
        next
    }

    fn castled(&self, rules: &Rules, mv: SingleMove) -> State<O> {
        let mut next = *self;
        next.position.displace(rules.variant, mv, &mut next.observer);
        let (king_file, rook_file) = mv.wing().files();
        for man in 0..next.men {
            if self.square[man] == mv.from {
                next.square[man] = Square::on(king_file, mv.from.rank());
            } else if self.square[man] == mv.to {
                next.square[man] = Square::on(rook_file, mv.from.rank());
            }
        }
        next.spent += one_of(Role::King) + one_of(Role::Rook);
        next.left -= 2;
        next.line[next.made] = mv;
        next.made += 1;
        next.look_again(rules, self);
        next
    }

    /// Works out anew what may have changed since the position before.
    #[inline]
    fn look_again(&mut self, rules: &Rules, before: &State<O>) {
        let occupied = self.position.occupied() ^ before.position.occupied();
        let own = self.position.of(self.side) ^ before.position.of(self.side);
        let changed = occupied | own | (self.position.targets() ^ before.position.targets());
        for man in 0..self.men {
            if self.sight[man].intersects(changed) || self.square[man] != before.square[man] {
                self.aim(rules, man);
            }
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

/// The key of the afterstate of a last move, by making it.
fn slow_key<O>(rules: &Rules, state: &State<O>, mv: SingleMove) -> u64 {
    let mut position = state.position;
    position.displace(rules.variant, mv, &mut ());
    end_key(&position, state.side)
}

/// The squares on which a move may touch a right or an en-passant target.
fn special_squares(position: &Position, side: Color) -> Bitboard {
    let mut special = position.targets();
    for target in position.targets() {
        special |= Square::on(target.file(), if target.rank() == 2 { 3 } else { 4 }).bit();
    }
    for color in Color::ALL {
        for rook in Wing::ALL.into_iter().filter_map(|wing| position.castling_rook(color, wing)) {
            special |= rook.bit();
            if color == side {
                special |= position.men(side, Role::King);
            }
        }
    }
    special
}

/// What tells the same afterstate of different rolls apart in the table of keys.
fn roll_salt(roll: u64) -> u64 {
    zobrist::word(u64::from(roll.trailing_zeros()) + 1)
}

/// A set of keys by open addressing. An entry keeps the upper bits of its key, its place the lower ones, and what is
/// left numbers the walk that it belongs to, so that a new walk needs no clearing.
struct KeyTable {
    newest: Vec<u64>,
    /// Full tables of this walk, which are only looked into.
    older: Vec<Vec<u64>>,
    walk: u64,
    len: usize,
}

/// The bits of an entry that number the walk.
const WALK_BITS: u32 = 16;
/// The least and the most entries of a table: 512 KiB and 256 MiB. Beyond that keys are forgotten, and an afterstate may
/// be shown twice.
const TABLES: (usize, usize) = (1 << 16, 1 << 25);

impl KeyTable {
    fn new() -> KeyTable {
        KeyTable { newest: vec![0; TABLES.0], older: Vec::new(), walk: 0, len: 0 }
    }

    fn begin(&mut self) {
        self.older.clear();
        self.walk += 1;
        self.len = 0;
        if self.walk >> WALK_BITS != 0 {
            self.newest.fill(0);
            self.walk = 1;
        }
    }

    /// Adds a key; false where it was there.
    #[inline]
    fn insert(&mut self, key: u64) -> bool {
        let entry = key >> WALK_BITS << WALK_BITS | self.walk;
        if !self.older.is_empty() && self.older.iter().any(|table| place(table, key, entry, self.walk).is_none()) {
            return false;
        }
        let Some(at) = place(&self.newest, key, entry, self.walk) else { return false };
        self.newest[at] = entry;
        self.len += 1;
        if self.len * 3 > self.newest.len() * 2 {
            self.grow();
        }
        true
    }

    #[cold]
    fn grow(&mut self) {
        let size = self.newest.len() * 4;
        self.len = 0;
        if size > TABLES.1 {
            self.newest.fill(0);
        } else {
            self.older.push(std::mem::replace(&mut self.newest, vec![0; size]));
        }
    }
}

/// The place at which an entry may be put; none where it is there.
#[inline]
fn place(table: &[u64], key: u64, entry: u64, walk: u64) -> Option<usize> {
    let mask = table.len() - 1;
    let mut at = key as usize & mask;
    loop {
        let known = table[at];
        if known == entry {
            return None;
        }
        if known & ((1 << WALK_BITS) - 1) != walk {
            return Some(at);
        }
        at = (at + 1) & mask;
    }
}

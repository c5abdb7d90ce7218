//! The replies to all rolls of three dice at once: for each roll the best by static value.

use super::effort::Spent;
use crate::board::{Color, Piece, Role, Square};
use crate::eval::network::squash;
use crate::eval::{Accumulator, Evaluator, Judge, Linear, Network, Score, Sum};
use crate::position::{MoveKind, Position, SingleMove};
use crate::turns::{Audience, FanLeaf, FanSet, Rules, Turn};

/// The rolls of three dice.
pub const ROLLS: usize = 56;

/// A reply to a roll.
#[derive(Clone, Copy, Debug)]
pub struct Reply {
    /// Its static value for the side that plays it, in the units of the evaluation.
    pub value: i32,
    /// The turn.
    pub turn: Turn,
}

/// Hears the afterstates of a fan and keeps the best few of each roll.
pub struct Leaves<'a> {
    rules: &'a Rules,
    evaluator: &'a dyn Evaluator,
    linear: Option<&'a Linear>,
    side: Color,
    /// What a bent sum is told by: the own king's and the enemies' squares at first.
    root: &'a Position,
    /// What was heard.
    pub best: Best,
}

/// The best few replies to each roll.
pub struct Best {
    keep: usize,
    /// The best replies of each roll, best first.
    pub replies: Vec<Vec<Reply>>,
    /// What a further reply must exceed.
    floor: [i32; ROLLS],
    /// Afterstates heard.
    pub nodes: u64,
    /// What turns values into scores.
    pub squash: fn(i32) -> Score,
}

impl Best {
    fn new(keep: usize, squash: fn(i32) -> Score) -> Best {
        let replies = (0..ROLLS).map(|_| Vec::with_capacity(keep.min(4))).collect();
        Best { keep, replies, floor: [i32::MIN; ROLLS], nodes: 0, squash }
    }

    #[inline]
    fn offer(&mut self, roll: usize, value: i32, turn: impl FnOnce() -> Turn) {
        let (Some(list), Some(floor)) = (self.replies.get_mut(roll), self.floor.get_mut(roll)) else { return };
        if value <= *floor && list.len() >= self.keep {
            return;
        }
        let at = list.iter().rposition(|reply| reply.value >= value).map_or(0, |at| at + 1);
        list.insert(at, Reply { value, turn: turn() });
        list.truncate(self.keep);
        if list.len() >= self.keep {
            *floor = list.last().map_or(i32::MIN, |reply| reply.value);
        }
    }
}

/// Hears the same by a network.
pub struct NetLeaves<'n, 's> {
    judge: Judge<'n>,
    spent: &'s Spent<'s>,
    /// How many nodes had been heard when the clock was looked at last.
    looked: u64,
    /// Whether time ran out: what was heard is not all.
    pub is_late: bool,
    /// What was heard.
    pub best: Best,
}

/// How many afterstates are valued between two looks at the clock: a tenth of a millisecond or two.
const LOOK_EVERY: u64 = 512;

impl<'n, 's> NetLeaves<'n, 's> {
    /// For the replies of a side, `keep` of each roll.
    pub fn new(
        rules: Rules,
        network: &'n Network,
        side: Color,
        keep: usize,
        spent: &'s Spent<'s>,
    ) -> NetLeaves<'n, 's> {
        let best = Best::new(keep, squash);
        NetLeaves { judge: Judge::new(rules, network, side), spent, looked: 0, is_late: false, best }
    }

    /// The rolls of which enough was seen: all, once there is no more time.
    #[inline]
    fn enough(&mut self) -> u64 {
        if self.best.nodes - self.looked >= LOOK_EVERY {
            self.looked = self.best.nodes;
            self.is_late = self.is_late || self.spent.is_over();
        }
        if self.is_late { u64::MAX } else { 0 }
    }
}

impl<'n> Audience<Accumulator<'n>> for NetLeaves<'n, '_> {
    fn leaf(&mut self, leaf: &FanLeaf<Accumulator<'n>>) -> u64 {
        self.best.nodes += 1;
        if self.is_late {
            return u64::MAX;
        }
        let value = if leaf.wins { i32::MAX } else { self.judge.leaf(leaf) };
        for roll in rolls(leaf.rolls) {
            self.best.offer(roll, value, || leaf.turn());
        }
        self.enough() | if leaf.wins { leaf.rolls } else { 0 }
    }

    fn set(&mut self, set: &FanSet<Accumulator<'n>>) -> u64 {
        if self.is_late {
            return u64::MAX;
        }
        let roll = set.roll.trailing_zeros() as usize;
        self.best.nodes += u64::from(set.targets.count());
        let best = &mut self.best;
        self.judge.set(set, |mv, value| best.offer(roll, value, || set.turn(mv)));
        self.enough()
    }
}

impl<'a> Leaves<'a> {
    /// For the replies from a position, `keep` of each roll.
    pub fn new(
        rules: &'a Rules,
        evaluator: &'a dyn Evaluator,
        linear: Option<&'a Linear>,
        root: &'a Position,
        side: Color,
        keep: usize,
    ) -> Leaves<'a> {
        let squash = linear.map_or(Score as fn(i32) -> Score, |linear| linear.squash);
        Leaves { rules, evaluator, linear, side, root, best: Best::new(keep, squash) }
    }

    /// How a move changes the sum; the man is the one that stands there, or the one just moved there.
    #[inline]
    fn change(&self, linear: &Linear, position: &Position, piece: Piece, mv: SingleMove) -> i32 {
        let arrives = mv.promotion.map_or(piece, |role| Piece::new(self.side, role));
        let change = linear.man(arrives, mv.to) - linear.man(piece, mv.from);
        match position.man(mv.to) {
            Some(taken) if taken.color() != self.side => change - linear.man(taken, mv.to),
            _ => change,
        }
    }

    /// Who makes a move from a position, perhaps the man that `made` has moved there.
    #[inline]
    fn mover(&self, position: &Position, made: Option<SingleMove>, mv: SingleMove) -> Option<Piece> {
        match made.filter(|made| made.to == mv.from) {
            Some(made) => match made.promotion {
                Some(role) => Some(Piece::new(self.side, role)),
                None => position.man(made.from),
            },
            None => position.man(mv.from),
        }
    }

    /// What the sum is off by where the own king has moved and something was taken, after these moves from a position.
    fn bend(&self, linear: &Linear, position: &Position, moves: [Option<SingleMove>; 2]) -> i32 {
        let (Some(from), Some(mut to)) = (self.root.king(self.side), position.king(self.side)) else { return 0 };
        let enemy = self.side.other();
        let mut gone = self.root.of(enemy) & !position.of(enemy);
        for mv in moves.into_iter().flatten() {
            to = if mv.from == to { mv.to } else { to };
            gone |= mv.to.bit() & position.of(enemy);
        }
        if to == from {
            return 0;
        }
        let bend = |square| self.root.man(square).map_or(0, |man| linear.bend(man.role(), square, from, to));
        gone.map(bend).sum()
    }

    /// Whether the sum may be off: the own king has moved, or does so now.
    #[inline]
    fn is_bent(&self, linear: &Linear, position: &Position, made: Option<SingleMove>, from: Option<Square>) -> bool {
        let king = position.king(self.side);
        linear.nearness.is_some()
            && (king != self.root.king(self.side) || king == made.map(|made| made.from) || king == from)
    }

    /// The value by making the moves: of what is rare.
    fn slow(&self, leaf: &FanLeaf<Sum>) -> i32 {
        self.evaluator.units(self.rules, &leaf.position(), self.side)
    }

    fn value(&self, leaf: &FanLeaf<Sum>) -> i32 {
        let Some(linear) = self.linear else { return self.slow(leaf) };
        let (position, sum, moves) = leaf.rest();
        let mut value = sum.value;
        let mut made = None;
        for mv in moves.into_iter().flatten() {
            if matches!(mv.kind, MoveKind::EnPassant | MoveKind::Castle) {
                return self.slow(leaf);
            }
            let Some(piece) = self.mover(position, made, mv) else { return self.slow(leaf) };
            value += self.change(linear, position, piece, mv);
            made = Some(mv);
        }
        let [first, second] = moves;
        if self.is_bent(linear, position, first, second.map(|mv| mv.from)) {
            value += self.bend(linear, position, moves);
        }
        value
    }
}

impl<'b> Audience<Sum<'b>> for Leaves<'_> {
    fn leaf(&mut self, leaf: &FanLeaf<Sum<'b>>) -> u64 {
        self.best.nodes += 1;
        if leaf.wins {
            for roll in rolls(leaf.rolls) {
                self.best.offer(roll, i32::MAX, || leaf.turn());
            }
            return leaf.rolls;
        }
        let value = self.value(leaf);
        for roll in rolls(leaf.rolls) {
            self.best.offer(roll, value, || leaf.turn());
        }
        0
    }

    fn set(&mut self, set: &FanSet<Sum<'b>>) -> u64 {
        let (position, sum, made) = set.rest();
        let Some(linear) = self.linear else { return set.each(|leaf| self.leaf(leaf)) };
        let mut base = sum.value;
        if let Some(made) = made {
            let Some(piece) = position.man(made.from) else { return set.each(|leaf| self.leaf(leaf)) };
            base += self.change(linear, position, piece, made);
        }
        let roll = set.roll.trailing_zeros() as usize;
        let mut first = None;
        set.moves(|mv| first = first.or(Some(mv)));
        let piece = first.and_then(|mv| self.mover(position, made, mv));
        let Some(piece) = piece else { return set.each(|leaf| self.leaf(leaf)) };
        self.best.nodes += u64::from(set.targets.count());
        let bent = self.is_bent(linear, position, made, first.map(|mv| mv.from));
        set.moves(|mv| {
            let mut value = base + self.change(linear, position, piece, mv);
            if bent {
                value += self.bend(linear, position, [made, Some(mv)]);
            }
            self.best.offer(roll, value, || set.turn(mv));
        });
        0
    }
}

/// The indices of the rolls in a set.
pub fn rolls(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let roll = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(roll)
    })
}

/// Whether three single moves are a whole turn of a roll as far as men and squares go: the dice match, each man can get
/// where he goes when his turn comes, and no move was left over. Castling is not looked into.
pub fn can_play(rules: &Rules, position: &Position, side: Color, roll: &[Role], turn: &Turn) -> bool {
    let mut dice: [i32; 6] = [0; 6];
    for role in roll {
        dice[role.index()] += 1;
    }
    let mut at = *position;
    for &mv in turn.moves() {
        let Some(man) = at.man(mv.from).filter(|man| man.color() == side) else { return false };
        dice[man.role().index()] -= 1;
        if dice[man.role().index()] < 0 || !rules.can_reach(&at, mv) {
            return false;
        }
        let king = at.man(mv.to).is_some_and(|taken| taken.role() == Role::King);
        if king {
            return true;
        }
        at.displace(rules.variant, mv, &mut ());
    }
    turn.moves().len() == roll.len()
}

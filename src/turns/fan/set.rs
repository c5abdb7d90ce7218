//! What a walk shows: afterstates, one by one or several at once.

use super::ground::behind;
use super::state::State;
use super::{Rules, Turn};
use crate::board::{Bitboard, Role, Square};
use crate::position::{MoveKind, Observer, Position, SingleMove};

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
    pub(super) rules: &'a Rules,
    /// Where the walk stands, and the moves made from there.
    pub(super) state: &'a State<O>,
    pub(super) then: [Option<SingleMove>; 2],
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

    /// The position before the last moves of the turn, with its observer, and these moves: none, one or two.
    ///
    /// The moves before are those of [`FanLeaf::turn`]; what the last ones change can be told without making them.
    pub fn rest(&self) -> (&Position, &O, [Option<SingleMove>; 2]) {
        (&self.state.position, &self.state.observer, self.then)
    }

    /// A turn that leads here.
    pub fn turn(&self) -> Turn {
        let mut turn = Turn::new(self.state.line.get(..self.state.made).unwrap_or_default());
        self.then.into_iter().flatten().for_each(|mv| turn.push(mv));
        turn
    }
}

/// Who makes the last moves of a set.
#[derive(Clone, Copy)]
pub(super) enum Movers {
    /// The man on a square; the key is without him there.
    Man(Square),
    /// Pawns, each that far behind his target.
    Behind(u32),
}

/// Distinct afterstates of one roll that differ only in the last move: where a man goes, or which of several pawns makes
/// the same step.
pub struct FanSet<'a, O> {
    /// The roll, as a bit.
    pub roll: u64,
    /// The squares that the last moves enter, each by one move.
    pub targets: Bitboard,
    pub(super) movers: Movers,
    /// What a pawn becomes.
    pub(super) promotion: Option<Role>,
    pub(super) kind: MoveKind,
    /// The key of an afterstate, but for what the last move changes.
    pub(super) base: u64,
    /// The keys of the man where he leaves, arrives, and of what he takes there.
    pub(super) leave: &'a [u64; 64],
    pub(super) arrive: &'a [u64; 64],
    pub(super) taken: &'a [u64; 64],
    pub(super) made: Option<SingleMove>,
    pub(super) rules: &'a Rules,
    pub(super) state: &'a State<O>,
}

impl<'a, O: Observer + Copy> FanSet<'a, O> {
    /// Hands the afterstates on one by one; gives the union of the answers.
    #[inline(always)]
    pub fn each(&self, mut show: impl FnMut(&FanLeaf<O>) -> u64) -> u64 {
        let mut answer = 0;
        match self.movers {
            Movers::Man(from) => {
                for to in self.targets {
                    answer |= show(&self.leaf(from, to, self.base));
                }
            }
            Movers::Behind(shift) => {
                for to in self.targets {
                    let from = behind(to, shift);
                    answer |= show(&self.leaf(from, to, self.base ^ self.leave[from.usize()]));
                }
            }
        }
        answer
    }

    /// The position before the last moves, with its observer, and the move between, where there is one.
    pub fn rest(&self) -> (&Position, &O, Option<SingleMove>) {
        (&self.state.position, &self.state.observer, self.made)
    }

    /// Whether the last moves change more than their man and what he takes: castling, en passant.
    pub fn is_special(&self) -> bool {
        matches!(self.kind, MoveKind::Castle | MoveKind::EnPassant)
    }

    /// Hands the last moves on one by one.
    #[inline(always)]
    pub fn moves(&self, mut show: impl FnMut(SingleMove)) {
        let (promotion, kind) = (self.promotion, self.kind);
        match self.movers {
            Movers::Man(from) => self.targets.for_each(|to| show(SingleMove { from, to, promotion, kind })),
            Movers::Behind(shift) => {
                self.targets.for_each(|to| show(SingleMove { from: behind(to, shift), to, promotion, kind }));
            }
        }
    }

    /// The turn of which this is the last move.
    pub fn turn(&self, last: SingleMove) -> Turn {
        let mut turn = Turn::new(self.state.line.get(..self.state.made).unwrap_or_default());
        self.made.into_iter().chain([last]).for_each(|mv| turn.push(mv));
        turn
    }

    #[inline(always)]
    fn leaf(&self, from: Square, to: Square, base: u64) -> FanLeaf<'a, O> {
        let key = base ^ self.arrive[to.usize()] ^ self.taken[to.usize()];
        let mv = SingleMove { from, to, promotion: self.promotion, kind: self.kind };
        FanLeaf {
            rolls: self.roll,
            wins: false,
            key,
            rules: self.rules,
            state: self.state,
            then: [self.made, Some(mv)],
        }
    }
}

/// What a walk shows its afterstates to.
pub trait Audience<O: Observer + Copy> {
    /// Shows an afterstate; the answer are the rolls of which enough was seen.
    fn leaf(&mut self, leaf: &FanLeaf<O>) -> u64;

    /// Shows several that differ only in the last move.
    #[inline(always)]
    fn set(&mut self, set: &FanSet<O>) -> u64 {
        set.each(|leaf| self.leaf(leaf))
    }
}

/// An audience that sees afterstates one by one.
pub(super) struct Each<'a, F>(pub &'a mut F);

impl<O: Observer + Copy, F: FnMut(&FanLeaf<O>) -> u64> Audience<O> for Each<'_, F> {
    #[inline(always)]
    fn leaf(&mut self, leaf: &FanLeaf<O>) -> u64 {
        (self.0)(leaf)
    }
}

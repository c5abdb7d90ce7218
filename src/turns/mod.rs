//! From a position and a roll to every turn that the rules allow, and to the next throw.

mod beam;
mod fan;
mod game;
mod generate;
mod ground;
mod king_capture;
mod legal;
mod multiset;
pub mod oracle;
mod outcome;
mod outcomes;
pub mod perft;
mod single;
mod step;
mod threat;
mod win;

pub use beam::Promise;
pub use fan::{Audience, Fan, FanLeaf, FanSet};
pub use game::{Game, PlayError};
pub use generate::{Afterstate, Effort, Leaf, NODE_CAP, Survey};
pub use outcome::Status;
pub use outcomes::{Chance, ChanceOutcome};
pub use step::Step;
pub use threat::{Odds, Threat};

use crate::board::{Sliders, Square};
use crate::position::{MAX_TICKETS, Position, SingleMove};
use crate::variant::Variant;

/// The rule machine set to one variant; cheap to copy.
#[derive(Clone, Copy)]
pub struct Rules {
    /// The rules as data.
    pub variant: &'static Variant,
    /// The slider tables, resolved once.
    pub sliders: &'static Sliders,
}

impl Rules {
    /// The rule machine of a variant.
    pub fn new(variant: &'static Variant) -> Rules {
        Rules { variant, sliders: Sliders::get() }
    }

    /// Where a whole turn leads from a decision node.
    pub fn after_turn(&self, position: &Position, turn: &Turn) -> Position {
        let mut next = *position;
        turn.moves().iter().for_each(|&mv| next.displace(self.variant, mv, &mut ()));
        next.end_turn(self.variant, self.sliders);
        next
    }
}

/// All that is played on one roll, in order; empty for a pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Turn {
    moves: [SingleMove; MAX_TICKETS],
    len: u8,
}

impl Turn {
    /// The pass.
    pub const PASS: Turn = Turn { moves: [SingleMove::new(Square::on(0, 0), Square::on(0, 0)); MAX_TICKETS], len: 0 };

    /// The turn of these single moves, of which the first six count.
    pub fn new(moves: &[SingleMove]) -> Turn {
        let mut turn = Turn::PASS;
        for &mv in moves {
            turn.push(mv);
        }
        turn
    }

    /// The single moves in order.
    pub fn moves(&self) -> &[SingleMove] {
        self.moves.get(..usize::from(self.len)).unwrap_or(&self.moves)
    }

    /// Whether nothing is moved.
    pub fn is_pass(&self) -> bool {
        self.len == 0
    }

    /// Appends a single move; beyond the sixth nothing happens, for no roll gives more tickets.
    pub fn push(&mut self, mv: SingleMove) {
        if let Some(slot) = self.moves.get_mut(usize::from(self.len)) {
            *slot = mv;
            self.len += 1;
        }
    }
}

//! Of each roll the turns that were the best when it was last looked at: likely to be good in the next position too.

use crate::board::{Role, Square};
use crate::position::{MoveKind, SingleMove};
use crate::turns::Turn;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many turns are kept of a roll.
const KEPT: usize = 3;
/// Deeper than this nothing is remembered.
const DEEPEST: usize = 32;
/// No game has more distinct rolls.
const ROLLS: usize = 56;
/// Longer turns are not kept.
const LONGEST: usize = 3;
/// Where a packed turn keeps the number of its moves.
const LEN_SHIFT: u32 = 48;

/// The killers of each distance from the root, for all threads of a search.
///
/// Without locks: where two threads write at once a turn may be kept twice or not at all, which costs a little time and
/// changes no value.
pub struct Killers {
    turns: Vec<AtomicU64>,
}

impl Killers {
    /// None yet.
    pub fn new() -> Killers {
        Killers { turns: (0..DEEPEST * ROLLS * KEPT).map(|_| AtomicU64::new(0)).collect() }
    }

    fn slots(&self, ply: u32, roll: usize) -> &[AtomicU64] {
        let ply = ply as usize;
        let start = (ply * ROLLS + roll) * KEPT;
        let known = ply < DEEPEST && roll < ROLLS;
        self.turns.get(start..start + KEPT).filter(|_| known).unwrap_or_default()
    }

    /// The turns of a roll, the last first.
    pub fn get(&self, ply: u32, roll: usize) -> impl Iterator<Item = Turn> + use<'_> {
        self.slots(ply, roll).iter().map_while(|slot| unpack(slot.load(Ordering::Relaxed)))
    }

    /// Remembers a turn of a roll.
    pub fn set(&self, ply: u32, roll: usize, turn: Turn) {
        let Some(mut carried) = pack(&turn) else { return };
        // The turn goes to the front, and the others move back to where it was.
        let newest = carried;
        for slot in self.slots(ply, roll) {
            let known = slot.load(Ordering::Relaxed);
            if known == carried {
                return;
            }
            slot.store(carried, Ordering::Relaxed);
            carried = known;
            if carried == newest {
                return;
            }
        }
    }
}

/// A turn of one to three moves in a word, 16 bits a move and their number above; never 0.
fn pack(turn: &Turn) -> Option<u64> {
    let moves = turn.moves();
    if moves.is_empty() || moves.len() > LONGEST {
        return None;
    }
    let one = |mv: &SingleMove| {
        let how = match (mv.promotion, mv.kind) {
            (Some(role), _) => 4 + role.index() as u64,
            (None, MoveKind::Normal) => 0,
            (None, MoveKind::DoubleStep) => 1,
            (None, MoveKind::EnPassant) => 2,
            (None, MoveKind::Castle) => 3,
        };
        u64::from(mv.from.index()) | u64::from(mv.to.index()) << 6 | how << 12
    };
    let packed = moves.iter().rev().fold(0, |word, mv| word << 16 | one(mv));
    Some((moves.len() as u64) << LEN_SHIFT | packed)
}

fn unpack(word: u64) -> Option<Turn> {
    if word == 0 {
        return None;
    }
    let mut turn = Turn::PASS;
    for place in 0..word >> LEN_SHIFT {
        turn.push(single(word >> (16 * place) & 0xffff)?);
    }
    Some(turn)
}

fn single(bits: u64) -> Option<SingleMove> {
    let (from, to) = (Square::new((bits & 63) as u8)?, Square::new((bits >> 6 & 63) as u8)?);
    let (promotion, kind) = match bits >> 12 {
        0 => (None, MoveKind::Normal),
        1 => (None, MoveKind::DoubleStep),
        2 => (None, MoveKind::EnPassant),
        3 => (None, MoveKind::Castle),
        how => (Some(*Role::ALL.get(how as usize - 4)?), MoveKind::Normal),
    };
    Some(SingleMove { from, to, promotion, kind })
}

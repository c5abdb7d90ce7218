//! Of each roll the turns that were the best when it was last looked at: likely to be good in the next position too.

use crate::position::SingleMove;
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
    let packed = moves.iter().rev().fold(0, |word, mv| word << 16 | u64::from(mv.packed()));
    Some((moves.len() as u64) << LEN_SHIFT | packed)
}

fn unpack(word: u64) -> Option<Turn> {
    if word == 0 {
        return None;
    }
    let mut turn = Turn::PASS;
    for place in 0..word >> LEN_SHIFT {
        turn.push(SingleMove::unpacked((word >> (16 * place)) as u16)?);
    }
    Some(turn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Role, Square};

    #[test]
    fn turns_are_packed_and_the_last_three_kept() {
        let (a, b) = (Square::on(4, 1), Square::on(4, 7));
        let moves = [SingleMove::new(a, b), SingleMove { promotion: Some(Role::Knight), ..SingleMove::new(b, a) }];
        let turns: Vec<Turn> = [&moves[..1], &moves[1..], &moves[..]].map(Turn::new).to_vec();
        for turn in &turns {
            assert_eq!(pack(turn).and_then(unpack), Some(*turn));
        }
        assert_eq!((pack(&Turn::PASS), unpack(0)), (None, None));
        let killers = Killers::new();
        turns.iter().for_each(|turn| killers.set(3, 55, *turn));
        assert_eq!(killers.get(3, 55).collect::<Vec<_>>(), [turns[2], turns[1], turns[0]]);
        killers.set(3, 55, turns[1]);
        assert_eq!(killers.get(3, 55).collect::<Vec<_>>(), [turns[1], turns[2], turns[0]]);
        assert_eq!(killers.get(3, 54).count() + killers.get(99, 55).count(), 0);
        killers.set(99, 99, turns[0]);
    }
}

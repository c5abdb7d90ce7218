//! Of each roll the turn that was the best when it was last looked at: likely to be good in the next position too.

use crate::turns::Turn;

/// The killers of each distance from the root.
#[derive(Clone, Default)]
pub struct Killers {
    plies: Vec<Vec<Option<Turn>>>,
}

/// Deeper than this nothing is remembered.
const DEEPEST: usize = 64;

impl Killers {
    /// The turn of a roll.
    pub fn get(&self, ply: u32, roll: usize) -> Option<Turn> {
        self.plies.get(ply as usize)?.get(roll).copied().flatten()
    }

    /// Remembers a turn of a roll.
    pub fn set(&mut self, ply: u32, roll: usize, turn: Turn) {
        let ply = ply as usize;
        if ply >= DEEPEST {
            return;
        }
        if self.plies.len() <= ply {
            self.plies.resize_with(ply + 1, Vec::new);
        }
        if let Some(rolls) = self.plies.get_mut(ply) {
            if rolls.len() <= roll {
                rolls.resize(roll + 1, None);
            }
            if let Some(slot) = rolls.get_mut(roll) {
                *slot = Some(turn);
            }
        }
    }
}

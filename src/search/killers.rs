//! Of each roll the turn that was the best when it was last looked at: likely to be good in the next position too.

use crate::turns::Turn;

/// How many turns are kept of a roll.
const KEPT: usize = 3;

/// The killers of each distance from the root.
#[derive(Default)]
pub struct Killers {
    plies: Vec<Vec<[Option<Turn>; KEPT]>>,
}

/// Deeper than this nothing is remembered.
const DEEPEST: usize = 64;

impl Killers {
    /// The turns of a roll, the last first.
    pub fn get(&self, ply: u32, roll: usize) -> impl Iterator<Item = Turn> + use<> {
        let turns = self.plies.get(ply as usize).and_then(|rolls| rolls.get(roll)).copied().unwrap_or_default();
        turns.into_iter().flatten()
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
                rolls.resize(roll + 1, [None; KEPT]);
            }
            if let Some(turns) = rolls.get_mut(roll) {
                let at = turns.iter().position(|known| *known == Some(turn)).unwrap_or(KEPT - 1);
                if let Some(head) = turns.get_mut(..=at) {
                    head.rotate_right(1);
                }
                if let Some(first) = turns.first_mut() {
                    *first = Some(turn);
                }
            }
        }
    }
}

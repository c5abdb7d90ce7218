//! Multisets of roles, as three dice leave them: six two-bit counters in one number.

use crate::board::{Role, zobrist};
use crate::dice::DiceKind;
use once_cell::sync::Lazy;

/// How many numbers six two-bit counters make.
const NUMBERS: usize = 1 << 12;
/// No roll at all.
const NO_ROLL: u8 = u8::MAX;

/// One die of a role.
pub const fn one_of(role: Role) -> usize {
    1 << (2 * role.index())
}

/// How many dice of a role are in a multiset.
pub const fn count_of(multiset: usize, role: Role) -> usize {
    multiset >> (2 * role.index()) & 3
}

/// How many dice are in a multiset.
fn size(multiset: usize) -> usize {
    Role::ALL.into_iter().map(|role| count_of(multiset, role)).sum()
}

/// The 56 rolls of three dice, in ascending order, as bits of a word.
pub struct ThreeDice {
    /// The multiset and the weight out of 216 of each roll.
    pub rolls: Vec<(usize, u32)>,
    /// The rolls that contain a multiset.
    pub containing: Vec<u64>,
    /// The index of the roll that is a multiset of three.
    roll: Vec<u8>,
    /// The rows of `stuck` that belong to multisets of up to two.
    row: Vec<u8>,
    /// For each multiset of up to two dice and each set of roles that can move: the rolls that contain the multiset
    /// and of which no other die can move.
    stuck: Vec<[u64; 64]>,
    /// For each multiset of up to two dice and each role of one die more: the roll, and its salt.
    last: Vec<[(u64, u64); 6]>,
}

/// What tells the same key of different rolls apart.
pub fn roll_salt(roll: u64) -> u64 {
    zobrist::word(u64::from(roll.trailing_zeros()) + 1)
}

impl ThreeDice {
    /// All 56.
    pub const ALL: u64 = (1 << 56) - 1;

    /// The bit of the roll that is this multiset of three, 0 where it is none.
    pub fn bit(&self, multiset: usize) -> u64 {
        match self.roll[multiset] {
            NO_ROLL => 0,
            index => 1 << index,
        }
    }

    /// For a die of each role after a multiset of two: the bit of the roll that they make, and its salt.
    pub fn last(&self, multiset: usize) -> &[(u64, u64); 6] {
        &self.last[usize::from(self.row[multiset])]
    }

    /// The rolls that contain a multiset of up to two and of which no other die is of a role that can move.
    pub fn stuck(&self, multiset: usize, movable: u8) -> u64 {
        self.stuck[usize::from(self.row[multiset])][usize::from(movable & 63)]
    }
}

/// The tables, built once.
pub static THREE_DICE: Lazy<ThreeDice> = Lazy::new(|| {
    let rolls: Vec<(usize, u32)> = DiceKind::Three
        .rolls()
        .into_iter()
        .map(|(roll, weight)| (roll.dice().iter().map(|die| one_of(die.role())).sum(), weight))
        .collect();
    let bits = |wanted: &dyn Fn(usize) -> bool| {
        rolls.iter().enumerate().filter(|(_, (roll, _))| wanted(*roll)).fold(0u64, |bits, (index, _)| bits | 1 << index)
    };
    let contains =
        |roll: usize, part: usize| Role::ALL.into_iter().all(|role| count_of(part, role) <= count_of(roll, role));
    let mut roll = vec![NO_ROLL; NUMBERS];
    for (index, (multiset, _)) in (0..).zip(&rolls) {
        roll[*multiset] = index;
    }
    let mut row = vec![0; NUMBERS];
    let (mut stuck, mut last) = (Vec::new(), Vec::new());
    for part in (0..NUMBERS).filter(|&part| size(part) <= 2) {
        row[part] = stuck.len() as u8;
        last.push(Role::ALL.map(|role| match roll[part + one_of(role)] {
            NO_ROLL => (0, 0),
            index => (1 << index, roll_salt(1 << index)),
        }));
        stuck.push(std::array::from_fn(|movable| {
            let dead = |role: Role, rest: usize| count_of(rest, role) == 0 || movable >> role.index() & 1 == 0;
            bits(&|roll| contains(roll, part) && Role::ALL.into_iter().all(|role| dead(role, roll - part)))
        }));
    }
    let containing =
        (0..NUMBERS).map(|part| if size(part) <= 3 { bits(&|roll| contains(roll, part)) } else { 0 }).collect();
    ThreeDice { rolls, containing, roll, row, stuck, last }
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_what_they_say() {
        let dice = &*THREE_DICE;
        assert_eq!((dice.rolls.len(), dice.stuck.len()), (56, 28));
        assert_eq!(dice.containing[0], ThreeDice::ALL);
        assert_eq!(dice.containing[one_of(Role::Pawn)].count_ones(), 21);
        let pair = one_of(Role::Pawn) + one_of(Role::King);
        assert_eq!(dice.containing[pair].count_ones(), 6);
        assert_eq!(dice.bit(pair), 0);
        assert_eq!(dice.bit(pair + one_of(Role::King)).count_ones(), 1);
        // Nothing can move: every roll is stuck. Everything can: only what is complete, and that no pair is.
        assert_eq!(dice.stuck(0, 0), ThreeDice::ALL);
        assert_eq!(dice.stuck(pair, 63), 0);
        assert_eq!(dice.stuck(pair, 63 ^ 1 << Role::Queen.index()), dice.bit(pair + one_of(Role::Queen)));
    }
}

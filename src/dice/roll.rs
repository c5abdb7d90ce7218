//! One die's face, and the faces that fell together.

use crate::board::Role;
use std::fmt;

/// One die's face, 1 to 6.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Face(u8);

impl Face {
    /// One to six.
    pub const ALL: [Face; 6] = [Face(1), Face(2), Face(3), Face(4), Face(5), Face(6)];

    /// The face of a number from 1 to 6.
    pub const fn new(number: u8) -> Option<Face> {
        if number >= 1 && number <= 6 { Some(Face(number)) } else { None }
    }

    /// 1 to 6.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The role that a standard die names: 1–6 = P N B R Q K.
    pub const fn role(self) -> Role {
        Role::ALL[self.0 as usize - 1]
    }

    /// The standard face that names a role.
    pub const fn of(role: Role) -> Face {
        Face(role as u8 + 1)
    }
}

impl fmt::Debug for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The most dice that any variant throws.
pub const MAX_DICE: usize = 3;

/// The dice of one throw, in the variant's order (contest games: White's die, then Black's).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Roll {
    dice: [Face; MAX_DICE],
    len: u8,
}

impl Roll {
    /// The roll of one to three dice, none for any other number.
    pub fn new(dice: &[Face]) -> Option<Roll> {
        if dice.is_empty() || dice.len() > MAX_DICE {
            return None;
        }
        let mut roll = Roll { dice: [Face(1); MAX_DICE], len: dice.len() as u8 };
        for (slot, &die) in roll.dice.iter_mut().zip(dice) {
            *slot = die;
        }
        Some(roll)
    }

    /// Reads the digits of a roll, `1`–`6`, one a die.
    pub fn parse(text: &str) -> Option<Roll> {
        let dice: Option<Vec<Face>> = text.bytes().map(|byte| Face::new(byte.wrapping_sub(b'0'))).collect();
        Roll::new(&dice?)
    }

    /// The dice in the variant's order.
    pub fn dice(&self) -> &[Face] {
        self.dice.get(..usize::from(self.len)).unwrap_or(&self.dice)
    }

    /// The `index`-th die, or the last one where the roll is shorter.
    pub fn die(&self, index: usize) -> Face {
        let last = usize::from(self.len) - 1;
        self.dice[index.min(last)]
    }

    /// The same dice in ascending order: the roll as a multiset, for games in which the order means nothing.
    #[must_use]
    pub fn sorted(mut self) -> Roll {
        self.dice[..usize::from(self.len)].sort_unstable();
        self
    }
}

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.dice().iter().try_for_each(|die| write!(f, "{}", die.0))
    }
}

impl fmt::Debug for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_round_trip() {
        for text in ["1", "53", "124", "666"] {
            assert_eq!(Roll::parse(text).unwrap().to_string(), text);
        }
        for bad in ["", "0", "7", "1234", "12a", "1 2"] {
            assert_eq!(Roll::parse(bad), None, "{bad}");
        }
        assert_eq!(Roll::parse("312").unwrap().sorted().to_string(), "123");
        assert_eq!(Roll::parse("53").unwrap().die(1).number(), 3);
        for role in Role::ALL {
            assert_eq!(Face::of(role).role(), role);
        }
    }
}

//! Which dice a game throws: every roll with its integer weight.

use super::roll::{Face, Roll};

/// The dice of a variant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DiceKind {
    /// No dice at all.
    None,
    /// One die.
    One,
    /// Two dice of the mover, whose order means nothing.
    Two,
    /// Two dice that differ: the first and the second are read apart.
    TwoOrdered,
    /// One die of each player, White's first.
    Contest,
    /// Three dice, whose order means nothing.
    Three,
}

impl DiceKind {
    /// How many dice are thrown at once.
    pub const fn count(self) -> usize {
        match self {
            DiceKind::None => 0,
            DiceKind::One => 1,
            DiceKind::Two | DiceKind::TwoOrdered | DiceKind::Contest => 2,
            DiceKind::Three => 3,
        }
    }

    /// The sum of all weights: 6 to the number of dice.
    pub const fn total(self) -> u32 {
        6u32.pow(self.count() as u32)
    }

    /// Whether the order of the dice carries no meaning.
    pub const fn is_unordered(self) -> bool {
        matches!(self, DiceKind::Two | DiceKind::Three)
    }

    /// Every distinct roll with its weight out of [`DiceKind::total`], in ascending order; unordered dice are sorted.
    pub fn rolls(self) -> Vec<(Roll, u32)> {
        let mut rolls: Vec<(Roll, u32)> = Vec::new();
        if self.count() == 0 {
            return rolls;
        }
        for number in 0..self.total() {
            let dice: Vec<Face> = (0..self.count() as u32)
                .rev()
                .map(|place| Face::ALL[(number / 6u32.pow(place) % 6) as usize])
                .collect();
            let Some(roll) = Roll::new(&dice) else { continue };
            let roll = if self.is_unordered() { roll.sorted() } else { roll };
            match rolls.iter_mut().find(|(known, _)| *known == roll) {
                Some((_, weight)) => *weight += 1,
                None => rolls.push((roll, 1)),
            }
        }
        rolls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_and_counts_are_the_known_ones() {
        let all = [
            (DiceKind::None, 0),
            (DiceKind::One, 6),
            (DiceKind::Two, 21),
            (DiceKind::TwoOrdered, 36),
            (DiceKind::Contest, 36),
            (DiceKind::Three, 56),
        ];
        for (kind, distinct) in all {
            let rolls = kind.rolls();
            assert_eq!(rolls.len(), distinct, "{kind:?}");
            if distinct > 0 {
                assert_eq!(rolls.iter().map(|(_, weight)| weight).sum::<u32>(), kind.total(), "{kind:?}");
            }
        }
        let weights = |wanted| DiceKind::Three.rolls().iter().filter(|(_, weight)| *weight == wanted).count();
        assert_eq!((weights(1), weights(3), weights(6)), (6, 30, 20));
    }
}

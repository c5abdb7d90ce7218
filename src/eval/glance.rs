//! What the counts of a closer look add to the quiet head's logit: a weight each, and a small hidden layer that sees them
//! together with what both views make of the position.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use super::bytes::Reader;
use super::features::STAGES;
use super::network::LOGIT_ONE;
use super::threats::{ATTACKS, THREATS};

/// Units of the hidden layer.
pub const MIDDLE: usize = 32;
/// What they see: the counts, and the part of the logit of each view, that of the side about to roll first.
pub const SEEN: usize = THREATS + 2;
/// All weights here are multiples of this part of 1.
pub const GLANCE_ONE: i32 = 16 * LOGIT_ONE;
/// The bytes of its numbers.
pub(super) const BYTES: usize = 2 * (STAGES * THREATS + (SEEN + 1 + STAGES) * MIDDLE);

/// The numbers, in units of 1/16384.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Glance {
    /// What each of the [`threats`](super::threats::threats) adds to the logit, by stage.
    pub linear: [[i16; THREATS]; STAGES],
    /// What each thing seen adds to each hidden unit.
    pub rows: Vec<[i16; MIDDLE]>,
    /// What the units begin with.
    pub bias: [i16; MIDDLE],
    /// What the units, where they are above zero, add to the logit, by stage.
    pub outputs: [[i16; MIDDLE]; STAGES],
}

impl Glance {
    /// One that adds nothing.
    pub fn zero() -> Glance {
        Glance {
            linear: [[0; THREATS]; STAGES],
            rows: vec![[0; MIDDLE]; SEEN],
            bias: [0; MIDDLE],
            outputs: [[0; MIDDLE]; STAGES],
        }
    }

    /// All numbers, in the order of the file.
    fn numbers(&self) -> impl Iterator<Item = &i16> {
        let rows = self.rows.iter().flatten();
        self.linear.iter().flatten().chain(rows).chain(&self.bias).chain(self.outputs.iter().flatten())
    }

    /// The numbers, little-endian.
    pub(super) fn to_bytes(&self) -> impl Iterator<Item = u8> + '_ {
        self.numbers().flat_map(|number| number.to_le_bytes())
    }

    /// Takes the numbers from a reader; what is not there is zero.
    pub(super) fn read(reader: &mut Reader) -> Glance {
        let mut glance = Glance::zero();
        let Glance { linear, rows, bias, outputs } = &mut glance;
        let numbers = linear.iter_mut().flatten().chain(rows.iter_mut().flatten()).chain(bias);
        for number in numbers.chain(outputs.iter_mut().flatten()) {
            *number = reader.u16().unwrap_or(0) as i16;
        }
        glance
    }

    /// Whether it makes nothing of the odds, the last of the counts, and has no hidden layer: it was trained without.
    pub fn is_plain(&self) -> bool {
        let odds = self.linear.iter().flat_map(|row| row.iter().skip(ATTACKS));
        odds.chain(self.outputs.iter().flatten()).all(|weight| *weight == 0)
    }

    /// What it adds to a logit, in units of 1/1024; `views` are the parts of the logit of both views.
    pub fn logit(&self, counts: &[u8; THREATS], views: [i32; 2], stage: usize) -> i32 {
        let (Some(linear), Some(outputs)) = (self.linear.get(stage), self.outputs.get(stage)) else { return 0 };
        let mut sum: i32 =
            counts.iter().zip(linear).map(|(&count, &weight)| i32::from(count) * i32::from(weight)).sum();
        let mut units = self.bias.map(i32::from);
        for (&count, row) in counts.iter().zip(&self.rows).filter(|(count, _)| **count != 0) {
            units.iter_mut().zip(row).for_each(|(unit, weight)| *unit += i32::from(count) * i32::from(*weight));
        }
        for (view, row) in views.into_iter().zip(self.rows.iter().skip(THREATS)) {
            let view = view.clamp(-MOST_VIEW, MOST_VIEW);
            units.iter_mut().zip(row).for_each(|(unit, weight)| *unit += view * i32::from(*weight) / LOGIT_ONE);
        }
        let told = units.iter().zip(outputs).map(|(unit, weight)| i64::from(*unit.max(&0)) * i64::from(*weight));
        sum += (told.sum::<i64>() / i64::from(GLANCE_ONE)) as i32;
        sum / (GLANCE_ONE / LOGIT_ONE)
    }
}

/// The largest part of a logit that is told apart: its product with a weight fits 32 bits.
const MOST_VIEW: i32 = 32 * LOGIT_ONE;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_parts_are_summed() {
        let mut glance = Glance::zero();
        glance.linear[2][7] = 16_384 / 4;
        glance.rows[7][0] = 16_384;
        glance.rows[THREATS + 1][0] = 8_192;
        glance.rows[7][1] = -16_384;
        glance.bias[0] = -16_384;
        glance.outputs[2] = [8_192; MIDDLE];
        let mut counts = [0; THREATS];
        counts[7] = 3;
        // Three quarters, and half of 3 + 4/2 - 1; the unit below zero adds nothing.
        assert_eq!(glance.logit(&counts, [9_999, 4 * LOGIT_ONE], 2), (3 * LOGIT_ONE) / 4 + 2 * LOGIT_ONE);
        assert_eq!(glance.logit(&counts, [0, -4 * LOGIT_ONE], 1), 0);
        let bytes: Vec<u8> = glance.to_bytes().collect();
        assert_eq!(bytes.len(), BYTES);
        assert_eq!(Glance::read(&mut Reader { rest: &bytes }), glance);
    }
}

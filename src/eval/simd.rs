//! The inner loops of the network, once for any processor and once for AVX2, chosen when the program runs.
//!
//! Both are compiled from the same lines, in integers, so that they agree exactly. The only unsafe code of the house is
//! here: a call of a function that needs AVX2, where AVX2 has been found.
#![allow(unsafe_code)]

/// Hidden units of each view.
pub const HIDDEN: usize = 128;
/// The activation that counts as 1.
pub const ONE: i16 = 255;

/// One number for each hidden unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Row(pub [i16; HIDDEN]);

impl Row {
    /// Nothing.
    pub const ZERO: Row = Row([0; HIDDEN]);
}

/// Adds a row.
#[inline(always)]
pub fn add(to: &mut Row, row: &Row) {
    for (to, add) in to.0.iter_mut().zip(&row.0) {
        *to = to.wrapping_add(*add);
    }
}

/// Takes a row away.
#[inline(always)]
pub fn subtract(from: &mut Row, row: &Row) {
    for (from, sub) in from.0.iter_mut().zip(&row.0) {
        *from = from.wrapping_sub(*sub);
    }
}

/// The sum of squared clipped activations times output weights, of the units with one row more and one less.
#[inline(always)]
fn view(units: &Row, more: &Row, less: &Row, weights: &Row) -> i32 {
    let mut sum = 0i32;
    for index in 0..HIDDEN {
        let unit = units.0[index].wrapping_add(more.0[index]).wrapping_sub(less.0[index]).clamp(0, ONE);
        // A weight is at most 127, so that this product still fits.
        let weighted = unit.wrapping_mul(weights.0[index]);
        sum += i32::from(weighted) * i32::from(unit);
    }
    sum
}

/// What changes in both views.
pub struct Change<'a> {
    /// The row that comes.
    pub more: [&'a Row; 2],
    /// The row that goes.
    pub less: [&'a Row; 2],
}

#[inline(always)]
fn both(units: [&Row; 2], change: &Change, weights: &[Row; 2]) -> [i32; 2] {
    [0, 1].map(|at| view(units[at], change.more[at], change.less[at], &weights[at]))
}

/// For any processor.
pub fn plain(units: [&Row; 2], change: &Change, weights: &[Row; 2]) -> [i32; 2] {
    both(units, change, weights)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2(units: [&Row; 2], change: &Change, weights: &[Row; 2]) -> [i32; 2] {
    both(units, change, weights)
}

/// The outputs of both views for one change, before they are scaled.
#[inline]
pub fn output(units: [&Row; 2], change: &Change, weights: &[Row; 2]) -> [i32; 2] {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, which is all that the function asks for.
        return unsafe { with_avx2(units, change, weights) };
    }
    plain(units, change, weights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn both_kinds_of_processor_agree() {
        let mut chance = ChaCha8Rng::seed_from_u64(7);
        let mut row = |most: i16| Row(std::array::from_fn(|_| chance.random_range(-most..=most)));
        for _ in 0..2_000 {
            let (units, more, less) = ([row(900), row(900)], [row(300), row(300)], [row(300), row(300)]);
            let weights = [row(127), row(127)];
            let change = Change { more: [&more[0], &more[1]], less: [&less[0], &less[1]] };
            let units = [&units[0], &units[1]];
            let wanted: i32 = (0..2)
                .flat_map(|view| (0..HIDDEN).map(move |index| (view, index)))
                .map(|(view, index)| {
                    let unit = i32::from(units[view].0[index]) + i32::from(more[view].0[index])
                        - i32::from(less[view].0[index]);
                    let unit = unit.clamp(0, 255);
                    unit * unit * i32::from(weights[view].0[index])
                })
                .sum();
            assert_eq!(plain(units, &change, &weights).iter().sum::<i32>(), wanted);
            assert_eq!(output(units, &change, &weights), plain(units, &change, &weights));
        }
    }
}

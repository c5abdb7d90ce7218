//! The normal distribution and a root finder, for the statistics.

/// Half the width of a 95 % interval in standard errors.
pub const INVERSE_95: f64 = 1.959_963_984_540_054;

/// The probability that a standard normal variable is below a value: W. J. Cody's way by a continued fraction in the
/// tails and a power series in the middle, exact to some twelve digits.
pub fn cumulative_normal(x: f64) -> f64 {
    let density = (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt();
    let a = x.abs();
    let upper = if a < 3.0 {
        let (mut term, mut sum, mut n) = (a, a, 1.0);
        while term > 1e-16 * sum && n < 200.0 {
            term *= a * a / (2.0 * n + 1.0);
            sum += term;
            n += 1.0;
        }
        0.5 - density * sum
    } else {
        let fraction = (1..60).rev().fold(a, |below, n| a + f64::from(n) / below);
        density / fraction
    };
    if x > 0.0 { 1.0 - upper } else { upper }
}

/// A root between two points at which a function that is monotone there has different signs.
pub fn root(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let rising = f(high) > f(low);
    for _ in 0..200 {
        let middle = low + (high - low) / 2.0;
        if (f(middle) > 0.0) == rising { high = middle } else { low = middle }
    }
    low + (high - low) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        for (x, wanted) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_5),
            (-1.96, 0.024_997_895_148),
            (3.5, 0.999_767_370_92),
            (-6.0, 9.865_876e-10),
        ] {
            let found = cumulative_normal(x);
            assert!((found - wanted).abs() < 1e-9_f64.min(wanted * 1e-4), "{x}: {found}");
        }
        assert!((root(0.0, 4.0, |x| x * x - 2.0) - 2f64.sqrt()).abs() < 1e-12);
        assert!((root(0.0, 4.0, |x| 2.0 - x * x) - 2f64.sqrt()).abs() < 1e-12);
    }
}

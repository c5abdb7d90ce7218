//! From limits to a budget of time.

use super::Limits;
use crate::board::Color;
use std::time::Duration;

/// How long a search may think.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// No new iteration after this.
    pub soft: Option<Duration>,
    /// An end to everything.
    pub hard: Option<Duration>,
}

/// Turns that a side is taken to have still to come: games with dice are short.
const TURNS_TO_COME: u32 = 8;

impl Budget {
    /// The budget of the side that thinks. `overhead` is lost on the way to the host and back.
    pub fn new(limits: &Limits, side: Option<Color>, overhead: Duration) -> Budget {
        if limits.is_unbounded() {
            return Budget::default();
        }
        if let Some(movetime) = limits.movetime {
            let all = movetime.saturating_sub(overhead).max(Duration::from_millis(1));
            return Budget { soft: Some(all), hard: Some(all) };
        }
        let side = side.unwrap_or(Color::White).index();
        let Some(Some(left)) = limits.time.get(side) else { return Budget::default() };
        let increment = limits.increment.get(side).copied().unwrap_or_default();
        // A reserve stays untouched, and no turn takes more than a fifth of the clock.
        let reserve = (*left / 20).max(Duration::from_millis(300)).min(*left / 2);
        let usable = left.saturating_sub(reserve).saturating_sub(overhead);
        let turns = limits.movestogo.map_or(TURNS_TO_COME, |turns| turns.clamp(1, TURNS_TO_COME));
        let hard = (*left / 5).min(usable).max(Duration::from_millis(1));
        let soft = (usable / turns + increment * 3 / 4).min(hard);
        Budget { soft: Some(soft), hard: Some(hard) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(left: u64, increment: u64) -> Budget {
        let limits = Limits {
            time: [Some(Duration::from_millis(left)), None],
            increment: [Duration::from_millis(increment), Duration::ZERO],
            ..Limits::default()
        };
        Budget::new(&limits, Some(Color::White), Duration::from_millis(10))
    }

    #[test]
    fn never_more_than_a_fifth_and_never_all() {
        for left in [1u64, 10, 100, 500, 1_000, 10_000, 180_000] {
            for increment in [0, 100, 5_000] {
                let Budget { soft: Some(soft), hard: Some(hard) } = clock(left, increment) else { panic!("a budget") };
                assert!(soft <= hard);
                assert!(hard <= Duration::from_millis((left / 5).max(1)), "{left} {hard:?}");
            }
        }
    }

    #[test]
    fn without_a_clock_there_is_no_budget() {
        assert_eq!(Budget::new(&Limits::default(), None, Duration::ZERO), Budget::default());
        let infinite = Limits { infinite: true, movetime: Some(Duration::from_millis(5)), ..Limits::default() };
        assert_eq!(Budget::new(&infinite, None, Duration::ZERO), Budget::default());
    }
}

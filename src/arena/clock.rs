//! Time controls, and the clocks of a game.

use crate::board::Color;
use crate::limits::Limits;
use std::fmt;
use std::time::Duration;
use thiserror::Error;

/// How long an engine may think, and how far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pace {
    /// The clock.
    pub clock: Option<TimeControl>,
    /// A fixed time a turn.
    pub movetime: Option<Duration>,
    /// A fixed depth in turns.
    pub depth: Option<u32>,
    /// A fixed number of nodes.
    pub nodes: Option<u64>,
    /// What may be overdrawn without losing on time.
    pub margin: Duration,
}

/// A clock: so much time, for all turns or so many, and an increment after each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Turns to the next helping of `base`; none for the whole game.
    pub turns: Option<u32>,
    /// The time at the start.
    pub base: Duration,
    /// What is added after each turn.
    pub increment: Duration,
}

/// A time control that cannot be read.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
#[error("'{0}' is no time control: write [turns/][minutes:]seconds[+increment]")]
pub struct TimeControlError(pub String);

impl TimeControl {
    /// Reads `40/1:30+0.5`, `60+0.6`, `10`.
    pub fn parse(text: &str) -> Result<TimeControl, TimeControlError> {
        let wrong = || TimeControlError(text.to_string());
        let (turns, rest) = match text.split_once('/') {
            Some((turns, rest)) => {
                (Some(turns.parse::<u32>().ok().filter(|&turns| turns > 0).ok_or_else(wrong)?), rest)
            }
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let base = match base.split_once(':') {
            Some((minutes, seconds)) => seconds_of(minutes).zip(seconds_of(seconds)).map(|(m, s)| m * 60 + s),
            None => seconds_of(base),
        };
        let (base, increment) = base.zip(seconds_of(increment)).ok_or_else(wrong)?;
        if base + increment == Duration::ZERO {
            return Err(wrong());
        }
        Ok(TimeControl { turns, base, increment })
    }
}

fn seconds_of(text: &str) -> Option<Duration> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds = text.parse::<f64>().ok().filter(|&seconds| plain && seconds < 1e8)?;
    Some(Duration::from_secs_f64(seconds))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(turns) = self.turns {
            write!(f, "{turns}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if self.increment > Duration::ZERO { write!(f, "+{}", self.increment.as_secs_f64()) } else { Ok(()) }
    }
}

impl fmt::Display for Pace {
    /// As the PGN tag `TimeControl` has it: `-` where nothing limits the time.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.clock, self.movetime) {
            (Some(clock), _) => write!(f, "{clock}"),
            (None, Some(movetime)) => write!(f, "*{}", movetime.as_secs_f64()),
            (None, None) => f.write_str("-"),
        }
    }
}

/// One side's clock in a game.
#[derive(Clone, Debug)]
pub struct Clock {
    pace: Pace,
    left: Duration,
    /// Turns made since the last helping.
    made: u32,
}

/// The clock ran out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlagFell;

impl Clock {
    /// A full clock.
    pub fn new(pace: &Pace) -> Clock {
        Clock { pace: pace.clone(), left: pace.clock.map_or(Duration::ZERO, |clock| clock.base), made: 0 }
    }

    /// What is left, where there is a clock.
    pub fn left(&self) -> Option<Duration> {
        self.pace.clock.map(|_| self.left)
    }

    /// How long the engine may take at most before it has lost on time, its margin included; none without a limit.
    pub fn deadline(&self) -> Option<Duration> {
        let limit = match (self.pace.clock, self.pace.movetime) {
            (Some(_), Some(movetime)) => Some(self.left.min(movetime)),
            (Some(_), None) => Some(self.left),
            (None, movetime) => movetime,
        };
        limit.map(|limit| limit + self.pace.margin)
    }

    /// Takes the time of a turn, and gives the increment.
    pub fn spend(&mut self, taken: Duration) -> Result<(), FlagFell> {
        if self.deadline().is_some_and(|deadline| taken > deadline) {
            self.left = Duration::ZERO;
            return Err(FlagFell);
        }
        let Some(clock) = self.pace.clock else { return Ok(()) };
        self.left = self.left.saturating_sub(taken) + clock.increment;
        self.made += 1;
        if clock.turns.is_some_and(|turns| self.made >= turns) {
            self.made = 0;
            self.left += clock.base;
        }
        Ok(())
    }

    /// What the engine of a side is told to heed; `clocks` are White's and Black's.
    pub fn limits(clocks: &[Clock; 2], side: Color) -> Limits {
        let [white, black] = clocks;
        let own = if side == Color::White { white } else { black };
        let increment = |clock: &Clock| clock.pace.clock.map_or(Duration::ZERO, |clock| clock.increment);
        let turns = own.pace.clock.and_then(|clock| clock.turns);
        Limits {
            depth: own.pace.depth,
            nodes: own.pace.nodes,
            movetime: own.pace.movetime,
            time: if own.pace.clock.is_some() { [white.told(own), black.told(own)] } else { [None, None] },
            increment: [increment(white), increment(black)],
            movestogo: turns.map(|turns| turns.saturating_sub(own.made).max(1)),
            ..Limits::default()
        }
    }

    /// What is left as it is told: of an opponent without a clock as much as the engine has itself.
    fn told(&self, own: &Clock) -> Option<Duration> {
        self.left().or_else(|| own.left())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    #[test]
    fn time_controls_are_read() {
        for (text, turns, base, increment) in [
            ("10", None, 10.0, 0.0),
            ("60+0.6", None, 60.0, 0.6),
            ("40/1:30+0.5", Some(40), 90.0, 0.5),
            ("0+1", None, 0.0, 1.0),
        ] {
            let wanted = TimeControl { turns, base: seconds(base), increment: seconds(increment) };
            assert_eq!(TimeControl::parse(text), Ok(wanted), "{text}");
        }
        for text in ["", "x", "0", "-1", "1+-1", "0/10", "1e3", "inf", "10+", "a/10"] {
            assert!(TimeControl::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_clock_runs_and_falls() {
        let pace = Pace { clock: TimeControl::parse("2/10+1").ok(), margin: seconds(0.1), ..Pace::default() };
        let mut clock = Clock::new(&pace);
        assert_eq!(clock.spend(seconds(4.0)), Ok(()));
        assert_eq!(clock.left(), Some(seconds(7.0)));
        assert_eq!(Clock::limits(&[clock.clone(), clock.clone()], Color::White).movestogo, Some(1));
        // Within the margin nothing is lost, and the second turn brings the next helping.
        assert_eq!(clock.spend(seconds(7.05)), Ok(()));
        assert_eq!(clock.left(), Some(seconds(11.0)));
        assert_eq!(clock.spend(seconds(11.2)), Err(FlagFell));
        let mut fixed = Clock::new(&Pace { movetime: Some(seconds(1.0)), ..Pace::default() });
        assert_eq!((fixed.spend(seconds(0.9)), fixed.spend(seconds(1.1))), (Ok(()), Err(FlagFell)));
        assert_eq!(Clock::new(&Pace::default()).spend(seconds(1e6)), Ok(()));
    }
}

//! `go rollout`, `go cube` and `go draw`: what is asked beside a turn to play.

use super::command::{CommandError, whole};
use crate::board::Color;
use crate::notation::shown;
use std::fmt;
use std::time::Duration;

/// What advice is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// What the position, or each of the best turns, comes to in games played on.
    Rollout,
    /// Whether to double and to take.
    Cube,
    /// Whether to offer or take a draw.
    Draw,
}

impl Subject {
    /// Each with its word.
    pub const ALL: [(&'static str, Subject); 3] =
        [("rollout", Subject::Rollout), ("cube", Subject::Cube), ("draw", Subject::Draw)];
}

/// Whose the cube is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Owner {
    /// Nobody's yet.
    #[default]
    Centre,
    /// A side's.
    Side(Color),
}

/// What is asked.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice {
    /// What it is about.
    pub subject: Subject,
    /// How many games are played on.
    pub games: Option<u64>,
    /// After how many turns they are valued instead.
    pub truncate: Option<u32>,
    /// The standard error that is enough.
    pub error: Option<f64>,
    /// What their dice follow from.
    pub seed: Option<u64>,
    /// How many of the best turns are rolled out.
    pub lines: Option<u32>,
    /// How deep a search looks, in turns.
    pub depth: Option<u32>,
    /// How long it may take.
    pub movetime: Option<Duration>,
    /// What the cube shows.
    pub value: Option<u32>,
    /// Whose it is.
    pub owner: Option<Owner>,
}

/// The words that each subject knows.
fn knows(subject: Subject, word: &str) -> bool {
    match subject {
        Subject::Rollout => matches!(word, "games" | "truncate" | "error" | "seed" | "lines"),
        Subject::Cube => {
            matches!(word, "games" | "truncate" | "error" | "seed" | "depth" | "movetime" | "value" | "owner")
        }
        Subject::Draw => matches!(word, "depth" | "movetime"),
    }
}

impl Advice {
    /// A subject without further words.
    pub fn of(subject: Subject) -> Advice {
        Advice {
            subject,
            games: None,
            truncate: None,
            error: None,
            seed: None,
            lines: None,
            depth: None,
            movetime: None,
            value: None,
            owner: None,
        }
    }

    /// Reads what follows `go` where its first word names a subject; none where it does not.
    pub fn parse(words: &[&str]) -> Option<Result<Advice, CommandError>> {
        let (first, rest) = words.split_first()?;
        let (_, subject) = Subject::ALL.iter().find(|(word, _)| word == first)?;
        Some(Advice::of(*subject).read(rest))
    }

    fn read(mut self, words: &[&str]) -> Result<Advice, CommandError> {
        let mut seen: Vec<&str> = Vec::new();
        let mut words = words.iter().copied();
        while let Some(word) = words.next() {
            if !knows(self.subject, word) {
                return Err(CommandError::GoWord(shown(word)));
            }
            if seen.contains(&word) {
                return Err(CommandError::Twice(shown(word)));
            }
            seen.push(word);
            let given = words.next().unwrap_or("nothing");
            let fault =
                |wanted: &'static str| CommandError::Number { word: word.to_string(), wanted, given: shown(given) };
            let number = |least: u64, most: u64, wanted: &'static str| whole(Some(given), word, least..=most, wanted);
            match word {
                "games" => self.games = Some(number(1, 10_000_000, "a number from 1 to 10000000")?),
                "truncate" => self.truncate = Some(number(1, 1_000, "a number from 1 to 1000")? as u32),
                "seed" => self.seed = Some(number(0, u64::MAX, "a number")?),
                "lines" => self.lines = Some(number(1, 100, "a number from 1 to 100")? as u32),
                "depth" => self.depth = Some(number(1, 255, "a number from 1 to 255")? as u32),
                "movetime" => {
                    let millis = number(0, 1_000_000_000_000, "a number of milliseconds")?;
                    self.movetime = Some(Duration::from_millis(millis));
                }
                "value" => {
                    let value = number(1, 64, "a power of two up to 64")? as u32;
                    self.value = Some(
                        Some(value).filter(|v| v.is_power_of_two()).ok_or_else(|| fault("a power of two up to 64"))?,
                    );
                }
                "error" => {
                    let error = given.parse::<f64>().ok().filter(|error| (1e-6..1.0).contains(error));
                    self.error = Some(error.ok_or_else(|| fault("a number between 0.000001 and 1"))?);
                }
                _ => {
                    let owner = match given {
                        "centre" => Owner::Centre,
                        "w" => Owner::Side(Color::White),
                        "b" => Owner::Side(Color::Black),
                        _ => return Err(fault("'w', 'b' or 'centre'")),
                    };
                    self.owner = Some(owner);
                }
            }
        }
        Ok(self)
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = Subject::ALL.iter().find(|(_, subject)| *subject == self.subject).map_or("", |(word, _)| word);
        write!(f, "go {word}")?;
        let numbers = [
            ("games", self.games),
            ("truncate", self.truncate.map(u64::from)),
            ("seed", self.seed),
            ("lines", self.lines.map(u64::from)),
            ("depth", self.depth.map(u64::from)),
            ("movetime", self.movetime.map(|time| time.as_millis() as u64)),
            ("value", self.value.map(u64::from)),
        ];
        for (word, number) in numbers {
            if let Some(number) = number {
                write!(f, " {word} {number}")?;
            }
        }
        if let Some(error) = self.error {
            write!(f, " error {error}")?;
        }
        match self.owner {
            None => Ok(()),
            Some(Owner::Centre) => f.write_str(" owner centre"),
            Some(Owner::Side(side)) => write!(f, " owner {}", side.letter()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Advice, CommandError> {
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        Advice::parse(&words).unwrap()
    }

    #[test]
    fn advice_round_trips() {
        for line in [
            "go rollout",
            "go rollout games 72 truncate 4 seed 9 lines 2 error 0.01",
            "go cube games 100 depth 2 value 4 owner b",
            "go cube owner centre",
            "go draw movetime 50",
        ] {
            assert_eq!(parse(line).unwrap().to_string(), line);
        }
        assert!(Advice::parse(&["depth", "1"]).is_none());
    }

    #[test]
    fn nonsense_is_named() {
        for (line, wanted) in [
            ("go rollout games 0", "'games' of 'go' needs a number from 1 to 10000000, not '0'"),
            ("go rollout fast", "unknown word 'fast' in 'go'"),
            ("go draw games 5", "unknown word 'games' in 'go'"),
            ("go cube value 3", "'value' of 'go' needs a power of two up to 64, not '3'"),
            ("go cube owner me", "'owner' of 'go' needs 'w', 'b' or 'centre', not 'me'"),
            ("go rollout error 2", "'error' of 'go' needs a number between 0.000001 and 1, not '2'"),
            ("go rollout seed 1 seed 2", "'seed' is given twice"),
        ] {
            assert_eq!(parse(line).unwrap_err().to_string(), wanted);
        }
    }
}

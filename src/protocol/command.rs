//! What a host says: parsed, and printed again.

use super::advice::Advice;
use crate::limits::Limits;
use crate::notation::shown;
use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;
use thiserror::Error;

/// Where a `position` command starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// The start of the chosen variant.
    Array,
    /// A DFEN.
    Dfen(String),
}

/// A line from the host.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// `uci`
    Uci,
    /// `ugi`
    Ugi,
    /// `xboard`
    Xboard,
    /// `query p1turn|gameover|result`
    Query(Question),
    /// `isready`
    IsReady,
    /// `ucinewgame`
    NewGame,
    /// `setoption name … value …`
    SetOption {
        /// The option's name.
        name: String,
        /// Its value, where one was given.
        value: Option<String>,
    },
    /// `position startpos|fen … moves …`
    Position {
        /// Where it starts.
        start: Start,
        /// The tokens played from there.
        moves: Vec<String>,
    },
    /// `dice <roll>`
    Dice(String),
    /// `roll`
    Roll,
    /// `legal`
    Legal,
    /// `threat`
    Threat,
    /// `d`
    Display,
    /// `eval`
    Eval,
    /// `bench`
    Bench,
    /// `debug on|off`
    Debug(bool),
    /// `go …`
    Go {
        /// The limits.
        limits: Limits,
        /// The only turns to consider, as texts; empty for all.
        searchmoves: Vec<String>,
    },
    /// `go perft N`
    Perft(u32),
    /// `go rollout|cube|draw …`
    Advise(Advice),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `quit`
    Quit,
}

/// What UGI's `query` asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// `p1turn`: whether the first player, White, is to move.
    FirstPlayersTurn,
    /// `gameover`
    GameOver,
    /// `result`: who has won.
    Result,
}

impl Question {
    const ALL: [(&'static str, Question); 3] =
        [("p1turn", Question::FirstPlayersTurn), ("gameover", Question::GameOver), ("result", Question::Result)];
}

/// What is wrong with a line.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum CommandError {
    /// Not a command.
    #[error("unknown command '{0}'")]
    Unknown(String),
    /// Something after a command that takes nothing.
    #[error("'{command}' takes no argument, but '{argument}' follows")]
    Surplus {
        /// The command.
        command: String,
        /// What follows.
        argument: String,
    },
    /// An argument is missing.
    #[error("'{0}' needs {1}")]
    Missing(&'static str, &'static str),
    /// A number that is none, or out of range.
    #[error("'{word}' of 'go' needs {wanted}, not '{given}'")]
    Number {
        /// The word before it.
        word: String,
        /// What is wanted.
        wanted: &'static str,
        /// What was given.
        given: String,
    },
    /// A word that `go` does not know.
    #[error("unknown word '{0}' in 'go'")]
    GoWord(String),
    /// A word that is given twice.
    #[error("'{0}' is given twice")]
    Twice(String),
}

/// The deepest that may be asked for.
const DEEPEST: u64 = 255;
/// The longest time that may be given, in milliseconds: some 31 years.
const LONGEST: u64 = 1_000_000_000_000;

impl Command {
    /// Reads a line; none for a blank one.
    pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let mut words = line.split_ascii_whitespace();
        let Some(first) = words.next() else { return Ok(None) };
        let rest: Vec<&str> = words.collect();
        let command = match first {
            "uci" => Command::Uci,
            "ugi" => Command::Ugi,
            "xboard" => Command::Xboard,
            "isready" => Command::IsReady,
            "ucinewgame" | "uginewgame" => Command::NewGame,
            "roll" => Command::Roll,
            "legal" => Command::Legal,
            "threat" => Command::Threat,
            "d" => Command::Display,
            "eval" => Command::Eval,
            "bench" => Command::Bench,
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" => Command::Quit,
            "setoption" => return set_option(&rest).map(Some),
            "position" => return position(&rest).map(Some),
            "dice" => return dice(&rest).map(Some),
            "debug" => return debug(&rest).map(Some),
            "query" => return query(&rest).map(Some),
            "go" => return go(&rest).map(Some),
            _ => return Err(CommandError::Unknown(shown(first))),
        };
        match rest.first() {
            None => Ok(Some(command)),
            Some(argument) => Err(CommandError::Surplus { command: first.to_string(), argument: shown(argument) }),
        }
    }
}

fn set_option(words: &[&str]) -> Result<Command, CommandError> {
    const MISSING: CommandError = CommandError::Missing("setoption", "'name <option> value <value>'");
    let (Some(&"name"), Some(rest)) = (words.first(), words.get(1..)) else { return Err(MISSING) };
    let (name, value) = match rest.iter().position(|&word| word == "value") {
        Some(at) => {
            let (name, value) = rest.split_at(at);
            (name, value.get(1..).map(|value| value.join(" ")))
        }
        None => (rest, None),
    };
    if name.is_empty() {
        return Err(MISSING);
    }
    Ok(Command::SetOption { name: name.join(" "), value })
}

fn position(words: &[&str]) -> Result<Command, CommandError> {
    let at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let (start, moves) = words.split_at(at);
    let start = match start.split_first() {
        Some((&"startpos", [])) => Start::Array,
        Some((&"startpos", [word, ..])) => {
            return Err(CommandError::Surplus { command: "position startpos".to_string(), argument: shown(word) });
        }
        Some((&"fen", [])) => return Err(CommandError::Missing("position fen", "a DFEN")),
        Some((&"fen", fields)) => Start::Dfen(fields.join(" ")),
        _ => return Err(CommandError::Missing("position", "'startpos' or 'fen <DFEN>'")),
    };
    Ok(Command::Position { start, moves: moves.iter().skip(1).map(|token| token.to_string()).collect() })
}

fn dice(words: &[&str]) -> Result<Command, CommandError> {
    match words {
        [roll] => Ok(Command::Dice(roll.to_string())),
        [] => Err(CommandError::Missing("dice", "a roll")),
        [_, surplus, ..] => Err(CommandError::Surplus { command: "dice <roll>".to_string(), argument: shown(surplus) }),
    }
}

fn debug(words: &[&str]) -> Result<Command, CommandError> {
    match words {
        ["on"] => Ok(Command::Debug(true)),
        ["off"] => Ok(Command::Debug(false)),
        _ => Err(CommandError::Missing("debug", "'on' or 'off'")),
    }
}

fn query(words: &[&str]) -> Result<Command, CommandError> {
    let known = Question::ALL.iter().find(|(name, _)| words == [*name]);
    known
        .map(|(_, question)| Command::Query(*question))
        .ok_or(CommandError::Missing("query", "'p1turn', 'gameover' or 'result'"))
}

/// The words that open a part of `go`; UGI calls White the first player.
const GO_WORDS: [&str; 17] = [
    "p1time",
    "p2time",
    "p1inc",
    "p2inc",
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

fn go(words: &[&str]) -> Result<Command, CommandError> {
    if let Some(advice) = Advice::parse(words) {
        return advice.map(Command::Advise);
    }
    let mut limits = Limits::default();
    let mut perft = None;
    let mut searchmoves = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(&word) = words.next() {
        if seen.contains(&word) {
            return Err(CommandError::Twice(shown(word)));
        }
        seen.push(word);
        let mut number =
            |least: u64, most: u64, wanted: &'static str| whole(words.next().copied(), word, least..=most, wanted);
        const DEPTH: &str = "a number from 1 to 255";
        const TIME: &str = "a number of milliseconds";
        const COUNT: &str = "a positive number";
        match word {
            "infinite" => limits.infinite = true,
            "searchmoves" => {
                while let Some(turn) = words.next_if(|turn| !GO_WORDS.contains(turn)) {
                    searchmoves.push(turn.to_string());
                }
                if searchmoves.is_empty() {
                    return Err(CommandError::Missing("searchmoves", "turns"));
                }
            }
            "ponder" => limits.ponder = true,
            "depth" => limits.depth = Some(number(1, DEEPEST, DEPTH)? as u32),
            "mate" => limits.mate = Some(number(1, DEEPEST, DEPTH)? as u32),
            "perft" => perft = Some(number(1, DEEPEST, DEPTH)? as u32),
            "nodes" => limits.nodes = Some(number(1, u64::MAX, COUNT)?),
            "movestogo" => limits.movestogo = Some(number(1, 10_000, "a number from 1 to 10000")? as u32),
            "movetime" => limits.movetime = Some(Duration::from_millis(number(0, LONGEST, TIME)?)),
            "wtime" | "btime" | "p1time" | "p2time" => {
                let left = clock(words.next().copied(), word, TIME)?;
                let [white, black] = &mut limits.time;
                *(if matches!(word, "wtime" | "p1time") { white } else { black }) = Some(left);
            }
            "winc" | "binc" | "p1inc" | "p2inc" => {
                let increment = Duration::from_millis(number(0, LONGEST, TIME)?);
                let [white, black] = &mut limits.increment;
                *(if matches!(word, "winc" | "p1inc") { white } else { black }) = increment;
            }
            _ => return Err(CommandError::GoWord(shown(word))),
        }
    }
    match perft {
        Some(depth) if seen.len() == 1 => Ok(Command::Perft(depth)),
        Some(_) => Err(CommandError::Surplus { command: "go perft".to_string(), argument: "a limit".to_string() }),
        None => Ok(Command::Go { limits, searchmoves }),
    }
}

/// The number that a word of `go` needs: digits alone, within bounds.
pub(super) fn whole(
    given: Option<&str>,
    word: &str,
    bounds: RangeInclusive<u64>,
    wanted: &'static str,
) -> Result<u64, CommandError> {
    let given = given.unwrap_or("nothing");
    let digits = given.bytes().all(|byte| byte.is_ascii_digit());
    let number = given.parse().ok().filter(|number| digits && bounds.contains(number));
    number.ok_or_else(|| CommandError::Number { word: word.to_string(), wanted, given: shown(given) })
}

/// A clock may run below zero on its way to the engine: then nothing is left.
fn clock(given: Option<&str>, word: &str, wanted: &'static str) -> Result<Duration, CommandError> {
    let given = given.unwrap_or("nothing");
    let left = given.parse::<i64>().ok().filter(|left| left.unsigned_abs() <= LONGEST && !given.starts_with('+'));
    left.map(|left| Duration::from_millis(u64::try_from(left).unwrap_or(0))).ok_or_else(|| CommandError::Number {
        word: word.to_string(),
        wanted,
        given: shown(given),
    })
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Uci => f.write_str("uci"),
            Command::Ugi => f.write_str("ugi"),
            Command::Xboard => f.write_str("xboard"),
            Command::Query(asked) => {
                let name = Question::ALL.iter().find(|(_, question)| question == asked).map_or("", |(name, _)| name);
                write!(f, "query {name}")
            }
            Command::IsReady => f.write_str("isready"),
            Command::NewGame => f.write_str("ucinewgame"),
            Command::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Command::SetOption { name, value: Some(value) } => write!(f, "setoption name {name} value {value}"),
            Command::Position { start, moves } => {
                match start {
                    Start::Array => f.write_str("position startpos")?,
                    Start::Dfen(dfen) => write!(f, "position fen {dfen}")?,
                }
                if moves.is_empty() { Ok(()) } else { write!(f, " moves {}", moves.join(" ")) }
            }
            Command::Dice(roll) => write!(f, "dice {roll}"),
            Command::Roll => f.write_str("roll"),
            Command::Legal => f.write_str("legal"),
            Command::Threat => f.write_str("threat"),
            Command::Display => f.write_str("d"),
            Command::Eval => f.write_str("eval"),
            Command::Bench => f.write_str("bench"),
            Command::Debug(on) => write!(f, "debug {}", if *on { "on" } else { "off" }),
            Command::Go { limits, searchmoves } => {
                write_go(f, limits)?;
                if searchmoves.is_empty() { Ok(()) } else { write!(f, " searchmoves {}", searchmoves.join(" ")) }
            }
            Command::Perft(depth) => write!(f, "go perft {depth}"),
            Command::Advise(advice) => advice.fmt(f),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Quit => f.write_str("quit"),
        }
    }
}

fn write_go(f: &mut fmt::Formatter<'_>, limits: &Limits) -> fmt::Result {
    f.write_str("go")?;
    let [white, black] = limits.time;
    let [white_increment, black_increment] = limits.increment;
    let increment = |increment: Duration| Some(increment.as_millis()).filter(|&millis| millis > 0);
    let numbers = [
        ("wtime", white.map(|left| left.as_millis())),
        ("btime", black.map(|left| left.as_millis())),
        ("winc", increment(white_increment)),
        ("binc", increment(black_increment)),
        ("movestogo", limits.movestogo.map(u128::from)),
        ("depth", limits.depth.map(u128::from)),
        ("nodes", limits.nodes.map(u128::from)),
        ("mate", limits.mate.map(u128::from)),
        ("movetime", limits.movetime.map(|time| time.as_millis())),
    ];
    for (word, number) in numbers {
        if let Some(number) = number {
            write!(f, " {word} {number}")?;
        }
    }
    for (word, given) in [("infinite", limits.infinite), ("ponder", limits.ponder)] {
        if given {
            write!(f, " {word}")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_round_trip() {
        for line in [
            "uci",
            "isready",
            "setoption name UCI_Variant value anydice",
            "setoption name Clear Hash",
            "position startpos",
            "position fen 8/8/8/8/8/8/8/8 w - - 0 1 moves 124 e2e4,g1f3 0000",
            "dice 124",
            "go",
            "go perft 3",
            "go wtime 1000 btime 900 winc 10 movestogo 3 depth 2 infinite",
            "go movetime 50",
            "go depth 1 searchmoves e2e4,g1f3 a2a3",
            "debug on",
            "eval",
            "bench",
            "ponderhit",
            "ugi",
            "xboard",
            "query gameover",
        ] {
            let command = Command::parse(line).unwrap().unwrap();
            assert_eq!(command.to_string(), line);
            assert_eq!(Command::parse(&command.to_string()).unwrap().unwrap(), command);
        }
        assert_eq!(Command::parse("  \t ").unwrap(), None);
        let by_players = Command::parse("go p1time 5 p2time 6 p1inc 1 p2inc 2").unwrap().unwrap();
        assert_eq!(by_players.to_string(), "go wtime 5 btime 6 winc 1 binc 2");
        assert_eq!(Command::parse("go wtime -5").unwrap().unwrap().to_string(), "go wtime 0");
    }

    #[test]
    fn nonsense_is_named() {
        for (line, wanted) in [
            ("xyzzy", "unknown command 'xyzzy'"),
            ("go depth x", "'depth' of 'go' needs a number from 1 to 255, not 'x'"),
            ("go depth 0", "'depth' of 'go' needs a number from 1 to 255, not '0'"),
            ("go depth", "'depth' of 'go' needs a number from 1 to 255, not 'nothing'"),
            ("go depth 1 depth 2", "'depth' is given twice"),
            ("go fast", "unknown word 'fast' in 'go'"),
            ("go nodes -1", "'nodes' of 'go' needs a positive number, not '-1'"),
            ("legal moves", "'legal' takes no argument, but 'moves' follows"),
            ("position", "'position' needs 'startpos' or 'fen <DFEN>'"),
            ("position fen", "'position fen' needs a DFEN"),
            ("setoption value 3", "'setoption' needs 'name <option> value <value>'"),
            ("dice", "'dice' needs a roll"),
            ("debug", "'debug' needs 'on' or 'off'"),
            ("query winner", "'query' needs 'p1turn', 'gameover' or 'result'"),
            ("go searchmoves depth 1", "'searchmoves' needs turns"),
        ] {
            assert_eq!(Command::parse(line).unwrap_err().to_string(), wanted);
        }
    }
}

//! CECP, the protocol of xboard (Mann and Muller, "Chess Engine Communication Protocol", version 2): what a GUI says, and
//! how it is told what the engine can do.

use super::command::{Command as Plain, CommandError};
use super::options::{Kind, Name, OPTIONS, OptionSpec, Options};
use crate::notation::shown;
use std::time::Duration;
use thiserror::Error;

/// A line from the GUI.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// `xboard`, once more, and what needs no answer: `accepted`, `rejected`, `random`, `hard`, `easy`, `rating`, `name`.
    Noted,
    /// `protover N`
    Features,
    /// `new`
    New,
    /// `variant NAME`
    Variant(String),
    /// `quit`
    Quit,
    /// `force`
    Force,
    /// `go`
    Go,
    /// `playother`
    PlayOther,
    /// `level MPS BASE INC`
    Level(Level),
    /// `st SECONDS`
    MoveTime(Duration),
    /// `sd DEPTH`
    Depth(u32),
    /// `time N`, centiseconds on the engine's clock.
    Time(Duration),
    /// `otim N`, on that of the opponent.
    OpponentTime(Duration),
    /// `usermove MOVE`, or the move alone; `@@@@` is a pass.
    Move(String),
    /// `?`
    MoveNow,
    /// `ping N`
    Ping(String),
    /// `draw`
    Draw,
    /// `result RESULT {COMMENT}`
    Result,
    /// `setboard FEN`
    SetBoard(String),
    /// `hint`
    Hint,
    /// `bk`
    Book,
    /// `undo`
    Undo,
    /// `remove`
    Remove,
    /// `post` or `nopost`
    Post(bool),
    /// `analyze`
    Analyze,
    /// `exit`
    Exit,
    /// `.`
    Progress,
    /// `computer`
    Computer,
    /// `memory N` and `cores N`, `option NAME[=VALUE]`: all of them options.
    Option {
        /// The option's name.
        name: String,
        /// Its value, where one was given.
        value: Option<String>,
    },
    /// `lift SQUARE`
    Lift(String),
    /// `hover SQUARE`
    Hover(String),
    /// `put SQUARE`
    Put(String),
    /// A command of the engine's own that the other dialects have too: `d`, `legal`, `threat`, `eval`, `roll`, `dice`.
    Extra(Plain),
}

/// A time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// Moves a session, 0 for a whole game.
    pub moves: u32,
    /// What is on the clock at the beginning of each session.
    pub base: Duration,
    /// What each move adds.
    pub increment: Duration,
}

/// What is wrong with a line.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Not a command.
    #[error("Error (unknown command): {0}")]
    Unknown(String),
    /// A command of the protocol that this engine does not carry out, and why.
    #[error("Error (not supported: {1}): {0}")]
    Unsupported(String, &'static str),
    /// Its arguments make no sense; what is wanted.
    #[error("Error (needs {1}): {0}")]
    Argument(String, &'static str),
    /// One of the engine's own commands, wrongly used.
    #[error("Error ({1}): {0}")]
    Plain(String, CommandError),
}

/// What is refused by name, with the reason.
const REFUSED: [(&str, &str); 12] = [
    ("edit", "positions are set by setboard"),
    ("white", "use go and playother"),
    ("black", "use go and playother"),
    ("pause", "feature pause=0"),
    ("resume", "feature pause=0"),
    ("nps", "feature nps=0"),
    ("egtpath", "there are no tables for games with dice"),
    ("exclude", "feature exclude=0"),
    ("include", "feature exclude=0"),
    ("setscore", "feature setscore=0"),
    ("ics", "feature ics=0"),
    ("partner", "no variant is played by partners"),
];

/// The commands that say all by themselves; what follows them is not looked at.
const BY_THEMSELVES: [(&str, Command); 27] = [
    ("xboard", Command::Noted),
    ("accepted", Command::Noted),
    ("rejected", Command::Noted),
    ("random", Command::Noted),
    ("hard", Command::Noted),
    ("easy", Command::Noted),
    ("rating", Command::Noted),
    ("name", Command::Noted),
    ("protover", Command::Features),
    ("new", Command::New),
    ("quit", Command::Quit),
    ("force", Command::Force),
    ("go", Command::Go),
    ("playother", Command::PlayOther),
    ("?", Command::MoveNow),
    ("draw", Command::Draw),
    ("result", Command::Result),
    ("hint", Command::Hint),
    ("bk", Command::Book),
    ("undo", Command::Undo),
    ("remove", Command::Remove),
    ("post", Command::Post(true)),
    ("nopost", Command::Post(false)),
    ("analyze", Command::Analyze),
    ("exit", Command::Exit),
    (".", Command::Progress),
    ("computer", Command::Computer),
];

const DEEPEST: u32 = 255;
/// The most centiseconds or seconds that are taken: some 31 years.
const LONGEST: f64 = 1e9;

impl Command {
    /// Reads a line; none for a blank one.
    pub fn parse(line: &str) -> Result<Option<Command>, Fault> {
        let line = line.trim();
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let whole = || shown(line);
        let wants = |what: &'static str| Fault::Argument(whole(), what);
        let text = |what: &'static str| if rest.is_empty() { Err(wants(what)) } else { Ok(rest.to_string()) };
        let number = |what: &'static str, scale: f64| seconds(rest, scale).ok_or_else(|| wants(what));
        if let Some((_, reason)) = REFUSED.iter().find(|(name, _)| *name == first) {
            return Err(Fault::Unsupported(whole(), reason));
        }
        if let Some((_, command)) = BY_THEMSELVES.iter().find(|(name, _)| *name == first) {
            return Ok(Some(command.clone()));
        }
        let command = match first {
            "" => return Ok(None),
            "variant" => Command::Variant(text("the name of a variant")?),
            "level" => Command::Level(level(rest).ok_or_else(|| wants("MOVES MINUTES[:SECONDS] INCREMENT"))?),
            "st" => Command::MoveTime(number("a number of seconds", 1.0)?),
            "sd" => {
                let depth = rest.parse().ok().filter(|depth| (1..=DEEPEST).contains(depth));
                Command::Depth(depth.ok_or_else(|| wants("a number from 1 to 255"))?)
            }
            "time" => Command::Time(number("a number of centiseconds", 0.01)?),
            "otim" => Command::OpponentTime(number("a number of centiseconds", 0.01)?),
            "usermove" => Command::Move(text("a move")?),
            "ping" => Command::Ping(shown(&text("a number")?)),
            "setboard" => Command::SetBoard(text("a FEN")?),
            "memory" => option("Hash", text("a number of MiB")?),
            "cores" => option("Threads", text("a number of threads")?),
            "option" => {
                let (name, value) = match rest.split_once('=') {
                    Some((name, value)) => (name.trim(), Some(value.trim().to_string())),
                    None => (rest, None),
                };
                if name.is_empty() {
                    return Err(wants("NAME or NAME=VALUE"));
                }
                Command::Option { name: name.to_string(), value }
            }
            "lift" => Command::Lift(text("a square")?),
            "hover" => Command::Hover(text("a square")?),
            "put" => Command::Put(text("a square")?),
            "d" | "legal" | "threat" | "eval" | "roll" | "dice" => match Plain::parse(line) {
                Ok(Some(command)) => Command::Extra(command),
                Ok(None) => return Ok(None),
                Err(error) => return Err(Fault::Plain(whole(), error)),
            },
            _ if rest.is_empty() && looks_like_a_move(first) => Command::Move(first.to_string()),
            _ => return Err(Fault::Unknown(whole())),
        };
        Ok(Some(command))
    }
}

fn option(name: &str, value: String) -> Command {
    Command::Option { name: name.to_string(), value: Some(value) }
}

/// A number that is not negative beyond what a clock may be late by, in seconds.
fn seconds(text: &str, scale: f64) -> Option<Duration> {
    let number: f64 = text.parse().ok()?;
    (number.is_finite() && number.abs() <= LONGEST).then(|| Duration::from_secs_f64((number * scale).max(0.0)))
}

fn level(text: &str) -> Option<Level> {
    let mut words = text.split_whitespace();
    let (moves, base, increment) = (words.next()?, words.next()?, words.next()?);
    let (minutes, rest) = base.split_once(':').unwrap_or((base, "0"));
    let base = seconds(minutes, 60.0)?.checked_add(seconds(rest, 1.0)?)?;
    let level = Level { moves: moves.parse().ok()?, base, increment: seconds(increment, 1.0)? };
    words.next().is_none().then_some(level)
}

/// Without `usermove` a move stands alone in its line.
fn looks_like_a_move(word: &str) -> bool {
    let square = |at: usize| {
        let bytes = word.as_bytes().get(at..at + 2);
        bytes.is_some_and(|square| matches!(square, [b'a'..=b'h', b'1'..=b'8']))
    };
    word == "@@@@" || ((4..=5).contains(&word.len()) && square(0) && square(2))
}

/// The lines that answer `protover`: what the engine can do, and what it offers. `variants` are named as xboard does.
pub fn features(name: &str, variants: &[&str], options: &Options) -> Vec<String> {
    let mut lines = vec![
        "feature done=0".to_string(),
        format!("feature myname=\"{name}\""),
        "feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1".to_string(),
        "feature analyze=1 colors=0 ics=0 name=1 pause=0 nps=0 debug=1 memory=1 smp=1 exclude=0 setscore=0 highlight=1"
            .to_string(),
        format!("feature variants=\"{}\"", variants.join(",")),
    ];
    for spec in OPTIONS.iter().filter(|spec| is_offered(spec)) {
        lines.push(format!("feature option=\"{} -{}\"", spec.text, kind(spec, options)));
    }
    lines.push("feature done=1".to_string());
    lines
}

/// What xboard has a command of its own for, or no use, is not offered as an option; it can be set all the same.
fn is_offered(spec: &OptionSpec) -> bool {
    !matches!(
        spec.name,
        Name::Variant
            | Name::Chess960
            | Name::Hash
            | Name::Threads
            | Name::Ponder
            | Name::ShowWdl
            | Name::AnalyseMode
            | Name::Turns
    )
}

fn kind(spec: &OptionSpec, options: &Options) -> String {
    match spec.kind {
        Kind::Check(_) => format!("check {}", u8::from(options.is_on(spec.name))),
        Kind::Spin { least, most, .. } => format!("spin {} {least} {most}", options.number(spec.name)),
        Kind::Combo(words) => {
            let now = options.text(spec.name);
            let words: Vec<String> =
                words.iter().map(|word| if *word == now { format!("*{word}") } else { word.to_string() }).collect();
            format!("combo {}", words.join(" /// "))
        }
        Kind::Text if spec.name == Name::EvalFile => format!("file {}", options.text(spec.name)),
        Kind::Text | Kind::Variant => format!("string {}", options.text(spec.name)),
        Kind::Button => "button".to_string(),
    }
}

/// The value of an option as the options table has it: xboard writes checks as numbers.
pub fn option_value(name: &str, value: Option<String>) -> Option<String> {
    let spec = OPTIONS.iter().find(|spec| spec.text.eq_ignore_ascii_case(name));
    let is_check = spec.is_some_and(|spec| matches!(spec.kind, Kind::Check(_)));
    match value.as_deref() {
        Some("1") if is_check => Some("true".to_string()),
        Some("0") if is_check => Some("false".to_string()),
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let seconds = Duration::from_secs_f64;
        let level = |moves, base, increment| {
            Command::Level(Level { moves, base: seconds(base), increment: seconds(increment) })
        };
        for (line, wanted) in [
            ("level 40 5 0", level(40, 300.0, 0.0)),
            ("level 0 2:30 12.5", level(0, 150.0, 12.5)),
            ("level 0 0:05 0.1", level(0, 5.0, 0.1)),
            ("st 3", Command::MoveTime(seconds(3.0))),
            ("time -50", Command::Time(Duration::ZERO)),
            ("otim 100", Command::OpponentTime(seconds(1.0))),
            ("usermove @@@@", Command::Move("@@@@".into())),
            ("e7e8q", Command::Move("e7e8q".into())),
            ("sd 4", Command::Depth(4)),
            ("memory 64", Command::Option { name: "Hash".into(), value: Some("64".into()) }),
            ("option Clear Hash", Command::Option { name: "Clear Hash".into(), value: None }),
            ("option DiceSeed=a = b", Command::Option { name: "DiceSeed".into(), value: Some("a = b".into()) }),
            ("result 1-0 {White mates}", Command::Result),
            ("name A B", Command::Noted),
            ("d", Command::Extra(Plain::Display)),
        ] {
            assert_eq!(Command::parse(line), Ok(Some(wanted)), "{line}");
        }
        assert_eq!(Command::parse("  "), Ok(None));
    }

    #[test]
    fn nonsense_is_named() {
        for (line, wanted) in [
            ("xyzzy 1", "Error (unknown command): xyzzy 1"),
            ("edit", "Error (not supported: positions are set by setboard): edit"),
            ("level 40 5", "Error (needs MOVES MINUTES[:SECONDS] INCREMENT): level 40 5"),
            ("level 1 2 3 4", "Error (needs MOVES MINUTES[:SECONDS] INCREMENT): level 1 2 3 4"),
            ("level 1 2 inf", "Error (needs MOVES MINUTES[:SECONDS] INCREMENT): level 1 2 inf"),
            ("st x", "Error (needs a number of seconds): st x"),
            ("time 1e300", "Error (needs a number of centiseconds): time 1e300"),
            ("sd 0", "Error (needs a number from 1 to 255): sd 0"),
            ("usermove", "Error (needs a move): usermove"),
            ("option =3", "Error (needs NAME or NAME=VALUE): option =3"),
            ("dice", "Error ('dice' needs a roll): dice"),
            ("e2e9", "Error (unknown command): e2e9"),
        ] {
            assert_eq!(Command::parse(line).unwrap_err().to_string(), wanted);
        }
    }
}

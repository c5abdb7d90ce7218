//! The command line of `hazard match`: fastchess's names, with one dash or two.

use super::contenders::{Description, key_values, number, switch};
use crate::arena::adjudication::{DrawTerms, ResignTerms, Terms};
use crate::arena::{Model, Pairing, Sprt};
use crate::variant::{DEFAULT, VARIANTS, Variant, find};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use std::path::PathBuf;
use std::time::Duration;

/// A file of openings.
#[derive(Clone, Debug)]
pub struct Book {
    /// Where it is.
    pub file: PathBuf,
    /// Whether its order is drawn by the seed.
    pub random: bool,
    /// The first opening taken, from 0.
    pub start: usize,
}

/// A file to write games to.
#[derive(Clone, Debug)]
pub struct Out {
    /// Where it is.
    pub file: PathBuf,
    /// Whether games are added to what is there.
    pub append: bool,
}

/// What `hazard match` is asked.
#[derive(Clone, Debug)]
pub struct MatchArguments {
    /// The engines.
    pub engines: Vec<Description>,
    /// The game.
    pub variant: &'static Variant,
    /// Whether castling is written king takes rook.
    pub chess960: bool,
    /// Pairs of games for each encounter.
    pub rounds: u64,
    /// Games of a pair.
    pub games: u64,
    /// Who plays whom.
    pub pairing: Pairing,
    /// Games at once.
    pub concurrency: usize,
    /// The seed of dice, openings and players; none where the system gives them.
    pub seed: Option<u64>,
    /// The client seeds of White's and Black's seat.
    pub clients: [String; 2],
    /// Whether an interrupted match goes on.
    pub resume: bool,
    /// Which part of how many is played, from 0.
    pub shard: (u64, u64),
    /// Openings.
    pub openings: Option<Book>,
    /// Where the PGN goes.
    pub pgn: Option<Out>,
    /// Where the JSON Lines go.
    pub json: Option<Out>,
    /// When to stop early.
    pub sprt: Option<Sprt>,
    /// Pairs between two reports; 0 for none but the last.
    pub rating_interval: u64,
    /// When games end early.
    pub adjudication: Terms,
    /// Whether to go on after a crash.
    pub recover: bool,
    /// The tags `Event` and `Site`.
    pub event: String,
    /// Where it takes place.
    pub site: String,
}

const ENGINE_HELP: &str = "An engine: cmd=COMMAND or cmd=builtin:(random|greedy|cautious|aggressive|hazard), name=NAME, \
    args=\"A B\", dir=DIR, proto=(uci|ugi), option.NAME=VALUE, tc=[TURNS/][MIN:]SEC[+INC], st=SEC, depth=N, nodes=N, \
    timemargin=MS, restart=(off|on)";

/// The command line as it was read, or what is wrong with it.
pub struct Asked(pub Result<MatchArguments, String>);

impl Args for Asked {
    fn augment_args(command: Command) -> Command {
        let words = |name: &'static str, help: &'static str| {
            Arg::new(name).long(name).num_args(1..).action(ArgAction::Append).value_name("KEY=VALUE").help(help)
        };
        let count = |name: &'static str, default: &'static str, help: &'static str| {
            Arg::new(name).long(name).default_value(default).value_parser(clap::value_parser!(u64)).help(help)
        };
        let flag =
            |name: &'static str, help: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue).help(help);
        let text = |name: &'static str, default: &'static str, help: &'static str| {
            Arg::new(name).long(name).default_value(default).help(help)
        };
        command
            .arg(words("engine", ENGINE_HELP))
            .arg(words("each", "What holds for every engine, as of an engine"))
            .arg(text("variant", DEFAULT.name, "The game"))
            .arg(flag("chess960", "Castling is written king takes rook, and openings may be of Chess960"))
            .arg(count("rounds", "2", "Rounds: in each every encounter plays one pair of games"))
            .arg(count("games", "2", "Games of a pair, 1 or 2; both have the same dice with colours swapped"))
            .arg(Arg::new("repeat").long("repeat").num_args(0..=1).help("The same as -games 2"))
            .arg(count("concurrency", "1", "Games at once"))
            .arg(
                Arg::new("seed").long("seed").alias("srand").value_parser(clap::value_parser!(u64)).help(
                    "The seed of dice, order of openings and built-in players; without it the system's randomness",
                ),
            )
            .arg(words(
                "clients",
                "white=TEXT black=TEXT: client seeds of the seats; the event's name if nothing is said",
            ))
            .arg(flag("resume", "Go on with an interrupted match, by the games in -jsonout"))
            .arg(text("shard", "1/1", "i/n: only the i-th of n parts of the match"))
            .arg(words("openings", "file=FILE, format=(epd|dfen), order=(sequential|random), start=N"))
            .arg(words("pgnout", "file=FILE, append=(true|false)"))
            .arg(words("jsonout", "file=FILE, append=(true|false)"))
            .arg(words("sprt", "elo0=E elo1=E, alpha=P, beta=P, model=(normalized|logistic)"))
            .arg(count("ratinginterval", "10", "Pairs between two reports of the score; 0 for none but the last"))
            .arg(words("draw", "movenumber=N, movecount=N, score=CP: a draw when both sides see it so"))
            .arg(words("resign", "movecount=N, score=CP, twosided=(false|true): a loss of a side that sees it so"))
            .arg(count("maxturns", "0", "A draw after so many turns of both sides; 0 for none"))
            .arg(flag("recover", "Start an engine anew after a crash and play on"))
            .arg(text("tournament", "roundrobin", "roundrobin, or gauntlet"))
            .arg(count("seeds", "1", "In a gauntlet: the first so many play all others"))
            .arg(text("event", "hazard match", "The tag Event of the records"))
            .arg(text("site", "?", "The tag Site of the records"))
            .arg(count("startup-ms", "10000", "How long an engine may take to get ready"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Asked {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Asked(read(matches)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The words after each time that an argument is given.
fn occurrences(matches: &ArgMatches, name: &str) -> Vec<Vec<String>> {
    let all = matches.get_occurrences::<String>(name);
    all.map(|all| all.map(|words| words.cloned().collect()).collect()).unwrap_or_default()
}

fn read(matches: &ArgMatches) -> Result<MatchArguments, String> {
    let count = |name: &str| matches.get_one::<u64>(name).copied().unwrap_or(0);
    let text = |name: &str| matches.get_one::<String>(name).cloned().unwrap_or_default();
    let all = |name: &str| occurrences(matches, name).concat();
    let patience = Duration::from_millis(count("startup-ms").max(1));
    let each = all("each");
    let engines: Result<Vec<Description>, String> =
        occurrences(matches, "engine").iter().map(|own| Description::parse(&each, own, patience)).collect();
    let engines = engines?;
    if engines.len() < 2 {
        return Err("a match needs two engines or more: -engine cmd=… -engine cmd=…".to_string());
    }
    let (variant, chess960) = variant(&text("variant"))?;
    let games = count("games");
    if !(1..=2).contains(&games) {
        return Err(format!("a pair has 1 or 2 games, not {games}"));
    }
    let pairing = match text("tournament").as_str() {
        "roundrobin" => Pairing::RoundRobin,
        "gauntlet" => Pairing::Gauntlet((count("seeds") as usize).clamp(1, engines.len() - 1)),
        other => return Err(format!("a tournament is roundrobin or gauntlet, not '{other}'")),
    };
    let sprt = sprt(&all("sprt"))?;
    if sprt.is_some() && engines.len() != 2 {
        return Err("a test (-sprt) needs exactly two engines".to_string());
    }
    let turns = Some(count("maxturns") as usize).filter(|&turns| turns > 0);
    let json = out("jsonout", &all("jsonout"))?;
    let resume = matches.get_flag("resume");
    if resume && json.is_none() {
        return Err("-resume needs -jsonout: the games there tell what has been played".to_string());
    }
    let event = text("event");
    Ok(MatchArguments {
        engines,
        variant,
        chess960: chess960 || matches.get_flag("chess960"),
        rounds: count("rounds").max(1),
        games,
        pairing,
        concurrency: count("concurrency").clamp(1, 1024) as usize,
        seed: matches.get_one::<u64>("seed").copied(),
        clients: clients(&all("clients"), &event)?,
        resume,
        shard: shard(&text("shard"))?,
        openings: openings(&all("openings"))?,
        pgn: out("pgnout", &all("pgnout"))?,
        json,
        sprt,
        rating_interval: count("ratinginterval"),
        adjudication: Terms { draw: draw(&all("draw"))?, resign: resign(&all("resign"))?, turns },
        recover: matches.get_flag("recover"),
        event,
        site: text("site"),
    })
}

fn clients(words: &[String], event: &str) -> Result<[String; 2], String> {
    let mut clients = [event.to_string(), event.to_string()];
    for (key, value) in key_values(words)? {
        let [white, black] = &mut clients;
        match key {
            "white" => *white = value.to_string(),
            "black" => *black = value.to_string(),
            _ => return Err(format!("-clients has no '{key}'")),
        }
    }
    Ok(clients)
}

fn shard(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once('/').and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
    match parts {
        Some((part, parts)) if (1..=parts).contains(&part) => Ok((part - 1, parts)),
        _ => Err(format!("-shard is i/n with i from 1 to n, not '{text}'")),
    }
}

fn variant(name: &str) -> Result<(&'static Variant, bool), String> {
    let (name, chess960) = match name {
        "standard" => ("chess", false),
        "fischerandom" => ("chess", true),
        _ => (name, false),
    };
    let names = || VARIANTS.iter().map(|variant| variant.name).collect::<Vec<_>>().join(", ");
    find(name).map(|variant| (variant, chess960)).ok_or_else(|| format!("no variant '{name}': there are {}", names()))
}

fn openings(words: &[String]) -> Result<Option<Book>, String> {
    let mut book = Book { file: PathBuf::new(), random: false, start: 0 };
    for (key, value) in key_values(words)? {
        match key {
            "file" => book.file = value.into(),
            "format" if matches!(value, "epd" | "dfen" | "fen") => {}
            "format" => return Err(format!("openings are of format epd or dfen, not '{value}'")),
            "order" if matches!(value, "sequential" | "random") => book.random = value == "random",
            "order" => return Err(format!("openings come in sequential or random order, not '{value}'")),
            "start" => book.start = number::<usize>(key, value)?.saturating_sub(1),
            _ => return Err(format!("-openings has no '{key}'")),
        }
    }
    match (words.is_empty(), book.file.as_os_str().is_empty()) {
        (true, _) => Ok(None),
        (false, true) => Err("-openings needs file=…".to_string()),
        (false, false) => Ok(Some(book)),
    }
}

/// A file as other commands are given it: a name, or `file=NAME`.
pub fn out_of(word: Option<&str>) -> Result<Option<Out>, String> {
    out("out", &word.map(str::to_string).into_iter().collect::<Vec<_>>())
}

fn out(name: &str, words: &[String]) -> Result<Option<Out>, String> {
    let mut out = Out { file: PathBuf::new(), append: true };
    let mut rest = words;
    // A bare file name will do.
    if let [file, others @ ..] = words
        && !file.contains('=')
    {
        out.file = file.into();
        rest = others;
    }
    for (key, value) in key_values(rest)? {
        match key {
            "file" => out.file = value.into(),
            "append" => out.append = switch(key, value)?,
            "notation" if value == "san" => {}
            _ => return Err(format!("-{name} has no '{key}={value}'")),
        }
    }
    match (words.is_empty(), out.file.as_os_str().is_empty()) {
        (true, _) => Ok(None),
        (false, true) => Err(format!("-{name} needs file=…")),
        (false, false) => Ok(Some(out)),
    }
}

/// A test as words of the command line tell it; none where there are no words.
pub fn sprt(words: &[String]) -> Result<Option<Sprt>, String> {
    let (mut elo, mut alpha, mut beta, mut model) = ([None, None], 0.05, 0.05, Model::default());
    for (key, value) in key_values(words)? {
        match key {
            "elo0" => elo = [Some(number::<f64>(key, value)?), elo[1]],
            "elo1" => elo = [elo[0], Some(number::<f64>(key, value)?)],
            "alpha" => alpha = number(key, value)?,
            "beta" => beta = number(key, value)?,
            "model" if value == "normalized" => model = Model::Normalized,
            "model" if value == "logistic" => model = Model::Logistic,
            _ => return Err(format!("-sprt has no '{key}={value}'")),
        }
    }
    if words.is_empty() {
        return Ok(None);
    }
    let [Some(elo0), Some(elo1)] = elo else { return Err("-sprt needs elo0=… and elo1=…".to_string()) };
    if elo0 >= elo1 || !elo0.is_finite() || !elo1.is_finite() {
        return Err(format!("-sprt needs elo0 below elo1, not {elo0} and {elo1}"));
    }
    if [alpha, beta].iter().any(|&p: &f64| !(p > 0.0 && p < 0.5)) {
        return Err("-sprt needs alpha and beta between 0 and 0.5".to_string());
    }
    Ok(Some(Sprt { elo0, elo1, alpha, beta, model }))
}

fn draw(words: &[String]) -> Result<Option<DrawTerms>, String> {
    let mut terms = DrawTerms { number: 0, count: 1, score: 0 };
    for (key, value) in key_values(words)? {
        match key {
            "movenumber" => terms.number = number(key, value)?,
            "movecount" => terms.count = number(key, value)?,
            "score" => terms.score = number(key, value)?,
            _ => return Err(format!("-draw has no '{key}'")),
        }
    }
    Ok(Some(terms).filter(|_| !words.is_empty()))
}

fn resign(words: &[String]) -> Result<Option<ResignTerms>, String> {
    let mut terms = ResignTerms { count: 1, score: 0, twosided: false };
    for (key, value) in key_values(words)? {
        match key {
            "movecount" => terms.count = number(key, value)?,
            "score" => terms.score = number(key, value)?,
            "twosided" => terms.twosided = switch(key, value)?,
            _ => return Err(format!("-resign has no '{key}'")),
        }
    }
    Ok(Some(terms).filter(|_| !words.is_empty()))
}

/// The commands whose options may have one dash.
const ONE_DASH: [&str; 4] = ["match", "analyse", "rolls", "rollout"];

/// Two dashes where fastchess has one, so that both forms are understood.
pub fn with_two_dashes(words: impl Iterator<Item = std::ffi::OsString>) -> Vec<std::ffi::OsString> {
    let mut words: Vec<std::ffi::OsString> = words.collect();
    if words.get(1).is_some_and(|word| ONE_DASH.iter().any(|known| word == known)) {
        for word in words.iter_mut().skip(2) {
            let text = word.to_string_lossy();
            let single = text
                .strip_prefix('-')
                .is_some_and(|rest| rest.len() > 1 && rest.starts_with(|letter: char| letter.is_ascii_alphabetic()));
            if single {
                *word = format!("-{text}").into();
            }
        }
    }
    words
}

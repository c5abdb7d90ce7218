//! `hazard selfplay`, `train`, `calibrate` and `portrait`: a network from games of the engine with itself, how true it is,
//! and what it tells of the game.

use super::common::{choice, cores, ended, game, stopper};
use crate::eval::bytes::checksum;
use crate::eval::{Choice, Network};
use crate::train::calibration::measure;
use crate::train::plot::{Curve, svg};
use crate::train::portrait::portray;
use crate::train::{DataError, Event, Games, Origin, Play, Played, Settings, Trainer, Writer, play_many, write_whole};
use crate::turns::Rules;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How often a run is saved.
const SAVE_EVERY: Duration = Duration::from_secs(300);

/// Everything about a training run.
#[derive(Args)]
pub struct TrainArguments {
    /// The folder of the run: settings.json, log.jsonl, loss.svg, checkpoint.bin and net.bin are kept there, and a run
    /// that was stopped goes on.
    #[arg(long, short, default_value = "run")]
    out: PathBuf,
    /// A file of settings (JSON); what it leaves out has its default.
    #[arg(long)]
    settings: Option<PathBuf>,
    /// The game, instead of that of the settings.
    #[arg(long)]
    variant: Option<String>,
    /// The seed, instead of that of the settings.
    #[arg(long)]
    seed: Option<u64>,
    /// How many games are played in all, instead of the settings' number.
    #[arg(long)]
    games: Option<u64>,
    /// End after so many minutes, even if games are left.
    #[arg(long)]
    minutes: Option<f64>,
    /// Learn from files of games, again and again, instead of playing.
    #[arg(long, num_args = 1..)]
    data: Vec<PathBuf>,
    /// Threads.
    #[arg(long, default_value_t = cores())]
    threads: usize,
    /// Print the default settings of the game, each of which a file may change, and end.
    #[arg(long)]
    print_settings: bool,
}

/// What playing for a file and for a measurement have in common.
#[derive(Args)]
struct Common {
    /// The game.
    #[arg(long, default_value = "dicechess")]
    variant: String,
    /// What all chance follows from: the same seed and network give the same games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A file with the network that plays, instead of the program's own.
    #[arg(long)]
    net: Option<PathBuf>,
    /// Threads.
    #[arg(long, default_value_t = cores())]
    threads: usize,
}

/// Everything about playing games for a file.
#[derive(Args)]
pub struct SelfplayArguments {
    /// The file; games are added to it until there are enough.
    #[arg(long, short)]
    out: PathBuf,
    /// How many games it is to hold.
    #[arg(long, default_value_t = 10_000)]
    games: u64,
    #[command(flatten)]
    common: Common,
    /// Up to so many turns at the beginning of a game are random.
    #[arg(long, default_value_t = 3)]
    random_turns: u32,
    /// How often the second or third best turn is played.
    #[arg(long, default_value_t = 0.03)]
    noise: f64,
}

/// Everything about measuring how true stated expectations are.
#[derive(Args)]
pub struct CalibrateArguments {
    /// How many games are played; one position of each is looked at.
    #[arg(long, default_value_t = 20_000)]
    games: u64,
    #[command(flatten)]
    common: Common,
    /// A file for the plot (SVG).
    #[arg(long)]
    svg: Option<PathBuf>,
}

/// Everything about what games say of a game.
#[derive(Args)]
pub struct PortraitArguments {
    /// From how many positions men are taken; one of a game, so that more games than that are played.
    #[arg(long, default_value_t = 2_000)]
    positions: u64,
    #[command(flatten)]
    common: Common,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Trains and says how it went.
pub fn run(arguments: &TrainArguments) -> ExitCode {
    ended(train(arguments))
}

/// Plays games for a file.
pub fn run_selfplay(arguments: &SelfplayArguments) -> ExitCode {
    ended(selfplay(arguments))
}

/// Measures how true stated expectations are.
pub fn run_calibrate(arguments: &CalibrateArguments) -> ExitCode {
    ended(calibrate(arguments))
}

/// Says what games say of a game.
pub fn run_portrait(arguments: &PortraitArguments) -> ExitCode {
    ended(portrait(arguments))
}

pub(super) fn network(choice: &Choice) -> Result<&Network, String> {
    choice.get().network().ok_or_else(|| "the program has no network for this game: name one with --net".to_string())
}

/// Games in a block of a file.
const BLOCK: u64 = 500;

fn selfplay(arguments: &SelfplayArguments) -> Result<(), String> {
    let variant = game(&arguments.common.variant)?;
    let choice = choice(arguments.common.net.as_ref(), variant)?;
    let network = network(&choice)?;
    if !(0.0..=1.0).contains(&arguments.noise) {
        return Err(format!("--noise is a probability, not {}", arguments.noise));
    }
    let play = Play { random_turns: arguments.random_turns, noise: arguments.noise, candidates: 6 };
    let out = arguments.out.display().to_string();
    let named = |error: DataError| format!("{out}: {error}");
    // All that decides the games: a file is carried on only where it is the same.
    let facts = format!("{} {} {}", network.checksum(), arguments.random_turns, arguments.noise);
    let origin = Origin { variant: variant.name, seed: arguments.common.seed, network: checksum(facts.as_bytes()) };
    let mut writer = Writer::open(&arguments.out, &origin).map_err(named)?;
    let stop = stopper()?;
    let bar = ProgressBar::new(arguments.games).with_position(writer.games());
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {per_sec}, {eta} left");
    bar.set_style(style.map_err(|error| error.to_string())?);
    while writer.games() < arguments.games && !stop.load(Ordering::Relaxed) {
        let first = writer.games();
        let numbers = first..arguments.games.min(first + BLOCK);
        let games =
            play_many(Rules::new(variant), network, play, arguments.common.seed, numbers, arguments.common.threads);
        writer.add(&games).map_err(named)?;
        bar.set_position(writer.games());
    }
    bar.finish_and_clear();
    println!("{out}: {} games", writer.games());
    Ok(())
}

fn calibrate(arguments: &CalibrateArguments) -> Result<(), String> {
    let variant = game(&arguments.common.variant)?;
    let choice = choice(arguments.common.net.as_ref(), variant)?;
    let found = measure(
        Rules::new(variant),
        network(&choice)?,
        arguments.games,
        arguments.common.seed,
        arguments.common.threads,
    );
    println!("{found}");
    if let Some(path) = &arguments.svg {
        let plot = found.svg(&format!("{}: stated and real", variant.name));
        write_whole(path, plot.as_bytes()).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn portrait(arguments: &PortraitArguments) -> Result<(), String> {
    let Common { variant, seed, net, threads } = &arguments.common;
    let variant = game(variant)?;
    let choice = choice(net.as_ref(), variant)?;
    let found = portray(Rules::new(variant), network(&choice)?, arguments.positions, *seed, *threads);
    if arguments.json {
        println!("{}", serde_json::to_string(&found).map_err(|error| error.to_string())?);
    } else {
        print!("{found}");
    }
    Ok(())
}

/// Games of files, again and again.
struct Supply<'a> {
    files: &'a [PathBuf],
    place: usize,
    open: Option<Games>,
    variant: &'a str,
}

impl Supply<'_> {
    /// So many games more; fewer only where the files hold none at all.
    fn round(&mut self, count: u64) -> Result<Vec<Played>, String> {
        let mut games = Vec::new();
        let mut empty = 0;
        while (games.len() as u64) < count && empty <= self.files.len() {
            let Some(path) = self.files.get(self.place % self.files.len().max(1)) else { break };
            let named = |error: DataError| format!("{}: {error}", path.display());
            let file = match &mut self.open {
                Some(file) => file,
                None => self.open.insert(Games::open(path).map_err(named)?),
            };
            if file.origin().variant != self.variant {
                return Err(format!("{}: games of {}, not of {}", path.display(), file.origin().variant, self.variant));
            }
            match file.next() {
                Some(game) => {
                    games.push(game.map_err(named)?);
                    empty = 0;
                }
                None => {
                    (self.open, self.place, empty) = (None, self.place + 1, empty + 1);
                }
            }
        }
        if games.is_empty() { Err("the files hold no games".to_string()) } else { Ok(games) }
    }
}

fn settings(arguments: &TrainArguments) -> Result<Settings, String> {
    let known = arguments.out.join("settings.json");
    let source = arguments.settings.clone().or(known.exists().then_some(known));
    let mut settings = match source {
        Some(path) => {
            let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?
        }
        None => Settings::of(arguments.variant.as_deref().unwrap_or("dicechess")),
    };
    settings.variant = arguments.variant.clone().unwrap_or(settings.variant);
    settings.seed = arguments.seed.unwrap_or(settings.seed);
    settings.games = arguments.games.unwrap_or(settings.games);
    Ok(settings)
}

fn train(arguments: &TrainArguments) -> Result<(), String> {
    if arguments.print_settings {
        let defaults = Settings::of(arguments.variant.as_deref().unwrap_or("dicechess"));
        println!("{}", serde_json::to_string_pretty(&defaults).map_err(|error| error.to_string())?);
        return Ok(());
    }
    let named = |path: &Path| {
        let path = path.display().to_string();
        move |error: std::io::Error| format!("{path}: {error}")
    };
    let settings = settings(arguments)?;
    let out = &arguments.out;
    fs::create_dir_all(out).map_err(named(out))?;
    let path = out.join("settings.json");
    let text = serde_json::to_string_pretty(&settings).map_err(|error| error.to_string())?;
    write_whole(&path, text.as_bytes()).map_err(named(&path))?;
    let state = out.join("checkpoint.bin");
    let name = settings.variant.clone();
    let trainer = if state.exists() {
        Trainer::resume(settings, &state).map_err(|error| error.to_string())?
    } else {
        Trainer::new(settings)
    };
    let mut trainer = trainer.ok_or_else(|| format!("unknown variant {name}"))?;
    let stop = stopper()?;
    let mut supply = Supply { files: &arguments.data, place: 0, open: None, variant: &name };
    let log_path = out.join("log.jsonl");
    let mut log = fs::OpenOptions::new().create(true).append(true).open(&log_path).map_err(named(&log_path))?;
    let start = Instant::now();
    let mut saved = Instant::now();
    let limit = arguments.minutes.map(|minutes| Duration::from_secs_f64(minutes.max(0.0) * 60.0));
    let keep = |trainer: &Trainer| -> Result<(), String> {
        trainer.save(&state).map_err(named(&state))?;
        let net = out.join("net.bin");
        write_whole(&net, &trainer.weights().to_bytes()).map_err(named(&net))?;
        let (plot, curves) = (out.join("loss.svg"), fs::read_to_string(&log_path).map_err(named(&log_path))?);
        write_whole(&plot, loss_curves(&curves).as_bytes()).map_err(named(&plot))
    };
    println!("{}", heading());
    while !trainer.is_done() && !stop.load(Ordering::Relaxed) && limit.is_none_or(|limit| start.elapsed() < limit) {
        let event = if arguments.data.is_empty() {
            trainer.round(arguments.threads)
        } else {
            let games = supply.round(trainer.settings().round)?;
            trainer.study(&games, arguments.threads)
        };
        println!("{}", row(&event, start.elapsed()));
        let line = serde_json::to_string(&event).map_err(|error| error.to_string())?;
        writeln!(log, "{line}").map_err(named(&log_path))?;
        if saved.elapsed() > SAVE_EVERY {
            keep(&trainer)?;
            saved = Instant::now();
        }
    }
    keep(&trainer)
}

fn heading() -> String {
    format!(
        "{:>6} {:>9} {:>11} {:>8} {:>8} {:>7} {:>7} {:>7} {:>8}",
        "round", "games", "positions", "fresh", "loss", "length", "white", "drawn", "seconds"
    )
}

fn row(event: &Event, time: Duration) -> String {
    format!(
        "{:>6} {:>9} {:>11} {:>8.4} {:>8.4} {:>7.1} {:>6.1}% {:>6.1}% {:>8.0}",
        event.round,
        event.games,
        event.positions,
        event.fresh,
        event.loss,
        event.length,
        event.white * 100.0,
        event.drawn * 100.0,
        time.as_secs_f64()
    )
}

/// The losses of a log as curves.
fn loss_curves(log: &str) -> String {
    let events: Vec<Event> = log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let curve = |name, color, value: fn(&Event) -> f32| Curve {
        name,
        color,
        points: events.iter().map(|event| (event.games as f64, f64::from(value(event)))).collect(),
        marked: false,
    };
    let fresh = curve("new positions", "#c60", |event| event.fresh);
    let learned = curve("while learning", "#06c", |event| event.loss);
    svg("cross-entropy of both heads", ["games", "loss"], &[fresh, learned])
}

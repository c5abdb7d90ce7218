//! `hazard train`: a network from games of the engine with itself.

use crate::train::{Event, Settings, Trainer, write_whole};
use clap::Args;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often a run is saved.
const SAVE_EVERY: Duration = Duration::from_secs(300);

/// What is asked.
#[derive(Args)]
pub struct TrainArguments {
    /// The folder of the run: settings.json, log.jsonl, loss.svg, checkpoint.bin and net.bin are kept there, and a run
    /// that was stopped goes on.
    #[arg(long, short)]
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
    /// Threads.
    #[arg(long, default_value_t = std::thread::available_parallelism().map_or(1, std::num::NonZero::get))]
    threads: usize,
}

/// Runs the training and says how it went.
pub fn run(arguments: &TrainArguments) -> ExitCode {
    match train(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
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
        None => Settings::default(),
    };
    settings.variant = arguments.variant.clone().unwrap_or(settings.variant);
    settings.seed = arguments.seed.unwrap_or(settings.seed);
    settings.games = arguments.games.unwrap_or(settings.games);
    Ok(settings)
}

fn train(arguments: &TrainArguments) -> Result<(), String> {
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
    let stop = Arc::new(AtomicBool::new(false));
    let asked = stop.clone();
    ctrlc::set_handler(move || asked.store(true, Ordering::Relaxed)).map_err(|error| error.to_string())?;
    let log_path = out.join("log.jsonl");
    let mut log = fs::OpenOptions::new().create(true).append(true).open(&log_path).map_err(named(&log_path))?;
    let start = Instant::now();
    let mut saved = Instant::now();
    let limit = arguments.minutes.map(|minutes| Duration::from_secs_f64(minutes.max(0.0) * 60.0));
    let keep = |trainer: &Trainer| -> Result<(), String> {
        trainer.save(&state).map_err(named(&state))?;
        let net = out.join("net.bin");
        write_whole(&net, &trainer.weights().to_bytes()).map_err(named(&net))
    };
    println!("{}", heading());
    while !trainer.is_done() && !stop.load(Ordering::Relaxed) && limit.is_none_or(|limit| start.elapsed() < limit) {
        let event = trainer.round(arguments.threads);
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

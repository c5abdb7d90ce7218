//! What several commands share: arguments, what they name, how they end and fail.

use crate::eval::Choice;
use crate::notation::from_dfen;
use crate::position::{Position, Rigour};
use crate::turns::Rules;
use crate::variant::{Variant, find};
use clap::Args;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// By what a position is judged, and how the answer is told.
#[derive(Args)]
pub struct Judging {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// A file with the network that judges
    #[arg(long)]
    pub net: Option<PathBuf>,
    /// Threads
    #[arg(long, default_value_t = cores())]
    pub threads: usize,
}

/// How rollouts are done, wherever they are.
#[derive(Args)]
pub struct PlanArguments {
    /// In rollouts, value a game after so many turns instead of playing it to its end
    #[arg(long)]
    pub truncate: Option<u32>,
    /// Rollouts end where their standard error is at most this
    #[arg(long)]
    pub error: Option<f64>,
    /// What the dice of rollouts follow from
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// As many threads as there are cores.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// The game of a name.
pub fn game(name: &str) -> Result<&'static Variant, String> {
    find(name).ok_or_else(|| format!("unknown variant '{name}'"))
}

/// The network of a file, or the program's own.
pub fn choice(net: Option<&PathBuf>, variant: &'static Variant) -> Result<Choice, String> {
    match net {
        Some(path) => {
            let path = path.display().to_string();
            Choice::load(&path, variant.name).map_err(|error| format!("{path}: {error}"))
        }
        None => Ok(Choice::Own(variant.name)),
    }
}

/// The position of words on the command line: a DFEN, or the start.
pub fn position_of(rules: &Rules, words: &[String]) -> Result<Position, String> {
    match words.join(" ") {
        text if text.is_empty() || text == "startpos" => Ok(Position::start(rules.variant)),
        text => from_dfen(rules, &text, rules.variant.chess960, Rigour::Lenient)
            .map(|parsed| parsed.position)
            .map_err(|error| error.to_string()),
    }
}

/// Set by Ctrl-C.
pub fn stopper() -> Result<Arc<AtomicBool>, String> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = stop.clone();
    ctrlc::set_handler(move || asked.store(true, Ordering::Relaxed)).map_err(|error| error.to_string())?;
    Ok(stop)
}

/// What a command says where it cannot print: nothing where nobody reads on, as when a pager or `head` has seen enough.
pub fn unwritten(error: io::Error) -> String {
    if error.kind() == io::ErrorKind::BrokenPipe { String::new() } else { format!("cannot write: {error}") }
}

/// How a command went; where it failed, one line says why.
pub fn ended(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(nothing) if nothing.is_empty() => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

//! `hazard analyse`: finished games looked at again, with luck and error.

use super::pgn::form_of;
use super::training::{choice, cores, stopper};
use crate::analysis::{How, Plan, Review, annotate, page, review};
use crate::arena::Entry;
use crate::arena::records::Form;
use crate::eval::Choice;
use crate::limits::Limits;
use crate::notation::GameRecord;
use crate::search::Table;
use crate::train::write_whole;
use crate::variant::{Variant, find};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// What is looked at, how closely, and where the result goes.
#[derive(Args)]
pub struct AnalyseArguments {
    /// Games: PGN (.pgn), JSON Lines (.jsonl, .json), or bare lists of turns, one game a line (any other name)
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The game of bare lists
    #[arg(long, default_value = "dicechess")]
    variant: String,
    /// Only the game of this number in the file, from 1
    #[arg(long)]
    game: Option<usize>,
    /// How many turns deep each choice is judged
    #[arg(long, default_value_t = 2)]
    depth: u32,
    /// Judge each choice for so many milliseconds instead
    #[arg(long)]
    movetime: Option<u64>,
    /// Judge the best turns and the one played by so many games each, played on from there
    #[arg(long)]
    rollout: Option<u64>,
    /// In rollouts, value the game after so many turns instead of playing it to its end
    #[arg(long)]
    truncate: Option<u32>,
    /// Rollouts end where their standard error is at most this
    #[arg(long)]
    error: Option<f64>,
    /// The seed of the rollouts
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many of the best turns are told
    #[arg(long, default_value_t = 4)]
    lines: usize,
    /// Print JSON, a line a game, instead of tables
    #[arg(long)]
    json: bool,
    /// Write the games with what was found as PGN
    #[arg(long)]
    pgn: Option<PathBuf>,
    /// Write a page with the curve and all turns; of several games each has one, numbered
    #[arg(long)]
    html: Option<PathBuf>,
    /// A file with the network that judges
    #[arg(long)]
    net: Option<PathBuf>,
    /// Threads
    #[arg(long, default_value_t = cores())]
    threads: usize,
}

/// Looks at games.
pub fn run(arguments: &AnalyseArguments) -> ExitCode {
    match analyse(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn analyse(arguments: &AnalyseArguments) -> Result<(), String> {
    let variant = find(&arguments.variant).ok_or_else(|| format!("unknown variant '{}'", arguments.variant))?;
    if arguments.depth == 0 || arguments.movetime == Some(0) || arguments.rollout == Some(0) || arguments.lines == 0 {
        return Err("depth, movetime, rollout and lines begin at 1".to_string());
    }
    let mut records = Vec::new();
    for file in &arguments.files {
        records.extend(read(file, variant)?);
    }
    if let Some(number) = arguments.game {
        let count = records.len();
        let one = records.into_iter().nth(number.wrapping_sub(1));
        records = vec![one.ok_or_else(|| format!("there is no game {number}: the files hold {count}"))?];
    }
    if records.is_empty() {
        return Err("the files hold no games".to_string());
    }
    let stop = stopper()?;
    let table = Table::new(16);
    let turns: usize = records.iter().map(|record| record.turns.len()).sum();
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} turns, {eta} left");
    let bar = ProgressBar::new(turns as u64).with_style(style.map_err(|error| error.to_string())?);
    let (mut pgn, count) = (String::new(), records.len());
    let mut out = io::stdout().lock();
    let mut own: Option<(Choice, &str)> = None;
    for (number, record) in (1..).zip(&mut records) {
        let game = find(record.variant).ok_or_else(|| format!("unknown variant '{}'", record.variant))?;
        let known = own.take().filter(|(_, name)| *name == game.name);
        let (choice, _) = own.insert(match known {
            Some(known) => known,
            None => (choice(arguments.net.as_ref(), game)?, game.name),
        });
        let how = How {
            evaluator: choice.get(),
            limits: arguments.limits(),
            lines: arguments.lines,
            rollout: arguments.plan(),
            threads: arguments.threads.max(1),
            table: &table,
            stop: &stop,
        };
        let done = bar.position();
        let found = review(record, &how, &mut |turns| bar.set_position(done + turns as u64))
            .map_err(|error| format!("game {number}: {error}"))?;
        annotate(record, &found);
        pgn.push_str(&record.to_pgn());
        let text = if arguments.json { json(&found)? } else { found.to_string() };
        bar.suspend(|| writeln!(out, "{text}")).map_err(|error| format!("cannot write: {error}"))?;
        if let Some(path) = &arguments.html {
            save(&numbered(path, number, count), &page(&found))?;
        }
    }
    bar.finish_and_clear();
    arguments.pgn.as_ref().map_or(Ok(()), |path| save(path, &pgn))
}

fn json(found: &Review) -> Result<String, String> {
    serde_json::to_string(found).map_err(|error| error.to_string())
}

fn save(path: &Path, text: &str) -> Result<(), String> {
    write_whole(path, text.as_bytes()).map_err(|error| format!("cannot write '{}': {error}", path.display()))
}

/// The name of the page of one of several games.
fn numbered(path: &Path, number: usize, count: usize) -> PathBuf {
    if count == 1 {
        return path.to_path_buf();
    }
    let stem = path.file_stem().map_or("game".into(), |stem| stem.to_string_lossy());
    let ending = path.extension().map_or("html".into(), |ending| ending.to_string_lossy());
    path.with_file_name(format!("{stem}-{number}.{ending}"))
}

/// The games of a file.
fn read(file: &Path, variant: &'static Variant) -> Result<Vec<GameRecord>, String> {
    let name = file.display();
    let text = fs::read_to_string(file).map_err(|error| format!("cannot read '{name}': {error}"))?;
    let named = |number: usize, error: String| format!("'{name}', game {number}: {error}");
    let is_list = file.extension().is_none_or(|ending| ending != "pgn") && form_of(file) == Form::Pgn;
    let looks_like_pgn = text.trim_start().starts_with('[') || text.contains("{[%");
    if is_list && !looks_like_pgn {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let game =
            |(number, line)| GameRecord::from_list(line, variant).map_err(|error| named(number, error.to_string()));
        return (1..).zip(lines).map(game).collect();
    }
    let (games, whole) = form_of(file).read(&text);
    if whole < text.len() {
        return Err(format!("'{name}' breaks off inside its last line"));
    }
    let record = |(number, entry): (usize, Result<Entry, String>)| {
        entry.and_then(|entry| entry.record()).map_err(|error| named(number, error))
    };
    (1..).zip(games).map(record).collect()
}

impl AnalyseArguments {
    fn limits(&self) -> Limits {
        match self.movetime {
            Some(millis) => Limits { movetime: Some(Duration::from_millis(millis)), ..Limits::default() },
            None => Limits { depth: Some(self.depth), ..Limits::default() },
        }
    }

    fn plan(&self) -> Option<Plan> {
        let games = self.rollout?;
        Some(Plan { games, truncate: self.truncate, reduce: true, error: self.error, seed: self.seed })
    }
}

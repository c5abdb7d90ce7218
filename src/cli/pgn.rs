//! `hazard pgn`: games from PGN to JSON Lines and back, filtered and counted.

use super::common::{ended, unwritten};
use crate::arena::Entry;
use crate::arena::records::{Form, RecordFile};
use clap::Args;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What is read, what of it is wanted, where it goes.
#[derive(Args)]
pub struct PgnArguments {
    /// Files of games; those that end with .jsonl or .json are JSON Lines, others PGN.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where the games go, in the form that the name's ending tells; without it they are only counted
    #[arg(short, long)]
    out: Option<PathBuf>,
    /// Only games of this variant
    #[arg(long)]
    variant: Option<String>,
    /// Only games with this player, on either side
    #[arg(long)]
    player: Option<String>,
    /// Only games with this result: 1-0, 0-1 or 1/2-1/2
    #[arg(long)]
    result: Option<String>,
    /// Only games that ended so, by kind (as in "time forfeit") or reason (as in "king captured")
    #[arg(long)]
    ended: Option<String>,
    /// Only games of at least so many turns
    #[arg(long, default_value_t = 0)]
    least: usize,
    /// Only games of at most so many turns
    #[arg(long)]
    most: Option<usize>,
}

/// Converts, filters and counts.
pub fn run(arguments: &PgnArguments) -> ExitCode {
    ended(convert(arguments))
}

/// The form of a file by its name.
pub fn form_of(file: &Path) -> Form {
    let is_json = file.extension().is_some_and(|ending| ending == "jsonl" || ending == "json");
    if is_json { Form::Json } else { Form::Pgn }
}

fn convert(arguments: &PgnArguments) -> Result<(), String> {
    let mut out = match &arguments.out {
        Some(file) if arguments.files.contains(file) => return Err("it cannot write to what it reads".to_string()),
        Some(file) => Some(RecordFile::open(file, form_of(file), false)?),
        None => None,
    };
    let mut counts = Counts::default();
    for file in &arguments.files {
        let name = file.display();
        let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read '{name}': {error}"))?;
        let (games, whole) = form_of(file).read(&text);
        for (number, entry) in (1..).zip(games) {
            let entry = entry.map_err(|error| format!("'{name}', game {number}: {error}"))?;
            if !arguments.wants(&entry) {
                counts.passed += 1;
                continue;
            }
            counts.add(&entry);
            if let Some(out) = &mut out {
                out.add(&entry).map_err(|error| format!("'{name}', game {number}: {error}"))?;
            }
        }
        if whole < text.len() {
            return Err(format!("'{name}' breaks off inside its last line"));
        }
    }
    let mut to = io::stdout();
    counts.lines().iter().try_for_each(|line| writeln!(to, "{line}")).map_err(unwritten)
}

impl PgnArguments {
    fn wants(&self, entry: &Entry) -> bool {
        let is = |wanted: &Option<String>, found: &[&str]| {
            wanted.as_ref().is_none_or(|wanted| found.contains(&wanted.as_str()))
        };
        is(&self.variant, &[&entry.variant])
            && is(&self.player, &[&entry.white, &entry.black])
            && is(&self.result, &[&entry.result])
            && is(&self.ended, &[&entry.termination, &entry.outcome])
            && entry.turns.len() >= self.least
            && self.most.is_none_or(|most| entry.turns.len() <= most)
    }
}

#[derive(Default)]
struct Counts {
    games: usize,
    passed: usize,
    turns: usize,
    results: BTreeMap<String, usize>,
    variants: BTreeMap<String, usize>,
    endings: BTreeMap<String, usize>,
}

impl Counts {
    fn add(&mut self, entry: &Entry) {
        self.games += 1;
        self.turns += entry.turns.len();
        *self.results.entry(entry.result.clone()).or_default() += 1;
        *self.variants.entry(entry.variant.clone()).or_default() += 1;
        *self.endings.entry(entry.end().kind).or_default() += 1;
    }

    fn lines(&self) -> Vec<String> {
        let list = |counts: &BTreeMap<String, usize>| {
            counts.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
        };
        vec![
            format!("Games: {}, turns: {}, passed over: {}", self.games, self.turns, self.passed),
            format!("Variants: {}", list(&self.variants)),
            format!("Results: {}", list(&self.results)),
            format!("Ended by: {}", list(&self.endings)),
        ]
    }
}

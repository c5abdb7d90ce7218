//! `hazard analyse`: finished games looked at again, with luck and error.

use super::common::{PlanArguments, choice, cores, ended, game, stopper, unwritten};
use super::luckless::Luckless;
use super::match_arguments::sprt;
use super::pgn::form_of;
use crate::analysis::{How, Plan, Review, Totals, annotate, page, review};
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
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
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
    #[command(flatten)]
    plan: PlanArguments,
    /// How many of the best turns are told
    #[arg(long, default_value_t = 4)]
    lines: usize,
    /// Print JSON, a line a game, instead of tables
    #[arg(long)]
    json: bool,
    /// Leave the tables out and print only what all games come to
    #[arg(long)]
    summary: bool,
    /// Write the games with what was found as PGN
    #[arg(long)]
    pgn: Option<PathBuf>,
    /// Write a page with the curve and all turns; of several games each has one, numbered
    #[arg(long)]
    html: Option<PathBuf>,
    /// Test a match's two players by their scores without luck: elo0=E elo1=E, alpha=P, beta=P, model=(normalized|logistic)
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    sprt: Vec<String>,
    /// A file with the network that judges
    #[arg(long)]
    net: Option<PathBuf>,
    /// Threads
    #[arg(long, default_value_t = cores())]
    threads: usize,
}

/// Looks at games.
pub fn run(arguments: &AnalyseArguments) -> ExitCode {
    ended(analyse(arguments))
}

fn analyse(arguments: &AnalyseArguments) -> Result<(), String> {
    let variant = game(&arguments.variant)?;
    if arguments.depth == 0 || arguments.movetime == Some(0) || arguments.rollout == Some(0) || arguments.lines == 0 {
        return Err("depth, movetime, rollout and lines begin at 1".to_string());
    }
    let mut test = sprt(&arguments.sprt)?.map(Luckless::new);
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
    let turns: usize = records.iter().map(|record| record.turns.len()).sum();
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} turns, {eta} left");
    let bar = ProgressBar::new(turns as u64).with_style(style.map_err(|error| error.to_string())?);
    let mut evaluations: Vec<(&'static str, Choice)> = Vec::new();
    for record in &records {
        if !evaluations.iter().any(|(name, _)| *name == record.variant) {
            let game = find(record.variant).ok_or_else(|| format!("unknown variant '{}'", record.variant))?;
            evaluations.push((game.name, choice(arguments.net.as_ref(), game)?));
        }
    }
    let work = Work { arguments, evaluations: &evaluations, stop: &stop, bar: &bar };
    let (mut pgn, mut totals, count) = (String::new(), Totals::default(), records.len());
    let mut out = io::stdout().lock();
    work.each(&mut records, &mut |number, record, found| {
        if let Some(test) = &mut test {
            test.add(record, &found).map_err(|error| format!("game {number}: {error}"))?;
        }
        annotate(record, &found);
        pgn.push_str(&record.to_pgn());
        totals.add(&found);
        let text = if arguments.json { json(&found)? } else { found.to_string() };
        if !arguments.summary {
            bar.suspend(|| writeln!(out, "{text}")).map_err(unwritten)?;
        }
        arguments.html.as_ref().map_or(Ok(()), |path| save(&numbered(path, number, count), &page(&found)))
    })?;
    bar.finish_and_clear();
    if arguments.summary || (count > 1 && !arguments.json) {
        writeln!(out, "{totals}").map_err(unwritten)?;
    }
    if let Some(test) = test {
        writeln!(out, "{test}").map_err(unwritten)?;
    }
    arguments.pgn.as_ref().map_or(Ok(()), |path| save(path, &pgn))
}

/// What the threads that look at games have in common.
struct Work<'a> {
    arguments: &'a AnalyseArguments,
    evaluations: &'a [(&'static str, Choice)],
    stop: &'a AtomicBool,
    bar: &'a ProgressBar,
}

/// How many games are looked at together: what they come to is heard in their order.
const TOGETHER: usize = 64;

impl Work<'_> {
    /// Looks at every game, several at a time where there are several, and hears what was found in order.
    fn each(
        &self,
        records: &mut [GameRecord],
        hear: &mut dyn FnMut(usize, &mut GameRecord, Review) -> Result<(), String>,
    ) -> Result<(), String> {
        let all = self.arguments.threads.max(1);
        let workers = all.min(records.len());
        let mut number = 0;
        for chunk in records.chunks_mut(TOGETHER) {
            let next = AtomicUsize::new(0);
            let known = &*chunk;
            let labour = || {
                let table = Table::new(16);
                let mut found = Vec::new();
                while let Some((place, record)) = {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    known.get(place).map(|record| (place, record))
                } {
                    found.push((place, self.one(record, &table, all / workers)));
                }
                found
            };
            let mut found: Vec<(usize, Result<Review, String>)> = thread::scope(|scope| {
                let handles: Vec<_> = (0..workers).map(|_| scope.spawn(labour)).collect();
                handles.into_iter().filter_map(|handle| handle.join().ok()).flatten().collect()
            });
            found.sort_by_key(|(place, _)| *place);
            for (record, (_, found)) in chunk.iter_mut().zip(found) {
                number += 1;
                let found = found.map_err(|error| format!("game {number}: {error}"))?;
                hear(number, record, found)?;
            }
        }
        Ok(())
    }

    fn one(&self, record: &GameRecord, table: &Table, threads: usize) -> Result<Review, String> {
        let evaluation = self.evaluations.iter().find(|(name, _)| *name == record.variant);
        let (_, choice) = evaluation.ok_or_else(|| format!("unknown variant '{}'", record.variant))?;
        let how = How {
            evaluator: choice.get(),
            limits: self.arguments.limits(),
            lines: self.arguments.lines,
            rollout: self.arguments.plan(),
            threads: threads.max(1),
            table,
            stop: self.stop,
        };
        review(record, &how, &mut |_| self.bar.inc(1)).map_err(|error| error.to_string())
    }
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
        let PlanArguments { truncate, error, seed } = self.plan;
        Some(Plan { games, truncate, reduce: true, error, seed })
    }
}

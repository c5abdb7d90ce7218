//! `hazard match merge`: joins the parts of a match that were played apart.

use super::common::{ended, unwritten};
use super::match_arguments::out_of;
use crate::arena::records::{Form, Journal, RecordFile};
use crate::arena::{Closing, Entry, Scheduled, Standings, closing, results};
use clap::Parser;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Join the parts of a match: hazard match merge a.jsonl b.jsonl -jsonout whole.jsonl
#[derive(Parser)]
#[command(name = "hazard match merge", bin_name = "hazard match merge")]
pub struct MergeArguments {
    /// The journals (-jsonout) of the parts.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where all games go, by their numbers, as JSON Lines: FILE or file=FILE
    #[arg(long)]
    jsonout: Option<String>,
    /// And as PGN
    #[arg(long)]
    pgnout: Option<String>,
}

/// Joins the files and shows the results.
pub fn run(arguments: &MergeArguments) -> ExitCode {
    ended(merge(arguments))
}

fn merge(arguments: &MergeArguments) -> Result<(), String> {
    let mut entries: BTreeMap<u64, Entry> = BTreeMap::new();
    let mut id: Option<String> = None;
    for file in &arguments.files {
        let name = file.display();
        let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read '{name}': {error}"))?;
        let own = match &id {
            Some(id) => id.clone(),
            None => first_id(&text).ok_or_else(|| format!("'{name}' has no game in it"))?,
        };
        let journal = Journal::read(&text, &own).map_err(|error| format!("'{name}': {error}"))?;
        if !journal.others.is_empty() || journal.entries.is_empty() {
            return Err(format!("'{name}' holds games of another match, or none of this one"));
        }
        for (number, entry) in journal.entries {
            if entries.insert(number, entry).is_some() {
                return Err(format!("'{name}': game {number} is in an earlier file too"));
            }
        }
        id = Some(own);
    }
    for (out, form) in [(&arguments.jsonout, Form::Json), (&arguments.pgnout, Form::Pgn)] {
        let Some(out) = out_of(out.as_deref())? else { continue };
        let mut records = RecordFile::open(&out.file, form, false)?;
        entries.values().try_for_each(|entry| records.add(entry))?;
    }
    report(&entries)
}

fn first_id(text: &str) -> Option<String> {
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    Some(Entry::parse(line).ok()?.id)
}

/// The results, recomputed from the games.
fn report(entries: &BTreeMap<u64, Entry>) -> Result<(), String> {
    // Players in the order in which they first had White, which is that of the match.
    let mut names: Vec<String> = Vec::new();
    for name in entries.values().flat_map(|entry| [&entry.white, &entry.black]) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let place = |name: &String| names.iter().position(|known| known == name).unwrap_or(0);
    let each = entries.values().map(|entry| entry.of_pair + 1).max().unwrap_or(1);
    let mut standings = Standings::default();
    for entry in entries.values() {
        let game = Scheduled {
            number: entry.game,
            round: entry.round,
            pair: entry.pair,
            of_pair: entry.of_pair,
            white: place(&entry.white),
            black: place(&entry.black),
            opening: None,
        };
        standings.add(&game, &entry.end(), each);
    }
    let pairs: BTreeSet<u64> = entries.values().map(|entry| entry.pair).collect();
    let last = entries.keys().next_back().copied().unwrap_or(0);
    let conditions = entries.values().next().map(|entry| format!("{}, {} pairs", entry.variant, pairs.len()));
    let mut lines = results(&names, &standings, &conditions.unwrap_or_default(), None);
    lines.extend(closing(&standings, &Closing::Complete));
    if (entries.len() as u64) < last {
        lines.push(format!("{} of the first {last} games are missing", last - entries.len() as u64));
    }
    let mut out = io::stdout();
    lines.iter().try_for_each(|line| writeln!(out, "{line}")).map_err(unwritten)
}

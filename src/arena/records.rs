//! The files of a match: each game is there at once, whole or not at all, and its dice's secret when its pair is over.

use super::journal::{Entry, PENDING};
use crate::notation::{GameRecord, Style};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// The length of a secret in hexadecimal.
const HEX: usize = 64;

/// How games are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// As PGN.
    Pgn,
    /// As lines of JSON.
    Json,
}

impl Form {
    /// The text of a game. Where its secret is pending, there is room for it.
    fn text(self, entry: &Entry) -> Result<String, String> {
        let room = " ".repeat(HEX - PENDING.len());
        match self {
            Form::Json => {
                let line = entry.line().map_err(|error| error.to_string())?;
                Ok(line.replacen(&format!("\"seed\":\"{PENDING}\""), &format!("\"seed\":\"{PENDING}\"{room}"), 1)
                    + "\n")
            }
            Form::Pgn => {
                let text = entry.record()?.to_pgn();
                Ok(text.replacen(&format!("[DiceSeed \"{PENDING}\"]"), &format!("[DiceSeed \"{PENDING}\"]{room}"), 1))
            }
        }
    }

    /// Where in a text the secret is pending, and what takes its place.
    fn gap(self, text: &str, secret: &str) -> Option<(usize, String)> {
        let (before, after) = match self {
            Form::Json => ("\"seed\":", format!("\"{secret}\"")),
            Form::Pgn => ("[DiceSeed ", format!("\"{secret}\"]")),
        };
        let at = text.find(&format!("{before}\"{PENDING}\""))?;
        Some((at + before.len(), after))
    }

    /// The games of a text, what is torn off at its end left out; and what of the text is whole.
    pub fn read(self, text: &str) -> (Vec<Result<Entry, String>>, usize) {
        match self {
            Form::Json => {
                let whole = text.rfind('\n').map_or(0, |at| at + 1);
                let lines = text.get(..whole).unwrap_or_default().lines();
                (lines.filter(|line| !line.trim().is_empty()).map(Entry::parse).collect(), whole)
            }
            Form::Pgn => {
                let style = Style::Orthodox;
                let games = GameRecord::read_all(text);
                let entry = |record: Result<GameRecord, _>| match record {
                    Ok(record) => Entry::of(&record, style),
                    Err(error) => Err(format!("{error}")),
                };
                (games.map(entry).collect(), text.len())
            }
        }
    }
}

/// A file that games are added to.
pub struct RecordFile {
    path: PathBuf,
    form: Form,
    file: File,
    end: u64,
    /// Where the secrets of pairs are pending, with the text that was written there.
    pending: BTreeMap<u64, Vec<(u64, String)>>,
}

impl RecordFile {
    /// Opens a file: to add to what is there, or anew.
    pub fn open(path: &Path, form: Form, append: bool) -> Result<RecordFile, String> {
        let fault = |error: io::Error| format!("cannot open '{}': {error}", path.display());
        let file = OpenOptions::new().write(true).create(true).truncate(!append).open(path).map_err(fault)?;
        let end = file.metadata().map_err(fault)?.len();
        Ok(RecordFile { path: path.to_path_buf(), form, file, end, pending: BTreeMap::new() })
    }

    /// Writes a file anew, with games that were written before, so that it is there whole or as it was.
    pub fn rebuild<'e>(
        path: &Path,
        form: Form,
        others: &str,
        entries: impl Iterator<Item = &'e Entry>,
    ) -> Result<RecordFile, String> {
        let mut beside = path.as_os_str().to_owned();
        beside.push(".part");
        let beside = PathBuf::from(beside);
        let mut records = RecordFile::open(&beside, form, false)?;
        let written = records.file.write_all_at(others.as_bytes(), 0);
        written.map_err(|error| records.fault(&error))?;
        records.end = others.len() as u64;
        for entry in entries {
            records.add(entry)?;
        }
        std::fs::rename(&beside, path).map_err(|error| records.fault(&error))?;
        records.path = path.to_path_buf();
        Ok(records)
    }

    fn fault(&self, error: &io::Error) -> String {
        format!("cannot write to '{}': {error}", self.path.display())
    }

    /// Adds a game. Where that fails, the file is as it was.
    pub fn add(&mut self, entry: &Entry) -> Result<(), String> {
        let text = self.form.text(entry)?;
        if let Err(error) = self.file.write_all_at(text.as_bytes(), self.end) {
            // What was written of it would be a torn game; where even this fails, reading leaves it out.
            let _ = self.file.set_len(self.end);
            return Err(self.fault(&error));
        }
        if self.form.gap(&text, PENDING).is_some() {
            self.pending.entry(entry.pair).or_default().push((self.end, text.clone()));
        }
        self.end += text.len() as u64;
        Ok(())
    }

    /// Tells the secret of a pair in the games that were waiting for it.
    pub fn reveal(&mut self, pair: u64, secret: &str) -> Result<(), String> {
        for (start, text) in self.pending.remove(&pair).unwrap_or_default() {
            if let Some((at, after)) = self.form.gap(&text, secret) {
                let written = self.file.write_all_at(after.as_bytes(), start + at as u64);
                written.map_err(|error| self.fault(&error))?;
            }
        }
        Ok(())
    }
}

/// The games of one match among those of a journal.
#[derive(Default)]
pub struct Journal {
    /// The games by their numbers.
    pub entries: BTreeMap<u64, Entry>,
    /// The lines of other matches, as they are.
    pub others: String,
}

impl Journal {
    /// Reads the games of a match from a text of JSON Lines.
    pub fn read(text: &str, id: &str) -> Result<Journal, String> {
        let mut journal = Journal::default();
        let (_, whole) = Form::Json.read(text);
        for (number, line) in (1..).zip(text.get(..whole).unwrap_or_default().lines()) {
            if line.trim().is_empty() {
                continue;
            }
            let entry = Entry::parse(line).map_err(|error| format!("line {number}: {error}"))?;
            if entry.id != id {
                journal.others.push_str(line);
                journal.others.push('\n');
            } else if let Some(twice) = journal.entries.insert(entry.game, entry) {
                return Err(format!("line {number}: game {} is there twice", twice.game));
            }
        }
        Ok(journal)
    }

    /// The pairs of which so many games, all of them, are there.
    pub fn whole_pairs(&self, games_each: u64) -> BTreeSet<u64> {
        let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
        self.entries.values().for_each(|entry| *counts.entry(entry.pair).or_default() += 1);
        counts.into_iter().filter(|(_, count)| *count >= games_each).map(|(pair, _)| pair).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::journal::Proof;

    fn entry(game: u64, seed: &str) -> Entry {
        let proof = Proof { commit: "c".into(), seed: seed.into(), clients: ["w".into(), "b \"x\"".into()] };
        let line = format!(
            "{{\"schema\":2,\"match\":\"m\",\"event\":\"e\",\"date\":\"d\",\"variant\":\"dicechess\",\"game\":{game},\"round\":1,\
             \"pair\":0,\"white\":\"a\",\"black\":\"b\",\"time_control\":[\"-\",\"-\"],\"start\":\"startpos\",\"result\":\"1-0\",\
             \"termination\":\"normal\",\"outcome\":\"king captured\",\"turns\":[{{\"side\":\"w\",\"rolls\":[\"345\"],\
             \"turn\":\"0000\"}}]}}"
        );
        Entry { dice: Some(proof), ..Entry::parse(&line).unwrap() }
    }

    #[test]
    fn a_secret_takes_the_place_of_what_was_pending() {
        let secret = "5".repeat(HEX);
        for form in [Form::Json, Form::Pgn] {
            let path = std::env::temp_dir().join(format!("hazard-records-{form:?}-{}", std::process::id()));
            let mut file = RecordFile::open(&path, form, false).unwrap();
            file.add(&entry(1, PENDING)).unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            let (games, whole) = form.read(&text);
            assert_eq!(games[0].as_ref().unwrap().dice.as_ref().unwrap().seed, PENDING);
            assert_eq!(whole, text.len());
            file.reveal(0, &secret).unwrap();
            file.add(&entry(2, &secret)).unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            std::fs::remove_file(&path).unwrap();
            let seeds = |entry: Result<Entry, String>| entry.unwrap().dice.unwrap();
            let (games, _) = form.read(&text);
            assert_eq!(games.len(), 2);
            for dice in games.into_iter().map(seeds) {
                assert_eq!((dice.seed.as_str(), dice.clients[1].as_str()), (secret.as_str(), "b \"x\""));
            }
            assert!(!text.contains("  "), "{text}");
        }
    }

    #[test]
    fn a_torn_line_is_left_out() {
        let line = entry(1, PENDING).line().unwrap();
        let text = format!("{line}\n{}", &line[..40]);
        let journal = Journal::read(&text, "m").unwrap();
        assert_eq!(journal.entries.keys().copied().collect::<Vec<_>>(), [1]);
        assert!(Journal::read(&format!("{line}\n{line}\n"), "m").is_err_and(|error| error.contains("twice")));
        assert_eq!(Journal::read(&format!("{line}\n"), "other").unwrap().others, format!("{line}\n"));
        assert!(Journal::read("{\n", "m").is_err_and(|error| error.contains("line 1")));
    }
}

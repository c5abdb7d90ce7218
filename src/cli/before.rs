//! What a match takes over from an interrupted one: its secret, its games.

use super::match_arguments::{MatchArguments, Out};
use crate::arena::journal::PENDING;
use crate::arena::records::{Form, Journal, RecordFile};
use crate::arena::{Entry, Pairing, Secrets, Standings, Tournament};
use crate::notation::GameRecord;
use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Where the secret of a match is kept while it is played: beside the journal, for nobody else to read.
pub struct Safe {
    seed: Option<u64>,
    secret: [u8; 32],
    file: Option<PathBuf>,
}

impl Safe {
    /// The secret of the match: from its seed, from an interrupted match, or from the system.
    pub fn open(arguments: &MatchArguments) -> Result<Safe, String> {
        if arguments.seed.is_some() {
            return Ok(Safe { seed: arguments.seed, secret: [0; 32], file: None });
        }
        let file = arguments.json.as_ref().map(|out| with_ending(&out.file, ".secret"));
        let mut secret = [0; 32];
        if let Some(file) = file.as_ref().filter(|_| arguments.resume) {
            let name = file.display();
            let text = fs::read_to_string(file).map_err(|error| format!("nothing to resume: '{name}': {error}"))?;
            let bytes = hex::decode(text.trim()).ok().and_then(|bytes| bytes.try_into().ok());
            secret = bytes.ok_or_else(|| format!("'{name}' is not the secret of a match"))?;
        } else {
            SysRng.try_fill_bytes(&mut secret).map_err(|error| format!("the system gives no randomness: {error}"))?;
        }
        Ok(Safe { seed: None, secret, file })
    }

    /// Keeps the secret until the match is over. Not before it is certain that no other match needs the one that is there.
    pub fn keep(&self) -> Result<(), String> {
        let Some(file) = &self.file else { return Ok(()) };
        let open = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(file);
        let written = open.and_then(|mut open| open.write_all(hex::encode(self.secret).as_bytes()));
        written.map_err(|error| format!("cannot write '{}': {error}", file.display()))
    }

    /// What the dice follow from.
    pub fn secrets(&self, clients: [String; 2]) -> Secrets {
        match self.seed {
            Some(seed) => Secrets::from_seed(seed, clients),
            None => Secrets::from_random(self.secret, clients),
        }
    }

    /// What everything else that is left to chance follows from.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| {
            let digest = Sha256::new().chain_update(self.secret).chain_update(b"players").finalize();
            digest.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
        })
    }

    /// The match is over, and nothing is secret any more.
    pub fn close(&self) {
        if let Some(file) = &self.file {
            // A file that stays behind does no harm.
            let _ = fs::remove_file(file);
        }
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// What tells a match from others: everything that decides its games, but for the part that is played of it.
pub fn match_id(arguments: &MatchArguments, tournament: &Tournament, book: &str) -> String {
    let MatchArguments { rounds, games, seed, chess960, .. } = arguments;
    let order = arguments.openings.as_ref().map(|book| (book.random, book.start));
    let pairing = match arguments.pairing {
        Pairing::RoundRobin => 0,
        Pairing::Gauntlet(seeds) => seeds,
    };
    let players: Vec<String> =
        tournament.contenders.iter().map(|contender| format!("{} {}", contender.name, contender.pace)).collect();
    let settings = format!(
        "{:?} {chess960} {players:?} {rounds} {games} {pairing} {seed:?} {order:?} {book:?} {:?} {:?} {:?}",
        arguments.variant.name, arguments.clients, arguments.event, arguments.adjudication
    );
    let digest = Sha256::digest(settings);
    hex::encode(digest.get(..8).unwrap_or_default())
}

/// The games that were played before, and what they came to.
#[derive(Default)]
pub struct Before {
    /// The games, and what else is in the file.
    pub journal: Journal,
    /// What they came to.
    pub standings: Standings,
}

impl Before {
    /// Reads them from the journal.
    pub fn read(arguments: &MatchArguments, tournament: &Tournament, id: &str) -> Result<Before, String> {
        let Some(out) = arguments.json.as_ref().filter(|out| out.append || arguments.resume) else {
            return Ok(Before::default());
        };
        let name = out.file.display();
        let text = match fs::read_to_string(&out.file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Before::default()),
            Err(error) => return Err(format!("cannot read '{name}': {error}")),
        };
        let journal = Journal::read(&text, id).map_err(|error| format!("'{name}': {error}"))?;
        if !journal.entries.is_empty() && !arguments.resume {
            return Err(format!(
                "'{name}' holds {} games of this very match: -resume goes on, append=false begins anew",
                journal.entries.len()
            ));
        }
        let mut standings = Standings::default();
        for entry in journal.entries.values() {
            let game = tournament.schedule.game(entry.game.saturating_sub(1)).filter(|game| {
                let name = |index: usize| tournament.contenders.get(index).map(|contender| contender.name.as_str());
                name(game.white) == Some(&entry.white) && name(game.black) == Some(&entry.black)
            });
            let game = game.ok_or_else(|| format!("'{name}': game {} is none of this match", entry.game))?;
            standings.add(&game, &entry.end(), tournament.schedule.games_each());
        }
        Ok(Before { journal, standings })
    }

    /// Opens the records: where a match goes on, with its games written anew, whose secrets are told where they may be.
    pub fn files(
        &self,
        arguments: &MatchArguments,
        id: &str,
        secrets: &Secrets,
        whole: &BTreeSet<u64>,
    ) -> Result<Vec<RecordFile>, String> {
        let told = |entry: &Entry| {
            let mut entry = entry.clone();
            if let Some(dice) = entry.dice.as_mut().filter(|dice| dice.seed == PENDING && whole.contains(&entry.pair)) {
                dice.seed = secrets.dice(entry.pair).reveal();
            }
            entry
        };
        let entries: Vec<Entry> = self.journal.entries.values().map(told).collect();
        let mut files = Vec::new();
        for (out, form) in [(&arguments.json, Form::Json), (&arguments.pgn, Form::Pgn)] {
            let Some(Out { file, append }) = out else { continue };
            files.push(if arguments.resume && file.exists() {
                let others = match form {
                    Form::Json => self.journal.others.clone(),
                    Form::Pgn => other_games(file, id)?,
                };
                RecordFile::rebuild(file, form, &others, entries.iter())?
            } else {
                let mut records = RecordFile::open(file, form, *append)?;
                // A PGN that is new in a match that goes on has the games from before as well.
                entries.iter().filter(|_| form == Form::Pgn).try_for_each(|entry| records.add(entry))?;
                records
            });
        }
        Ok(files)
    }
}

/// The games of a PGN file that belong to other matches.
fn other_games(file: &Path, id: &str) -> Result<String, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("cannot read '{}': {error}", file.display()))?;
    let tag = format!("[MatchId \"{id}\"]");
    Ok(GameRecord::split(&text).filter(|game| !game.contains(&tag)).collect())
}

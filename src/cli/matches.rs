//! `hazard match`: plays a match and shows how it goes.

use super::before::{Before, Safe, match_id};
use super::match_arguments::MatchArguments;
use crate::arena::records::RecordFile;
use crate::arena::{
    Closing, Event, Finished, Frame, Match, Opening, Schedule, Scheduled, Standings, Terms, Tournament, closing,
    read_openings, results, style,
};
use crate::dice::FairDice;
use crate::turns::Rules;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long an engine without a clock may take for a turn before it counts as hung.
const PATIENCE: Duration = Duration::from_secs(300);

/// Plays the match. The exit code tells whether it was played to its end.
pub fn run(arguments: &MatchArguments) -> ExitCode {
    match play(arguments) {
        Ok(Closing::Complete | Closing::Decided(_)) => ExitCode::SUCCESS,
        Ok(Closing::Interrupted | Closing::Crashed(_)) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn play(arguments: &MatchArguments) -> Result<Closing, String> {
    let rules = Rules::new(arguments.variant);
    let halt = Arc::new(AtomicBool::new(false));
    let handler = Arc::clone(&halt);
    // Where no handler can be set, an interrupt ends the process, and engines end when their input does.
    let _ = ctrlc::set_handler(move || handler.store(true, Ordering::Relaxed));
    let (openings, book) = openings(arguments, &rules)?;
    let safe = Safe::open(arguments)?;
    let mut tournament = tournament(arguments, rules, openings, &safe)?;
    let titles = tournament.probe(&halt).map_err(|(name, fault)| format!("the engine '{name}' {fault}"))?;
    name_contenders(arguments, &mut tournament, &titles);
    let id = match_id(arguments, &tournament, &book);
    let before = Before::read(arguments, &tournament, &id)?;
    if !arguments.resume {
        safe.keep()?;
    }
    tournament.done = before.journal.entries.keys().copied().collect();
    let mut output = Output::open(arguments, &tournament, &id, &before)?;
    let standings = before.standings;
    let (standings, how) = tournament.run(standings, &halt, &mut |event, standings| output.hear(event, standings))?;
    output.bar.finish_and_clear();
    output.report(&standings)?;
    if matches!(how, Closing::Complete | Closing::Decided(_)) {
        output.reveal_all()?;
        safe.close();
    }
    for line in closing(&standings, &how) {
        output.say(&line)?;
    }
    Ok(how)
}

/// The openings, and the text that they were read from.
fn openings(arguments: &MatchArguments, rules: &Rules) -> Result<(Vec<Opening>, String), String> {
    let Some(book) = &arguments.openings else { return Ok((Vec::new(), String::new())) };
    let name = book.file.display();
    let text = std::fs::read_to_string(&book.file).map_err(|error| format!("cannot read '{name}': {error}"))?;
    let openings = read_openings(&text, rules, arguments.chess960).map_err(|error| format!("'{name}': {error}"))?;
    Ok((openings, text))
}

fn tournament(
    arguments: &MatchArguments,
    rules: Rules,
    openings: Vec<Opening>,
    safe: &Safe,
) -> Result<Tournament<'static>, String> {
    let variant = rules.variant.name;
    let contenders = arguments.engines.iter().map(|engine| {
        let name = engine.name.clone().unwrap_or_else(|| engine.default_name());
        engine.contender(name, variant, arguments.chess960)
    });
    let contenders = contenders.collect::<Result<Vec<_>, String>>()?;
    let MatchArguments { pairing, rounds, games, shard, .. } = *arguments;
    let (random, start) = arguments.openings.as_ref().map_or((false, 0), |book| (book.random, book.start));
    let schedule = Schedule::new(contenders.len(), pairing, rounds, games, safe.seed()).with_shard(shard.0, shard.1);
    Ok(Tournament {
        rules,
        contenders,
        schedule: schedule.with_openings(openings.len(), random, start),
        secrets: safe.secrets(arguments.clients.clone()),
        done: BTreeSet::new(),
        openings,
        concurrency: arguments.concurrency,
        sprt: arguments.sprt,
        terms: Terms {
            style: style(arguments.chess960),
            adjudication: arguments.adjudication.clone(),
            patience: PATIENCE,
        },
        recover: arguments.recover,
    })
}

/// Engines are called as the user says, else as they call themselves; namesakes get a number.
fn name_contenders(arguments: &MatchArguments, tournament: &mut Tournament, titles: &[Option<String>]) {
    let mut known: Vec<String> = Vec::new();
    for (index, contender) in tournament.contenders.iter_mut().enumerate() {
        let given = arguments.engines.get(index).is_some_and(|engine| engine.name.is_some());
        if let Some(Some(title)) = titles.get(index).filter(|_| !given) {
            contender.name = title.clone();
        }
        let plain = contender.name.clone();
        let mut number = 2;
        while known.contains(&contender.name) {
            contender.name = format!("{plain} {number}");
            number += 1;
        }
        known.push(contender.name.clone());
    }
}

/// Where a match goes: the terminal, the records.
struct Output<'a> {
    arguments: &'a MatchArguments,
    tournament: &'a Tournament<'a>,
    names: Vec<String>,
    id: String,
    date: String,
    conditions: String,
    files: Vec<RecordFile>,
    /// Pairs whose commitment has been told.
    begun: BTreeSet<u64>,
    /// Pairs of which one game is over.
    halves: BTreeSet<u64>,
    bar: ProgressBar,
}

impl<'a> Output<'a> {
    fn open(
        arguments: &'a MatchArguments,
        tournament: &'a Tournament,
        id: &str,
        before: &Before,
    ) -> Result<Output<'a>, String> {
        let games = tournament.schedule.len();
        let bar = if io::stderr().is_terminal() {
            ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr_with_hz(4))
        } else {
            ProgressBar::hidden()
        };
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {per_sec}, {eta} to go {msg}") {
            bar.set_style(style);
        }
        bar.set_position(before.journal.entries.len() as u64);
        let paces: Vec<String> = tournament.contenders.iter().map(|contender| contender.pace.to_string()).collect();
        let first = paces.first().cloned().unwrap_or_default();
        let pace = if paces.iter().all(|pace| *pace == first) { first } else { paces.join(" - ") };
        let book = arguments.openings.as_ref().map(|book| format!(", {}", book.file.display())).unwrap_or_default();
        let seed = arguments.seed.map(|seed| format!(", seed {seed}")).unwrap_or_default();
        let whole = before.journal.whole_pairs(tournament.schedule.games_each());
        let begun: BTreeSet<u64> = before.journal.entries.values().map(|entry| entry.pair).collect();
        Ok(Output {
            arguments,
            tournament,
            names: tournament.contenders.iter().map(|contender| contender.name.clone()).collect(),
            id: id.to_string(),
            date: today(),
            conditions: format!("{}, {pace}{book}{seed}", arguments.variant.name),
            files: before.files(arguments, id, &tournament.secrets, &whole)?,
            halves: begun.difference(&whole).copied().collect(),
            begun,
            bar,
        })
    }

    fn say(&self, line: &str) -> Result<(), String> {
        let written = self.bar.suspend(|| writeln!(io::stdout(), "{line}"));
        written.map_err(|error| format!("cannot write to standard output: {error}"))
    }

    fn report(&self, standings: &Standings) -> Result<(), String> {
        let lines = results(&self.names, standings, &self.conditions, self.arguments.sprt.as_ref());
        lines.iter().try_for_each(|line| self.say(line))
    }

    /// The dice of a pair, where the game has any.
    fn dice(&self, pair: u64) -> Option<FairDice> {
        self.arguments.variant.has_dice().then(|| self.tournament.secrets.dice(pair))
    }

    fn hear(&mut self, event: &Event, standings: &Standings) -> Result<(), String> {
        match event {
            Event::Started(game) => self.begin(game),
            Event::Finished(game, played) => {
                self.record(game, played)?;
                self.show(game, played, standings)
            }
        }
    }

    /// Tells what a pair's dice are bound to before its first game.
    fn begin(&mut self, game: &Scheduled) -> Result<(), String> {
        match self.dice(game.pair).filter(|_| self.begun.insert(game.pair) && self.bar.is_hidden()) {
            Some(dice) => self.say(&format!("Pair {}: the dice are committed to by {}", game.pair, dice.commit())),
            None => Ok(()),
        }
    }

    fn record(&mut self, game: &Scheduled, played: &Match) -> Result<(), String> {
        let each = self.tournament.schedule.games_each();
        let is_open = each == 1 || self.halves.remove(&game.pair);
        if !is_open {
            self.halves.insert(game.pair);
        }
        let name = |index: usize| self.names.get(index).map_or("?", String::as_str);
        let pace =
            |index: usize| self.tournament.contenders.get(index).map(|one| one.pace.to_string()).unwrap_or_default();
        let opening = game.opening.and_then(|opening| self.tournament.openings.get(opening));
        let frame = Frame {
            id: &self.id,
            event: &self.arguments.event,
            site: &self.arguments.site,
            date: &self.date,
            variant: self.arguments.variant.name,
            style: style(self.arguments.chess960),
            clients: &self.arguments.clients,
        };
        let dice = self.dice(game.pair);
        let finished = Finished {
            game,
            names: [name(game.white), name(game.black)],
            paces: [pace(game.white), pace(game.black)],
            dfen: opening.map(|opening| opening.dfen.as_str()),
            played,
            dice: dice.as_ref(),
            is_open,
        };
        if self.files.is_empty() {
            return Ok(());
        }
        let entry = finished.entry(&frame);
        let secret = dice.as_ref().filter(|_| is_open).map(FairDice::reveal);
        for file in &mut self.files {
            file.add(&entry).map_err(|error| format!("game {} is not recorded: {error}", game.number))?;
            secret.as_ref().map_or(Ok(()), |secret| file.reveal(game.pair, secret))?;
        }
        Ok(())
    }

    /// The match is over: nothing is secret any more.
    fn reveal_all(&mut self) -> Result<(), String> {
        for pair in std::mem::take(&mut self.halves) {
            let Some(dice) = self.dice(pair) else { continue };
            self.files.iter_mut().try_for_each(|file| file.reveal(pair, &dice.reveal()))?;
        }
        Ok(())
    }

    fn show(&self, game: &Scheduled, played: &Match, standings: &Standings) -> Result<(), String> {
        let name = |index: usize| self.names.get(index).map_or("?", String::as_str);
        let (white, black) = (name(game.white), name(game.black));
        let line = format!(
            "Finished game {} ({white} vs {black}): {} {{{}}}",
            game.number,
            played.ending.result(),
            played.ending
        );
        if self.bar.is_hidden() {
            self.say(&line)?;
        }
        self.bar.inc(1);
        let interval = self.arguments.rating_interval * self.tournament.schedule.games_each();
        if interval > 0
            && standings.finished.is_multiple_of(interval)
            && standings.finished < self.tournament.schedule.len()
        {
            self.report(standings)?;
        }
        Ok(())
    }
}

/// The day as PGN has it: civil dates from days by Howard Hinnant's algorithm (2013).
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let days = seconds / 86_400 + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

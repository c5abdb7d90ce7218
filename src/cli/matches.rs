//! `hazard match`: plays a match and shows how it goes.

use super::match_arguments::{MatchArguments, Out};
use crate::arena::{
    Closing, Event, Finished, Frame, Opening, Schedule, Standings, Terms, Tournament, closing, read_openings, results,
    style,
};
use crate::position::Position;
use crate::turns::Rules;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fs::{File, OpenOptions};
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
    let openings = openings(arguments, &rules)?;
    let mut tournament = tournament(arguments, rules, openings)?;
    let titles = tournament.probe(&halt).map_err(|(name, fault)| format!("the engine '{name}' {fault}"))?;
    name_contenders(arguments, &mut tournament, &titles);
    let mut output = Output::open(arguments, &tournament)?;
    let (standings, how) = tournament.run(&halt, &mut |event, standings| output.hear(event, standings))?;
    output.bar.finish_and_clear();
    output.report(&standings)?;
    for line in closing(&standings, &how) {
        output.say(&line)?;
    }
    Ok(how)
}

fn openings(arguments: &MatchArguments, rules: &Rules) -> Result<Vec<Opening>, String> {
    let Some(book) = &arguments.openings else { return Ok(Vec::new()) };
    let name = book.file.display();
    let text = std::fs::read_to_string(&book.file).map_err(|error| format!("cannot read '{name}': {error}"))?;
    read_openings(&text, rules, arguments.chess960).map_err(|error| format!("'{name}': {error}"))
}

fn tournament(arguments: &MatchArguments, rules: Rules, openings: Vec<Opening>) -> Result<Tournament<'static>, String> {
    let variant = rules.variant.name;
    let contenders = arguments.engines.iter().map(|engine| {
        let name = engine.name.clone().unwrap_or_else(|| engine.default_name());
        engine.contender(name, variant, arguments.chess960)
    });
    let contenders = contenders.collect::<Result<Vec<_>, String>>()?;
    let MatchArguments { pairing, rounds, games, seed, .. } = *arguments;
    let (random, start) = arguments.openings.as_ref().map_or((false, 0), |book| (book.random, book.start));
    let schedule = Schedule::new(contenders.len(), pairing, rounds, games, seed);
    Ok(Tournament {
        rules,
        contenders,
        schedule: schedule.with_openings(openings.len(), random, start),
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
    date: String,
    conditions: String,
    pgn: Option<File>,
    json: Option<File>,
    bar: ProgressBar,
}

impl<'a> Output<'a> {
    fn open(arguments: &'a MatchArguments, tournament: &'a Tournament) -> Result<Output<'a>, String> {
        let games = tournament.schedule.len();
        let bar = if io::stderr().is_terminal() {
            ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr_with_hz(4))
        } else {
            ProgressBar::hidden()
        };
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {per_sec}, {eta} to go {msg}") {
            bar.set_style(style);
        }
        let paces: Vec<String> = tournament.contenders.iter().map(|contender| contender.pace.to_string()).collect();
        let first = paces.first().cloned().unwrap_or_default();
        let pace = if paces.iter().all(|pace| *pace == first) { first } else { paces.join(" - ") };
        let book = arguments.openings.as_ref().map(|book| format!(", {}", book.file.display())).unwrap_or_default();
        Ok(Output {
            arguments,
            tournament,
            names: tournament.contenders.iter().map(|contender| contender.name.clone()).collect(),
            date: today(),
            conditions: format!("{}, {pace}{book}, seed {}", arguments.variant.name, arguments.seed),
            pgn: arguments.pgn.as_ref().map(open).transpose()?,
            json: arguments.json.as_ref().map(open).transpose()?,
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

    fn hear(&mut self, event: &Event, standings: &Standings) -> Result<(), String> {
        let Event::Finished(game, played) = event else { return Ok(()) };
        let name = |index: usize| self.names.get(index).map_or("?", String::as_str);
        let pace =
            |index: usize| self.tournament.contenders.get(index).map(|one| one.pace.to_string()).unwrap_or_default();
        let opening = game.opening.and_then(|opening| self.tournament.openings.get(opening));
        let frame = Frame {
            event: &self.arguments.event,
            site: &self.arguments.site,
            date: &self.date,
            variant: self.arguments.variant.name,
            style: style(self.arguments.chess960),
        };
        let finished = Finished {
            game,
            names: [name(game.white), name(game.black)],
            paces: [pace(game.white), pace(game.black)],
            start: opening.map_or_else(|| Position::start(self.arguments.variant), |opening| opening.position),
            dfen: opening.map(|opening| opening.dfen.as_str()),
            played,
        };
        if let (Some(file), Some(out)) = (&mut self.json, &self.arguments.json) {
            let line = finished.json(&frame).map_err(|error| error.to_string())?;
            write(file, out, &format!("{line}\n"))?;
        }
        if let (Some(file), Some(out)) = (&mut self.pgn, &self.arguments.pgn) {
            write(file, out, &finished.record(&frame).to_pgn())?;
        }
        let line = format!(
            "Finished game {} ({} vs {}): {} {{{}}}",
            game.number,
            name(game.white),
            name(game.black),
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

fn open(out: &Out) -> Result<File, String> {
    let mut options = OpenOptions::new();
    let options = if out.append { options.append(true) } else { options.write(true).truncate(true) };
    options.create(true).open(&out.file).map_err(|error| format!("cannot open '{}': {error}", out.file.display()))
}

fn write(file: &mut File, out: &Out, text: &str) -> Result<(), String> {
    file.write_all(text.as_bytes()).map_err(|error| format!("cannot write to '{}': {error}", out.file.display()))
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

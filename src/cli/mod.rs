//! The command line.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod analyse;
mod before;
mod builtin;
mod common;
mod contenders;
mod luckless;
mod match_arguments;
mod matches;
mod merge;
mod pgn;
mod play;
mod rollout;
mod rolls;
mod training;
mod verify;

use crate::bench;
use crate::bench::Bench;
use crate::session::{BRIEF, Input, Patience, Session, read_lines};
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use clap_mangen::Man;
use crossbeam_channel::{Receiver, unbounded};
use match_arguments::{Asked, with_two_dashes};
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// A dice-chess engine. Without a command it speaks UCI on standard input and output.
#[derive(Parser)]
#[command(name = "hazard", version, about)]
struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand)]
enum Action {
    /// Carry out protocol lines one after another, wait for each, and leave
    ///
    /// hazard exec "position startpos" roll d "go depth 1"
    Exec {
        /// The lines.
        #[arg(required = true)]
        lines: Vec<String>,
    },
    /// Print a script that lets a shell complete commands and options
    ///
    /// hazard completions bash > ~/.local/share/bash-completion/completions/hazard
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual page
    ///
    /// hazard man > hazard.1
    Man,
    /// Search the fixed positions and print the node count that is the engine's signature
    Bench,
    /// Play a game by hand in the terminal, in any variant
    ///
    /// hazard play --variant dicehard --elo 900
    Play(play::PlayArguments),
    /// Play a match between engines
    ///
    /// Options may have one dash or two:
    /// hazard match -engine cmd=builtin:aggressive -engine cmd=builtin:greedy -rounds 100
    ///
    /// Parts of a match (-shard) are joined by: hazard match merge a.jsonl b.jsonl
    Match(Box<Asked>),
    /// Train a network on games of the engine with itself
    ///
    /// hazard train --out run --minutes 60
    Train(training::TrainArguments),
    /// Play games of the engine with itself into a file, for training
    ///
    /// hazard selfplay --out games.bin --games 100000
    Selfplay(training::SelfplayArguments),
    /// Measure how true the engine's stated expectations are, over games with itself
    ///
    /// hazard calibrate --games 20000 --svg reliability.svg
    Calibrate(training::CalibrateArguments),
    /// Play a game's own network against itself and say what the men are worth, who is better at the beginning, how long
    /// it lasts
    ///
    /// hazard portrait --variant dicehard
    Portrait(training::PortraitArguments),
    /// Look at finished games: the luck in every throw, the error in every turn
    ///
    /// hazard analyse games.pgn -html page.html
    Analyse(Box<analyse::AnalyseArguments>),
    /// Say what each roll would come to before it is thrown, with the best turn on it
    ///
    /// hazard rolls "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -" -depth 2
    Rolls(rolls::RollsArguments),
    /// Play a position on many times, in several sittings if need be
    ///
    /// hazard rollout "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 -" -games 5184 -out rollout.json
    Rollout(rollout::RolloutArguments),
    /// Replay games by the rules, move by move, with the dice that are told or follow from a seed
    ///
    /// hazard verify games.pgn --variant anydice --dice-seed alpha
    Verify(verify::VerifyArguments),
    /// Convert games between PGN and JSON Lines, filter and count them
    ///
    /// hazard pgn games.jsonl -o games.pgn --variant dicechess
    Pgn(pgn::PgnArguments),
}

/// Runs the program and says how it went.
pub fn run() -> ExitCode {
    let words = with_two_dashes(std::env::args_os());
    if words.get(2).is_some_and(|word| word == "merge") && words.get(1).is_some_and(|word| word == "match") {
        return merge::run(&merge::MergeArguments::parse_from(words.into_iter().skip(2)));
    }
    match Arguments::parse_from(words).action {
        None => serve(&read_lines(io::stdin()), BRIEF),
        Some(Action::Exec { lines }) => serve(&script(lines), Patience::Endless),
        Some(Action::Completions { shell }) => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "hazard", &mut text);
            written(io::stdout().write_all(&text))
        }
        Some(Action::Man) => written(manual().and_then(|text| io::stdout().write_all(&text))),
        Some(Action::Bench) => print(bench_lines()),
        Some(Action::Train(arguments)) => training::run(&arguments),
        Some(Action::Selfplay(arguments)) => training::run_selfplay(&arguments),
        Some(Action::Calibrate(arguments)) => training::run_calibrate(&arguments),
        Some(Action::Portrait(arguments)) => training::run_portrait(&arguments),
        Some(Action::Analyse(arguments)) => analyse::run(&arguments),
        Some(Action::Rolls(arguments)) => rolls::run(&arguments),
        Some(Action::Play(arguments)) => play::run(&arguments),
        Some(Action::Rollout(arguments)) => rollout::run(&arguments),
        Some(Action::Verify(arguments)) => verify::run(&arguments),
        Some(Action::Pgn(arguments)) => pgn::run(&arguments),
        Some(Action::Match(asked)) => match &asked.0 {
            Ok(arguments) => matches::run(arguments),
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::from(2)
            }
        },
    }
}

/// The manual page: that of the program, then those of its commands.
fn manual() -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let mut whole = Arguments::command();
    whole.build();
    Man::new(whole.clone()).render(&mut text)?;
    for command in whole.get_subcommands().filter(|command| command.get_name() != "help") {
        let page = Man::new(command.clone());
        writeln!(text, ".SH \"hazard {}\"", command.get_name())?;
        page.render_description_section(&mut text)?;
        page.render_options_section(&mut text)?;
    }
    Ok(text)
}

fn serve(inputs: &Receiver<Input>, patience: Patience) -> ExitCode {
    written(Session::new(BufWriter::new(io::stdout()), patience).run(inputs))
}

fn print(lines: Vec<String>) -> ExitCode {
    let mut out = BufWriter::new(io::stdout());
    written(lines.into_iter().try_for_each(|line| writeln!(out, "{line}")).and_then(|()| out.flush()))
}

/// How writing went: nobody reading on is how many a host ends a session.
fn written(result: io::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: cannot write to standard output: {error}");
            ExitCode::FAILURE
        }
    }
}

fn bench_lines() -> Vec<String> {
    let start = Instant::now();
    let mut lines = Vec::new();
    let nodes = bench::run(&AtomicBool::new(false), &mut |row: &Bench| lines.push(row.to_string()));
    lines.extend(bench::closing_lines(nodes, start.elapsed()));
    lines
}

/// The lines of a script as a session hears them.
fn script(lines: Vec<String>) -> Receiver<Input> {
    let (sender, receiver) = unbounded();
    for input in lines.into_iter().map(Input::Line).chain([Input::End]) {
        // The receiver lives: this cannot fail.
        let _ = sender.send(input);
    }
    receiver
}

//! The command line.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use crate::session::{BRIEF, Input, Patience, Session, read_lines};
use clap::{Parser, Subcommand};
use crossbeam_channel::{Receiver, unbounded};
use std::io::{self, BufWriter};
use std::process::ExitCode;

/// A dice-chess engine. Without a command it speaks UCI on standard input and output.
#[derive(Parser)]
#[command(name = "hazard", version, about)]
struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand)]
enum Action {
    /// Carry out protocol lines one after another, wait for each, and leave:
    /// hazard exec "position startpos" roll d "go depth 1"
    Exec {
        /// The lines.
        #[arg(required = true)]
        lines: Vec<String>,
    },
}

/// Runs the program and says how it went.
pub fn run() -> ExitCode {
    let (inputs, patience) = match Arguments::parse().action {
        None => (read_lines(io::stdin()), BRIEF),
        Some(Action::Exec { lines }) => (script(lines), Patience::Endless),
    };
    // Nobody reading the answers is how many a host ends a session.
    match Session::new(BufWriter::new(io::stdout()), patience).run(&inputs) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: cannot write to standard output: {error}");
            ExitCode::FAILURE
        }
    }
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

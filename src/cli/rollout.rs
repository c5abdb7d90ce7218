//! `hazard rollout`: a position played on many times, in several sittings if need be.

use super::common::{Judging, PlanArguments, choice, ended, game, position_of, stopper, unwritten};
use crate::analysis::{Plan, Rollout, Tally, after};
use crate::board::Color;
use crate::eval::Evaluator;
use crate::limits::Limits;
use crate::notation::{Style, to_dfen, turn_text};
use crate::search::{Request, Table, ranked};
use crate::train::write_whole;
use crate::turns::{Game, Rules, Status, Turn};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// The position, and how often it is played on.
#[derive(Args)]
pub struct RolloutArguments {
    /// A position (DFEN or FEN): one that awaits a roll, or one with dice, whose best turns are compared; the start where
    /// nothing is said
    dfen: Vec<String>,
    /// The game
    #[arg(long, default_value = "dicechess")]
    variant: String,
    /// How many games are played in all
    #[arg(long, default_value_t = 1_296)]
    games: u64,
    #[command(flatten)]
    plan: PlanArguments,
    /// How many of the best turns are compared
    #[arg(long, default_value_t = 3)]
    lines: usize,
    /// Leave the luck in the results
    #[arg(long)]
    plain: bool,
    /// A file in which the state is kept: the same command goes on from there
    #[arg(long, short)]
    out: Option<PathBuf>,
    #[command(flatten)]
    judging: Judging,
}

/// What decides the games: a file is carried on only where it is the same.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Origin {
    variant: String,
    dfen: String,
    network: String,
    truncate: Option<u32>,
    reduce: bool,
    seed: u64,
}

/// One position that is played on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Line {
    /// The turn that leads there; none for the position itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turn: Option<String>,
    tally: Tally,
}

/// The file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct State {
    schema: u32,
    origin: Origin,
    lines: Vec<Line>,
}

/// What is printed of a line.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<&'a str>,
    games: u64,
    turns: u64,
    expectation: f64,
    error: f64,
    error_with_luck: f64,
}

/// Plays on.
pub fn run(arguments: &RolloutArguments) -> ExitCode {
    ended(roll_out(arguments))
}

fn roll_out(arguments: &RolloutArguments) -> Result<(), String> {
    let variant = game(&arguments.variant)?;
    if arguments.games == 0 || arguments.lines == 0 || arguments.plan.truncate == Some(0) {
        return Err("games, lines and truncate begin at 1".to_string());
    }
    let rules = Rules::new(variant);
    let game = Game::new(rules, position_of(&rules, &arguments.dfen)?);
    let choice = choice(arguments.judging.net.as_ref(), variant)?;
    let view = match game.status() {
        Status::Over(outcome) => return Err(format!("the game is over: {outcome}")),
        Status::Pass(_) => return Err("no move can be made on these dice".to_string()),
        Status::Roll => game.position().side().unwrap_or(Color::White),
        Status::Decide(side) => side,
    };
    let stop = stopper()?;
    let evaluator = choice.get();
    let turns = best_turns(&game, evaluator, arguments, &stop);
    let origin = Origin {
        variant: variant.name.to_string(),
        dfen: to_dfen(&rules, game.position()),
        network: evaluator.network().map_or(String::new(), |network| network.checksum().to_string()),
        truncate: arguments.plan.truncate,
        reduce: !arguments.plain,
        seed: arguments.plan.seed,
    };
    let mut state = State { schema: 1, origin, lines: turns.iter().map(line).collect() };
    if let Some(path) = arguments.out.as_ref().filter(|path| path.exists()) {
        state = read(path, &state)?;
    }
    let plan = Plan {
        games: arguments.games,
        truncate: arguments.plan.truncate,
        reduce: !arguments.plain,
        error: arguments.plan.error,
        seed: arguments.plan.seed,
    };
    let rollout = Rollout { evaluator, plan, threads: arguments.judging.threads.max(1), stop: &stop };
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games {msg}, {eta} left");
    let bar = ProgressBar::new(arguments.games).with_style(style.map_err(|error| error.to_string())?);
    for (at, turn) in turns.iter().enumerate() {
        let known = state.lines.get(at).map_or(Tally::default(), |line| line.tally);
        let next = turn.as_ref().map_or_else(|| game.clone(), |turn| after(&game, turn));
        let mut fault = None;
        rollout.run(&next, known, &mut |tally| {
            bar.set_position(tally.games);
            bar.set_message(format!("± {:.4}", tally.error()));
            if let Some(line) = state.lines.get_mut(at) {
                line.tally = *tally;
            }
            fault = arguments.out.as_ref().and_then(|path| save(path, &state).err()).or(fault.take());
        });
        if let Some(fault) = fault {
            return Err(fault);
        }
    }
    bar.finish_and_clear();
    print(arguments, &state, view)?;
    if stop.load(Ordering::Relaxed) { Err("stopped before the end".to_string()) } else { Ok(()) }
}

/// The best few turns where dice have fallen; the position itself where a roll is awaited.
fn best_turns(
    game: &Game,
    evaluator: &dyn Evaluator,
    arguments: &RolloutArguments,
    stop: &AtomicBool,
) -> Vec<Option<Turn>> {
    let Status::Decide(_) = game.status() else { return vec![None] };
    let (table, limits) = (Table::new(16), Limits { depth: Some(2), ..Limits::default() });
    let request = Request {
        threads: arguments.judging.threads.max(1),
        lines: arguments.lines,
        ..Request::new(game.rules(), game.position(), evaluator, &table, &limits)
    };
    ranked(&request, stop).into_iter().map(|(turn, _)| Some(turn)).collect()
}

fn line(turn: &Option<Turn>) -> Line {
    let turn = turn.map(|turn| turn_text(turn.moves(), Style::Orthodox, ","));
    Line { turn, tally: Tally::default() }
}

fn save(path: &Path, state: &State) -> Result<(), String> {
    let text = serde_json::to_string(state).map_err(|error| error.to_string())?;
    write_whole(path, text.as_bytes()).map_err(|error| format!("cannot write '{}': {error}", path.display()))
}

/// The state of a file, if it is that of the same rollout.
fn read(path: &Path, wanted: &State) -> Result<State, String> {
    let name = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read '{name}': {error}"))?;
    let state: State = serde_json::from_str(&text).map_err(|error| format!("'{name}' is no rollout: {error}"))?;
    let turns = |state: &State| state.lines.iter().map(|line| line.turn.clone()).collect::<Vec<_>>();
    if state.schema != wanted.schema || state.origin != wanted.origin || turns(&state) != turns(wanted) {
        return Err(format!("'{name}' is another rollout"));
    }
    Ok(state)
}

fn print(arguments: &RolloutArguments, state: &State, view: Color) -> Result<(), String> {
    let mut out = io::stdout();
    for Line { turn, tally } in &state.lines {
        let told = Told {
            turn: turn.as_deref(),
            games: tally.games,
            turns: tally.turns,
            expectation: if tally.games > 0 { tally.mean_for(view) } else { 0.5 },
            error: if tally.games > 1 { tally.error() } else { 0.5 },
            error_with_luck: if tally.games > 1 { tally.plain_error() } else { 0.5 },
        };
        let text = if arguments.judging.json {
            serde_json::to_string(&told).map_err(|error| error.to_string())?
        } else {
            format!(
                "{} games {}: {} expects {:.4} ± {:.4} (standard error; with luck {:.4})",
                turn.as_deref().unwrap_or("position"),
                told.games,
                view.name(),
                told.expectation,
                told.error,
                told.error_with_luck
            )
        };
        writeln!(out, "{text}").map_err(unwritten)?;
    }
    Ok(())
}

//! `hazard rolls`: what each roll would come to, before it is thrown.

use super::common::{Judging, choice, ended, game, position_of, unwritten};
use crate::board::Color;
use crate::eval::Score;
use crate::info::RollReport;
use crate::limits::Limits;
use crate::notation::{Style, to_dfen, turn_text};
use crate::search::{Request, Table, think};
use crate::turns::{Rules, Status};
use clap::Args;
use serde::Serialize;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

/// The position, and how deep it is looked at.
#[derive(Args)]
pub struct RollsArguments {
    /// A position that awaits a roll (DFEN or FEN); the start where nothing is said
    dfen: Vec<String>,
    /// The game
    #[arg(long, default_value = "dicechess")]
    variant: String,
    /// How many turns deep each roll is judged
    #[arg(long, default_value_t = 2)]
    depth: u32,
    #[command(flatten)]
    judging: Judging,
}

/// One roll, or several that allow the same.
#[derive(Serialize)]
struct Row {
    roll: String,
    weight: u32,
    expectation: f64,
    turn: String,
}

/// All rolls of a position.
#[derive(Serialize)]
struct Rolls {
    schema: u32,
    variant: &'static str,
    dfen: String,
    /// Whose expectations these are: `w` or `b`.
    view: char,
    expectation: f64,
    rolls: Vec<Row>,
}

/// Tells what each roll would come to.
pub fn run(arguments: &RollsArguments) -> ExitCode {
    ended(rolls(arguments))
}

fn rolls(arguments: &RollsArguments) -> Result<(), String> {
    let variant = game(&arguments.variant)?;
    if !(1..=64).contains(&arguments.depth) {
        return Err(format!("the depth is a number from 1 to 64, not {}", arguments.depth));
    }
    let rules = Rules::new(variant);
    let position = position_of(&rules, &arguments.dfen)?;
    if rules.status(&position, false) != Status::Roll {
        return Err("this position awaits no roll".to_string());
    }
    let choice = choice(arguments.judging.net.as_ref(), variant)?;
    let (table, stop) = (Table::new(16), AtomicBool::new(false));
    let limits = Limits { depth: Some(arguments.depth), ..Limits::default() };
    let request = Request {
        threads: arguments.judging.threads.max(1),
        ..Request::new(&rules, &position, choice.get(), &table, &limits)
    };
    let report = think(&request, &stop, &mut |_| {});
    let chance = rules.outcomes(&position);
    let row = |told: &RollReport| {
        let weight =
            chance.outcomes.iter().find(|outcome| outcome.roll == told.roll).map_or(0, |outcome| outcome.weight);
        let turn = turn_text(told.turn.moves(), Style::Orthodox, ",");
        Row { roll: told.roll.to_string(), weight, expectation: told.score.expectation(), turn }
    };
    let mut rows: Vec<Row> = report.rolls.iter().map(row).collect();
    rows.sort_by(|one, two| two.expectation.total_cmp(&one.expectation));
    let found = Rolls {
        schema: 1,
        variant: variant.name,
        dfen: to_dfen(&rules, &position),
        view: position.side().unwrap_or(Color::White).letter(),
        expectation: Score::mean(report.rolls.iter().map(|told| {
            let weight = chance.outcomes.iter().find(|outcome| outcome.roll == told.roll);
            (told.score, weight.map_or(0, |outcome| outcome.weight))
        }))
        .expectation(),
        rolls: rows,
    };
    let text = if arguments.judging.json {
        serde_json::to_string(&found).map_err(|error| error.to_string())?
    } else {
        table_of(&found, chance.total)
    };
    writeln!(io::stdout(), "{text}").map_err(unwritten)
}

/// The rolls as a table, the best first.
fn table_of(found: &Rolls, total: u32) -> String {
    let mut lines = vec![
        format!("{} {}", found.variant, found.dfen),
        format!("expectation of {} before the roll: {:.4}", found.view, found.expectation),
        format!("{:<5} {:>7} {:>11} {:>7}  turn", "roll", "chance", "expectation", "hope"),
    ];
    for row in &found.rolls {
        let part = f64::from(row.weight) / f64::from(total.max(1)) * 100.0;
        let hope = (row.expectation - found.expectation) * 100.0;
        lines.push(format!("{:<5} {:>5.1} % {:>11.4} {hope:>+7.1}  {}", row.roll, part, row.expectation, row.turn));
    }
    lines.join("\n")
}

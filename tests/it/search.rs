//! The search against plain expectiminimax, its limits and its answers through the binary.

use crate::support::scattered;
use hazard::board::Color;
use hazard::eval::{Evaluator, Hand, Material, Score};
use hazard::limits::Limits;
use hazard::position::Position;
use hazard::search::plain::Plain;
use hazard::search::{Request, Table, Width, think};
use hazard::turns::{Rules, Status};
use hazard::variant::VARIANTS;
use proptest::prelude::{TestCaseError, prop_assert, prop_assert_eq};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What the search finds at a depth, in full width.
fn found(rules: &Rules, position: &Position, evaluator: &dyn Evaluator, depth: u32, threads: usize) -> Option<Score> {
    let request = Request {
        rules,
        position,
        evaluator,
        table: &Table::new(1),
        limits: &Limits { depth: Some(depth), ..Limits::default() },
        overhead: Duration::ZERO,
        only: &[],
        threads,
        lines: 1,
        width: Width::Full,
    };
    let report = think(&request, &AtomicBool::new(false), &mut |_| {});
    // A forced turn and a certain win are not looked into so deep.
    report.info.filter(|info| info.depth == depth).map(|info| info.score)
}

/// Whether a position is small enough to be searched plainly so deep.
fn is_small(rules: &Rules, position: &Position, depth: u32) -> bool {
    let series = rules.variant.is_series();
    let men = position.occupied().count();
    match (rules.variant.dice.count(), depth) {
        _ if series => men <= 5 && depth <= 2,
        (3, 2) => men <= 7,
        (3, _) => false,
        (_, 2) => men <= 20,
        (_, 3) => men <= 6,
        _ => men <= 4,
    }
}

fn equals_plain(rules: Rules, position: &Position, depth: u32) -> Result<(), TestCaseError> {
    let dfen = hazard::notation::to_dfen(&rules, position);
    let evaluators: [&dyn Evaluator; 2] = [&Material, &Hand];
    for evaluator in evaluators {
        let mut plain = Plain::new(rules, evaluator);
        let wanted = match rules.status(position, false) {
            Status::Decide(_) => plain.best(position, depth).map(|(_, score)| score),
            Status::Roll => {
                Some(plain.value(position, position.side().unwrap_or(Color::White), depth))
            }
            _ => return Ok(()),
        };
        let wanted = wanted.unwrap();
        let Some(got) = found(&rules, position, evaluator, depth, 1) else { continue };
        prop_assert!(got == wanted, "{} {dfen} depth {depth}: {got:?}, not {wanted:?}", rules.variant.name);
        prop_assert_eq!(found(&rules, position, evaluator, depth, 3), Some(got), "{} {} threads", rules.variant.name, dfen);
    }
    Ok(())
}

/// How many positions of each game are searched both ways.
fn cases() -> u64 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(12)
}

/// Pruning, table, order and threads change no value.
#[test]
fn the_search_equals_plain_expectiminimax() {
    for variant in &VARIANTS {
        let rules = Rules::new(variant);
        let mut compared = 0;
        for seed in 0.. {
            let wide = if seed % 2 == 0 { 4 } else { 8 };
            let Some(game) = scattered(rules, seed, wide) else { continue };
            let waiting = *game.position();
            if rules.outcome(&waiting, false).is_some() {
                continue;
            }
            for depth in 2..=4 {
                if !is_small(&rules, &waiting, depth) {
                    continue;
                }
                let outcomes = rules.outcomes(&waiting).outcomes;
                let pick = seed as usize % outcomes.len().max(1);
                let position = outcomes.get(pick).map_or(waiting, |outcome| outcome.position);
                equals_plain(rules, &position, depth).unwrap();
                let few = rules.variant.dice.count() < 3 || waiting.occupied().count() <= 4;
                if depth == 2 && few && waiting.awaits_roll() {
                    equals_plain(rules, &waiting, 2).unwrap();
                }
                compared += 1;
            }
            if compared >= cases() {
                break;
            }
        }
    }
}

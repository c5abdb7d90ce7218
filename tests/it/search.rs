//! The search against plain expectiminimax, its limits and its answers through the binary.

use crate::support::{Engine, data, position, reachable, rules, scattered};
use hazard::board::Color;
use hazard::eval::{Choice, Evaluator, Hand, Material, Score};
use hazard::limits::Limits;
use hazard::notation::{Style, apply, turn_text};
use hazard::position::Position;
use hazard::search::plain::Plain;
use hazard::search::{Request, Table, Width, think};
use hazard::turns::{Effort, Game, Rules, Status};
use hazard::variant::VARIANTS;
use proptest::prelude::{TestCaseError, prop_assert, prop_assert_eq};
use std::sync::atomic::AtomicBool;

/// What the search finds at a depth, in full width.
fn found(rules: &Rules, position: &Position, evaluator: &dyn Evaluator, depth: u32, threads: usize) -> Option<Score> {
    let table = Table::new(1);
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let request = Request { threads, width: Width::Full, ..Request::new(rules, position, evaluator, &table, &limits) };
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
    let own = Choice::Own(rules.variant.name);
    let evaluators: [&dyn Evaluator; 3] = [&Material, &Hand, own.get()];
    for evaluator in evaluators {
        let mut plain = Plain::new(rules, evaluator);
        let wanted = match rules.status(position, false) {
            Status::Decide(_) => plain.best(position, depth).map(|(_, score)| score),
            Status::Roll => Some(plain.value(position, position.side().unwrap_or(Color::White), depth)),
            _ => return Ok(()),
        };
        let wanted = wanted.unwrap();
        let Some(got) = found(&rules, position, evaluator, depth, 1) else { continue };
        prop_assert!(got == wanted, "{} {dfen} depth {depth}: {got:?}, not {wanted:?}", rules.variant.name);
        prop_assert_eq!(
            found(&rules, position, evaluator, depth, 3),
            Some(got),
            "{} {} threads",
            rules.variant.name,
            dfen
        );
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

/// A position after so many moves and one of its rolls; none where the game is over.
fn rolled_after(rules: Rules, seed: u64, moves: u32, roll: usize) -> Option<Position> {
    let game = reachable(rules, seed, moves);
    let mut waiting = *game.position();
    if waiting.decided(rules.variant).is_some() {
        return None;
    }
    if !waiting.awaits_roll() {
        waiting.end_turn(rules.variant, rules.sliders);
    }
    let outcomes = rules.outcomes(&waiting).outcomes;
    Some(outcomes[roll % outcomes.len()].position)
}

/// On full boards, where plain search takes too long, at least what two turns lead to is valued alike.
#[test]
fn throws_are_valued_alike_on_full_boards() {
    let rules = Rules::new(&VARIANTS[0]);
    for seed in 0..12 {
        let Some(rolled) = rolled_after(rules, seed, 10 + 6 * seed as u32, seed as usize * 5) else { continue };
        let Status::Decide(side) = rules.status(&rolled, false) else { continue };
        let (afterstates, _) = rules.afterstates(&rolled, Effort::FULL);
        let (first, last) = (&afterstates[0], &afterstates[afterstates.len() - 1]);
        let only = [first.clone(), last.clone()];
        for evaluator in [&Material as &dyn Evaluator, &Hand, Choice::Own("dicechess").get()] {
            let mut plain = Plain::new(rules, evaluator);
            let wanted = only.iter().map(|after| plain.value(&after.position, side, 1)).max();
            let table = Table::new(1);
            let limits = Limits { depth: Some(2), ..Limits::default() };
            let request = Request {
                only: &only,
                width: Width::Full,
                ..Request::new(&rules, &rolled, evaluator, &table, &limits)
            };
            let info = think(&request, &AtomicBool::new(false), &mut |_| {}).info.unwrap();
            if info.depth == 2 {
                assert_eq!(Some(info.score), wanted, "{}", hazard::notation::to_dfen(&rules, &rolled));
            }
        }
    }
}

/// A position of the suite: what must be found, and how deep.
#[derive(serde::Deserialize)]
struct Tactic {
    theme: String,
    variant: String,
    dfen: String,
    depth: u32,
    best: Vec<String>,
}

fn tactics() -> Vec<Tactic> {
    data("tactics.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The keys of the afterstates of turns by their texts.
fn ends(rules: &Rules, position: &Position, turns: &[String]) -> Vec<u64> {
    let key = |text: &String| {
        let mut game = Game::new(*rules, *position);
        apply(&mut game, text, Style::Orthodox).unwrap_or_else(|error| panic!("{text}: {error}"));
        game.position().afterstate_key()
    };
    turns.iter().map(key).collect()
}

/// King captures over several moves, castling, en passant, promotions, few turns, and traps where the best material is
/// wrong: all found at the depth at which exhaustive search finds them, with the filters of real play.
#[test]
fn the_tactical_suite_is_solved() {
    let tactics = tactics();
    assert!(tactics.len() >= 40);
    for Tactic { theme, variant, dfen, depth, best } in tactics {
        let rules = rules(&variant);
        let position = position(&rules, &dfen);
        let table = Table::new(1);
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let request = Request { threads: 2, ..Request::new(&rules, &position, &Hand, &table, &limits) };
        let turn = think(&request, &AtomicBool::new(false), &mut |_| {}).turn.unwrap();
        let text = turn_text(turn.moves(), Style::Orthodox, ",");
        let wanted = ends(&rules, &position, &best);
        let found = ends(&rules, &position, std::slice::from_ref(&text));
        assert!(wanted.contains(&found[0]), "{theme}: {variant} {dfen}: {text}, not {best:?}");
    }
}

/// The suite's answers are those of exhaustive search, and stand alone.
#[test]
fn the_tactical_suite_is_right() {
    for Tactic { variant, dfen, depth, best, .. } in tactics().into_iter().filter(|tactic| tactic.depth > 1) {
        let rules = rules(&variant);
        let position = position(&rules, &dfen);
        let side = position.side().unwrap();
        let wanted = ends(&rules, &position, &best);
        let mut plain = Plain::new(rules, &Hand);
        let (afterstates, _) = rules.afterstates(&position, Effort::FULL);
        let mut values: Vec<(Score, u64)> = afterstates
            .iter()
            .map(|after| (plain.value(&after.position, side, depth - 1), after.position.afterstate_key()))
            .collect();
        values.sort();
        let (first, second) = (values.pop().unwrap(), values.pop().unwrap());
        assert!(wanted.contains(&first.1) && first.0 > second.0, "{variant} {dfen}: {best:?}");
    }
}

/// One thread, a fixed number of nodes: byte for byte the same, twice.
#[test]
fn one_thread_and_fixed_nodes_repeat_themselves() {
    let run = || {
        let mut engine = Engine::new();
        let mut said = Vec::new();
        for (variant, moves) in [("dicechess", "124"), ("anydice", "2"), ("pawnhunt", "45"), ("diceultimate", "23")] {
            engine.send(&format!("setoption name UCI_Variant value {variant}"));
            engine.send(&format!("position startpos moves {moves}"));
            for go in ["go nodes 40000", "go depth 2", "go nodes 1"] {
                engine.send(go);
                said.extend(engine.until("bestmove"));
            }
        }
        let timeless = |line: String| {
            let words: Vec<&str> = line.split(' ').collect();
            let timed = |at: usize| at > 0 && matches!(words[at - 1], "time" | "nps");
            (0..words.len()).filter(|&at| !timed(at)).map(|at| words[at]).collect::<Vec<_>>().join(" ")
        };
        said.into_iter().map(timeless).collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}

/// After `bestmove m1 m2 m3` a host that plays m1 and asks again gets m2 m3 at once.
#[test]
fn a_plan_is_kept() {
    let mut engine = Engine::new();
    let dfen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    engine.send(&format!("position fen {dfen} moves 123"));
    engine.send("go movetime 100");
    let answer = engine.until("bestmove").pop().unwrap();
    let moves: Vec<&str> = answer.split(' ').skip(1).collect();
    assert_eq!(moves.len(), 3);
    for made in 1..3 {
        engine.send(&format!("position fen {dfen} moves 123 {}", moves[..made].join(",")));
        engine.send("go movetime 100");
        let answer = engine.until("bestmove");
        assert!(answer.iter().any(|line| line.contains(" nodes 0 ")), "{answer:?}");
        assert_eq!(answer.last().unwrap(), &format!("bestmove {}", moves[made..].join(" ")));
    }
}

/// Several lines: different turns, the best first; and before the roll the best turn of each roll.
#[test]
fn several_lines_are_reported() {
    let mut engine = Engine::new();
    engine.send("setoption name MultiPV value 3");
    engine.send("position startpos moves 124");
    engine.send("go depth 2");
    let answer = engine.until("bestmove");
    let deep: Vec<&String> = answer.iter().filter(|line| line.starts_with("info depth 2 ")).collect();
    assert_eq!(deep.len(), 3, "{answer:?}");
    let cp = |line: &String| line.split(" cp ").nth(1).unwrap().split(' ').next().unwrap().parse::<i32>().unwrap();
    assert!(cp(deep[0]) >= cp(deep[1]) && cp(deep[1]) >= cp(deep[2]));
    assert!((1..).zip(&deep).all(|(rank, line)| line.contains(&format!(" multipv {rank} "))));
    engine.send("position startpos");
    engine.send("go depth 1");
    let answer = engine.until("bestmove (none)");
    let rolls: Vec<&String> = answer.iter().filter(|line| line.starts_with("info string roll ")).collect();
    assert_eq!(rolls.len(), 56);
    let ends = |line: &&String| line.contains(" expectation 0.") && line.contains(" turn ");
    assert!(rolls.iter().all(ends), "{rolls:?}");
}

/// Mates in two and three are found in the game without dice.
#[test]
fn mates_are_found() {
    let mut engine = Engine::of("chess");
    for (fen, depth, first) in [
        ("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", 1, "e1e8"),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3, "a1a6"),
        ("2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1", 3, "f3f7"),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 5, "f6a6"),
    ] {
        engine.send(&format!("position fen {fen}"));
        engine.send(&format!("go depth {depth}"));
        let answer = engine.until("bestmove");
        assert_eq!(answer.last().unwrap(), &format!("bestmove {first}"), "{answer:?}");
        let certain = answer.iter().any(|line| line == "info string expectation 1.0000");
        assert!(certain, "{answer:?}");
    }
}

/// The network's narrow search: the same for any number of threads, and for the same nodes on one.
#[test]
fn a_narrow_search_does_not_depend_on_threads() {
    let rules = rules("dicechess");
    let own = Choice::Own("dicechess");
    for seed in 0..3 {
        let Some(rolled) = rolled_after(rules, seed, 9 + 3 * seed as u32, seed as usize * 11) else { continue };
        let Status::Decide(_) = rules.status(&rolled, false) else { continue };
        let found = |threads: usize| {
            let table = Table::new(1);
            let limits = Limits { depth: Some(3), ..Limits::default() };
            let request = Request { threads, ..Request::new(&rules, &rolled, own.get(), &table, &limits) };
            let report = think(&request, &AtomicBool::new(false), &mut |_| {});
            (report.turn, report.info.map(|info| (info.depth, info.score)))
        };
        let alone = found(1);
        assert_eq!(found(2), alone);
        assert_eq!(found(3), alone);
    }
}

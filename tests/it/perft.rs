//! Counts against published figures: turns of dice games, orthodox chess, Chess960.

use crate::support::{Engine, data, position, rules};
use hazard::notation::from_dfen;
use hazard::position::Rigour;
use hazard::turns::Rules;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct TurnPerft {
    dicechess_turns: Vec<BTreeMap<String, Value>>,
    start_by_roll: BTreeMap<String, (u64, u64)>,
}

#[test]
fn turns_of_all_rolls() {
    let figures: TurnPerft = serde_json::from_str(&data("turn_perft.json")).unwrap();
    let rules = rules("dicechess");
    let mut engine = Engine::new();
    for figure in &figures.dicechess_turns {
        let number = |key: &str| figure[key].as_u64().unwrap();
        let dfen = figure["dfen"].as_str().unwrap();
        let perft = rules.perft(&position(&rules, dfen), 1, &|| false);
        assert_eq!(perft.rolls, number("rolls"));
        assert_eq!((perft.turns, perft.ends, perft.passes), (number("turns"), number("ends"), number("passes")));
        engine.send(&format!("position fen {dfen}"));
        engine.send("go perft 1");
        let said = engine.until("Nodes searched");
        let wanted = format!(
            "perft rolls {} turns {} ends {} passes {}",
            number("rolls"),
            number("turns"),
            number("ends"),
            number("passes")
        );
        assert!(said.contains(&wanted), "{said:?}");
    }
}

#[test]
fn turns_of_each_roll_of_the_start() {
    let figures: TurnPerft = serde_json::from_str(&data("turn_perft.json")).unwrap();
    assert_eq!(figures.start_by_roll.len(), 56);
    let mut engine = Engine::new();
    for (roll, (turns, ends)) in figures.start_by_roll {
        engine.send(&format!("position startpos moves {roll}"));
        let last = engine.legal().pop().unwrap();
        let wanted = if turns == 0 {
            "legal pass mover w".to_string()
        } else {
            format!("legal turns {turns} ends {ends} mover w")
        };
        assert_eq!(last, wanted, "{roll}");
        assert!(turns > 0 || ends == 1);
    }
}

#[derive(Deserialize)]
struct ChessPerft {
    fen: String,
    nodes: Vec<u64>,
}

/// Runs `go perft` for every figure that lies in the range.
fn chess(file: &str, chess960: bool, wanted: impl Fn(u64) -> bool) -> usize {
    let figures: Vec<ChessPerft> = serde_json::from_str(&data(file)).unwrap();
    let mut engine = Engine::of("chess");
    engine.send(&format!("setoption name UCI_Chess960 value {chess960}"));
    let mut checked = 0;
    for figure in figures {
        engine.send(&format!("position fen {}", figure.fen));
        for (depth, &nodes) in (1..).zip(&figure.nodes) {
            // A zero stands where no figure is published.
            if nodes > 0 && wanted(nodes) {
                engine.send(&format!("go perft {depth}"));
                let said = engine.until("Nodes searched").pop().unwrap();
                assert_eq!(said, format!("Nodes searched: {nodes}"), "{} depth {depth}", figure.fen);
                checked += 1;
            }
        }
    }
    checked
}

#[test]
fn orthodox_chess_up_to_five_million() {
    assert_eq!(chess("chess_perft.json", false, |nodes| nodes <= 5_000_000), 26);
}

#[test]
#[ignore = "long: 700 million nodes"]
fn orthodox_chess_in_full() {
    assert_eq!(chess("chess_perft.json", false, |nodes| nodes > 5_000_000), 6);
}

#[test]
fn chess960_up_to_two_million() {
    assert!(chess("chess960_perft.json", true, |nodes| nodes <= 2_000_000) > 30);
}

#[test]
#[ignore = "long: 300 million nodes"]
fn chess960_in_full() {
    assert!(chess("chess960_perft.json", true, |nodes| nodes > 2_000_000) > 5);
}

/// White alone, from the start: figures of an independent count over boards of letters.
#[test]
fn series_are_counted_exactly() {
    let mut engine = Engine::of("pawnhunt");
    engine.send("position startpos moves 45");
    let answer = engine.legal();
    assert_eq!(answer.iter().filter(|line| line.starts_with("legal turn ")).count(), 200_000);
    assert_eq!(answer[200_000], "info string only the first 200000 of 302568 turns are listed");
    assert_eq!(answer[200_001], "legal turns 302568 ends 29879 mover w");
    engine.send("position startpos moves 36");
    assert_eq!(engine.legal().pop().unwrap(), "legal turns 11048 ends 3022 mover w");
}

/// A path of two turns is a turn, a throw, and a turn: the sum over the paths of one turn.
#[test]
fn deeper_counts_add_up() {
    for name in ["anydice", "brainking", "dicehard", "vegas", "diceultimate"] {
        let rules = rules(name);
        let root = hazard::position::Position::start(rules.variant);
        let mut sum = 0;
        let mut count = |next: &hazard::position::Position| sum += rules.perft(next, 1, &|| false).nodes;
        each_end(&rules, &root, &mut count);
        assert_eq!(rules.perft(&root, 2, &|| false).nodes, sum, "{name}");
    }
}

fn each_end(rules: &Rules, root: &hazard::position::Position, visit: &mut dyn FnMut(&hazard::position::Position)) {
    for outcome in rules.outcomes(root).outcomes {
        let lines = hazard::turns::oracle::turns(rules, &outcome.position);
        let mut ends: Vec<hazard::position::Position> = lines.into_iter().map(|line| line.position).collect();
        if ends.is_empty() {
            ends.push(outcome.position);
        }
        for mut end in ends {
            end.end_turn(rules.variant, rules.sliders);
            visit(&end);
        }
    }
}

/// Chess960 positions keep the file of a rook that is not the outermost one.
#[test]
fn chess960_rights_round_trip() {
    let rules = rules("chess");
    for fen in [
        "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
        "rr2k3/8/8/8/8/8/8/RR2K3 w Bb - 0 1",
        "4k1rr/8/8/8/8/8/8/4K1RR w Gg - 0 1",
    ] {
        let parsed = from_dfen(&rules, fen, true, Rigour::Strict).unwrap().position;
        let text = hazard::notation::to_dfen(&rules, &parsed);
        let again = from_dfen(&rules, &text, true, Rigour::Strict).unwrap().position;
        assert_eq!(parsed, again, "{fen} {text}");
    }
    let parsed = from_dfen(&rules, "rr2k3/8/8/8/8/8/8/RR2K3 w Bb - 0 1", true, Rigour::Strict).unwrap().position;
    assert!(hazard::notation::to_dfen(&rules, &parsed).contains(" Bb "));
}

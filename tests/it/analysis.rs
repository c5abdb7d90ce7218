//! Analysis through the binary: games looked at again, rollouts, the cube, the rolls to come.

use crate::support::{Engine, Scratch};
use serde_json::Value;
use std::process::{Command, Output};

fn hazard(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hazard")).args(words).output().expect("the binary starts")
}

fn out(output: &Output) -> String {
    let (said, faults) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}{faults}");
    said.into_owned()
}

/// Games of a variant in a file.
fn games(scratch: &Scratch, variant: &str, rounds: &str) -> String {
    let file = scratch.path(&format!("{variant}.jsonl"));
    let words = ["match", "-variant", variant, "-engine", "cmd=builtin:hazard", "depth=1", "-engine"];
    let rest = ["cmd=builtin:random", "-rounds", rounds, "-seed", "3", "-jsonout", &file];
    out(&hazard(&[&words[..], &rest[..]].concat()));
    file
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Result = beginning + luck + error + rest, luck is what each throw changed, and errors are never below nothing.
#[test]
fn every_game_is_taken_apart() {
    let scratch = Scratch::new("analysis");
    for variant in ["dicechess", "dicehard", "diceultimate", "pawnhunt", "brainking", "vegas", "gollon-count", "chess"]
    {
        let file = games(&scratch, variant, "1");
        let text = out(&hazard(&["analyse", &file, "--depth", "1", "--json"]));
        let reviews: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(reviews.len(), 2, "{variant}");
        for review in &reviews {
            let players = &review["players"];
            let sum = |key: &str| number(&players[0][key]) - number(&players[1][key]);
            let result = match review["result"].as_str().unwrap() {
                "1-0" => 1.0,
                "0-1" => 0.0,
                _ => 0.5,
            };
            let told = number(&review["start"]) + sum("luck") - sum("error") + number(&review["rest"]);
            assert!((told - result).abs() < 1e-9, "{variant}: {told} {result}");
            let turns = review["turns"].as_array().unwrap();
            assert!(!turns.is_empty(), "{variant}");
            let mut errors = [0.0, 0.0];
            for turn in turns {
                assert!(number(&turn["error"]) >= 0.0 && (0.0..=1.0).contains(&number(&turn["played"])), "{turn}");
                if let (Some(before), Some(luck)) = (turn["before"].as_f64(), turn["luck"].as_f64()) {
                    assert!((0.0..=1.0).contains(&(before + luck)), "{turn}");
                }
                let forced = turn["forced"].as_bool().unwrap();
                let black = usize::from(turn["side"] == "b");
                errors[black] += if forced { 0.0 } else { number(&turn["error"]) };
            }
            for (player, error) in players.as_array().unwrap().iter().zip(errors) {
                assert!((number(&player["error"]) - error).abs() < 1e-9, "{variant}");
            }
        }
    }
}

/// What is written can be read again, names are escaped, and the marks stand in the page.
#[test]
fn pages_and_records_hold_what_was_found() {
    let scratch = Scratch::new("pages");
    let file = games(&scratch, "dicechess", "1");
    let wild = std::fs::read_to_string(&file).unwrap().replace("\"random\"", "\"<b>\\\"&'\"");
    std::fs::write(&file, wild).unwrap();
    let (pgn, page) = (scratch.path("found.pgn"), scratch.path("page.html"));
    let table = out(&hazard(&["analyse", &file, "-depth", "1", "-pgn", &pgn, "-html", &page]));
    assert!(table.contains("luck") && table.contains("blunder"), "{table}");
    let record = std::fs::read_to_string(&pgn).unwrap();
    for mark in ["[%luck ", "[%err ", "[%expect ", "$4"] {
        assert!(record.contains(mark), "{mark}: {record}");
    }
    out(&hazard(&["verify", &pgn]));
    // Read again the record is the same but for what it is called.
    let again = scratch.path("again.pgn");
    out(&hazard(&["analyse", &pgn, "-depth", "1", "-pgn", &again]));
    assert_eq!(std::fs::read_to_string(&again).unwrap(), record);
    let text = std::fs::read_to_string(scratch.path("page-2.html")).unwrap();
    assert!(text.contains("&lt;b&gt;&quot;&amp;&#39;") && !text.contains("<b>"), "{text}");
    assert!(text.contains("<circle") && text.contains("class=\"die\"") && text.contains("<polyline"));
}

/// A match's players are tested by their scores without luck, from the journal as from its PGN; the games need their tags.
#[test]
fn a_match_is_tested_without_luck() {
    let scratch = Scratch::new("luckless");
    let journal = games(&scratch, "dicechess", "25");
    let test = ["-depth", "1", "-summary", "-sprt", "elo0=0", "elo1=200", "model=logistic"];
    let of = |file: &str| out(&hazard(&[&["analyse", file], &test[..]].concat()));
    let text = of(&journal);
    let told = text.find("hazard vs random without luck: ").map(|at| &text[at..]).unwrap_or_default();
    assert!(
        told.contains(
            " % over 25 pairs
LLR: "
        ) && told.contains("\nSPRT: H1 was accepted after "),
        "{text}"
    );
    let pgn = scratch.path("games.pgn");
    out(&hazard(&["pgn", &journal, "-o", &pgn]));
    assert_eq!(of(&pgn), text);
    let list = scratch.path("games.txt");
    std::fs::write(&list, "124 h2h3,b1c3,h1h2\n").unwrap();
    for (file, words, wanted) in
        [(&list, &test[..], "in pairs, with their tags"), (&journal, &["-sprt", "elo0=0"][..], "elo1")]
    {
        let found = hazard(&[&["analyse", file], words].concat());
        let said = String::from_utf8_lossy(&found.stderr).into_owned();
        assert!(!found.status.success() && said.starts_with("error: ") && said.contains(wanted), "{said}");
    }
}

#[test]
fn bare_lists_are_analysed_and_faults_named() {
    let scratch = Scratch::new("lists");
    let file = scratch.path("games.txt");
    std::fs::write(&file, "# a game\nstartpos moves 124 b1c3,a1b1,e2e4 333 0000\n\n124 h2h3,b1c3,h1h2\n").unwrap();
    let text = out(&hazard(&["analyse", &file, "-depth", "1"]));
    assert!(text.matches("without luck").count() == 0 && text.contains("h2h3,b1c3,h1h2"), "{text}");
    let rolled =
        out(&hazard(&["analyse", &file, "-game", "2", "-rollout", "36", "-truncate", "2", "-lines", "2", "-json"]));
    let review: Value = serde_json::from_str(&rolled).unwrap();
    assert!(number(&review["turns"][0]["alternatives"][0]["error"]) > 0.0, "{rolled}");
    let bad = scratch.path("bad.txt");
    for (list, wanted) in
        [("124 a1a5", "'a1a5' is no move here"), ("fen x moves 1", "start position"), ("hello", "turn 1")]
    {
        std::fs::write(&bad, list).unwrap();
        let found = hazard(&["analyse", &bad]);
        let said = String::from_utf8_lossy(&found.stderr).into_owned();
        assert!(!found.status.success() && said.contains(wanted) && said.starts_with("error: "), "{list}: {said}");
    }
    for (words, wanted) in [
        (vec!["/nonexistent.pgn"], "cannot read"),
        (vec![file.as_str(), "-game", "9"], "there is no game 9"),
        (vec![file.as_str(), "-depth", "0"], "begin at 1"),
        (vec![file.as_str(), "-variant", "shogi"], "unknown variant"),
        (vec![file.as_str(), "-html", "/nonexistent/x.html"], "cannot write"),
    ] {
        let found = hazard(&[&["analyse"], &words[..]].concat());
        let said = String::from_utf8_lossy(&found.stderr).into_owned();
        assert!(!found.status.success() && said.contains(wanted), "{words:?}: {said}");
    }
}

/// Before the throw: every roll with its weight, the mean of which is the expectation.
#[test]
fn rolls_are_told_before_they_fall() {
    for (variant, total) in [("dicechess", 216.0), ("dicehard", 24.0), ("anydice", 6.0), ("gollon-count", 6.0)] {
        let text = out(&hazard(&["rolls", "-variant", variant, "-depth", "1", "-json"]));
        let found: Value = serde_json::from_str(&text).unwrap();
        let rolls = found["rolls"].as_array().unwrap();
        let weight: f64 = rolls.iter().map(|roll| number(&roll["weight"])).sum();
        let mean: f64 = rolls.iter().map(|roll| number(&roll["weight"]) * number(&roll["expectation"])).sum();
        assert_eq!(weight, total, "{variant}");
        assert!((mean / weight - number(&found["expectation"])).abs() < 1e-5, "{variant}: {text}");
    }
    let table = out(&hazard(&["rolls", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 -", "-depth", "1"]));
    assert!(table.contains("expectation of w before the roll: 0."), "{table}");
    let bad = hazard(&["rolls", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 KKK"]);
    assert!(!bad.status.success() && String::from_utf8_lossy(&bad.stderr).contains("awaits no roll"));
}

#[test]
fn advice_is_given_and_refused() {
    let mut engine = Engine::new();
    engine.send("position fen 8/8/8/3kK3/8/8/8/8 w - - 0 1 -");
    engine.send("go rollout games 216");
    let said = engine.until("bestmove ");
    let last = said.iter().rev().find(|line| line.starts_with("rollout games 216 ")).expect("figures");
    let expectation: f64 = last.split_whitespace().nth(6).unwrap().parse().unwrap();
    assert!((0.5..0.9).contains(&expectation), "{last}");
    assert_eq!(said.last().map(String::as_str), Some("bestmove (none)"));
    engine.send("go cube value 2 owner w games 108 truncate 2");
    let said = engine.until("cube decision ");
    assert!(said.iter().any(|line| line.starts_with("cube rollout nodouble ")), "{said:?}");
    engine.send("go cube owner b");
    assert_eq!(engine.until("cube decision ").pop().as_deref(), Some("cube decision the cube cannot be turned"));
    engine.send("go draw");
    assert!(engine.until("draw ").pop().is_some_and(|line| line.ends_with(" take no")));
    engine.send("dice 666");
    for (command, wanted) in [
        ("go cube", "the cube is turned before the throw"),
        ("go rollout speed 9", "unknown word 'speed'"),
        ("go cube value 3", "a power of two"),
    ] {
        engine.send(command);
        let said = engine.until("info string error: ").pop().unwrap_or_default();
        assert!(said.contains(wanted), "{said}");
    }
    engine.send("go rollout games 36 lines 2");
    let said = engine.until("bestmove ");
    assert_eq!(said.last().map(String::as_str), Some("bestmove e5d5"), "{said:?}");
    engine.send("setoption name UCI_Variant value dicehard");
    engine.send("go cube");
    assert!(engine.until("info string error: ").pop().is_some_and(|line| line.contains("there is no cube")));
    // A long one is cut short, and the session lives on.
    engine.send("setoption name UCI_Variant value dicechess");
    engine.send("go rollout games 1000000");
    engine.send("stop");
    engine.until("bestmove ");
    engine.send("isready");
    engine.until("readyok");
}

/// A rollout that is carried on is the rollout in one go, and a file of another one is refused.
#[test]
fn rollouts_are_kept_and_carried_on() {
    let scratch = Scratch::new("rollout");
    let (kings, file) = ("8/8/8/3kK3/8/8/8/8 w - - 0 1 -", scratch.path("state.json"));
    let whole = out(&hazard(&["rollout", kings, "-games", "432", "-json"]));
    out(&hazard(&["rollout", kings, "-games", "150", "-out", &file]));
    let carried = out(&hazard(&["rollout", kings, "-games", "432", "-json", "-out", &file]));
    assert_eq!(carried, whole);
    let told: Value = serde_json::from_str(&whole).unwrap();
    assert!(number(&told["error"]) < number(&told["error_with_luck"]) && told["games"] == 432, "{whole}");
    for (words, wanted) in [
        (vec![kings, "-seed", "2", "-out", &file], "is another rollout"),
        (vec![kings, "-games", "0"], "begin at 1"),
        (vec!["8/8/8/8/8/8/8/8 w - - 0 1"], "error: "),
        (vec![kings, "-games", "1", "-out", "/nonexistent/x"], "cannot write"),
    ] {
        let found = hazard(&[&["rollout"], &words[..]].concat());
        let said = String::from_utf8_lossy(&found.stderr).into_owned();
        assert!(!found.status.success() && said.contains(wanted), "{words:?}: {said}");
    }
    std::fs::write(&file, "{").unwrap();
    let torn = hazard(&["rollout", kings, "-out", &file]);
    assert!(String::from_utf8_lossy(&torn.stderr).contains("is no rollout"));
    // With dice the best turns are compared.
    let turns = out(&hazard(&["rollout", "3k4/p7/8/8/8/8/7P/R3K3 w - - 0 1 PRK", "-games", "36", "-truncate", "2"]));
    assert_eq!(turns.lines().count(), 3, "{turns}");
}

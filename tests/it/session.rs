//! Manners at any moment: stop, isready, quit and the end of input while work is under way; each option and limit.

use crate::support::{Engine, Scratch};
use std::time::{Duration, Instant};

/// Work that takes long: counting turns of a series, and searches without an end.
const LONG: [(&str, &str, &str); 4] = [
    ("pawnhunt", "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1 *****", "legal"),
    ("dicechess", "position startpos", "go perft 9"),
    ("dicechess", "position startpos moves 124", "go infinite"),
    ("gollon-count", "position startpos", "go ponder"),
];

/// The dialects that share these commands, by their first words.
const HELLO: [&str; 2] = ["uci", "ugi"];

fn engine_of(hello: &str) -> Engine {
    let mut engine = Engine::new();
    engine.send(hello);
    engine.until(&format!("{hello}ok"));
    engine
}

fn busy(hello: &str, index: usize) -> Engine {
    let (variant, position, work) = LONG[index];
    // In UGI the dice are the engine's affair.
    let position = if hello == "ugi" { position.trim_end_matches(" moves 124") } else { position };
    let mut engine = engine_of(hello);
    engine.send(&format!("setoption name UCI_Variant value {variant}"));
    engine.send(position);
    engine.send(work);
    engine
}

#[test]
fn isready_is_answered_while_work_is_under_way() {
    for (hello, index) in HELLO.into_iter().flat_map(|hello| (0..LONG.len()).map(move |index| (hello, index))) {
        let mut engine = busy(hello, index);
        engine.send("isready");
        engine.until("readyok");
        engine.send("stop");
        engine.send("isready");
        engine.until("readyok");
    }
}

#[test]
fn stop_ends_work_and_the_answer_comes() {
    let answers = ["legal turns ", "Nodes searched", "bestmove ", "bestmove "];
    let cases = answers.into_iter().enumerate();
    for (hello, (index, answer)) in HELLO.into_iter().flat_map(|hello| cases.clone().map(move |case| (hello, case))) {
        let mut engine = busy(hello, index);
        std::thread::sleep(Duration::from_millis(20));
        engine.send("stop");
        engine.until(answer);
        // What waits behind is carried out afterwards.
        engine.send("setoption name UCI_Variant value chess");
        engine.send("position startpos");
        engine.send("go perft 2");
        assert_eq!(engine.until("Nodes searched").pop().unwrap(), "Nodes searched: 400");
    }
}

#[test]
fn quit_and_the_end_of_input_end_the_process() {
    for (index, (_, _, work)) in LONG.into_iter().enumerate() {
        for (quit, hello) in [(true, "uci"), (false, "uci"), (true, "ugi"), (false, "ugi")] {
            let mut engine = busy(hello, index);
            let start = Instant::now();
            if quit {
                engine.send("quit");
            } else {
                engine.close();
            }
            assert_eq!(engine.wait(), 0);
            // Half a second's grace and a loaded machine.
            assert!(start.elapsed() < Duration::from_secs(20), "{work}");
        }
    }
}

/// A script through a pipe loses nothing: commands wait for the work before them, and bounded work is finished.
#[test]
fn a_script_is_carried_out_in_order() {
    let mut engine = Engine::new();
    engine.send_bytes(
        b"position startpos moves 124\nlegal\ngo depth 1\nposition startpos moves 345\nlegal\ngo\n\
          setoption name UCI_Variant value chess\ngo perft 3\nquit\n",
    );
    engine.until("legal turns 234 ends 84 mover w");
    engine.until("bestmove ");
    engine.until("legal pass mover w");
    engine.until("bestmove 0000");
    engine.until("Nodes searched: 8902");
    assert_eq!(engine.line(), None);
    assert_eq!(engine.wait(), 0);
}

#[test]
fn an_unbounded_search_keeps_its_answer() {
    let mut engine = Engine::new();
    engine.send("position startpos moves 124");
    engine.send("go infinite");
    engine.until("info string expectation");
    std::thread::sleep(Duration::from_millis(50));
    engine.send("isready");
    let is_info = |line: &String| line.starts_with("info ");
    let before = engine.until("readyok");
    assert!(before[..before.len() - 1].iter().all(is_info), "{before:?}");
    engine.send("stop");
    let rest = engine.until("bestmove ");
    assert!(rest[..rest.len() - 1].iter().all(is_info), "{rest:?}");
    // A search that ponders heeds its clock from the hit on, and ends at once where it has none.
    for go in ["go ponder", "go ponder movetime 50", "go ponder wtime 1000 btime 1000"] {
        engine.send(go);
        engine.until("info string expectation");
        engine.send("ponderhit");
        engine.until("bestmove ");
    }
    // A stray stop is no fault: hosts send it when an answer crosses it.
    assert!(engine.ask("stop").is_empty());
}

#[test]
fn every_limit_is_taken_in_ugi() {
    let mut engine = engine_of("ugi");
    engine.send("position startpos");
    for go in [
        "go",
        "go depth 1",
        "go nodes 1",
        "go movetime 1",
        "go movetime 0",
        "go p1time 0 p2time 0",
        "go p1time -20 p2time 5 p1inc 3 p2inc 3",
        "go p1time 1000 p2time 1000 p1inc 0 p2inc 0",
    ] {
        engine.send(go);
        let answer = engine.until("bestmove ");
        assert!(answer.iter().all(|line| !line.contains("error")), "{go}: {answer:?}");
        assert_eq!(answer.last().unwrap().split(' ').count(), 2, "{go}: {answer:?}");
    }
}

#[test]
fn every_limit_is_taken() {
    let mut engine = Engine::new();
    engine.send("position startpos moves 124");
    for go in [
        "go",
        "go depth 2",
        "go nodes 1",
        "go nodes 5000",
        "go movetime 1",
        "go wtime 0 btime 0",
        "go wtime -20 btime 5 winc 3 binc 3",
        "go wtime 1000 btime 1000 movestogo 4",
        "go mate 1",
        "go depth 1 searchmoves h2h3,b1c3,h1h2 a2a3,b1c3,a1a2",
    ] {
        engine.send(go);
        let answer = engine.until("bestmove ");
        assert!(answer.iter().all(|line| !line.contains("error")), "{go}: {answer:?}");
        assert!(!answer.last().unwrap().contains("(none)"), "{go}");
    }
    engine.send("go searchmoves h2h3,b1c3,h1h2");
    assert_eq!(engine.until("bestmove").pop().unwrap(), "bestmove h2h3 b1c3 h1h2");
    for go in ["go depth 255", "go nodes 18446744073709551615", "go movetime 1000000000000", "go mate 255"] {
        engine.send(go);
        engine.until("info depth 2 ");
        engine.send("stop");
        assert!(!engine.until("bestmove ").pop().unwrap().contains("(none)"), "{go}");
    }
}

#[test]
fn every_option_takes_its_values() {
    HELLO.into_iter().for_each(every_option_takes_its_values_in);
}

fn every_option_takes_its_values_in(hello: &str) {
    let mut engine = Engine::new();
    engine.send(hello);
    let listed = engine.until(&format!("{hello}ok"));
    assert!(listed.iter().filter(|line| line.starts_with("option ")).count() >= 13);
    for line in listed.iter().filter_map(|line| line.strip_prefix("option name ")) {
        let (name, kind) = line.split_once(" type ").unwrap();
        let words: Vec<&str> = kind.split(' ').collect();
        let after = |word: &str| words.iter().position(|&at| at == word).map(|at| words[at + 1]);
        let values: Vec<Option<&str>> = match words[0] {
            "check" => vec![Some("true"), Some("false"), after("default")],
            "spin" => vec![after("min"), after("max"), after("default")],
            "combo" => words.iter().zip(&words[1..]).filter(|(at, _)| **at == "var").map(|(_, &v)| Some(v)).collect(),
            // A file that must be there has a test of its own.
            "string" if name == "EvalFile" => vec![Some("<empty>")],
            "string" => vec![Some("some text"), Some("<empty>")],
            _ => vec![None],
        };
        for value in values {
            let command = match value {
                Some(value) => format!("setoption name {name} value {value}"),
                None => format!("setoption name {name}"),
            };
            assert!(engine.ask(&command).is_empty(), "{command}");
        }
        // Beyond its bounds and beside its kind: one error each that names the option.
        let beyond = |word: &str, by: i64| after(word).map(|bound| (bound.parse::<i64>().unwrap() + by).to_string());
        let bad: Vec<Option<String>> = match words[0] {
            "check" => vec![None, Some("maybe".into()), Some("1".into())],
            "spin" => vec![None, beyond("min", -1), beyond("max", 1), Some("x".into()), Some("1e3".into())],
            "combo" => vec![None, Some("nonsense".into()), Some("full single".into())],
            "string" => vec![None],
            _ => vec![Some("1".into())],
        };
        for value in bad {
            let value = value.map(|value| format!(" value {value}")).unwrap_or_default();
            let said = engine.ask(&format!("setoption name {name}{value}"));
            let error = if hello == "ugi" { "info error option " } else { "info string error: option " };
            assert!(said.len() == 1 && said[0].starts_with(&format!("{error}{name} ")), "{name}{value}: {said:?}");
        }
    }
}

#[test]
fn turns_and_wdl_change_what_is_said() {
    let mut engine = Engine::new();
    engine.send("setoption name Turns value single");
    engine.send("setoption name UCI_ShowWDL value true");
    engine.send("position startpos moves 124");
    engine.send("go searchmoves h2h3,b1c3,h1h2");
    let answer = engine.until("bestmove");
    assert!(answer.iter().any(|line| line.contains(" wdl ") && line.contains(" 0 ")), "{answer:?}");
    assert_eq!(answer.last().unwrap(), "bestmove h2h3");
}

/// Played one single move at a time, asking again each time, a turn is never worse than the one named first.
#[test]
fn a_turn_can_be_asked_for_move_by_move() {
    let dfen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let mut engine = Engine::new();
    let value = |answer: &[String]| -> f64 {
        let line = answer.iter().find_map(|line| line.strip_prefix("info string expectation ")).unwrap();
        line.parse().unwrap()
    };
    for roll in ["123", "455", "126", "466"] {
        engine.send(&format!("position fen {dfen} moves {roll}"));
        engine.send("go depth 1");
        let answer = engine.until("bestmove ");
        let whole = value(&answer);
        let mut made = Vec::new();
        let count = answer.last().unwrap().split(' ').count() - 1;
        for _ in 0..count {
            engine.send(&format!("position fen {dfen} moves {roll} {}", made.join(" ")));
            engine.send("go depth 1");
            let answer = engine.until("bestmove ");
            assert!(value(&answer) >= whole - 1e-9, "{roll} {made:?}: {answer:?}");
            made.push(answer.last().unwrap().split(' ').nth(1).unwrap().to_string());
        }
        engine.send(&format!("position fen {dfen} moves {roll} {}", made.join(" ")));
        assert_eq!(engine.legal(), ["legal roll"]);
    }
}

/// With a seed both engines see the same dice, whatever the root of the position.
#[test]
fn the_dice_of_a_seed_follow_the_ply() {
    let mut engine = Engine::of("anydice");
    engine.send("setoption name DiceSeed value alpha");
    let mut moves = Vec::new();
    let mut roots = vec!["startpos".to_string()];
    for _ in 0..12 {
        engine.send(&format!("position startpos moves {}", moves.join(" ")));
        engine.send("go depth 1");
        let best = engine.until("bestmove ").pop().unwrap();
        let rolled = engine.ask("d").into_iter().find(|line| line.starts_with("dfen ")).unwrap();
        // The same from the position itself, which awaits the roll.
        let root = rolled.trim_start_matches("dfen ").rsplit_once(' ').unwrap().0.to_string();
        engine.send(&format!("position fen {root}"));
        engine.send("go depth 1");
        assert_eq!(engine.until("bestmove ").pop().unwrap(), best);
        assert!(engine.ask("d").contains(&rolled));
        roots.push(root);
        moves.push(best.trim_start_matches("bestmove ").to_string());
    }
    let said = engine.ask(&format!("position startpos moves {}", moves.join(" ")));
    assert!(said.is_empty(), "{said:?}");
}

/// A host that plays on without dice is not turned away.
#[test]
fn a_move_that_disobeys_the_seed_is_taken_with_a_warning() {
    let mut engine = Engine::of("brainking");
    engine.send("setoption name DiceSeed value x");
    let mut warned = 0;
    for mv in ["e2e4", "g1f3", "b1c3", "a2a3"] {
        let said = engine.ask(&format!("position startpos moves {mv}"));
        assert!(said.iter().all(|line| line.starts_with("info string warning: ")), "{said:?}");
        warned += said.len();
        assert_eq!(engine.legal(), ["legal roll"]);
    }
    // One of the two live faces, pawn and knight, has fallen: two of the four moves do not obey it.
    assert_eq!(warned, 2);
    let said = engine.ask("position startpos moves e2e5");
    assert!(said.len() == 1 && said[0].contains("illegal move"), "{said:?}");
}

#[test]
fn eval_and_debug_speak() {
    let mut engine = Engine::new();
    engine.send("position startpos");
    engine.send("eval");
    let said = engine.until("eval cp");
    assert!(said.contains(&"eval material 0".to_string()) && said.contains(&"eval threat king 0/216".to_string()));
    engine.send("debug on");
    let said = engine.ask("position startpos moves 124");
    assert!(said.len() == 1 && said[0].starts_with("info string debug: dfen "), "{said:?}");
    engine.send("debug off");
    assert!(engine.ask("position startpos moves 124").is_empty());
}

/// A file that is no network is refused and changes nothing; one that is one is used, and only in its game.
#[test]
fn eval_file_loads_a_network() {
    let folder = Scratch::new("eval-file");
    let mut engine = Engine::new();
    let eval = |engine: &mut Engine| {
        engine.send("eval");
        engine.until("eval cp")
    };
    engine.send("position startpos");
    let own = eval(&mut engine);
    let zero = folder.path("zero.bin");
    std::fs::write(&zero, hazard::eval::Weights::zero("dicechess").to_bytes()).unwrap();
    let other = folder.path("other.bin");
    std::fs::write(&other, hazard::eval::Weights::zero("pawnhunt").to_bytes()).unwrap();
    let torn = folder.path("torn.bin");
    std::fs::write(&torn, &hazard::eval::Weights::zero("dicechess").to_bytes()[..5_000]).unwrap();
    assert!(engine.ask(&format!("setoption name EvalFile value {zero}")).is_empty());
    assert!(eval(&mut engine).contains(&"eval cp 0 expectation 0.5000".to_string()));
    for (path, fault) in [
        (folder.path("none.bin"), "No such file"),
        (folder.path(""), "directory"),
        (other, "the network is for pawnhunt, not for dicechess"),
        (torn, "5000 bytes"),
    ] {
        let said = engine.ask(&format!("setoption name EvalFile value {path}"));
        assert!(said.len() == 1 && said[0].starts_with("info string error: ") && said[0].contains(fault), "{said:?}");
        assert!(eval(&mut engine).contains(&"eval cp 0 expectation 0.5000".to_string()));
    }
    engine.send("setoption name UCI_Variant value chess");
    assert!(eval(&mut engine).contains(&"eval by hand".to_string()));
    engine.send("setoption name UCI_Variant value dicechess");
    assert!(eval(&mut engine).contains(&"eval cp 0 expectation 0.5000".to_string()));
    engine.send("setoption name EvalFile value <empty>");
    assert_eq!(eval(&mut engine), own);
}

/// A level plays legal turns at once, the same in the same position, and weak ones not always the best.
#[test]
fn limited_strength_plays_worse() {
    let mut engine = Engine::new();
    engine.send("setoption name UCI_LimitStrength value true");
    let mut differing = 0;
    for roll in ["124", "125", "234", "245", "135", "156"] {
        engine.send("setoption name UCI_LimitStrength value false");
        engine.send(&format!("position startpos moves {roll}"));
        engine.send("go depth 1");
        let best = engine.until("bestmove ").pop();
        engine.send("setoption name UCI_LimitStrength value true");
        engine.send("setoption name UCI_Elo value 400");
        engine.send("ucinewgame");
        engine.send(&format!("position startpos moves {roll}"));
        engine.send("go movetime 100000");
        let weak = engine.until("bestmove ").pop();
        engine.send("ucinewgame");
        engine.send(&format!("position startpos moves {roll}"));
        engine.send("go movetime 100000");
        assert_eq!(engine.until("bestmove ").pop(), weak);
        differing += u32::from(weak != best);
    }
    assert!(differing >= 4, "{differing}");
}

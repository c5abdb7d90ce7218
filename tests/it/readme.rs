//! The commands of the README, but for the one that runs the tests.

use crate::support::{Engine, Scratch, file, path, turn_texts};
use hazard::notation::from_dfen;
use hazard::position::Rigour;
use hazard::turns::Rules;
use hazard::variant::{DEFAULT, VARIANTS};
use std::process::Command;

/// The arguments of a shell command that uses double quotes only.
fn arguments(command: &str) -> Vec<String> {
    let parts = command.split('"').enumerate();
    parts
        .flat_map(|(index, part)| {
            let words: Vec<String> = match index % 2 {
                0 => part.split_whitespace().map(str::to_string).collect(),
                _ => vec![part.to_string()],
            };
            words
        })
        .collect()
}

fn commands(beginning: &str) -> Vec<String> {
    let found: Vec<String> =
        file("README.md").lines().filter(|line| line.starts_with(beginning)).map(str::to_string).collect();
    assert!(!found.is_empty(), "{beginning}");
    found
}

fn run(arguments: &[String]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_hazard")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The first command plays a legal turn on the dice that it throws.
#[test]
fn the_main_command_plays_a_real_turn() {
    let command = commands("cargo run").remove(0);
    let (_, own) = command.split_once(" -- ").unwrap();
    for _ in 0..5 {
        let said = run(&arguments(own));
        let dfen = said.lines().find_map(|line| line.strip_prefix("dfen ")).unwrap();
        let rules = Rules::new(DEFAULT);
        let position = from_dfen(&rules, dfen, false, Rigour::Strict).unwrap().position;
        assert!(!position.awaits_roll());
        let turn = said.lines().find_map(|line| line.strip_prefix("bestmove ")).unwrap().replace(' ', ",");
        assert!(turn_texts(&rules, &position).contains(&turn), "{said}");
    }
}

#[test]
fn the_script_commands_work() {
    for command in commands("hazard exec") {
        let said = run(&arguments(&command)[1..]);
        assert!(said.contains("legal turn") && said.contains("bestmove ") && !said.contains("error"), "{said}");
    }
    let mut engine = Engine::new();
    engine.send_bytes(b"position startpos moves 112\nlegal\n");
    engine.close();
    engine.until("legal turns 2540 ends 516 mover w");
    assert_eq!(engine.wait(), 0);
}

/// The matches of the README are played to their end, with fewer rounds and records elsewhere.
#[test]
fn the_matches_work() {
    let scratch = Scratch::new("readme");
    for command in commands("hazard match") {
        let mut words = arguments(&command);
        for word in &mut words {
            *word = match word.as_str() {
                "10" | "1000" | "2500" => "1".to_string(),
                "games.pgn" | "games.jsonl" | "self.jsonl" => scratch.path(word),
                "cmd=hazard" => format!("cmd={}", env!("CARGO_BIN_EXE_hazard")),
                "option.EvalFile=run/net.bin" => format!("option.EvalFile={}", path("src/eval/nets/dicehard.bin")),
                _ => word.clone(),
            };
        }
        let said = run(&words[1..]);
        assert!(said.ends_with("Finished match\n") && said.contains("Games: 2, "), "{said}");
    }
    let lines = std::fs::read_to_string(scratch.path("games.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 2);
    // What was played is analysed as the README says.
    for command in commands("hazard analyse") {
        let words: Vec<String> = arguments(&command)
            .into_iter()
            .map(|word| match word.as_str() {
                "3" => "1".to_string(),
                name if name.ends_with(".pgn") || name.ends_with(".jsonl") || name.ends_with(".html") => {
                    scratch.path(name)
                }
                _ => word,
            })
            .collect();
        assert!(run(&words[1..]).contains("luck"), "{command}");
    }
    for command in commands("hazard rollout").into_iter().chain(commands("hazard portrait")) {
        let words: Vec<String> = arguments(&command)
            .into_iter()
            .map(|word| match word.as_str() {
                "1296" => "4".to_string(),
                "rollout.json" => scratch.path(&word),
                _ => word,
            })
            .collect();
        let few: &[String] = if words[1] == "portrait" { &["--positions".to_string(), "5".to_string()] } else { &[] };
        assert!(run(&[&words[1..], few].concat()).contains('±'), "{command}");
    }
}

#[test]
fn every_game_is_listed() {
    let (text, rules) = (file("README.md"), file("src/variant/README.md"));
    for variant in &VARIANTS {
        assert!(rules.contains(&format!("\n## `{}`\n", variant.name)), "no rules of {}", variant.name);
        let row = format!("| `{}`", variant.name);
        let line = text.lines().find(|line| line.starts_with(&row)).unwrap_or_else(|| panic!("{row}"));
        assert!(line.ends_with(&format!("| {} |", variant.summary)), "{line}");
    }
}

#[test]
fn help_and_version() {
    assert!(run(&["--help".to_string()]).contains("exec"));
    assert!(run(&["--version".to_string()]).starts_with("hazard "));
    let output = Command::new(env!("CARGO_BIN_EXE_hazard")).arg("--nonsense").output().unwrap();
    assert!(!output.status.success());
}

//! Training through the binary: games in files, runs that are stopped and go on, calibration, and bad input.

use crate::support::{Engine, Scratch};
use std::path::Path;
use std::process::{Command, Output};

fn hazard(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hazard")).args(words).output().unwrap()
}

fn succeeds(words: &[&str]) -> String {
    let output = hazard(words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What goes wrong is told in one line that names the fault.
fn fails(words: &[&str], fault: &str) {
    let output = hazard(words);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && said.lines().count() == 1, "{words:?}: {said}");
    assert!(said.starts_with("error: ") && said.contains(fault), "{words:?}: {said}");
}

fn bytes(path: &str) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

#[test]
fn files_of_games_are_the_same_for_any_number_of_threads() {
    let folder = Scratch::new("selfplay");
    let [one, two, parts] = ["one", "two", "parts"].map(|name| folder.path(name));
    succeeds(&["selfplay", "--out", &one, "--games", "60", "--seed", "9", "--threads", "1"]);
    succeeds(&["selfplay", "--out", &two, "--games", "60", "--seed", "9", "--threads", "3"]);
    assert_eq!(bytes(&one), bytes(&two));
    // A file that was cut off loses what is not whole, and is carried on.
    succeeds(&["selfplay", "--out", &parts, "--games", "20", "--seed", "9"]);
    let whole = bytes(&parts);
    succeeds(&["selfplay", "--out", &parts, "--games", "40", "--seed", "9"]);
    let longer = bytes(&parts);
    assert_eq!(longer[..whole.len()], whole);
    std::fs::write(&parts, &longer[..longer.len() - 5]).unwrap();
    succeeds(&["selfplay", "--out", &parts, "--games", "40", "--seed", "9"]);
    assert_eq!(bytes(&parts), longer);
    fails(&["selfplay", "--out", &parts, "--games", "50", "--seed", "8"], "another seed");
    fails(&["selfplay", "--out", &folder.path("x"), "--variant", "shogi"], "unknown variant 'shogi'");
    fails(&["selfplay", "--out", &folder.path("x"), "--noise", "2"], "--noise");
    fails(&["selfplay", "--out", &folder.path("x"), "--net", &one], "not a network");
    fails(&["selfplay", "--out", &folder.path("no/such/folder")], "No such file");
}

#[test]
fn a_run_is_the_same_for_any_number_of_threads_and_goes_on() {
    let folder = Scratch::new("train");
    let settings = folder.path("settings.json");
    std::fs::write(&settings, r#"{"games": 80, "round": 40, "batch": 64}"#).unwrap();
    let [one, two] = ["one", "two"].map(|name| folder.path(name));
    for (out, threads) in [(&one, "1"), (&two, "3")] {
        let said = succeeds(&["train", "--out", out, "--settings", &settings, "--threads", threads]);
        assert_eq!(said.lines().count(), 3, "{said}");
    }
    let net = |out: &str| format!("{out}/net.bin");
    assert_eq!(bytes(&net(&one)), bytes(&net(&two)));
    for file in ["settings.json", "log.jsonl", "loss.svg", "checkpoint.bin"] {
        assert!(Path::new(&format!("{one}/{file}")).exists(), "{file}");
    }
    let before = bytes(&net(&one));
    succeeds(&["train", "--out", &one, "--games", "120"]);
    assert_ne!(bytes(&net(&one)), before);
    assert_eq!(std::fs::read_to_string(format!("{one}/log.jsonl")).unwrap().lines().count(), 3);
    // The network is one that engine and calibration take.
    let table = succeeds(&["calibrate", "--games", "30", "--net", &net(&one)]);
    assert!(table.contains("over 30 positions"), "{table}");
    fails(&["train", "--out", &one, "--games", "200", "--seed", "2"], "other settings");
    std::fs::write(&settings, r#"{"gamez": 80}"#).unwrap();
    fails(&["train", "--out", &two, "--settings", &settings], "gamez");
    std::fs::write(&settings, r#"{"variant": "shogi"}"#).unwrap();
    fails(&["train", "--out", &folder.path("x"), "--settings", &settings], "shogi");
    std::fs::write(format!("{two}/checkpoint.bin"), b"HAZRDRUN").unwrap();
    fails(&["train", "--out", &two], "bytes, not");
}

#[test]
fn games_of_files_are_learned_from() {
    let folder = Scratch::new("data");
    let (games, out) = (folder.path("games.bin"), folder.path("run"));
    succeeds(&["selfplay", "--out", &games, "--games", "50"]);
    let settings = folder.path("settings.json");
    std::fs::write(&settings, r#"{"games": 120, "round": 40, "batch": 64}"#).unwrap();
    let said = succeeds(&["train", "--out", &out, "--settings", &settings, "--data", &games]);
    assert_eq!(said.lines().count(), 4, "{said}");
    fails(&["train", "--out", &folder.path("y"), "--data", &settings], "not a file of games");
    fails(&["train", "--out", &folder.path("y"), "--variant", "vegas", "--data", &games], "games of dicechess");
    let mut torn = bytes(&games);
    let middle = torn.len() / 2;
    torn[middle] ^= 1;
    std::fs::write(&games, torn).unwrap();
    fails(&["train", "--out", &folder.path("z"), "--settings", &settings, "--data", &games], "block 1 is damaged");
}

/// Every game with dice can be learned, with fewer units; what comes out values that game and no other.
#[test]
fn every_game_is_learned() {
    for variant in hazard::variant::VARIANTS.iter().filter(|variant| variant.has_dice()) {
        let scratch = Scratch::new(&format!("train-{}", variant.name));
        let run = scratch.path("run");
        let settings = scratch.path("settings.json");
        std::fs::write(&settings, format!("{{\"variant\":\"{}\",\"units\":16,\"round\":4}}", variant.name)).unwrap();
        succeeds(&["train", "--out", &run, "--settings", &settings, "--games", "8", "--threads", "2"]);
        let net = format!("{run}/net.bin");
        let (mut engine, other) = (Engine::of(variant.name), if variant.name == "vegas" { "anydice" } else { "vegas" });
        assert!(engine.ask(&format!("setoption name EvalFile value {net}")).is_empty(), "{}", variant.name);
        engine.send("position startpos");
        engine.send("eval");
        assert!(engine.until("eval cp ").contains(&"eval by network".to_string()), "{}", variant.name);
        let mut engine = Engine::of(other);
        let said = engine.ask(&format!("setoption name EvalFile value {net}"));
        assert!(said.len() == 1 && said[0].contains(&format!("the network is for {}", variant.name)), "{said:?}");
        assert!(bytes(&net).len() < 70_000);
    }
}

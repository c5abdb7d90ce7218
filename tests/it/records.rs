//! Records that prove themselves, and matches that survive: verify, resume, shards, merge, pgn.

use crate::support::Scratch;
use hazard::variant::VARIANTS;
use serde_json::Value;
use std::fs;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const HAZARD: &str = env!("CARGO_BIN_EXE_hazard");

fn hazard(words: &[&str]) -> Output {
    Command::new(HAZARD).args(words).output().expect("the binary starts")
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn done(words: &[&str]) -> String {
    let output = hazard(words);
    assert!(output.status.success(), "{words:?}: {}", said(&output));
    said(&output)
}

/// The words of a match between two reference players.
fn a_match<'a>(variant: &'a str, rounds: &'a str, json: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let words = [
        "match",
        "-engine",
        "cmd=builtin:greedy",
        "-engine",
        "cmd=builtin:aggressive",
        "-variant",
        variant,
        "-rounds",
        rounds,
        "-ratinginterval",
        "0",
        "-jsonout",
        json,
    ];
    words.into_iter().chain(more.iter().copied()).collect()
}

fn verified(rounds: &str) -> usize {
    let scratch = Scratch::new("verify-all");
    let (json, pgn) = (scratch.path("games.jsonl"), scratch.path("games.pgn"));
    for variant in &VARIANTS {
        // Where nothing is said, secrets come from the system.
        done(&a_match(variant.name, rounds, &json, &["-pgnout", &pgn, "-clients", "white=Зоя", "black=a|b \"c\""]));
    }
    let text = done(&["verify", &json, &pgn]);
    let games = fs::read_to_string(&json).unwrap().lines().count();
    assert_eq!(text.matches(&format!(" {games} games, ")).count(), 2, "{text}");
    assert!(!text.contains("pending") && !fs::exists(format!("{json}.secret")).unwrap());
    // There and back again the games are the same, but for what PGN does not hold.
    let (there, back) = (scratch.path("there.pgn"), scratch.path("back.jsonl"));
    assert!(done(&["pgn", &json, "-o", &there]).starts_with(&format!("Games: {games}, ")));
    assert_eq!(fs::read_to_string(&there).unwrap(), fs::read_to_string(&pgn).unwrap());
    done(&["pgn", &there, "-o", &back]);
    done(&["verify", &back]);
    let plain = |path: &str| -> Vec<Value> {
        let text = fs::read_to_string(path).unwrap();
        let mut games: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for turn in games.iter_mut().flat_map(|game| game["turns"].as_array_mut().unwrap()) {
            turn.as_object_mut().unwrap().retain(|key, _| ["side", "rolls", "turn"].contains(&key.as_str()));
        }
        games
    };
    assert_eq!(plain(&json), plain(&back));
    games
}

#[test]
fn games_of_every_variant_verify() {
    assert_eq!(verified("1"), 2 * VARIANTS.len());
}

#[test]
#[ignore = "long: 1,092 games over all variants"]
fn a_thousand_games_verify() {
    assert_eq!(verified("42"), 84 * VARIANTS.len());
}

/// A change of a journal, and what must be said of it.
type Fault = (&'static str, fn(&mut Vec<Value>), &'static str);

fn turns(game: &mut Value) -> &mut Vec<Value> {
    game["turns"].as_array_mut().unwrap()
}

/// The place of the first forced pass of a game.
fn a_pass(game: &Value) -> Option<usize> {
    game["turns"].as_array().unwrap().iter().position(|turn| turn["turn"] == "0000")
}

fn swap(result: &Value) -> Value {
    Value::from(if result == "1-0" { "0-1" } else { "1-0" })
}

const FAULTS: &[Fault] = &[
    (
        "a changed die",
        |games| {
            let roll = games[0]["turns"][3]["rolls"][0].as_str().unwrap().to_string();
            let die = if roll.starts_with('1') { "2" } else { "1" };
            games[0]["turns"][3]["rolls"][0] = format!("{die}{}", &roll[1..]).into();
        },
        "turn 4",
    ),
    (
        "a seed of another pair",
        |games| games[0]["dice"]["seed"] = games[3]["dice"]["seed"].clone(),
        "does not match the commitment",
    ),
    ("a seed that is none", |games| games[0]["dice"]["seed"] = "abc".into(), "a fair seed is 64 hexadecimal digits"),
    ("a changed client seed", |games| games[0]["dice"]["clients"][1] = "else".into(), "by the revealed seed"),
    (
        "a wrong commitment",
        |games| games[0]["dice"]["commit"] = "00".repeat(32).into(),
        "does not match the commitment 0000",
    ),
    (
        "a commitment and seed of another pair",
        |games| games[1]["dice"] = games[3]["dice"].clone(),
        "by the revealed seed",
    ),
    (
        "another commitment for half a pair",
        |games| {
            games[1]["dice"]["seed"] = "pending".into();
            games[1]["dice"]["commit"] = "00".repeat(32).into();
        },
        "was committed to by",
    ),
    ("an illegal turn", |games| games[0]["turns"][4]["turn"] = "a1a1".into(), "turn 5: 'a1a1' is no move here"),
    ("a wrong result", |games| games[0]["result"] = swap(&games[0]["result"]), "its result is"),
    ("a wrong reason", |games| games[0]["outcome"] = "pawns gone".into(), "not by pawns gone"),
    (
        "a missing pass",
        |games| {
            let game = games.iter_mut().find(|game| a_pass(game).is_some()).unwrap();
            let at = a_pass(game).unwrap();
            let pass = turns(game).remove(at);
            // Its roll stays, with the next turn.
            let rolls = turns(game)[at]["rolls"].as_array_mut().unwrap();
            rolls.insert(0, pass["rolls"][0].clone());
        },
        "is missing",
    ),
    ("a missing roll", |games| games[0]["turns"][2]["rolls"] = Value::Array(Vec::new()), "turn 3"),
    (
        "a roll twice",
        |games| {
            let roll = games[0]["turns"][2]["rolls"][0].clone();
            games[0]["turns"][2]["rolls"].as_array_mut().unwrap().push(roll);
        },
        "turn 3",
    ),
    (
        "an extra turn after the end",
        |games| {
            let turn = turns(&mut games[0])[0].clone();
            turns(&mut games[0]).push(turn);
        },
        "the game is over",
    ),
    (
        "turns that are missing at the end",
        |games| {
            turns(&mut games[0]).pop();
        },
        "the game is not over",
    ),
    (
        "a wrong start",
        |games| games[0]["start"] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 7 -".into(),
        "by the revealed seed",
    ),
    (
        "a start that cannot be",
        |games| games[0]["start"] = "8/8/8/8/8/8/8/8 w - - 0 1".into(),
        "the start position: White has 0 kings",
    ),
    (
        "a game twice",
        |games| {
            let game = games[0].clone();
            games.push(game);
        },
        "is also game 1 of the file",
    ),
    ("another variant", |games| games[0]["variant"] = "anydice".into(), "line 1"),
    ("a variant that is none", |games| games[0]["variant"] = "shogi".into(), "the variant 'shogi' is not known"),
    ("a schema of the future", |games| games[0]["schema"] = 99.into(), "its schema is 99"),
    (
        "a loss of who has won on time",
        |games| {
            games[0]["termination"] = "time forfeit".into();
            let loser = if games[0]["result"] == "1-0" { "White" } else { "Black" };
            games[0]["outcome"] = format!("{loser} loses on time").into();
        },
        "has lost, but its result is",
    ),
];

#[test]
fn planted_faults_are_named() {
    let scratch = Scratch::new("faults");
    let good = scratch.path("good.jsonl");
    done(&a_match("dicechess", "8", &good, &["-seed", "5"]));
    let text = fs::read_to_string(&good).unwrap();
    let games: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(FAULTS.len() >= 14);
    for (name, plant, wanted) in FAULTS {
        let mut games = games.clone();
        plant(&mut games);
        let text: String = games.iter().map(|game| format!("{game}\n")).collect();
        let file = scratch.path("bad.jsonl");
        fs::write(&file, text).unwrap();
        let bad = hazard(&["verify", &file]);
        assert!(!bad.status.success() && said(&bad).contains(wanted), "{name}: {}", said(&bad));
        assert_eq!(said(&bad).lines().count(), 1, "{name}: {}", said(&bad));
    }
    // Torn files.
    for (file, text, wanted) in [
        ("torn.jsonl", &text[..text.len() - 30], "it breaks off inside line 16"),
        ("none.jsonl", "", "no game in it"),
        ("nonsense.jsonl", "{}\n", "line 1, missing field"),
    ] {
        let file = scratch.path(file);
        fs::write(&file, text).unwrap();
        let bad = hazard(&["verify", &file]);
        assert!(!bad.status.success() && said(&bad).contains(wanted), "{}", said(&bad));
    }
    let pgn = scratch.path("good.pgn");
    done(&["pgn", &good, "-o", &pgn]);
    let text = fs::read_to_string(&pgn).unwrap();
    let seed = text.find("[DiceSeed \"").unwrap() + 20;
    for (bad_text, wanted) in [
        (text[..text.trim_end().rfind(char::is_whitespace).unwrap()].to_string(), "in the tag, and * behind the moves"),
        (text[..text.len() - 200].to_string(), "game 16, "),
        (format!("{}zz{}", &text[..seed], &text[seed + 2..]), "a fair seed is 64 hexadecimal digits"),
        (text.replacen("[DiceClients", "[DiceFriends", 1), "the client seeds are missing"),
    ] {
        let file = scratch.path("bad.pgn");
        fs::write(&file, bad_text).unwrap();
        let bad = hazard(&["verify", &file]);
        assert!(!bad.status.success() && said(&bad).contains(wanted), "{wanted}: {}", said(&bad));
    }
}

/// The games of a journal by their numbers, without the day, and without the times that no two runs share.
fn games_of(json: &str) -> Vec<Value> {
    let text = fs::read_to_string(json).unwrap();
    let mut games: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    games.sort_by_key(|game| game["game"].as_u64());
    for turn in games.iter_mut().flat_map(turns) {
        turn.as_object_mut().unwrap().remove("time_us");
    }
    games
}

/// What a match says of its results.
fn table(text: &str) -> Vec<String> {
    let from = text.rfind("Results of").unwrap();
    text[from..].lines().skip(1).map(str::to_string).collect()
}

/// Kills a match at a moment and goes on with it until it is over: nothing is lost, nothing is there twice.
fn survive(kills: usize, rounds: &str) {
    let scratch = Scratch::new("resume");
    let (calm, calm_pgn) = (scratch.path("calm.jsonl"), scratch.path("calm.pgn"));
    let (wild, wild_pgn) = (scratch.path("wild.jsonl"), scratch.path("wild.pgn"));
    let all = ["-seed", "9", "-concurrency", "2"];
    let undisturbed = done(&a_match("dicechess", rounds, &calm, &[&all[..], &["-pgnout", &calm_pgn]].concat()));
    let words = |more: &[&'static str]| -> Vec<String> {
        let words = [&all[..], &["-pgnout", &wild_pgn], more].concat();
        a_match("dicechess", rounds, &wild, &words).into_iter().map(str::to_string).collect()
    };
    let mut finished = 0;
    for kill in 0..kills {
        let more: &[&'static str] = if kill == 0 { &[] } else { &["-resume"] };
        let mut child = Command::new(HAZARD).args(words(more)).stdout(Stdio::null()).spawn().unwrap();
        // Moments that differ, though not at random, so that a failure can be repeated.
        std::thread::sleep(Duration::from_millis(15 + 37 * (kill as u64 * 7 % 11)));
        child.kill().unwrap();
        child.wait().unwrap();
        let text = fs::read_to_string(&wild).unwrap_or_default();
        let lines = text.matches('\n').count();
        assert!(lines >= finished, "{finished} games were there, {lines} are");
        finished = lines;
    }
    let all_words = words(&["-resume"]);
    let all_words: Vec<&str> = all_words.iter().map(String::as_str).collect();
    let last = done(&all_words);
    assert_eq!(table(&last), table(&undisturbed));
    assert_eq!(games_of(&wild), games_of(&calm));
    let numbers = |pgn: &str| -> Vec<String> {
        let text = fs::read_to_string(pgn).unwrap();
        let mut tags: Vec<String> =
            text.lines().filter(|line| line.starts_with("[GameNumber")).map(str::to_string).collect();
        tags.sort();
        tags
    };
    assert_eq!(numbers(&wild_pgn), numbers(&calm_pgn));
    let text = done(&["verify", &wild, &wild_pgn]);
    assert!(!text.contains("pending"), "{text}");
    // The match is over: nothing is left to play, and without -resume nothing is doubled.
    assert_eq!(table(&done(&all_words)), table(&undisturbed));
    let again = words(&[]);
    let again: Vec<&str> = again.iter().map(String::as_str).collect();
    let refused = hazard(&again);
    assert!(!refused.status.success() && said(&refused).contains("-resume goes on"), "{}", said(&refused));
}

#[test]
fn a_match_survives_being_killed() {
    survive(3, "300");
}

#[test]
#[ignore = "long: killed 20 times"]
fn a_match_survives_being_killed_often() {
    survive(20, "4000");
}

/// Ctrl-C ends a match in order: what was finished is recorded, the rest can go on.
#[test]
fn an_interrupt_ends_a_match_in_order() {
    let scratch = Scratch::new("interrupt");
    let json = scratch.path("games.jsonl");
    let words = a_match("dicechess", "4000", &json, &["-seed", "3", "-concurrency", "2"]);
    let child = Command::new(HAZARD).args(&words).stdout(Stdio::piped()).spawn().unwrap();
    while fs::metadata(&json).map_or(0, |file| file.len()) < 10_000 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    let output = child.wait_with_output().unwrap();
    let text = said(&output);
    assert!(!output.status.success() && text.contains("Results of greedy vs aggressive"), "{text}");
    let finished = text.matches("Finished game ").count();
    assert_eq!(fs::read_to_string(&json).unwrap().lines().count(), finished);
    done(&["verify", &json]);
}

#[test]
fn a_match_of_random_secrets_goes_on() {
    let scratch = Scratch::new("secrets");
    let json = scratch.path("games.jsonl");
    let mut child =
        Command::new(HAZARD).args(a_match("dicechess", "4000", &json, &[])).stdout(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(400));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(fs::exists(format!("{json}.secret")).unwrap());
    let before = fs::read_to_string(&json).unwrap().lines().count();
    // A match that is refused does not touch the secret of the one that was interrupted.
    let secret = fs::read(format!("{json}.secret")).unwrap();
    let refused = hazard(&a_match("dicechess", "4000", &json, &[]));
    assert!(said(&refused).contains("-resume goes on"), "{}", said(&refused));
    assert_eq!(fs::read(format!("{json}.secret")).unwrap(), secret);
    let text = done(&a_match("dicechess", "4000", &json, &["-resume", "-concurrency", "2"]));
    assert!(text.contains("Games: 8000"), "{before} games before");
    assert!(!done(&["verify", &json]).contains("pending"));
    let refused = hazard(&a_match("dicechess", "4000", &json, &["-resume"]));
    assert!(said(&refused).contains("nothing to resume"), "{}", said(&refused));
}

#[test]
fn shards_merged_are_the_whole() {
    let scratch = Scratch::new("shards");
    let (whole, merged) = (scratch.path("whole.jsonl"), scratch.path("merged.jsonl"));
    let undisturbed = done(&a_match("dicechess", "30", &whole, &["-seed", "4"]));
    let parts: Vec<String> = (1..=4).map(|part| scratch.path(&format!("{part}.jsonl"))).collect();
    for (part, json) in ["1/4", "2/4", "3/4", "4/4"].iter().zip(&parts) {
        done(&a_match("dicechess", "30", json, &["-seed", "4", "-shard", part]));
    }
    let words: Vec<&str> =
        ["match", "merge"].into_iter().chain(parts.iter().map(String::as_str)).chain(["-jsonout", &merged]).collect();
    let text = done(&words);
    assert_eq!(table(&text), table(&undisturbed));
    assert_eq!(games_of(&merged), games_of(&whole));
    done(&["verify", &merged]);
    for (files, wanted) in [
        (vec![parts[0].as_str(), parts[0].as_str()], "is in an earlier file too"),
        (vec!["/nonexistent.jsonl"], "cannot read"),
    ] {
        let bad = hazard(&[&["match", "merge"][..], &files[..]].concat());
        assert!(!bad.status.success() && said(&bad).contains(wanted), "{}", said(&bad));
    }
    let other = scratch.path("other.jsonl");
    done(&a_match("dicechess", "2", &other, &["-seed", "8"]));
    let bad = hazard(&["match", "merge", &parts[0], &other]);
    assert!(said(&bad).contains("another match"), "{}", said(&bad));
    for shard in ["0/4", "5/4", "x", "1"] {
        let bad = hazard(&a_match("dicechess", "2", &other, &["-shard", shard]));
        assert!(said(&bad).contains("-shard is i/n"), "{}", said(&bad));
    }
}

/// A disk that is full is told, and what was finished before stays.
#[test]
fn a_full_disk_loses_nothing() {
    let scratch = Scratch::new("full");
    let json = scratch.path("games.jsonl");
    let full = hazard(&a_match("dicechess", "50", &json, &["-seed", "4", "-pgnout", "/dev/full"]));
    let text = said(&full);
    assert!(!full.status.success() && text.contains("is not recorded: cannot write to '/dev/full'"), "{text}");
    let finished = fs::read_to_string(&json).unwrap().lines().count();
    assert!(finished >= 1);
    done(&["verify", &json]);
    let text = done(&a_match("dicechess", "50", &json, &["-seed", "4", "-resume"]));
    assert!(text.contains("Games: 100"), "{text}");
}

#[test]
fn games_are_filtered_and_counted() {
    let scratch = Scratch::new("pgn");
    let json = scratch.path("games.jsonl");
    done(&a_match("dicechess", "10", &json, &["-seed", "4"]));
    done(&a_match("dicehard", "5", &json, &["-seed", "4"]));
    let count = |words: &[&str]| -> usize {
        let text = done(&[&["pgn", json.as_str()][..], words].concat());
        text["Games: ".len()..].split(',').next().unwrap().parse().unwrap()
    };
    assert_eq!(count(&[]), 30);
    assert_eq!(count(&["--variant", "dicehard"]), 10);
    assert_eq!(count(&["--result", "1-0"]) + count(&["--result", "0-1"]) + count(&["--result", "1/2-1/2"]), 30);
    assert_eq!(count(&["--player", "greedy"]), 30);
    assert_eq!(count(&["--player", "nobody"]), 0);
    assert_eq!(count(&["--ended", "king captured"]), 30);
    assert_eq!(count(&["--least", "10"]) + count(&["--most", "9"]), 30);
    let (out, text) = (scratch.path("hard.pgn"), fs::read_to_string(&json).unwrap());
    done(&["pgn", &json, "--variant", "dicehard", "-o", &out]);
    done(&["verify", &out]);
    let bad = hazard(&["pgn", &json, "-o", &json]);
    assert!(said(&bad).contains("cannot write to what it reads"), "{}", said(&bad));
    assert_eq!(fs::read_to_string(&json).unwrap(), text);
}

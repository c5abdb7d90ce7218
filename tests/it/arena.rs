//! `hazard match` from outside: published results, every game to its end, real child processes, good and bad.

use crate::support::{Scratch, path};
use hazard::notation::{GameRecord, Style, tokens};
use hazard::variant::VARIANTS;
use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const HAZARD: &str = env!("CARGO_BIN_EXE_hazard");

/// The ways in which a game may end by the rules.
const REASONS: [&str; 11] = [
    "king captured",
    "mate",
    "stalemate",
    "pawns gone",
    "no move on a doublet",
    "no move",
    "quiet moves",
    "repetition",
    "dead position",
    "nobody can move",
    "turn limit",
];

struct Report {
    lines: Vec<String>,
    success: bool,
    errors: String,
}

impl Report {
    fn of(output: Output) -> Report {
        let lines = String::from_utf8(output.stdout).unwrap().lines().map(str::to_string).collect();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        Report { lines, success: output.status.success(), errors }
    }

    /// What follows a beginning in the last line that has it.
    fn after(&self, beginning: &str) -> &str {
        let found = self.lines.iter().rev().find_map(|line| line.strip_prefix(beginning));
        found.unwrap_or_else(|| panic!("no '{beginning}' in {:#?}\n{}", self.lines, self.errors))
    }

    /// Games won, lost and drawn by the first engine.
    fn games(&self) -> [u32; 3] {
        let numbers: Vec<u32> = self.after("Games: ").split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
        numbers[1..4].try_into().unwrap()
    }

    /// The first engine's score in per cent.
    fn score(&self) -> f64 {
        self.after("LOS: ").rsplit_once("Score: ").unwrap().1.split(' ').next().unwrap().parse().unwrap()
    }

    fn endings(&self) -> BTreeMap<String, u32> {
        let parts = self.after("Ended by: ").split(", ").map(|part| part.rsplit_once(' ').unwrap());
        parts.map(|(reason, count)| (reason.to_string(), count.parse().unwrap())).collect()
    }
}

fn play(arguments: &[&str]) -> Report {
    Report::of(Command::new(HAZARD).arg("match").args(arguments).output().unwrap())
}

fn builtins(variant: &str, first: &str, second: &str, rounds: u32, seed: u32) -> Report {
    let (first, second) = (format!("cmd=builtin:{first}"), format!("cmd=builtin:{second}"));
    let (rounds, seed) = (rounds.to_string(), seed.to_string());
    let report = play(&[
        "-variant",
        variant,
        "-engine",
        &first,
        "-engine",
        &second,
        "-rounds",
        &rounds,
        "-seed",
        &seed,
        "-concurrency",
        "2",
        "-ratinginterval",
        "0",
    ]);
    assert!(report.success, "{variant}: {}", report.errors);
    report
}

/// Published over 1,600 games: random 2.9 %, cautious 54.4 %, aggressive 61.1 % against greedy.
#[test]
fn published_results_are_reached() {
    for (player, least, most) in [("random", 1.5, 5.0), ("cautious", 51.5, 58.5), ("aggressive", 58.0, 65.0)] {
        let report = builtins("dicechess", player, "greedy", 2000, 1);
        assert!((least..=most).contains(&report.score()), "{player} {}", report.score());
        assert_eq!(report.games().iter().sum::<u32>(), 4000);
    }
}

fn every_game_ends(rounds: u32) {
    for variant in &VARIANTS {
        for (first, second) in [("aggressive", "greedy"), ("random", "cautious")] {
            let endings = builtins(variant.name, first, second, rounds, 7).endings();
            assert!(endings.keys().all(|ending| REASONS.contains(&ending.as_str())), "{} {endings:?}", variant.name);
            assert_eq!(endings.values().sum::<u32>(), 2 * rounds, "{}", variant.name);
        }
    }
}

#[test]
fn every_game_ends_by_the_rules() {
    every_game_ends(10);
}

#[test]
#[ignore = "long: 2,000 games of two pairs in each variant"]
fn every_game_ends_by_the_rules_at_length() {
    every_game_ends(1000);
}

/// The results belong to the seed, not to how many games go on at once.
#[test]
fn concurrency_changes_nothing() {
    let run = |concurrency: &str| {
        let mut lines = play(&[
            "--engine",
            "cmd=builtin:aggressive",
            "--engine",
            "cmd=builtin:random",
            "--engine",
            "cmd=builtin:greedy",
            "--rounds",
            "10",
            "--seed",
            "5",
            "--concurrency",
            concurrency,
            "--ratinginterval",
            "0",
        ])
        .lines;
        lines.sort();
        lines
    };
    assert_eq!(run("1"), run("3"));
}

/// Engines in processes of their own, in every variant: no illegal turn, no loss on time; and what the records say.
fn engines_play(rounds: &str) {
    let scratch = Scratch::new("engines");
    for variant in &VARIANTS {
        let (pgn, json) = (scratch.path(&format!("{}.pgn", variant.name)), scratch.path("games.jsonl"));
        let engine = format!("cmd={HAZARD}");
        let (pgn_out, json_out) = (format!("file={pgn}"), format!("file={json}"));
        let report = play(&[
            "-variant",
            variant.name,
            "-engine",
            &engine,
            "name=A",
            "-engine",
            &engine,
            "name=B",
            "option.Turns=single",
            "-each",
            "tc=0.6+0.01",
            "timemargin=3000",
            "-rounds",
            rounds,
            "-concurrency",
            "2",
            "-ratinginterval",
            "0",
            "-maxturns",
            "80",
            "-pgnout",
            &pgn_out,
            "-jsonout",
            &json_out,
            "append=false",
        ]);
        assert!(report.success, "{} {:#?} {}", variant.name, report.lines, report.errors);
        let endings = report.endings();
        let fair = |ending: &String| REASONS.contains(&ending.as_str()) || ending == "adjudication";
        assert!(endings.keys().all(fair), "{} {endings:?}", variant.name);
        records_agree(&fs::read_to_string(&pgn).unwrap(), &fs::read_to_string(&json).unwrap());
    }
    read_by_python(&scratch);
}

#[test]
fn engines_play_and_their_games_are_recorded() {
    engines_play("1");
}

#[test]
#[ignore = "long: 200 games of real processes in each variant"]
fn engines_play_at_length() {
    engines_play("100");
}

/// The PGN reads back as it was written, and says the same as the JSON beside it.
fn records_agree(pgn: &str, json: &str) {
    let games: Vec<GameRecord> = GameRecord::read_all(pgn).map(Result::unwrap).collect();
    assert_eq!(games.len(), json.lines().count());
    let written: String = games.iter().map(GameRecord::to_pgn).collect();
    assert_eq!(written, pgn);
    for (game, line) in games.iter().zip(json.lines()) {
        let json: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(json["schema"], 2);
        assert_eq!(json["result"], game.result.as_str());
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_string();
        let mut wanted = Vec::new();
        for turn in json["turns"].as_array().unwrap() {
            wanted.extend(turn["rolls"].as_array().into_iter().flatten().map(text));
            wanted.push(text(&turn["turn"]));
        }
        // Dice that were thrown for a turn that time or the referee cut off.
        wanted.extend(json["last_rolls"].as_array().into_iter().flatten().map(text));
        assert_eq!(tokens(game, Style::Orthodox), wanted);
        // The same game in UCI notation, a turn a token, is read as the same game.
        let mut plain = String::new();
        for (name, value) in [("Variant", game.variant), ("Result", &game.result)] {
            plain.push_str(&format!("[{name} \"{value}\"]\n"));
        }
        for turn in &game.turns {
            turn.rolls.iter().for_each(|roll| plain.push_str(&format!(" {{[%dice {roll}]}}")));
            let moves = hazard::notation::turn_text(&turn.moves, Style::Orthodox, ",");
            plain.push_str(&format!(" {moves}"));
        }
        game.last_rolls.iter().for_each(|roll| plain.push_str(&format!(" {{[%dice {roll}]}}")));
        let read: Vec<_> = GameRecord::read_all(&plain).map(Result::unwrap).collect();
        assert_eq!(tokens(&read[0], Style::Orthodox), wanted);
    }
}

/// python-chess reads the records, where it is installed.
fn read_by_python(scratch: &Scratch) {
    let python = |arguments: &[&str]| Command::new("python3").args(arguments).output();
    if !python(&["-c", "import chess.pgn"]).is_ok_and(|output| output.status.success()) {
        eprintln!("python-chess is not installed: its reading of the records is not tested");
        return;
    }
    let files: Vec<String> = VARIANTS.iter().map(|variant| scratch.path(&format!("{}.pgn", variant.name))).collect();
    let mut arguments = vec!["tests/clients/read_pgn.py"];
    arguments.extend(files.iter().map(String::as_str));
    let output = python(&arguments).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The kinds of engines that go wrong, and how their games end.
const KINDS: [(&str, &str); 21] = [
    ("mute", "stalled connection"),
    ("dies-at-start", "abandoned"),
    ("deaf", "stalled connection"),
    ("leaves", "abandoned"),
    ("stranger", "abandoned"),
    ("silent", "time forfeit"),
    ("stays", "time forfeit"),
    ("hasty", "rules infraction"),
    ("dies", "abandoned"),
    ("killed", "abandoned"),
    ("illegal", "rules infraction"),
    ("gibberish", "rules infraction"),
    ("empty", "rules infraction"),
    ("none", "rules infraction"),
    ("passes", "rules infraction"),
    ("throws", "rules infraction"),
    ("flood", "time forfeit"),
    ("chatter", "time forfeit"),
    ("slow", "time forfeit"),
    ("closes", "abandoned"),
    ("stops", "time forfeit"),
];

/// Memory that a flood of 100 MB must not reach, in KiB.
const BOUND: u64 = 60_000;

/// A match of a bad engine against a good one, watched while it lasts.
fn misbehave(kind: &str) -> (Report, u64) {
    let marker = format!("{}.0{}", 3600, std::process::id());
    let script = path("tests/data/engines/misbehaving.sh");
    let bad = format!("args={script} {kind} {HAZARD} {marker}");
    let child = Command::new(HAZARD)
        .args(["match", "-engine", "cmd=sh", &bad, "name=bad", "st=0.3", "-engine"])
        .args([&format!("cmd={HAZARD}"), "name=good", "depth=1", "-rounds", "2", "-seed", "1", "-recover"])
        .args(["-startup-ms", "2000", "-ratinginterval", "0", "-concurrency", "2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let watched = thread::spawn(move || {
        let mut most = 0;
        while let Ok(text) = fs::read_to_string(&status) {
            let Some(line) = text.lines().find(|line| line.starts_with("VmHWM")) else { break };
            most = most.max(line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or(0));
            thread::sleep(Duration::from_millis(20));
        }
        most
    });
    let report = Report::of(child.wait_with_output().unwrap());
    (report, watched.join().unwrap())
}

/// Processes that run with a text in their command line.
fn running(text: &str) -> Vec<String> {
    let folders = fs::read_dir("/proc").unwrap().flatten();
    let lines = folders.filter_map(|folder| fs::read(folder.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(text) && !line.contains("match")).collect()
}

/// Each loses its own games only, the match is finished, memory stays bounded, and nobody is left running.
#[test]
fn bad_engines_lose_and_nothing_else_happens() {
    let start = Instant::now();
    thread::scope(|scope| {
        for (kind, ending) in KINDS.into_iter().chain([("spawns", "abandoned"), ("noise", "rules infraction")]) {
            scope.spawn(move || {
                let (report, memory) = misbehave(kind);
                assert!(report.success, "{kind}: {:#?} {}", report.lines, report.errors);
                assert_eq!(report.games(), [0, 4, 0], "{kind}: {:#?}", report.lines);
                let endings = report.endings();
                assert!(endings.contains_key(ending), "{kind}: {endings:?}");
                assert_eq!(report.after("Finished"), " match", "{kind}");
                assert!(memory < BOUND, "{kind}: {memory} KiB");
            });
        }
    });
    let marker = format!("{}.0{}", 3600, std::process::id());
    assert_eq!(running(&marker), Vec::<String>::new(), "after {:?}", start.elapsed());
    assert_eq!(running("misbehaving.sh"), Vec::<String>::new());
}

/// Without `-recover` a crash ends the match in order, and the exit code says so.
#[test]
fn a_crash_that_is_not_overcome_ends_the_match() {
    let script = format!("args={} dies", path("tests/data/engines/misbehaving.sh"));
    let good = format!("cmd={HAZARD}");
    let report = play(&["-engine", "cmd=sh", &script, "st=1", "-engine", &good, "depth=1", "-rounds", "5"]);
    assert!(!report.success);
    assert!(report.after("Stopped match: ").contains("disconnects"), "{:#?}", report.lines);
    let missing = play(&["-engine", "cmd=./no-such-engine", "st=1", "-engine", &good, "depth=1"]);
    assert!(!missing.success && missing.lines.is_empty());
    assert!(missing.errors.starts_with("error: the engine 'no-such-engine' does not start: "), "{}", missing.errors);
}

#[test]
fn a_test_stops_by_itself() {
    let report = play(&[
        "-engine",
        "cmd=builtin:aggressive",
        "-engine",
        "cmd=builtin:random",
        "-rounds",
        "5000",
        "-sprt",
        "elo0=0",
        "elo1=50",
        "alpha=0.05",
        "beta=0.05",
        "model=logistic",
        "-concurrency",
        "2",
        "-ratinginterval",
        "0",
    ]);
    assert!(report.success, "{}", report.errors);
    assert!(report.lines.contains(&"SPRT: H1 was accepted".to_string()), "{:#?}", report.lines);
    assert!(report.games().iter().sum::<u32>() < 500);
}

/// Openings, a gauntlet, adjudication by length, and files that are added to.
#[test]
fn openings_and_terms_are_heeded() {
    let scratch = Scratch::new("openings");
    let (book, pgn) = (scratch.path("book.dfen"), scratch.path("games.pgn"));
    fs::write(&book, "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1001\n4k3/pppp4/8/8/8/8/PPPP4/4K3 b - - 0 7\n").unwrap();
    let (book, pgn_out) = (format!("file={book}"), format!("file={pgn}"));
    for round in 1..=2 {
        let report = play(&[
            "-engine",
            "cmd=builtin:random",
            "name=a",
            "-engine",
            "cmd=builtin:random",
            "-engine",
            "cmd=builtin:random",
            "-tournament",
            "gauntlet",
            "-rounds",
            "1",
            "-openings",
            &book,
            "order=sequential",
            "-maxturns",
            "3",
            "-pgnout",
            &pgn_out,
            "-ratinginterval",
            "0",
        ]);
        assert!(report.success, "{}", report.errors);
        let text = fs::read_to_string(&pgn).unwrap();
        let games: Vec<GameRecord> = GameRecord::read_all(&text).map(Result::unwrap).collect();
        assert_eq!(games.len(), 4 * round);
        assert_eq!(games.iter().map(|game| game.start.fullmove()).collect::<Vec<_>>()[..4], [1001, 1001, 7, 7]);
        for pair in games.chunks(2) {
            assert!(pair[0].tag("White") == Some("a") && pair[1].tag("Black") == Some("a"));
            assert_eq!(pair[0].tag("Termination"), Some("adjudication"));
            // Both games of a pair have the same dice as long as they last.
            let rolls = |game: &GameRecord| game.turns.iter().flat_map(|turn| turn.rolls.clone()).collect::<Vec<_>>();
            assert_eq!(rolls(&pair[0]), rolls(&pair[1]));
        }
        assert!(report.lines.iter().any(|line| line.starts_with("Rank Name")), "{:#?}", report.lines);
    }
}

#[test]
fn bad_arguments_are_named() {
    let two = ["-engine", "cmd=builtin:random", "-engine", "cmd=builtin:greedy"];
    for (more, wanted) in [
        (&["-variant", "ludo"][..], "no variant 'ludo': there are dicechess, burmese, "),
        (&["-games", "3"], "a pair has 1 or 2 games, not 3"),
        (&["-sprt", "elo0=5", "elo1=0"], "-sprt needs elo0 below elo1, not 5 and 0"),
        (&["-sprt", "elo0=0"], "-sprt needs elo0=… and elo1=…"),
        (&["-openings", "file=/no/such/file"], "cannot read '/no/such/file': "),
        (&["-openings", "order=random"], "-openings needs file=…"),
        (&["-pgnout", "file=/no/such/folder/x.pgn"], "cannot open '/no/such/folder/x.pgn': "),
        (&["-pgnout", "file=/dev/full"], "game 1 is not recorded: cannot write to '/dev/full': "),
        (&["-draw", "movecount=x"], "'movecount' needs a number, not 'x'"),
        (&["-tournament", "swiss"], "a tournament is roundrobin or gauntlet, not 'swiss'"),
        (&["-engine", "cmd=builtin:genius"], "no built-in player 'genius': there are random, "),
        (&["-each", "tc=soon"], "'soon' is no time control"),
    ] {
        let arguments: Vec<&str> = two.iter().chain(more).copied().collect();
        let report = play(&arguments);
        assert!(!report.success, "{more:?}");
        assert_eq!(report.errors.trim_end().lines().count(), 1, "{}", report.errors);
        assert!(report.errors.starts_with(&format!("error: {wanted}")), "{more:?}: {}", report.errors);
    }
    assert!(play(&["-engine", "cmd=builtin:random"]).errors.starts_with("error: a match needs two engines"));
}

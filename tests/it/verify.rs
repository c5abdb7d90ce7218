//! `hazard verify` on games of other managers: every move obeys the dice of the seed, or the fault is named.

use crate::support::{Scratch, data, path};
use std::process::{Command, Output};

fn verify(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hazard")).arg("verify").args(words).output().expect("the binary starts")
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Three games of `anydice` between two copies of the engine, written by fastchess, which knows no dice.
#[test]
fn games_of_fastchess_obey_the_seed() {
    let file = path("tests/data/records/fastchess_anydice.pgn");
    let good = verify(&[&file, "--variant", "anydice", "--dice-seed", "alpha"]);
    assert!(good.status.success() && said(&good).contains(": 3 games, "), "{}", said(&good));
    for (words, wanted) in [
        (vec!["--variant", "anydice", "--dice-seed", "beta"], "is no move here"),
        (vec!["--variant", "chess"], "its result is"),
        (vec!["--variant", "anydice"], "a roll is due, not a move"),
    ] {
        let bad = verify(&[&[file.as_str()], &words[..]].concat());
        let bad_text = said(&bad);
        // Played as chess the games are legal, and end as they say.
        assert_eq!(bad.status.success(), words == ["--variant", "chess"], "{bad_text}");
        assert!(bad.status.success() || bad_text.contains(wanted), "{wanted}: {bad_text}");
    }
    for (variant, wanted) in [("shogi", "the variant 'shogi' is not known"), ("anydice", "nothing.pgn: ")] {
        let bad = verify(&["/nonexistent/nothing.pgn", "--variant", variant]);
        assert!(!bad.status.success() && said(&bad).contains(wanted), "{}", said(&bad));
    }
}

#[test]
fn faults_are_named() {
    let text = data("records/fastchess_anydice.pgn");
    let scratch = Scratch::new("verify");
    let first = text.find("1. ").expect("moves");
    let result =
        |from: &str, to: &str| text.replacen(&format!("[Result \"{from}\"]"), &format!("[Result \"{to}\"]"), 1);
    let cases = [
        (format!("{}1. e2e5 {}", &text[..first], &text[first..]), "turn 1: 'e2e5' is no move here"),
        (text.replacen("{", "{ never closed ", 1).replacen('}', "", usize::MAX), "inside a comment"),
        (text.replacen("[Event", "[Event nothing]\n[Event", 1), "is not a tag"),
        (String::new(), "no game in it"),
    ];
    for (at, (text, wanted)) in cases.iter().enumerate() {
        let file = scratch.path(&format!("{at}.pgn"));
        std::fs::write(&file, text).unwrap();
        let bad = verify(&[&file, "--variant", "anydice", "--dice-seed", "alpha"]);
        assert!(!bad.status.success() && said(&bad).contains(wanted), "{wanted}: {}", said(&bad));
    }
    // The result in the tag and that behind the moves must be the one that the rules give.
    let swapped = if text.contains("[Result \"1-0\"]") { result("1-0", "0-1") } else { result("0-1", "1-0") };
    let file = scratch.path("swapped.pgn");
    std::fs::write(&file, swapped).unwrap();
    let bad = verify(&[&file, "--variant", "anydice", "--dice-seed", "alpha"]);
    assert!(!bad.status.success() && said(&bad).contains("result"), "{}", said(&bad));
}

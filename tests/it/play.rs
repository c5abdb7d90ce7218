//! `hazard play`: a person at the terminal.

use std::io::Write;
use std::process::{Command, Stdio};

/// What is said when so much is typed.
fn sit(words: &[&str], typed: &str) -> (bool, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hazard"))
        .arg("play")
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // Whoever has heard enough closes the pipe.
    let _ = child.stdin.take().expect("a pipe").write_all(typed.as_bytes());
    let output = child.wait_with_output().expect("an end");
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.success(), text)
}

/// Moves by number, by name and as a whole turn; what is wrong is named; what was played is taken back.
#[test]
fn a_game_by_hand() {
    let start = ["--side", "both", "--seed", "3", "--ascii", "--movetime", "20", "--fen"];
    let dfen = "4k3/8/8/8/8/8/P7/R3K3 w Q - 0 1 PNR";
    let with = |typed: &str| sit(&[&start[..], &[dfen]].concat(), typed);
    let (good, text) = with("99\nxyz\na2a5\nboard\na2a4,a1b1\nundo\na4\nundo\nundo\nfen\nhint\nmoves\nhelp\nquit\n");
    assert!(good, "{text}");
    for wanted in [
        "White to play",
        "99: there is no move 99",
        "xyz: 'xyz' is neither a roll of dicechess nor a move",
        "a2a5: 'a2a5': illegal move",
        "There is nothing to take back.",
        "4k3/8/8/8/8/8/P7/R3K3 w Q - 0 1 PNR",
        "makes that move",
        " %  ",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    let (good, text) = with("");
    assert!(good && text.ends_with("White> "), "{text}");
}

#[test]
fn every_game_can_be_played() {
    for variant in hazard::variant::VARIANTS.iter().map(|variant| variant.name) {
        // The first move of each list, for some turns.
        let (good, text) = sit(&["--variant", variant, "--seed", "5", "--movetime", "5"], &"1\n".repeat(12));
        assert!(good && text.contains(" plays ") | text.contains("game is over"), "{variant}: {text}");
    }
    // The engine against itself plays to the end.
    let (good, text) = sit(&["--variant", "gollon-count", "--side", "none", "--seed", "2", "--movetime", "5"], "");
    assert!(good && text.contains("The game is over: "), "{text}");
    // And after the end it goes on by taking back, or anew.
    let typed = "e2e8\nundo\ne2e8\nnew\ne2e8\nquit\n";
    let (good, text) = sit(&["--side", "both", "--fen", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1 RRR"], typed);
    assert!(good && text.matches("game is over").count() == 3, "{text}");
    for (words, wanted) in [
        (["--variant", "shogi"], "unknown variant 'shogi'"),
        (["--fen", "x"], "error: "),
        (["--net", "/nonexistent"], "No such file"),
    ] {
        let (good, text) = sit(&words, "");
        assert!(!good && text.contains(wanted), "{text}");
    }
}

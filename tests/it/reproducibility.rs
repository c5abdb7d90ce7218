//! The same script gives the same output, byte for byte, but for what is a time.

use hazard::variant::VARIANTS;
use std::process::Command;

/// The output of a script with its measured times taken out.
fn output(lines: &[String]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_hazard")).arg("exec").args(lines).output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let mut words: Vec<&str> = text.split(' ').collect();
    for at in 1..words.len() {
        if matches!(words[at - 1], "nps" | "time") {
            // The word may hold the end of its line and the beginning of the next.
            words[at] = words[at].trim_start_matches(|letter: char| letter.is_ascii_digit());
        }
    }
    words.join(" ")
}

#[test]
fn two_runs_are_equal() {
    let mut script = vec!["uci".to_string(), "setoption name DiceSeed value same".to_string()];
    for variant in &VARIANTS {
        script.push(format!("setoption name UCI_Variant value {}", variant.name));
        for fullmove in [1, 7, 30] {
            let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
            script.push(format!("position fen {start} w KQkq - 0 {fullmove}"));
            for command in ["go depth 1", "d", "legal", "threat", "eval"] {
                script.push(command.to_string());
            }
        }
    }
    script.push("bench".to_string());
    let first = output(&script);
    assert!(first.lines().count() > 1000);
    assert_eq!(first, output(&script));
}

/// A change of the search shows here: the commit that makes it says `Bench: N` and changes this number.
#[test]
fn the_signature_is_the_committed_one() {
    let said = output(&["bench".to_string()]);
    let signature = said.lines().last().unwrap().to_string();
    assert_eq!(signature, crate::support::data("signature.txt").trim());
}

//! Replays every fenced dialogue of protocol.md and README.md through the binary.

use crate::support::{Engine, file};

/// The dialogues of a document with the number of their first line.
fn dialogues(text: &str) -> Vec<(usize, Vec<&str>)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, Vec<&str>)> = None;
    for (number, line) in (1..).zip(text.lines()) {
        match &mut open {
            None if line == "```dialogue" => open = Some((number + 1, Vec::new())),
            Some(_) if line == "```" => found.extend(open.take()),
            Some((_, lines)) => lines.push(line),
            None => {}
        }
    }
    found
}

/// Whether a line fits a pattern in which `…` stands for any text.
fn fits(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = parts.next().and_then(|first| line.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

fn replay(name: &str, at: usize, dialogue: &[&str]) {
    let mut engine = Engine::new();
    let mut skipping = false;
    let mut left = false;
    for pattern in dialogue {
        if let Some(command) = pattern.strip_prefix('>') {
            assert!(!skipping, "{name}:{at}: '…' must be followed by an answer");
            left = command.trim() == "quit";
            engine.send(command.trim_start());
            continue;
        }
        if *pattern == "…" {
            skipping = true;
            continue;
        }
        loop {
            let Some(line) = engine.line() else { engine.fail(&format!("{name}:{at}: no line for '{pattern}'")) };
            if fits(pattern, &line) {
                skipping = false;
                break;
            }
            if !skipping {
                engine.fail(&format!("{name}:{at}: '{line}' is not '{pattern}'"));
            }
        }
    }
    if left {
        assert_eq!(engine.wait(), 0, "{name}:{at}");
        return;
    }
    let (question, answer) =
        if dialogue.first() == Some(&"> xboard") { ("ping 9", "pong 9") } else { ("isready", "readyok") };
    engine.send(question);
    match engine.line() {
        Some(line) if line == answer => {}
        other => engine.fail(&format!("{name}:{at}: {other:?} is not in the document")),
    }
}

#[test]
fn every_dialogue_is_true() {
    for (name, least) in [("protocol.md", 10), ("README.md", 1)] {
        let text = file(name);
        let dialogues = dialogues(&text);
        assert!(dialogues.len() >= least, "{name} has {} dialogues", dialogues.len());
        for (at, dialogue) in dialogues {
            replay(name, at, &dialogue);
        }
    }
}

/// The tables of options and commands say what the engine says.
#[test]
fn every_option_is_documented() {
    let text = file("protocol.md");
    let mut engine = Engine::new();
    engine.send("uci");
    for line in engine.until("uciok") {
        if let Some(option) = line.strip_prefix("option name ") {
            let name = option.split(" type ").next().unwrap();
            assert!(text.contains(&format!("| `{name}` |")), "{name}");
        }
    }
}

#[test]
fn patterns_fit() {
    assert!(fits("a … c", "a b c") && fits("…", "x") && fits("a…", "a") && fits("abc", "abc"));
    assert!(!fits("a … c", "a b d") && !fits("abc", "abcd") && !fits("abc", "ab"));
}

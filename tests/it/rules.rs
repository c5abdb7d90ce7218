//! The rules against the data files: cases, golden lines, king-capture odds, the sample game; library and binary.

use crate::support::{Engine, data, position, rules, turn_texts};
use hazard::board::Color;
use hazard::dice::Roll;
use hazard::notation::{Style, move_text};
use hazard::position::{Outcome, Reason};
use hazard::turns::{Game, Status, Threat};
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

#[derive(Deserialize)]
struct Golden {
    variant: String,
    dfen: String,
    roll: String,
    kind: String,
    mover: Option<String>,
    turns: Option<u64>,
    ends: Option<u64>,
    sha256: Option<String>,
    list: Option<Vec<String>>,
}

fn golden() -> Vec<(String, Golden)> {
    let lines: Vec<(String, Golden)> =
        data("golden.jsonl").lines().map(|line| (line.to_string(), serde_json::from_str(line).unwrap())).collect();
    assert_eq!(lines.len(), 371);
    lines
}

fn letter(color: Color) -> Option<String> {
    Some(color.letter().to_string())
}

#[test]
fn golden_lines() {
    for (line, golden) in golden() {
        let rules = rules(&golden.variant);
        let mut game = Game::new(rules, position(&rules, &golden.dfen));
        game.roll(Roll::parse(&golden.roll).unwrap()).unwrap_or_else(|error| panic!("{line}: {error}"));
        let (kind, mover) = match game.status() {
            Status::Roll => ("reroll", None),
            Status::Pass(side) => ("pass", letter(side)),
            Status::Decide(side) => ("turns", letter(side)),
            Status::Over(outcome) if outcome.winner.is_none() => ("draw", None),
            Status::Over(_) => ("loss", None),
        };
        assert_eq!((kind, mover), (golden.kind.as_str(), golden.mover), "{line}");
        assert_eq!(kind == "reroll", game.void_roll().is_some(), "{line}");
        if kind != "turns" {
            continue;
        }
        let texts = turn_texts(&rules, game.position());
        let survey = rules.survey(game.position());
        if let Some(list) = golden.list {
            assert_eq!(texts, list, "{line}");
        }
        assert!(texts.is_sorted(), "{line}");
        assert_eq!(Some(texts.len() as u64), golden.turns, "{line}");
        assert_eq!((Some(survey.sequences), Some(survey.ends)), (golden.turns, golden.ends), "{line}");
        assert_eq!(Some(hex::encode(Sha256::digest(texts.join("\n")))), golden.sha256, "{line}");
    }
}

#[test]
fn golden_lines_through_the_binary() {
    let mut engine = Engine::new();
    for (line, golden) in golden() {
        engine.send(&format!("setoption name UCI_Variant value {}", golden.variant));
        // Both ways of giving the dice.
        if golden.turns.unwrap_or(0) % 2 == 0 {
            engine.send(&format!("position fen {} moves {}", golden.dfen, golden.roll));
        } else {
            engine.send(&format!("position fen {}", golden.dfen));
            engine.send(&format!("dice {}", golden.roll));
        }
        let mut answer = engine.legal();
        let last = answer.pop().unwrap();
        let mover = golden.mover.unwrap_or_default();
        let wanted = match golden.kind.as_str() {
            "turns" => {
                format!("legal turns {} ends {} mover {mover}", golden.turns.unwrap(), golden.ends.unwrap())
            }
            "pass" => format!("legal pass mover {mover}"),
            other => format!("legal {other}"),
        };
        assert_eq!(last, wanted, "{line}");
        if golden.kind == "turns" {
            let texts: Vec<&str> = answer.iter().map(|line| line.strip_prefix("legal turn ").unwrap()).collect();
            assert_eq!(Some(hex::encode(Sha256::digest(texts.join("\n")))), golden.sha256, "{line}");
        }
    }
}

#[derive(Deserialize)]
struct Case {
    id: String,
    variant: String,
    fen: String,
    roll: Option<Vec<u8>>,
    expect: serde_json::Map<String, Value>,
    #[serde(default)]
    gave_check: bool,
}

impl Case {
    /// The DFEN; a check given with the last turn shows in the pool.
    fn dfen(&self) -> String {
        if self.gave_check { format!("{} ?", self.fen) } else { self.fen.clone() }
    }

    fn roll_text(&self) -> Option<String> {
        self.roll.as_ref().map(|dice| dice.iter().map(u8::to_string).collect())
    }

    /// The game after the roll, where one is made at all.
    fn game(&self) -> Game {
        let rules = rules(&self.variant);
        let mut game = Game::new(rules, position(&rules, &self.dfen()));
        match (game.status(), self.roll_text()) {
            // Mate, stalemate and no live face are judged before the roll: it is not made.
            (Status::Over(_), _) | (_, None) => {}
            (_, Some(roll)) => game.roll(Roll::parse(&roll).unwrap()).unwrap(),
        }
        game
    }
}

/// A complete turn (Dice Ultimate: a whole round), and the game after it.
struct Line {
    moves: Vec<String>,
    spent: usize,
    after: Game,
}

/// Every line of the game by playing single moves one after another.
fn lines(game: &Game, chained: bool) -> Vec<Line> {
    let mut done = Vec::new();
    let mut open = vec![Line { moves: Vec::new(), spent: 0, after: game.clone() }];
    let begun = game.position().side();
    while let Some(mut line) = open.pop() {
        let position = *line.after.position();
        let same_turn = position.side() == begun && line.after.made() as usize == line.moves.len();
        let goes_on = if chained { !position.awaits_roll() } else { same_turn };
        match line.after.status() {
            Status::Pass(_) if chained => {
                line.after.pass().unwrap();
                open.push(line);
            }
            Status::Decide(side) if goes_on => {
                if position.pool().is_optional() {
                    let mut passed = line.after.clone();
                    passed.pass().unwrap();
                    done.push(Line { moves: line.moves.clone(), spent: line.spent, after: passed });
                }
                for (mv, _) in line.after.rules().steps(&position) {
                    let text = move_text(mv, Style::Orthodox);
                    let text = if chained { format!("{}:{text}", side.letter()) } else { text };
                    let mut after = line.after.clone();
                    after.play(mv).unwrap();
                    let moves = [line.moves.clone(), vec![text]].concat();
                    let spent = line.spent + mv.cost(after.rules().variant);
                    open.push(Line { moves, spent, after });
                }
            }
            _ => done.push(line),
        }
    }
    done
}

fn list(value: &Value) -> Vec<Vec<String>> {
    let text = |value: &Value| value.as_str().unwrap().to_string();
    let entry = |value: &Value| match value {
        Value::String(_) => vec![text(value)],
        _ => value.as_array().unwrap().iter().map(text).collect(),
    };
    value.as_array().unwrap().iter().map(entry).collect()
}

fn set(lists: Vec<Vec<String>>) -> BTreeSet<Vec<String>> {
    lists.into_iter().collect()
}

fn check_key(case: &Case, key: &str, value: &Value, game: &Game, lines: &[Line]) {
    let id = &case.id;
    let all = || set(lines.iter().map(|line| line.moves.clone()).collect());
    let find = |moves: &Vec<String>| {
        lines.iter().find(|line| line.moves == *moves).unwrap_or_else(|| panic!("{id}: {key}: {moves:?} is missing"))
    };
    let over = |line: &Line| match line.after.status() {
        Status::Over(outcome) => Some(outcome),
        _ => None,
    };
    let mover = game.position().side();
    match key {
        "moves" | "turns" => assert_eq!(all(), set(list(value)), "{id}: {key}"),
        "first_moves" => {
            let first = lines.iter().map(|line| line.moves[..1].to_vec()).collect();
            assert_eq!(set(first), set(list(value)), "{id}: {key}");
        }
        "n_turns" => assert_eq!(lines.len() as u64, value.as_u64().unwrap(), "{id}: {key}"),
        "include" => assert!(list(value).iter().all(|moves| !find(moves).moves.is_empty() || moves.is_empty())),
        "not_terminal" => list(value).iter().for_each(|moves| assert_eq!(over(find(moves)), None, "{id}: {key}")),
        "wins" => {
            for moves in list(value) {
                let line = find(&moves);
                let winner = if moves[0].starts_with("b:") { Some(Color::Black) } else { mover };
                assert_eq!(over(line).and_then(|outcome| outcome.winner), winner, "{id}: {key} {moves:?}");
            }
        }
        "mates" => {
            for moves in list(value) {
                let wanted = Outcome::win(mover.unwrap(), Reason::Mate);
                assert_eq!(over(find(&moves)), Some(wanted), "{id}: {key} {moves:?}");
            }
        }
        "losses" => {
            let loser = |line: &&Line| over(line).is_some_and(|outcome| outcome.winner == mover.map(Color::other));
            let lost = lines.iter().filter(loser).map(|line| line.moves.clone()).collect();
            assert_eq!(set(lost), set(list(value)), "{id}: {key}");
        }
        "exclude" => list(value).iter().for_each(|moves| assert!(!all().contains(moves), "{id}: {key} {moves:?}")),
        "exclude_first" => {
            for moves in list(value) {
                assert!(lines.iter().all(|line| line.moves[..1] != moves[..]), "{id}: {key} {moves:?}");
            }
        }
        "dice_used" => {
            let used = value.as_u64().unwrap() as usize;
            assert!(lines.iter().all(|line| line.spent == used || over(line).is_some()), "{id}: {key}");
        }
        "mover" => assert_eq!(game.position().side().and_then(letter).as_deref(), value.as_str(), "{id}: {key}"),
        "outcome" => {
            let side = case.expect.get("side").and_then(Value::as_str);
            let seen = match game.status() {
                Status::Pass(_) => "pass",
                Status::Roll if game.void_roll().is_some() => "reroll",
                Status::Over(Outcome { reason: Reason::Stalemate, .. }) if value == "stalemate" => "stalemate",
                Status::Over(Outcome { winner: None, .. }) => "draw",
                Status::Over(Outcome { winner: Some(winner), reason }) => {
                    assert_eq!(letter(winner.other()).as_deref(), side, "{id}: side");
                    if reason == Reason::Mate { "mate" } else { "loss" }
                }
                other => panic!("{id}: {other:?}"),
            };
            assert_eq!(seen, value.as_str().unwrap(), "{id}: {key}");
        }
        "side" => assert!(case.expect.contains_key("outcome"), "{id}: a side without an outcome"),
        _ => panic!("{id}: no check for the key {key}"),
    }
}

fn cases() -> Vec<Case> {
    let cases: Vec<Case> = serde_json::from_str(&data("rules_cases.json")).unwrap();
    assert!(cases.len() > 80);
    cases
}

#[test]
fn rules_cases() {
    for case in cases() {
        let game = case.game();
        let lines = match game.status() {
            Status::Decide(_) | Status::Pass(_) => lines(&game, case.variant == "diceultimate"),
            _ => Vec::new(),
        };
        assert!(!case.expect.is_empty(), "{}", case.id);
        for (key, value) in &case.expect {
            check_key(&case, key, value, &game, &lines);
        }
    }
}

/// The binary's `legal` says of every case what the library says.
#[test]
fn rules_cases_through_the_binary() {
    let mut engine = Engine::new();
    for case in cases() {
        engine.send(&format!("setoption name UCI_Variant value {}", case.variant));
        engine.send(&format!("position fen {}", case.dfen()));
        let game = case.game();
        let wanted = match game.status() {
            Status::Over(outcome) => format!("legal result {outcome}"),
            Status::Roll => "legal reroll".to_string(),
            Status::Pass(side) => format!("legal pass mover {}", side.letter()),
            Status::Decide(side) => {
                let survey = game.rules().survey(game.position());
                format!("legal turns {} ends {} mover {}", survey.sequences, survey.ends, side.letter())
            }
        };
        if let Some(roll) = case.roll_text() {
            let judged_before =
                matches!(Game::new(*game.rules(), position(game.rules(), &case.dfen())).status(), Status::Over(_));
            let said = engine.ask(&format!("dice {roll}"));
            assert_eq!(said.iter().any(|line| line.contains("error: ")), judged_before, "{}", case.id);
        }
        let mut answer = engine.legal();
        assert_eq!(answer.pop().unwrap(), wanted, "{}", case.id);
        if let Status::Decide(_) = game.status() {
            let texts: Vec<String> =
                answer.iter().map(|line| line.strip_prefix("legal turn ").unwrap().to_string()).collect();
            assert_eq!(texts, turn_texts(game.rules(), game.position()), "{}", case.id);
        }
    }
}

#[derive(Deserialize)]
struct Capture {
    name: String,
    dfen: String,
    winning_outcomes: u32,
    of: u32,
}

#[test]
fn king_capture_odds() {
    let captures: Vec<Capture> = serde_json::from_str(&data("king_capture.json")).unwrap();
    let rules = rules("dicechess");
    let mut engine = Engine::new();
    assert_eq!(captures.len(), 16);
    for capture in captures {
        match rules.threat(&position(&rules, &capture.dfen)) {
            Threat::Mover(odds) => {
                assert_eq!((odds.favourable, odds.total), (capture.winning_outcomes, capture.of), "{}", capture.name);
            }
            other => panic!("{}: {other:?}", capture.name),
        }
        engine.send(&format!("position fen {}", capture.dfen));
        engine.send("threat");
        let wanted = format!("threat king {}/{}", capture.winning_outcomes, capture.of);
        assert_eq!(engine.until("threat"), [wanted], "{}", capture.name);
    }
}

/// The sample game of the two-dice variant, from one line with its rolls and passes.
#[test]
fn the_sample_game_replays_from_one_line() {
    let mut engine = Engine::of("dicecheckmate");
    engine.send("position startpos moves 33 e2e4 23 b8c6 34 f1c4 45 a8b8 36 c4f7 24 0000 24 g1f3 13 0000 24 f3g5");
    assert_eq!(engine.legal(), ["legal result 1-0 mate"]);
    // The passes are forced: a following roll implies them.
    engine.send("position startpos moves 33 e2e4 23 b8c6 34 f1c4 45 a8b8 36 c4f7 24 24 g1f3 13 24 f3g5");
    assert_eq!(engine.legal(), ["legal result 1-0 mate"]);
}

/// Positions from public bug reports of a peer.
#[test]
fn reported_positions() {
    let mut engine = Engine::new();
    let mut turns = |dfen: &str, roll: &str| -> Vec<String> {
        engine.send(&format!("position fen {dfen} moves {roll}"));
        let answer = engine.legal();
        answer.iter().filter_map(|line| line.strip_prefix("legal turn ").map(str::to_string)).collect()
    };
    let has = |turns: &[String], turn: &str| turns.iter().any(|known| known == turn);

    let found = turns("1rNk2nr/1ppp1ppp/4q3/2b5/1n1Pp3/5N2/PPPQPPPP/1RBK1B1R b - d3 2 4", "124");
    assert_eq!(found.len(), 1943);
    assert!(has(&found, "b8c8,e4d3,g8f6"));
    let found = turns("8/8/8/2k5/8/1N6/2P5/K7 w - - 0 1", "112");
    assert_eq!(found.len(), 16);
    assert!(found.iter().any(|turn| turn.starts_with("c2c4,")));
    let found = turns("8/P1B5/1k6/8/8/8/7P/4K3 w - - 0 1", "112");
    assert_eq!(found.len(), 19);
    assert!(has(&found, "a7a8q,h2h3"));
    let found = turns("6kN/8/6p1/7P/8/8/8/4K3 w - - 0 1", "111");
    assert_eq!(found, ["h5g6,g6g7", "h5h6,h6h7,h7g8"]);
}

/// The mark `x` as rules.md explains it.
#[test]
fn a_spoilt_turn_is_marked() {
    let mut engine = Engine::new();
    engine.send("position fen 8/8/8/2k5/8/1N6/2P5/K7 w - - 0 1 moves 112 c2c4");
    let shown = engine.ask("d");
    assert!(shown.contains(&"dfen 8/8/8/2k5/2P5/1N6/8/K7 w - c3 0 1 PNx".to_string()), "{shown:?}");
    assert_eq!(engine.legal(), ["legal turn b3c5", "legal turns 1 ends 1 mover w"]);
    engine.send("position fen 8/8/8/2k5/2P5/1N6/8/K7 w - c3 0 1 PNx");
    assert_eq!(engine.legal(), ["legal turn b3c5", "legal turns 1 ends 1 mover w"]);
}

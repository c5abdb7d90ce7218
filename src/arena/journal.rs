//! Finished games as records: PGN, and JSON Lines with everything that is known.

use super::referee::{Match, Played};
use super::schedule::Scheduled;
use crate::dice::Roll;
use crate::notation::{GameRecord, Style, turn_text};
use crate::position::Position;
use serde::Serialize;

/// What the records of a match have in common.
pub struct Frame<'a> {
    /// The name of the event.
    pub event: &'a str,
    /// Where it takes place.
    pub site: &'a str,
    /// The day, `2026.11.30`.
    pub date: &'a str,
    /// The variant's name.
    pub variant: &'static str,
    /// How castling is written.
    pub style: Style,
}

/// A finished game, with the names and paces of its players, White's first.
pub struct Finished<'a> {
    /// Its place in the match.
    pub game: &'a Scheduled,
    /// The names.
    pub names: [&'a str; 2],
    /// The time controls as the PGN tag has them.
    pub paces: [String; 2],
    /// Where it started.
    pub start: Position,
    /// The DFEN where that is not the array.
    pub dfen: Option<&'a str>,
    /// What was played.
    pub played: &'a Match,
}

impl Finished<'_> {
    /// The record of the game.
    pub fn record(&self, frame: &Frame) -> GameRecord {
        let [white, black] = self.names;
        let [white_pace, black_pace] = &self.paces;
        let ending = &self.played.ending;
        let mut tags: Vec<(String, String)> = Vec::new();
        let mut tag = |name: &str, value: &str| tags.push((name.to_string(), value.to_string()));
        tag("Event", frame.event);
        tag("Site", frame.site);
        tag("Date", frame.date);
        tag("Round", &format!("{}.{}", self.game.round, self.game.of_pair + 1));
        tag("White", white);
        tag("Black", black);
        tag("Result", ending.result());
        tag("GameNumber", &self.game.number.to_string());
        if white_pace == black_pace {
            tag("TimeControl", white_pace);
        } else {
            tag("WhiteTimeControl", white_pace);
            tag("BlackTimeControl", black_pace);
        }
        tag("Termination", ending.termination());
        tag("Outcome", &ending.to_string());
        GameRecord {
            tags,
            variant: frame.variant,
            start: self.start,
            turns: self.played.turns.iter().map(|turn| turn.record.clone()).collect(),
            last_rolls: self.played.last_rolls.clone(),
            result: ending.result().to_string(),
        }
    }

    /// The game as a line of JSON.
    pub fn json(&self, frame: &Frame) -> serde_json::Result<String> {
        let [white, black] = self.names;
        let ending = &self.played.ending;
        serde_json::to_string(&JsonGame {
            schema: 1,
            event: frame.event,
            date: frame.date,
            variant: frame.variant,
            game: self.game.number,
            round: self.game.round,
            pair: self.game.pair,
            white,
            black,
            time_control: &self.paces,
            start: self.dfen.unwrap_or("startpos"),
            result: ending.result(),
            termination: ending.termination(),
            outcome: ending.to_string(),
            turns: self.played.turns.iter().map(|turn| JsonTurn::of(turn, frame.style)).collect(),
            last_rolls: texts(&self.played.last_rolls),
        })
    }
}

#[derive(Serialize)]
struct JsonGame<'a> {
    schema: u32,
    event: &'a str,
    date: &'a str,
    variant: &'a str,
    game: u64,
    round: u64,
    pair: u64,
    white: &'a str,
    black: &'a str,
    time_control: &'a [String; 2],
    start: &'a str,
    result: &'a str,
    termination: &'a str,
    outcome: String,
    turns: Vec<JsonTurn>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    last_rolls: Vec<String>,
}

#[derive(Serialize)]
struct JsonTurn {
    side: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rolls: Vec<String>,
    turn: String,
    time_us: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expectation: Option<f64>,
}

impl JsonTurn {
    fn of(played: &Played, style: Style) -> JsonTurn {
        let (record, thought) = (&played.record, &played.thought);
        JsonTurn {
            side: if played.side.index() == 0 { "w" } else { "b" },
            rolls: texts(&record.rolls),
            turn: turn_text(&record.moves, style, ","),
            time_us: played.time.as_micros() as u64,
            clock_ms: record.clock.map(|clock| clock.as_millis() as u64),
            depth: thought.depth,
            nodes: thought.nodes,
            cp: thought.cp,
            mate: thought.mate,
            expectation: thought.expectation,
        }
    }
}

fn texts(rolls: &[Roll]) -> Vec<String> {
    rolls.iter().map(Roll::to_string).collect()
}

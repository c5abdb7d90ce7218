//! Finished games as records: PGN, and JSON Lines with everything that is known, which are the journal of a match.

use super::referee::{Match, Played};
use super::schedule::Scheduled;
use super::tournament::End;
use crate::board::Color;
use crate::dice::{FairDice, Roll};
use crate::notation::{
    GameRecord, RESULTS, RecordError, Style, TurnRecord, from_dfen, move_text, shown, to_dfen, turn_text,
};
use crate::position::{Position, Rigour, SingleMove};
use crate::turns::{Game, Rules};
use crate::variant::find;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What stands for a seed as long as the pair is not over.
pub const PENDING: &str = "pending";

/// What the records of a match have in common.
pub struct Frame<'a> {
    /// What tells the match apart from others.
    pub id: &'a str,
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
    /// The client seeds of both seats.
    pub clients: &'a [String; 2],
}

/// A finished game, with the names and paces of its players, White's first.
pub struct Finished<'a> {
    /// Its place in the match.
    pub game: &'a Scheduled,
    /// The names.
    pub names: [&'a str; 2],
    /// The time controls as the PGN tag has them.
    pub paces: [String; 2],
    /// The DFEN of the start where that is not the array.
    pub dfen: Option<&'a str>,
    /// What was played.
    pub played: &'a Match,
    /// Its dice; none in a game without.
    pub dice: Option<&'a FairDice>,
    /// Whether their secret may be told: all games of the pair are over.
    pub is_open: bool,
}

/// A game as a line of the journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The form of the line.
    pub schema: u32,
    /// The match.
    #[serde(rename = "match", default)]
    pub id: String,
    /// The tags of the same names.
    pub event: String,
    #[serde(default = "unknown")]
    #[allow(missing_docs)]
    pub site: String,
    #[allow(missing_docs)]
    pub date: String,
    /// The game, by name.
    pub variant: String,
    /// Its number in the match, from 1.
    pub game: u64,
    /// The round, from 1.
    pub round: u64,
    /// The pair, from 0.
    pub pair: u64,
    /// The game's place in the pair, from 0.
    #[serde(default)]
    pub of_pair: u64,
    /// The players.
    pub white: String,
    #[allow(missing_docs)]
    pub black: String,
    /// Their time controls.
    pub time_control: [String; 2],
    /// The DFEN, or `startpos`.
    pub start: String,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// The kind of end.
    pub termination: String,
    /// How it ended.
    pub outcome: String,
    /// Where the dice come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dice: Option<Proof>,
    /// What was played.
    pub turns: Vec<EntryTurn>,
    /// Throws after the last turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub last_rolls: Vec<String>,
}

fn unknown() -> String {
    "?".to_string()
}

/// What it takes to recompute the dice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Proof {
    /// The SHA-256 of the secret, told before the first game of the pair.
    pub commit: String,
    /// The secret, told when both are over; until then `pending`.
    pub seed: String,
    /// The client seeds of White's and Black's seat.
    pub clients: [String; 2],
}

/// A turn in the journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct EntryTurn {
    pub side: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rolls: Vec<String>,
    pub turn: String,
    #[serde(default)]
    pub time_us: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cp: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expectation: Option<f64>,
}

const SCHEMA: u32 = 2;

impl Finished<'_> {
    /// The game as an entry of the journal.
    pub fn entry(&self, frame: &Frame) -> Entry {
        let [white, black] = self.names.map(str::to_string);
        let ending = &self.played.ending;
        let proof = |dice: &FairDice| Proof {
            commit: dice.commit(),
            seed: if self.is_open { dice.reveal() } else { PENDING.to_string() },
            clients: frame.clients.clone(),
        };
        Entry {
            schema: SCHEMA,
            id: frame.id.to_string(),
            event: frame.event.to_string(),
            site: frame.site.to_string(),
            date: frame.date.to_string(),
            variant: frame.variant.to_string(),
            game: self.game.number,
            round: self.game.round,
            pair: self.game.pair,
            of_pair: self.game.of_pair,
            white,
            black,
            time_control: self.paces.clone(),
            start: self.dfen.unwrap_or("startpos").to_string(),
            result: ending.result().to_string(),
            termination: ending.termination().to_string(),
            outcome: ending.to_string(),
            dice: self.dice.map(proof),
            turns: self.played.turns.iter().map(|turn| EntryTurn::of(turn, frame.style)).collect(),
            last_rolls: texts(&self.played.last_rolls),
        }
    }
}

impl EntryTurn {
    fn of(played: &Played, style: Style) -> EntryTurn {
        let (record, thought) = (&played.record, &played.thought);
        EntryTurn {
            depth: thought.depth,
            nodes: thought.nodes,
            cp: thought.cp,
            mate: thought.mate,
            time_us: played.time.as_micros() as u64,
            ..EntryTurn::plain(played.side, record, style)
        }
    }

    fn plain(side: Color, record: &TurnRecord, style: Style) -> EntryTurn {
        EntryTurn {
            side: side.letter().to_string(),
            rolls: texts(&record.rolls),
            turn: turn_text(&record.moves, style, ","),
            time_us: 0,
            clock_ms: record.clock.map(|clock| clock.as_millis() as u64),
            depth: None,
            nodes: None,
            cp: None,
            mate: None,
            expectation: record.expectation,
        }
    }
}

fn texts(rolls: &[Roll]) -> Vec<String> {
    rolls.iter().map(Roll::to_string).collect()
}

impl Entry {
    /// Reads a line of a journal.
    pub fn parse(line: &str) -> Result<Entry, String> {
        let entry: Entry = serde_json::from_str(line).map_err(|error| error.to_string())?;
        if entry.schema == 0 || entry.schema > SCHEMA {
            return Err(format!("its schema is {}, not {SCHEMA}", entry.schema));
        }
        Ok(entry)
    }

    /// The entry as a line, without its end.
    pub fn line(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    /// What the standings need to know.
    pub fn end(&self) -> End {
        let winner = match self.result.as_str() {
            "1-0" => Some(Color::White),
            "0-1" => Some(Color::Black),
            _ => None,
        };
        let kind = if self.termination == "normal" { &self.outcome } else { &self.termination };
        End { winner, kind: kind.clone(), turns: self.turns.len() }
    }

    /// The game as a record, its moves as they can be played.
    pub fn record(&self) -> Result<GameRecord, String> {
        let variant =
            find(&self.variant).ok_or_else(|| format!("the variant '{}' is not known", shown(&self.variant)))?;
        let rules = Rules::new(variant);
        let start = match self.start.as_str() {
            "startpos" => Position::start(variant),
            dfen => {
                let parsed = from_dfen(&rules, dfen, variant.chess960, Rigour::Lenient);
                parsed.map_err(|error| RecordError::Start(error.to_string()).to_string())?.position
            }
        };
        if !RESULTS.contains(&self.result.as_str()) {
            return Err(format!("the result '{}' is none", shown(&self.result)));
        }
        let mut game = Game::new(rules, start);
        let mut turns = Vec::new();
        for (number, turn) in (1..).zip(&self.turns) {
            let record = turn.record(&mut game).map_err(|error| format!("turn {number}: {error}"))?;
            turns.push(record);
        }
        let last_rolls = rolls(&self.last_rolls)?;
        let tags = self.tags();
        Ok(GameRecord { tags, variant: variant.name, start, turns, last_rolls, result: self.result.clone() })
    }

    fn tags(&self) -> Vec<(String, String)> {
        let mut tags: Vec<(String, String)> = Vec::new();
        let mut tag = |name: &str, value: &str| tags.push((name.to_string(), value.to_string()));
        tag("Event", &self.event);
        tag("Site", &self.site);
        tag("Date", &self.date);
        tag("Round", &format!("{}.{}", self.round, self.of_pair + 1));
        tag("White", &self.white);
        tag("Black", &self.black);
        tag("Result", &self.result);
        tag("GameNumber", &self.game.to_string());
        tag("Pair", &self.pair.to_string());
        let [white, black] = &self.time_control;
        if white == black {
            tag("TimeControl", white);
        } else {
            tag("WhiteTimeControl", white);
            tag("BlackTimeControl", black);
        }
        tag("Termination", &self.termination);
        tag("Outcome", &self.outcome);
        if !self.id.is_empty() {
            tag("MatchId", &self.id);
        }
        if let Some(Proof { commit, seed, clients }) = &self.dice {
            tag("DiceCommit", commit);
            tag("DiceSeed", seed);
            tag("DiceClients", &serde_json::to_string(clients).unwrap_or_default());
        }
        tags
    }

    /// The entry of a record, as far as that goes.
    pub fn of(record: &GameRecord, style: Style) -> Result<Entry, String> {
        let text = |name: &str| record.tag(name).unwrap_or("?").to_string();
        let number = |name: &str| record.tag(name).and_then(|value| value.parse().ok()).unwrap_or(0);
        let (round, of_pair) = record.tag("Round").and_then(|round| round.split_once('.')).unwrap_or(("0", "1"));
        let pace = |name: &str| record.tag(name).or(record.tag("TimeControl")).unwrap_or("-").to_string();
        let variant = find(record.variant).ok_or("its variant is not known")?;
        let rules = Rules::new(variant);
        let mut game = Game::new(rules, record.start);
        let mut turns = Vec::new();
        for turn in &record.turns {
            for roll in &turn.rolls {
                game.roll(*roll).map_err(|error| error.to_string())?;
            }
            let side = game.position().side().unwrap_or(Color::White);
            turns.push(EntryTurn::plain(side, turn, style));
            play(&mut game, &turn.moves)?;
        }
        let array = record.start == Position::start(variant);
        Ok(Entry {
            schema: SCHEMA,
            id: record.tag("MatchId").unwrap_or_default().to_string(),
            event: text("Event"),
            site: text("Site"),
            date: text("Date"),
            variant: record.variant.to_string(),
            game: number("GameNumber"),
            round: round.parse().unwrap_or(0),
            pair: number("Pair"),
            of_pair: of_pair.parse::<u64>().unwrap_or(1).saturating_sub(1),
            white: text("White"),
            black: text("Black"),
            time_control: [pace("WhiteTimeControl"), pace("BlackTimeControl")],
            start: if array { "startpos".to_string() } else { to_dfen(&rules, &record.start) },
            result: record.result.clone(),
            termination: text("Termination"),
            outcome: text("Outcome"),
            dice: proof(record)?,
            turns,
            last_rolls: texts(&record.last_rolls),
        })
    }
}

/// What a record says of its dice; none where it says nothing.
pub fn proof(record: &GameRecord) -> Result<Option<Proof>, String> {
    let (Some(commit), Some(seed)) = (record.tag("DiceCommit"), record.tag("DiceSeed")) else { return Ok(None) };
    let clients = record.tag("DiceClients").ok_or("the client seeds are missing")?;
    let clients = serde_json::from_str(clients).map_err(|error| format!("the client seeds: {error}"))?;
    Ok(Some(Proof { commit: commit.to_string(), seed: seed.to_string(), clients }))
}

fn play(game: &mut Game, moves: &[SingleMove]) -> Result<(), String> {
    if moves.is_empty() {
        return game.pass().map_err(|error| error.to_string());
    }
    moves.iter().try_for_each(|&mv| game.play(mv)).map_err(|error| error.to_string())
}

fn rolls(texts: &[String]) -> Result<Vec<Roll>, String> {
    let roll = |text: &String| Roll::parse(text).ok_or_else(|| format!("'{}' is no roll", shown(text)));
    texts.iter().map(roll).collect()
}

impl EntryTurn {
    /// The turn as it can be played in a game, which goes on by it.
    fn record(&self, game: &mut Game) -> Result<TurnRecord, String> {
        let rolls = rolls(&self.rolls)?;
        for &roll in &rolls {
            game.roll(roll).map_err(|error| format!("'{roll}': {error}"))?;
        }
        let mut moves = Vec::new();
        for word in self.turn.split(',').filter(|_| self.turn != "0000") {
            let mut all = Vec::new();
            game.rules().single_moves(game.position(), &mut all);
            let is = |mv: &SingleMove, style: Style| move_text(*mv, style) == word;
            let named = |style: Style| all.iter().copied().find(|mv| is(mv, style));
            let found = named(Style::Orthodox).or_else(|| named(Style::Chess960));
            let mv = found.ok_or_else(|| format!("'{}' is no move here", shown(word)))?;
            game.play(mv).map_err(|error| format!("'{word}': {error}"))?;
            moves.push(mv);
        }
        if moves.is_empty() {
            game.pass().map_err(|error| format!("'0000': {error}"))?;
        }
        let clock = self.clock_ms.map(Duration::from_millis);
        Ok(TurnRecord { rolls, moves, clock, expectation: self.expectation, ..TurnRecord::default() })
    }
}

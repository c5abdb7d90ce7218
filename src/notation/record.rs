//! Game records: what was thrown and played, as PGN that PGN tools can read.
//!
//! The dice stand in a comment before the turn, `{[%dice 124]}`; a throw that does not count stands there too. A turn is
//! its single moves one after another, a pass is `--`. After a turn a comment may tell the clock and what its engine
//! expected: `{[%clk 0:00:09.500] [%expect 0.5321]}`; an analysis adds `[%luck 0.0312] [%err 0.0041]` and glyphs.

use super::{Style, from_dfen, move_text, parse_san, san, shown, to_dfen};
use crate::board::Color;
use crate::dice::{FairDice, Roll};
use crate::position::{Position, Rigour, SingleMove};
use crate::turns::{Game, PlayError, Rules, Status};
use crate::variant::{DEFAULT, Variant, find};
use std::fmt::Write;
use std::time::Duration;
use thiserror::Error;

/// What happened in one turn.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TurnRecord {
    /// The throws before it: those that did not count, then the one that did; none where none was due.
    pub rolls: Vec<Roll>,
    /// The single moves; none in a pass.
    pub moves: Vec<SingleMove>,
    /// The mover's clock after the turn.
    pub clock: Option<Duration>,
    /// The expected score that the mover gave, 0 to 1.
    pub expectation: Option<f64>,
    /// His luck in the throw, as a share of a game.
    pub luck: Option<f64>,
    /// What the best turn would have brought more.
    pub error: Option<f64>,
    /// The number of the glyph (NAG) that judges the turn.
    pub glyph: Option<u8>,
}

/// A whole game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRecord {
    /// The tags in order, those of the start position and the variant left out.
    pub tags: Vec<(String, String)>,
    /// The rules.
    pub variant: &'static str,
    /// Where it started.
    pub start: Position,
    /// What was played.
    pub turns: Vec<TurnRecord>,
    /// Throws after the last turn that led to none.
    pub last_rolls: Vec<Roll>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
}

/// What a record leaves out: managers that know no dice write chess.
#[derive(Clone)]
pub struct Assumed {
    /// The game where no tag names one.
    pub variant: &'static Variant,
    /// Where no dice are told they follow from this, and every move must obey them.
    pub dice: Option<FairDice>,
}

impl Default for Assumed {
    fn default() -> Assumed {
        Assumed { variant: DEFAULT, dice: None }
    }
}

/// How a game may have ended; the last, that it has not.
pub const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// What is wrong with a record.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum RecordError {
    /// A tag pair that is none.
    #[error("'{0}' is not a tag")]
    Tag(String),
    /// A variant that is not known.
    #[error("the variant '{0}' is not known")]
    Variant(String),
    /// A start position that cannot be.
    #[error("the start position: {0}")]
    Start(String),
    /// Something in the moves that is no move of the position.
    #[error("turn {turn}: '{token}' is no move here")]
    Move {
        /// The turn's number in the record, from 1.
        turn: usize,
        /// What stands there.
        token: String,
    },
    /// A roll or a pass that cannot be.
    #[error("turn {turn}: '{token}': {error}")]
    Play {
        /// The turn's number in the record, from 1.
        turn: usize,
        /// What stands there.
        token: String,
        /// Why not.
        error: PlayError,
    },
    /// A comment, variation or tag that does not end.
    #[error("the record breaks off inside {0}")]
    Open(&'static str),
}

impl GameRecord {
    /// The tag of a name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The record as PGN, its moves in SAN, a blank line at its end.
    pub fn to_pgn(&self) -> String {
        let Some(variant) = find(self.variant) else { return String::new() };
        let rules = Rules::new(variant);
        let mut text = String::new();
        let mut tag = |name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(char::is_control, " ");
            let _ = writeln!(text, "[{name} \"{value}\"]");
        };
        self.tags.iter().for_each(|(name, value)| tag(name, value));
        tag("Variant", self.variant);
        if self.start != Position::start(variant) {
            tag("SetUp", "1");
            tag("FEN", &to_dfen(&rules, &self.start));
        }
        text.push('\n');
        let mut lines = Wrapped::default();
        let mut game = Game::new(rules, self.start);
        for turn in &self.turns {
            write_turn(&mut lines, &mut game, turn);
        }
        self.last_rolls.iter().for_each(|roll| lines.add(&format!("{{[%dice {roll}]}}")));
        lines.add(&self.result);
        text.push_str(&lines.finish());
        text.push('\n');
        text
    }

    /// Reads the games of a PGN text, one after another.
    pub fn read_all(text: &str) -> impl Iterator<Item = Result<GameRecord, RecordError>> + '_ {
        GameRecord::read_all_as(text, Assumed::default())
    }

    /// Reads the games of a PGN text that does not say everything.
    pub fn read_all_as(text: &str, assumed: Assumed) -> impl Iterator<Item = Result<GameRecord, RecordError>> + '_ {
        GameRecord::split(text).map(move |game| read_game(game, &assumed))
    }

    /// The texts of the games of a PGN text.
    pub fn split(text: &str) -> impl Iterator<Item = &str> {
        let mut rest = text;
        std::iter::from_fn(move || {
            rest = rest.trim_start();
            if rest.is_empty() {
                return None;
            }
            let (game, after) = split_game(rest);
            rest = after;
            Some(game)
        })
    }
}

fn write_turn(lines: &mut Wrapped, game: &mut Game, turn: &TurnRecord) {
    for roll in &turn.rolls {
        // The record was made by play: what it holds can be played again.
        let _ = game.roll(*roll);
    }
    let dots = if mover(game) == Some(Color::Black) { "..." } else { "." };
    lines.add(&format!("{}{dots}", game.position().fullmove()));
    for roll in &turn.rolls {
        lines.add(&format!("{{[%dice {roll}]}}"));
    }
    if turn.moves.is_empty() {
        lines.add("--");
        let _ = game.pass();
    }
    for &mv in &turn.moves {
        lines.add(&san(game.rules(), game.position(), mv));
        let _ = game.play(mv);
    }
    let mut notes = Vec::new();
    if let Some(clock) = turn.clock {
        let millis = clock.as_millis();
        let (seconds, millis) = (millis / 1000, millis % 1000);
        notes.push(format!("[%clk {}:{:02}:{:02}.{millis:03}]", seconds / 3600, seconds / 60 % 60, seconds % 60));
    }
    if let Some(expectation) = turn.expectation {
        notes.push(format!("[%expect {expectation:.4}]"));
    }
    for (name, share) in [("luck", turn.luck), ("err", turn.error)] {
        notes.extend(share.map(|share| format!("[%{name} {share:.4}]")));
    }
    if let Some(glyph) = turn.glyph {
        lines.add(&format!("${glyph}"));
    }
    if !notes.is_empty() {
        lines.add(&format!("{{{}}}", notes.join(" ")));
    }
}

/// Who moves or passes.
fn mover(game: &Game) -> Option<Color> {
    match game.status() {
        Status::Decide(side) | Status::Pass(side) => Some(side),
        _ => game.position().side(),
    }
}

/// Words in lines of at most 80 characters.
#[derive(Default)]
struct Wrapped {
    text: String,
    column: usize,
}

impl Wrapped {
    fn add(&mut self, word: &str) {
        if self.column > 0 && self.column + 1 + word.len() > 80 {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += word.len();
    }

    fn finish(mut self) -> String {
        self.text.push('\n');
        self.text
    }
}

/// The first game of a text and what follows: a tag after movetext begins the next.
fn split_game(text: &str) -> (&str, &str) {
    let mut at = 0;
    let mut moves = false;
    let mut comment = false;
    for line in text.split_inclusive('\n') {
        let begins_tag = !comment && line.trim_start().starts_with('[');
        if begins_tag && moves {
            break;
        }
        if !begins_tag {
            moves |= !line.trim().is_empty();
            for letter in line.chars() {
                match letter {
                    '{' => comment = true,
                    '}' => comment = false,
                    _ => {}
                }
            }
        }
        at += line.len();
    }
    text.split_at(at)
}

fn read_game(text: &str, assumed: &Assumed) -> Result<GameRecord, RecordError> {
    let mut tags = Vec::new();
    let mut movetext = text;
    loop {
        let line = movetext.trim_start();
        if !line.starts_with('[') {
            break;
        }
        let end = line.find('\n').unwrap_or(line.len());
        let (tag, rest) = line.split_at(end);
        tags.push(read_tag(tag.trim())?);
        movetext = rest;
    }
    let mut taken = |name: &str| {
        let at = tags.iter().position(|(known, _): &(String, String)| known == name)?;
        Some(tags.remove(at).1)
    };
    let variant = match taken("Variant") {
        Some(name) => find(&name).ok_or_else(|| RecordError::Variant(shown(&name)))?,
        None => assumed.variant,
    };
    let rules = Rules::new(variant);
    taken("SetUp");
    let start = match taken("FEN") {
        None => Position::start(variant),
        Some(dfen) => {
            from_dfen(&rules, &dfen, true, Rigour::Lenient)
                .map_err(|error| RecordError::Start(error.to_string()))?
                .position
        }
    };
    let mut reader = Reader {
        game: Game::new(rules, start),
        dice: assumed.dice.clone().filter(|_| variant.has_dice()),
        turns: Vec::new(),
        current: TurnRecord::default(),
        result: "*".to_string(),
    };
    reader.read(movetext)?;
    let last_rolls = std::mem::take(&mut reader.current.rolls);
    Ok(GameRecord { tags, variant: variant.name, start, turns: reader.turns, last_rolls, result: reader.result })
}

fn read_tag(line: &str) -> Result<(String, String), RecordError> {
    let wrong = || RecordError::Tag(shown(line));
    let inner = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')).ok_or_else(wrong)?;
    let (name, value) = inner.trim().split_once(char::is_whitespace).ok_or_else(wrong)?;
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || "_+#=:-".contains(letter);
    if name.is_empty() || !name.chars().all(is_of_name) {
        return Err(wrong());
    }
    let value = value.trim().strip_prefix('"').and_then(|value| value.strip_suffix('"')).ok_or_else(wrong)?;
    let mut plain = String::new();
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        plain.extend(if letter == '\\' { letters.next() } else { Some(letter) });
    }
    Ok((name.to_string(), plain))
}

struct Reader {
    game: Game,
    dice: Option<FairDice>,
    turns: Vec<TurnRecord>,
    current: TurnRecord,
    result: String,
}

impl Reader {
    fn read(&mut self, text: &str) -> Result<(), RecordError> {
        let mut rest = text.trim_start();
        while let Some(letter) = rest.chars().next() {
            rest = match letter {
                '{' => {
                    let (comment, after) = rest.split_once('}').ok_or(RecordError::Open("a comment"))?;
                    self.comment(comment.trim_start_matches('{'))?;
                    after
                }
                ';' => rest.split_once('\n').map_or("", |(_, after)| after),
                '(' => after_variation(rest)?,
                _ => {
                    let end = rest.find([' ', '\t', '\r', '\n', '{', '(', ';']).unwrap_or(rest.len());
                    let (token, after) = rest.split_at(end);
                    self.token(token)?;
                    after
                }
            }
            .trim_start();
        }
        self.end_turn();
        Ok(())
    }

    /// The number of the turn being read.
    fn number(&self) -> usize {
        self.turns.len() + 1
    }

    fn comment(&mut self, comment: &str) -> Result<(), RecordError> {
        for command in comment.split("[%").skip(1) {
            let Some((command, _)) = command.split_once(']') else { continue };
            let Some((name, value)) = command.trim().split_once(char::is_whitespace) else { continue };
            match name {
                "dice" => self.dice(value.trim())?,
                "clk" => self.note(|turn| turn.clock = parse_clock(value.trim())),
                "expect" => self.note(|turn| turn.expectation = value.trim().parse().ok()),
                "luck" => self.note(|turn| turn.luck = value.trim().parse().ok()),
                "err" => self.note(|turn| turn.error = value.trim().parse().ok()),
                _ => {}
            }
        }
        Ok(())
    }

    /// Sets something on the turn that is being read, or was just read.
    fn note(&mut self, set: impl FnOnce(&mut TurnRecord)) {
        let begun = !self.current.moves.is_empty() || !self.current.rolls.is_empty();
        match self.turns.last_mut().filter(|_| !begun) {
            Some(turn) => set(turn),
            None => set(&mut self.current),
        }
    }

    fn dice(&mut self, token: &str) -> Result<(), RecordError> {
        let turn = self.number();
        let roll =
            Roll::parse(token).ok_or_else(|| RecordError::Move { turn, token: format!("[%dice {}]", shown(token)) })?;
        self.game.roll(roll).map_err(|error| RecordError::Play { turn, token: shown(token), error })?;
        self.current.rolls.push(roll);
        Ok(())
    }

    fn token(&mut self, token: &str) -> Result<(), RecordError> {
        let token = token.trim_start_matches(|letter: char| letter.is_ascii_digit() && token.contains('.'));
        let token = token.trim_start_matches('.');
        match token {
            "" => Ok(()),
            _ if RESULTS.contains(&token) => {
                self.result = token.to_string();
                Ok(())
            }
            _ if token.starts_with('$') => {
                let glyph = token.trim_start_matches('$').parse().ok();
                self.note(|turn| turn.glyph = glyph);
                Ok(())
            }
            _ => token.split(',').try_for_each(|single| self.single(single)),
        }
    }

    fn single(&mut self, token: &str) -> Result<(), RecordError> {
        let turn = self.number();
        let wrong = |error| RecordError::Play { turn, token: shown(token), error };
        self.throw().map_err(wrong)?;
        if matches!(token, "--" | "0000") {
            self.game.pass().map_err(wrong)?;
            self.end_turn_now();
            return Ok(());
        }
        if self.game.status() == Status::Roll {
            return Err(wrong(PlayError::RollDue));
        }
        let mv = parse_san(self.game.rules(), self.game.position(), token)
            .ok_or_else(|| RecordError::Move { turn, token: shown(token) })?;
        self.game.play(mv).map_err(wrong)?;
        self.current.moves.push(mv);
        if self.game.made() == 0 {
            self.end_turn_now();
        }
        Ok(())
    }

    /// Throws the dice that the record does not tell, where something else gives them.
    fn throw(&mut self) -> Result<(), PlayError> {
        let Some(dice) = &mut self.dice else { return Ok(()) };
        while self.game.status() == Status::Roll {
            self.current.rolls.push(self.game.roll_from(dice)?);
        }
        Ok(())
    }

    fn end_turn_now(&mut self) {
        self.turns.push(std::mem::take(&mut self.current));
    }

    /// A turn that the record leaves unfinished.
    fn end_turn(&mut self) {
        if !self.current.moves.is_empty() {
            self.end_turn_now();
        }
    }
}

/// What follows a variation in parentheses, which may hold others.
fn after_variation(text: &str) -> Result<&str, RecordError> {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Ok(text.get(at + 1..).unwrap_or_default());
        }
    }
    Err(RecordError::Open("a variation"))
}

/// Reads `1:02:03.5`.
fn parse_clock(text: &str) -> Option<Duration> {
    let mut seconds = 0.0;
    for part in text.split(':') {
        seconds = seconds * 60.0 + part.parse::<f64>().ok().filter(|part| (0.0..1e6).contains(part))?;
    }
    Some(Duration::from_secs_f64(seconds))
}

/// The turns of a record as tokens of a `moves` list.
pub fn tokens(record: &GameRecord, style: Style) -> Vec<String> {
    let mut tokens = Vec::new();
    for turn in &record.turns {
        tokens.extend(turn.rolls.iter().map(Roll::to_string));
        if turn.moves.is_empty() {
            tokens.push("0000".to_string());
        } else {
            tokens.push(turn.moves.iter().map(|&mv| move_text(mv, style)).collect::<Vec<_>>().join(","));
        }
    }
    tokens.extend(record.last_rolls.iter().map(Roll::to_string));
    tokens
}

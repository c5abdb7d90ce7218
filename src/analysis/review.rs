//! A whole game looked at again: what was luck, what was error.
//!
//! Luck of a throw: what the roll is worth, one turn deep, less the mean of all rolls by the same judgement, so that it
//! comes to nothing in the long run. Error of a turn: what the best turn is worth less what the one played is, as deep as
//! was asked. What a player got is what he had at the beginning, his luck less the opponent's, the opponent's errors less
//! his, and a rest: that a deeper look, or the next one, thinks differently of the same position.

use super::rollout::{Plan, Rollout, Tally, after};
use crate::board::Color;
use crate::dice::Roll;
use crate::eval::{Evaluator, Score};
use crate::limits::Limits;
use crate::notation::{GameRecord, Style, TurnRecord, to_dfen, turn_text};
use crate::search::{Outlook, Request, Table, ranked, with_outlook};
use crate::turns::{Afterstate, Game, PlayError, Rules, Status, Turn};
use crate::variant::{DEFAULT, find};
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};
use thiserror::Error;

/// How a game is looked at.
#[derive(Clone)]
pub struct How<'a> {
    /// The static evaluation.
    pub evaluator: &'a dyn Evaluator,
    /// How long or deep each turn is searched.
    pub limits: Limits,
    /// How many alternatives are told.
    pub lines: usize,
    /// Where errors are judged by rollouts: how each alternative is rolled out.
    pub rollout: Option<Plan>,
    /// Threads.
    pub threads: usize,
    /// What the search remembers.
    pub table: &'a Table,
    /// Ends the review early.
    pub stop: &'a AtomicBool,
}

/// Why a game cannot be looked at.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum ReviewError {
    /// Something in it cannot be played.
    #[error("turn {turn}: {error}")]
    Play {
        /// The turn's number in the record, from 1.
        turn: usize,
        /// Why not.
        error: PlayError,
    },
    /// Ended early.
    #[error("the analysis was stopped")]
    Stopped,
}

/// How bad an error is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// Below a hundredth of a game.
    Fine,
    /// From 0.01 of a game on.
    Doubtful,
    /// From 0.03 on.
    Mistake,
    /// From 0.08 on.
    Blunder,
}

impl Class {
    /// All of them, the mildest first, and where each begins.
    pub const ALL: [(Class, f64); 4] =
        [(Class::Fine, 0.0), (Class::Doubtful, 0.01), (Class::Mistake, 0.03), (Class::Blunder, 0.08)];

    /// The class of an error.
    pub fn of(error: f64) -> Class {
        let reached = Class::ALL.iter().rev().find(|(_, least)| error >= *least);
        reached.map_or(Class::Fine, |(class, _)| *class)
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Class::Fine => "fine",
            Class::Doubtful => "doubtful",
            Class::Mistake => "mistake",
            Class::Blunder => "blunder",
        }
    }

    /// The PGN glyph (NAG), where it has one.
    pub fn glyph(self) -> Option<u8> {
        match self {
            Class::Fine => None,
            Class::Doubtful => Some(6),
            Class::Mistake => Some(2),
            Class::Blunder => Some(4),
        }
    }
}

/// A turn that could have been played.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Alternative {
    /// The turn.
    pub turn: String,
    /// What the mover could expect of it, 0 to 1.
    pub expectation: f64,
    /// The standard error of that, where it was rolled out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
}

/// One turn.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TurnReview {
    /// The move number.
    pub number: u16,
    /// Who played it: `w` or `b`.
    pub side: char,
    /// The position before the throw.
    pub dfen: String,
    /// What was thrown, throws that did not count included.
    pub rolls: Vec<String>,
    /// What the mover could expect before the throw, 0 to 1; none where none was due.
    pub before: Option<f64>,
    /// The mover's luck in it.
    pub luck: Option<f64>,
    /// What was played.
    pub turn: String,
    /// What the mover could expect of it.
    pub played: f64,
    /// The mover's error.
    pub error: f64,
    /// Its class.
    pub class: Class,
    /// Whether there was nothing to choose.
    pub forced: bool,
    /// The best turns, best first.
    pub alternatives: Vec<Alternative>,
}

/// One player's game.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Player {
    /// His luck in all.
    pub luck: f64,
    /// His errors in all.
    pub error: f64,
    /// How many turns he had a choice in.
    pub choices: u32,
    /// How many were fine, doubtful, mistakes, blunders.
    pub classes: [u32; 4],
    /// The result without the luck of both; none where the game has none.
    pub adjusted: Option<f64>,
}

/// A game that was looked at.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Review {
    /// The version of this form.
    pub schema: u32,
    /// The game's rules.
    pub variant: &'static str,
    /// The players' names.
    pub names: [String; 2],
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// What White could expect at the beginning.
    pub start: f64,
    /// White and Black.
    pub players: [Player; 2],
    /// White's result less all that luck, errors and the beginning explain; none where there is no result.
    pub rest: Option<f64>,
    /// The turns.
    pub turns: Vec<TurnReview>,
}

/// Looks at a game; `watch` hears how many turns are done.
pub fn review(record: &GameRecord, how: &How, watch: &mut dyn FnMut(usize)) -> Result<Review, ReviewError> {
    let rules = Rules::new(find(record.variant).unwrap_or(DEFAULT));
    let mut game = Game::new(rules, record.start);
    let name = |tag| record.tag(tag).unwrap_or("?").to_string();
    let mut review = Review {
        schema: 1,
        variant: rules.variant.name,
        names: [name("White"), name("Black")],
        result: record.result.clone(),
        start: 0.5,
        players: [Player::default(); 2],
        rest: None,
        turns: Vec::new(),
    };
    for (place, turn) in record.turns.iter().enumerate() {
        if how.stop.load(Ordering::Relaxed) {
            return Err(ReviewError::Stopped);
        }
        let looked = look(&mut game, turn, how).map_err(|error| ReviewError::Play { turn: place + 1, error })?;
        if place == 0 {
            review.start = looked.start;
        }
        review.count(looked, rules.variant.has_mover());
        watch(place + 1);
    }
    // Throws that led to no turn any more may be luck as well: a roll that lets nobody move.
    for roll in &record.last_rolls {
        let luck =
            throw(&mut game, &[*roll], how).map_err(|error| ReviewError::Play { turn: record.turns.len(), error })?;
        if let Some(thrown) = luck {
            review.add_luck(rules.variant.has_mover(), thrown.view, thrown.luck);
        }
    }
    if let (Status::Over(outcome), "*") = (game.status(), review.result.as_str()) {
        let result = outcome.winner.map_or("1/2-1/2", |winner| if winner == Color::White { "1-0" } else { "0-1" });
        review.result = result.to_string();
    }
    review.close();
    Ok(review)
}

/// A throw: what could be expected before it, and the luck in it, for the side to roll or for White.
struct Thrown {
    view: Color,
    before: f64,
    luck: f64,
}

/// A turn with what the summary needs besides.
struct Looked {
    turn: TurnReview,
    side: Color,
    thrown: Option<Thrown>,
    /// What White could expect before all of it.
    start: f64,
}

fn throw(game: &mut Game, rolls: &[Roll], how: &How) -> Result<Option<Thrown>, PlayError> {
    if !rolls.is_empty() {
        // A record need not tell a pass that was forced.
        game.pass_if_forced();
    }
    let before = *game.position();
    let view = before.side().unwrap_or(Color::White);
    let is_due = game.status() == Status::Roll;
    rolls.iter().try_for_each(|roll| game.roll(*roll))?;
    if !is_due || game.status() == Status::Roll {
        return Ok(None);
    }
    let rules = *game.rules();
    let values = with_outlook(&rules, how.evaluator, how.stop, |outlook| outlook.rolls(&before));
    let fell = values
        .iter()
        .find(|value| rules.roll(&before, value.roll).is_some_and(|next| next.key() == game.position().key()));
    let Some(fell) = fell else { return Ok(None) };
    let mean = Outlook::mean(&values);
    Ok(Some(Thrown { view, before: mean.expectation(), luck: fell.score.expectation() - mean.expectation() }))
}

/// Plays a turn of the record and judges it.
fn look(game: &mut Game, turn: &TurnRecord, how: &How) -> Result<Looked, PlayError> {
    let rules = *game.rules();
    let before = *game.position();
    let thrown = throw(game, &turn.rolls, how)?;
    let status = game.status();
    let (Status::Decide(side) | Status::Pass(side)) = status else {
        return Err(match status {
            Status::Over(outcome) => PlayError::Over(outcome),
            _ => PlayError::RollDue,
        });
    };
    let at = game.clone();
    if turn.moves.is_empty() {
        game.pass()?;
    }
    turn.moves.iter().try_for_each(|&mv| game.play(mv))?;
    let played = Turn::new(&turn.moves);
    let judged = match status {
        Status::Decide(_) => judge(&at, &played, game, side, how),
        _ => Judged::forced(&at, game, side, how),
    };
    let mine = |white: f64| if side == Color::White { white } else { 1.0 - white };
    let sign = thrown.as_ref().map_or(1.0, |thrown| if thrown.view == side { 1.0 } else { -1.0 });
    let of_view = |thrown: &Thrown| if thrown.view == Color::White { thrown.before } else { 1.0 - thrown.before };
    let start = thrown.as_ref().map_or(mine(judged.best()), of_view);
    let error = judged.error();
    let turn = TurnReview {
        number: before.fullmove(),
        side: side.letter(),
        dfen: to_dfen(&rules, &before),
        rolls: turn.rolls.iter().map(ToString::to_string).collect(),
        before: thrown.as_ref().map(|thrown| mine(of_view(thrown))),
        luck: thrown.as_ref().map(|thrown| sign * thrown.luck),
        turn: text(&played),
        played: judged.played,
        error,
        class: Class::of(error),
        forced: judged.forced,
        alternatives: judged.alternatives,
    };
    Ok(Looked { turn, side, thrown, start })
}

fn text(turn: &Turn) -> String {
    if turn.is_pass() { "0000".to_string() } else { turn_text(turn.moves(), Style::Orthodox, ",") }
}

/// What a decision was worth.
struct Judged {
    alternatives: Vec<Alternative>,
    played: f64,
    forced: bool,
}

impl Judged {
    fn best(&self) -> f64 {
        self.alternatives.first().map_or(self.played, |best| best.expectation).max(self.played)
    }

    fn error(&self) -> f64 {
        self.best() - self.played
    }

    /// Nothing to choose: the value is that of where it leads.
    fn forced(at: &Game, after: &Game, side: Color, how: &How) -> Judged {
        let played = match after.status() {
            Status::Over(outcome) => outcome.winner.map_or(0.5, |winner| if winner == side { 1.0 } else { 0.0 }),
            _ => with_outlook(at.rules(), how.evaluator, how.stop, |outlook| {
                outlook.value(after.position(), side).expectation()
            }),
        };
        Judged { alternatives: Vec::new(), played, forced: true }
    }
}

/// The best turns of a decision, and what the one played was worth.
fn judge(at: &Game, played: &Turn, end: &Game, side: Color, how: &How) -> Judged {
    let best = lines(at, &[], how.lines, how);
    if best.len() < 2 {
        return Judged::forced(at, end, side, how);
    }
    let same = |turn: &Turn| after(at, turn).position().afterstate_key() == end.position().afterstate_key();
    let mut turns: Vec<(Turn, Score)> = best;
    let known = turns.iter().position(|(turn, _)| same(turn));
    let known = known.or_else(|| {
        let only = Afterstate { position: *end.position(), turn: *played };
        lines(at, &[only], 1, how).pop().map(|own| {
            turns.push(own);
            turns.len() - 1
        })
    });
    let alternative = |(turn, score): &(Turn, Score)| match how.rollout {
        Some(plan) if *score != Score::WIN => {
            let rollout = Rollout { evaluator: how.evaluator, plan, threads: how.threads, stop: how.stop };
            let tally = rollout.run(&after(at, turn), Tally::default(), &mut |_| {});
            Alternative { turn: text(turn), expectation: tally.mean_for(side), error: Some(tally.error()) }
        }
        _ => Alternative { turn: text(turn), expectation: score.expectation(), error: None },
    };
    let mut alternatives: Vec<Alternative> = turns.iter().map(alternative).collect();
    let played = known.and_then(|known| alternatives.get(known)).map_or(0.5, |own| own.expectation);
    // What is told is the best, and what was played stands beside it.
    alternatives.sort_by(|one, two| two.expectation.total_cmp(&one.expectation));
    alternatives.truncate(how.lines);
    Judged { alternatives, played, forced: false }
}

/// The best few turns by a search; only those named, where any are.
fn lines(game: &Game, only: &[Afterstate], wanted: usize, how: &How) -> Vec<(Turn, Score)> {
    let request = Request {
        only,
        threads: how.threads,
        lines: wanted.max(2),
        ..Request::new(game.rules(), game.position(), how.evaluator, how.table, &how.limits)
    };
    ranked(&request, how.stop)
}

impl Review {
    /// White's result, 0 to 1; none where there is none.
    pub fn white(&self) -> Option<f64> {
        match self.result.as_str() {
            "1-0" => Some(1.0),
            "0-1" => Some(0.0),
            "1/2-1/2" => Some(0.5),
            _ => None,
        }
    }

    fn player(&mut self, side: Color) -> Option<&mut Player> {
        self.players.get_mut(side.index())
    }

    /// Luck of a throw. Where both sides throw together each has half of it.
    fn add_luck(&mut self, has_mover: bool, view: Color, luck: f64) {
        let shares =
            if has_mover { [(view, luck), (view, 0.0)] } else { [(view, luck / 2.0), (view.other(), -luck / 2.0)] };
        for (side, share) in shares {
            if let Some(player) = self.player(side) {
                player.luck += share;
            }
        }
    }

    fn count(&mut self, looked: Looked, has_mover: bool) {
        if let Some(thrown) = &looked.thrown {
            self.add_luck(has_mover, thrown.view, thrown.luck);
        }
        let (error, class, forced) = (looked.turn.error, looked.turn.class, looked.turn.forced);
        if let Some(player) = self.player(looked.side).filter(|_| !forced) {
            player.error += error;
            player.choices += 1;
            if let Some(count) = player.classes.get_mut(class as usize) {
                *count += 1;
            }
        }
        self.turns.push(looked.turn);
    }

    /// Reckons up.
    fn close(&mut self) {
        let Some(result) = self.white() else { return };
        let [white, black] = self.players;
        let luck = white.luck - black.luck;
        self.rest = Some(result - self.start - luck + white.error - black.error);
        self.players = [
            Player { adjusted: Some(result - luck), ..white },
            Player { adjusted: Some(1.0 - result + luck), ..black },
        ];
    }
}

//! The root of a search: what is asked, what is reported.

use super::Search;
use super::effort::Spent;
use crate::eval::Evaluator;
use crate::eval::Score;
use crate::info::{Info, Report};
use crate::limits::{Budget, Limits};
use crate::position::Position;
use crate::turns::{Afterstate, Rules, Status, Turn};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What is asked of a search.
pub struct Request<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The position.
    pub position: &'a Position,
    /// The static evaluation.
    pub evaluator: &'a dyn Evaluator,
    /// The limits.
    pub limits: &'a Limits,
    /// Time kept back from every limit.
    pub overhead: Duration,
    /// The only turns to consider; empty for all.
    pub only: &'a [Afterstate],
}

/// Thinks about a position and tells what it finds: a turn where dice are known, an expectation before the roll.
///
/// The turn is always a legal one, and wins at once wherever the dice allow it. `stop` ends the search within
/// milliseconds.
pub fn think(request: &Request, stop: &AtomicBool, say: &mut dyn FnMut(&Info)) -> Report {
    let Request { rules, position, limits, .. } = *request;
    let budget = Budget::new(limits, position.side(), request.overhead);
    let spent = Spent::new(budget.hard, limits.nodes, stop);
    let search = Search { rules: *rules, evaluator: request.evaluator, spent };
    let (turn, score, wins) = match rules.status(position, false) {
        Status::Over(_) => return Report { turn: None, info: None },
        Status::Pass(_) => return Report { turn: Some(Turn::PASS), info: None },
        Status::Roll => (None, search.expectation(position), false),
        Status::Decide(_) => match search.best_turn(position, request.only, 0) {
            Some(choice) => (Some(choice.turn), choice.score, choice.wins),
            None => (None, Score::DRAW, false),
        },
    };
    let info = Info { depth: 1, score, wins, nodes: search.spent.nodes(), time: search.spent.time(), turn };
    say(&info);
    Report { turn, info: Some(info) }
}

//! Advice beside a turn to play: rollouts, the cube, draws.

use super::job::Worker;
use crate::analysis::{
    Advice as CubeAdvice, CAP, Cube, CubeStakes, Decision, EFFICIENCY, Plan, Points, Rollout, Stakes, Tally, advise,
    after, cash_point, implied_efficiency,
};
use crate::board::Color;
use crate::limits::Limits;
use crate::notation::turn_text;
use crate::protocol::{Advice, Owner, Reply, Subject};
use crate::search::{Request, ranked, think};
use crate::turns::{Game, Status, Turn};

/// How many turns are rolled out where nothing is said.
const LINES: u32 = 3;
/// How deep a search looks where nothing is said.
const DEPTH: u32 = 2;

impl Worker {
    /// Gives advice; the last line comes back.
    pub(super) fn advise(&self, advice: &Advice) -> Reply {
        let said = match advice.subject {
            Subject::Rollout => return Reply::BestMove(self.roll_out(advice)),
            Subject::Cube => self.cube(advice),
            Subject::Draw => self.draw(advice),
        };
        said.unwrap_or_else(Reply::Error)
    }

    fn plan(&self, advice: &Advice) -> Plan {
        let plain = Plan::default();
        Plan {
            games: advice.games.unwrap_or(plain.games),
            truncate: advice.truncate,
            reduce: true,
            error: advice.error,
            seed: advice.seed.unwrap_or(plain.seed),
        }
    }

    /// Plays a game on; says how far it has come after 108 games, 216, 432, and so on.
    fn play_on(&self, game: &Game, stakes: &impl Stakes, plan: Plan, told: &dyn Fn(&Tally) -> String) -> Tally {
        let rollout = Rollout { evaluator: self.choice.get(), plan, threads: self.manner.threads, stop: &self.stop };
        let mut next = 0;
        rollout.run_for(game, stakes, Tally::default(), &mut |tally| {
            if tally.games >= next {
                next = 2 * tally.games;
                self.say(Reply::Note(told(tally)));
            }
        })
    }

    /// Rolls the position out, or each of the best turns; gives what to play.
    fn roll_out(&self, advice: &Advice) -> String {
        let plan = self.plan(advice);
        let none = "(none)".to_string();
        match self.game.status() {
            Status::Over(outcome) => {
                self.say(Reply::Note(format!("the game is over: {outcome}")));
                none
            }
            Status::Pass(_) => "0000".to_string(),
            Status::Roll => {
                let view = self.game.position().side().unwrap_or(Color::White);
                let tally = self.play_on(&self.game, &Points, plan, &|tally| figures("", tally, view));
                self.say(Reply::Extra(figures("", &tally, view)));
                none
            }
            Status::Decide(side) => {
                let lines = advice.lines.unwrap_or(LINES);
                let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
                let mut rolled: Vec<(Turn, f64)> = Vec::new();
                for turn in self.best_turns(&limits, lines) {
                    let name = format!(" turn {}", turn_text(turn.moves(), self.manner.style, ","));
                    let next = after(&self.game, &turn);
                    let tally = self.play_on(&next, &Points, plan, &|tally| figures(&name, tally, side));
                    self.say(Reply::Extra(figures(&name, &tally, side)));
                    rolled.push((turn, if tally.games > 0 { tally.mean_for(side) } else { 0.0 }));
                }
                let best = rolled.into_iter().reduce(|best, next| if next.1 > best.1 { next } else { best });
                best.map_or(none, |(turn, _)| turn_text(turn.moves(), self.manner.style, " "))
            }
        }
    }

    /// The best few turns by a search.
    fn best_turns(&self, limits: &Limits, lines: u32) -> Vec<Turn> {
        let table = self.memory.table(self.manner.hash);
        let request = Request {
            threads: self.manner.threads,
            lines: lines as usize,
            ..Request::new(self.game.rules(), self.game.position(), self.choice.get(), &table, limits)
        };
        ranked(&request, &self.stop).into_iter().map(|(turn, _)| turn).collect()
    }

    /// What the side to roll, or to move, can expect by a search.
    fn expectation(&self, advice: &Advice) -> Option<f64> {
        let depth = advice.depth.or(if advice.movetime.is_none() { Some(DEPTH) } else { None });
        let limits = Limits { depth, movetime: advice.movetime, ..Limits::default() };
        let table = self.memory.table(self.manner.hash);
        let request = Request {
            threads: self.manner.threads,
            overhead: self.manner.overhead,
            ..Request::new(self.game.rules(), self.game.position(), self.choice.get(), &table, &limits)
        };
        think(&request, &self.stop, &mut |_| {}).info.map(|info| info.score.expectation())
    }

    fn cube(&self, advice: &Advice) -> Result<Reply, String> {
        let side = match (self.game.status(), self.game.position().side()) {
            (Status::Over(outcome), _) => return Err(format!("the game is over: {outcome}")),
            (Status::Roll, Some(side)) => side,
            (Status::Roll, None) => return Err("nobody is to move before the throw: there is no cube".to_string()),
            _ => return Err("the cube is turned before the throw".to_string()),
        };
        let owner = match advice.owner.unwrap_or_default() {
            Owner::Centre => None,
            Owner::Side(owner) => Some(owner),
        };
        let cube = Cube { value: advice.value.unwrap_or(1), owner };
        let chance = self.expectation(advice).ok_or("the search was stopped")?;
        let formula = advise(chance, cube, side, EFFICIENCY);
        self.say(Reply::Extra(format!("cube expectation {chance:.4} efficiency {EFFICIENCY:.2}")));
        let CubeAdvice { take_point, double_point, cash_point: pass_point, .. } = formula;
        self.say(Reply::Extra(format!(
            "cube points take {take_point:.4} double {double_point:.4} pass {pass_point:.4}"
        )));
        self.say(Reply::Extra(equities("formula", formula.no_double, formula.take)));
        if advice.games.is_none() || formula.decision == Decision::Unavailable {
            return Ok(Reply::Extra(format!("cube decision {}", formula.decision.words())));
        }
        let stakes = |cube: Cube, first| CubeStakes { first, cube, efficiency: EFFICIENCY, rest: 1 };
        let sign = if side == Color::White { 1.0 } else { -1.0 };
        let plan = self.plan(advice);
        let mut found = [(0.0, 0.0); 2];
        let doubled = Cube { value: (cube.value * 2).min(CAP), owner: Some(side.other()) };
        for ((name, cube), slot) in [("no double", cube), ("take", doubled)].into_iter().zip(&mut found) {
            let told = |tally: &Tally| {
                format!(
                    "cube {name} games {} equity {:.4} error {:.4}",
                    tally.games,
                    sign * tally.mean(),
                    tally.error()
                )
            };
            let tally = self.play_on(&self.game, &stakes(cube, advice.value.unwrap_or(1)), plan, &told);
            *slot = (sign * tally.mean(), tally.error());
        }
        if self.is_stopped() {
            return Err("the rollout was stopped".to_string());
        }
        let [(no_double, no_error), (take, take_error)] = found;
        self.say(Reply::Extra(equities("rollout", no_double, take)));
        let after = if doubled.is_free(side.other()) { implied_efficiency(chance, take) } else { 0.0 };
        let pass_point = cash_point(after);
        self.say(Reply::Extra(format!(
            "cube points rollout take {:.4} pass {pass_point:.4} efficiency {after:.2}",
            1.0 - pass_point
        )));
        self.say(Reply::Extra(format!("cube errors nodouble {no_error:.4} take {take_error:.4}")));
        Ok(Reply::Extra(format!("cube decision {}", Decision::of(no_double, take).words())))
    }

    fn draw(&self, advice: &Advice) -> Result<Reply, String> {
        let asks = match self.game.status() {
            Status::Over(outcome) => return Err(format!("the game is over: {outcome}")),
            Status::Roll if self.game.position().side().is_none() => {
                return Err("nobody is to move before the throw: nobody is asked".to_string());
            }
            // An offer comes with a turn that was made, and is answered before the dice are seen.
            Status::Roll => "take",
            Status::Decide(_) | Status::Pass(_) => "offer",
        };
        let chance = match self.game.status() {
            Status::Pass(_) => return Ok(Reply::Extra("draw offer with the next turn that can be made".to_string())),
            _ => self.expectation(advice).ok_or("the search was stopped")?,
        };
        let answer = if chance < 0.5 { "yes" } else { "no" };
        Ok(Reply::Extra(format!("draw expectation {chance:.4} {asks} {answer}")))
    }
}

fn figures(name: &str, tally: &Tally, view: Color) -> String {
    let (mean, games, turns) = (tally.mean_for(view), tally.games, tally.turns);
    if games == 0 {
        return format!("rollout{name} games 0");
    }
    format!(
        "rollout{name} games {games} turns {turns} expectation {mean:.4} error {:.4} with-luck {:.4}",
        tally.error(),
        tally.plain_error()
    )
}

fn equities(how: &str, no_double: f64, take: f64) -> String {
    format!("cube {how} nodouble {no_double:+.4} take {take:+.4} pass +1.0000")
}

//! The decision node: the best turn of a roll, by material and by the danger to the own king.

use super::Search;
use crate::board::Color;
use crate::eval::Score;
use crate::position::Position;
use crate::turns::{Afterstate, Effort, Odds, Status, Step, Threat, Turn};

/// A turn and what it is worth to the side that plays it.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The turn.
    pub turn: Turn,
    /// Its value.
    pub score: Score,
    /// Whether it wins at once.
    pub wins: bool,
}

/// How many positions inside a turn are expanded before it is judged by what was found.
const NODES: usize = 200_000;
/// How many moves a series has at most of which every turn is looked at.
const SHORT_SERIES: usize = 2;
/// How many positions of each length of a longer series are carried on.
const BEAM: usize = 2_000;
/// How many afterstates are kept to be looked at closely: the best by material.
const KEPT: usize = 20_000;
/// How many moves deep the danger of a series is looked for.
const SERIES_DANGER: usize = 2;
/// How many decisions with known dice may follow one another (second halves of a round, answers to a check).
const FOLLOWED: u32 = 1;

/// A turn that may be the best.
pub struct Candidate {
    /// What it is worth if the king is not taken.
    pub material: Score,
    /// Where it leads.
    pub afterstate: Afterstate,
}

impl Search<'_> {
    /// The best turn of the side to move, who must have one: of all, or of those in `only` where there are any.
    ///
    /// Where the opponent rolls next, the value of an afterstate never exceeds its material value, so that candidates
    /// are looked at in that order and the rest is skipped once none can be better.
    pub fn best_turn(&self, position: &Position, only: &[Afterstate], followed: u32) -> Option<Choice> {
        let side = position.side()?;
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut win: Option<Turn> = None;
        let mut consider = |afterstate: &Position, turn: &dyn Fn() -> Turn| {
            self.spent.node();
            let material = self.static_value(afterstate, side);
            if win.is_some() {
                return;
            }
            if material == Score::WIN {
                win = Some(turn());
                return;
            }
            let afterstate = Afterstate { position: *afterstate, turn: turn() };
            candidates.push(Candidate { material, afterstate });
            if candidates.len() >= 2 * KEPT {
                sort(&mut candidates);
                candidates.truncate(KEPT);
            }
        };
        let mut truncated = false;
        if only.is_empty() {
            let effort = Effort { stop: &|| self.spent.is_over(), ..Effort::FULL };
            if let Some(turn) = self.rules.turn_that_takes_the_last_pawn(position, effort) {
                return Some(Choice { turn, score: Score::WIN, wins: true });
            }
            if self.is_long_series(position, side) {
                let value = |at: &Position| self.static_value(at, side).0;
                for after in self.rules.beam(position, BEAM, &|| self.spent.is_over(), &value) {
                    consider(&after.position, &|| after.turn);
                }
                if win.is_none() && candidates.is_empty() {
                    candidates.push(self.greedy_turn(position, side));
                }
                return self.chosen(candidates, win, side, followed);
            }
            // Only a series is long enough to be cut short; elsewhere a win must never be missed for haste.
            let stop = || self.rules.variant.is_series() && self.spent.is_over();
            let effort = Effort { nodes: NODES, stop: &stop };
            let survey = self.rules.each_afterstate(position, effort, |leaf| consider(leaf.position, &|| leaf.turn()));
            truncated = survey.truncated;
        } else {
            only.iter().for_each(|afterstate| consider(&afterstate.position, &|| afterstate.turn));
        }
        if win.is_none() && truncated {
            candidates.push(self.greedy_turn(position, side));
        }
        self.chosen(candidates, win, side, followed)
    }

    /// Whether only the best lines of the turn are looked at: a long series in which the king cannot be taken.
    fn is_long_series(&self, position: &Position, side: Color) -> bool {
        let (variant, pool) = (self.rules.variant, position.pool());
        variant.is_series()
            && pool.len() > SHORT_SERIES
            && pool.tickets().iter().all(|ticket| ticket.is_free())
            && !(variant.has_king_capture() && self.rules.shortest_capture(position, side, pool.len()).is_some())
    }

    /// A turn that wins at once, or the best of the candidates.
    fn chosen(&self, mut candidates: Vec<Candidate>, win: Option<Turn>, side: Color, followed: u32) -> Option<Choice> {
        if let Some(turn) = win {
            return Some(Choice { turn, score: Score::WIN, wins: true });
        }
        sort(&mut candidates);
        self.best_candidate(&candidates, side, followed)
    }

    /// The best of candidates that are sorted.
    pub fn best_candidate(&self, candidates: &[Candidate], side: Color, followed: u32) -> Option<Choice> {
        let bounded = self.rules.variant.has_mover() && !self.rules.variant.free_turns;
        let mut best: Option<Choice> = None;
        for candidate in candidates {
            let hopeless = bounded && best.is_some_and(|best| candidate.material <= best.score);
            if hopeless || (best.is_some() && self.spent.is_over()) {
                break;
            }
            let score = self.afterstate_value(&candidate.afterstate.position, side, candidate.material, followed);
            if best.is_none_or(|best| score > best.score) {
                let wins = candidate.material == Score::WIN;
                best = Some(Choice { turn: candidate.afterstate.turn, score, wins });
            }
        }
        best
    }

    /// The value of an afterstate for a side by the rules where the game is over, else by the evaluation.
    pub fn static_value(&self, afterstate: &Position, side: Color) -> Score {
        match self.rules.outcome(afterstate, false).map(|outcome| outcome.winner) {
            Some(Some(winner)) if winner == side => Score::WIN,
            Some(Some(_)) => Score::LOSS,
            Some(None) => Score::DRAW,
            None => self.evaluator.evaluate(&self.rules, afterstate, side),
        }
    }

    /// The turn of which each single move is the best by material: for a search that was cut short.
    fn greedy_turn(&self, position: &Position, side: Color) -> Candidate {
        let mut turn = Turn::PASS;
        let mut at = *position;
        loop {
            let steps = self.rules.steps(&at);
            let best = steps.iter().max_by_key(|(_, step)| self.static_value(step.position(), side));
            let Some(&(mv, step)) = best else { break };
            turn.push(mv);
            at = *step.position();
            if let Step::Ended(_) = step {
                break;
            }
        }
        Candidate { material: self.static_value(&at, side), afterstate: Afterstate { position: at, turn } }
    }

    /// The value of an afterstate for the side that made it: its material, less the danger of the next roll.
    pub fn afterstate_value(&self, after: &Position, side: Color, material: Score, followed: u32) -> Score {
        match self.rules.status(after, false) {
            Status::Over(_) => return material,
            Status::Decide(mover) if self.rules.variant.has_dice() && followed < FOLLOWED => {
                let Some(reply) = self.best_turn(after, &[], followed + 1) else { return material };
                return if mover == side { reply.score } else { -reply.score };
            }
            _ => {}
        }
        let chances = |favourable: Odds, against: Odds| {
            let rest = against.total.saturating_sub(favourable.favourable + against.favourable);
            Score::mean([(Score::WIN, favourable.favourable), (Score::LOSS, against.favourable), (material, rest)])
        };
        match self.rules.threat_within(after, SERIES_DANGER) {
            Threat::None => material,
            Threat::Mover(odds) => chances(Odds { favourable: 0, total: odds.total }, odds),
            Threat::Both(white, black) if side == Color::White => chances(white, black),
            Threat::Both(white, black) => chances(black, white),
        }
    }
}

/// The highest material first; ties by the key, so that the order never depends on how the list came about.
pub fn sort(candidates: &mut [Candidate]) {
    candidates.sort_by_key(|candidate| (-candidate.material, candidate.afterstate.position.key()));
}

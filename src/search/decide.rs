//! The decision node: the best turn of a roll within a window, and what a turn leads to.

use super::Searcher;
use super::order::Candidate;
use super::table::{Bound, Entry, Table};
use crate::board::Color;
use crate::eval::Score;
use crate::position::Position;
use crate::turns::{Status, Turn};

/// Values that matter: what is at most `alpha` or at least `beta` need not be told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    pub alpha: i32,
    pub beta: i32,
}

impl Window {
    /// Everything.
    pub const FULL: Window = Window { alpha: i32::MIN / 2, beta: i32::MAX / 2 };

    /// The same from the other side.
    pub fn flipped(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// What a value found within it says.
    pub fn bound(self, score: Score) -> Bound {
        if score.0 <= self.alpha {
            Bound::Upper
        } else if score.0 >= self.beta {
            Bound::Lower
        } else {
            Bound::Exact
        }
    }

    /// A known value that settles the matter.
    pub fn settled(self, entry: &Entry) -> bool {
        match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.score.0 >= self.beta,
            Bound::Upper => entry.score.0 <= self.alpha,
        }
    }
}

impl Searcher<'_> {
    /// The value of a decision node for the side to move, `depth` turns deep, its own the first. None where time ran out.
    pub(super) fn decide(&mut self, position: &Position, depth: u32, window: Window, ply: u32) -> Option<Score> {
        let side = position.side()?;
        if self.must_end() {
            return None;
        }
        let known = self.table.get(position.key());
        if let Some(entry) = known.filter(|entry| entry.depth == depth && window.settled(entry)) {
            return Some(entry.score);
        }
        let mut candidates = self.candidates(position, ply);
        // With one turn left the order is that of the values, and must stay so.
        if let Some(best) = known.map(|entry| entry.best).filter(|&best| best != 0 && depth > 1) {
            let at = candidates.iter().position(|one| Table::signature(one.position.afterstate_key()) == best);
            if let Some(first) = at.and_then(|at| candidates.get_mut(..=at)) {
                first.rotate_right(1);
            }
        }
        if candidates.is_empty() {
            return None;
        }
        if depth <= 1 && self.width.is_exact() && !self.rules.variant.has_second_half() {
            self.look_closely(&mut candidates, side);
        }
        let (score, best) = self.best_of(&candidates, side, depth, window, ply)?;
        let best = best.and_then(|best| candidates.get(best));
        let signature = best.map_or(0, |best| Table::signature(best.position.afterstate_key()));
        self.table.put(position.key(), Entry { score, bound: window.bound(score), depth, best: signature });
        if let (Some(best), true) = (best, depth > 1) {
            self.last_best = Some(best.turn);
        }
        Some(score)
    }

    /// Values the best few of the last candidates with the danger of the next roll, and leaves it at them.
    fn look_closely(&self, candidates: &mut Vec<Candidate>, side: Color) {
        candidates.truncate(self.width.replies(0));
        for candidate in candidates.iter_mut().filter(|candidate| candidate.value != Score::WIN) {
            candidate.value = self.horizon(&candidate.position, side, candidate.value);
        }
        candidates.sort_by_key(|candidate| -candidate.value);
    }

    /// The best of candidates within a window: its value, or a bound of it, and its place.
    pub(super) fn best_of(
        &mut self,
        candidates: &[Candidate],
        side: Color,
        depth: u32,
        window: Window,
        ply: u32,
    ) -> Option<(Score, Option<usize>)> {
        let mut best: Option<(Score, usize)> = None;
        let mut alpha = window.alpha;
        // With one turn left candidates come in the order of their values, unless the other half of a round follows.
        let last = depth <= 1 && !self.rules.variant.has_second_half();
        for (place, candidate) in candidates.iter().enumerate() {
            let score = if candidate.value == Score::WIN {
                Score::WIN
            } else if last {
                candidate.value
            } else {
                let inner = Window { alpha, beta: window.beta };
                self.after(&candidate.position, side, candidate.value, depth.saturating_sub(1), inner, ply + 1)?
            };
            if best.is_none_or(|(known, _)| score > known) {
                best = Some((score, place));
                alpha = alpha.max(score.0);
            }
            if alpha >= window.beta || last {
                break;
            }
        }
        Some(best.map_or((Score::DRAW, None), |(score, place)| (score, Some(place))))
    }

    /// The value for a side of the position that its turn has led to, `left` turns being searched beyond; `value` is its
    /// static value.
    pub(super) fn after(
        &mut self,
        position: &Position,
        side: Color,
        value: Score,
        left: u32,
        window: Window,
        ply: u32,
    ) -> Option<Score> {
        let view = |mover: Color| mover == side;
        match self.rules.status(position, false) {
            Status::Over(_) => Some(value),
            Status::Roll if left == 0 => Some(value),
            Status::Roll => {
                let own = position.side().is_none_or(view) && (position.side().is_some() || side == Color::White);
                if own {
                    self.chance(position, left, window, ply)
                } else {
                    self.chance(position, left, window.flipped(), ply).map(|score| -score)
                }
            }
            // The second half of a round has its die already: it belongs to the same turn of dice.
            Status::Decide(mover) => {
                let second = self.rules.variant.has_second_half();
                let depth = if second { left + 1 } else { left };
                if depth == 0 {
                    return Some(value);
                }
                if view(mover) {
                    self.decide(position, depth, window, ply)
                } else {
                    self.decide(position, depth, window.flipped(), ply).map(|score| -score)
                }
            }
            Status::Pass(_) => {
                let passed = self.play(position, &Turn::PASS);
                let value = self.static_value(&passed, side);
                self.spent.add(1);
                self.after(&passed, side, value, left, window, ply)
            }
        }
    }
}

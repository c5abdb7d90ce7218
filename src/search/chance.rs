//! The chance node: the mean over all rolls of the best turn on each, cut off as soon as its bounds allow.
//!
//! Star1 and Star2 (Ballard 1983; Hauk, Buro and Schaeffer 2004). Star1 narrows the window of each roll by what the
//! others can come to at most and at least. Star2 first asks of each roll only for one good turn, which bounds it from
//! below: the turn that was the best on the same roll in the position looked at before.

use super::decide::Window;
use super::leaves::{Best, Leaves, NetLeaves, ROLLS, Reply, can_play};
use super::order::Candidate;
use super::table::Entry;
use super::{Searcher, THREE_DICE};
use crate::board::Color;
use crate::eval::{Accumulator, Linear, Score, Sum};
use crate::position::Position;
use crate::turns::{ChanceOutcome, Fan, Status, Turn};

/// From this distance from the root on only a sample of the rolls is looked at where the search is narrow.
const SAMPLED: u32 = 2;

/// One roll of so many, beginning with another one for each roll that has fallen before: in the sum all are looked at
/// equally often, and for other candidates the same ones, so that what they share cancels out.
fn sample(strand: usize, samples: usize) -> u64 {
    (0..ROLLS).filter(|roll| (roll + strand).is_multiple_of(samples)).fold(0, |rolls, roll| rolls | 1 << roll)
}

/// The sum over rolls as far as it is known: what is settled, and what the rest can come to.
#[derive(Clone, Debug)]
struct Star {
    total: i64,
    /// Of each roll what it is worth at least and at most, and its weight.
    rolls: Vec<(i64, i64, i64)>,
    least: i64,
    most: i64,
}

impl Star {
    fn new(weights: impl Iterator<Item = u32>) -> Star {
        let (low, high) = (i64::from(Score::LOSS.0), i64::from(Score::WIN.0));
        let rolls: Vec<(i64, i64, i64)> = weights.map(|weight| (low, high, i64::from(weight))).collect();
        let total: i64 = rolls.iter().map(|(_, _, weight)| weight).sum();
        Star { total, least: low * total, most: high * total, rolls }
    }

    /// A roll turns out to be worth so much at least and at most.
    fn set(&mut self, roll: usize, at_least: Option<Score>, at_most: Option<Score>) {
        let Some((low, high, weight)) = self.rolls.get_mut(roll) else { return };
        if let Some(score) = at_least.map(|score| i64::from(score.0)).filter(|&score| score > *low) {
            self.least += (score - *low) * *weight;
            *low = score;
        }
        if let Some(score) = at_most.map(|score| i64::from(score.0)).filter(|&score| score < *high) {
            self.most -= (*high - score) * *weight;
            *high = score;
        }
    }

    /// The value that settles the window, where the bounds do. A mean is truncated toward zero: see [`Score::mean`].
    fn settled(&self, window: Window) -> Option<Score> {
        if self.least >= i64::from(window.beta) * self.total {
            Some(self.mean(self.least))
        } else if self.most <= i64::from(window.alpha) * self.total {
            Some(self.mean(self.most))
        } else {
            None
        }
    }

    /// What a roll is worth at least.
    fn at_least(&self, roll: usize) -> Score {
        self.rolls.get(roll).map_or(Score::LOSS, |(low, _, _)| Score(*low as i32))
    }

    fn mean(&self, sum: i64) -> Score {
        Score(sum.checked_div(self.total).unwrap_or(0) as i32)
    }

    /// The window of a roll within that of the node: outside it the node is settled whatever the other rolls come to.
    fn window(&self, roll: usize, window: Window) -> Window {
        let Some(&(low, high, weight)) = self.rolls.get(roll) else { return window };
        let need = |bound: i32, others: i64| {
            let rest = i64::from(bound) * self.total - others;
            rest.clamp(i64::from(i32::MIN / 2) * weight, i64::from(i32::MAX / 2) * weight)
        };
        // Rounded outward, so that a value outside settles the node exactly.
        let alpha = need(window.alpha, self.most - high * weight).div_euclid(weight.max(1));
        let beta = need(window.beta, self.least - low * weight);
        let beta = -(-beta).div_euclid(weight.max(1));
        Window { alpha: alpha as i32, beta: beta as i32 }
    }
}

impl Searcher<'_> {
    /// The value of a position that awaits a roll, `depth` turns deep: for the side to roll, or for White where nobody
    /// is. None where time ran out.
    pub(super) fn chance(&mut self, position: &Position, depth: u32, window: Window, ply: u32) -> Option<Score> {
        if self.must_end() {
            return None;
        }
        // A sample is one of many: it is not what others may take for the value.
        if self.width.is_exact()
            && ply >= SAMPLED
            && let Some(side) = position.side().filter(|_| self.has_fan)
        {
            let wanted = sample(self.strand, self.width.samples());
            return self.three_dice(&Node { position, side, depth, window, ply, wanted });
        }
        let known = self.table.get(position.key());
        if let Some(entry) = known.filter(|entry| entry.depth == depth && window.settled(entry)) {
            return Some(entry.score);
        }
        let score = match position.side().filter(|_| self.has_fan) {
            Some(side) => self.three_dice(&Node { position, side, depth, window, ply, wanted: Fan::ALL })?,
            None => self.outcomes(position, depth, window, ply)?,
        };
        self.table.put(position.key(), Entry { score, bound: window.bound(score), depth, best: 0 });
        Some(score)
    }

    /// A chance node whose outcomes are looked at one by one.
    fn outcomes(&mut self, position: &Position, depth: u32, window: Window, ply: u32) -> Option<Score> {
        let view = position.side().unwrap_or(Color::White);
        let chance = self.rules.outcomes(position);
        let mut star = Star::new(chance.outcomes.iter().map(|outcome| outcome.weight));
        // Where nothing can be cut off, one turn each is looked at for nothing.
        if depth > 1 && window.beta < Score::WIN.0 {
            for (roll, outcome) in chance.outcomes.iter().enumerate() {
                if let Some(score) = self.probe(outcome, view, depth, star.window(roll, window), (ply, roll))? {
                    star.set(roll, Some(score), None);
                }
                if let Some(score) = star.settled(window) {
                    return Some(score);
                }
            }
        }
        for (roll, outcome) in chance.outcomes.iter().enumerate() {
            let inner = star.window(roll, window);
            self.last_best = None;
            let score = self.rolled(&outcome.position, view, depth, inner, ply)?;
            if let Some(best) = self.last_best.take() {
                self.killers.set(ply, roll, best);
            }
            let at_least = (score.0 > inner.alpha).then_some(score);
            let at_most = (score.0 < inner.beta).then_some(score);
            star.set(roll, at_least, at_most);
            if let Some(score) = star.settled(window) {
                return Some(score);
            }
        }
        Some(star.mean(star.least))
    }

    /// A lower bound of a roll by the turn that was the best in the position before: none where it cannot be played.
    fn probe(
        &mut self,
        outcome: &ChanceOutcome,
        view: Color,
        depth: u32,
        window: Window,
        (ply, roll): (u32, usize),
    ) -> Option<Option<Score>> {
        let Some(turn) = self.killers.get(ply, roll).next() else { return Some(None) };
        let position = &outcome.position;
        if position.side() != Some(view) || position.pool().len() != 1 || turn.moves().len() != 1 {
            return Some(None);
        }
        let mut moves = std::mem::take(&mut self.moves);
        self.rules.single_moves(position, &mut moves);
        let legal = turn.moves().iter().all(|mv| moves.contains(mv));
        self.moves = moves;
        if !legal {
            return Some(None);
        }
        let next = self.play(position, &turn);
        let value = self.static_value(&next, view);
        self.spent.add(1);
        let score = self.after(&next, view, value, depth - 1, window, ply + 1)?;
        Some((score.0 > window.alpha).then_some(score))
    }

    /// The value of an outcome for a view.
    pub(super) fn rolled(
        &mut self,
        position: &Position,
        view: Color,
        depth: u32,
        window: Window,
        ply: u32,
    ) -> Option<Score> {
        match self.rules.status(position, false) {
            Status::Over(outcome) => Some(match outcome.winner {
                Some(winner) if winner == view => Score::WIN,
                Some(_) => Score::LOSS,
                None => Score::DRAW,
            }),
            Status::Decide(mover) if mover == view => self.decide(position, depth, window, ply),
            Status::Decide(_) => self.decide(position, depth, window.flipped(), ply).map(|score| -score),
            Status::Pass(_) => {
                let passed = self.play(position, &Turn::PASS);
                let value = self.static_value(&passed, view);
                self.spent.add(1);
                self.after(&passed, view, value, depth - 1, window, ply + 1)
            }
            Status::Roll => Some(Score::DRAW),
        }
    }

    /// The chance node of three dice: the replies to all rolls come from one pass of the generator.
    fn three_dice(&mut self, node: &Node) -> Option<Score> {
        let &Node { position, side, depth, window, wanted, .. } = node;
        let mut known = Known::new(self.rules.king_captures(position, side), wanted);
        // What takes no king leads to values within bounds that are known beforehand.
        let reach = if depth <= 1 { self.evaluator.reach(&self.rules, position, side, 3) } else { None };
        if let Some((least, most)) = reach {
            for roll in known.open() {
                known.star.set(roll, Some(least), Some(most));
            }
        }
        if let Some(score) = known.star.settled(window) {
            return Some(score);
        }
        if window.beta < Score::WIN.0
            && !self.width.is_exact()
            && let Some(score) = self.probe_three(node, &mut known)?
        {
            return Some(score);
        }
        let verdict = self.walk(node, &mut known)?;
        Some(verdict.unwrap_or_else(|| known.star.mean(known.star.least)))
    }

    /// The exact values of some rolls of a position that awaits one of three dice, each with the best turn where one was
    /// searched for: a part of a chance node, for another thread to have the rest.
    pub(super) fn part(&mut self, position: &Position, depth: u32, wanted: u64, ply: u32) -> Option<Vec<Score>> {
        let side = position.side()?;
        let mut known = Known::new(self.rules.king_captures(position, side), Fan::ALL);
        self.walk(&Node { position, side, depth, window: Window::FULL, ply, wanted }, &mut known)?;
        Some((0..ROLLS).filter(|roll| wanted >> roll & 1 != 0).map(|roll| known.star.at_least(roll)).collect())
    }

    /// Looks at the replies to all rolls wanted; a score where they settle the node.
    fn walk(&mut self, node: &Node, known: &mut Known) -> Option<Option<Score>> {
        let &Node { position, side, depth, window, ply, wanted } = node;
        // In full width the value is that of the best reply alone.
        let is_exact = self.width.is_exact();
        let left = depth.saturating_sub(1);
        let keep = self.width.replies(if is_exact { 0 } else { left });
        let Best { replies, nodes, squash, .. } = self.hear(position, side, wanted & !known.won, keep)?;
        self.spent.add(nodes);
        if depth > 1 && is_exact {
            let rank = |list: &Vec<Reply>| self.ranked(node, list, left, squash);
            let ranked = replies.iter().map(rank).collect::<Option<Vec<Vec<Reply>>>>()?;
            return self.replies(node, known, &ranked, &Score);
        }
        if depth > 1 {
            return self.replies(node, known, &replies, &squash);
        }
        for roll in known.open().filter(|roll| wanted >> roll & 1 != 0) {
            let Some(list) = replies.get(roll) else { continue };
            if is_exact && self.spent.is_over() {
                return None;
            }
            let value = |reply: &Reply| {
                let score = squash(reply.value);
                if is_exact { self.horizon(&self.play(position, &reply.turn), side, score) } else { score }
            };
            let valued = list.iter().map(|reply| (value(reply), reply.turn));
            if let Some((score, turn)) = valued.max_by_key(|(score, _)| *score) {
                self.killers.set(ply, roll, turn);
                known.star.set(roll, Some(score), Some(score));
            }
            if is_exact && let Some(score) = known.star.settled(window) {
                return Some(Some(score));
            }
        }
        Some(known.star.settled(window))
    }

    /// The best of the replies to a roll, valued with the exact danger of the next roll.
    /// None where time ran out.
    fn ranked(&self, node: &Node, list: &[Reply], left: u32, squash: fn(i32) -> Score) -> Option<Vec<Reply>> {
        // The odds of all replies together take up to a millisecond.
        if self.spent.is_over() {
            return None;
        }
        let value = |reply: &Reply| {
            let next = self.play(node.position, &reply.turn);
            self.horizon(&next, node.side, squash(reply.value)).0
        };
        let mut ranked: Vec<Reply> = list.iter().map(|reply| Reply { value: value(reply), ..*reply }).collect();
        ranked.sort_by_key(|reply| -reply.value);
        ranked.truncate(self.width.replies(left));
        Some(ranked)
    }

    /// The best replies to some rolls.
    pub(super) fn hear(&mut self, position: &Position, side: Color, wanted: u64, keep: usize) -> Option<Best> {
        let (evaluator, rules) = (self.evaluator, self.rules);
        let mut fan = self.take_fan()?;
        let heard = if let Some(network) = evaluator.network() {
            let mut leaves = NetLeaves::new(rules, network, side, keep, self.spent);
            fan.walk_sets(position, Accumulator::new(network, position), wanted, &mut leaves);
            (!leaves.is_late).then_some(leaves.best)
        } else {
            let linear = evaluator.linear(&rules, position, side);
            let mut leaves = Leaves::new(&rules, evaluator, linear.as_ref(), position, side, keep);
            let empty = Linear { base: 0, men: [[0; 64]; 12], nearness: None, squash: Score };
            let sum = Sum::new(linear.as_ref().unwrap_or(&empty));
            fan.walk_sets(position, sum, wanted, &mut leaves);
            Some(leaves.best)
        };
        self.fan = Some(fan);
        heard
    }

    /// Looks beyond the replies to each roll.
    fn replies(
        &mut self,
        node: &Node,
        known: &mut Known,
        replies: &[Vec<Reply>],
        squash: &dyn Fn(i32) -> Score,
    ) -> Option<Option<Score>> {
        let &Node { position, side, depth, window, ply, wanted } = node;
        for roll in known.open().filter(|roll| wanted >> roll & 1 != 0) {
            let candidate = |reply: &Reply| Candidate {
                position: self.play(position, &reply.turn),
                turn: reply.turn,
                value: squash(reply.value),
            };
            let candidates: Vec<Candidate> = replies.get(roll).into_iter().flatten().map(candidate).collect();
            let inner = known.star.window(roll, window);
            self.strand = roll;
            let (score, best) = self.best_of(&candidates, side, depth, inner, ply)?;
            if let Some(best) = best.and_then(|best| candidates.get(best)) {
                self.killers.set(ply, roll, best.turn);
            }
            let within = (score.0 > inner.alpha, score.0 < inner.beta);
            known.star.set(roll, within.0.then_some(score), within.1.then_some(score));
            if let Some(score) = known.star.settled(window) {
                return Some(Some(score));
            }
        }
        Some(None)
    }

    /// Star2's first look: of each roll one turn that was good before. A score where that settles the node.
    fn probe_three(&mut self, node: &Node, known: &mut Known) -> Option<Option<Score>> {
        let &Node { position, side, depth, window, ply, .. } = node;
        let mut probed = 0;
        let mut verdict = None;
        for roll in known.open() {
            let Some((dice, _)) = THREE_DICE.get(roll) else { continue };
            let mut best: Option<Score> = None;
            for turn in self.killers.get(ply, roll) {
                if !can_play(&self.rules, position, side, dice, &turn) {
                    continue;
                }
                let next = self.play(position, &turn);
                probed += 1;
                let score = self.evaluator.evaluate(&self.rules, &next, side);
                if depth > 1 {
                    // One is enough: each is a search of its own.
                    let inner = known.star.window(roll, window);
                    let score = self.after(&next, side, score, depth - 1, inner, ply + 1)?;
                    best = (score.0 > inner.alpha).then_some(score);
                    break;
                }
                best = best.max(Some(score));
            }
            known.star.set(roll, best, None);
            verdict = known.star.settled(window);
            if verdict.is_some() {
                break;
            }
        }
        // Counted at once: the counter is shared with other threads.
        self.spent.add(probed);
        Some(verdict)
    }
}

/// A chance node of three dice.
struct Node<'p> {
    position: &'p Position,
    side: Color,
    depth: u32,
    window: Window,
    ply: u32,
    /// The rolls that are of interest.
    wanted: u64,
}

/// What is known of its rolls.
struct Known {
    star: Star,
    /// The rolls that take the king.
    won: u64,
}

impl Known {
    /// Of the rolls only those that take the king. Where only some of the others are looked at, they stand for all.
    fn new(won: u64, wanted: u64) -> Known {
        let sum = |rolls: u64| -> u32 {
            THREE_DICE
                .iter()
                .enumerate()
                .filter(|(roll, _)| rolls >> roll & 1 != 0)
                .map(|(_, (_, weight))| weight)
                .sum()
        };
        let (open, seen) = (sum(Fan::ALL & !won), sum(wanted & !won));
        let weigh = |(roll, (_, weight)): (usize, &(_, u32))| match (won >> roll & 1, wanted >> roll & 1) {
            (1, _) => weight * seen.max(1),
            (_, 1) => weight * open,
            _ => 0,
        };
        let all = wanted == Fan::ALL;
        let mut star = Star::new(THREE_DICE.iter().enumerate().map(|item| if all { item.1.1 } else { weigh(item) }));
        for roll in (0..ROLLS).filter(|roll| won >> roll & 1 != 0) {
            star.set(roll, Some(Score::WIN), None);
        }
        Known { star, won }
    }

    /// The rolls that take no king.
    fn open(&self) -> impl Iterator<Item = usize> + use<> {
        let won = self.won;
        (0..ROLLS).filter(move |roll| won >> roll & 1 == 0)
    }
}

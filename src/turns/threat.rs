//! The chance that the next roll lets a side take the king.

use super::Rules;
use super::generate::KeySet;
use super::multiset::{THREE_DICE, one_of};
use crate::board::{Bitboard, Color, Role};
use crate::position::{Pool, Position, SingleMove};
use crate::variant::{Allowance, Schedule, Use};
use std::fmt;
use std::ops::ControlFlow;

/// Favourable outcomes out of equally likely ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Odds {
    /// In how many the king can be taken.
    pub favourable: u32,
    /// Out of how many.
    pub total: u32,
}

impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.favourable, self.total)
    }
}

/// The danger that the next roll brings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Threat {
    /// The king is no goal.
    None,
    /// The odds of the side to roll.
    Mover(Odds),
    /// The odds of White and of Black, over one throw of a contest game.
    Both(Odds, Odds),
}

/// How many moves of a series are looked through for its danger.
const SERIES: usize = 5;
/// How many distinct positions inside such a series are looked through.
const SERIES_CAP: usize = 400_000;

impl Rules {
    /// In how many outcomes of the next roll the side to roll can take the king in that turn.
    ///
    /// Exact in every variant. Where a pool is left, the side to move is taken to roll afresh. In the contest games a
    /// second mover counts where the first has no move that prevents it.
    pub fn threat(&self, position: &Position) -> Threat {
        self.threat_within(position, SERIES)
    }

    /// The same; in games of free series only captures within `depth` moves are seen, so that it is a lower bound.
    pub fn threat_within(&self, position: &Position, depth: usize) -> Threat {
        if !self.variant.has_king_capture() {
            return Threat::None;
        }
        match (self.variant.schedule, position.side()) {
            (Schedule::Alternate, Some(side)) => Threat::Mover(self.mover_odds(position, side, depth)),
            _ => {
                let odds = self.contest_odds(position);
                Threat::Both(odds[0], odds[1])
            }
        }
    }

    fn mover_odds(&self, position: &Position, side: Color, depth: usize) -> Odds {
        match (self.variant.usage, self.variant.allowance) {
            (Use::Max, _) if self.variant.dice.count() == 3 => self.three_dice_odds(position, side),
            (_, Allowance::Count(most)) => {
                let needed = self.shortest_capture(position, side, depth.min(usize::from(most)));
                Odds { favourable: needed.map_or(0, |moves| 7 - moves as u32), total: 6 }
            }
            (_, Allowance::Difference) => {
                // Of two dice so many differ by as much or more.
                let wide = |moves: u32| (6 - moves) * (7 - moves);
                let needed = self.shortest_capture(position, side, depth.min(5));
                Odds { favourable: needed.map_or(0, |moves| wide(moves as u32)), total: 30 }
            }
            _ => {
                let mut waiting = *position;
                waiting.set_allowance(side, Pool::EMPTY);
                let chance = self.outcomes(&waiting);
                let takes = |next: &Position| match self.variant.allowance {
                    Allowance::RoleTimes => self.locked_capture(next),
                    _ => self.takes_king(next),
                };
                let favourable =
                    chance.outcomes.iter().filter(|outcome| takes(&outcome.position)).map(|outcome| outcome.weight);
                Odds { favourable: favourable.sum(), total: chance.total }
            }
        }
    }

    fn contest_odds(&self, position: &Position) -> [Odds; 2] {
        let mut odds = [Odds { favourable: 0, total: 0 }; 2];
        for (roll, weight) in self.variant.dice.rolls() {
            if roll.die(0) == roll.die(1) {
                continue;
            }
            odds.iter_mut().for_each(|side| side.total += weight);
            let Some(next) = self.roll(position, roll) else { continue };
            let Some(first) = next.side() else { continue };
            if self.takes_king(&next) {
                odds[first.index()].favourable += weight;
            } else if next.pool().next.is_some() && self.second_takes_king(&next) {
                odds[first.other().index()].favourable += weight;
            }
        }
        odds
    }

    /// Whether the second mover of a round can take the king whatever the first does.
    fn second_takes_king(&self, position: &Position) -> bool {
        let mut moves = Vec::new();
        self.single_moves(position, &mut moves);
        let after = |mv: Option<SingleMove>| {
            let mut next = *position;
            if let Some(mv) = mv {
                next.play(self.variant, mv, &mut ());
            }
            next.end_turn(self.variant, self.sliders);
            self.takes_king(&next)
        };
        if moves.is_empty() { after(None) } else { moves.into_iter().all(|mv| after(Some(mv))) }
    }

    /// Whether the man of the rolled role can take the king within his moves; nobody else moves meanwhile.
    fn locked_capture(&self, position: &Position) -> bool {
        let mut seen = KeySet::default();
        let mut layer = vec![*position];
        let mut moves = Vec::new();
        while let Some(current) = layer.pop() {
            if self.takes_king(&current) {
                return true;
            }
            self.single_moves(&current, &mut moves);
            for &mv in &moves {
                let mut next = current;
                next.play(self.variant, mv, &mut ());
                if !next.pool().is_empty() && seen.insert(next.key()) {
                    layer.push(next);
                }
            }
        }
        false
    }

    /// The fewest moves in a row by any men of a side that take the king, none where more than `depth` are needed.
    ///
    /// The last two moves are told by sight, from the king outwards.
    pub fn shortest_capture(&self, position: &Position, side: Color, depth: usize) -> Option<usize> {
        if depth == 0 || position.king(side.other()).is_none() {
            return None;
        }
        if self.attacking_roles(position, side) != 0 {
            return Some(1);
        }
        let mut seen = KeySet::default();
        let mut layer = vec![*position];
        for needed in 2..=depth {
            if layer.iter().any(|current| self.can_bring_to_bear(current, side)) {
                return Some(needed);
            }
            if needed == depth {
                break;
            }
            let mut next_layer = Vec::new();
            for current in &layer {
                let _ = self.each_free_move(current, side, &mut |mv| {
                    let mut next = *current;
                    next.displace(self.variant, mv, &mut ());
                    if seen.len() < SERIES_CAP && seen.insert(next.key()) {
                        next_layer.push(next);
                    }
                    ControlFlow::Continue(())
                });
            }
            layer = next_layer;
        }
        None
    }

    /// The roles by which a side attacks the enemy king, as bits.
    pub fn attacking_roles(&self, position: &Position, side: Color) -> u8 {
        let Some(king) = position.king(side.other()) else { return 0 };
        roles_of(position, position.attackers(self.sliders, king, side, position.occupied()))
    }

    /// The rolls of three dice with which a side can take the king, as bits in ascending order of the rolls.
    pub fn king_captures(&self, position: &Position, side: Color) -> u64 {
        let mut winning = 0u64;
        if self.captures_by_sight() {
            winning = self.king_capturing_rolls(position, side);
        } else {
            self.spread(position, side, 0, 3, &mut winning);
        }
        winning
    }

    /// A roll wins where a part of it spent on one or two moves brings a role of the rest to bear on the king.
    fn three_dice_odds(&self, position: &Position, side: Color) -> Odds {
        let winning = self.king_captures(position, side);
        let favourable = THREE_DICE.rolls.iter().enumerate().filter(|(bit, _)| winning >> bit & 1 != 0);
        Odds { favourable: favourable.map(|(_, &(_, weight))| weight).sum(), total: 216 }
    }

    /// Adds to `winning` every roll that contains the dice spent and takes the king with the `left` others.
    fn spread(&self, position: &Position, side: Color, spent: usize, left: usize, winning: &mut u64) {
        let attacking = self.attacking_roles(position, side);
        for role in Role::ALL {
            if attacking >> role.index() & 1 != 0 {
                *winning |= THREE_DICE.containing[spent + one_of(role)];
            }
        }
        if left < 2 {
            return;
        }
        let _ = self.each_free_move(position, side, &mut |mv| {
            let cost = mv.cost(self.variant);
            let Some(man) = position.man(mv.from) else { return ControlFlow::Continue(()) };
            let spent = spent + one_of(man.role()) + if cost == 2 { one_of(Role::Rook) } else { 0 };
            let open = THREE_DICE.containing[spent] & !*winning != 0;
            if cost < left && open && position.man(mv.to).is_none_or(|victim| victim.role() != Role::King) {
                let mut next = *position;
                next.displace(self.variant, mv, &mut ());
                self.spread(&next, side, spent, left - cost, winning);
            }
            ControlFlow::Continue(())
        });
    }
}

fn roles_of(position: &Position, men: Bitboard) -> u8 {
    Role::ALL
        .into_iter()
        .filter(|&role| men.intersects(position.role(role)))
        .fold(0, |bits, role| bits | 1 << role.index())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Ticket;
    use crate::variant::find;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// The fewest moves by making all of them.
    fn plainly(rules: &Rules, position: &Position, side: Color, depth: usize) -> Option<usize> {
        let mut layer = vec![*position];
        for needed in 1..=depth {
            if layer.iter().any(|current| rules.attacking_roles(current, side) != 0) {
                return Some(needed);
            }
            let mut seen = KeySet::default();
            let mut next_layer = Vec::new();
            for current in layer.iter().filter(|_| needed < depth) {
                let _ = rules.each_free_move(current, side, &mut |mv| {
                    let mut next = *current;
                    next.displace(rules.variant, mv, &mut ());
                    if seen.insert(next.key()) {
                        next_layer.push(next);
                    }
                    ControlFlow::Continue(())
                });
            }
            layer = next_layer;
        }
        None
    }

    #[test]
    fn captures_by_a_series_are_told_by_sight() {
        let rules = Rules::new(find("gollon-count").unwrap());
        let mut chance = ChaCha8Rng::seed_from_u64(5);
        let mut found = [0; 5];
        let mut moves = Vec::new();
        for _ in 0..40 {
            let mut at = Position::start(rules.variant);
            for ply in 0..60 {
                let side = if ply % 2 == 0 { Color::White } else { Color::Black };
                at.set_allowance(side, Pool::EMPTY);
                for view in Color::ALL {
                    let wanted = plainly(&rules, &at, view, 3);
                    assert_eq!(rules.shortest_capture(&at, view, 3), wanted, "{at:?}");
                    found[wanted.unwrap_or(0)] += 1;
                }
                at.set_allowance(side, Pool::repeat(Ticket::ANY, 1));
                rules.single_moves(&at, &mut moves);
                let quiet = |mv: &&SingleMove| at.man(mv.to).is_none_or(|man| man.role() != Role::King);
                let quiet: Vec<&SingleMove> = moves.iter().filter(quiet).collect();
                let Some(&&mv) = quiet.get(chance.random_range(0..quiet.len().max(1))) else { break };
                at = rules.after_single(&at, mv);
            }
        }
        assert!(found.iter().filter(|count| **count > 100).count() >= 4, "{found:?}");
    }
}

//! The reference players of the fortemate project, as published by their rules of thumb: yardsticks, not opponents.
//!
//! *random* plays any legal turn; *greedy* the best material, ties at random; *cautious* is greedy less 2000 where its
//! own king stands attacked; *aggressive* is cautious plus pawn advance, nearness to the enemy king and attackers of the
//! squares around it. All but random take an immediate win. In games of series each single move is chosen by itself.

use super::linear::distance;
use super::material::material;
use crate::board::{Bitboard, Color, Role, Square, king_attacks};
use crate::position::{Position, SingleMove};
use crate::turns::{Effort, Rules, Step, Turn};
use crate::variant::{Goal, Use};
use rand::{Rng, RngExt};

/// One of the reference players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Reference {
    Random,
    Greedy,
    Cautious,
    Aggressive,
}

/// What an attack on the own king costs the cautious.
const EXPOSED: i32 = 2000;
/// What an immediate win is worth: more than anything else adds up to.
const WON: i32 = 1_000_000;
/// For a rank of pawn advance.
const ADVANCE: i32 = 15;
/// For each attacker of each square next to the enemy king.
const ATTACKER: i32 = 25;

impl Reference {
    /// All four.
    pub const ALL: [Reference; 4] = [Reference::Random, Reference::Greedy, Reference::Cautious, Reference::Aggressive];

    /// The name by which it is asked for.
    pub const fn name(self) -> &'static str {
        match self {
            Reference::Random => "random",
            Reference::Greedy => "greedy",
            Reference::Cautious => "cautious",
            Reference::Aggressive => "aggressive",
        }
    }

    /// The player of a name.
    pub fn parse(name: &str) -> Option<Reference> {
        Reference::ALL.into_iter().find(|player| player.name() == name)
    }

    /// Chooses a turn of a decision node; the pass where nothing can be moved.
    pub fn choose(self, rules: &Rules, position: &Position, chance: &mut impl Rng) -> Turn {
        match self {
            Reference::Random if rules.variant.usage == Use::Max => random_turn(rules, position, chance),
            Reference::Random => random_moves(rules, position, chance),
            _ if rules.variant.is_series() => self.best_moves(rules, position, chance),
            _ => self.best_turn(rules, position, chance),
        }
    }

    /// The best of all distinct turns.
    fn best_turn(self, rules: &Rules, position: &Position, chance: &mut impl Rng) -> Turn {
        let Some(side) = position.side() else { return Turn::PASS };
        let mut best = Best::new();
        rules.each_afterstate(position, Effort::FULL, |leaf| {
            best.offer(self.value(rules, leaf.position, side), || leaf.turn(), chance);
        });
        best.choice.unwrap_or(Turn::PASS)
    }

    /// The best single move, again and again.
    fn best_moves(self, rules: &Rules, position: &Position, chance: &mut impl Rng) -> Turn {
        let Some(side) = position.side() else { return Turn::PASS };
        walk(rules, position, |steps| {
            let mut best = Best::new();
            for (index, (_, step)) in steps.iter().enumerate() {
                best.offer(self.value(rules, step.position(), side), || index, chance);
            }
            best.choice.unwrap_or(0)
        })
    }

    /// What a position after an own turn or single move is worth to the side that made it.
    fn value(self, rules: &Rules, position: &Position, side: Color) -> i32 {
        let won =
            if rules.variant.has_check() { rules.outcome(position, false) } else { position.decided(rules.variant) };
        if let Some(winner) = won.and_then(|outcome| outcome.winner) {
            return if winner == side { WON } else { -WON };
        }
        let mut value = material(rules.variant, position, side);
        let careful = matches!(self, Reference::Cautious | Reference::Aggressive);
        if careful && rules.variant.goal != Goal::Pawns && position.in_check(rules.sliders, side) {
            value -= EXPOSED;
        }
        if self == Reference::Aggressive {
            value += aggression(rules, position, side);
        }
        value
    }
}

/// Pawn advance, nearness to the enemy king, and attackers of the squares next to it.
fn aggression(rules: &Rules, position: &Position, side: Color) -> i32 {
    let advance = |pawn: Square| i32::from(side.relative_rank(pawn.rank())) - 1;
    let mut value: i32 = position.men(side, Role::Pawn).map(|pawn| ADVANCE * advance(pawn)).sum();
    let Some(king) = position.king(side.other()) else { return value };
    for (role, weight) in [(Role::Knight, 15), (Role::Bishop, 15), (Role::Rook, 25), (Role::Queen, 40)] {
        value += position.men(side, role).map(|man| (8 - distance(man, king)) * weight).sum::<i32>();
    }
    let occupied: Bitboard = position.occupied();
    let attackers = |square| position.attackers(rules.sliders, square, side, occupied).count() as i32;
    value + ATTACKER * king_attacks(king).map(attackers).sum::<i32>()
}

/// The best of a row of offers; among equals each is as likely as the others (reservoir sampling).
struct Best<T> {
    value: i32,
    equals: u32,
    choice: Option<T>,
}

impl<T> Best<T> {
    fn new() -> Best<T> {
        Best { value: i32::MIN, equals: 0, choice: None }
    }

    fn offer(&mut self, value: i32, choice: impl FnOnce() -> T, chance: &mut impl Rng) {
        if value > self.value {
            (self.value, self.equals) = (value, 0);
        }
        if value == self.value {
            self.equals += 1;
            if chance.random_range(0..self.equals) == 0 {
                self.choice = Some(choice());
            }
        }
    }
}

/// Makes single moves, each picked by its index, until the turn is over.
fn walk(rules: &Rules, position: &Position, mut pick: impl FnMut(&[(SingleMove, Step)]) -> usize) -> Turn {
    let mut turn = Turn::PASS;
    let mut at = *position;
    loop {
        let steps = rules.steps(&at);
        if steps.is_empty() {
            return turn;
        }
        let Some(&(mv, step)) = steps.get(pick(&steps)) else { return turn };
        turn.push(mv);
        match step {
            Step::Within(next) => at = next,
            Step::Ended(_) => return turn,
        }
    }
}

/// A turn of single moves each picked at random; a voluntary pass counts as one more choice.
fn random_moves(rules: &Rules, position: &Position, chance: &mut impl Rng) -> Turn {
    let pass = usize::from(position.pool().is_optional());
    walk(rules, position, |steps| chance.random_range(0..steps.len() + pass))
}

/// A turn picked uniformly from all move sequences: each step as likely as the turns that it begins.
fn random_turn(rules: &Rules, position: &Position, chance: &mut impl Rng) -> Turn {
    walk(rules, position, |steps| {
        let turns = |step: &Step| match step {
            Step::Within(next) => rules.survey(next).sequences,
            Step::Ended(_) => 1,
        };
        let counts: Vec<u64> = steps.iter().map(|(_, step)| turns(step)).collect();
        let mut left = chance.random_range(0..counts.iter().sum::<u64>().max(1));
        let reached = counts.iter().position(|&count| {
            let here = left < count;
            left = left.saturating_sub(count);
            here
        });
        reached.unwrap_or(0)
    })
}

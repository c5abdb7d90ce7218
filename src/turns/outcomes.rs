//! The chance node: what a roll allows, and every outcome of a throw with its weight. The only source of
//! probabilities for search, referee and protocol.

use super::Rules;
use crate::board::{Color, Role};
use crate::dice::{Face, Roll};
use crate::position::{Pool, Position, Ticket};
use crate::variant::{Allowance, NoMoveRule, Schedule};

/// One outcome of a throw: rolls that allow the same are merged, rolls that are thrown again are folded away.
#[derive(Clone, Debug)]
pub struct ChanceOutcome {
    /// The first of the rolls merged here.
    pub roll: Roll,
    /// Its weight out of [`Chance::total`].
    pub weight: u32,
    /// The decision node that it leads to.
    pub position: Position,
}

/// The chance node of a position that awaits a roll.
#[derive(Clone, Debug, Default)]
pub struct Chance {
    /// The outcomes, in ascending order of their rolls.
    pub outcomes: Vec<ChanceOutcome>,
    /// The sum of their weights; 0 where no throw would ever count.
    pub total: u32,
}

impl Rules {
    /// The outcomes of the next throw. Empty where no roll is awaited or the game throws no dice.
    pub fn outcomes(&self, position: &Position) -> Chance {
        let mut chance = Chance::default();
        if !position.awaits_roll() {
            return chance;
        }
        for (roll, weight) in self.variant.dice.rolls() {
            let Some(next) = self.roll(position, roll) else { continue };
            chance.total += weight;
            match chance.outcomes.iter_mut().find(|known| known.position.key() == next.key()) {
                Some(known) => known.weight += weight,
                None => chance.outcomes.push(ChanceOutcome { roll, weight, position: next }),
            }
        }
        chance
    }

    /// The decision node that a roll leads to; none where the roll does not count and is thrown again.
    ///
    /// The position must await a roll, and the roll have the variant's number of dice.
    pub fn roll(&self, position: &Position, roll: Roll) -> Option<Position> {
        if self.variant.allowance == Allowance::JokerDie {
            return self.contest(position, roll);
        }
        let side = position.side()?;
        let (first, second) = (roll.die(0), roll.die(1));
        let pool = match self.variant.allowance {
            Allowance::EachDie => {
                let tickets: Vec<Ticket> = roll.dice().iter().map(|die| Ticket::of(die.role())).collect();
                let pool = Pool::new(&tickets);
                match self.variant.no_move {
                    NoMoveRule::Reroll if !self.is_live(position, side, &pool) => return None,
                    NoMoveRule::AnyMove if !self.is_live(position, side, &pool) => Pool::new(&[Ticket::ANY]),
                    _ => pool,
                }
            }
            Allowance::LowerDie if first == second => Pool::new(&[Ticket::CAPTURE_OR_PAWN]),
            Allowance::LowerDie => Pool::repeat(Ticket::ANY, first.min(second).number()),
            Allowance::Difference if first == second => return None,
            Allowance::Difference => Pool::repeat(Ticket::ANY, first.number().abs_diff(second.number())),
            Allowance::EitherDie if first == second => Pool::new(&[Ticket::ANY]),
            Allowance::EitherDie => Pool::new(&[Ticket::either(first.role(), second.role())]),
            Allowance::SpecialDice => Pool::new(&[special(first, second)]),
            Allowance::Count(most) => Pool::repeat(Ticket::ANY, first.number().min(most)),
            Allowance::RoleTimes => Pool::repeat(Ticket::of(first.role()), second.number()),
            Allowance::JokerDie | Allowance::Everything => return None,
        };
        let mut next = *position;
        next.set_allowance(side, pool);
        Some(next)
    }

    /// The higher die moves; where it cannot, the rules of the contest say what follows.
    fn contest(&self, position: &Position, roll: Roll) -> Option<Position> {
        let (white, black) = (roll.die(0), roll.die(1));
        if white == black {
            return None;
        }
        let (higher, high, low) =
            if white > black { (Color::White, white, black) } else { (Color::Black, black, white) };
        let mut pool = Pool::new(&[joker(high)]);
        let mut next = *position;
        if self.variant.schedule == Schedule::ContestBoth {
            pool.next = Some(low);
            next.set_allowance(higher, pool);
            return Some(next);
        }
        if self.is_live(position, higher, &pool) {
            next.set_allowance(higher, pool);
            return Some(next);
        }
        let fallback = Pool::new(&[joker(low)]);
        if !self.is_live(position, higher.other(), &fallback) {
            return None;
        }
        next.set_allowance(higher.other(), fallback);
        Some(next)
    }

    fn is_live(&self, position: &Position, side: Color, pool: &Pool) -> bool {
        let mut trial = *position;
        trial.set_allowance(side, *pool);
        self.has_move(&trial)
    }
}

/// The ticket of a contest die: a six is a joker.
fn joker(face: Face) -> Ticket {
    if face.number() == 6 { Ticket::ANY } else { Ticket::of(face.role()) }
}

/// The ticket of two special dice: P N B R K P and P N B R Q optional.
fn special(first: Face, second: Face) -> Ticket {
    let own = match first.number() {
        5 => Role::King,
        6 => Role::Pawn,
        _ => first.role(),
    };
    if second.number() == 6 { Ticket::ANY_OR_PASS } else { Ticket::either(own, second.role()) }
}

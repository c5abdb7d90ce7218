//! The seventh field of a DFEN: what may still be moved.

use super::shown;
use crate::board::{Color, Role, Square};
use crate::dice::{DiceKind, Face};
use crate::position::{Pool, Position, Ticket};
use crate::variant::{Allowance, NoMoveRule, Schedule, Variant};
use thiserror::Error;

/// What is wrong with a pool.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum PoolError {
    /// Not a pool of this variant.
    #[error("'{0}' is not a pool of {1}")]
    Malformed(String, &'static str),
    /// More tickets than a roll gives.
    #[error("a pool of {variant} has at most {most} tickets, not {given}")]
    TooMany {
        /// The game.
        variant: &'static str,
        /// The most that a roll gives.
        most: usize,
        /// How many were given.
        given: usize,
    },
    /// A pool without a side.
    #[error("a pool needs a side to move")]
    NoSide,
    /// A letter in the case of the other side.
    #[error("the pool's letter '{0}' is in the case of the other side")]
    Case(char),
    /// The mark `x` where no move can have been made, or where nothing is left.
    #[error("the mark 'x' needs a pool of which part is spent and part is left")]
    Mark,
    /// The mark `x` though no line takes the king.
    #[error("the mark 'x' needs a line that takes the king, and there is none")]
    MarkWithoutCapture,
    /// A die that the rules would have thrown again.
    #[error("no man can use the pool's die, so that it would have been thrown again")]
    Dead,
}

/// Reads a pool other than `-`.
pub fn from_text(variant: &'static Variant, side: Option<Color>, text: &str) -> Result<Pool, PoolError> {
    let malformed = || PoolError::Malformed(shown(text), variant.name);
    let pool = match variant.allowance {
        Allowance::EachDie => each_die(variant, text)?,
        Allowance::JokerDie => joker_die(variant, side.ok_or(PoolError::NoSide)?, text)?,
        Allowance::LowerDie if text == "!" => Some(Pool::new(&[Ticket::CAPTURE_OR_PAWN])),
        Allowance::LowerDie | Allowance::Difference => stars(variant, text, 5)?,
        Allowance::Count(most) => stars(variant, text, usize::from(most))?,
        Allowance::EitherDie if text == "*" => Some(Pool::new(&[Ticket::ANY])),
        Allowance::EitherDie => pair(text).map(|(a, b)| Pool::new(&[Ticket::either(a, b)])),
        Allowance::SpecialDice => special_dice(text),
        Allowance::RoleTimes => role_times(variant, text)?,
        Allowance::Everything => None,
    };
    pool.ok_or_else(malformed)
}

fn roles(text: &str) -> Option<Vec<Role>> {
    text.chars().map(Role::parse).collect()
}

fn at_most(variant: &Variant, most: usize, given: usize) -> Result<(), PoolError> {
    if given > most { Err(PoolError::TooMany { variant: variant.name, most, given }) } else { Ok(()) }
}

fn stars(variant: &Variant, text: &str, most: usize) -> Result<Option<Pool>, PoolError> {
    if text.is_empty() || !text.bytes().all(|byte| byte == b'*') {
        return Ok(None);
    }
    at_most(variant, most, text.len())?;
    Ok(Some(Pool::repeat(Ticket::ANY, text.len() as u8)))
}

/// `PNB`, `PNx`; games of one die: `P`, and `*` where a dead face frees every man.
fn each_die(variant: &Variant, text: &str) -> Result<Option<Pool>, PoolError> {
    let dice = variant.dice.count();
    if variant.dice == DiceKind::One && text == "*" && variant.no_move == NoMoveRule::AnyMove {
        return Ok(Some(Pool::new(&[Ticket::ANY])));
    }
    let (letters, spoilt) = match text.strip_suffix('x') {
        Some(letters) if dice > 1 => (letters, true),
        _ => (text, false),
    };
    let Some(roles) = roles(letters) else { return Ok(None) };
    at_most(variant, dice, roles.len())?;
    if spoilt && (roles.is_empty() || roles.len() == dice) {
        return Err(PoolError::Mark);
    }
    let mut pool = Pool::new(&roles.into_iter().map(Ticket::of).collect::<Vec<_>>());
    pool.spoilt = spoilt;
    Ok(Some(pool).filter(|pool| !pool.is_empty()))
}

/// `N` or `*`; while the first half of a round is under way `Q>b` or `*>b`.
fn joker_die(variant: &Variant, side: Color, text: &str) -> Result<Option<Pool>, PoolError> {
    let die = |text: &str, side: Color| -> Result<Option<Face>, PoolError> {
        let mut letters = text.chars();
        let (Some(letter), None) = (letters.next(), letters.next()) else { return Ok(None) };
        if letter == '*' {
            return Ok(Face::new(6));
        }
        let Some(role) = Role::parse(letter).filter(|&role| role != Role::King) else { return Ok(None) };
        if role.letter_of(side) != letter {
            return Err(PoolError::Case(letter));
        }
        Ok(Some(Face::of(role)))
    };
    let both = variant.schedule == Schedule::ContestBoth;
    let (own, waiting) = match text.split_once('>') {
        Some((own, waiting)) if both => (die(own, side)?, Some(die(waiting, side.other())?)),
        Some(_) => return Ok(None),
        None => (die(text, side)?, None),
    };
    let Some(own) = own else { return Ok(None) };
    let mut pool = Pool::new(&[if own.number() == 6 { Ticket::ANY } else { Ticket::of(own.role()) }]);
    pool.next = match waiting {
        // The second mover threw less than the first.
        Some(Some(low)) if low < own => Some(low),
        Some(_) => return Ok(None),
        None if both && own.number() == 6 => return Ok(None),
        None => None,
    };
    Ok(Some(pool))
}

/// `[NB]`: two different roles.
fn pair(text: &str) -> Option<(Role, Role)> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    match roles(inner)?.as_slice() {
        &[a, b] if a != b => Some((a, b)),
        _ => None,
    }
}

/// `[PN]`, `P`, `*` in check, `?` for any move or a pass.
fn special_dice(text: &str) -> Option<Pool> {
    match text {
        "?" => Some(Pool::new(&[Ticket::ANY_OR_PASS])),
        "*" => {
            let mut pool = Pool::new(&[Ticket::ANY]);
            pool.answers_check = true;
            Some(pool)
        }
        _ => {
            // The king is on the first die only, the queen on the second only: neither can fall twice.
            let equal = match roles(text).as_deref() {
                Some(&[role]) if role != Role::King && role != Role::Queen => Some((role, role)),
                _ => None,
            };
            let (a, b) = equal.or_else(|| pair(text))?;
            Some(Pool::new(&[Ticket::either(a, b)]))
        }
    }
}

/// `NNN`, then `NN@f3`.
fn role_times(variant: &Variant, text: &str) -> Result<Option<Pool>, PoolError> {
    let (letters, lock) = match text.split_once('@') {
        Some((letters, square)) => match Square::parse(square) {
            Some(square) => (letters, Some(square)),
            None => return Ok(None),
        },
        None => (text, None),
    };
    let Some(roles) = roles(letters) else { return Ok(None) };
    at_most(variant, if lock.is_some() { 5 } else { 6 }, roles.len())?;
    let Some(&first) = roles.first().filter(|&&first| roles.iter().all(|&role| role == first)) else {
        return Ok(None);
    };
    let mut pool = Pool::repeat(Ticket::of(first), roles.len() as u8);
    pool.lock = lock;
    Ok(Some(pool))
}

/// Writes the pool of a position.
pub fn to_text(variant: &Variant, position: &Position) -> String {
    let pool = position.pool();
    let side = match position.side() {
        Some(side) if !pool.is_empty() && variant.has_dice() => side,
        _ => return "-".to_string(),
    };
    let mut text: String = pool.tickets().iter().map(|ticket| ticket_text(*ticket, side)).collect();
    if let Some(next) = pool.next {
        text.push('>');
        text.push(next.role().letter_of(side.other()));
    }
    if let Some(lock) = pool.lock {
        text.push('@');
        text.push_str(&lock.to_string());
    }
    if pool.spoilt {
        text.push('x');
    }
    text
}

fn ticket_text(ticket: Ticket, side: Color) -> String {
    let letters = || -> String {
        Role::ALL.into_iter().filter(|&role| ticket.admits(role)).map(|role| role.letter_of(side)).collect()
    };
    if ticket.is_restricted() {
        "!".to_string()
    } else if ticket.is_optional() {
        "?".to_string()
    } else if ticket.is_free() {
        "*".to_string()
    } else if ticket.role().is_some() {
        letters()
    } else {
        format!("[{}]", letters())
    }
}

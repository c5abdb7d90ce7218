//! A game under way: the position, the history that repetition needs, and one roll or single move after another.

use super::{Rules, Status, Step};
use crate::board::Color;
use crate::dice::{DiceStream, Roll};
use crate::position::{Outcome, Pool, Position, SingleMove, Ticket};
use std::fmt;
use thiserror::Error;

/// Why a roll, a move or a pass cannot be.
#[derive(Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayError {
    /// The game is over.
    #[error("the game is over: {0}")]
    Over(Outcome),
    /// A move or a pass where the dice have not been rolled.
    #[error("a roll is due, not a move")]
    RollDue,
    /// A roll where the last one has not been used.
    #[error("{} must move before the next roll", .0.name())]
    MoveDue(Color),
    /// A roll of the wrong number of dice.
    #[error("a roll of this game has {wanted} dice, not {given}")]
    DiceCount {
        /// How many dice the game throws.
        wanted: usize,
        /// How many were given.
        given: usize,
    },
    /// A stream of rolls that has come to its end.
    #[error("the dice stream has ended")]
    DiceEnded,
    /// A roll in a game without dice.
    #[error("this game has no dice")]
    NoDice,
    /// No legal turn begins so.
    #[error("illegal move")]
    Illegal,
    /// A pass where a move can be made.
    #[error("{} must move and may not pass", .0.name())]
    MayNotPass(Color),
}

/// A game under way.
#[derive(Clone)]
pub struct Game {
    rules: Rules,
    position: Position,
    /// Repetition keys of the positions at turns' ends since the last capture or pawn move.
    history: Vec<u64>,
    /// Whether the position stands for the third time.
    repeated: bool,
    /// A roll that did not count: the dice are thrown again.
    void: Option<Roll>,
    /// How many rolls of the present turn did not count.
    rerolls: u32,
    /// Single moves made in the present turn.
    made: u32,
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Game").field("variant", &self.rules.variant.name).field("position", &self.position).finish()
    }
}

impl Game {
    /// A game that begins here.
    pub fn new(rules: Rules, position: Position) -> Game {
        let history = vec![position.repetition_key()];
        Game { rules, position, history, repeated: false, void: None, rerolls: 0, made: 0 }
    }

    /// The rule machine.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The position reached.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// What is due.
    pub fn status(&self) -> Status {
        self.rules.status(&self.position, self.repeated)
    }

    /// The last roll where it did not count, so that the dice are thrown again.
    pub fn void_roll(&self) -> Option<Roll> {
        self.void
    }

    /// How many rolls of the present turn did not count.
    pub fn rerolls(&self) -> u32 {
        self.rerolls
    }

    /// How many single moves have been made in the present turn.
    pub fn made(&self) -> u32 {
        self.made
    }

    /// Throws the dice. A forced pass that is still due is made first.
    pub fn roll(&mut self, roll: Roll) -> Result<(), PlayError> {
        if !self.rules.variant.has_dice() {
            return Err(PlayError::NoDice);
        }
        let (wanted, given) = (self.rules.variant.dice.count(), roll.dice().len());
        if wanted != given {
            return Err(PlayError::DiceCount { wanted, given });
        }
        let mut next = self.clone();
        next.pass_if_forced();
        match next.status() {
            Status::Over(outcome) => return Err(PlayError::Over(outcome)),
            Status::Decide(side) | Status::Pass(side) => return Err(PlayError::MoveDue(side)),
            Status::Roll => {}
        }
        match next.rules.roll(&next.position, roll) {
            Some(position) => {
                next.position = position;
                next.void = None;
            }
            None => {
                next.void = Some(roll);
                next.rerolls += 1;
            }
        }
        *self = next;
        Ok(())
    }

    /// Throws the next dice of a stream once, where a roll is due, and says what fell.
    pub fn roll_from(&mut self, dice: &mut dyn DiceStream) -> Result<Roll, PlayError> {
        let variant = self.rules.variant;
        let mut next = self.clone();
        next.pass_if_forced();
        if !variant.has_dice() {
            return Err(PlayError::NoDice);
        }
        match next.status() {
            Status::Over(outcome) => return Err(PlayError::Over(outcome)),
            // A roll that is not due must not use up dice.
            Status::Decide(side) | Status::Pass(side) => return Err(PlayError::MoveDue(side)),
            Status::Roll => {}
        }
        let ply = next.position.ply(variant);
        let roll = dice.roll(variant.dice, ply, next.rerolls).ok_or(PlayError::DiceEnded)?;
        next.roll(roll)?;
        *self = next;
        Ok(roll)
    }

    /// Throws the dice of a stream until a roll counts, where one is due.
    pub fn roll_until_it_counts(&mut self, dice: &mut dyn DiceStream) -> Result<(), PlayError> {
        while self.status() == Status::Roll {
            self.roll_from(dice)?;
        }
        Ok(())
    }

    /// Throws the dice of a stream, and passes where they allow nothing, until a move can be made or the game is over.
    pub fn roll_until_a_move(&mut self, dice: &mut dyn DiceStream) -> Result<(), PlayError> {
        while matches!(self.status(), Status::Roll | Status::Pass(_)) {
            self.pass_if_forced();
            self.roll_until_it_counts(dice)?;
        }
        Ok(())
    }

    /// Frees the side to move from its dice for one single move that makes the whole turn. Not inside a turn, and not
    /// where nobody is to move.
    pub fn free_move(&mut self) -> Result<(), PlayError> {
        match (self.status(), self.position.side()) {
            (Status::Over(outcome), _) => Err(PlayError::Over(outcome)),
            (_, Some(side)) if self.made == 0 => {
                self.position.set_allowance(side, Pool::new(&[Ticket::ANY]));
                Ok(())
            }
            _ => Err(PlayError::Illegal),
        }
    }

    /// Makes a single move. A forced pass that is still due is made first, where a move can follow it.
    pub fn play(&mut self, mv: SingleMove) -> Result<(), PlayError> {
        let mut next = self.clone();
        next.pass_if_forced();
        match next.status() {
            Status::Over(outcome) => return Err(PlayError::Over(outcome)),
            Status::Roll => return Err(PlayError::RollDue),
            Status::Decide(_) | Status::Pass(_) => {}
        }
        match next.rules.step(&next.position, mv).ok_or(PlayError::Illegal)? {
            Step::Within(position) => {
                next.position = position;
                next.made += 1;
            }
            Step::Ended(position) => next.arrive(position, false),
        }
        *self = next;
        Ok(())
    }

    /// Plays a whole turn that the generator gives here, told by its end: nothing is looked into again.
    pub fn take(&mut self, afterstate: Position) {
        self.arrive(afterstate, false);
    }

    /// Passes: a forced pass, or a voluntary one where the rules allow it.
    pub fn pass(&mut self) -> Result<(), PlayError> {
        match self.status() {
            Status::Over(outcome) => return Err(PlayError::Over(outcome)),
            Status::Roll => return Err(PlayError::RollDue),
            Status::Decide(side) if !self.position.pool().is_optional() => return Err(PlayError::MayNotPass(side)),
            Status::Decide(_) | Status::Pass(_) => {}
        }
        self.pass_turn();
        Ok(())
    }

    /// Makes every forced pass that is due.
    pub fn pass_if_forced(&mut self) {
        while let Status::Pass(_) = self.status() {
            self.pass_turn();
        }
    }

    fn pass_turn(&mut self) {
        let mut passed = self.position;
        passed.end_turn(self.rules.variant, self.rules.sliders);
        self.arrive(passed, true);
    }

    /// The turn has ended in this position. Positions reached by a pass do not count as repeated.
    fn arrive(&mut self, position: Position, by_pass: bool) {
        self.position = position;
        self.void = None;
        self.rerolls = 0;
        self.made = 0;
        self.repeated = false;
        if by_pass || !self.rules.variant.draws.repetition {
            return;
        }
        if position.halfmove() == 0 {
            self.history.clear();
        }
        let key = position.repetition_key();
        self.history.push(key);
        self.repeated = self.history.iter().filter(|&&known| known == key).count() >= 3;
    }
}

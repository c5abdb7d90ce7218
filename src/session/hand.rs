//! A game at the table of a GUI that knows no dice: whose turn it is, what falls, who passes.

use super::Session;
use super::job::Task;
use super::seat::{PASS, Purpose, after_single, pool};
use crate::board::Color;
use crate::dice::DiceStream;
use crate::notation::shown;
use crate::position::Outcome;
use crate::protocol::Reply;
use crate::turns::{Game, PlayError, Status};
use std::io::{self, Write};
use std::time::Instant;

impl<W: Write> Session<W> {
    /// Throws the dice that are due, and does what is the engine's to do.
    pub(super) fn proceed(&mut self) -> io::Result<()> {
        loop {
            if let Err(error) = self.throw()? {
                return self.error(error);
            }
            if let Status::Over(outcome) = self.game.status() {
                return self.tell_result(outcome);
            }
            let Some(engine) = self.seat.engine.filter(|&engine| engine == self.seat.turn && !self.seat.is_over) else {
                return Ok(());
            };
            let mut next = self.game.clone();
            if self.game.position().side() == Some(engine) {
                if let Status::Decide(_) = self.game.status() {
                    return self.think(engine);
                }
                let _ = next.pass();
            }
            self.advance(next)?;
            self.write(format_args!("move {PASS}"))?;
        }
    }

    pub(super) fn think(&mut self, side: Color) -> io::Result<()> {
        (self.seat.purpose, self.seat.since) = (Purpose::Move, Instant::now());
        let limits = self.seat.limits(side);
        self.start(Task::Search { limits, only: Vec::new() })
    }

    /// The GUI's game goes on by a move that leads to this game.
    pub(super) fn advance(&mut self, next: Game) -> io::Result<()> {
        self.tell_others()?;
        self.seat.record(&self.game);
        let begins_anew = next.made() == 0 && next.position() != self.game.position();
        if begins_anew {
            self.seat.unthrown = None;
        }
        self.game = next;
        Ok(())
    }

    /// Throws the dice that are due and says what fell, or what is left of them.
    pub(super) fn throw(&mut self) -> io::Result<Result<(), PlayError>> {
        let mut fallen = String::new();
        while self.game.status() == Status::Roll {
            self.seat.unthrown.get_or_insert_with(|| self.game.clone());
            let mut seeded = self.seed.clone();
            let dice: &mut dyn DiceStream = match &mut seeded {
                Some(seed) => seed,
                None => &mut self.dice,
            };
            match self.game.roll_from(dice) {
                Ok(roll) => fallen = format!("{fallen} {roll}"),
                Err(error) => return Ok(Err(error)),
            }
        }
        self.show_dice(fallen.trim())?;
        Ok(Ok(()))
    }

    /// The dice, as a line of thinking, which xboard shows below the board, and as a comment to the game: when they fall,
    /// and to a user whenever something is asked of him.
    fn show_dice(&mut self, fallen: &str) -> io::Result<()> {
        let status = self.game.status();
        if !self.rules.variant.has_dice() || matches!(status, Status::Over(_)) || self.seat.is_over {
            return Ok(());
        }
        let side = self.game.position().side();
        let asks = !self.seat.machine && self.seat.engine != Some(self.seat.turn);
        if fallen.is_empty() && !asks {
            return Ok(());
        }
        let gap = if fallen.is_empty() { "" } else { " " };
        let please = match status {
            _ if !asks || self.seat.engine.is_none() => "",
            _ if side != Some(self.seat.turn) => " - please pass (click the other clock)",
            Status::Pass(_) => " - no move, please pass (click the other clock)",
            _ => "",
        };
        self.write(format_args!("1 0 0 0 {} dice{gap}{fallen}: {}{please}", self.seat.whose(side), pool(&self.game)))?;
        if !fallen.is_empty() && (side == self.seat.engine || !self.seat.machine) {
            self.seat.untold = Some(format!("{} throws {fallen}", side.map_or("nobody", Color::name)));
        }
        // Before the first move dice may be thrown anew, since the game to be played is not settled yet.
        if self.seat.past.is_empty() { Ok(()) } else { self.tell_others() }
    }

    /// Before a user's first move of a game xboard shows no thinking: he is told his dice in a window when he picks up a man.
    pub(super) fn greet(&mut self) -> io::Result<()> {
        match self.seat.untold.as_ref().filter(|_| self.seat.past.is_empty() && !self.seat.greeted) {
            Some(untold) => {
                self.seat.greeted = true;
                let (untold, left) = (untold.clone(), pool(&self.game));
                self.write(format_args!("telluser {untold}: {left}"))
            }
            None => Ok(()),
        }
    }

    /// Writes what fell into the record of the game.
    fn tell_others(&mut self) -> io::Result<()> {
        match self.seat.untold.take() {
            Some(line) => self.write(format_args!("tellothers {line}")),
            None => Ok(()),
        }
    }

    fn tell_result(&mut self, outcome: Outcome) -> io::Result<()> {
        if self.seat.is_over || self.seat.engine.is_none() {
            return Ok(());
        }
        self.seat.is_over = true;
        self.write(format_args!("{} {{{}}}", outcome.score(), outcome.reason))
    }

    /// A job is done.
    pub(super) fn conclude(&mut self, last: Reply) -> io::Result<()> {
        let purpose = std::mem::replace(&mut self.seat.purpose, Purpose::Answer);
        match (purpose, last) {
            (Purpose::Move, Reply::BestMove(text)) => {
                let mut next = self.game.clone();
                let passes = text == "0000";
                if passes {
                    let _ = next.pass();
                } else if let Ok(after) = after_single(&self.game, &text, self.style()) {
                    next = after;
                }
                self.advance(next)?;
                self.write(format_args!("move {}", if passes { PASS } else { &text }))?;
                self.proceed()
            }
            (Purpose::Hint, Reply::BestMove(text)) => {
                self.write(format_args!("Hint: {}", if text == "0000" { PASS } else { &text }))
            }
            (Purpose::Answer, last) => self.say_in_cecp(&last),
            _ => Ok(()),
        }
    }

    pub(super) fn user_move(&mut self, text: &str) -> io::Result<()> {
        let (side, turn) = (self.game.position().side(), self.seat.turn);
        let next = if self.seat.is_over {
            Err("the game is over".to_string())
        } else if text == PASS {
            let mut next = self.game.clone();
            match side == Some(turn) {
                true => next.pass().map(|()| next).map_err(|error| error.to_string()),
                false => Ok(next),
            }
        } else if side != Some(turn) {
            let whose = side.map_or("The", Color::name);
            Err(format!("{whose} has dice left: pass with {PASS}"))
        } else {
            after_single(&self.game, text, self.style())
        };
        match next {
            Ok(next) => {
                self.advance(next)?;
                self.proceed()
            }
            Err(reason) => {
                let text = shown(text);
                self.write(format_args!("Illegal move ({reason}): {text}"))?;
                if self.seat.machine { Ok(()) } else { self.write(format_args!("telluser {text}: {reason}")) }
            }
        }
    }
}

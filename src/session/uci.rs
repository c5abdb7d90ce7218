//! UCI: positions with their lists of moves, dice, and `go`. UGI has them too.

use super::job::Task;
use super::{Dialect, Nonsense, Session};
use crate::limits::Limits;
use crate::notation::{Style, Token, apply, apply_seeded, from_dfen, move_text, shown, to_dfen};
use crate::position::Position;
use crate::protocol::{Reply, Start};
use crate::turns::{Afterstate, Game, PlayError, Status, Turn};
use std::io::{self, Write};

impl<W: Write> Session<W> {
    /// Sets up a position and plays the tokens; on any error everything stays as it was.
    pub(super) fn set_position(&mut self, start: &Start, moves: &[String]) -> io::Result<()> {
        match self.read_position(start, moves) {
            Ok((game, warnings)) => {
                self.game = game;
                self.nonsense = None;
                for warning in warnings {
                    self.say(&Reply::Note(format!("warning: {warning}")))?;
                }
                self.note_if_debugging()
            }
            Err((nonsense, error)) => {
                self.nonsense = Some(nonsense).filter(|_| self.dialect == Dialect::Ugi);
                self.error(error)
            }
        }
    }

    /// The game that a position and tokens lead to, with warnings; or what is wrong, and with whom.
    fn read_position(&self, start: &Start, moves: &[String]) -> Result<(Game, Vec<String>), (Nonsense, String)> {
        let style = self.style();
        let mut warnings: Vec<String> = Vec::new();
        let position = match start {
            Start::Array => Position::start(self.rules.variant),
            Start::Dfen(dfen) => {
                let parsed = from_dfen(&self.rules, dfen, style == Style::Chess960, self.rigour());
                let parsed = parsed.map_err(|error| (Nonsense { culprit: None }, error.to_string()))?;
                warnings.extend(parsed.warnings.iter().map(ToString::to_string));
                parsed.position
            }
        };
        let mut game = Game::new(self.rules, position);
        for (index, token) in moves.iter().enumerate() {
            let applied = match &self.seed {
                Some(seed) => apply_seeded(&mut game, token, style, seed),
                None => apply(&mut game, token, style).map(|()| false),
            };
            let fault = match applied {
                Ok(true) if self.dialect == Dialect::Ugi => "it does not obey the dice".to_string(),
                Ok(true) => {
                    warnings.push(format!("'{}' does not obey the dice of DiceSeed", shown(token)));
                    continue;
                }
                Ok(false) => continue,
                Err(error) => error.to_string(),
            };
            let culprit = self.mover(&game);
            return Err((Nonsense { culprit }, format!("token {} of 'moves', {fault}", index + 1)));
        }
        Ok((game, warnings))
    }

    /// Where `debug` is on, shows the state that a command has led to.
    fn note_if_debugging(&mut self) -> io::Result<()> {
        if !self.debug {
            return Ok(());
        }
        self.say(&Reply::Note(format!("debug: dfen {}", to_dfen(&self.rules, self.game.position()))))
    }

    /// Starts a search; where a seed gives the dice, a roll that is due is thrown first.
    pub(super) fn go(&mut self, limits: Limits, searchmoves: &[String]) -> io::Result<()> {
        if self.dialect == Dialect::Ugi && !self.throw_for_ugi() {
            return self.say(&Reply::BestMove("0000".to_string()));
        }
        if let (Some(seed), true) = (&self.seed, self.rules.variant.has_dice()) {
            let mut game = self.game.clone();
            if let Err(error) = game.roll_until_it_counts(&mut seed.clone()) {
                return self.error(error);
            }
            self.game = game;
        }
        let mut only = Vec::new();
        for text in searchmoves {
            match self.only_turn(text) {
                Ok(afterstate) => only.push(afterstate),
                Err(error) => return self.error(format!("'searchmoves': {error}")),
            }
        }
        self.start(Task::Search { limits, only })
    }

    /// The end of one turn that `searchmoves` names.
    fn only_turn(&self, text: &str) -> Result<Afterstate, String> {
        let style = self.style();
        let Status::Decide(_) = self.game.status() else { return Err("no turn is due".to_string()) };
        let not_whole = || format!("'{}' is not a whole turn", shown(text));
        let mut turn = Turn::PASS;
        let mut game = self.game.clone();
        if text == "0000" {
            game.pass().map_err(|error| format!("'0000': {error}"))?;
        }
        for single in text.split(',').filter(|_| text != "0000") {
            let mut moves = Vec::new();
            self.rules.single_moves(game.position(), &mut moves);
            let mv = moves.into_iter().find(|&mv| move_text(mv, style) == single);
            let played = mv.ok_or(PlayError::Illegal).and_then(|mv| game.play(mv).map(|()| mv));
            turn.push(played.map_err(|error| format!("'{}': {error}", shown(text)))?);
            if game.made() == 0 && turn.moves().len() < text.split(',').count() {
                return Err(not_whole());
            }
        }
        if game.made() != 0 { Err(not_whole()) } else { Ok(Afterstate { position: *game.position(), turn }) }
    }

    pub(super) fn take_dice(&mut self, text: &str) -> io::Result<()> {
        match Token::parse(text, self.rules.variant) {
            Ok(Token::Roll(_)) => {}
            Ok(_) => return self.error(format!("'{}' is no roll", shown(text))),
            Err(error) => return self.error(error),
        }
        let style = self.style();
        match apply(&mut self.game, text, style) {
            Ok(()) => self.tell_roll(),
            Err(error) => self.error(error),
        }
    }

    pub(super) fn roll_dice(&mut self) -> io::Result<()> {
        let rolled = match &mut self.seed {
            Some(seed) => self.game.roll_from(seed),
            None => self.game.roll_from(&mut self.dice),
        };
        match rolled {
            Ok(roll) => {
                self.say(&Reply::Extra(format!("roll {roll}")))?;
                self.tell_roll()
            }
            Err(error) => self.error(error),
        }
    }

    /// Says that a roll does not count, where it does not.
    fn tell_roll(&mut self) -> io::Result<()> {
        if let Some(roll) = self.game.void_roll() {
            self.say(&Reply::Note(format!("{roll} does not count: roll again")))?;
        }
        self.note_if_debugging()
    }
}

//! The loop between host and engine: commands in, replies out. It owns the position, the options and the worker, and
//! is the only writer to standard output besides `cli`.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod input;
mod job;
mod show;

pub use input::{Input, read_lines};

use crate::dice::{DiceStream, Seeded};
use crate::notation::{Style, Token, apply, from_dfen, shown};
use crate::position::{Position, Rigour};
use crate::protocol::options::{self, OPTIONS, Value};
use crate::protocol::{Command, Reply, Start};
use crate::turns::{Game, PlayError, Rules, Status};
use crate::variant::{DEFAULT, Variant};
use crossbeam_channel::{Receiver, after, never, select};
use job::{Job, Said, Task};
use rand::TryRng;
use rand::rngs::SysRng;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// How long a bounded job may still run once the host has said `quit` or gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Patience {
    /// So long, each.
    Brief(Duration),
    /// Until it is done.
    Endless,
}

/// What a host at the other end of a pipe gets.
pub const BRIEF: Patience = Patience::Brief(Duration::from_millis(500));

/// How many bytes of commands may wait behind a job.
const QUEUE_BYTES: usize = 16 << 20;

/// One conversation with a host.
pub struct Session<W: Write> {
    out: W,
    rules: Rules,
    game: Game,
    chess960: bool,
    rigour: Rigour,
    dice: Box<dyn DiceStream>,
    job: Option<Job>,
    /// Commands that wait for the job under way, with their bytes.
    queue: VecDeque<(Command, usize)>,
    queued: usize,
    patience: Patience,
    /// The host has said `quit` or gone.
    ending: bool,
    /// When the job under way is ended, once the session is ending.
    deadline: Option<Instant>,
}

impl<W: Write> Session<W> {
    /// A session that writes to `out`.
    pub fn new(out: W, patience: Patience) -> Session<W> {
        let rules = Rules::new(DEFAULT);
        // Where the system has no randomness to give, any seed will do: it only feeds the command `roll`.
        let seed = SysRng.try_next_u64().unwrap_or(0);
        Session {
            out,
            rules,
            game: Game::new(rules, Position::start(DEFAULT)),
            chess960: false,
            rigour: Rigour::Lenient,
            dice: Box::new(Seeded::new(seed)),
            job: None,
            queue: VecDeque::new(),
            queued: 0,
            patience,
            ending: false,
            deadline: None,
        }
    }

    /// Serves the host until `quit` or the end of input. The error is one of writing: nobody reads the answers.
    pub fn run(mut self, inputs: &Receiver<Input>) -> io::Result<()> {
        let (deaf, mute) = (never(), never());
        loop {
            while self.job.is_none() {
                let Some((command, bytes)) = self.queue.pop_front() else { break };
                self.queued -= bytes;
                self.obey(command)?;
            }
            if self.ending && self.job.is_none() {
                return self.out.flush();
            }
            let hear = if self.ending { &deaf } else { inputs };
            let said = self.job.as_ref().map_or(&mute, |job| &job.said).clone();
            if hear.is_empty() && said.is_empty() {
                self.out.flush()?;
            }
            let late = self.deadline.map_or_else(never, |at| after(at.saturating_duration_since(Instant::now())));
            select! {
                recv(hear) -> input => self.hear(input.unwrap_or(Input::End))?,
                recv(said) -> said => match said {
                    Ok(Said::Reply(reply)) => self.say(&reply)?,
                    Ok(Said::Done) | Err(_) => { self.job = None; self.deadline = None; }
                },
                recv(late) -> _ => { self.deadline = None; self.stop_job(); }
            }
        }
    }

    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        writeln!(self.out, "{reply}")
    }

    fn error(&mut self, error: impl ToString) -> io::Result<()> {
        self.say(&Reply::Error(error.to_string()))
    }

    fn stop_job(&mut self) {
        if let Some(job) = &mut self.job {
            job.stop();
        }
    }

    /// Takes in a line: what can be answered at any moment is, the rest waits for the job under way.
    fn hear(&mut self, input: Input) -> io::Result<()> {
        let line = match input {
            Input::Line(line) => line,
            Input::Fault(fault) => return self.error(fault),
            Input::End => {
                self.end();
                return Ok(());
            }
        };
        let command = match Command::parse(&line) {
            Ok(Some(command)) => command,
            Ok(None) => return Ok(()),
            Err(error) => return self.error(error),
        };
        match command {
            Command::IsReady => self.say(&Reply::ReadyOk),
            Command::Stop => {
                self.stop_job();
                Ok(())
            }
            Command::PonderHit => match self.job.as_mut().map(Job::ponder_hit) {
                Some(true) => Ok(()),
                _ => self.error("'ponderhit' without a search that ponders"),
            },
            Command::Quit => {
                self.end();
                Ok(())
            }
            command if self.job.is_none() => self.obey(command),
            _ if self.queued + line.len() > QUEUE_BYTES => {
                self.error(format!("too many commands wait: '{}' is dropped", shown(&line)))
            }
            command => {
                self.queued += line.len();
                self.queue.push_back((command, line.len()));
                Ok(())
            }
        }
    }

    /// The host is going: nothing more is heard, unbounded work ends at once, bounded work soon.
    fn end(&mut self) {
        self.ending = true;
        self.hasten();
    }

    fn hasten(&mut self) {
        if self.job.as_ref().is_some_and(Job::is_unbounded) {
            self.stop_job();
        } else if let (Some(_), Patience::Brief(grace)) = (&self.job, self.patience) {
            self.deadline = Some(Instant::now() + grace);
        }
    }

    fn start(&mut self, task: Task) {
        self.job = Some(Job::start(task, &self.game, self.style()));
        if self.ending {
            self.hasten();
        }
    }

    fn style(&self) -> Style {
        if self.chess960 && self.rules.variant.chess960 { Style::Chess960 } else { Style::Orthodox }
    }

    /// Carries out a command while no job is under way.
    fn obey(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Uci => self.introduce(),
            Command::NewGame => {
                self.new_game(self.rules.variant);
                Ok(())
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::Position { start, moves } => self.set_position(&start, &moves),
            Command::Dice(roll) => self.take_dice(&roll),
            Command::Roll => self.roll_dice(),
            Command::Display => {
                for line in show::picture(&self.game) {
                    self.say(&Reply::Extra(line))?;
                }
                Ok(())
            }
            Command::Legal => {
                self.start(Task::Legal);
                Ok(())
            }
            Command::Threat => {
                self.start(Task::Threat);
                Ok(())
            }
            Command::Go(limits) => {
                self.start(Task::Search(limits));
                Ok(())
            }
            Command::Perft(depth) => {
                self.start(Task::Perft(depth));
                Ok(())
            }
            // These were answered when they were heard.
            Command::IsReady | Command::Stop | Command::PonderHit | Command::Quit => Ok(()),
        }
    }

    fn introduce(&mut self) -> io::Result<()> {
        self.say(&Reply::Name(format!("Hazard {}", env!("CARGO_PKG_VERSION"))))?;
        self.say(&Reply::Author("the Hazard developers".to_string()))?;
        for spec in &OPTIONS {
            self.say(&Reply::Option(options::listing(spec)))?;
        }
        self.say(&Reply::UciOk)
    }

    fn new_game(&mut self, variant: &'static Variant) {
        self.rules = Rules::new(variant);
        self.game = Game::new(self.rules, Position::start(variant));
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> io::Result<()> {
        use options::Name;
        match options::read(name, value) {
            Ok((Name::Variant, Value::Variant(variant))) => self.new_game(variant),
            Ok((Name::Chess960, Value::Check(on))) => self.chess960 = on,
            Ok((Name::Strict, Value::Check(on))) => self.rigour = if on { Rigour::Strict } else { Rigour::Lenient },
            Ok(_) => {}
            Err(error) => return self.error(error),
        }
        Ok(())
    }

    /// Sets up a position and plays the tokens; on any error everything stays as it was.
    fn set_position(&mut self, start: &Start, moves: &[String]) -> io::Result<()> {
        let position = match start {
            Start::Array => Position::start(self.rules.variant),
            Start::Dfen(dfen) => match from_dfen(&self.rules, dfen, self.style() == Style::Chess960, self.rigour) {
                Ok(parsed) => {
                    for warning in parsed.warnings {
                        self.say(&Reply::Note(format!("warning: {warning}")))?;
                    }
                    parsed.position
                }
                Err(error) => return self.error(error),
            },
        };
        let mut game = Game::new(self.rules, position);
        for (index, token) in moves.iter().enumerate() {
            if let Err(error) = apply(&mut game, token, self.style()) {
                return self.error(format!("token {} of 'moves', {error}", index + 1));
            }
        }
        self.game = game;
        Ok(())
    }

    fn take_dice(&mut self, text: &str) -> io::Result<()> {
        match Token::parse(text, self.rules.variant) {
            Ok(Token::Roll(_)) => {}
            Ok(_) => return self.error(format!("'{}' is no roll", shown(text))),
            Err(error) => return self.error(error),
        }
        let style = self.style();
        match apply(&mut self.game, text, style) {
            Ok(()) => self.tell_void_roll(),
            Err(error) => self.error(error),
        }
    }

    fn roll_dice(&mut self) -> io::Result<()> {
        let mut game = self.game.clone();
        game.pass_if_forced();
        let variant = self.rules.variant;
        // A roll that is not due must not use up dice.
        if variant.has_dice() && game.status() == Status::Roll {
            let ply = game.position().ply(variant);
            let Some(roll) = self.dice.roll(variant.dice, ply, game.rerolls()) else {
                return self.error("the dice stream has ended");
            };
            if let Err(error) = game.roll(roll) {
                return self.error(error);
            }
            self.game = game;
            self.say(&Reply::Extra(format!("roll {roll}")))?;
            return self.tell_void_roll();
        }
        match (variant.has_dice(), game.status()) {
            (false, _) => self.error(PlayError::NoDice),
            (_, Status::Over(outcome)) => self.error(PlayError::Over(outcome)),
            (_, Status::Decide(side) | Status::Pass(side)) => self.error(PlayError::MoveDue(side)),
            (_, Status::Roll) => Ok(()),
        }
    }

    fn tell_void_roll(&mut self) -> io::Result<()> {
        match self.game.void_roll() {
            Some(roll) => self.say(&Reply::Note(format!("{roll} does not count: roll again"))),
            None => Ok(()),
        }
    }
}

//! The loop between host and engine: commands in, replies out. It owns the position, the options and the worker, and
//! is the only writer to standard output besides `cli`.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod advice;
mod cecp;
mod hand;
mod input;
mod job;
mod memory;
mod seat;
mod show;
mod terms;
mod uci;
mod ugi;

pub use input::{Input, read_lines};

use crate::dice::{FairDice, Seeded};
use crate::eval::Choice;
use crate::info::Info;
use crate::notation::{Style, shown};
use crate::position::{Position, Rigour};
use crate::protocol::options::{Name, OPTIONS, Options, listing};
use crate::protocol::{CecpCommand, Command, Reply, info_lines};
use crate::turns::{Game, Rules};
use crate::variant::{DEFAULT, find};
use crossbeam_channel::{Receiver, after, never, select};
use job::{Job, Manner, Said, Task};
use memory::Memory;
use rand::TryRng;
use rand::rngs::SysRng;
use seat::Seat;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};
use ugi::Nonsense;

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

/// The language that the host's first command has chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Dialect {
    /// Nothing has been said yet.
    Open,
    Uci,
    Ugi,
    Cecp,
}

/// A command in one of the dialects.
#[derive(Clone, PartialEq, Debug)]
enum Order {
    Plain(Command),
    Cecp(CecpCommand),
}

/// One conversation with a host.
pub struct Session<W: Write> {
    out: W,
    dialect: Dialect,
    rules: Rules,
    game: Game,
    /// In UGI: the position that was asked for makes no sense, and who is to blame for it.
    nonsense: Option<Nonsense>,
    options: Options,
    debug: bool,
    /// The dice of `roll` where no seed is set.
    dice: Seeded,
    /// The dice of the option `DiceSeed`.
    seed: Option<FairDice>,
    /// In CECP: the game as the GUI sees it.
    seat: Seat,
    /// The file of `EvalFile` and the network in it.
    network: Option<(String, Choice)>,
    memory: Arc<Memory>,
    job: Option<Job>,
    /// Commands that wait for the job under way, with their bytes.
    queue: VecDeque<(Order, usize)>,
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
            dialect: Dialect::Open,
            nonsense: None,
            rules,
            game: Game::new(rules, Position::start(DEFAULT)),
            options: Options::default(),
            debug: false,
            dice: Seeded::new(seed),
            seed: None,
            seat: Seat::default(),
            network: None,
            memory: Arc::default(),
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
                let Some((order, bytes)) = self.queue.pop_front() else { break };
                self.queued -= bytes;
                match order {
                    Order::Plain(command) => self.obey(command)?,
                    Order::Cecp(command) => self.obey_cecp(command)?,
                }
            }
            if self.job.is_none() && !self.ending {
                self.analyse()?;
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
                    Ok(Said::Info(info)) => self.tell(&info)?,
                    Ok(Said::Done(reply)) => {
                        self.job = None;
                        self.deadline = None;
                        if self.dialect == Dialect::Cecp { self.conclude(reply)? } else { self.say(&reply)? }
                    }
                    Err(_) => { self.job = None; self.deadline = None; }
                },
                recv(late) -> _ => { self.deadline = None; self.stop_job(); }
            }
        }
    }

    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        if self.dialect == Dialect::Cecp { self.say_in_cecp(reply) } else { writeln!(self.out, "{reply}") }
    }

    fn error(&mut self, error: impl ToString) -> io::Result<()> {
        let error = error.to_string();
        self.say(&if self.dialect == Dialect::Ugi { Reply::UgiError(error) } else { Reply::Error(error) })
    }

    /// What a search has found out.
    fn tell(&mut self, info: &Info) -> io::Result<()> {
        if self.dialect == Dialect::Cecp {
            return self.tell_in_cecp(info);
        }
        let wdl = self.options.is_on(Name::ShowWdl);
        info_lines(info, self.style(), wdl).iter().try_for_each(|reply| self.say(reply))
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
        if self.dialect == Dialect::Cecp {
            return self.hear_cecp(&line);
        }
        let command = match Command::parse(&line) {
            Ok(Some(Command::Xboard)) if self.dialect == Dialect::Open => {
                self.choose(Dialect::Cecp);
                return Ok(());
            }
            Ok(Some(command)) => command,
            Ok(None) => return Ok(()),
            Err(error) => {
                self.choose(Dialect::Uci);
                return self.error(error);
            }
        };
        self.choose(if command == Command::Ugi { Dialect::Ugi } else { Dialect::Uci });
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
            command => self.wait(Order::Plain(command), &line),
        }
    }

    /// A command waits for the job under way.
    fn wait(&mut self, order: Order, line: &str) -> io::Result<()> {
        if self.queued + line.len() > QUEUE_BYTES {
            return self.error(format!("too many commands wait: '{}' is dropped", shown(line)));
        }
        self.queued += line.len();
        self.queue.push_back((order, line.len()));
        Ok(())
    }

    /// The first command decides the dialect.
    fn choose(&mut self, dialect: Dialect) {
        if self.dialect == Dialect::Open {
            self.dialect = dialect;
            self.seed = self.fair_dice();
        }
    }

    /// The dice of `DiceSeed`. A host that speaks UGI gives none, so that there they always follow from a text.
    fn fair_dice(&self) -> Option<FairDice> {
        if self.dialect == Dialect::Cecp && self.seat.machine {
            return Some(FairDice::from_text(&self.match_dice()));
        }
        let text = self.options.text(Name::DiceSeed);
        (!text.is_empty() || self.dialect == Dialect::Ugi).then(|| FairDice::from_text(text))
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

    fn start(&mut self, task: Task) -> io::Result<()> {
        let manner = Manner {
            style: self.style(),
            single: self.options.text(Name::Turns) == "single" || matches!(self.dialect, Dialect::Ugi | Dialect::Cecp),
            overhead: Duration::from_millis(self.options.number(Name::MoveOverhead)),
            threads: self.options.number(Name::Threads) as usize,
            lines: self.options.number(Name::MultiPv) as usize,
            hash: self.options.number(Name::Hash),
            elo: self.options.is_on(Name::LimitStrength).then(|| self.options.number(Name::Elo) as u32),
        };
        self.job = Some(Job::start(task, &self.game, manner, self.evaluation(), self.memory.clone()));
        if self.ending {
            self.hasten();
        }
        Ok(())
    }

    fn style(&self) -> Style {
        let chess960 = self.options.is_on(Name::Chess960) && self.rules.variant.chess960;
        if chess960 { Style::Chess960 } else { Style::Orthodox }
    }

    /// Carries out a command while no job is under way.
    fn obey(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Uci if self.dialect == Dialect::Uci => self.introduce(&Reply::UciOk),
            Command::Ugi if self.dialect == Dialect::Ugi => self.introduce(&Reply::UgiOk),
            Command::Uci => self.error("this session speaks UGI"),
            Command::Ugi => self.error("'ugi' must be the first command"),
            Command::Xboard => self.error("'xboard' must be the first command"),
            Command::Query(question) => self.answer(question),
            Command::NewGame => {
                self.memory.clear();
                self.new_game();
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
            Command::Legal => self.start(Task::Legal),
            Command::Threat => self.start(Task::Threat),
            Command::Go { limits, searchmoves } => self.go(limits, &searchmoves),
            Command::Eval => self.start(Task::Eval),
            Command::Bench => self.start(Task::Bench),
            Command::Debug(on) => {
                self.debug = on;
                Ok(())
            }
            Command::Perft(depth) => self.start(Task::Perft(depth)),
            Command::Advise(advice) => self.start(Task::Advise(advice)),
            // These were answered when they were heard.
            Command::IsReady | Command::Stop | Command::PonderHit | Command::Quit => Ok(()),
        }
    }

    fn introduce(&mut self, last: &Reply) -> io::Result<()> {
        self.say(&Reply::Name(format!("Hazard {}", env!("CARGO_PKG_VERSION"))))?;
        self.say(&Reply::Author("the Hazard developers".to_string()))?;
        for spec in &OPTIONS {
            self.say(&Reply::Option(listing(spec)))?;
        }
        self.say(last)
    }

    fn new_game(&mut self) {
        self.game = Game::new(self.rules, Position::start(self.rules.variant));
        self.nonsense = None;
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> io::Result<()> {
        match self.options.set(name, value) {
            Ok(Name::Variant) => {
                self.memory.clear();
                self.rules = Rules::new(find(self.options.text(Name::Variant)).unwrap_or(DEFAULT));
                self.new_game();
            }
            Ok(Name::EvalFile) => return self.load_network(),
            Ok(Name::DiceSeed) => {
                self.seed = self.fair_dice();
            }
            Ok(Name::ClearHash) => self.memory.clear(),
            Ok(_) => {}
            Err(error) => return self.error(error),
        }
        Ok(())
    }

    /// Loads the network that `EvalFile` names; where that fails everything is as before.
    fn load_network(&mut self) -> io::Result<()> {
        let path = self.options.text(Name::EvalFile).to_string();
        let loaded = if path.is_empty() { Ok(None) } else { Choice::load(&path, self.rules.variant.name).map(Some) };
        match loaded {
            Ok(choice) => {
                self.network = choice.map(|choice| (path, choice));
                self.memory.clear();
                Ok(())
            }
            Err(error) => {
                let before = self.network.as_ref().map_or_else(String::new, |(path, _)| path.clone());
                self.options.restore(Name::EvalFile, &before);
                self.error(format!("'{}': {error}", shown(&path)))
            }
        }
    }

    /// The evaluation of the game being played: that of the file, if it is for this game.
    fn evaluation(&self) -> Choice {
        let name = self.rules.variant.name;
        let loaded = self.network.as_ref().map(|(_, choice)| choice).filter(|choice| choice.suits(name));
        loaded.cloned().unwrap_or(Choice::Own(name))
    }

    fn rigour(&self) -> Rigour {
        if self.options.is_on(Name::Strict) { Rigour::Strict } else { Rigour::Lenient }
    }
}

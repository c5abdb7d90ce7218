//! An engine that speaks UCI or UGI, as a player.

use super::player::{Answer, Ask, Fault, Moves, Player, Thought};
use super::process::{NoLine, Process, Program};
use crate::limits::Limits;
use crate::notation::{Style, to_dfen};
use crate::position::Position;
use crate::protocol::{Command, Reply, Start};
use crate::turns::Game;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Protocol {
    /// The Universal Chess Interface.
    #[default]
    Uci,
    /// The Universal Game Interface.
    Ugi,
}

impl Protocol {
    fn greeting(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
            Protocol::Ugi => "ugi",
        }
    }

    fn new_game(self) -> &'static str {
        match self {
            Protocol::Uci => "ucinewgame",
            Protocol::Ugi => "uginewgame",
        }
    }
}

/// How an engine is set up.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Setup {
    /// The program.
    pub program: Program,
    /// What it speaks.
    pub protocol: Protocol,
    /// Options to be set.
    pub options: Vec<(String, String)>,
    /// How long it may take to get ready.
    pub patience: Duration,
}

/// How long an engine that has overstepped its time may take to answer `stop`.
const AFTER_STOP: Duration = Duration::from_secs(1);

/// An engine that has been started.
pub struct Engine {
    process: Process,
    setup: Setup,
    name: Option<String>,
    /// Whether it has said what was asked of it, so that it can be asked again.
    alive: bool,
    variant_option: bool,
}

impl Engine {
    /// Starts an engine, greets it and sets its options for a game.
    pub fn start(setup: &Setup, variant: &str, chess960: bool, halt: &AtomicBool) -> Result<Engine, Fault> {
        let process = Process::start(&setup.program)
            .map_err(|error| Fault::Start(format!("'{}': {error}", setup.program.command)))?;
        let mut engine = Engine { process, setup: setup.clone(), name: None, alive: true, variant_option: false };
        engine.process.send(setup.protocol.greeting());
        let deadline = Instant::now() + setup.patience;
        let mut refused = None;
        loop {
            let line = engine.line(deadline, halt)?;
            match Reply::parse(&line) {
                Reply::UciOk | Reply::UgiOk => break,
                Reply::Name(name) => engine.name = Some(name),
                Reply::Option(option) if option.starts_with("name UCI_Variant ") => {
                    engine.variant_option = true;
                    let offered = option.split_whitespace().any(|word| word == variant);
                    refused = (!offered).then(|| format!("it does not offer the variant '{variant}'"));
                }
                _ => {}
            }
        }
        if let Some(refused) = refused {
            return Err(Fault::Start(refused));
        }
        if engine.variant_option {
            engine.set("UCI_Variant", variant);
        }
        if chess960 {
            engine.set("UCI_Chess960", "true");
        }
        for (name, value) in &setup.options {
            engine.set(name, value);
        }
        engine.sync(halt)?;
        Ok(engine)
    }

    fn set(&self, name: &str, value: &str) {
        let value = Some(value.to_string()).filter(|value| !value.is_empty());
        self.process.send(&Command::SetOption { name: name.to_string(), value }.to_string());
    }

    /// A line, or the fault that there is none.
    fn line(&mut self, deadline: Instant, halt: &AtomicBool) -> Result<String, Fault> {
        self.process.line(deadline, halt).map_err(|error| self.fault(error))
    }

    fn fault(&mut self, error: NoLine) -> Fault {
        self.alive = false;
        match error {
            NoLine::Late => Fault::Overdue,
            NoLine::Halted => Fault::Halted,
            NoLine::Ended => {
                Fault::Disconnected(self.process.exit().unwrap_or_else(|| "it closed its output".to_string()))
            }
        }
    }

    /// Waits until the engine has done what it was told.
    fn sync(&mut self, halt: &AtomicBool) -> Result<(), Fault> {
        self.process.send("isready");
        let deadline = Instant::now() + self.setup.patience;
        while Reply::parse(&self.line(deadline, halt)?) != Reply::ReadyOk {}
        Ok(())
    }

    /// Past its time an engine gets a moment to say something, so that it need not be started anew.
    fn recall(&mut self, halt: &AtomicBool) {
        self.process.send("stop");
        let deadline = Instant::now() + AFTER_STOP;
        while let Ok(line) = self.process.line(deadline, halt) {
            if matches!(Reply::parse(&line), Reply::BestMove(_)) {
                self.alive = true;
                return;
            }
        }
    }

    fn orders(&self, ask: &Ask) -> [String; 2] {
        let moves = ask.tokens.to_vec();
        match self.setup.protocol {
            Protocol::Uci => {
                let start = ask.start.map_or(Start::Array, |dfen| Start::Dfen(dfen.to_string()));
                let go = Command::Go { limits: ask.limits.clone(), searchmoves: Vec::new() };
                [Command::Position { start, moves }.to_string(), go.to_string()]
            }
            Protocol::Ugi => {
                let rules = ask.game.rules();
                let dfen = ask.start.map_or_else(|| to_dfen(rules, &Position::start(rules.variant)), str::to_string);
                [Command::Position { start: Start::Dfen(dfen), moves }.to_string(), ugi_go(ask.limits)]
            }
        }
    }
}

/// `go` as UGI has it: the clocks of the first and the second player.
fn ugi_go(limits: &Limits) -> String {
    Command::Go { limits: limits.clone(), searchmoves: Vec::new() }
        .to_string()
        .replace(" wtime ", " p1time ")
        .replace(" btime ", " p2time ")
        .replace(" winc ", " p1inc ")
        .replace(" binc ", " p2inc ")
}

impl Player for Engine {
    fn new_game(&mut self, _: &Game, _: u64, halt: &AtomicBool) -> Result<(), Fault> {
        self.process.send(self.setup.protocol.new_game());
        self.process.forget_lines();
        self.sync(halt)
    }

    fn turn(&mut self, ask: &Ask) -> Result<Answer, Fault> {
        self.process.forget_lines();
        for order in self.orders(ask) {
            self.process.send(&order);
        }
        let start = Instant::now();
        let mut thought = Thought::default();
        loop {
            let line = match self.process.line(ask.deadline, ask.halt) {
                Ok(line) => line,
                Err(error) => {
                    let fault = self.fault(error);
                    if fault == Fault::Overdue {
                        self.recall(ask.halt);
                    }
                    return Err(fault);
                }
            };
            match Reply::parse(&line) {
                Reply::BestMove(moves) => {
                    let moves = moves.split_whitespace().take_while(|&word| word != "ponder").map(str::to_string);
                    return Ok(Answer { moves: Moves::Text(moves.collect()), thought, time: start.elapsed() });
                }
                Reply::Info(info) => thought.hear(&info),
                Reply::Note(note) => {
                    if let Some(value) = note.strip_prefix("expectation ") {
                        thought.expectation = value.trim().parse().ok().filter(|p| (0.0..=1.0).contains(p));
                    }
                }
                _ => {}
            }
        }
    }

    fn is_alive(&mut self) -> bool {
        self.alive
    }

    fn title(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

impl Thought {
    /// Takes what an `info` line says of the best line; what is not understood is passed over.
    pub fn hear(&mut self, info: &str) {
        let words: Vec<&str> = info.split_whitespace().collect();
        let after = |name: &str| {
            let at = words.iter().position(|&word| word == name)?;
            words.get(at + 1).copied()
        };
        if after("multipv").is_some_and(|number| number != "1") {
            return;
        }
        let end = words.iter().position(|&word| word == "pv").unwrap_or(words.len());
        let before_line = |name: &str| words.iter().position(|&word| word == name).is_some_and(|at| at < end);
        if let Some(depth) = after("depth").and_then(|depth| depth.parse().ok()) {
            self.depth = Some(depth);
        }
        if let Some(nodes) = after("nodes").and_then(|nodes| nodes.parse().ok()) {
            self.nodes = Some(nodes);
        }
        if before_line("score") {
            let number = |kind: &str| after(kind).and_then(|number| number.parse::<i32>().ok());
            match after("score") {
                Some("cp") => (self.cp, self.mate) = (number("cp"), None),
                Some("mate") => (self.cp, self.mate) = (None, number("mate")),
                _ => {}
            }
        }
    }

    /// The score in centipawns, a forced win as more than any other.
    pub fn centipawns(&self) -> Option<i32> {
        self.cp.or_else(|| self.mate.map(|mate| if mate > 0 { 100_000 } else { -100_000 }))
    }
}

/// The style in which castling is written.
pub fn style(chess960: bool) -> Style {
    if chess960 { Style::Chess960 } else { Style::Orthodox }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_are_heard() {
        let mut thought = Thought::default();
        thought.hear("depth 3 seldepth 5 score cp -34 nodes 1200 nps 9 pv e2e4 g1f3");
        thought.hear("depth 4 multipv 2 score cp 900 nodes 5");
        thought.hear("currmove e2e4");
        assert_eq!((thought.depth, thought.nodes, thought.cp), (Some(3), Some(1200), Some(-34)));
        thought.hear("score mate 1 depth x nodes");
        assert_eq!((thought.mate, thought.cp, thought.centipawns()), (Some(1), None, Some(100_000)));
    }
}

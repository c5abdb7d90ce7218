//! The players that are built in, as the arena takes them.

use crate::arena::{Answer, Ask, Fault, Moves, Player, Thought};
use crate::eval::{Evaluator, Hand, Material, Reference};
use crate::search::{Request, Table, think};
use crate::turns::{Game, Turn};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// MiB of table of a built-in engine.
const TABLE: usize = 16;

/// A player that needs no process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// One of the reference players.
    Reference(Reference),
    /// The engine itself.
    Hazard,
    /// The engine with material for its evaluation.
    Material,
}

impl Builtin {
    /// The names, for people.
    pub const NAMES: &'static str = "random, greedy, cautious, aggressive, hazard, material";

    /// The player of a name.
    pub fn parse(name: &str) -> Option<Builtin> {
        match name {
            "hazard" => Some(Builtin::Hazard),
            "material" => Some(Builtin::Material),
            _ => Reference::parse(name).map(Builtin::Reference),
        }
    }

    /// Whether it thinks by a clock.
    pub fn thinks(self) -> bool {
        matches!(self, Builtin::Hazard | Builtin::Material)
    }

    /// Makes the player.
    pub fn player(self) -> Box<dyn Player> {
        match self {
            Builtin::Reference(player) => Box::new(Rule { player, chance: ChaCha8Rng::seed_from_u64(0) }),
            Builtin::Hazard => Box::new(Thinker::new(&Hand)),
            Builtin::Material => Box::new(Thinker::new(&Material)),
        }
    }
}

/// A reference player with its own chances.
struct Rule {
    player: Reference,
    chance: ChaCha8Rng,
}

impl Player for Rule {
    fn new_game(&mut self, _: &Game, seed: u64, _: &AtomicBool) -> Result<(), Fault> {
        self.chance = ChaCha8Rng::seed_from_u64(seed);
        Ok(())
    }

    fn turn(&mut self, ask: &Ask) -> Result<Answer, Fault> {
        // A rule of thumb takes no time off a clock, so that its games are the same on every machine.
        let turn = self.player.choose(ask.game.rules(), ask.game.position(), &mut self.chance);
        Ok(Answer { moves: Moves::Turn(turn), thought: Thought::default(), time: Duration::ZERO })
    }
}

/// The engine itself, in this process.
struct Thinker {
    evaluator: &'static dyn Evaluator,
    table: Table,
}

impl Thinker {
    fn new(evaluator: &'static dyn Evaluator) -> Thinker {
        Thinker { evaluator, table: Table::new(TABLE) }
    }
}

impl Player for Thinker {
    fn new_game(&mut self, _: &Game, _: u64, _: &AtomicBool) -> Result<(), Fault> {
        self.table.clear();
        Ok(())
    }

    fn turn(&mut self, ask: &Ask) -> Result<Answer, Fault> {
        let start = Instant::now();
        let (rules, position) = (ask.game.rules(), ask.game.position());
        let request = Request {
            overhead: Duration::from_millis(1),
            ..Request::new(rules, position, self.evaluator, &self.table, ask.limits)
        };
        let report = think(&request, ask.halt, &mut |_| {});
        if ask.is_halted() {
            return Err(Fault::Halted);
        }
        let thought = report.info.map_or_else(Thought::default, |info| Thought {
            depth: Some(info.depth),
            nodes: Some(info.nodes),
            cp: Some(info.score.centipawns()).filter(|_| !info.wins),
            mate: info.wins.then_some(1),
            expectation: Some(info.score.expectation()),
        });
        Ok(Answer { moves: Moves::Turn(report.turn.unwrap_or(Turn::PASS)), thought, time: start.elapsed() })
    }
}

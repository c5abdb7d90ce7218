//! The players that are built in, as the arena takes them.

use crate::arena::{Answer, Ask, Fault, Moves, Player, Thought};
use crate::eval::{Choice, Hand, Material, Reference};
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
    /// The engine with the evaluation by hand.
    Hand,
    /// The engine with material for its evaluation.
    Material,
}

impl Builtin {
    /// The names, for people.
    pub const NAMES: &'static str = "random, greedy, cautious, aggressive, hazard, hand, material";

    /// The player of a name.
    pub fn parse(name: &str) -> Option<Builtin> {
        match name {
            "hazard" => Some(Builtin::Hazard),
            "hand" => Some(Builtin::Hand),
            "material" => Some(Builtin::Material),
            _ => Reference::parse(name).map(Builtin::Reference),
        }
    }

    /// Whether it thinks by a clock.
    pub fn thinks(self) -> bool {
        !matches!(self, Builtin::Reference(_))
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Builtin::Reference(player) => player.name(),
            Builtin::Hazard => "hazard",
            Builtin::Hand => "hand",
            Builtin::Material => "material",
        }
    }

    /// Makes the player for a game; the engine itself takes a file with a network, and a level.
    pub fn player(self, variant: &'static str, network: Option<&Choice>, elo: Option<u32>) -> Box<dyn Player> {
        let choice = match self {
            Builtin::Reference(player) => {
                return Box::new(Rule { player, chance: ChaCha8Rng::seed_from_u64(0) });
            }
            Builtin::Hazard => network.cloned().unwrap_or(Choice::Own(variant)),
            Builtin::Hand => Choice::Plain(&Hand),
            Builtin::Material => Choice::Plain(&Material),
        };
        Box::new(Thinker { choice, elo, table: Table::new(TABLE) })
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

/// What the engine keeps back of its time, as by its option; of a short time for a turn no more than a tenth.
const OVERHEAD: Duration = Duration::from_millis(10);

/// The engine itself, in this process.
struct Thinker {
    choice: Choice,
    elo: Option<u32>,
    table: Table,
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
            overhead: ask.limits.movetime.map_or(OVERHEAD, |time| (time / 10).min(OVERHEAD)),
            elo: self.elo,
            ..Request::new(rules, position, self.choice.get(), &self.table, ask.limits)
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

//! Choosing a turn, and the value of a throw to come: expectiminimax over turns with iterative deepening.
//!
//! Depth is in turns. A turn's end is valued statically where nothing is searched beyond it; of the first turn alone the
//! danger of the next roll is known as well. One turn deeper every roll of the opponent is answered by the
//! best reply, and so on.

mod chance;
mod decide;
mod effort;
mod handicap;
mod horizon;
mod iterate;
mod killers;
mod leaves;
mod order;
mod outlook;
pub mod plain;
mod race;
mod ranking;
mod root;
mod table;
mod workers;

pub use handicap::{LEAST as WEAKEST, MOST as STRONGEST};
pub use iterate::RollValue;
pub use order::Width;
pub use outlook::{Outlook, Pick, with_outlook};
pub use ranking::ranked;
pub use root::{Request, think};
pub use table::Table;

use crate::board::Role;
use crate::dice::DiceKind;
use crate::eval::Evaluator;
use crate::position::SingleMove;
use crate::turns::{Fan, Rules, Turn};
use effort::Spent;
use killers::Killers;
use once_cell::sync::Lazy;

/// How many chance and decision nodes are looked at between two looks at the clock, where they are small.
const CLOCK_EVERY: u32 = 8;

/// The dice of each roll of three and its weight, in the order of the generator.
static THREE_DICE: Lazy<Vec<([Role; 3], u32)>> = Lazy::new(|| {
    let rolls = DiceKind::Three.rolls();
    rolls.iter().map(|(roll, weight)| ([0, 1, 2].map(|die| roll.die(die).role()), *weight)).collect()
});

/// One thread's search: what it shares with the others, and its own rooms.
struct Searcher<'a> {
    rules: Rules,
    evaluator: &'a dyn Evaluator,
    spent: &'a Spent<'a>,
    table: &'a Table,
    width: Width,
    /// Whether this is a game of three dice: all rolls are generated at once, and turns are many.
    has_fan: bool,
    /// That generator, made when it is first asked for, by the thread that asks.
    fan: Option<Fan>,
    killers: &'a Killers,
    /// The roll that fell last, by which deeper samples of rolls are chosen.
    strand: usize,
    /// The best turn of the decision node that was left last.
    last_best: Option<Turn>,
    moves: Vec<SingleMove>,
    asked: u32,
}

impl<'a> Searcher<'a> {
    fn new(
        rules: Rules,
        evaluator: &'a dyn Evaluator,
        spent: &'a Spent<'a>,
        table: &'a Table,
        killers: &'a Killers,
        width: Width,
    ) -> Self {
        Searcher {
            rules,
            evaluator,
            spent,
            table,
            width,
            has_fan: Fan::suits(&rules),
            fan: None,
            killers,
            strand: 0,
            last_best: None,
            moves: Vec::new(),
            asked: 0,
        }
    }

    /// The generator of all rolls; to be put back.
    fn take_fan(&mut self) -> Option<Fan> {
        self.fan.take().or_else(|| Fan::new(self.rules))
    }

    /// Whether the search must end; the clock is looked at now and then.
    fn must_end(&mut self) -> bool {
        self.asked += 1;
        (self.has_fan || self.asked.is_multiple_of(CLOCK_EVERY)) && self.spent.is_over()
    }
}

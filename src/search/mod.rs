//! Choosing a turn, and the value of a throw to come: expectiminimax over turns with iterative deepening.
//!
//! Depth is in turns. A turn's end is valued statically where nothing is searched beyond it; of the first turn alone the
//! danger of the next roll is known as well. One turn deeper every roll of the opponent is answered by the
//! best reply, and so on.

mod chance;
mod decide;
mod effort;
mod horizon;
mod iterate;
mod killers;
mod leaves;
mod order;
pub mod plain;
mod root;
mod table;
mod workers;

pub use order::Width;
pub use root::{Request, think};
pub use table::Table;

use crate::board::Role;
use crate::eval::Evaluator;
use crate::position::SingleMove;
use crate::turns::{Fan, Rules, Turn};
use effort::Spent;
use killers::Killers;

/// How many chance and decision nodes are looked at between two looks at the clock, where they are small.
const CLOCK_EVERY: u32 = 8;

/// One thread's search: what it shares with the others, and its own rooms.
struct Searcher<'a> {
    rules: Rules,
    evaluator: &'a dyn Evaluator,
    spent: &'a Spent<'a>,
    table: &'a Table,
    width: Width,
    /// The generator of all rolls at once, in the games of three dice.
    fan: Option<Fan>,
    /// The dice of each roll and its weight, in the order of the generator.
    dice: Vec<[Role; 3]>,
    weights: Vec<u32>,
    killers: Killers,
    /// The best turn of the decision node that was left last.
    last_best: Option<Turn>,
    moves: Vec<SingleMove>,
    asked: u32,
}

impl<'a> Searcher<'a> {
    fn new(rules: Rules, evaluator: &'a dyn Evaluator, spent: &'a Spent<'a>, table: &'a Table, width: Width) -> Self {
        let fan = Fan::new(rules);
        let rolls = if fan.is_some() { rules.variant.dice.rolls() } else { Vec::new() };
        Searcher {
            rules,
            evaluator,
            spent,
            table,
            width,
            fan,
            dice: rolls.iter().map(|(roll, _)| [0, 1, 2].map(|die| roll.die(die).role())).collect(),
            weights: rolls.iter().map(|(_, weight)| *weight).collect(),
            killers: Killers::default(),
            last_best: None,
            moves: Vec::new(),
            asked: 0,
        }
    }

    /// Whether the search must end; the clock is looked at now and then.
    fn must_end(&mut self) -> bool {
        self.asked += 1;
        let large = self.fan.is_some();
        (large || self.asked.is_multiple_of(CLOCK_EVERY)) && self.spent.is_over()
    }
}

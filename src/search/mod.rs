//! Choosing a turn, and the value of a throw to come.

mod chance;
mod decide;
mod effort;
mod root;

pub use root::{Request, think};

use crate::eval::Evaluator;
use crate::turns::Rules;
use effort::Spent;

/// What every node of one search shares.
struct Search<'a> {
    rules: Rules,
    evaluator: &'a dyn Evaluator,
    spent: Spent<'a>,
}

//! What a session keeps from one search to the next: the table, and the rest of the turn that was answered last.

use crate::info::Info;
use crate::position::Position;
use crate::search::Table;
use crate::turns::{Rules, Step, Turn};
use std::cell::OnceCell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The memory of a session, shared with its jobs.
#[derive(Default)]
pub struct Memory {
    /// The table, made when it is first needed, with its size in MiB.
    table: Mutex<Option<(u64, Arc<Table>)>>,
    plan: Mutex<Option<Plan>>,
}

/// A turn that was answered.
struct Plan {
    rules: Rules,
    position: Position,
    turn: Turn,
    info: Info,
    /// What is left of it after each of its single moves, by the key of the position there: found out when it is asked
    /// for, since most hosts take a turn whole and looking ahead at every move takes time.
    rest: OnceCell<Vec<(u64, Turn)>>,
}

impl Plan {
    /// Whether a position may be one inside the turn.
    fn may_hold(&self, position: &Position) -> bool {
        position.side() == self.position.side() && position.pool().len() < self.position.pool().len()
    }

    fn rest(&self) -> &[(u64, Turn)] {
        self.rest.get_or_init(|| {
            let mut rest = Vec::new();
            let mut at = self.position;
            for (made, &mv) in (1..).zip(self.turn.moves()) {
                match self.rules.step(&at, mv) {
                    Some(Step::Within(next)) => {
                        rest.push((next.key(), Turn::new(self.turn.moves().get(made..).unwrap_or_default())));
                        at = next;
                    }
                    _ => break,
                }
            }
            rest
        })
    }
}

/// What a lock guards, even after a panic elsewhere: each value is whole at any moment.
fn open<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Memory {
    /// The table of so many MiB; a new one where the size has changed.
    pub fn table(&self, mib: u64) -> Arc<Table> {
        let mut kept = open(&self.table);
        match kept.as_ref().filter(|(size, _)| *size == mib) {
            Some((_, table)) => table.clone(),
            None => {
                // The old one goes before the new one comes: both might not fit.
                *kept = None;
                let table = Arc::new(Table::new(mib as usize));
                *kept = Some((mib, table.clone()));
                table
            }
        }
    }

    /// Forgets everything. A new table is quicker than wiping a large one.
    pub fn clear(&self) {
        *open(&self.table) = None;
        *open(&self.plan) = None;
    }

    /// Remembers the turn that is answered in a position, so that a host who plays its first move and asks again gets
    /// the rest.
    pub fn remember(&self, rules: &Rules, position: &Position, turn: &Turn, info: &Info) {
        let (rules, position, turn, info) = (*rules, *position, *turn, info.clone());
        *open(&self.plan) = Some(Plan { rules, position, turn, info, rest: OnceCell::new() });
    }

    /// The rest of the turn that was answered, where a position is one of those inside it, and what was said of it.
    pub fn recall(&self, position: &Position) -> Option<(Turn, Info)> {
        let plan = open(&self.plan);
        let plan = plan.as_ref().filter(|plan| plan.may_hold(position))?;
        let &(_, turn) = plan.rest().iter().find(|(key, _)| *key == position.key())?;
        Some((turn, Info { turn: Some(turn), nodes: 0, time: Duration::ZERO, ..plan.info.clone() }))
    }
}

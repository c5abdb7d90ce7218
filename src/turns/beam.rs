//! A long series, best first: of each length only the most promising positions are carried on.

use super::generate::KeySet;
use super::{Afterstate, Rules, Turn};
use crate::position::{Position, SingleMove};

/// What positions of a series promise the side that makes it.
pub trait Promise {
    /// Moves from a position will be asked for.
    fn leave(&mut self, position: &Position) {
        let _ = position;
    }

    /// What a move from there promises, and where it leads: inside the turn, or an afterstate.
    fn value(&mut self, mv: SingleMove, after: &Position) -> i32;
}

impl<F: FnMut(&Position) -> i32> Promise for F {
    fn value(&mut self, _: SingleMove, after: &Position) -> i32 {
        self(after)
    }
}

/// A position inside the series, with what it promises.
struct Entry {
    value: i32,
    position: Position,
    turn: Turn,
}

impl Rules {
    /// Afterstates of a series of moves by any man, best first, at most `width` of them.
    ///
    /// After each move the `width` positions of the highest value are carried on, each once whatever the order of moves
    /// that led to it. A move that decides the game ends its line. `stop` is asked before each position and ends the walk
    /// with what was found, perhaps nothing.
    pub fn beam(
        &self,
        root: &Position,
        width: usize,
        stop: &dyn Fn() -> bool,
        promise: &mut dyn Promise,
    ) -> Vec<Afterstate> {
        let mut ends: Vec<Entry> = Vec::new();
        let (mut seen, mut seen_ends) = (KeySet::default(), KeySet::default());
        let mut layer = vec![Entry { value: 0, position: *root, turn: Turn::PASS }];
        let mut moves = Vec::new();
        while !layer.is_empty() {
            let mut next_layer: Vec<Entry> = Vec::new();
            for entry in &layer {
                if stop() {
                    next_layer.clear();
                    break;
                }
                self.single_moves(&entry.position, &mut moves);
                promise.leave(&entry.position);
                for &mv in &moves {
                    let (mut next, mut turn) = (entry.position, entry.turn);
                    next.play(self.variant, mv, &mut ());
                    turn.push(mv);
                    let over = next.pool().is_empty() || next.decided(self.variant).is_some();
                    if over {
                        next.end_turn(self.variant, self.sliders);
                    }
                    let (list, known) = if over { (&mut ends, &mut seen_ends) } else { (&mut next_layer, &mut seen) };
                    if known.insert(next.afterstate_key()) {
                        list.push(Entry { value: promise.value(mv, &next), position: next, turn });
                    }
                }
                if moves.is_empty() && !entry.turn.is_pass() {
                    let mut next = entry.position;
                    next.end_turn(self.variant, self.sliders);
                    if seen_ends.insert(next.afterstate_key()) {
                        // Its last move was valued when it was made.
                        ends.push(Entry { value: entry.value, position: next, turn: entry.turn });
                    }
                }
            }
            keep_best(&mut next_layer, width);
            keep_best(&mut ends, width);
            layer = next_layer;
        }
        ends.into_iter().map(|entry| Afterstate { position: entry.position, turn: entry.turn }).collect()
    }
}

/// The best first, ties by the key.
fn keep_best(entries: &mut Vec<Entry>, width: usize) {
    entries.sort_by_key(|entry| (std::cmp::Reverse(entry.value), entry.position.key()));
    entries.truncate(width);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::position::{Pool, Ticket};
    use crate::variant::find;

    #[test]
    fn a_wide_beam_finds_everything_and_a_narrow_one_the_best() {
        let rules = Rules::new(find("pawnhunt").unwrap());
        let mut root = Position::start(rules.variant);
        root.set_allowance(Color::White, Pool::new(&[Ticket::ANY; 3]));
        let all = rules.beam(&root, usize::MAX, &|| false, &mut |_: &Position| 0);
        assert_eq!(all.len() as u64, rules.survey(&root).ends);
        // The further a line brings White's men, the better; three moves of the queen's knight do best.
        let mut value = |at: &Position| at.of(Color::White).map(|square| i32::from(square.rank())).sum();
        let best = rules.beam(&root, 50, &|| false, &mut value);
        assert_eq!(best.len(), 50);
        let most = all.iter().map(|after| value(&after.position)).max();
        assert_eq!(best.first().map(|after| value(&after.position)), most);
        assert!(rules.beam(&root, 50, &|| true, &mut value).is_empty());
    }
}

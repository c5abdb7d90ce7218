//! All distinct afterstates of a roll, layer by layer over distinct positions.
//!
//! Lines of single moves that reach the same position with the same tickets left are expanded once; how many lines
//! led there is carried along, so that move sequences are counted without being walked.

use super::{Rules, Turn};
use crate::position::{Position, SingleMove};
use crate::variant::Use;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// How many distinct positions inside turns are expanded at most, some 200 MiB of them.
pub const NODE_CAP: usize = 1_000_000;
/// How many distinct afterstates are told apart at most, some 300 MiB of keys.
const END_CAP: usize = 16_000_000;

/// Keys are hashes already.
#[derive(Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

pub(super) type KeyMap<V> = HashMap<u64, V, BuildHasherDefault<KeyHasher>>;
pub(super) type KeySet = HashSet<u64, BuildHasherDefault<KeyHasher>>;

/// A position inside a turn.
struct Node {
    position: Position,
    parent: u32,
    mv: Option<SingleMove>,
    /// How many move sequences lead here.
    sequences: u64,
}

/// A complete turn's end as the generator shows it.
pub struct Leaf<'a> {
    /// The afterstate: the turn is ended.
    pub position: &'a Position,
    nodes: &'a [Node],
    parent: u32,
    last: Option<SingleMove>,
}

impl Leaf<'_> {
    /// A turn that leads here, the first found.
    pub fn turn(&self) -> Turn {
        let mut backwards: Vec<SingleMove> = self.last.into_iter().collect();
        let mut at = self.parent;
        while let Some(mv) = self.nodes[at as usize].mv {
            backwards.push(mv);
            at = self.nodes[at as usize].parent;
        }
        backwards.reverse();
        Turn::new(&backwards)
    }
}

/// How much work a walk over the turns of a roll may take.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// How many positions inside the turn are expanded at most.
    pub nodes: usize,
    /// Asked before each of them; `true` ends the walk.
    pub stop: &'a dyn Fn() -> bool,
}

impl Effort<'static> {
    /// All that memory allows.
    pub const FULL: Effort<'static> = Effort { nodes: NODE_CAP, stop: &|| false };
}

/// A distinct end of a turn, with one turn that leads there.
#[derive(Clone, Debug)]
pub struct Afterstate {
    /// The position after the turn, before the next roll.
    pub position: Position,
    /// One way to reach it.
    pub turn: Turn,
}

/// What a walk over all turns of a roll has counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Survey {
    /// Legal move sequences; a voluntary pass is one, a forced pass none.
    pub sequences: u64,
    /// Distinct afterstates; a forced pass makes one.
    pub ends: u64,
    /// The most tickets that a complete line spends without deciding the game; none where every line decides it.
    pub quiet: Option<u8>,
    /// Whether some line decides the game.
    pub decides: bool,
    /// Whether a cap was met, so that the counts are lower bounds.
    pub truncated: bool,
}

/// A quiet complete line that waits for the maximum to be known.
struct Held {
    position: Position,
    parent: u32,
    last: Option<SingleMove>,
    sequences: u64,
    spent: u8,
}

struct Walk<'r, F: FnMut(&Leaf)> {
    rules: &'r Rules,
    nodes: Vec<Node>,
    layers: Vec<Vec<u32>>,
    seen: KeyMap<u32>,
    ends: KeySet,
    held: Vec<Held>,
    survey: Survey,
    effort: Effort<'r>,
    sink: F,
}

impl Rules {
    /// The distinct afterstates of the turn to be played, each once, with one turn that leads there.
    ///
    /// A forced pass gives the one afterstate of the pass.
    pub fn afterstates(&self, root: &Position, effort: Effort) -> (Vec<Afterstate>, Survey) {
        let mut list = Vec::new();
        let survey = self.each_afterstate(root, effort, |leaf| {
            list.push(Afterstate { position: *leaf.position, turn: leaf.turn() });
        });
        (list, survey)
    }

    /// Counts the turns to be played and what they come to.
    pub fn survey(&self, root: &Position) -> Survey {
        self.each_afterstate(root, Effort::FULL, |_| {})
    }

    /// Shows each distinct afterstate once, as far as the effort goes.
    pub fn each_afterstate(&self, root: &Position, effort: Effort, sink: impl FnMut(&Leaf)) -> Survey {
        let mut walk = Walk {
            rules: self,
            nodes: vec![Node { position: *root, parent: 0, mv: None, sequences: 1 }],
            layers: vec![Vec::new(); root.pool().len() + 1],
            seen: KeyMap::default(),
            ends: KeySet::default(),
            held: Vec::new(),
            survey: Survey::default(),
            effort,
            sink,
        };
        walk.layers[0].push(0);
        walk.run();
        walk.survey
    }
}

impl<F: FnMut(&Leaf)> Walk<'_, F> {
    fn run(&mut self) {
        let root = self.nodes[0].position;
        if root.side().is_none() || root.pool().is_empty() {
            return;
        }
        if root.pool().is_optional() {
            self.end(root, 0, None, 1);
        }
        let mut moves = Vec::new();
        for spent in 0..self.layers.len() {
            for at in std::mem::take(&mut self.layers[spent]) {
                if (self.effort.stop)() {
                    self.survey.truncated = true;
                    break;
                }
                let (position, sequences) = (self.nodes[at as usize].position, self.nodes[at as usize].sequences);
                self.rules.single_moves(&position, &mut moves);
                for &mv in &moves {
                    self.step(&position, at, mv, spent, sequences);
                }
                if moves.is_empty() {
                    let node = &self.nodes[at as usize];
                    self.complete(position, node.parent, node.mv, sequences, spent);
                }
            }
        }
        self.release();
        if self.survey.sequences == 0 && !self.survey.truncated {
            let mut passed = root;
            passed.end_turn(self.rules.variant, self.rules.sliders);
            self.survey.ends = 1;
            (self.sink)(&Leaf { position: &passed, nodes: &self.nodes, parent: 0, last: None });
        }
    }

    fn step(&mut self, position: &Position, at: u32, mv: SingleMove, spent: usize, sequences: u64) {
        let mut next = *position;
        next.play(self.rules.variant, mv, &mut ());
        if next.decided(self.rules.variant).is_some() {
            self.survey.decides = true;
            self.end(next, at, Some(mv), sequences);
            return;
        }
        let spent = spent + mv.cost(self.rules.variant);
        if next.pool().is_empty() {
            self.complete(next, at, Some(mv), sequences, spent);
            return;
        }
        match self.seen.entry(next.key()) {
            Entry::Occupied(known) => {
                let node = &mut self.nodes[*known.get() as usize];
                node.sequences = node.sequences.saturating_add(sequences);
            }
            Entry::Vacant(_) if self.nodes.len() >= self.effort.nodes => self.survey.truncated = true,
            Entry::Vacant(slot) => {
                let index = self.nodes.len() as u32;
                slot.insert(index);
                self.nodes.push(Node { position: next, parent: at, mv: Some(mv), sequences });
                self.layers[spent].push(index);
            }
        }
    }

    /// A quiet line from which nothing more can be paid for.
    fn complete(&mut self, position: Position, parent: u32, last: Option<SingleMove>, sequences: u64, spent: usize) {
        let spent = spent as u8;
        self.survey.quiet = self.survey.quiet.max(Some(spent));
        if self.nodes[0].position.pool().spoilt || spent == 0 {
            return;
        }
        let most = self.layers.len() as u8 - 1;
        match self.rules.variant.usage {
            Use::Max if spent < most => self.held.push(Held { position, parent, last, sequences, spent }),
            _ => self.end(position, parent, last, sequences),
        }
    }

    /// Lets the held lines go that turn out to spend the most.
    fn release(&mut self) {
        for held in std::mem::take(&mut self.held) {
            if Some(held.spent) == self.survey.quiet {
                self.end(held.position, held.parent, held.last, held.sequences);
            }
        }
    }

    fn end(&mut self, mut position: Position, parent: u32, last: Option<SingleMove>, sequences: u64) {
        position.end_turn(self.rules.variant, self.rules.sliders);
        self.survey.sequences = self.survey.sequences.saturating_add(sequences);
        if self.ends.len() >= END_CAP {
            self.survey.truncated = true;
        } else if self.ends.insert(position.afterstate_key()) {
            self.survey.ends += 1;
            (self.sink)(&Leaf { position: &position, nodes: &self.nodes, parent, last });
        }
    }
}

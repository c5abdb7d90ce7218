//! The transposition table: what was found out about positions, shared by all threads without locks.
//!
//! Each slot is two words; the key is kept xored with the data (Hyatt and Mann, "A lockless transposition table
//! implementation for parallel search", 2002), so that a slot torn between two writers is taken for none.

use crate::eval::Score;
use bytemuck::allocation::try_zeroed_vec;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a stored value says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The value.
    Exact,
    /// The value or more.
    Lower,
    /// The value or less.
    Upper,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The value from the view of the side to roll or to move, of White where nobody is.
    pub score: Score,
    /// What it says.
    pub bound: Bound,
    /// The depth in turns to which it holds, exactly.
    pub depth: u32,
    /// A part of the key of the best afterstate; 0 where there is none.
    pub best: u32,
}

/// The table.
pub struct Table {
    slots: Vec<[AtomicU64; 2]>,
    generation: AtomicU64,
}

const SCORE_BITS: u32 = 22;
const DEPTH_BITS: u32 = 8;
/// How much of an afterstate's key is kept.
const BEST_BITS: u32 = 24;
/// How many slots a key may use, one after another.
const WAYS: usize = 4;

impl Table {
    /// A table of so many MiB, or of as many as there is room for: a host may ask for more memory than there is. What is
    /// never written to costs nothing: the system gives zeros only where they are touched.
    pub fn new(mib: usize) -> Table {
        let mut count = (mib.max(1) << 20) / size_of::<[AtomicU64; 2]>();
        loop {
            match try_zeroed_vec(count) {
                Ok(slots) => return Table { slots, generation: AtomicU64::new(0) },
                Err(()) => count = (count / 2).max(WAYS),
            }
        }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for [key, data] in &self.slots {
            key.store(0, Ordering::Relaxed);
            data.store(0, Ordering::Relaxed);
        }
        self.generation.store(0, Ordering::Relaxed);
    }

    /// A new search begins: what older ones have left gives way first.
    pub fn age(&self) {
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    /// The part of an afterstate's key by which it is remembered as the best.
    pub fn signature(key: u64) -> u32 {
        ((key >> 20) as u32 & ((1 << BEST_BITS) - 1)).max(1)
    }

    /// How full the table is with what the present search has put there, per mille of a sample.
    pub fn fullness(&self) -> u32 {
        let generation = self.generation();
        let sample = self.slots.iter().take(1000);
        let count = sample.len().max(1);
        let used = sample
            .filter(|[_, data]| {
                let data = data.load(Ordering::Relaxed);
                data != 0 && data >> 58 == generation
            })
            .count();
        (used * 1000 / count) as u32
    }

    fn generation(&self) -> u64 {
        self.generation.load(Ordering::Relaxed) & 63
    }

    fn ways(&self, key: u64) -> impl Iterator<Item = &[AtomicU64; 2]> {
        let first = ((u128::from(key) * (self.slots.len() / WAYS) as u128) >> 64) as usize * WAYS;
        self.slots.iter().skip(first).take(WAYS)
    }

    /// What is known of a key.
    pub fn get(&self, key: u64) -> Option<Entry> {
        self.ways(key).find_map(|[slot, data]| {
            let data = data.load(Ordering::Relaxed);
            (data != 0 && slot.load(Ordering::Relaxed) ^ data == key).then(|| unpack(data))
        })
    }

    /// Remembers what was found out.
    pub fn put(&self, key: u64, entry: Entry) {
        let generation = self.generation();
        let data = pack(entry, generation);
        let mut worst: Option<(&[AtomicU64; 2], u64)> = None;
        for slot in self.ways(key) {
            let known = slot[1].load(Ordering::Relaxed);
            if known == 0 || slot[0].load(Ordering::Relaxed) ^ known == key {
                worst = Some((slot, 0));
                break;
            }
            // Of this search and deep is worth more.
            let worth = 1 + u64::from(known >> 58 == generation) * 1000 + u64::from(unpack(known).depth);
            if worst.is_none_or(|(_, least)| worth < least) {
                worst = Some((slot, worth));
            }
        }
        if let Some(([slot, word], _)) = worst {
            slot.store(key ^ data, Ordering::Relaxed);
            word.store(data, Ordering::Relaxed);
        }
    }
}

fn pack(entry: Entry, generation: u64) -> u64 {
    let bound = match entry.bound {
        Bound::Exact => 1u64,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    let score = (entry.score.0 + (1 << (SCORE_BITS - 1))) as u64;
    let depth = u64::from(entry.depth.min((1 << DEPTH_BITS) - 1));
    score
        | depth << SCORE_BITS
        | bound << (SCORE_BITS + DEPTH_BITS)
        | u64::from(entry.best) << (SCORE_BITS + DEPTH_BITS + 2)
        | generation << 58
}

fn unpack(data: u64) -> Entry {
    let field = |shift: u32, bits: u32| data >> shift & ((1 << bits) - 1);
    Entry {
        score: Score(field(0, SCORE_BITS) as i32 - (1 << (SCORE_BITS - 1))),
        depth: field(SCORE_BITS, DEPTH_BITS) as u32,
        bound: match field(SCORE_BITS + DEPTH_BITS, 2) {
            1 => Bound::Exact,
            2 => Bound::Lower,
            _ => Bound::Upper,
        },
        best: field(SCORE_BITS + DEPTH_BITS + 2, BEST_BITS) as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back() {
        let table = Table::new(1);
        let entry = |score: i32, depth: u32| Entry { score: Score(score), bound: Bound::Upper, depth, best: 77 };
        for (number, score) in [(1u64, 0), (2, Score::WIN.0), (3, Score::LOSS.0), (4, -1)] {
            let key = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            table.put(key, entry(score, number as u32));
            assert_eq!(table.get(key), Some(entry(score, number as u32)));
        }
        assert_eq!(table.get(99), None);
        table.clear();
        assert_eq!(table.get(0x9e37_79b9_7f4a_7c15), None);
    }

    #[test]
    fn a_full_table_forgets_the_old_and_shallow() {
        let table = Table::new(1);
        let entry = |depth| Entry { score: Score(5), bound: Bound::Exact, depth, best: 0 };
        let key = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        table.put(key(1), entry(9));
        (2..40_000).for_each(|number| table.put(key(number), entry(1)));
        assert_eq!(table.get(key(1)), Some(entry(9)));
        assert!(table.fullness() > 100);
        table.age();
        assert_eq!(table.fullness(), 0);
    }
}

//! The set of keys by which what was shown is known again.

/// A set of keys by open addressing. An entry keeps the upper bits of its key, its place the lower ones, and what is
/// left numbers the walk that it belongs to, so that a new walk needs no clearing.
pub struct KeyTable {
    first: Box<[u64; FIRST]>,
    /// Where keys go once the first table is full; only the last takes new ones.
    further: Vec<Vec<u64>>,
    walk: u64,
    /// Keys in the table that takes new ones.
    len: usize,
}

/// The bits of an entry that number the walk.
const WALK_BITS: u32 = 16;
/// The entries of the first table: 2 MiB, so thinly filled that a key seldom meets another on its way.
const FIRST: usize = 1 << 18;
/// The most entries of a table: 256 MiB. Beyond that keys are forgotten, and an afterstate may be shown twice.
const MOST: usize = 1 << 25;

impl KeyTable {
    /// An empty table.
    pub fn new() -> KeyTable {
        // By way of a vector: without optimisation an array would be built on the stack, and it is as large as a thread's.
        let first: Result<Box<[u64; FIRST]>, _> = vec![0; FIRST].into_boxed_slice().try_into();
        KeyTable { first: first.expect("as long as it was made"), further: Vec::new(), walk: 0, len: 0 }
    }

    /// Forgets everything.
    pub fn begin(&mut self) {
        self.further.clear();
        self.walk += 1;
        self.len = 0;
        if self.walk >> WALK_BITS != 0 {
            self.first.fill(0);
            self.walk = 1;
        }
    }

    /// Adds a key; false where it was there.
    #[inline(always)]
    pub fn insert(&mut self, key: u64) -> bool {
        let entry = key >> WALK_BITS << WALK_BITS | self.walk;
        let mut at = key as usize % FIRST;
        loop {
            let known = self.first[at];
            if known == entry {
                return false;
            }
            if known as u16 != self.walk as u16 {
                break;
            }
            at = (at + 1) % FIRST;
        }
        if self.len * 4 >= FIRST * 3 {
            return self.insert_further(key, entry);
        }
        self.first[at] = entry;
        self.len += 1;
        true
    }

    #[cold]
    #[inline(never)]
    fn insert_further(&mut self, key: u64, entry: u64) -> bool {
        // The length of the first table stays at its limit; the last of the others counts on from there.
        let used = self.len - FIRST * 3 / 4;
        let room = self.further.last().map_or(0, Vec::len);
        if used * 3 >= room * 2 {
            self.len = FIRST * 3 / 4;
            if room * 4 > MOST {
                if let Some(last) = self.further.last_mut() {
                    last.fill(0);
                }
            } else {
                self.further.push(vec![0; room.max(FIRST) * 4]);
            }
        }
        let full = self.further.len() - 1;
        if self.further[..full].iter().any(|table| place(table, key, entry).is_none()) {
            return false;
        }
        let Some(at) = place(&self.further[full], key, entry) else { return false };
        self.further[full][at] = entry;
        self.len += 1;
        true
    }
}

/// The place at which an entry may be put in a table of this walk alone; none where it is there.
fn place(table: &[u64], key: u64, entry: u64) -> Option<usize> {
    let mask = table.len() - 1;
    let mut at = key as usize & mask;
    loop {
        match table[at] {
            0 => return Some(at),
            known if known == entry => return None,
            _ => at = (at + 1) & mask,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::zobrist;

    #[test]
    fn it_is_a_set_at_any_size() {
        let mut table = KeyTable::new();
        for walk in 0..3 {
            table.begin();
            for round in 0..2 {
                for number in 1..200_000u64 {
                    assert_eq!(table.insert(zobrist::word(number)), round == 0, "{walk} {number}");
                }
            }
        }
    }

    #[test]
    fn walks_do_not_see_each_other() {
        let mut table = KeyTable::new();
        for _ in 0..70_000 {
            table.begin();
            assert!(table.insert(77 << 40) && !table.insert(77 << 40));
        }
    }
}

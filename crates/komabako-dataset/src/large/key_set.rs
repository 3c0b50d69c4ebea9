//! [`KeySet`]: a set of keys.

use komabako_bits::{advise_huge_pages, prefetch_for_write};

use crate::engine::temporary::{Shape, slot_hash};

/// A set of keys, stored one after the other in a single allocation.
///
/// Every key is looked up once, in a table far larger than the caches, and most of the time is spent waiting for its slot. So
/// this module has its own table: its slots are in huge pages, and a caller that knows the next keys fetches their slots in
/// advance. `hashbrown`, which was used before, reads two places in memory per key, and a caller cannot prefetch them.
pub(super) struct KeySet {
    shape: Shape,
    keys: Vec<u8>,
    /// For each key, at or after the place of its hash: its tag and, in the low bits, its start plus one. 0 if empty.
    slots: Vec<u64>,
    /// The number of keys.
    count: usize,
}

/// The bits of a slot that hold the start of a key. Those above are its tag: low bits of the hash, since places use the high ones.
const START_BITS: u32 = 40;

impl KeySet {
    /// The bytes of the table per key: three in five slots are used.
    pub const TABLE_BYTES: u64 = 14;
    /// The distance, in keys, at which slots are fetched in advance.
    pub const AHEAD: usize = 16;

    /// A set with capacity for `count` keys of `bytes` in total.
    pub fn with_capacity(shape: Shape, count: u64, bytes: u64) -> KeySet {
        let mut keys = Vec::with_capacity(bytes as usize);
        advise_huge_pages(keys.spare_capacity_mut());
        KeySet { shape, keys, slots: empty_slots(count as usize * 5 / 3 + 1), count: 0 }
    }

    /// Empties the set and keeps its capacity.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.slots.fill(0);
        self.count = 0;
    }

    /// The hash of a key, which all other methods take: a caller that fetches slots has it already.
    #[inline]
    pub fn hash_of(key: &[u8]) -> u64 {
        slot_hash(key)
    }

    /// Fetches the slot of a key that will be added.
    #[inline]
    pub fn fetch(&mut self, hash: u64) {
        let at = place(hash, self.slots.len());
        prefetch_for_write(&mut self.slots[at]);
    }

    /// Adds a key; returns whether it is new.
    pub fn insert(&mut self, hash: u64, key: &[u8]) -> bool {
        self.place_of(hash, key).1
    }

    /// Whether a key is in the set.
    pub fn contains(&self, hash: u64, key: &[u8]) -> bool {
        self.find(hash, key).is_ok()
    }

    /// Adds a key unless it is there. Returns the byte at which it starts, which is its own, and whether it is new.
    pub fn place_of(&mut self, hash: u64, key: &[u8]) -> (usize, bool) {
        match self.find(hash, key) {
            Ok(at) => (start_of(self.slots[at]), false),
            Err(at) => {
                let start = self.keys.len();
                self.insert_at(at, hash, key);
                (start, true)
            }
        }
    }

    /// The same for keys of a fixed size: the number of a key in the order in which keys were added.
    pub fn number_of(&mut self, hash: u64, key: &[u8]) -> usize {
        self.place_of(hash, key).0 / key.len()
    }

    /// The key of a fixed size that was added as this number.
    pub fn numbered(&self, number: usize) -> &[u8] {
        match self.shape {
            Shape::Fixed(size) => &self.keys[number * size..][..size],
            Shape::Varying => unreachable!("numbers are for keys of a fixed size"),
        }
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Adds a key that is not there, whose slot is known.
    fn insert_at(&mut self, at: usize, hash: u64, key: &[u8]) {
        self.slots[at] = slot(hash, self.keys.len());
        self.shape.append(key, &mut self.keys);
        self.count += 1;
        // Only if there are more keys than expected.
        if self.count > self.slots.len() / 8 * 7 {
            self.grow();
        }
    }

    /// The index of a key's slot, or of the empty slot where it would go.
    fn find(&self, hash: u64, key: &[u8]) -> Result<usize, usize> {
        let mut at = place(hash, self.slots.len());
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return Err(at);
            }
            if slot >> START_BITS == hash & (u64::MAX >> START_BITS) && self.key(start_of(slot)) == key {
                return Ok(at);
            }
            at = if at + 1 == self.slots.len() { 0 } else { at + 1 };
        }
    }

    /// The key that starts at an offset.
    fn key(&self, start: usize) -> &[u8] {
        match self.shape.split(&self.keys[start..]) {
            Some((key, _)) => key,
            None => unreachable!("a key starts there"),
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.slots = empty_slots(self.slots.len() * 2);
        let mut start = 0;
        while let Some((key, rest)) = self.shape.split(&self.keys[start..]) {
            let hash = slot_hash(key);
            let next = self.keys.len() - rest.len();
            let (Ok(at) | Err(at)) = self.find(hash, key);
            self.slots[at] = slot(hash, start);
            start = next;
        }
    }
}

/// `count` slots and a few more, so that a small table also has an empty one.
fn empty_slots(count: usize) -> Vec<u64> {
    let count = count + 8;
    let mut slots = Vec::with_capacity(count);
    advise_huge_pages(slots.spare_capacity_mut());
    slots.resize(count, 0);
    slots
}

/// The slot at which the search for a hash begins: computed by a multiplication, so that a table may have any size.
fn place(hash: u64, slots: usize) -> usize {
    ((u128::from(hash) * slots as u128) >> 64) as usize
}

/// The start of the key in a slot.
fn start_of(slot: u64) -> usize {
    ((slot & ((1 << START_BITS) - 1)) - 1) as usize
}

fn slot(hash: u64, start: usize) -> u64 {
    let start = start as u64 + 1;
    assert!(start < 1 << START_BITS, "keys of a tebibyte in one set");
    hash << START_BITS | start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_is_inserted_once() {
        for shape in [Shape::Fixed(4), Shape::Varying] {
            let mut key_set = KeySet::with_capacity(shape, 1, 1);
            for _ in 0..2 {
                for is_new in [true, false] {
                    for key in (0..1000_u32).map(u32::to_le_bytes) {
                        assert_eq!(key_set.insert(KeySet::hash_of(&key), &key), is_new, "{shape:?} {key:?}");
                    }
                }
                key_set.clear();
            }
        }
    }

    #[test]
    fn keys_have_the_numbers_of_their_order() {
        let mut key_set = KeySet::with_capacity(Shape::Fixed(4), 1, 1);
        for _ in 0..2 {
            for number in 0..1000_u32 {
                let key = number.to_le_bytes();
                assert_eq!(key_set.number_of(KeySet::hash_of(&key), &key), number as usize);
            }
        }
        assert_eq!((key_set.len(), key_set.numbered(700)), (1000, &700_u32.to_le_bytes()[..]));
        let contains = |key: &[u8]| key_set.contains(KeySet::hash_of(key), key);
        assert!(contains(&999_u32.to_le_bytes()) && !contains(&1000_u32.to_le_bytes()));
    }
}

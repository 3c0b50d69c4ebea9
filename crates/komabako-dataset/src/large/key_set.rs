//! [`KeySet`]: a set of keys.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::engine::temporary::{Shape, slot_hash};

/// A set of keys, one after the other in one block of memory.
pub(super) struct KeySet {
    shape: Shape,
    keys: Vec<u8>,
    /// Where each key starts.
    table: HashTable<u64>,
}

impl KeySet {
    /// The bytes that the table takes for a key, at most: a slot of 9 bytes, of which 7 in 16 are used after it grew.
    pub const TABLE_BYTES: u64 = 21;

    /// A set with room for `count` keys of `bytes` in all.
    pub fn with_capacity(shape: Shape, count: u64, bytes: u64) -> KeySet {
        let table = HashTable::with_capacity(count as usize);
        KeySet { shape, keys: Vec::with_capacity(bytes as usize), table }
    }

    /// Empties the set and keeps its room.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.table.clear();
    }

    /// Adds a key; whether it is new.
    pub fn insert(&mut self, key: &[u8]) -> bool {
        let KeySet { shape, keys, table } = self;
        // The table holds places, not keys: a key has any length, and none is allocated by itself.
        let at = |start: u64| match shape.split(&keys[start as usize..]) {
            Some((key, _)) => key,
            None => unreachable!("a key starts there"),
        };
        let entry = table.entry(slot_hash(key), |&start| at(start) == key, |&start| slot_hash(at(start)));
        // Found or not, there is one look-up: the entry remembers where the place would go.
        let Entry::Vacant(vacant) = entry else { return false };
        vacant.insert(keys.len() as u64);
        shape.append(key, keys);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_new_once() {
        for shape in [Shape::Fixed(4), Shape::Varying] {
            let mut key_set = KeySet::with_capacity(shape, 1, 1);
            for _ in 0..2 {
                for number in 0..1000_u32 {
                    assert!(key_set.insert(&number.to_le_bytes()), "{shape:?} {number}");
                }
                for number in 0..1000_u32 {
                    assert!(!key_set.insert(&number.to_le_bytes()), "{shape:?} {number}");
                }
                key_set.clear();
            }
        }
    }
}

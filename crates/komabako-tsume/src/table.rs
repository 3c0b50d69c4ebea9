//! The table of positions: proofs, disproofs and numbers of those still open.
//!
//! An open array of 32-byte entries, found by the hash of the board and scanned to the first free one: positions that
//! differ in hands or bounds alone stand in one run, so that one scan sees every proof that holds for a smaller hand
//! and every disproof that holds for a larger one.
//!
//! ```text
//! word 0   board key, low half
//! word 1   32 more bits of the board key · hand of the attacker
//! word 2   proof number · disproof number
//! word 3   bound (16) · depth (16) · kind (8) · work (8) · generation (16)
//! ```
//!
//! 96 bits of key are compared: among 10^10 look-ups in 10^9 entries a wrong match has a probability of about 10^-10.
//!
//! An entry of another generation is free. So a new problem begins with an empty table without clearing it, in a small
//! part of it (short problems stay in the cache), which doubles as it fills. Only at its full size are entries
//! forgotten: the half with the least work below it.

use alloc::vec::Vec;

use komabako_bits::{ADVISES_HUGE_PAGES, advise_huge_pages};
use komabako_board::Hand;

use crate::outcome::Convention;

/// "However long": the bound of a search for any mate.
pub(crate) const UNBOUNDED: u16 = u16::MAX;
/// A proof number that no search reaches.
pub(crate) const INFINITE: u32 = 1 << 30;

/// What identifies a position, beside the hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct BoardKey {
    pub low: u64,
    pub high: u32,
}

impl BoardKey {
    pub const fn new(key: u128) -> Self {
        Self { low: key as u64, high: (key >> 64) as u32 }
    }

    /// The key of the same board in another role.
    pub const fn salted(self, salt: u64) -> Self {
        let mixed = salt.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Self { low: self.low ^ mixed, high: self.high ^ (mixed >> 17) as u32 }
    }

    fn hash(self) -> u64 {
        self.low.wrapping_mul(0xd6e8_feb8_6659_fd93)
    }
}

/// A position to look up: how long the mate may be, by which convention.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query {
    pub key: BoardKey,
    pub hand: Hand,
    pub convention: Convention,
    pub bound: u16,
}

/// What the table says about a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    /// A mate within `length` for every hand that is at least this one. In `strict` lengths, or for this hand alone.
    Mate { hand: Hand, length: u16, strict: bool },
    /// No mate within `excluded` for every hand that is at most this one.
    NoMate { hand: Hand, excluded: u16 },
    /// Neither is known. `repeats`: it was refuted by a repetition on some path.
    Open { pn: u32, dn: u32, depth: u16, repeats: bool },
    /// Never seen.
    Nothing,
}

/// What is to be stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub known: Known,
    /// How many nodes were searched for it.
    pub work: u64,
}

const OPEN: u8 = 1;
const OPEN_TSUME: u8 = 2;
const MATE: u8 = 3;
const MATE_TSUME: u8 = 4;
const NO_MATE: u8 = 5;
const NO_MATE_TSUME: u8 = 6;
const KIND: u8 = 7;
const REPEATS: u8 = 8;

#[derive(Clone, Copy)]
struct Entry([u64; 4]);

impl Entry {
    fn key(&self) -> BoardKey {
        BoardKey { low: self.0[0], high: self.0[1] as u32 }
    }
    fn hand(&self) -> Hand {
        Hand::from_bits_trusted((self.0[1] >> 32) as u32)
    }
    fn bound(&self) -> u16 {
        self.0[3] as u16
    }
    fn depth(&self) -> u16 {
        (self.0[3] >> 16) as u16
    }
    fn flags(&self) -> u8 {
        (self.0[3] >> 32) as u8
    }
    fn work(&self) -> u8 {
        (self.0[3] >> 40) as u8
    }
    fn generation(&self) -> u16 {
        (self.0[3] >> 48) as u16
    }
    fn with_generation(mut self, generation: u16) -> Self {
        self.0[3] = self.0[3] & !(0xffff << 48) | u64::from(generation) << 48;
        self
    }
}

/// The table.
pub(crate) struct Table {
    entries: Vec<[u64; 4]>,
    /// The logarithm of the size in use.
    bits: u32,
    /// The logarithm of the largest size.
    max_bits: u32,
    used: usize,
    generation: u16,
    /// How many times entries were forgotten.
    pub collections: u32,
}

const FIRST_BITS: u32 = 12;

impl Table {
    /// A table of at most `bytes` bytes, but at least 1 MiB.
    pub fn new(bytes: usize) -> Self {
        let max_bits = (bytes.max(1 << 20) / 32).ilog2();
        let mut table =
            Self { entries: Vec::new(), bits: FIRST_BITS, max_bits, used: 0, generation: 1, collections: 0 };
        table.entries.resize(1 << FIRST_BITS, [0; 4]);
        table
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.bits = FIRST_BITS;
        self.used = 0;
        self.collections = 0;
        self.next_generation();
    }

    fn next_generation(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.entries.fill([0; 4]);
            self.generation = 1;
        }
    }

    /// The share of the largest size that is in use, in thousandths.
    pub fn permille(&self) -> u32 {
        ((self.used as u64 * 1000) >> self.max_bits) as u32
    }

    #[inline]
    fn start(&self, key: BoardKey) -> usize {
        (key.hash() >> (64 - self.bits)) as usize
    }

    #[inline]
    fn entry(&self, index: usize) -> Option<Entry> {
        let entry = Entry(self.entries[index]);
        (entry.generation() == self.generation).then_some(entry)
    }

    /// Reads where the entries of a position begin, so that they are in the cache when it is looked up. The value has no
    /// meaning.
    #[inline]
    pub fn touch(&self, key: BoardKey) -> u64 {
        self.entries[self.start(key)][3]
    }

    /// What is known of a position.
    #[inline]
    pub fn look_up(&self, query: &Query) -> Known {
        let &Query { key, hand, convention, bound } = query;
        let mask = (1 << self.bits) - 1;
        let mut index = self.start(key);
        let mut open = Known::Nothing;
        let mut is_exact = false;
        while let Some(entry) = self.entry(index) {
            index = (index + 1) & mask;
            if entry.key() != key {
                continue;
            }
            let (own, limit, flags) = (entry.hand(), entry.bound(), entry.flags());
            match flags & KIND {
                MATE if limit <= bound && hand.is_at_least(own) => {
                    return Known::Mate { hand: own, length: limit, strict: true };
                }
                NO_MATE
                    if limit >= bound
                        && own.is_at_least(hand)
                        && (convention == Convention::Strict || limit == UNBOUNDED) =>
                {
                    return Known::NoMate { hand: own, excluded: limit };
                }
                MATE_TSUME if convention == Convention::Tsume && limit <= bound && hand == own => {
                    return Known::Mate { hand, length: limit, strict: false };
                }
                NO_MATE_TSUME if convention == Convention::Tsume && limit >= bound && hand == own => {
                    return Known::NoMate { hand, excluded: limit };
                }
                OPEN | OPEN_TSUME if hand == own && !is_exact => {
                    let same = limit == bound && flags & KIND == open_kind(convention);
                    is_exact = same;
                    open = Known::Open {
                        pn: entry.0[2] as u32,
                        dn: (entry.0[2] >> 32) as u32,
                        // Numbers of another search are a start, not a sign of a loop.
                        depth: if same { entry.depth() } else { u16::MAX },
                        repeats: same && flags & REPEATS != 0,
                    };
                }
                _ => {}
            }
        }
        open
    }

    /// Stores what is known of a position.
    pub fn store(&mut self, query: &Query, record: Record) {
        let tsume = query.convention == Convention::Tsume;
        let (kind, hand, bound, numbers, depth) = match record.known {
            Known::Nothing => return,
            Known::Mate { hand, length, strict } => {
                (if strict { MATE } else { MATE_TSUME }, hand, length, (0, INFINITE), 0)
            }
            Known::NoMate { hand, excluded } if excluded == UNBOUNDED || !tsume => {
                (NO_MATE, hand, excluded, (INFINITE, 0), 0)
            }
            Known::NoMate { excluded, .. } => (NO_MATE_TSUME, query.hand, excluded, (INFINITE, 0), 0),
            Known::Open { pn, dn, depth, repeats } => {
                let flag = if repeats { REPEATS } else { 0 };
                (open_kind(query.convention) | flag, query.hand, query.bound, (pn, dn), depth)
            }
        };
        let is_open = kind & KIND == open_kind(query.convention);
        let mask = (1 << self.bits) - 1;
        let mut index = self.start(query.key);
        let (mut flags, mut depth, mut work) = (kind, depth, record.work);
        // The entry of this very question is replaced, whether it was open or of the same kind.
        let mut place = None;
        while let Some(entry) = self.entry(index) {
            if entry.key() == query.key {
                let other = entry.flags() & KIND;
                let is_own = other == open_kind(query.convention)
                    && entry.hand() == query.hand
                    && entry.bound() == query.bound;
                if is_own && is_open {
                    depth = depth.min(entry.depth());
                    flags |= entry.flags() & REPEATS;
                }
                let is_weaker = other == kind & KIND
                    && entry.hand() == hand
                    && match other {
                        MATE | MATE_TSUME => entry.bound() >= bound,
                        NO_MATE | NO_MATE_TSUME => entry.bound() <= bound,
                        _ => false,
                    };
                if is_own || is_weaker {
                    work += 1u64 << entry.work().min(60);
                    place = Some(index);
                    break;
                }
            }
            index = (index + 1) & mask;
        }
        if place.is_none() {
            self.used += 1;
        }
        let work = u64::from(u64::BITS - work.leading_zeros());
        self.entries[place.unwrap_or(index)] = [
            query.key.low,
            u64::from(query.key.high) | u64::from(hand.bits()) << 32,
            u64::from(numbers.0) | u64::from(numbers.1) << 32,
            u64::from(bound)
                | u64::from(depth) << 16
                | u64::from(flags) << 32
                | work << 40
                | u64::from(self.generation) << 48,
        ];
        if self.used * 8 > (1 << self.bits) * 6 {
            self.make_room();
        }
    }

    /// Doubles the part in use, or forgets the half with the least work below it.
    #[cold]
    fn make_room(&mut self) {
        let size = 1usize << self.bits;
        if self.bits < self.max_bits {
            if self.lengthen(2 * size) {
                self.rebuild(self.bits + 1, |_| true);
                return;
            }
            self.max_bits = self.bits;
        }
        self.collections += 1;
        let mut count = [0usize; 256];
        for index in 0..size {
            if let Some(entry) = self.entry(index) {
                count[usize::from(worth(&entry))] += 1;
            }
        }
        let (mut least, mut below) = (0u8, 0);
        while below + count[usize::from(least)] < self.used / 2 {
            below += count[usize::from(least)];
            least += 1;
        }
        let mut quota = self.used / 2 - below;
        self.rebuild(self.bits, |entry| {
            let worth = worth(entry);
            if worth == least && quota > 0 {
                quota -= 1;
                return false;
            }
            worth >= least
        });
    }

    /// Makes the vector at least as long; `false` if there is no memory for that.
    ///
    /// Where there are huge pages in a new block of them: the system would move a block that it grows to another place and
    /// split its huge pages. While both blocks exist the table takes half as much again, so it grows in place when it
    /// grows for the last time.
    fn lengthen(&mut self, size: usize) -> bool {
        let missing = size.saturating_sub(self.entries.len());
        if missing == 0 {
            return true;
        }
        if ADVISES_HUGE_PAGES && size < 1 << self.max_bits {
            let mut longer: Vec<[u64; 4]> = Vec::new();
            if longer.try_reserve_exact(size).is_ok() {
                advise_huge_pages(longer.spare_capacity_mut());
                longer.extend_from_slice(&self.entries);
                self.entries = longer;
            }
        }
        if self.entries.try_reserve_exact(missing).is_err() {
            return false;
        }
        advise_huge_pages(self.entries.spare_capacity_mut());
        self.entries.resize(size, [0; 4]);
        true
    }

    /// Moves every entry that is kept to its place in a table of another size, in place.
    ///
    /// Moved entries bear a new generation. One that has not moved yet gives up its slot and is moved next:
    ///
    /// ```text
    /// for each slot: pick up its old entry, if any
    ///     while one is in hand: find the first slot from its start on that holds no moved entry;
    ///                           swap; what was there, if old, is in hand now
    /// ```
    fn rebuild(&mut self, bits: u32, mut keep: impl FnMut(&Entry) -> bool) {
        let (old_size, old) = (1usize << self.bits, self.generation);
        if old == u16::MAX {
            // Generations restart; entries keep a number that nothing else bears.
            for slot in &mut self.entries {
                let entry = Entry(*slot);
                *slot = if entry.generation() == old { entry.with_generation(1).0 } else { [0; 4] };
            }
            self.generation = 1;
            return self.rebuild(bits, keep);
        }
        self.next_generation();
        self.bits = bits;
        self.used = 0;
        let mask = (1 << bits) - 1;
        // From the end when it grows: entries move up, to slots that have been emptied, and memory is read and written in
        // order. From the start each move would displace another entry, twice as far away each time.
        let grows = old_size <= mask;
        for place in 0..old_size {
            let slot = if grows { old_size - 1 - place } else { place };
            let mut in_hand = Entry(self.entries[slot]);
            if in_hand.generation() != old {
                continue;
            }
            self.entries[slot] = [0; 4];
            while in_hand.generation() == old && keep(&in_hand) {
                let mut index = self.start(in_hand.key());
                while self.entry(index).is_some() {
                    index = (index + 1) & mask;
                }
                let moved = in_hand.with_generation(self.generation);
                in_hand = Entry(core::mem::replace(&mut self.entries[index], moved.0));
                self.used += 1;
            }
        }
    }
}

/// What an entry is worth keeping for: the logarithm of the work below it; what is settled a little longer.
fn worth(entry: &Entry) -> u8 {
    let bonus = match entry.flags() & KIND {
        MATE | MATE_TSUME => 3,
        NO_MATE => 1,
        _ => 0,
    };
    2 * entry.work() + bonus
}

fn open_kind(convention: Convention) -> u8 {
    match convention {
        Convention::Strict => OPEN,
        Convention::Tsume => OPEN_TSUME,
    }
}

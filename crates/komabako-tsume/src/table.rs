//! The transposition table: proofs, disproofs, and the numbers of open positions.
//!
//! An open-addressing array of 32-byte entries, found by the hash of the board and scanned to the first free one. Positions
//! that differ only in hands or bounds are in one run, so one scan sees every proof for a smaller hand and every
//! disproof for a larger one.
//!
//! ```text
//! word 0   board key, low half, xor a mix of the other words
//! word 1   32 more bits of the board key · hand of the attacker
//! word 2   proof number · disproof number
//! word 3   bound (16) · depth (16) · kind (8) · work (8) · generation (16)
//! ```
//!
//! 96 bits of key are compared: among 10^10 lookups in 10^9 entries a wrong match has a probability of about 10^-10.
//!
//! Several threads may look up and store at once. Each word is read and written atomically, but an entry is not: a torn entry
//! of two threads' halves has a mix that does not fit the key, and so matches no position.
//!
//! An entry of another generation is free. So a new problem starts with an empty table without clearing it. It uses a small
//! part of the table at first (short problems stay in the cache), which doubles as it fills. Only at the full size are
//! entries dropped: the half with the least work below it.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use komabako_bits::{advise_huge_pages, prefetch};
use komabako_board::Hand;

use crate::counting::Counting;

/// The bound of a search for a mate of any length.
pub(crate) const UNBOUNDED: u16 = u16::MAX;
/// A proof number that no search reaches.
pub(crate) const INFINITE: u32 = 1 << 30;

/// The key of a position without the hand.
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

/// A position to look up, with the counting and the bound of the length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query {
    pub key: BoardKey,
    pub hand: Hand,
    pub counting: Counting,
    pub bound: u16,
}

/// The table's answer to a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    /// A mate within `length`: if `strict`, in strict lengths for every hand that is at least this one; otherwise in tsume
    /// lengths for exactly this hand, in free ones for every hand that is at least this one.
    Mate { hand: Hand, length: u16, strict: bool },
    /// No mate within `excluded` for any hand that is at most this one.
    NoMate { hand: Hand, excluded: u16 },
    /// Neither is proven. `repeats`: it was refuted by a repetition on some path.
    Open { pn: u32, dn: u32, depth: u16, repeats: bool },
    /// Never seen.
    Nothing,
}

/// A result to store, which becomes an entry or replaces one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewEntry {
    pub known: Known,
    /// The number of nodes searched for it.
    pub work: u64,
}

const OPEN: u8 = 1;
const OPEN_TSUME: u8 = 2;
const MATE: u8 = 3;
const MATE_TSUME: u8 = 4;
const NO_MATE: u8 = 5;
const NO_MATE_TSUME: u8 = 6;
const OPEN_FREE: u8 = 7;
const MATE_FREE: u8 = 8;
const NO_MATE_FREE: u8 = 9;
const KIND: u8 = 15;
const REPEATS: u8 = 16;

#[derive(Clone, Copy)]
struct Entry([u64; 4]);

impl Entry {
    fn new(key: BoardKey, hand: Hand, numbers: u64, rest: u64) -> Self {
        let mut words = [0, u64::from(key.high) | u64::from(hand.bits()) << 32, numbers, rest];
        words[0] = key.low ^ mix(&words);
        Self(words)
    }
    fn key(&self) -> BoardKey {
        BoardKey { low: self.0[0] ^ mix(&self.0), high: self.0[1] as u32 }
    }
    fn is_of(&self, key: BoardKey) -> bool {
        self.0[1] as u32 == key.high && self.0[0] ^ mix(&self.0) == key.low
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
    fn with_generation(self, generation: u16) -> Self {
        let rest = self.0[3] & !(0xffff << 48) | u64::from(generation) << 48;
        Self::new(self.key(), self.hand(), self.0[2], rest)
    }
}

/// Mixes the words of an entry except the first. The factors are odd, so that each word counts, and have no simple pattern, so
/// that small differences between two entries of one position do not cancel out.
#[inline]
fn mix(words: &[u64; 4]) -> u64 {
    words[1]
        .wrapping_mul(0x9fb2_1c65_1e98_df25)
        .wrapping_add(words[2].wrapping_mul(0xd1b5_4a32_d192_ed03))
        .wrapping_add(words[3].wrapping_mul(0x8cb9_2ba7_2f3d_8dd7))
}

/// The place of an entry in memory.
struct Slot([AtomicU64; 4]);

impl Slot {
    const fn empty() -> Self {
        Self([const { AtomicU64::new(0) }; 4])
    }
    #[inline]
    fn get(&self) -> Entry {
        Entry([
            self.0[0].load(Relaxed),
            self.0[1].load(Relaxed),
            self.0[2].load(Relaxed),
            self.0[3].load(Relaxed),
        ])
    }
    #[inline]
    fn set(&self, entry: Entry) {
        for (word, value) in self.0.iter().zip(entry.0) {
            word.store(value, Relaxed);
        }
    }
}

/// The slots of one cache line. The entries of a position start at a line boundary, so one fetch usually brings all of them.
#[repr(align(64))]
struct Line([Slot; Line::SLOTS]);

impl Line {
    const SLOTS: usize = 2;

    const fn empty() -> Self {
        Self([const { Slot::empty() }; Line::SLOTS])
    }
}

/// A counter that several threads change, in a cache line of its own, because the fields beside it are read at every lookup.
#[repr(align(64))]
struct Count(AtomicUsize);

/// The table.
pub(crate) struct Table {
    lines: Vec<Line>,
    /// The binary logarithm of the size in use.
    bits: u32,
    /// The binary logarithm of the largest size.
    max_bits: u32,
    used: Count,
    generation: u16,
    /// The number of times that entries were dropped.
    pub collections: u32,
}

const FIRST_BITS: u32 = 12;

impl Table {
    /// A table of at most `bytes` bytes or 1 MiB, whichever is larger.
    pub fn new(bytes: usize) -> Self {
        let max_bits = (bytes.max(1 << 20) / 32).ilog2();
        let mut table = Self {
            lines: Vec::new(),
            bits: FIRST_BITS,
            max_bits,
            used: Count(AtomicUsize::new(0)),
            generation: 1,
            collections: 0,
        };
        table.lines.resize_with((1 << FIRST_BITS) / Line::SLOTS, Line::empty);
        table
    }

    /// Drops all entries.
    pub fn clear(&mut self) {
        self.bits = FIRST_BITS;
        *self.used.0.get_mut() = 0;
        self.collections = 0;
        self.next_generation();
    }

    fn next_generation(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.lines.fill_with(Line::empty);
            self.generation = 1;
        }
    }

    /// The used share of the largest size, in thousandths.
    pub fn permille(&self) -> u32 {
        ((self.used() as u64 * 1000) >> self.max_bits) as u32
    }

    fn used(&self) -> usize {
        self.used.0.load(Relaxed)
    }

    /// The number of slots of the part in use.
    pub fn size(&self) -> usize {
        1 << self.bits
    }

    /// Whether the table is nearly full, so that [`grow_or_evict`](Self::grow_or_evict) must be called soon.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.used() * 4 > self.size() * 3
    }

    #[inline]
    fn start(&self, key: BoardKey) -> usize {
        (key.hash() >> (64 - self.bits)) as usize / Line::SLOTS * Line::SLOTS
    }

    #[inline]
    fn slot(&self, index: usize) -> &Slot {
        &self.lines[index / Line::SLOTS].0[index % Line::SLOTS]
    }

    #[inline]
    fn entry(&self, index: usize) -> Option<Entry> {
        let entry = self.slot(index).get();
        (entry.generation() == self.generation).then_some(entry)
    }

    /// Prefetches the first entries of a position for an imminent lookup.
    #[inline]
    pub fn prefetch(&self, key: BoardKey) {
        let line = &self.lines[self.start(key) / Line::SLOTS];
        if cfg!(target_family = "wasm") {
            // WebAssembly has no prefetch. A load whose value is not used brings the line too, and nothing waits for it.
            core::hint::black_box(line.0[0].0[3].load(Relaxed));
        } else {
            prefetch(line);
        }
    }

    /// Looks up a position.
    #[inline]
    pub fn look_up(&self, query: &Query) -> Known {
        let &Query { key, hand, counting, bound } = query;
        let mask = (1 << self.bits) - 1;
        let mut index = self.start(key);
        let mut open = Known::Nothing;
        let mut is_exact = false;
        while let Some(entry) = self.entry(index) {
            index = (index + 1) & mask;
            if !entry.is_of(key) {
                continue;
            }
            let own = entry.hand();
            let limit = entry.bound();
            let flags = entry.flags();
            match flags & KIND {
                MATE if limit <= bound && hand.is_at_least(own) => {
                    return Known::Mate { hand: own, length: limit, strict: true };
                }
                NO_MATE
                    if limit >= bound
                        && own.is_at_least(hand)
                        && (counting == Counting::Strict || limit == UNBOUNDED) =>
                {
                    return Known::NoMate { hand: own, excluded: limit };
                }
                MATE_TSUME if counting != Counting::Strict && limit <= bound && hand == own => {
                    return Known::Mate { hand, length: limit, strict: false };
                }
                MATE_FREE if counting == Counting::Free && limit <= bound && hand.is_at_least(own) => {
                    return Known::Mate { hand: own, length: limit, strict: false };
                }
                NO_MATE_FREE if counting != Counting::Strict && limit >= bound && own.is_at_least(hand) => {
                    return Known::NoMate { hand: own, excluded: limit };
                }
                NO_MATE_TSUME if counting == Counting::Tsume && limit >= bound && hand == own => {
                    return Known::NoMate { hand, excluded: limit };
                }
                OPEN | OPEN_TSUME | OPEN_FREE
                    if hand == own && !is_exact && (bound != UNBOUNDED || limit == bound) =>
                {
                    let same = limit == bound && flags & KIND == open_kind(counting);
                    is_exact = same;
                    open = Known::Open {
                        pn: entry.0[2] as u32,
                        dn: (entry.0[2] >> 32) as u32,
                        // Numbers for another bound or counting are a starting point, not a sign of a loop. Not for the question
                        // without a bound: those of a bound, whose replies weigh more, mislead it.
                        depth: if same { entry.depth() } else { u16::MAX },
                        repeats: same && flags & REPEATS != 0,
                    };
                }
                _ => {}
            }
        }
        open
    }

    /// Stores a result for a position. Returns `true` if that took a new slot, which the caller has to [`count`](Self::count).
    /// The last slots stay free, so that a scan always ends.
    #[must_use]
    pub fn store(&self, query: &Query, new: NewEntry) -> bool {
        let (kind, hand, bound, numbers, depth) = match new.known {
            Known::Nothing => return false,
            Known::Mate { hand, length, strict } => {
                let kind = match query.counting {
                    _ if strict => MATE,
                    Counting::Free => MATE_FREE,
                    _ => MATE_TSUME,
                };
                (kind, hand, length, (0, INFINITE), 0)
            }
            Known::NoMate { hand, excluded } => {
                let (kind, hand) = match query.counting {
                    _ if excluded == UNBOUNDED => (NO_MATE, hand),
                    Counting::Strict => (NO_MATE, hand),
                    Counting::Tsume => (NO_MATE_TSUME, query.hand),
                    Counting::Free => (NO_MATE_FREE, hand),
                };
                (kind, hand, excluded, (INFINITE, 0), 0)
            }
            Known::Open { pn, dn, depth, repeats } => {
                let flag = if repeats { REPEATS } else { 0 };
                (open_kind(query.counting) | flag, query.hand, query.bound, (pn, dn), depth)
            }
        };
        let is_open = kind & KIND == open_kind(query.counting);
        let mask = (1 << self.bits) - 1;
        let mut index = self.start(query.key);
        let mut flags = kind;
        let mut depth = depth;
        let mut work = new.work;
        // Replace the open entry of the same question, or a weaker entry of the same kind.
        let mut replaced = None;
        while let Some(entry) = self.entry(index) {
            if entry.is_of(query.key) {
                let other = entry.flags() & KIND;
                let is_own = other == open_kind(query.counting)
                    && entry.hand() == query.hand
                    && entry.bound() == query.bound;
                if is_own && is_open {
                    depth = depth.min(entry.depth());
                    flags |= entry.flags() & REPEATS;
                }
                let is_weaker = other == kind & KIND
                    && entry.hand() == hand
                    && match other {
                        MATE | MATE_TSUME | MATE_FREE => entry.bound() >= bound,
                        NO_MATE | NO_MATE_TSUME | NO_MATE_FREE => entry.bound() <= bound,
                        _ => false,
                    };
                if is_own || is_weaker {
                    work += 1u64 << entry.work().min(60);
                    replaced = Some(index);
                    break;
                }
            }
            index = (index + 1) & mask;
        }
        if replaced.is_none() && self.used() * 16 > self.size() * 15 {
            return false;
        }
        let work = u64::from(u64::BITS - work.leading_zeros());
        let rest = u64::from(bound)
            | u64::from(depth) << 16
            | u64::from(flags) << 32
            | work << 40
            | u64::from(self.generation) << 48;
        let numbers = u64::from(numbers.0) | u64::from(numbers.1) << 32;
        self.slot(replaced.unwrap_or(index)).set(Entry::new(query.key, hand, numbers, rest));
        replaced.is_none()
    }

    /// Adds to the number of used slots.
    pub fn count(&self, slots: usize) {
        self.used.0.fetch_add(slots, Relaxed);
    }

    /// Doubles the part in use, or at the full size drops the half of the entries with the least work below them.
    #[cold]
    pub fn grow_or_evict(&mut self) {
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
        let mut least = 0u8;
        let mut below = 0;
        let half = count.iter().sum::<usize>() / 2;
        while below + count[usize::from(least)] < half {
            below += count[usize::from(least)];
            least += 1;
        }
        let mut quota = half - below;
        self.rebuild(self.bits, |entry| {
            let worth = worth(entry);
            if worth == least && quota > 0 {
                quota -= 1;
                return false;
            }
            worth >= least
        });
    }

    /// Extends the array to this number of slots. Returns `false` if there is not enough memory.
    ///
    /// On platforms where unwritten pages take no memory (all but wasm) the first call reserves the largest size: growing an
    /// allocation would copy it, keep both copies in memory meanwhile, and lose its huge pages.
    fn lengthen(&mut self, size: usize) -> bool {
        let lines = size / Line::SLOTS;
        if self.lines.capacity() < lines {
            let most = (1 << self.max_bits) / Line::SLOTS;
            let mut reserves =
                |capacity: usize| self.lines.try_reserve_exact(capacity - self.lines.len()).is_ok();
            if !(!cfg!(target_family = "wasm") && reserves(most) || reserves(lines)) {
                return false;
            }
            advise_huge_pages(self.lines.spare_capacity_mut());
        }
        if self.lines.len() < lines {
            self.lines.resize_with(lines, Line::empty);
        }
        true
    }

    /// Rehashes the table in place for another size, dropping the entries that `keep` rejects.
    ///
    /// Moved entries get a new generation. An entry that has not moved yet gives up its slot and is moved next:
    ///
    /// ```text
    /// for each slot: take out its old entry, if any
    ///     while one is displaced: find the first slot from its start on that holds no moved entry;
    ///                           swap; the entry found there, if old, is displaced next
    /// ```
    fn rebuild(&mut self, bits: u32, mut keep: impl FnMut(&Entry) -> bool) {
        let old_size = 1usize << self.bits;
        let old = self.generation;
        if old == u16::MAX {
            // Generations restart: live entries become generation 1, all other slots are emptied.
            for slot in self.lines.iter().flat_map(|line| &line.0) {
                let entry = slot.get();
                slot.set(if entry.generation() == old { entry.with_generation(1) } else { Entry([0; 4]) });
            }
            self.generation = 1;
            return self.rebuild(bits, keep);
        }
        self.next_generation();
        self.bits = bits;
        let mut used = 0;
        let mask = (1 << bits) - 1;
        // When the table grows, start from the end: entries move up into slots already emptied, and memory is read and
        // written in order. From the start, each move would displace another entry, twice as far away each time.
        let grows = old_size <= mask;
        for step in 0..old_size {
            let slot = if grows { old_size - 1 - step } else { step };
            let mut displaced = self.slot(slot).get();
            if displaced.generation() != old {
                continue;
            }
            self.slot(slot).set(Entry([0; 4]));
            while displaced.generation() == old && keep(&displaced) {
                let mut index = self.start(displaced.key());
                while self.entry(index).is_some() {
                    index = (index + 1) & mask;
                }
                let moved = displaced.with_generation(self.generation);
                displaced = self.slot(index).get();
                self.slot(index).set(moved);
                used += 1;
            }
        }
        *self.used.0.get_mut() = used;
    }
}

/// The value of keeping an entry: the logarithm of the work below it, with a bonus for proofs and disproofs.
fn worth(entry: &Entry) -> u8 {
    let bonus = match entry.flags() & KIND {
        MATE | MATE_TSUME | MATE_FREE => 3,
        NO_MATE => 1,
        _ => 0,
    };
    2 * entry.work() + bonus
}

fn open_kind(counting: Counting) -> u8 {
    match counting {
        Counting::Strict => OPEN,
        Counting::Tsume => OPEN_TSUME,
        Counting::Free => OPEN_FREE,
    }
}

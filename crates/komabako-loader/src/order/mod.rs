//! The orders in which records come: pure functions of their parameters. A published order never changes.
//!
//! * [`Mixing`] and [`Pass`]: the riffle of one source, a shuffle on the fly.
//! * [`Rotation`]: which source gives the next place of a stream.
//! * [`Chance`]: which records are kept by chance.

mod chance;
mod riffle;
mod rotation;

pub use chance::{Chance, Draws};
pub use riffle::{Kind, Mixing, Pass, quality_window};
pub use rotation::Rotation;

use komabako_record::order::Random;

/// Shuffles a list by Fisher and Yates, with the random numbers of a key.
///
/// ```
/// let mut list = [0, 1, 2, 3];
/// komabako_loader::order::shuffle(&mut list, &[7, 0]);
/// list.sort();
/// assert_eq!(list, [0, 1, 2, 3]);
/// ```
pub fn shuffle<T>(list: &mut [T], key: &[u64]) {
    let random = Random::keyed(key);
    for last in (1..list.len()).rev() {
        let place = random.below(last as u64 + 1, last as u64) as usize;
        list.swap(last, place);
    }
}

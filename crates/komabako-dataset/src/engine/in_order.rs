//! [`InOrder`]: what several threads finish in any order, in the order in which it was begun.

use std::collections::{BTreeMap, VecDeque};

/// Holds back results that arrive before earlier ones. What has one number may arrive in several pieces, themselves in order.
///
/// ```
/// use komabako_dataset::InOrder;
/// let mut results = InOrder::default();
/// results.add(1, "b");
/// assert_eq!(results.next(|_| true), None);
/// results.add(0, "a");
/// assert_eq!([results.next(|_| true), results.next(|_| true)], [Some("a"), Some("b")]);
/// ```
pub struct InOrder<T> {
    early: BTreeMap<u64, VecDeque<T>>,
    next: u64,
}

impl<T> Default for InOrder<T> {
    fn default() -> Self {
        InOrder { early: BTreeMap::new(), next: 0 }
    }
}

impl<T> InOrder<T> {
    /// Adds a result. Numbers begin at 0.
    pub fn add(&mut self, number: u64, result: T) {
        self.early.entry(number).or_default().push_back(result);
    }

    /// The next result, if it has arrived. `is_last`: whether it is the last piece of its number.
    pub fn next(&mut self, is_last: impl FnOnce(&T) -> bool) -> Option<T> {
        let results = self.early.get_mut(&self.next)?;
        let result = results.pop_front()?;
        if is_last(&result) {
            self.early.remove(&self.next);
            self.next += 1;
        }
        Some(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_one_number_stay_together() {
        let mut results = InOrder::default();
        let is_last = |piece: &&str| piece.ends_with('.');
        results.add(1, "c.");
        results.add(0, "a");
        assert_eq!(results.next(is_last), Some("a"));
        assert_eq!(results.next(is_last), None);
        results.add(0, "b.");
        assert_eq!([results.next(is_last), results.next(is_last)], [Some("b."), Some("c.")]);
        assert_eq!(results.next(is_last), None);
    }
}

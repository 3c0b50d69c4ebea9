//! [`Vocabulary`]: the names of an expression, by what the expression is about.

use core::fmt::Debug;

use super::ExpressionFault;
use super::tree::{Comparison, NumberTree, TruthTree};
use crate::Field;

/// What expressions are about, records or games: the names that they may use, and the type of their numbers.
pub(crate) trait Vocabulary: Copy + Eq + Debug + 'static {
    /// The names of numbers.
    type Number: Copy + Eq + Debug;
    /// The names of what is true or false.
    type Truth: Copy + Eq + Debug;
    /// The names of texts.
    type Text: Copy + Eq + Debug;
    /// A number.
    type Constant: Copy + PartialEq + Debug;

    /// All names.
    const NAMES: &'static [Name<Self>];

    /// Reads a number that begins with a digit.
    fn constant(digits: &str) -> Result<Self::Constant, ExpressionFault>;

    /// A condition that says the same as a comparison of two numbers and is evaluated faster, if there is one.
    fn shortcut(_comparison: Comparison, _pair: &[NumberTree<Self>; 2]) -> Option<TruthTree<Self>> {
        None
    }

    /// Refuses a text with which comparing makes no sense.
    fn check_text(_name: Self::Text, _text: &str) -> Result<(), ExpressionFault> {
        Ok(())
    }
}

/// The meaning of a name.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Value<V: Vocabulary> {
    Number(V::Number),
    Truth(V::Truth),
    Text(V::Text),
    /// A number that is always the same, such as a kind of piece.
    Constant(V::Constant),
}

/// A name, its meaning, and the field of a record that it needs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Name<V: Vocabulary> {
    pub text: &'static str,
    pub value: Value<V>,
    pub field: Option<Field>,
}

/// The names of a vocabulary.
pub(crate) fn names<V: Vocabulary>() -> impl Iterator<Item = &'static str> {
    V::NAMES.iter().map(|name| name.text)
}

/// The name with the closest spelling, if it is close enough.
pub(crate) fn closest_name<V: Vocabulary>(name: &str) -> Option<&'static str> {
    if let Some(whole) = names::<V>().find(|known| known.strip_suffix("(move)") == Some(name)) {
        return Some(whole);
    }
    // Among names of equal distance, the first in alphabetical order: the answer is the same every time.
    let distances = names::<V>().map(|known| (edits(name, known), known));
    let (distance, closest) = distances.min()?;
    (distance <= (name.chars().count() / 3).max(1)).then_some(closest)
}

/// The number of letters to insert, delete, replace, or swap with the next to turn one word into another (optimal string
/// alignment).
fn edits(one: &str, other: &str) -> usize {
    let one: Vec<char> = one.chars().collect();
    let other: Vec<char> = other.chars().collect();
    let mut rows = vec![(0..=other.len()).collect::<Vec<_>>()];
    for (i, &a) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &b) in other.iter().enumerate() {
            let replaced = rows[i][j] + usize::from(a != b);
            // Two letters in the wrong order are the commonest typing error, and count once.
            let swapped = if i > 0 && j > 0 && a == other[j - 1] && b == one[i - 1] {
                rows[i - 1][j - 1] + 1
            } else {
                usize::MAX
            };
            row.push(replaced.min(swapped).min(rows[i][j + 1] + 1).min(row[j] + 1));
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

//! Expressions in the form that is evaluated, with names resolved and types checked.

use super::name::{Facts, Records};
use super::vocabulary::Vocabulary;

/// An expression that is a number.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum NumberTree<V: Vocabulary> {
    Constant(V::Constant),
    Of(V::Number),
    Negative(Box<NumberTree<V>>),
    Absolute(Box<NumberTree<V>>),
    Pair(Operation, Box<[NumberTree<V>; 2]>),
}

/// A binary operation on numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Lesser,
    Greater,
}

/// An expression that is true or false.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum TruthTree<V: Vocabulary> {
    Constant(bool),
    Of(V::Truth),
    Not(Box<TruthTree<V>>),
    And(Box<[TruthTree<V>; 2]>),
    Or(Box<[TruthTree<V>; 2]>),
    /// Whether both are true or both false.
    Same(Box<[TruthTree<V>; 2]>),
    Compare(Comparison, Box<[NumberTree<V>; 2]>),
    /// A comparison of texts, by their characters.
    CompareTexts(Comparison, Box<[TextTree<V>; 2]>),
    /// Whether the first text contains the second.
    Contains(Box<[TextTree<V>; 2]>),
}

/// An expression that is a text.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum TextTree<V: Vocabulary> {
    Constant(String),
    Of(V::Text),
}

/// A comparison of two numbers or texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    /// The same comparison with its sides exchanged.
    pub const fn mirrored(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::LessOrEqual => Comparison::GreaterOrEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterOrEqual => Comparison::LessOrEqual,
            same => same,
        }
    }

    /// Whether it holds for two values.
    #[inline]
    pub fn holds<T: PartialOrd + ?Sized>(self, one: &T, other: &T) -> bool {
        match self {
            Comparison::Equal => one == other,
            Comparison::NotEqual => one != other,
            Comparison::Less => one < other,
            Comparison::LessOrEqual => one <= other,
            Comparison::Greater => one > other,
            Comparison::GreaterOrEqual => one >= other,
        }
    }
}

impl NumberTree<Records> {
    /// The value. Results saturate at the limits of 64 bits, and division by 0 gives 0.
    pub fn value(&self, facts: &Facts) -> i64 {
        match self {
            NumberTree::Constant(value) => *value,
            NumberTree::Of(number) => number.value(facts),
            NumberTree::Negative(tree) => tree.value(facts).saturating_neg(),
            NumberTree::Absolute(tree) => tree.value(facts).saturating_abs(),
            NumberTree::Pair(operation, pair) => {
                let [a, b] = [pair[0].value(facts), pair[1].value(facts)];
                match operation {
                    Operation::Add => a.saturating_add(b),
                    Operation::Subtract => a.saturating_sub(b),
                    Operation::Multiply => a.saturating_mul(b),
                    // Every record needs a result: a filter cannot report an error.
                    Operation::Divide if b == 0 => 0,
                    Operation::Divide => a.saturating_div(b),
                    Operation::Remainder => a.checked_rem(b).unwrap_or(0),
                    Operation::Lesser => a.min(b),
                    Operation::Greater => a.max(b),
                }
            }
        }
    }
}

impl TruthTree<Records> {
    /// The value.
    pub fn value(&self, facts: &Facts) -> bool {
        match self {
            TruthTree::Constant(value) => *value,
            TruthTree::Of(truth) => truth.value(facts),
            TruthTree::Not(tree) => !tree.value(facts),
            TruthTree::And(pair) => pair[0].value(facts) && pair[1].value(facts),
            TruthTree::Or(pair) => pair[0].value(facts) || pair[1].value(facts),
            TruthTree::Same(pair) => pair[0].value(facts) == pair[1].value(facts),
            TruthTree::Compare(comparison, pair) => {
                let [a, b] = [pair[0].value(facts), pair[1].value(facts)];
                comparison.holds(&a, &b)
            }
            TruthTree::CompareTexts(comparison, pair) => comparison.holds(pair[0].text(), pair[1].text()),
            TruthTree::Contains(pair) => pair[0].text().contains(pair[1].text()),
        }
    }
}

impl TextTree<Records> {
    /// The text. Records have no names of texts.
    fn text(&self) -> &str {
        match self {
            TextTree::Constant(text) => text,
            TextTree::Of(name) => match *name {},
        }
    }
}

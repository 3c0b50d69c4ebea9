//! Expressions in the form that is evaluated, with names resolved and types checked.

use super::name::{Cost, Facts, Number, Truth};

/// An expression that is a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NumberTree {
    Constant(i64),
    Of(Number),
    Negative(Box<NumberTree>),
    Absolute(Box<NumberTree>),
    Pair(Operation, Box<[NumberTree; 2]>),
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TruthTree {
    Constant(bool),
    Of(Truth),
    Not(Box<TruthTree>),
    And(Box<[TruthTree; 2]>),
    Or(Box<[TruthTree; 2]>),
    /// Whether both are true or both false.
    Same(Box<[TruthTree; 2]>),
    Compare(Comparison, Box<[NumberTree; 2]>),
}

/// A comparison of two numbers.
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
}

impl NumberTree {
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

impl NumberTree {
    fn needs_position(&self) -> bool {
        match self {
            NumberTree::Constant(_) => false,
            NumberTree::Of(number) => number.needs_position(),
            NumberTree::Negative(tree) | NumberTree::Absolute(tree) => tree.needs_position(),
            NumberTree::Pair(_, pair) => pair.iter().any(NumberTree::needs_position),
        }
    }

    fn cost(&self) -> Cost {
        match self {
            NumberTree::Constant(_) => 0,
            NumberTree::Of(number) => number.cost(),
            NumberTree::Negative(tree) | NumberTree::Absolute(tree) => tree.cost(),
            NumberTree::Pair(_, pair) => pair[0].cost() + pair[1].cost(),
        }
    }
}

impl TruthTree {
    /// Two conditions that hold together where it holds, the first of which does not need the position.
    pub fn split(self) -> [TruthTree; 2] {
        let [by_labels, by_position] = self.sides();
        [by_labels.cheapest_first().0, by_position.cheapest_first().0]
    }

    fn sides(self) -> [TruthTree; 2] {
        if !self.needs_position() {
            return [self, TruthTree::Constant(true)];
        }
        let TruthTree::And(pair) = self else { return [TruthTree::Constant(true), self] };
        let [[a, b], [c, d]] = pair.map(TruthTree::sides);
        [a.and(c), b.and(d)]
    }

    fn and(self, other: TruthTree) -> TruthTree {
        match (self, other) {
            (TruthTree::Constant(true), one) | (one, TruthTree::Constant(true)) => one,
            (one, other) => TruthTree::And(Box::new([one, other])),
        }
    }

    fn needs_position(&self) -> bool {
        match self {
            TruthTree::Constant(_) => false,
            TruthTree::Of(truth) => truth.needs_position(),
            TruthTree::Not(tree) => tree.needs_position(),
            TruthTree::And(pair) | TruthTree::Or(pair) | TruthTree::Same(pair) => {
                pair.iter().any(TruthTree::needs_position)
            }
            TruthTree::Compare(_, pair) => pair.iter().any(NumberTree::needs_position),
        }
    }

    /// The same with the cheaper side of each `and` and `or` first, and its cost. Every part has a value and none has an effect, so
    /// their order shows only in time.
    fn cheapest_first(self) -> (TruthTree, Cost) {
        let sorted = |pair: Box<[TruthTree; 2]>| {
            let mut sides = pair.map(TruthTree::cheapest_first);
            sides.sort_by_key(|side| side.1);
            let cost = sides[0].1 + sides[1].1;
            (Box::new(sides.map(|side| side.0)), cost)
        };
        match self {
            TruthTree::Constant(_) => (self, 0),
            TruthTree::Of(truth) => (self, truth.cost()),
            TruthTree::Not(tree) => {
                let (tree, cost) = tree.cheapest_first();
                (TruthTree::Not(Box::new(tree)), cost)
            }
            TruthTree::And(pair) => {
                let (pair, cost) = sorted(pair);
                (TruthTree::And(pair), cost)
            }
            TruthTree::Or(pair) => {
                let (pair, cost) = sorted(pair);
                (TruthTree::Or(pair), cost)
            }
            TruthTree::Same(pair) => {
                let (pair, cost) = sorted(pair);
                (TruthTree::Same(pair), cost)
            }
            TruthTree::Compare(comparison, pair) => {
                let cost = pair[0].cost() + pair[1].cost();
                (TruthTree::Compare(comparison, pair), cost)
            }
        }
    }

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
                match comparison {
                    Comparison::Equal => a == b,
                    Comparison::NotEqual => a != b,
                    Comparison::Less => a < b,
                    Comparison::LessOrEqual => a <= b,
                    Comparison::Greater => a > b,
                    Comparison::GreaterOrEqual => a >= b,
                }
            }
        }
    }
}

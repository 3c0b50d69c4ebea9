//! What an expression asks of labels and what of positions, and in which order.

use super::name::{Cost, Records};
use super::tree::{NumberTree, TruthTree};

impl NumberTree<Records> {
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

impl TruthTree<Records> {
    /// Two conditions that hold together where it holds, the first of which does not need the position.
    pub fn split(self) -> [TruthTree<Records>; 2] {
        let [by_labels, by_position] = self.sides();
        [by_labels.cheapest_first().0, by_position.cheapest_first().0]
    }

    fn sides(self) -> [TruthTree<Records>; 2] {
        if !self.needs_position() {
            return [self, TruthTree::Constant(true)];
        }
        let TruthTree::And(pair) = self else { return [TruthTree::Constant(true), self] };
        let [[a, b], [c, d]] = pair.map(TruthTree::sides);
        [a.and(c), b.and(d)]
    }

    fn and(self, other: TruthTree<Records>) -> TruthTree<Records> {
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
            // Records have no names of texts.
            TruthTree::CompareTexts(..) | TruthTree::Contains(_) => false,
        }
    }

    /// The same with the cheaper side of each `and` and `or` first, and its cost. Every part has a value and none has an effect, so
    /// their order shows only in time.
    fn cheapest_first(self) -> (TruthTree<Records>, Cost) {
        let sorted = |pair: Box<[TruthTree<Records>; 2]>| {
            let mut sides = pair.map(TruthTree::cheapest_first);
            sides.sort_by_key(|side| side.1);
            let cost = sides[0].1 + sides[1].1;
            (Box::new(sides.map(|side| side.0)), cost)
        };
        match self {
            TruthTree::Constant(_) | TruthTree::CompareTexts(..) | TruthTree::Contains(_) => (self, 0),
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
}

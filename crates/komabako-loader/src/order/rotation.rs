//! [`Rotation`]: the source of each place of a stream.

/// Chooses sources in proportion to their weights, as evenly as possible: every source gains its weight in credit, the one with the
/// most credit (the first of equals) gives the next place and pays the sum of all weights.
///
/// ```
/// use komabako_loader::order::Rotation;
/// let mut rotation = Rotation::new(&[3, 1]);
/// let places: Vec<usize> = (0..8).filter_map(|_| rotation.next_source()).collect();
/// assert_eq!(places, [0, 0, 1, 0, 0, 0, 1, 0]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rotation {
    weights: Vec<u64>,
    credits: Vec<i128>,
    /// The sum of the weights of those that are left.
    total: i128,
}

impl Rotation {
    /// A rotation from its start. A source of weight 0 has no place.
    pub fn new(weights: &[u64]) -> Rotation {
        let total = weights.iter().map(|&weight| i128::from(weight)).sum();
        Rotation { weights: weights.to_vec(), credits: vec![0; weights.len()], total }
    }

    /// The source of the next place; `None` if none is left.
    #[inline]
    pub fn next_source(&mut self) -> Option<usize> {
        let mut best = None;
        let mut most = i128::MIN;
        for (source, credit) in self.credits.iter_mut().enumerate() {
            let weight = self.weights[source];
            if weight == 0 {
                continue;
            }
            *credit += i128::from(weight);
            if *credit > most {
                most = *credit;
                best = Some(source);
            }
        }
        self.credits[best?] -= self.total;
        best
    }

    /// The weights without their common factor: after as many places as their sum, all credits are 0 again.
    pub fn reduced_weights(&self) -> Vec<u128> {
        let mut factor = 0;
        for &weight in &self.weights {
            factor = common_factor(factor, weight);
        }
        self.weights.iter().map(|&weight| u128::from(weight / factor.max(1))).collect()
    }

    /// Takes back the last place, of a source: it turned out to have no records left.
    pub fn undo(&mut self, source: usize) {
        self.credits[source] += self.total;
        for (credit, weight) in self.credits.iter_mut().zip(&self.weights) {
            *credit -= i128::from(*weight);
        }
    }

    /// Takes a source out, which has no records left.
    pub fn remove(&mut self, source: usize) {
        self.total -= i128::from(self.weights[source]);
        self.weights[source] = 0;
    }

    /// The credit of each source, `None` of one that was taken out: [`restore`](Self::restore) goes on from there.
    pub fn credits(&self) -> impl Iterator<Item = Option<i128>> + '_ {
        self.credits.iter().zip(&self.weights).map(|(&credit, &weight)| (weight > 0).then_some(credit))
    }

    /// Goes on from the credits of another rotation with the same weights.
    pub fn restore(&mut self, credits: &[Option<i128>]) {
        for (source, &credit) in credits.iter().enumerate().take(self.credits.len()) {
            match credit {
                Some(credit) => self.credits[source] = credit,
                None => self.remove(source),
            }
        }
    }
}

/// The greatest common factor.
fn common_factor(mut one: u64, mut other: u64) -> u64 {
    while other > 0 {
        let rest = one % other;
        one = other;
        other = rest;
    }
    one
}

//! The inputs by the names that nnue-pytorch gives them.

use komabako::features::nnue::FeatureSet;

/// The layout of a library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// Pairs of row and index.
    Coo,
    /// Rows of one length, padded with −1.
    Padded,
}

/// The numbers p of pieces in one square of the king, and the first of the own king.
const HALF_KP: i32 = 1548;
const HALF_KA: i32 = 1629;
const OWN_KING: i32 = 1548;
/// The numbers of pieces if the enemy's king has numbers of its own.
const APART: i32 = 1710;

/// How `HalfKA_hm` numbers the squares of the own king on files 1 to 5.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Squares {
    /// 9 · file + rank, as the engine, and nnue-pytorch's own serialiser. Factors have the kings apart.
    Engine,
    /// 5 · rank + file, as the loader of nnue-pytorch's padded branches.
    Loader,
}

/// A set of inputs, and whether factors follow it: inputs that only a network in training has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inputs {
    /// The set.
    pub set: FeatureSet,
    has_factors: bool,
    squares: Squares,
}

impl Inputs {
    /// The inputs with a name.
    ///
    /// # Errors
    /// An unknown name; the text lists those of this layout.
    pub fn from_name(name: &str, layout: Layout, squares: Squares) -> Result<Inputs, String> {
        let (set, has_factors) = match (name, layout) {
            ("HalfKP", Layout::Coo) => (FeatureSet::HalfKp, false),
            ("HalfKP^", Layout::Coo) => (FeatureSet::HalfKp, true),
            ("HalfKA_hm", _) => (FeatureSet::HalfKaHm2, false),
            ("HalfKA_hm^", Layout::Padded) => (FeatureSet::HalfKaHm2, true),
            _ => {
                let names = match layout {
                    Layout::Coo => "HalfKP, HalfKP^ and HalfKA_hm",
                    Layout::Padded => "HalfKA_hm and HalfKA_hm^",
                };
                return Err(format!("no inputs are called {name:?}; this library has {names}"));
            }
        };
        let squares = if layout == Layout::Padded { squares } else { Squares::Engine };
        Ok(Inputs { set, has_factors, squares })
    }

    /// The number of inputs.
    pub fn count(self) -> usize {
        let factors = match (self.has_factors, self.set, self.squares) {
            (false, ..) => 0,
            (true, FeatureSet::HalfKp, _) => 81 + HALF_KP,
            (true, _, Squares::Engine) => APART,
            (true, _, Squares::Loader) => HALF_KA,
        };
        self.set.inputs() + factors as usize
    }

    /// The largest number of active inputs of one colour.
    pub fn active(self) -> usize {
        let pieces = self.set.active();
        match (self.has_factors, self.set) {
            (false, _) => pieces,
            (true, FeatureSet::HalfKp) => 2 * pieces + 1,
            (true, _) => 2 * pieces,
        }
    }

    /// Whether the inputs are the indices of the set.
    pub fn are_plain(self) -> bool {
        !self.has_factors && self.squares == Squares::Engine
    }

    /// Writes the inputs of a row of the set, with their values, ascending if the row is.
    pub fn write(self, row: &[i32], indices: &mut Vec<i32>, values: &mut Vec<f32>) {
        indices.clear();
        values.clear();
        let Some(&first) = row.first() else { return };
        if self.set == FeatureSet::HalfKp {
            indices.extend_from_slice(row);
            values.resize(row.len(), 1.0);
            if self.has_factors {
                let king = first / HALF_KP;
                let factors = self.set.inputs() as i32;
                indices.push(factors + king);
                values.push(row.len() as f32);
                let shift = factors + 81 - HALF_KP * king;
                indices.extend(row.iter().map(|&index| index + shift));
                values.resize(indices.len(), 1.0);
            }
            return;
        }
        let king = first / HALF_KA;
        let square = match self.squares {
            Squares::Engine => king,
            Squares::Loader => 5 * (king % 9) + king / 9,
        };
        indices.extend(row.iter().map(|&index| index + HALF_KA * (square - king)));
        if self.has_factors {
            let factors = self.set.inputs() as i32;
            for &index in row {
                let number = index - HALF_KA * king;
                // Both kings have the own king's numbers; k tells which of them is the own.
                let is_enemy = number >= OWN_KING && number != OWN_KING + king;
                let apart = if is_enemy && self.squares == Squares::Engine { 81 } else { 0 };
                indices.push(factors + number + apart);
            }
        }
        values.resize(indices.len(), 1.0);
    }
}

//! The arrays of a batch.

use komabako::board::{BaseKind, Bitboard, Color, Rank, Setup};
use komabako::features::bucket::Indexer;

use crate::inputs::{Inputs, Layout};

/// What is known of a position besides its inputs.
#[derive(Clone, Copy, Debug)]
pub struct Labels {
    /// Whether Black is to move.
    pub is_black: bool,
    /// The score of the side to move, with its bonus.
    pub score: i32,
    /// The result for the side to move: −1, 0, 1.
    pub result: i32,
    /// The number of moves played.
    pub ply: u32,
    /// The number of the layer stack.
    pub bucket: i32,
}

/// A batch in the making. "White" in nnue-pytorch's names is Black, who moves first.
#[derive(Debug)]
pub struct Builder {
    inputs: Inputs,
    layout: Layout,
    arrays: Arrays,
    /// The inputs of one view.
    view: Vec<i32>,
    view_values: Vec<f32>,
}

/// The arrays of a batch, with room for `capacity` positions each.
#[derive(Default, Debug)]
pub struct Arrays {
    /// The number of positions.
    pub size: usize,
    /// The largest number of positions.
    pub capacity: usize,
    /// The number of inputs of the set.
    pub inputs: usize,
    /// The number of active inputs of each colour in the batch: the same for both.
    pub active: usize,
    /// The length of a padded row.
    pub max_active: usize,
    /// The length of a colour's part of `indices`, and of `values`.
    pub views: [usize; 2],
    /// Whether Black is to move, the outcome and the score of each position.
    pub floats: Vec<f32>,
    /// Black's indices, White's, and in the padded layout the layer stack of each position.
    pub indices: Vec<i32>,
    /// The values of Black's indices and of White's.
    pub values: Vec<f32>,
    /// The ply of each position.
    pub plies: Vec<f32>,
}

impl Builder {
    /// An empty batch with room for some positions, in arrays that may have been used.
    pub fn new(inputs: Inputs, layout: Layout, capacity: usize, mut arrays: Arrays) -> Builder {
        let items = if layout == Layout::Coo { 2 } else { 1 };
        let max_active = inputs.active();
        let views = [items * max_active * capacity, max_active * capacity];
        arrays.size = 0;
        arrays.capacity = capacity;
        arrays.inputs = inputs.count();
        arrays.active = 0;
        arrays.max_active = max_active;
        arrays.views = views;
        arrays.floats.resize(3 * capacity, 0.0);
        arrays.indices.resize(2 * views[0] + capacity, 0);
        arrays.values.resize(2 * views[1], 0.0);
        arrays.plies.resize(capacity, 0.0);
        Builder { inputs, layout, arrays, view: Vec::new(), view_values: Vec::new() }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.arrays.size
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether positions may be appended by [`push_plain_pairs`](Self::push_plain_pairs).
    pub fn has_plain_pairs(&self) -> bool {
        self.layout == Layout::Coo && self.inputs.are_plain()
    }

    /// How many positions have room.
    pub fn room(&self) -> usize {
        self.arrays.capacity - self.arrays.size
    }

    /// Appends a position with its rows as Black and as White see it, which have the same number of indices, ascending.
    ///
    /// # Panics
    /// If there is no room.
    pub fn push(&mut self, labels: Labels, rows: [&[i32]; 2]) {
        let position = self.len();
        let [view, view_values] = self.arrays.views;
        let width = self.arrays.max_active;
        for (color, row) in rows.into_iter().enumerate() {
            self.inputs.write(row, &mut self.view, &mut self.view_values);
            let count = self.view.len();
            match self.layout {
                Layout::Coo => {
                    let start = color * view + 2 * self.arrays.active;
                    let pairs = self.arrays.indices[start..start + 2 * count].as_chunks_mut::<2>().0;
                    for (pair, &index) in pairs.iter_mut().zip(&self.view) {
                        *pair = [position as i32, index];
                    }
                    let start = color * view_values + self.arrays.active;
                    self.arrays.values[start..start + count].copy_from_slice(&self.view_values);
                }
                Layout::Padded => {
                    let start = color * view + width * position;
                    let row = &mut self.arrays.indices[start..start + width];
                    row[..count].copy_from_slice(&self.view);
                    row[count..].fill(-1);
                    let values = &mut self.arrays.values[start..start + width];
                    values[..count].copy_from_slice(&self.view_values);
                    values[count..].fill(0.0);
                }
            }
        }
        self.arrays.active += self.view.len();
        self.push_labels(labels);
    }

    fn push_labels(&mut self, labels: Labels) {
        let Arrays { size: position, capacity, views, .. } = self.arrays;
        self.arrays.floats[position] = if labels.is_black { 1.0 } else { 0.0 };
        self.arrays.floats[capacity + position] = (labels.result as f32 + 1.0) / 2.0;
        self.arrays.floats[2 * capacity + position] = labels.score as f32;
        self.arrays.plies[position] = labels.ply as f32;
        self.arrays.indices[2 * views[0] + position] = labels.bucket;
        self.arrays.size += 1;
    }

    /// Like [`push`](Self::push), if the inputs are the indices of the rows and the layout is that of pairs. The values,
    /// all 1, are written by [`finish`](Self::finish).
    ///
    /// # Panics
    /// If there is no room.
    pub fn push_plain_pairs(&mut self, labels: Labels, rows: [&[i32]; 2]) {
        let position = self.len() as i32;
        let view = self.arrays.views[0];
        for (color, row) in rows.into_iter().enumerate() {
            let start = color * view + 2 * self.arrays.active;
            let pairs = self.arrays.indices[start..start + 2 * row.len()].as_chunks_mut::<2>().0;
            for (pair, &index) in pairs.iter_mut().zip(row) {
                *pair = [position, index];
            }
        }
        self.arrays.active += rows[0].len();
        self.push_labels(labels);
    }

    /// The arrays.
    pub fn finish(mut self) -> Arrays {
        if self.has_plain_pairs() {
            let view = self.arrays.views[1];
            for color in 0..2 {
                self.arrays.values[color * view..][..self.arrays.active].fill(1.0);
            }
        }
        self.arrays
    }
}

/// The layer stack of a position.
pub fn bucket(indexer: &Indexer, setup: &Setup) -> i32 {
    indexer.index(setup).unwrap_or(0) as i32
}

/// What the score of the side to move gains if kings have entered the enemy's camp.
pub fn entering_bonus(setup: &Setup) -> i32 {
    let black = camp_points(setup, Color::Black);
    let white = camp_points(setup, Color::White);
    match setup.side_to_move() {
        Color::Black => 20 * (black - white),
        Color::White => 20 * (white - black),
    }
}

/// 0 unless the king is in its three far ranks; else twice the pieces there, four more for each bishop or rook of them, less one, and
/// the points in hand.
fn camp_points(setup: &Setup, color: Color) -> i32 {
    let mut camp = Bitboard::EMPTY;
    for rank in Rank::all() {
        let is_far = match color {
            Color::Black => rank.number() <= 3,
            Color::White => rank.number() >= 7,
        };
        if is_far {
            camp |= Bitboard::rank(rank);
        }
    }
    let there = camp & setup.color(color);
    if !there.intersects(setup.kind(BaseKind::King)) {
        return 0;
    }
    let majors = there & (setup.kind(BaseKind::Bishop) | setup.kind(BaseKind::Rook));
    let mut in_hand = 0;
    for (kind, count) in setup.hand(color).counts() {
        let points = if matches!(kind, BaseKind::Bishop | BaseKind::Rook) { 5 } else { 1 };
        in_hand += points * i32::from(count);
    }
    2 * there.len() as i32 + 4 * majors.len() as i32 - 1 + in_hand
}

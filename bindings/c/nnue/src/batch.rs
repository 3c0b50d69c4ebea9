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
    is_white: Vec<f32>,
    outcomes: Vec<f32>,
    scores: Vec<f32>,
    plies: Vec<f32>,
    buckets: Vec<i32>,
    /// Black's and White's.
    indices: [Vec<i32>; 2],
    values: [Vec<f32>; 2],
    active: usize,
    /// The inputs of one view.
    view: Vec<i32>,
    view_values: Vec<f32>,
}

/// The arrays of a batch.
#[derive(Debug)]
pub struct Arrays {
    /// The number of positions.
    pub size: usize,
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
    /// An empty batch with room for some positions.
    pub fn new(inputs: Inputs, layout: Layout, size: usize) -> Builder {
        let items = if layout == Layout::Coo { 2 } else { 1 };
        let width = inputs.active() * size;
        Builder {
            inputs,
            layout,
            is_white: Vec::with_capacity(3 * size),
            outcomes: Vec::with_capacity(size),
            scores: Vec::with_capacity(size),
            plies: Vec::with_capacity(size),
            buckets: Vec::with_capacity(size),
            indices: [Vec::with_capacity(2 * items * width + size), Vec::with_capacity(items * width)],
            values: [Vec::with_capacity(2 * width), Vec::with_capacity(width)],
            active: 0,
            view: Vec::new(),
            view_values: Vec::new(),
        }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.is_white.len()
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends a position with its rows as Black and as White see it, which have the same number of indices, ascending.
    pub fn push(&mut self, labels: Labels, rows: [&[i32]; 2]) {
        let position = self.len();
        for (color, row) in rows.into_iter().enumerate() {
            self.inputs.write(row, &mut self.view, &mut self.view_values);
            let indices = &mut self.indices[color];
            let values = &mut self.values[color];
            values.extend_from_slice(&self.view_values);
            match self.layout {
                Layout::Coo => {
                    for &index in &self.view {
                        indices.push(position as i32);
                        indices.push(index);
                    }
                }
                Layout::Padded => {
                    let end = (position + 1) * self.inputs.active();
                    indices.extend_from_slice(&self.view);
                    indices.resize(end, -1);
                    values.resize(end, 0.0);
                }
            }
        }
        self.active += self.view.len();
        self.is_white.push(if labels.is_black { 1.0 } else { 0.0 });
        self.outcomes.push((labels.result as f32 + 1.0) / 2.0);
        self.scores.push(labels.score as f32);
        self.plies.push(labels.ply as f32);
        self.buckets.push(labels.bucket);
    }

    /// The arrays.
    pub fn finish(self) -> Arrays {
        let size = self.len();
        let mut floats = self.is_white;
        floats.extend(self.outcomes);
        floats.extend(self.scores);
        let [mut indices, white] = self.indices;
        let [mut values, white_values] = self.values;
        let views = [white.len(), white_values.len()];
        indices.extend(white);
        values.extend(white_values);
        if self.layout == Layout::Padded {
            indices.extend(self.buckets);
        }
        Arrays {
            size,
            inputs: self.inputs.count(),
            active: self.active,
            max_active: self.inputs.active(),
            views,
            floats,
            indices,
            values,
            plies: self.plies,
        }
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

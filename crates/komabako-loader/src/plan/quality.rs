//! What an order is worth.

use super::prepare::RECORD;
use super::{Order, Prepared};
use crate::loader::batches_ahead;
use crate::order::{Kind, Mixing, quality_window};

/// What an order is worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Quality {
    /// The window W: two records of one block come in a batch of b records with chance b / W.
    pub window: u64,
    /// The bytes that the loader takes.
    pub memory: u64,
    /// How many positions of its own game a position meets in its batch.
    pub mates: f64,
    /// How often a block is read in an epoch, on average.
    pub reads: f64,
}

impl Prepared {
    /// What the order is worth, for games of a mean length.
    pub fn quality(&self, game: f64) -> Quality {
        let plan = &self.plan;
        let shares = self.shares();
        let all = shares.iter().sum::<u64>().max(1) as f64;
        let mut inverse = 0.0;
        let mut quality = Quality { window: u64::MAX, memory: 0, mates: 0.0, reads: 0.0 };
        let own = self.streams / plan.ranks.world;
        for ((source, mixing), share) in self.sources.iter().zip(&self.mixings).zip(shares) {
            let share = share as f64 / all;
            let Mixing { passes, per_tick, lag, .. } = *mixing;
            let mut window = quality_window(per_tick, lag, source.block) as f64;
            if let Some(records) = source.records() {
                window = window.min((records / self.streams).max(1) as f64);
            }
            if plan.order == Order::File {
                window = 1.0;
            }
            inverse += share * share / window;
            let wrap = (lag - 1) * per_tick * self.streams;
            let is_wrapped = mixing.kind == Kind::Riffle;
            let twice = if is_wrapped { wrap as f64 / source.blocks().max(1) as f64 } else { 0.0 };
            quality.reads += share * passes as f64 * (1.0 + twice);
            let group = per_tick * source.block / passes;
            let held = group * (lag + 1) / 2 + group;
            let most = source.records().map_or(u64::MAX, |records| 2 * records / (passes * self.streams));
            // A mark and, for a tick or two, a place in the order beside each record.
            quality.memory += own * held.min(most) * (RECORD + 1) + own * group.min(most) * 8;
        }
        let block = self.sources.iter().map(|source| source.block).max().unwrap_or(0);
        quality.memory += plan.threads.max(1) as u64 * block * (3 * RECORD + 8);
        quality.memory += (batches_ahead(plan.threads, plan.prefetch) + 2) * plan.batch as u64 * 600;
        if inverse > 0.0 && plan.order != Order::Uniform {
            quality.window = (1.0 / inverse) as u64;
        } else if let Some(records) = self.records() {
            quality.window = records;
        }
        let want = self.want() as f64;
        quality.mates = want * (game - 1.0) / quality.window.max(1) as f64;
        quality
    }
}

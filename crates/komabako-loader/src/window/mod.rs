//! The records of the blocks that are read, on their way into batches.
//!
//! * [`Lane`]: a source in a stream: which block is read next, and the ticks that are being filled.
//! * [`Tick`]: the records that are shuffled together.
//! * [`Sequencer`]: chooses the records of the batches from the ticks, in the order of the streams.

mod lane;
mod sequencer;
mod tick;

pub(crate) use lane::{BlockTask, Lane, LaneSource, Supply};
pub(crate) use sequencer::{BadPlace, Cursor, Need, Sequencer, StreamCursor};
pub(crate) use tick::{Chunk, Picks, Pool, ShuffleTask, Tick, cut_block};

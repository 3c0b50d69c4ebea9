//! Whether recorded moves are legal in their positions.
//!
//! [`check_move`] judges one move, [`MoveChecker`] quickly judges the records of blocks:
//!
//! | move field | legal if |
//! |---|---|
//! | a move of a piece | the rules allow it |
//! | none, or the format has no such field | a game can be played from the position |
//! | resign | as above |
//! | win | the side to move may declare a win by 27 points |
//! | null | never: passing is not allowed |
//!
//! Repetition is not checked, since it depends on earlier moves. One king may be missing, as in tsume problems.

mod readings;
pub mod sense;

pub use readings::{Readings, leads};

use alloc::vec::Vec;
use core::ops::Range;

use komabako_board::{Position, PositionFault, Setup};
use komabako_codec::Backend;
use komabako_messages::messages;
use komabako_rules::{
    Declaration, DeclarationRule, Illegality, Move16, OpponentInCheck, State, first_illegal,
};

use crate::FileFormat;
use crate::batch::{Batch, Records};
use crate::block::Block;
use crate::fault::RecordFault;
use crate::move16::MoveFault;
use crate::record::{Labels, MoveBits};

/// A fault of a recorded move or its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LegalityFault {
    /// The record does not decode.
    Record(RecordFault),
    /// No game can be played from the position, because of this fault, its first.
    Position(PositionFault),
    /// The side that is not to move is in check.
    OpponentInCheck,
    /// The bits are not well-formed in their encoding.
    Bits(MoveFault),
    /// The rules forbid the move.
    Illegal(Illegality),
    /// The move is a pass.
    Pass,
    /// A win is declared without the king, pieces or points that it requires.
    Declaration,
}

impl LegalityFault {
    /// The fault's name for reports, e.g. `MOVE_NIFU`.
    pub const fn name(&self) -> &'static str {
        match self {
            LegalityFault::Record(fault) => fault.name(),
            LegalityFault::Position(PositionFault::KingMissing(_)) => "POSITION_KING_MISSING",
            LegalityFault::Position(PositionFault::Nifu(..)) => "POSITION_NIFU",
            LegalityFault::Position(PositionFault::DeadEnd(..)) => "POSITION_DEAD_END",
            LegalityFault::OpponentInCheck => "POSITION_OPPONENT_IN_CHECK",
            LegalityFault::Bits(fault) => fault.name(),
            LegalityFault::Illegal(reason) => reason.name(),
            LegalityFault::Pass => "MOVE_PASS",
            LegalityFault::Declaration => "MOVE_DECLARATION",
        }
    }
}

messages! {
    LegalityFault {
        Record(fault) => "{fault}", "{fault}";
        Position(fault) => "position: {fault}", "{fault}";
        OpponentInCheck with (fault = OpponentInCheck) => "position: {fault}", "{fault}";
        Bits(fault) => "{fault}", "{fault}";
        Illegal(reason) => "illegal move: {reason}", "反則手: {reason}";
        Pass => "the move is a pass", "指し手がパスです";
        Declaration => "the side to move may not declare a win", "入玉宣言の条件を満たしていません";
    }
}

impl core::error::Error for LegalityFault {}

/// Judges a move in its position.
///
/// ```
/// use komabako_board::Setup;
/// use komabako_record::legality::check_move;
/// use komabako_rules::Move16;
/// let mv: Move16 = "7g7e".parse()?;
/// let fault = check_move(&Setup::START, mv.into()).unwrap_err();
/// assert_eq!(fault.name(), "MOVE_UNREACHABLE");
/// # Ok::<(), komabako_board::usi::UsiError>(())
/// ```
///
/// # Errors
/// The first fault: of the position, then of the move. Never [`LegalityFault::Record`].
pub fn check_move(setup: &Setup, mv: MoveBits) -> Result<(), LegalityFault> {
    judge(&state_of(setup)?, mv.decode().map_err(LegalityFault::Bits)?)
}

/// The position as a state of the rules.
///
/// # Errors
/// A fault of the position, if no game can be played from it.
pub fn state_of(setup: &Setup) -> Result<State<()>, LegalityFault> {
    let position = Position::new_tsume(*setup).map_err(|error| LegalityFault::Position(error.faults()[0]))?;
    State::new(&position).map_err(|OpponentInCheck| LegalityFault::OpponentInCheck)
}

/// Judges a move.
///
/// # Errors
/// The fault of the move; the position is not judged.
pub fn judge(state: &State<()>, mv: Move16) -> Result<(), LegalityFault> {
    match mv {
        Move16::NONE | Move16::RESIGN => Ok(()),
        Move16::NULL => Err(LegalityFault::Pass),
        Move16::WIN => match state.declare(DeclarationRule::Points27, 0) {
            Some(Declaration::Win) => Ok(()),
            _ => Err(LegalityFault::Declaration),
        },
        _ => state.judge(mv).map_err(LegalityFault::Illegal),
    }
}

/// Judges the recorded moves of blocks. When reused, it allocates only for faults.
///
/// ```
/// use komabako_codec::Backend;
/// use komabako_record::legality::MoveChecker;
/// use komabako_record::{Block, FileFormat, boundaries};
/// let text = b"sfen startpos\nmove 7g7e\ne\n";
/// let cuts = boundaries::cut(FileFormat::Plain, text, true, true).cuts;
/// let block = Block::new(text.to_vec(), cuts);
/// let mut checker = MoveChecker::new(Backend::detect());
/// let faults = checker.check(FileFormat::Plain, &block, 0..block.len());
/// assert_eq!(faults[0].1.name(), "MOVE_UNREACHABLE");
/// ```
#[derive(Debug)]
pub struct MoveChecker {
    backend: Backend,
    batch: Batch,
    moves: Vec<Move16>,
    faults: Vec<(usize, LegalityFault)>,
}

impl MoveChecker {
    /// A checker that runs on `backend`.
    pub fn new(backend: Backend) -> Self {
        Self { backend, batch: Batch::new(backend), moves: Vec::new(), faults: Vec::new() }
    }

    /// Decodes a range of a block's records and judges their moves. Returns the faults, by ascending index in the block.
    ///
    /// The kernels are selected only twice per batch of some hundred records. About 200 ns per record without a fault.
    ///
    /// # Panics
    /// If the range is not within the block.
    pub fn check(
        &mut self,
        format: FileFormat,
        block: &Block,
        range: Range<usize>,
    ) -> &[(usize, LegalityFault)] {
        self.faults.clear();
        for range in Batch::ranges(range) {
            self.batch.decode(format, block, range);
            self.judge();
        }
        self.faults.sort_unstable_by_key(|&(index, _)| index);
        &self.faults
    }

    /// Appends the faults of the batch.
    fn judge(&mut self) {
        let Self { backend, batch, moves, faults } = self;
        faults.extend(batch.faults().iter().map(|&(row, fault)| (row, LegalityFault::Record(fault))));
        let Records { rows, setups, labels, .. } = batch.records();
        moves.clear();
        moves.extend(labels.iter().map(|labels| move_field(labels).decode().unwrap_or_default()));
        let mut start = 0;
        while let Some(index) = first_illegal(*backend, &setups[start..], &moves[start..]) {
            // Not a legal move of a piece, but it may be a valid special move.
            let at = start + index;
            if let Err(fault) = check_move(&setups[at], move_field(&labels[at])) {
                faults.push((rows[at], fault));
            }
            start = at + 1;
        }
    }
}

/// The move field of a record; "none" if the format has no such field.
fn move_field(labels: &Labels) -> MoveBits {
    labels.best_move.unwrap_or(Move16::NONE.into())
}

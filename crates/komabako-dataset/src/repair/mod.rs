//! Repair of files: positions and moves in the form of older programs are rewritten in the format's own.
//!
//! A [`Job`] reads files of one format and writes one file of that format. It changes only faults, so that
//! a sound file comes out byte for byte as it went in. The changes to a record:
//!
//! * A position in PSV of [another variant](komabako_codec::packed_sfen::Variant) is written canonically; one with hands in
//!   no known order only if a sample shows that the file's program writes them so, since damage looks the same. Zeros that
//!   can be either pawns in hand or the space of removed pieces are read according to [`Job::phantom_pawns`].
//! * A position in SSPFv1 or its extension whose pieces off the board are in another order is written canonically.
//! * If a sample shows that positions are in another format's codec, such as hcpe's in PSV records, they are
//!   written in the format's own. If only some are, those are rewritten that make sense only in the other codec, or that fit
//!   the game of the record before or after only in it.
//! * A move in another encoding is rewritten. It is read in the encoding of the whole file, which a sample ([`Votes`]) or
//!   the caller determines, or, where a file is [mixed](Moves::Mixed), in one determined for each move.
//! * The sign of the score or of the result is changed only on request.
//!
//! Other faults are not guessed at: a position that does not decode or from which no game can be played, an
//! illegal move, an invalid result. Such a record stops the job or is [set aside](Job::rejects) with the reason. Score
//! and ply are not judged, and no other byte is changed.
//!
//! ```no_run
//! use komabako_dataset::repair::Job;
//! use komabako_dataset::{Input, Output};
//! let mut job = Job::new(vec![Input::path("old.psv")], Output::path("new.psv"));
//! job.rejects = Some("rejects.psv".into());
//! let summary = job.run(&mut ())?;
//! eprintln!("{} of {} records changed", summary.changed(), summary.counts.read);
//! # Ok::<(), komabako_dataset::DatasetError>(())
//! ```
//!
//! As with a [conversion](crate::convert), inputs are only read and an output appears complete or not at all.

mod ambiguous_move;
mod encoding;
mod encoding_stats;
mod error;
mod layout;
mod lookahead;
mod neighbour_vote;
mod outcome;
mod phantom_pawns;
mod recode;
mod run;
mod sample;
mod worker;

pub(crate) use encoding::ReadAs;
pub use encoding::Votes;
pub use encoding_stats::{DecidedBy, EncodingStats};
pub use error::{RepairError, Unrepairable};
pub(crate) use recode::Codecs;
pub(crate) use sample::{Sample, sample_stretches};

use std::collections::BTreeMap;
use std::path::PathBuf;

use komabako_board::Color;
use komabako_codec::packed_sfen::PhantomPawns;

use self::layout::RecordLayout;
use crate::Name;
use crate::move16::MoveEncoding;
use crate::{Compression, Counts, FileFormat, Input, JobOptions, Output};

/// A repair to run.
pub struct Job<'a> {
    /// The inputs, repaired one after the other into one output. All have the same format.
    pub inputs: Vec<Input<'a>>,
    /// The output.
    pub output: Output<'a>,
    /// The compression of the output; `None` to take it from the output's extension.
    pub compression: Option<Compression>,
    /// The encoding of the moves.
    pub moves: Moves,
    /// The encoding for moves that nothing else decides, if they are legal in it; `None` to leave such a record unrepaired.
    pub tie_break: Option<MoveEncoding>,
    /// The reading of zeros that can be either pawns or the space of removed pieces. With `Error`, such a record is not
    /// repaired. With `None` a sample of the input decides, or else it is `Error`. If other pieces are removed in either
    /// reading, they are pawns if the sample has positions with removed pieces and all their pawns, and none without a pawn.
    /// If nothing else is removed, they are pawns if it has words of variant C and none of variant B without a pawn, and
    /// removed in the opposite case; a canonical word is then refused only if the whole sample is variant B.
    pub phantom_pawns: Option<PhantomPawns>,
    /// The sides to move for which the sign of the score is changed, except for values that mean no score.
    pub flip_score: Option<Sides>,
    /// The sides to move for which the winner is changed.
    pub flip_result: Option<Sides>,
    /// The file for records that cannot be repaired, unchanged, with a list of the reasons beside it, `.reasons.tsv` added
    /// to the name; `None` to stop at the first one. Neither file is created if all records could be repaired.
    pub rejects: Option<PathBuf>,
    /// Options common to all jobs: format, threads, backend, and whether outputs may be replaced.
    pub options: JobOptions,
}

/// The encoding of the moves in the inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Moves {
    /// A sample of each input decides: all in one encoding, or mixed if it clearly shows several. If it decides neither, the
    /// input is refused.
    #[default]
    Auto,
    /// All in this encoding.
    All(MoveEncoding),
    /// In various encodings, decided for each move: by legality; if it is legal in several with different meanings, by
    /// the position of the next record, which follows one of them if the file is in game order; otherwise by ignoring encodings
    /// that a sample clearly does not need; otherwise by a score that means mate in one; otherwise by
    /// the moves around it, if those are all in one encoding. A move that is still ambiguous is not repaired, unless there is a
    /// [tie-break](Job::tie_break).
    Mixed,
}

/// Whether files of this format can be repaired.
pub fn is_repairable(format: FileFormat) -> bool {
    RecordLayout::for_format(format.strict()).is_some()
}

/// Records by their side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sides {
    /// All.
    Both,
    /// Those with this side to move.
    Only(Color),
}

impl Sides {
    pub(crate) fn include(self, side: Color) -> bool {
        match self {
            Sides::Both => true,
            Sides::Only(only) => only == side,
        }
    }
}

/// A change to a record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Change {
    /// A position of variant B was written canonically.
    VariantB,
    /// A position of variant C was written canonically.
    VariantC,
    /// A position with another order of hands was written canonically.
    VariantOther,
    /// A position in SSPFv1 or its extension with another order of pieces off the board was written canonically.
    TailOrder,
    /// In such a position, zeros were read as the space of removed pieces, not as pawns.
    PhantomPawns,
    /// A position in another format's codec was written in the format's own.
    Codec,
    /// The move was rewritten in the format's encoding.
    Move,
    /// The sign of the score was changed.
    Score,
    /// The winner was changed.
    Result,
}

impl Change {
    /// Every change.
    pub const ALL: &[Change] = &[
        Change::VariantB,
        Change::VariantC,
        Change::VariantOther,
        Change::TailOrder,
        Change::PhantomPawns,
        Change::Codec,
        Change::Move,
        Change::Score,
        Change::Result,
    ];

    /// The change's name for programs, e.g. `variant_b`.
    pub const fn name(self) -> &'static str {
        match self {
            Change::VariantB => "variant_b",
            Change::VariantC => "variant_c",
            Change::VariantOther => "variant_other",
            Change::TailOrder => "tail_order",
            Change::PhantomPawns => "phantom_pawns",
            Change::Codec => "codec",
            Change::Move => "move",
            Change::Score => "score",
            Change::Result => "result",
        }
    }
}

/// The outcome of a repair.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// The inputs, in order.
    pub files: Vec<FileSummary>,
    /// The records read, written and set aside; the latter by the name of the reason.
    pub counts: Counts<Unrepairable>,
    /// The number of records that were written unchanged.
    pub unchanged: u64,
    /// The number of changes of each kind; a record may have several.
    pub changes: BTreeMap<Change, u64>,
}

/// The readings of an input.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct FileSummary {
    /// The name of the input.
    pub name: Name,
    /// Its format; `None` for an empty input whose name suggests none.
    pub format: Option<FileFormat>,
    /// The encoding in which all moves were read; `None` if it was decided for each move, or the format has none.
    pub encoding: Option<MoveEncoding>,
    /// The counts of how moves were read, if that was decided for each move.
    pub encoding_stats: Option<EncodingStats>,
    /// The votes of the sample that decided it, if one did.
    pub votes: Option<Votes>,
}

impl<'a> Job<'a> {
    /// A job that detects the format, the encoding of moves and doubtful pawns, has no tie-break, flips nothing, stops at a
    /// record that it cannot repair, uses all CPUs and overwrites nothing.
    pub fn new(inputs: Vec<Input<'a>>, output: Output<'a>) -> Job<'a> {
        Job {
            inputs,
            output,
            compression: None,
            moves: Moves::Auto,
            tie_break: None,
            phantom_pawns: None,
            flip_score: None,
            flip_result: None,
            rejects: None,
            options: JobOptions::default(),
        }
    }
}

impl Summary {
    /// The number of records that were changed.
    pub fn changed(&self) -> u64 {
        self.counts.written - self.unchanged
    }
}

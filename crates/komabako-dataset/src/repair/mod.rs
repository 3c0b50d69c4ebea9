//! Repair of files: positions and moves as older programs wrote them, rewritten as the format's own.
//!
//! A [`Job`] reads files of one format and writes one file of that format. Nothing else is changed than what is wrong, so
//! that a sound file comes out byte for byte as it went in. What is done to a record:
//!
//! * A position that is PSV of [another variant](komabako_codec::packed_sfen::Variant) is written canonically; with hands in
//!   no known order only if a sample shows that the file's program writes them so, since damage looks alike. Zeros that
//!   can be pawns in hand as well as the room of removed pieces are read by [`Job::phantom_pawns`].
//! * A position of SSPFv1 or its extension whose pieces off the board are in another order is written canonically.
//! * Where a sample shows that positions are in the codec of another format, as those of hcpe in PSV records, they are
//!   written in the format's own; if only some are, those that make sense in the other codec alone, or that only so belong
//!   to the game of the record before or after.
//! * A move in another encoding is rewritten: read in that of its whole file, which a sample decides ([`Votes`]) or the
//!   caller, or each by itself where a file is [mixed](Moves::Mixed).
//! * Only if asked for, the sign of the score or of the result is changed.
//!
//! What is still wrong then is not guessed: a position that does not decode or from which no game can be played, an
//! illegal move, a result outside its values. Such a record stops the job or is [set aside](Job::rejects) with the reason. Score
//! and ply are not judged, and no other byte is touched.
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
//! As with a [conversion](crate::convert), inputs are only read and an output appears whole or not at all.

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
pub use run::Plan;
pub(crate) use sample::{Sample, sample_stretches};

use std::collections::BTreeMap;
use std::path::PathBuf;

use komabako_board::Color;
use komabako_codec::packed_sfen::PhantomPawns;

use self::layout::RecordLayout;
use crate::move16::MoveEncoding;
use crate::{Compression, Counts, FileFormat, Input, JobOptions, Output};

/// A repair to do.
pub struct Job<'a> {
    /// The inputs, repaired one after the other into one output. All are of one format.
    pub inputs: Vec<Input<'a>>,
    /// The output.
    pub output: Output<'a>,
    /// How to compress the output; `None` to take it from the output's extension.
    pub compression: Option<Compression>,
    /// In which encoding the moves are.
    pub moves: Moves,
    /// How a move is read that nothing decides, where it is legal in this encoding; `None` not to repair the record.
    pub tie_break: Option<MoveEncoding>,
    /// What to do where zeros can be pawns as well as the room of removed pieces. Refused, such a record is not
    /// repaired. `None`: a sample of the input decides, or else they are refused. Where other pieces are removed all the
    /// same, they are pawns if it shows positions with removed pieces and all their pawns, and none without a pawn. Where
    /// nothing else is removed, they are pawns if it shows words of variant C and none of variant B without a pawn, and
    /// removed in the opposite case; a canonical word is then refused only if all is variant B.
    pub phantom_pawns: Option<PhantomPawns>,
    /// With which side to move the sign of the score is changed; not that of the values that stand for no score.
    pub flip_score: Option<Sides>,
    /// With which side to move the winner is changed.
    pub flip_result: Option<Sides>,
    /// Where records go that cannot be repaired, as they are, with a list of the reasons beside it, `.reasons.tsv` added
    /// to the name; `None` to stop at the first. Neither is made if all records could be repaired.
    pub rejects: Option<PathBuf>,
    /// How inputs are read, what the work runs on, and whether outputs may be replaced.
    pub options: JobOptions,
}

/// In which encoding the moves of the inputs are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Moves {
    /// As a sample of each input decides: all in one, or mixed if it clearly shows several. Where it decides neither, the
    /// input is refused.
    #[default]
    Auto,
    /// All in this one.
    All(MoveEncoding),
    /// In one or another, each decided by itself: by legality; where it is legal in several with different meanings, by
    /// the position of the next record, which comes after one of them if the file is in game order; otherwise encodings
    /// that clearly no move of a sample needs are left out of account; otherwise by a score that says mate in one; otherwise by
    /// the moves around it, if those are all in one encoding. What is still open then is not repaired, unless there is a
    /// [tie-break](Job::tie_break).
    Mixed,
}

/// Whether files of this format are repaired.
pub fn is_repaired(format: FileFormat) -> bool {
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

/// Something that was done to a record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Change {
    /// A position of variant B was written canonically.
    VariantB,
    /// A position of variant C was.
    VariantC,
    /// A position with another order of hands was.
    VariantOther,
    /// One of SSPFv1 or its extension with another order of pieces off the board was.
    TailOrder,
    /// In it, zeros were taken for the room of removed pieces, not for pawns.
    PhantomPawns,
    /// A position in the codec of another format was written in the format's own.
    Codec,
    /// The move was rewritten in the format's encoding.
    Move,
    /// The score changed its sign.
    Score,
    /// The result changed the winner.
    Result,
}

impl Change {
    /// Every change.
    pub const ALL: [Change; 9] = [
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
    /// The records read, written and set aside; these by the name of the reason.
    pub counts: Counts<Unrepairable>,
    /// Those that were written as they were read.
    pub unchanged: u64,
    /// How often what was changed; several of one record are possible.
    pub changes: BTreeMap<Change, u64>,
}

/// How an input was read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct FileSummary {
    /// The name of the input.
    pub name: String,
    /// Its format; `None` for an empty input whose name says nothing.
    pub format: Option<FileFormat>,
    /// The encoding in which all moves were read; `None` if each was decided by itself, or the format has none.
    pub encoding: Option<MoveEncoding>,
    /// How they were read if each was decided by itself.
    pub encoding_stats: Option<EncodingStats>,
    /// The sample that decided it, if one did.
    pub votes: Option<Votes>,
}

impl<'a> Job<'a> {
    /// A job with format, encoding of moves and doubtful pawns found out, that breaks no tie, flips nothing, stops at what
    /// it cannot repair, on all CPUs, overwriting nothing.
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
    /// The number of records that were written otherwise than they were read.
    pub fn changed(&self) -> u64 {
        self.counts.written - self.unchanged
    }
}

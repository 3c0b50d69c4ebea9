//! Judges an input from a sample.

use komabako_codec::UnpackFault;
use komabako_codec::packed_sfen::Variant;

use super::{Mismatch, OtherCodec, OtherMoves, OtherOrder};
use crate::Name;
use crate::move16::{Encodings, MoveEncoding};
use crate::repair::{Codecs, ReadAs, Sample, Votes, sample_stretches};
use crate::validate::{Finding, Level, Levels, examine_stretches};
use crate::{Compression, FileFormat, RecordFault};

/// The minimum number of findings that are evidence about the file.
const ENOUGH: u64 = 3;

/// The minimum ratio of the records that are valid in another way to those that are wrong in every way.
const MARGIN: u64 = 2;

/// At least one in this many drops and promotions must be in another encoding. The next position, which decides if several
/// moves are legal, may by chance be the one that follows from another reading.
const SHARE: u64 = 100;

/// The findings of validation in a sample.
#[derive(Default)]
struct Counts {
    other_encoding: u64,
    other_codec: u64,
    order: OtherOrder,
    /// Moves that are legal in no encoding.
    illegal: u64,
    /// Positions that no codec reads.
    unread: u64,
}

impl Counts {
    fn of_findings(format: FileFormat, stretches: &[Vec<u8>]) -> Counts {
        // Only the levels that show another encoding, codec or order: the others take time and are irrelevant here.
        let levels: Levels =
            [Level::Codec, Level::Inventory, Level::Canonical, Level::Move].into_iter().collect();
        let mut counts = Counts::default();
        examine_stretches(format, stretches, levels, &mut |finding| counts.add(finding));
        counts
    }

    fn add(&mut self, finding: &Finding) {
        match finding {
            Finding::OtherEncoding(_) | Finding::Misread(_) => self.other_encoding += 1,
            Finding::OtherCodec(_) => self.other_codec += 1,
            Finding::Variant { variant: Variant::B, .. } => self.order.variant_b += 1,
            Finding::Variant { variant: Variant::C, .. } => self.order.variant_c += 1,
            Finding::Variant { .. } => self.order.other += 1,
            Finding::Record(RecordFault::Unpack(error)) if error.fault == UnpackFault::TailOrder => {
                self.order.off_board += 1;
            }
            // It is readable in two ways; repair must choose.
            Finding::Record(RecordFault::Unpack(error)) if error.fault == UnpackFault::PhantomPawns => {}
            Finding::Record(RecordFault::Move(_)) | Finding::Legality(_) => self.illegal += 1,
            _ => self.unread += 1,
        }
    }

    /// Whether the sample needs a closer look.
    fn is_suspicious(&self) -> bool {
        self.other_encoding >= ENOUGH || self.other_codec >= ENOUGH || self.order.records() >= ENOUGH
    }
}

/// Judges stretches of an input; `None` if they match the format, or if nothing is certain. `any_order`: whether
/// to ignore the order of hands. The name and path of the input are left empty.
pub(super) fn judge(format: FileFormat, stretches: &[Vec<u8>], any_order: bool) -> Option<Mismatch> {
    let counts = Counts::of_findings(format, stretches);
    // Nearly every file ends here; the rest takes some microseconds per record.
    if !counts.is_suspicious() {
        return None;
    }
    let sample = sample_stretches(format, stretches);
    let codec = other_codec(&sample);
    // Read with the wrong codec, hands are in arbitrary order.
    let order = if codec.is_none() && !any_order { other_order(&counts, &sample) } else { None };
    let moves = format.move_encoding().and_then(|own| other_moves(&counts, &sample.votes, own));
    if moves.is_none() && codec.is_none() && order.is_none() {
        return None;
    }
    let size = format.record_size()?;
    let sampled = stretches.iter().map(|bytes| (bytes.len() / size) as u64).sum();
    Some(Mismatch {
        input: Name::default(),
        path: None,
        compression: Compression::None,
        format,
        is_given: false,
        sampled,
        moves,
        codec,
        order,
    })
}

fn other_codec(sample: &Sample) -> Option<OtherCodec> {
    let is_mixed = match sample.codecs() {
        Codecs::Own => return None,
        Codecs::Other(_) => false,
        Codecs::Mixed => true,
    };
    sample.most_in().map(|(codec, records)| OtherCodec { codec, records, is_mixed })
}

fn other_order(counts: &Counts, sample: &Sample) -> Option<OtherOrder> {
    let Counts { order, unread, .. } = counts;
    let known = order.variant_b + order.variant_c + order.off_board;
    let is_known = known >= ENOUGH && known >= MARGIN * unread.saturating_add(order.other);
    // Damage leaves hands in arbitrary order here and there.
    (is_known || sample.has_other_order()).then_some(*order)
}

fn other_moves(counts: &Counts, votes: &Votes, own: MoveEncoding) -> Option<OtherMoves> {
    let other = votes.only_elsewhere(own);
    let encoding_dependent = votes.encoding_dependent();
    // Three guards: against chance, against damage, and against a few misread moves in a large sample.
    if other < ENOUGH || other < MARGIN * counts.illegal || other * SHARE < encoding_dependent {
        return None;
    }
    let legal = MoveEncoding::ALL.map(|encoding| votes.legal(encoding));
    Some(OtherMoves { own, encodings: encodings(votes, own), encoding_dependent, legal, other })
}

/// The encodings needed to read the sample: a single one, if it reads every move that any other reads.
fn encodings(votes: &Votes, own: MoveEncoding) -> Encodings {
    let reads_all =
        |&one: &MoveEncoding| MoveEncoding::ALL.into_iter().all(|other| votes.over(other, one) == 0);
    let mut alone = MoveEncoding::ALL.into_iter().filter(reads_all);
    let one = match (votes.decide(own), alone.next(), alone.next()) {
        (Some(ReadAs::One(one)), ..) if one != own && reads_all(&one) => Some(one),
        // With too few moves, this single encoding is the best answer.
        (_, Some(one), None) => Some(one),
        _ => None,
    };
    match one {
        Some(one) => [one].into_iter().collect(),
        None => votes.present(own, 1),
    }
}

//! [`Mending`]: repairs blocks. What is in order is copied; the fast readers find what is not.

use komabako_board::Setup;
use komabako_codec::packed_sfen::{PhantomPawns, Variant};
use komabako_codec::{Backend, PackedSfen, PositionCodec};
use komabako_rules::first_illegal;

use super::layout::Layout;
use super::{Change, Sides, Unrepairable};
use crate::batch::{BATCH, Batch};
use crate::block::Block;
use crate::codec::Codec;
use crate::legality;
use crate::move16::{self, MoveEncoding};
use crate::pipeline::Work;
use crate::readings::Readings;
use crate::record::{Labels, MoveBits};
use crate::validate::{Finding, OtherEncoding, explain};
use crate::{FileFormat, GameResult, RecordFault, wire};

/// The work of a repair.
pub(super) struct Mending {
    pub format: FileFormat,
    pub layout: Layout,
    /// The encoding of each input's moves; `None` where each is decided by itself.
    pub encodings: Vec<Option<MoveEncoding>>,
    pub phantom_pawns: PhantomPawns,
    pub flip_score: Option<Sides>,
    pub flip_result: Option<Sides>,
    pub backend: Backend,
}

/// What a thread keeps.
pub(super) struct Tools {
    batch: Batch,
    moves: Vec<komabako_rules::Move16>,
}

/// What became of a block.
#[derive(Default)]
pub(super) struct Mended {
    /// The records that are in order now.
    pub bytes: Vec<u8>,
    pub written: usize,
    pub unchanged: u64,
    /// How often each of [`Change::ALL`] was made.
    pub changes: [u64; Change::ALL.len()],
    /// What is not, by the index of the record in the block; ascending.
    pub rejects: Vec<(usize, Unrepairable)>,
}

impl Work for Mending {
    type Scratch = Tools;
    type Product = Mended;

    fn scratch(&self) -> Tools {
        Tools { batch: Batch::new(self.backend), moves: Vec::new() }
    }

    fn work(&self, tools: &mut Tools, _: FileFormat, block: &Block, mended: &mut Mended) {
        *mended = Mended { bytes: std::mem::take(&mut mended.bytes), ..Mended::default() };
        mended.bytes.clear();
        mended.bytes.extend_from_slice(block.bytes());
        let size = block.record(0).len();
        mended.bytes.truncate(size * block.len());
        let encoding = self.encodings[block.source];
        for start in (0..block.len()).step_by(BATCH) {
            tools.batch.decode(self.format, block, start..block.len().min(start + BATCH));
            self.mend_decoded(tools, encoding, mended, size);
            for &(row, fault) in tools.batch.faults() {
                let record = &mut mended.bytes[row * size..][..size];
                match self.mend_refused(block.record(row), fault, encoding, record) {
                    Ok(changes) => changes.into_iter().flatten().for_each(|change| mended.note(change)),
                    Err(reason) => mended.rejects.push((row, reason)),
                }
            }
        }
        mended.finish(block, size);
    }
}

impl Mended {
    fn note(&mut self, change: Change) {
        self.changes[change as usize] += 1;
    }

    /// Takes out what was rejected, and counts the rest.
    fn finish(&mut self, block: &Block, size: usize) {
        self.rejects.sort_unstable_by_key(|&(row, _)| row);
        let mut rejects = self.rejects.iter().map(|&(row, _)| row).peekable();
        let mut end = 0;
        for row in 0..block.len() {
            if rejects.next_if_eq(&row).is_some() {
                continue;
            }
            let record = row * size..(row + 1) * size;
            self.unchanged += u64::from(self.bytes[record.clone()] == *block.record(row));
            self.bytes.copy_within(record, end);
            end += size;
        }
        self.bytes.truncate(end);
        self.written = end / size;
    }
}

/// The result with the other winner.
const fn flipped(result: GameResult) -> GameResult {
    match result {
        GameResult::Draw => GameResult::Draw,
        GameResult::BlackWin => GameResult::WhiteWin,
        GameResult::WhiteWin => GameResult::BlackWin,
    }
}

impl Mending {
    /// The format's own encoding of moves.
    fn own(&self) -> MoveEncoding {
        self.format.move_encoding().unwrap_or(MoveEncoding::YaneuraOu)
    }

    /// Repairs the labels of the records that decoded.
    fn mend_decoded(
        &self,
        tools: &mut Tools,
        encoding: Option<MoveEncoding>,
        mended: &mut Mended,
        size: usize,
    ) {
        let Tools { batch, moves } = tools;
        let (rows, setups, labels) = batch.records();
        let earlier = mended.rejects.len();
        moves.clear();
        moves.extend(labels.iter().map(|labels| in_order(labels, encoding, self.own())));
        let mut start = 0;
        while start < rows.len() {
            // None is no move to judge fast: it stands for what needs a closer look.
            let slow = moves[start..].iter().position(|&mv| mv == komabako_rules::Move16::NONE);
            let end = slow.map_or(rows.len(), |slow| start + slow);
            start = first_illegal(self.backend, &setups[start..end], &moves[start..end])
                .map_or(end, |index| start + index);
            if let Some(&row) = rows.get(start) {
                let record = &mut mended.bytes[row * size..][..size];
                match self.mend_move(&setups[start], &labels[start], encoding, record) {
                    Ok(Some(change)) => mended.note(change),
                    Ok(None) => {}
                    Err(reason) => mended.rejects.push((row, reason)),
                }
            }
            start += 1;
        }
        if self.flip_score.is_some() || self.flip_result.is_some() {
            for ((&row, setup), labels) in rows.iter().zip(setups).zip(labels) {
                if mended.rejects[earlier..].binary_search_by_key(&row, |&(row, _)| row).is_ok() {
                    continue;
                }
                let record = &mut mended.bytes[row * size..][..size];
                self.flip(setup, labels, record).into_iter().flatten().for_each(|change| mended.note(change));
            }
        }
    }

    /// Repairs a record whose position was refused, or its result.
    fn mend_refused(
        &self,
        stored: &[u8],
        fault: RecordFault,
        encoding: Option<MoveEncoding>,
        record: &mut [u8],
    ) -> Result<[Option<Change>; 5], Unrepairable> {
        let refused = || {
            let mut first = None;
            explain(self.format, stored, fault, &mut |finding| {
                first.get_or_insert(finding);
            });
            Unrepairable::Finding(first.unwrap_or(Finding::Record(fault)))
        };
        let is_psv = self.format.codec() == Some(Codec::Base(komabako_codec::Format::PackedSfen));
        let (word, labels) = match wire::read_packed(self.format, stored) {
            Ok(packed) if is_psv => packed,
            _ => return Err(refused()),
        };
        let codec = PackedSfen::with_backend(self.backend);
        let lenient = codec.unpack_lenient(&word, self.phantom_pawns).map_err(|_| refused())?;
        let variant = match lenient.variant {
            Variant::B => Change::VariantB,
            Variant::C => Change::VariantC,
            _ => Change::VariantOther,
        };
        let phantom =
            (lenient.variant != Variant::C && lenient.dropped_pawns > 0).then_some(Change::PhantomPawns);
        let canonical = codec.pack(&lenient.setup).expect("PSV has a box, and what it holds has both kings");
        record[..canonical.len()].copy_from_slice(&canonical);
        let best_move = self.mend_move(&lenient.setup, &labels, encoding, record)?;
        let [score, result] = self.flip(&lenient.setup, &labels, record);
        Ok([Some(variant), phantom, best_move, score, result])
    }

    /// Judges a position and its move, and rewrites the move.
    fn mend_move(
        &self,
        setup: &Setup,
        labels: &Labels,
        encoding: Option<MoveEncoding>,
        record: &mut [u8],
    ) -> Result<Option<Change>, Unrepairable> {
        let wrong = |fault| Unrepairable::Finding(Finding::Legality(fault));
        let Some((best_move, at)) = labels.best_move.zip(self.layout.best_move) else {
            return legality::state_of(setup).map(|_| None).map_err(wrong);
        };
        let (bits, own) = (best_move.bits, self.own());
        let encoding = match encoding {
            Some(encoding) => encoding,
            None => {
                let readings = Readings::of(setup, bits);
                if readings.moves().count() > 1
                    && let Some(readings) = OtherEncoding::of(bits, readings)
                {
                    return Err(Unrepairable::AmbiguousMove(readings));
                }
                // All that fit say the same. Where none fits, the format's own says what is wrong.
                readings.legal_in(own).map(|_| own).or_else(|| readings.encodings().next()).unwrap_or(own)
            }
        };
        if let Err(fault) = legality::check_move(setup, MoveBits { bits, encoding }) {
            let elsewhere = OtherEncoding::of(bits, Readings::of(setup, bits)).filter(|_| encoding == own);
            let elsewhere = elsewhere.map(|other| Unrepairable::Finding(Finding::OtherEncoding(other)));
            return Err(elsewhere.unwrap_or_else(|| wrong(fault)));
        }
        let rewritten = move16::convert(bits, encoding, own)
            .map_err(|fault| Unrepairable::Finding(Finding::Record(RecordFault::Move(fault))))?;
        record[at..at + 2].copy_from_slice(&rewritten.to_le_bytes());
        Ok((rewritten != bits).then_some(Change::Move))
    }

    /// Changes the signs of score and result as asked.
    fn flip(&self, setup: &Setup, labels: &Labels, record: &mut [u8]) -> [Option<Change>; 2] {
        let side = setup.side_to_move();
        let applies = |sides: Option<Sides>| sides.is_some_and(|sides| sides.include(side));
        let mut changes = [None; 2];
        if let (Some(score), Some(at)) = (labels.score, self.layout.score)
            && applies(self.flip_score)
            && score != 0
            && !Finding::is_no_score(score)
        {
            record[at..at + 2].copy_from_slice(&(-score).to_le_bytes());
            changes[0] = Some(Change::Score);
        }
        if let (Some(result), Some(at)) = (labels.result, self.layout.result)
            && applies(self.flip_result)
            && result != GameResult::Draw
        {
            at.put(record, flipped(result), side);
            changes[1] = Some(Change::Result);
        }
        changes
    }
}

/// The move as the rules have it where nothing is to be done if it is legal; otherwise none.
fn in_order(labels: &Labels, encoding: Option<MoveEncoding>, own: MoveEncoding) -> komabako_rules::Move16 {
    let stays = |best_move: &MoveBits| encoding == Some(own) || !Readings::depend_on_encoding(best_move.bits);
    let best_move = labels.best_move.filter(stays).and_then(|best_move| best_move.decode().ok());
    best_move.map(legality::of_piece).unwrap_or_default()
}

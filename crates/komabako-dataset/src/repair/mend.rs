//! [`Mending`]: repairs blocks. What is in order is copied; the fast readers find what is not.

use komabako_board::Setup;
use komabako_codec::packed_sfen::{PhantomPawns, Variant};
use komabako_codec::{Backend, Format, PackedSfen, PositionCodec};
use komabako_rules::first_illegal;

use super::encoding::ReadAs;
use super::layout::Layout;
use super::mended::Mended;
use super::open::Open;
use super::{Change, Ground, Sides, Unrepairable};
use crate::batch::{BATCH, Batch};
use crate::block::Block;
use crate::codec::Codec;
use crate::legality;
use crate::move16::{Encodings, Move16, MoveEncoding, Readings};
use crate::pipeline::Work;
use crate::record::{Labels, MoveBits};
use crate::validate::{Finding, OtherEncoding, explain, other_codec};
use crate::{FileFormat, GameResult, RecordFault, wire};

/// The work of a repair.
pub(super) struct Mending {
    pub format: FileFormat,
    pub layout: Layout,
    /// How each input is read.
    pub inputs: Vec<ReadInput>,
    pub flip_score: Option<Sides>,
    pub flip_result: Option<Sides>,
    pub backend: Backend,
}

/// How an input is read.
#[derive(Clone, Copy)]
pub(super) struct ReadInput {
    pub moves: ReadAs,
    /// The codec of its positions, if it is another than the format's.
    pub codec: Option<Format>,
    pub phantom_pawns: PhantomPawns,
    /// Whether hands in no known order are those of a program, and not damage.
    pub other_order: bool,
}

/// What a thread keeps.
pub(super) struct Tools {
    batch: Batch,
    moves: Vec<komabako_rules::Move16>,
}

/// What became of a move.
enum Moved {
    /// There is none, or it was read as all of its input are.
    AsAll { rewritten: bool },
    /// It was decided by itself.
    Alone { rewritten: bool, encodings: Encodings },
    /// It is still to be decided.
    Open(Box<Open>),
}

impl Work for Mending {
    type Scratch = Tools;
    type Product = Mended;

    fn scratch(&self) -> Tools {
        Tools { batch: Batch::new(self.backend), moves: Vec::new() }
    }

    fn work(&self, tools: &mut Tools, _: FileFormat, block: &Block, mended: &mut Mended) {
        *mended = Mended { bytes: std::mem::take(&mut mended.bytes), ..Mended::default() };
        let (size, stored) = (self.layout.size, block);
        let input = self.inputs[block.source];
        let recoded = input.codec.and_then(|codec| self.recode(block, codec));
        let block = recoded.as_ref().map_or(block, |recoded| &recoded.block);
        mended.bytes.clear();
        mended.bytes.extend_from_slice(block.bytes());
        mended.bytes.truncate(size * block.len());
        for start in (0..block.len()).step_by(BATCH) {
            tools.batch.decode(self.format, block, start..block.len().min(start + BATCH));
            self.mend_decoded(tools, input.moves, mended);
            for &(row, fault) in tools.batch.faults() {
                let record = &mut mended.bytes[row * size..][..size];
                match self.mend_refused(row, block.record(row), fault, input, record) {
                    Ok((changes, moved)) => mended.take(row, changes, moved),
                    Err(reason) => mended.rejects.push((row, reason)),
                }
            }
        }
        if let ReadAs::Each(_) = input.moves {
            mended.first = self.setup_of(block.record(0), input.phantom_pawns);
            self.settle(block, input.phantom_pawns, mended);
        }
        mended.rejects.sort_unstable_by_key(|&(row, _)| row);
        recoded.iter().flat_map(|recoded| &recoded.rows).for_each(|&row| mended.note_in(row, Change::Codec));
        if mended.open.is_empty() {
            mended.finish(stored, size);
        }
    }
}

/// A block whose positions were in the codec of another format.
struct Recoded {
    block: Block,
    /// The records that this changed, by their indices.
    rows: Vec<usize>,
}

impl Mended {
    /// Takes account of what was done to a record.
    fn take(&mut self, row: usize, changes: Vec<Change>, moved: Moved) {
        let rewritten = match moved {
            Moved::Open(open) => return self.open.push(Open { changes, ..*open }),
            Moved::AsAll { rewritten } => rewritten,
            Moved::Alone { rewritten, encodings } => {
                self.note_move(row, encodings, Ground::Legality);
                rewritten
            }
        };
        changes.into_iter().chain(rewritten.then_some(Change::Move)).for_each(|change| self.note(change));
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
    /// Repairs the labels of the records that decoded.
    fn mend_decoded(&self, tools: &mut Tools, read_as: ReadAs, mended: &mut Mended) {
        let Tools { batch, moves } = tools;
        let (rows, setups, labels) = batch.records();
        let size = self.layout.size;
        let own = self.layout.best_move.map(|field| field.encoding);
        let (rejects, open) = (mended.rejects.len(), mended.open.len());
        moves.clear();
        moves.extend(labels.iter().map(|labels| in_order(labels, read_as, own)));
        let mut start = 0;
        while start < rows.len() {
            // None is no move to judge fast: it stands for what needs a closer look.
            let slow = moves[start..].iter().position(|&mv| mv == komabako_rules::Move16::NONE);
            let end = slow.map_or(rows.len(), |slow| start + slow);
            start = first_illegal(self.backend, &setups[start..end], &moves[start..end])
                .map_or(end, |index| start + index);
            if let Some(&row) = rows.get(start) {
                let record = &mut mended.bytes[row * size..][..size];
                match self.mend_move(row, &setups[start], &labels[start], read_as, record) {
                    Ok(moved) => mended.take(row, Vec::new(), moved),
                    Err(Unrepairable::Finding(finding @ Finding::Legality(_))) => {
                        let codec = other_codec(self.format, record);
                        let finding = codec.map_or(finding, |(codec, _)| Finding::OtherCodec(codec));
                        mended.rejects.push((row, Unrepairable::Finding(finding)));
                    }
                    Err(reason) => mended.rejects.push((row, reason)),
                }
            }
            start += 1;
        }
        if self.flip_score.is_none() && self.flip_result.is_none() {
            return;
        }
        for ((&row, setup), labels) in rows.iter().zip(setups).zip(labels) {
            if mended.rejects[rejects..].binary_search_by_key(&row, |&(row, _)| row).is_ok() {
                continue;
            }
            let record = &mut mended.bytes[row * size..][..size];
            let changes = self.flip(setup, labels, record);
            match mended.open[open..].binary_search_by_key(&row, |open| open.row) {
                Ok(index) => mended.open[open + index].changes.extend(changes),
                Err(_) => changes.into_iter().for_each(|change| mended.note(change)),
            }
        }
    }

    /// Repairs a record whose position was refused, or its result.
    fn mend_refused(
        &self,
        row: usize,
        stored: &[u8],
        fault: RecordFault,
        input: ReadInput,
        record: &mut [u8],
    ) -> Result<(Vec<Change>, Moved), Unrepairable> {
        let refused = || {
            let mut first = None;
            explain(self.format, stored, fault, &mut |finding| {
                first.get_or_insert(finding);
            });
            Unrepairable::Finding(first.unwrap_or(Finding::Record(fault)))
        };
        let (word, labels) = match wire::read_packed(self.format, stored) {
            Ok(packed) if self.is_psv() => packed,
            _ => return Err(refused()),
        };
        let codec = PackedSfen::with_backend(self.backend);
        let lenient = codec.unpack_lenient(&word, input.phantom_pawns).map_err(|_| refused())?;
        let is_other = lenient.variant == Variant::Other;
        if is_other && (!input.other_order || other_codec(self.format, stored).is_some()) {
            return Err(refused());
        }
        let mut changes = vec![match lenient.variant {
            Variant::B => Change::VariantB,
            Variant::C => Change::VariantC,
            _ => Change::VariantOther,
        }];
        if lenient.variant != Variant::C && lenient.dropped_pawns > 0 {
            changes.push(Change::PhantomPawns);
        }
        let canonical = codec.pack(&lenient.setup).expect("PSV has a box, and what it holds has both kings");
        record[..canonical.len()].copy_from_slice(&canonical);
        let moved = self.mend_move(row, &lenient.setup, &labels, input.moves, record)?;
        changes.extend(self.flip(&lenient.setup, &labels, record));
        Ok((changes, moved))
    }

    /// The block with the positions written in the format's own codec that are in another.
    fn recode(&self, block: &Block, codec: Format) -> Option<Recoded> {
        let Codec::Base(own) = self.format.codec()? else { return None };
        let mut bytes = block.bytes().to_vec();
        let mut rows = Vec::new();
        for (row, record) in bytes.chunks_exact_mut(self.layout.size).enumerate() {
            let Some(word) = record.first_chunk_mut::<32>() else { continue };
            let Ok(setup) = codec.unpack(word) else { continue };
            if let Some(recoded) = own.pack(&setup).ok().filter(|recoded| recoded != word) {
                *word = recoded;
                rows.push(row);
            }
        }
        Some(Recoded { block: block.with_bytes(bytes), rows })
    }

    /// Judges a position and its move, and rewrites the move.
    fn mend_move(
        &self,
        row: usize,
        setup: &Setup,
        labels: &Labels,
        read_as: ReadAs,
        record: &mut [u8],
    ) -> Result<Moved, Unrepairable> {
        let wrong = |fault| Unrepairable::Finding(Finding::Legality(fault));
        let Some((best_move, field)) = labels.best_move.zip(self.layout.best_move) else {
            let moved = Moved::AsAll { rewritten: false };
            return legality::state_of(setup).map(|_| moved).map_err(wrong);
        };
        let (bits, own) = (best_move.bits, field.encoding);
        let put = |record: &mut [u8], mv: Move16| {
            let no_bits = |fault| Unrepairable::Finding(Finding::Record(RecordFault::Move(fault)));
            field.put(record, mv).map_err(no_bits)
        };
        let encoding = match read_as {
            ReadAs::One(encoding) => encoding,
            ReadAs::Each(_) if !Readings::depend_on_encoding(bits) => own,
            ReadAs::Each(encodings) => {
                let readings = Readings::of(setup, bits);
                let expected =
                    Some(readings.among(encodings)).filter(|expected| !expected.encodings().is_empty());
                let expected = expected.unwrap_or(readings);
                let mut moves = readings.moves();
                match (moves.next(), moves.next()) {
                    (Some(mv), None) => {
                        let encodings = expected.encodings();
                        return put(record, mv).map(|rewritten| Moved::Alone { rewritten, encodings });
                    }
                    (Some(_), Some(_)) => {
                        let (setup, side) = (*setup, setup.side_to_move());
                        // A score whose sign is wrong says nothing of a mate.
                        let score =
                            labels.score.filter(|_| self.flip_score.is_none_or(|it| !it.include(side)));
                        let open = Open { row, setup, bits, readings, expected, score, changes: Vec::new() };
                        return Ok(Moved::Open(Box::new(open)));
                    }
                    // The format's own encoding says what is wrong.
                    (None, _) => own,
                }
            }
        };
        let stored = MoveBits { bits, encoding };
        if let Err(fault) = legality::check_move(setup, stored) {
            let elsewhere = OtherEncoding::of(bits, Readings::of(setup, bits)).filter(|_| encoding == own);
            let elsewhere = elsewhere.map(|other| Unrepairable::Finding(Finding::OtherEncoding(other)));
            return Err(elsewhere.unwrap_or_else(|| wrong(fault)));
        }
        let mv = stored.decode().expect("a legal move is well-formed");
        put(record, mv).map(|rewritten| Moved::AsAll { rewritten })
    }

    /// Settles what the next record of the block decides, or the record itself; the last one waits for the next block.
    fn settle(&self, block: &Block, phantom_pawns: PhantomPawns, mended: &mut Mended) {
        let mut open = std::mem::take(&mut mended.open);
        open.sort_unstable_by_key(|open| open.row);
        for open in open {
            let next = open.row + 1;
            let decided = if next < block.len() {
                open.decide(self.setup_of(block.record(next), phantom_pawns).as_ref())
            } else {
                None
            };
            match decided {
                Some((mv, ground)) => mended.settle(&self.layout, open, mv, ground),
                None => mended.open.push(open),
            }
        }
        mended.told.sort_unstable_by_key(|&(row, _)| row);
    }

    /// The position of a record, if it can be read in any way.
    fn setup_of(&self, stored: &[u8], phantom_pawns: PhantomPawns) -> Option<Setup> {
        let lenient = || {
            let (word, _) = wire::read_packed(self.format, stored).ok().filter(|_| self.is_psv())?;
            PackedSfen::with_backend(self.backend).unpack_lenient(&word, phantom_pawns).ok()
        };
        let decoded = self.format.decode(stored).map(|record| record.setup).ok();
        decoded.or_else(|| lenient().map(|lenient| lenient.setup))
    }

    /// Whether positions are PSV, which older programs wrote otherwise.
    fn is_psv(&self) -> bool {
        self.format.codec() == Some(Codec::Base(Format::PackedSfen))
    }

    /// Changes the signs of score and result as asked.
    fn flip(&self, setup: &Setup, labels: &Labels, record: &mut [u8]) -> Vec<Change> {
        let side = setup.side_to_move();
        let applies = |sides: Option<Sides>| sides.is_some_and(|sides| sides.include(side));
        let mut changes = Vec::new();
        if let (Some(score), Some(at)) = (labels.score, self.layout.score)
            && applies(self.flip_score)
            && score != 0
            && !Finding::is_no_score(score)
        {
            record[at..at + 2].copy_from_slice(&(-score).to_le_bytes());
            changes.push(Change::Score);
        }
        if let (Some(result), Some(at)) = (labels.result, self.layout.result)
            && applies(self.flip_result)
            && result != GameResult::Draw
        {
            at.put(record, flipped(result), side);
            changes.push(Change::Result);
        }
        changes
    }
}

/// The move as the rules have it where nothing is to be done if it is legal; otherwise none.
fn in_order(labels: &Labels, read_as: ReadAs, own: Option<MoveEncoding>) -> komabako_rules::Move16 {
    let all_own = own.is_some_and(|own| read_as == ReadAs::One(own));
    let stays = |best_move: &MoveBits| all_own || !Readings::depend_on_encoding(best_move.bits);
    let best_move = labels.best_move.filter(stays).and_then(|best_move| best_move.decode().ok());
    best_move.map(legality::of_piece).unwrap_or_default()
}

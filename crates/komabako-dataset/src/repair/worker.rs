//! [`Worker`]: repairs blocks. Valid records are copied; the fast readers find the others.

use komabako_board::Setup;
use komabako_codec::packed_sfen::{Lenient, PhantomPawns, Variant};
use komabako_codec::{Backend, PackedSfen, PositionCodec, Word};
use komabako_record::findings::explain;
use komabako_rules::{Move16, first_illegal};
use komabako_variants::WordFormat;
use komabako_variants::ext;

use super::ambiguous_move::AmbiguousMove;
use super::encoding::ReadAs;
use super::layout::RecordLayout;
use super::outcome::Outcome;
use super::phantom_pawns::{self, Pawns};
use super::recode::{Codecs, Recoded};
use super::sample::is_psv;
use super::{Change, DecidedBy, Sides, Unrepairable};
use crate::batch::{Batch, Records};
use crate::block::Block;
use crate::engine::pipeline::Work;
use crate::legality;
use crate::legality::Readings;
use crate::legality::sense::other_codec;
use crate::move16::{Encodings, MoveEncoding};
use crate::record::{Labels, MoveBits};
use crate::validate::{Finding, OtherEncoding};
use crate::{FileFormat, GameResult, RecordFault, read_packed};

/// The work of a repair.
pub(super) struct Worker {
    pub format: FileFormat,
    pub layout: RecordLayout,
    /// The reading of each input.
    pub inputs: Vec<ReadInput>,
    pub flip_score: Option<Sides>,
    pub flip_result: Option<Sides>,
    pub backend: Backend,
}

/// The reading of an input.
#[derive(Clone, Copy)]
pub(super) struct ReadInput {
    pub moves: ReadAs,
    pub codecs: Codecs,
    pub pawns: Pawns,
    /// Whether hands in an unknown order were written by a program rather than caused by damage.
    pub other_order: bool,
}

/// The buffers of a thread.
pub(super) struct Buffers {
    batch: Batch,
    moves: Vec<Move16>,
}

/// The outcome of a move's repair.
enum MoveOutcome {
    /// The record has no move, or it was read like all moves of the input.
    Uniform { rewritten: bool },
    /// It was decided individually.
    Individual { rewritten: bool, encodings: Encodings },
    /// It is still ambiguous.
    Ambiguous(Box<AmbiguousMove>),
}

impl Work for Worker {
    type Scratch = Buffers;
    type Product = Outcome;

    fn scratch(&self) -> Buffers {
        Buffers { batch: Batch::new(self.backend), moves: Vec::new() }
    }

    fn work(&self, buffers: &mut Buffers, _: FileFormat, block: &Block, outcome: &mut Outcome) {
        *outcome = Outcome { bytes: std::mem::take(&mut outcome.bytes), ..Outcome::default() };
        let size = self.layout.size;
        let stored = block;
        let input = self.inputs[block.source()];
        let recoded = Recoded::from_block(block, self.format, input.codecs);
        let recoded = recoded.as_ref();
        let block = recoded.map_or(block, |recoded| &recoded.block);
        outcome.bytes.clear();
        // Everything is copied and then patched: nearly all records of a file remain unchanged.
        outcome.bytes.extend_from_slice(block.bytes());
        outcome.bytes.truncate(size * block.len());
        for range in Batch::ranges(0..block.len()) {
            buffers.batch.decode(self.format, block, range);
            self.repair_decoded(buffers, input, recoded, outcome);
            // Only the records that the fast readers refuse are examined one by one.
            for &(row, fault) in buffers.batch.faults() {
                let record = &mut outcome.bytes[row * size..][..size];
                let stored = block.record(row);
                match check_codec(recoded, row)
                    .and_then(|()| self.repair_refused(row, stored, fault, input, record))
                {
                    Ok((changes, moved)) => outcome.record(row, changes, moved),
                    Err(reason) => outcome.rejects.push((row, reason)),
                }
            }
        }
        if let ReadAs::Each(_) = input.moves {
            outcome.first = self.setup_of(block.record(0), input.pawns);
            self.resolve(block, input.pawns, outcome);
        }
        // Batches add good and refused records separately, so that rows come out of order.
        outcome.rejects.sort_unstable_by_key(|&(row, _)| row);
        // Counted last: a rejected record is written as it was stored, and has not been changed.
        let rows = recoded.into_iter().flat_map(|recoded| &recoded.rows);
        rows.for_each(|&row| outcome.count_unless_rejected(row, Change::Codec));
        if outcome.ambiguous.is_empty() {
            outcome.finish(stored, size);
        }
    }
}

impl Outcome {
    /// Counts the changes to a record.
    fn record(&mut self, row: usize, changes: Vec<Change>, moved: MoveOutcome) {
        let rewritten = match moved {
            MoveOutcome::Ambiguous(open) => return self.ambiguous.push(AmbiguousMove { changes, ..*open }),
            MoveOutcome::Uniform { rewritten } => rewritten,
            MoveOutcome::Individual { rewritten, encodings } => {
                self.count_move(row, encodings, DecidedBy::Legality);
                rewritten
            }
        };
        self.count_all(changes, rewritten);
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

impl Worker {
    /// Repairs the labels of the records that decoded.
    fn repair_decoded(
        &self,
        buffers: &mut Buffers,
        input: ReadInput,
        recoded: Option<&Recoded>,
        outcome: &mut Outcome,
    ) {
        let Buffers { batch, moves } = buffers;
        let Records { rows, setups, labels, .. } = batch.records();
        let size = self.layout.size;
        let own = self.layout.best_move.map(|field| field.encoding);
        let rejects = outcome.rejects.len();
        let open = outcome.ambiguous.len();
        moves.clear();
        moves.extend(labels.iter().map(|labels| unchanged_move(labels, input.moves, own)));
        for (mv, (&row, setup)) in moves.iter_mut().zip(rows.iter().zip(setups)) {
            if check_codec(recoded, row).is_err() || self.canonical_rival(setup, input.pawns).is_some() {
                *mv = Move16::NONE;
            }
        }
        let mut start = 0;
        while start < rows.len() {
            // `NONE` keeps the record's place in the slice and marks it for a closer look.
            let slow = moves[start..].iter().position(|&mv| mv == Move16::NONE);
            let end = slow.map_or(rows.len(), |slow| start + slow);
            // Runs of valid moves are judged by one call; the slow path below sees one record at each end
            // of a run.
            start = first_illegal(self.backend, &setups[start..end], &moves[start..end])
                .map_or(end, |index| start + index);
            if let Some(&row) = rows.get(start) {
                let record = &mut outcome.bytes[row * size..][..size];
                let setup = &setups[start];
                let labels = &labels[start];
                match check_codec(recoded, row)
                    .and_then(|()| self.repair_canonical(row, setup, labels, input, record))
                {
                    Ok((changes, moved)) => outcome.record(row, changes, moved),
                    Err(Unrepairable::Finding(finding @ Finding::Legality(_))) => {
                        // An illegal move may indicate that the position was read with the wrong codec: then the report
                        // should say that instead.
                        let codec = other_codec(self.format, record);
                        let finding = codec.map_or(finding, |(codec, _)| Finding::OtherCodec(codec));
                        outcome.rejects.push((row, Unrepairable::Finding(finding)));
                    }
                    Err(reason) => outcome.rejects.push((row, reason)),
                }
            }
            start += 1;
        }
        if self.flip_score.is_none() && self.flip_result.is_none() {
            return;
        }
        for ((&row, setup), labels) in rows.iter().zip(setups).zip(labels) {
            if outcome.rejects[rejects..].binary_search_by_key(&row, |&(row, _)| row).is_ok() {
                continue;
            }
            let record = &mut outcome.bytes[row * size..][..size];
            let changes = self.flip(setup, labels, record);
            match outcome.ambiguous[open..].binary_search_by_key(&row, |open| open.row) {
                Ok(index) => outcome.ambiguous[open + index].changes.extend(changes),
                Err(_) => changes.into_iter().for_each(|change| outcome.count(change)),
            }
        }
    }

    /// Repairs a record whose position is canonical, if that is its true reading.
    fn repair_canonical(
        &self,
        row: usize,
        setup: &Setup,
        labels: &Labels,
        input: ReadInput,
        record: &mut [u8],
    ) -> Result<(Vec<Change>, MoveOutcome), Unrepairable> {
        let Some(read) = self.canonical_rival(setup, input.pawns) else {
            return Ok((Vec::new(), self.repair_move(row, setup, labels, input.moves, record)?));
        };
        let read = phantom_pawns::resolve(read, input.pawns.of_canonical, labels)?;
        let changes =
            if read.setup == *setup { Vec::new() } else { vec![Change::VariantB, Change::PhantomPawns] };
        self.write_position(record, &read.setup).expect("PSV holds what lacks pawns");
        Ok((changes, self.repair_move(row, &read.setup, labels, input.moves, record)?))
    }

    /// The lenient reading of a canonical position's word, if the input makes it ambiguous.
    fn canonical_rival(&self, setup: &Setup, pawns: Pawns) -> Option<Lenient> {
        if pawns.of_canonical == PhantomPawns::Keep || !is_psv(self.format) {
            return None;
        }
        let codec = PackedSfen::with_backend(self.backend);
        let read = codec.unpack_lenient(&codec.pack(setup).ok()?, pawns.of_fewer).ok()?;
        read.rival.map(|_| read)
    }

    /// Repairs a record whose position was refused, or its result.
    fn repair_refused(
        &self,
        row: usize,
        stored: &[u8],
        fault: RecordFault,
        input: ReadInput,
        record: &mut [u8],
    ) -> Result<(Vec<Change>, MoveOutcome), Unrepairable> {
        let refused = || {
            let mut first = None;
            explain(self.format, stored, fault, &mut |finding| {
                first.get_or_insert(finding);
            });
            Unrepairable::Finding(first.unwrap_or(Finding::Record(fault)))
        };
        let (word, labels) = read_packed(self.format, stored).map_err(|_| refused())?;
        let (setup, mut changes) = match self.format.codec() {
            Some(WordFormat::PackedSfen) => self.reread_psv(&word, &labels, input, stored, refused)?,
            Some(codec) if codec.is_sspf() => {
                (ext::unpack_lenient(&word).map_err(|_| refused())?, vec![Change::TailOrder])
            }
            _ => return Err(refused()),
        };
        self.write_position(record, &setup).map_err(|_| refused())?;
        let moved = self.repair_move(row, &setup, &labels, input.moves, record)?;
        changes.extend(self.flip(&setup, &labels, record));
        Ok((changes, moved))
    }

    /// The position of a PSV word that is not canonical, and the changes that make it so.
    fn reread_psv(
        &self,
        word: &Word,
        labels: &Labels,
        input: ReadInput,
        stored: &[u8],
        refused: impl Fn() -> Unrepairable,
    ) -> Result<(Setup, Vec<Change>), Unrepairable> {
        let codec = PackedSfen::with_backend(self.backend);
        let lenient = codec.unpack_lenient(word, input.pawns.of_fewer).map_err(|_| refused())?;
        let lenient = phantom_pawns::resolve(lenient, input.pawns.of_variant, labels)?;
        // Hands in an unknown order may also be damage: they are read only if the sample indicates that a program
        // wrote them.
        let is_other = lenient.variant == Variant::Other;
        if is_other && (!input.other_order || other_codec(self.format, stored).is_some()) {
            return Err(refused());
        }
        let mut changes = vec![match lenient.variant {
            Variant::B => Change::VariantB,
            Variant::C => Change::VariantC,
            _ => Change::VariantOther,
        }];
        // Variant C pads with boxed pawns, which no reader takes for pawns in hand.
        if lenient.variant != Variant::C && lenient.dropped_pawns > 0 {
            changes.push(Change::PhantomPawns);
        }
        Ok((lenient.setup, changes))
    }

    /// Writes a position.
    ///
    /// # Errors
    /// The format cannot hold it.
    fn write_position(&self, record: &mut [u8], setup: &Setup) -> Result<(), RecordFault> {
        let mut word = [Word::default()];
        let codec = self.format.codec().expect("a format that is repaired packs positions");
        codec.pack_slice(self.backend, &[*setup], &mut word).map_err(|slice| slice.error)?;
        record[..word[0].len()].copy_from_slice(&word[0]);
        Ok(())
    }

    /// Judges a position and its move, and rewrites the move.
    fn repair_move(
        &self,
        row: usize,
        setup: &Setup,
        labels: &Labels,
        read_as: ReadAs,
        record: &mut [u8],
    ) -> Result<MoveOutcome, Unrepairable> {
        let wrong = |fault| Unrepairable::Finding(Finding::Legality(fault));
        let Some((best_move, field)) = labels.best_move.zip(self.layout.best_move) else {
            let moved = MoveOutcome::Uniform { rewritten: false };
            return legality::state_of(setup).map(|_| moved).map_err(wrong);
        };
        let bits = best_move.bits;
        let own = field.encoding;
        let write = |record: &mut [u8], mv: Move16| {
            let no_bits = |fault| Unrepairable::Finding(Finding::Record(RecordFault::Move(fault)));
            field.write(record, mv).map_err(no_bits)
        };
        let encoding = match read_as {
            ReadAs::One(encoding) => encoding,
            ReadAs::Each(_) if !Readings::depend_on_encoding(bits) => own,
            ReadAs::Each(encodings) => {
                let readings = Readings::new(setup, bits);
                // Encodings that are not in the file are tried last: with them, more moves would be ambiguous.
                let expected =
                    Some(readings.among(encodings)).filter(|expected| !expected.encodings().is_empty());
                let expected = expected.unwrap_or(readings);
                let mut moves = readings.moves();
                match (moves.next(), moves.next()) {
                    (Some(mv), None) => {
                        let encodings = expected.encodings();
                        return write(record, mv)
                            .map(|rewritten| MoveOutcome::Individual { rewritten, encodings });
                    }
                    (Some(_), Some(_)) => {
                        let side = setup.side_to_move();
                        // A score with a wrong sign is no evidence of a mate.
                        let is_wrong = self.flip_score.is_some_and(|sides| sides.include(side));
                        let score = if is_wrong { None } else { labels.score };
                        let open = AmbiguousMove {
                            row,
                            setup: *setup,
                            bits,
                            readings,
                            expected,
                            score,
                            changes: Vec::new(),
                        };
                        return Ok(MoveOutcome::Ambiguous(Box::new(open)));
                    }
                    // The format's own encoding yields the fault.
                    (None, _) => own,
                }
            }
        };
        let stored = MoveBits { bits, encoding };
        if let Err(fault) = legality::check_move(setup, stored) {
            if encoding == own
                && let Some(other) = OtherEncoding::from_readings(bits, Readings::new(setup, bits))
            {
                return Err(Unrepairable::Finding(Finding::OtherEncoding(other)));
            }
            return Err(wrong(fault));
        }
        let mv = stored.decode().expect("a legal move is well-formed");
        write(record, mv).map(|rewritten| MoveOutcome::Uniform { rewritten })
    }

    /// Resolves the moves that the next record of the block or the record itself decides; the last one waits for the next block.
    fn resolve(&self, block: &Block, pawns: Pawns, outcome: &mut Outcome) {
        let mut open = std::mem::take(&mut outcome.ambiguous);
        open.sort_unstable_by_key(|open| open.row);
        for open in open {
            let next = open.row + 1;
            let decided = if next < block.len() {
                open.decide(self.setup_of(block.record(next), pawns).as_ref())
            } else {
                None
            };
            match decided {
                Some((mv, decided_by)) => outcome.resolve(&self.layout, open, mv, decided_by),
                None => outcome.ambiguous.push(open),
            }
        }
        outcome.evidence.sort_unstable_by_key(|&(row, _)| row);
    }

    /// The position of a record, if it can be read in any way.
    fn setup_of(&self, stored: &[u8], pawns: Pawns) -> Option<Setup> {
        let lenient = || {
            if !is_psv(self.format) {
                return None;
            }
            let (word, labels) = read_packed(self.format, stored).ok()?;
            let read = PackedSfen::with_backend(self.backend).unpack_lenient(&word, pawns.of_fewer).ok()?;
            phantom_pawns::resolve(read, pawns.of_variant, &labels).ok()
        };
        let decoded = self.format.decode(stored).map(|record| record.setup).ok();
        decoded.or_else(|| lenient().map(|lenient| lenient.setup))
    }

    /// Changes the signs of score and result as requested.
    fn flip(&self, setup: &Setup, labels: &Labels, record: &mut [u8]) -> Vec<Change> {
        let side = setup.side_to_move();
        let applies = |sides: Option<Sides>| sides.is_some_and(|sides| sides.include(side));
        let mut changes = Vec::new();
        if let (Some(score), Some(at)) = (labels.score, self.layout.score)
            && applies(self.flip_score)
            // Zero has no sign, and the values for "no score" would become scores.
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
            at.write(record, flipped(result), side);
            changes.push(Change::Result);
        }
        changes
    }
}

/// An error if a record makes sense in two codecs.
fn check_codec(recoded: Option<&Recoded>, row: usize) -> Result<(), Unrepairable> {
    recoded
        .and_then(|recoded| recoded.other_codec(row))
        .map_or(Ok(()), |codec| Err(Unrepairable::AmbiguousCodec(codec)))
}

/// The move in the form of the rules, if nothing needs to be done when it is legal; otherwise `NONE`.
fn unchanged_move(labels: &Labels, read_as: ReadAs, own: Option<MoveEncoding>) -> Move16 {
    let all_own = own.is_some_and(|own| read_as == ReadAs::One(own));
    let stays = |best_move: &MoveBits| all_own || !Readings::depend_on_encoding(best_move.bits);
    let best_move = labels.best_move.filter(stays).and_then(|best_move| best_move.decode().ok());
    best_move.unwrap_or_default()
}

//! Codec 2, *model* (`spec/archive.md` §5): a range coder with a model that starts from nothing in each block.
//!
//! The model is written once, for a [`Coder`] that encodes or decodes, so that the two sides cannot differ.

mod coder;
mod moves;
mod packer;
mod position;
mod score;
mod weight;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

use komabako_board::{BaseKind, Color, Position, Setup, square};
use komabako_codec::{ByteBoard, cell};
use komabako_rules::{Move16, State};

use self::coder::{Bit, Coder, Decoder, Encoder};
use self::moves::{LastMove, MoveModel};
use self::packer::Packer;
use self::position::{Board, PositionModel};
use self::score::Signed;
use crate::Source;
use crate::block::Joints;
use crate::error::Malformed;
use crate::prediction::{Predicted, Prediction, SPREADS, size_class};
use crate::source::Fields;

/// Encodes whole records.
pub(crate) fn encode(source: Source, records: &[u8]) -> Vec<u8> {
    let size = source.record_size();
    let mut exceptions = Vec::new();
    let mut model = Model::new(source);
    // The length of the exceptions comes first; it is known last.
    let mut coder = Encoder::new(Vec::with_capacity(records.len() / 4));
    for (index, (fields, bytes)) in source.fields(records).iter().zip(records.chunks_exact(size)).enumerate()
    {
        let entry = Entry::new(source, fields);
        if let Some(entry) = entry {
            // An encoder never meets what a decoder refuses.
            let coded = model.code(&mut coder, Some(&entry));
            debug_assert!(coded.is_ok(), "record {index}: {coded:?}");
        } else {
            exceptions.extend_from_slice(&(index as u32).to_le_bytes());
            exceptions.extend_from_slice(bytes);
            model.end_chain();
        }
    }
    let mut payload = (exceptions.len() as u32).to_le_bytes().to_vec();
    payload.extend_from_slice(&exceptions);
    payload.extend_from_slice(&coder.finish());
    payload
}

/// Appends the `wanted` records of a payload of `count`.
pub(crate) fn decode(
    source: Source,
    count: usize,
    wanted: Range<usize>,
    payload: &[u8],
    out: &mut Vec<u8>,
) -> Result<Joints, Malformed> {
    let mut code = payload;
    let length = code.split_off(..4).and_then(|bytes| bytes.first_chunk()).ok_or(Malformed::Length)?;
    let exceptions = code.split_off(..u32::from_le_bytes(*length) as usize).ok_or(Malformed::Length)?;
    let mut exceptions = Exceptions { rest: exceptions, size: source.record_size() };
    let mut next_exception = exceptions.next()?;

    let mut packer = Packer::new(source);
    let mut model = Model::new(source);
    let mut coder = Decoder::new(code);
    for index in 0..wanted.end {
        let is_wanted = index >= wanted.start;
        if let Some((place, record)) = next_exception
            && place == index
        {
            if is_wanted {
                out.extend_from_slice(record);
            }
            model.end_chain();
            next_exception = exceptions.next()?;
            // They ascend.
            if next_exception.is_some_and(|(next, _)| next <= place) {
                return Err(Malformed::Symbol);
            }
            continue;
        }
        let entry = model.code(&mut coder, None)?;
        if coder.is_exhausted() {
            return Err(Malformed::Code);
        }
        if is_wanted {
            packer.push(out.len(), entry.setup, out)?;
            source.write(&entry.fields, out);
        }
    }
    packer.flush(out)?;
    if wanted.end < count {
        return Ok(model.joints);
    }
    if next_exception.is_some() {
        return Err(Malformed::Symbol);
    }
    if !coder.is_at_end() {
        return Err(Malformed::Code);
    }
    Ok(model.joints)
}

/// The records that are kept as they are, with their places.
struct Exceptions<'a> {
    rest: &'a [u8],
    size: usize,
}

impl<'a> Exceptions<'a> {
    fn next(&mut self) -> Result<Option<(usize, &'a [u8])>, Malformed> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let place =
            self.rest.split_off(..4).and_then(|bytes| bytes.first_chunk()).ok_or(Malformed::Length)?;
        let record = self.rest.split_off(..self.size).ok_or(Malformed::Length)?;
        Ok(Some((u32::from_le_bytes(*place) as usize, record)))
    }
}

/// A record that the model can code.
#[derive(Clone, Copy, Debug)]
struct Entry {
    setup: Setup,
    /// Its word is not used.
    fields: Fields,
}

impl Entry {
    /// `None` for a word that is not canonical or an unknown result: exceptions.
    fn new(source: Source, fields: &Fields) -> Option<Entry> {
        let setup = source.words().unpack(&fields.word).ok()?;
        source.relative_result(fields.result, is_white(&setup))?;
        Some(Entry { setup, fields: *fields })
    }
}

fn is_white(setup: &Setup) -> bool {
    setup.side_to_move() == Color::White
}

/// The state of the model in a block: its weights, and the records before the next one.
struct Model {
    source: Source,
    positions: PositionModel,
    moves: MoveModel,
    /// By whether the record before was joined to another.
    is_chained: [Bit; 2],
    is_bridged: Bit,
    ply: Box<[Bit; 1024]>,
    loose_score: Signed,
    joined_score: Signed,
    /// By sign and size of the score.
    result: [[Bit; 4]; 2 * SPREADS],
    padding: Box<[Bit; 256]>,

    /// Where a record that continues the one before it stands, and the labels of that one; `None` if none can.
    next: Option<(State<()>, Fields)>,
    last_move: Option<LastMove>,
    prediction: Prediction,
    was_joined: bool,
    joints: Joints,
}

/// The first ply that is not a number of the tree, but of the 16 bits after it.
const ESCAPE: u32 = 1023;

/// The classes of material, from −20 to 20.
const MATERIAL_CLASSES: i32 = 41;

impl Model {
    fn new(source: Source) -> Model {
        Model {
            source,
            positions: PositionModel::new(),
            moves: MoveModel::new(),
            is_chained: [Bit::NEW; 2],
            is_bridged: Bit::NEW,
            ply: Box::new([Bit::NEW; 1024]),
            loose_score: Signed::new(MATERIAL_CLASSES as usize),
            joined_score: Signed::new(SPREADS * SIZES * 3),
            result: [[Bit::NEW; 4]; 2 * SPREADS],
            padding: Box::new([Bit::NEW; 256]),
            next: None,
            last_move: None,
            prediction: Prediction::default(),
            was_joined: false,
            joints: Joints::default(),
        }
    }

    /// The next record continues nothing.
    fn end_chain(&mut self) {
        self.next = None;
    }

    /// Codes a record; the decoder has none.
    fn code<C: Coder>(&mut self, coder: &mut C, entry: Option<&Entry>) -> Result<Entry, Malformed> {
        let joined = self.code_joint(coder, entry)?;
        self.was_joined = joined.is_some();
        let (state, mut coded) = match joined {
            Some((state, fields)) => {
                let mut coded = Entry { setup: state.setup(), fields };
                coded.fields.score = self.code_joined_score(coder, entry, &coded)?;
                (Some(state), coded)
            }
            None => {
                let coded = self.code_loose(coder, entry)?;
                self.joints.loose += 1;
                self.last_move = None;
                self.prediction = Prediction::default();
                let position = Position::new(coded.setup).ok();
                (position.and_then(|position| State::new(&position).ok()), coded)
            }
        };
        self.prediction.push(coded.fields.score);
        coded.fields.mv = self.code_move(coder, entry, state, &coded.fields);
        Ok(coded)
    }

    /// Codes whether a record continues the one before it, directly or after a hidden move. If so, returns its state and those of
    /// its labels that follow.
    fn code_joint<C: Coder>(
        &mut self,
        coder: &mut C,
        entry: Option<&Entry>,
    ) -> Result<Option<(State<()>, Fields)>, Malformed> {
        let Some((mut state, before)) = self.next.take() else { return Ok(None) };
        let continues = |entry: &&Entry, plies| entry.fields.continues(&before, plies, self.source);
        let is_chained =
            entry.filter(|entry| continues(entry, 1)).is_some_and(|entry| entry.setup == state.setup());
        if coder.bit(&mut self.is_chained[usize::from(self.was_joined)], is_chained) {
            self.joints.chained += 1;
            return Ok(Some((state, before.later(1, self.source))));
        }
        let after_hidden = entry.filter(|entry| continues(entry, 2));
        let hidden = after_hidden.and_then(|entry| move_between(&state, &entry.setup));
        if !coder.bit(&mut self.is_bridged, hidden.is_some()) {
            return Ok(None);
        }
        let hidden = self.moves.code(coder, &state, self.last_move, hidden).ok_or(Malformed::Joint)?;
        self.last_move = Some(LastMove::new(&state, hidden));
        self.joints.bridged += 1;
        self.prediction.pass();
        state.do_move(hidden);
        Ok(Some((state, before.later(2, self.source))))
    }

    fn code_joined_score<C: Coder>(
        &mut self,
        coder: &mut C,
        entry: Option<&Entry>,
        coded: &Entry,
    ) -> Result<i16, Malformed> {
        let Predicted { score: predicted, spread } = self.prediction.next();
        let result = self.source.relative_result(coded.fields.result, is_white(&coded.setup));
        let result = usize::from(result.ok_or(Malformed::Symbol)?);
        let context = (spread * SIZES + size_class(predicted) / 3) * 3 + result;
        let difference = entry.map_or(0, |entry| i32::from(entry.fields.score) - predicted);
        let difference = self.joined_score.code(coder, context, difference)?;
        i16::try_from(predicted + difference).map_err(|_| Malformed::Score)
    }

    /// Codes all of a record but the move.
    fn code_loose<C: Coder>(&mut self, coder: &mut C, entry: Option<&Entry>) -> Result<Entry, Malformed> {
        let given = entry.map(|entry| &entry.fields);
        let given_ply = given.map_or(0, |fields| u32::from(fields.ply));
        let mut ply = coder.tree(&mut self.ply, given_ply.min(ESCAPE));
        if ply == ESCAPE {
            ply = coder.raw(16, given_ply);
        }
        let ply = ply as u16;
        let mut board = entry.map_or(Board::EMPTY, |entry| Board::new(&entry.setup));
        self.positions.code(coder, &mut board, ply)?;
        let setup = match entry {
            Some(entry) => entry.setup,
            None => board.to_setup().ok_or(Malformed::Position)?,
        };

        let material = board.material();
        let class =
            (material / 100).clamp(-MATERIAL_CLASSES / 2, MATERIAL_CLASSES / 2) + MATERIAL_CLASSES / 2;
        let difference = given.map_or(0, |fields| i32::from(fields.score) - material);
        let score = material + self.loose_score.code(coder, class as usize, difference)?;
        let score = i16::try_from(score).map_err(|_| Malformed::Score)?;

        let relative = given.and_then(|fields| self.source.relative_result(fields.result, board.is_white));
        let class = size_class(score.into()) + if score < 0 { SPREADS } else { 0 };
        let relative = coder.tree(&mut self.result[class], relative.unwrap_or(0).into());
        if relative > 2 {
            return Err(Malformed::Symbol);
        }
        let result = self.source.stored_result(relative as u8, board.is_white);
        let padding = coder.tree(&mut self.padding, given.map_or(0, |fields| fields.padding.into())) as u8;
        Ok(Entry { setup, fields: Fields { word: [0; 32], score, mv: 0, ply, result, padding } })
    }

    /// Codes the move of a record and returns its bits.
    fn code_move<C: Coder>(
        &mut self,
        coder: &mut C,
        entry: Option<&Entry>,
        state: Option<State<()>>,
        fields: &Fields,
    ) -> u16 {
        let bits = entry.map_or(0, |entry| entry.fields.mv);
        let mv = self.source.decode_move(bits);
        let played = state.and_then(|mut state| {
            let mv = self.moves.code(coder, &state, self.last_move, mv)?;
            self.last_move = Some(LastMove::new(&state, mv));
            state.do_move(mv);
            self.next = Some((state, *fields));
            Some(mv)
        });
        match played {
            Some(mv) => self.source.encode_move(mv),
            None => coder.raw(16, bits.into()) as u16,
        }
    }
}

/// The classes of a predicted score: thirds of those of its size.
const SIZES: usize = SPREADS / 3;

/// The legal move that leads from a state to a position, if one does.
fn move_between(state: &State<()>, after: &Setup) -> Option<Move16> {
    let before = ByteBoard::of_setup(&state.setup());
    let board = ByteBoard::of_setup(after);
    let mut changed = (0..81).filter(|&square| before.cells()[square] != board.cells()[square]);
    let (first, second) = (changed.next()?, changed.next());
    if changed.next().is_some() {
        return None;
    }
    let on = |square: usize| square::from_index(square);
    let mv = match second {
        None => {
            let kind =
                BaseKind::IN_HAND.get(usize::from(board.cells()[first] % cell::PROMOTED).checked_sub(1)?)?;
            Move16::drop(*kind, on(first)?)?
        }
        Some(second) => {
            let (from, to) = if board.cells()[first] == 0 { (first, second) } else { (second, first) };
            let promotes = board.cells()[to] & cell::PROMOTED != before.cells()[from] & cell::PROMOTED;
            Move16::board(on(from)?, on(to)?, promotes)
        }
    };
    let mut state = state.clone();
    state.play(mv).ok()?;
    (state.setup() == *after).then_some(mv)
}

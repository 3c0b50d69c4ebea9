//! [`Position`]: one position, in which moves are made and taken back, and [`Move`].

use std::sync::Arc;

use komabako::board::sfen::{self, Sfen};
use komabako::board::{BaseKind, Color, Setup, Square, ToUsi, diagram, square};
use komabako::features::label;
use komabako::picture;
use komabako::record::legality::LegalityFault;
use komabako::record::record::Labels;
use komabako::record::{Field, FileFormat, GameResult, Loss, LossKind, Record, RecordFault};
use komabako::rules::{
    Declaration, DeclarationRule, Game, Move16, MoveList, OpponentInCheck, Repetition, State,
};
use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyList, PyString, PyTuple, PyType};

use crate::arguments::{Source, packing_of_words};
use crate::fault::{Fault, loss_error, pack_error, play_error, with_flag};
use crate::records::labels;

/// A legal move of a position.
///
/// `int(move)` gives its 16 bits as in PSV, and ``numpy.array(moves, "u2")`` those of several moves. A move equals those bits and other
/// moves with them.
///
/// Examples
/// --------
/// >>> import komabako
/// >>> move = next(move for move in komabako.Position().legal_moves if move.usi == "7g7f")
/// >>> move.csa, move.ki2, move.label, int(move)
/// ('+7776FU', '▲７六歩', 59, 7739)
#[pyclass(frozen, module = "komabako.objects")]
pub struct Move {
    mv: Move16,
    scene: Arc<Scene>,
}

/// The position before a move, which its texts need.
struct Scene {
    state: State,
    /// The target of the move before, which 同 refers to.
    previous: Option<Square>,
}

#[pymethods]
impl Move {
    /// USI text.
    #[getter]
    fn usi(&self) -> String {
        self.mv.to_string()
    }

    /// CSA text.
    #[getter]
    fn csa(&self) -> Option<String> {
        self.scene.state.csa(self.mv).map(|text| text.to_string())
    }

    /// Japanese text, as in KI2 files.
    #[getter]
    fn ki2(&self) -> Option<String> {
        let Scene { state, previous } = &*self.scene;
        state.japanese(self.mv, *previous).map(|text| text.ki2().to_string())
    }

    /// Its class, 0 to 2186, as of `labels`.
    #[getter]
    fn label(&self) -> Option<u16> {
        label::label(self.mv, self.scene.state.side_to_move())
    }

    const fn __int__(&self) -> u16 {
        self.mv.bits()
    }

    const fn __index__(&self) -> u16 {
        self.mv.bits()
    }

    const fn __hash__(&self) -> u64 {
        self.mv.bits() as u64
    }

    fn __eq__(&self, py: Python, other: &Bound<PyAny>) -> PyResult<Py<PyAny>> {
        match other.extract::<u16>() {
            Ok(bits) => (bits == self.mv.bits()).into_py_any(py),
            // An array compares each of its elements.
            Err(_) => Ok(py.NotImplemented()),
        }
    }

    fn __str__(&self) -> String {
        self.usi()
    }

    fn __repr__(&self) -> String {
        format!("<komabako.Move {}>", self.mv)
    }

    const fn __copy__(slf: PyRef<Self>) -> PyRef<Self> {
        slf
    }

    #[pyo3(signature = (memo, /))]
    fn __deepcopy__<'py>(slf: PyRef<'py, Self>, memo: &Bound<PyAny>) -> PyRef<'py, Self> {
        let _ = memo;
        slf
    }
}

/// A move as a caller gives it: a `Move`, its 16 bits as in PSV, or USI text.
pub struct GivenMove(Move16);

impl<'a, 'py> FromPyObject<'a, 'py> for GivenMove {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(mv) = given.cast::<Move>() {
            return Ok(GivenMove(mv.get().mv));
        }
        if let Ok(text) = given.cast::<PyString>() {
            let mv = text.to_cow()?.parse();
            return mv.map(GivenMove).map_err(|_| {
                let text = text.repr().map_or_else(|_| String::new(), |text| text.to_string());
                play_error(given.py(), "MOVE_TEXT", &format!("{text} is not a move in USI text"))
            });
        }
        match given.extract::<u16>() {
            Ok(bits) => Ok(GivenMove(Move16::from_bits(bits))),
            Err(_) => {
                let text = format!("a move is a Move, its 16 bits or USI text, not {}", given.repr()?);
                Err(PyTypeError::new_err(text))
            }
        }
    }
}

/// A position in which moves are made and taken back.
///
/// It knows the moves that led to it, for repetitions. Two positions are equal if board, hands and side to move are.
///
/// Parameters
/// ----------
/// position
///     Another position, which is copied with its moves; SFEN text, also `startpos` and with `moves`; a record of a known dtype, or an
///     array of one; a word of ``codec``, as bytes or u1; or None for the start of an even game.
/// codec
///     The codec of a word.
///
/// Raises
/// ------
/// PlayError
///     If no game can be played from it. One king may be missing, as in tsume problems.
/// DecodeError
///     If a record or a word does not decode.
///
/// Examples
/// --------
/// >>> import komabako
/// >>> position = komabako.Position()
/// >>> position.push("7g7f")
/// >>> position.sfen, len(position.legal_moves)
/// ('lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2', 30)
/// >>> position.pop().usi
/// '7g7f'
#[pyclass(module = "komabako")]
pub struct Position {
    game: Game,
    /// The number of the first move.
    first_ply: u32,
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (position=None, *, codec=None))]
    fn new(py: Python, position: Option<&Bound<PyAny>>, codec: Option<&Bound<PyAny>>) -> PyResult<Position> {
        let Some(given) = position else {
            return Ok(Position { game: Game::new(State::start()), first_ply: 1 });
        };
        if let Ok(other) = given.cast::<Position>() {
            return Ok(other.borrow().__copy__());
        }
        if let Ok(text) = given.cast::<PyString>() {
            return Position::read(py, &text.to_cow()?);
        }
        let (setup, labels) = one_record(given, codec)?;
        Position::begin(py, &setup, labels.ply)
    }

    /// Make a move: a `Move`, its 16 bits as in PSV, or USI text.
    ///
    /// Raises
    /// ------
    /// PlayError
    ///     If the move is not legal; the position is unchanged. A fourth repetition is no error.
    #[pyo3(signature = (mv, /))]
    fn push(&mut self, py: Python, mv: GivenMove) -> PyResult<()> {
        self.game.play(mv.0).map_err(|_| {
            let fault = self.game.state().judge(mv.0).err();
            let name = fault.map_or("MOVE_MALFORMED", |fault| fault.name());
            let reason = fault.map_or_else(String::new, |fault| format!(": {fault}"));
            play_error(py, name, &format!("{} is not legal here{reason}", mv.0))
        })
    }

    /// Take back the last move, and return it.
    ///
    /// Raises
    /// ------
    /// IndexError
    ///     If no move was made.
    fn pop(&mut self) -> PyResult<Move> {
        let mv = self.game.take_back().ok_or_else(|| PyIndexError::new_err("no move was made"))?;
        Ok(Move { mv, scene: self.scene() })
    }

    /// The legal moves, ``list[Move]``.
    #[getter]
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut moves = MoveList::new();
        self.game.state().legal_moves(&mut moves);
        let scene = self.scene();
        PyList::new(py, moves.iter().map(|&mv| Move { mv, scene: Arc::clone(&scene) }))
    }

    /// The legal moves as ``list[int]``, 16 bits as in PSV: faster than `legal_moves`.
    #[getter]
    fn legal_moves16<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut moves = MoveList::new();
        self.game.state().legal_moves(&mut moves);
        PyList::new(py, moves.iter().map(|mv| mv.bits()))
    }

    /// Whether a move is legal: a `Move`, its 16 bits as in PSV, or USI text.
    #[pyo3(signature = (mv, /))]
    fn is_legal(&self, mv: GivenMove) -> bool {
        self.game.state().is_legal(mv.0)
    }

    /// Whether the side to move is in check.
    #[getter]
    fn is_check(&self) -> bool {
        let state = self.game.state();
        state.is_in_check(state.side_to_move())
    }

    /// Whether the side to move has no legal move, so that it has lost.
    #[getter]
    fn is_mate(&self) -> bool {
        !self.game.state().has_legal_move()
    }

    /// Whether this is the fourth occurrence of the position: ``"draw"``, ``"win"`` or ``"loss"`` of the side to move (after perpetual
    /// check), or None.
    #[getter]
    fn repetition(&self) -> Option<&'static str> {
        match self.game.repetition()? {
            Repetition::Draw => Some("draw"),
            Repetition::PerpetualCheck(loser) if loser == self.game.state().side_to_move() => Some("loss"),
            Repetition::PerpetualCheck(_) => Some("win"),
        }
    }

    /// Whether the side to move wins if it declares now (入玉宣言, 27 points).
    #[getter]
    fn declares_win(&self) -> bool {
        self.game.state().declare(DeclarationRule::Points27, 0) == Some(Declaration::Win)
    }

    /// The side to move, 0 for Black, 1 for White.
    #[getter]
    fn side(&self) -> usize {
        self.game.state().side_to_move().array_index()
    }

    /// The number of the next move, as in SFEN: 1 at the start of a game.
    #[getter]
    fn ply(&self) -> u32 {
        let made = u32::try_from(self.game.ply()).unwrap_or(u32::MAX);
        self.first_ply.saturating_add(made)
    }

    /// Return the piece on a square (``"7g"``, or its number as in `Boards`) as in SFEN, such as ``"P"`` or ``"+r"``, or None.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If there is no such square.
    #[pyo3(signature = (square, /))]
    fn piece_at(&self, square: &Bound<PyAny>) -> PyResult<Option<String>> {
        let found = match square.cast::<PyString>() {
            Ok(name) => square_of(&name.to_cow()?),
            Err(_) => square.extract().ok().and_then(square::from_index),
        };
        let Some(found) = found else {
            return Err(PyValueError::new_err(format!("{} is not a square, such as \"7g\"", square.repr()?)));
        };
        Ok(self.game.state().piece_at(found).map(|piece| piece.to_usi_owned()))
    }

    /// The numbers of Black's and White's P L N S G B R in hand.
    #[getter]
    fn hands<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyTuple>)> {
        let counts = |color| {
            let hand = self.game.state().hand(color);
            PyTuple::new(py, BaseKind::IN_HAND.map(|kind| hand.count(kind)))
        };
        Ok((counts(Color::Black)?, counts(Color::White)?))
    }

    /// SFEN text, with the ply.
    #[getter]
    fn sfen(&self) -> String {
        Sfen { setup: self.setup(), ply: Some(self.ply()) }.to_string()
    }

    /// Pack the position as a word of a codec. Returns bytes, which functions take with ``codec=``.
    ///
    /// Raises
    /// ------
    /// EncodeError
    ///     If the codec cannot represent it.
    #[pyo3(signature = (codec="psv"))]
    fn pack<'py>(&self, py: Python<'py>, codec: &str) -> PyResult<Bound<'py, PyBytes>> {
        let codec = packing_of_words(PyString::new(py, codec).as_any())?.get().codec();
        let word = codec.codec.pack(&self.setup());
        let word = word.map_err(|error| pack_error(py, (0, Fault::Record(error.into()))))?;
        Ok(PyBytes::new(py, &word[..codec.size()]))
    }

    /// Make a record of the position.
    ///
    /// Parameters
    /// ----------
    /// score
    ///     The score seen by the side to move; None is 0.
    /// result
    ///     The winner, ``"black"`` or ``"white"``, or ``"draw"``; None is a draw.
    /// move
    ///     The move of the record: a `Move`, its 16 bits as in PSV, or USI text; None for no move.
    /// format
    ///     The program's name for a format with a dtype, such as ``"psv"`` or ``"hcpe"``.
    ///
    /// Returns
    /// -------
    /// NDArray
    ///     An array of one record, which functions and `numpy.concatenate` take.
    ///
    /// Raises
    /// ------
    /// EncodeError
    ///     If the format cannot hold it.
    /// LossError
    ///     If a score, a result or a move is given that the format has no field for.
    #[pyo3(signature = (score=None, result=None, r#move=None, format="psv"))]
    fn record<'py>(
        &self,
        py: Python<'py>,
        score: Option<i64>,
        result: Option<&str>,
        r#move: Option<GivenMove>,
        format: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let given = [
            (Field::Score, score.is_some()),
            (Field::Result, result.is_some()),
            (Field::Move, r#move.is_some()),
        ];
        if let Ok(written) = format.parse::<FileFormat>() {
            let dropped = given.iter().filter(|(field, is_given)| *is_given && !written.holds(*field));
            let dropped = dropped.map(|&(field, _)| Loss { field, kind: LossKind::Dropped }.to_string());
            let dropped: Vec<String> = dropped.collect();
            if !dropped.is_empty() {
                return Err(with_flag(py, loss_error(py, dropped), "can_allow", false));
            }
        }
        let result = match result.unwrap_or("draw") {
            "black" => GameResult::BlackWin,
            "white" => GameResult::WhiteWin,
            "draw" => GameResult::Draw,
            other => {
                let text = format!("result is \"black\", \"white\" or \"draw\", not {other:?}");
                return Err(PyValueError::new_err(text));
            }
        };
        let labels = Labels {
            score: Some(checked_score(score.unwrap_or(0))?),
            best_move: r#move.map(|mv| mv.0.into()),
            result: Some(result),
            ply: Some(self.ply()),
            ..Labels::default()
        };
        records_array(py, [Record { setup: self.setup(), labels }], format)
    }

    /// The board as text.
    fn __repr__(&self) -> String {
        format!("{}, move {}", diagram::ascii(&self.setup()), self.ply())
    }

    /// The board as a picture, for notebooks.
    fn _repr_svg_(&self) -> String {
        picture::svg(&self.setup(), picture::Style::Board, Color::Black).to_string()
    }

    fn __eq__(&self, other: &Position) -> bool {
        self.setup() == other.setup()
    }

    fn __hash__(&self) -> u64 {
        self.game.state().key()
    }

    /// A copy with its history.
    fn __copy__(&self) -> Position {
        Position { game: self.game.clone(), first_ply: self.first_ply }
    }

    #[pyo3(signature = (memo, /))]
    fn __deepcopy__(&self, memo: &Bound<PyAny>) -> Position {
        let _ = memo;
        self.__copy__()
    }

    /// The class, and the text from which it makes an equal position with the same moves.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (String,)) {
        let position = slf.borrow();
        let mut start = position.game.clone();
        while start.take_back().is_some() {}
        let setup = start.state().setup();
        let mut text = Sfen { setup, ply: Some(position.first_ply) }.to_string();
        if position.game.ply() > 0 {
            text.push_str(" moves");
        }
        for mv in position.game.moves() {
            text.push(' ');
            text.push_str(&mv.to_string());
        }
        (slf.get_type(), (text,))
    }
}

impl Position {
    fn setup(&self) -> Setup {
        self.game.state().setup()
    }

    fn scene(&self) -> Arc<Scene> {
        let previous = self.game.moves().next_back().and_then(|mv| mv.to());
        Arc::new(Scene { state: self.game.state().clone(), previous })
    }

    /// The start of a game from a position.
    fn begin(py: Python, setup: &Setup, ply: Option<u32>) -> PyResult<Position> {
        let refused = |fault: LegalityFault| play_error(py, fault.name(), &fault.to_string());
        let position = komabako::board::Position::new_tsume(*setup)
            .map_err(|error| refused(LegalityFault::Position(error.faults()[0])))?;
        let state =
            State::new(&position).map_err(|OpponentInCheck| refused(LegalityFault::OpponentInCheck))?;
        Ok(Position { game: Game::new(state), first_ply: ply.unwrap_or(1).max(1) })
    }

    /// The position after the moves of USI text.
    fn read(py: Python, text: &str) -> PyResult<Position> {
        let (start, moves) =
            sfen::parse_game(text).map_err(|error| play_error(py, "SFEN", &error.to_string()))?;
        let mut position = Position::begin(py, &start.setup, start.ply)?;
        for mv in moves {
            let mv = mv.map_err(|error| play_error(py, "MOVE_TEXT", &error.to_string()))?;
            let mv = Move16::from_move(mv).unwrap_or(Move16::NONE);
            position.push(py, GivenMove(mv))?;
        }
        Ok(position)
    }
}

/// The square of USI text, such as `7g`.
fn square_of(name: &str) -> Option<Square> {
    let &[file, rank] = name.as_bytes() else { return None };
    let file = komabako::board::File::from_usi(file)?;
    Some(square::at(file, komabako::board::Rank::from_usi(rank)?))
}

/// The position and the labels of a record, of an array of one, or of a word.
fn one_record(given: &Bound<PyAny>, codec: Option<&Bound<PyAny>>) -> PyResult<(Setup, Labels)> {
    let py = given.py();
    // Records of an array (`numpy.void`) and rows of words have a dimension less than arrays of them.
    let reshape = |shape: &[isize]| given.call_method1(intern!(py, "reshape"), (shape.to_vec(),));
    let rows = match given.cast::<PyUntypedArray>() {
        Ok(array) if array.dtype().has_fields() => reshape(&[-1])?,
        Ok(array) if array.ndim() == 1 => reshape(&[1, -1])?,
        Ok(_) => given.clone(),
        Err(_) if given.hasattr(intern!(py, "dtype"))? => reshape(&[1])?,
        Err(_) => given.clone(),
    };
    let source = Source::new(&rows, codec)?;
    if source.len() != 1 {
        let text = format!("a Position is of one record, not of {}", source.len());
        return Err(PyValueError::new_err(text));
    }
    let positions = source.positions();
    let read = || {
        let setup = positions.setup(py, 0)?;
        let read = source.format().map(|format| labels(&positions, format, 0));
        let labels = read.transpose().map_err(|fault| positions.error(py, (0, fault)))?;
        Ok((setup, labels.unwrap_or_default()))
    };
    read().map_err(|error| with_flag(py, error, "can_mask", false))
}

/// A score of 16 bits.
pub fn checked_score(score: i64) -> PyResult<i16> {
    i16::try_from(score).map_err(|_| {
        PyValueError::new_err(format!("a score is an integer from -32768 to 32767, not {score}"))
    })
}

/// An array of records in a format that has a dtype.
pub fn records_array<'py>(
    py: Python<'py>,
    records: impl IntoIterator<Item = Record>,
    format: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let dtypes = py.import(intern!(py, "komabako.dtypes"))?.getattr(intern!(py, "DTYPES"))?;
    let found: Option<FileFormat> = format.parse().ok();
    let (Some(found), true) = (found, dtypes.contains(format)?) else {
        let text =
            format!("format is the name of one with a dtype, such as \"psv\" or \"hcpe\", not {format:?}");
        return Err(PyValueError::new_err(text));
    };
    let mut bytes = Vec::new();
    for (number, record) in records.into_iter().enumerate() {
        let encoded: Result<(), RecordFault> = found.encode(&record, &mut bytes);
        encoded.map_err(|fault| {
            with_flag(py, pack_error(py, (number, Fault::Record(fault))), "makes_records", true)
        })?;
    }
    let numpy = py.import(intern!(py, "numpy"))?;
    // A bytearray, so that the array can be written to.
    let bytes = PyByteArray::new(py, &bytes);
    numpy.call_method1(intern!(py, "frombuffer"), (bytes, dtypes.get_item(format)?))
}

//! Legal and played moves: their texts, and the state of the game.

use komabako::board::sfen::{self, Sfen};
use komabako::board::{Position, Square, usi};
use komabako::kifu::Notation;
use komabako::rules::{Declaration, DeclarationRule, Game, Illegality, Move16, MoveList, Repetition, State};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::vocabulary::{ColorName, KindName, SquareName};

/// A position and the moves that were played from it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
    sfen: String,
    #[serde(default)]
    moves: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadMove {
    // The members of `Played`. To flatten it, serde would read any JSON into a buffer first, in code of its own.
    sfen: String,
    #[serde(default)]
    moves: Vec<String>,
    text: String,
}

/// A move in every notation.
#[derive(Serialize)]
pub struct MoveText {
    usi: String,
    csa: String,
    japanese: String,
}

#[derive(Serialize)]
struct LegalMove {
    #[serde(flatten)]
    text: MoveText,
    from: Option<SquareName>,
    to: Option<SquareName>,
    drop: Option<KindName>,
    promotes: bool,
    captures: bool,
    check: bool,
}

#[derive(Serialize)]
pub struct Legal {
    sfen: String,
    moves: Vec<LegalMove>,
    standing: Standing,
}

#[derive(Serialize)]
pub struct Line {
    moves: Vec<PlayedMove>,
    sfen: String,
    standing: Standing,
}

/// A move of a line and the position after it.
#[derive(Serialize)]
pub struct PlayedMove {
    #[serde(flatten)]
    text: MoveText,
    sfen: String,
}

/// The state of a game, as reported by `komabako play`.
#[derive(Serialize)]
struct Standing {
    side: ColorName,
    check: bool,
    checkers: Vec<SquareName>,
    over: Option<&'static str>,
    occurrences: usize,
    repetition: Option<RepetitionText>,
    declaration: Option<u32>,
}

#[derive(Serialize)]
struct RepetitionText {
    draw: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    loser: Option<ColorName>,
}

impl PlayedMove {
    /// A move and the state after it.
    pub fn new(text: MoveText, after: &State<()>) -> Self {
        Self { text, sfen: Sfen { setup: after.setup(), ply: None }.to_string() }
    }
}

impl MoveText {
    /// The move in USI.
    pub fn usi(&self) -> &str {
        &self.usi
    }

    /// The texts of a legal move; `previous` is the destination of the previous move, for 同.
    pub fn new<K: komabako::rules::zobrist::Key>(
        state: &State<K>,
        mv: Move16,
        previous: Option<Square>,
    ) -> Self {
        Self {
            usi: mv.to_string(),
            csa: state.csa(mv).map_or_else(String::new, |csa| csa.to_string()),
            japanese: state.japanese(mv, previous).map_or_else(String::new, |text| text.to_string()),
        }
    }
}

/// The state of a position from which a game can be played.
///
/// # Errors
/// The first fault of the position.
pub fn state<K: komabako::rules::zobrist::Key>(sfen: &Sfen) -> Result<State<K>, Failure> {
    let position = Position::new_tsume(sfen.setup).map_err(|error| Failure::new("POSITION", &error))?;
    State::new(&position).map_err(|error| Failure::new("OPPONENT_IN_CHECK", &error))
}

/// A game in progress, and the ply of its first position.
struct OngoingGame {
    game: Game,
    ply: Option<u32>,
}

impl OngoingGame {
    fn new(text: &str) -> Result<Self, Failure> {
        let sfen = sfen::parse(text)?;
        Ok(Self { game: Game::new(state(&sfen)?), ply: sfen.ply })
    }

    /// Plays moves from a position.
    fn replay(sfen: &str, moves: &[String]) -> Result<Self, Failure> {
        let mut ongoing = Self::new(sfen)?;
        for (index, text) in moves.iter().enumerate() {
            ongoing.play(index, text)?;
        }
        Ok(ongoing)
    }

    /// Plays a move and returns its texts.
    fn play(&mut self, index: usize, text: &str) -> Result<MoveText, Failure> {
        let mv = read_usi(self.game.state(), text).map_err(|failure| failure.at_move(index, text))?;
        let text = MoveText::new(self.game.state(), mv, self.previous());
        let usi = text.usi.clone();
        self.game.play(mv).map_err(|error| Failure::new("MOVE", &error).at_move(index, &usi))?;
        Ok(text)
    }

    /// The destination of the last move.
    fn previous(&self) -> Option<Square> {
        self.game.moves().next_back().and_then(Move16::to)
    }

    fn sfen(&self) -> String {
        let played = u32::try_from(self.game.ply()).unwrap_or(u32::MAX);
        let ply = self.ply.map(|ply| ply.saturating_add(played));
        Sfen { setup: self.game.state().setup(), ply }.to_string()
    }

    fn standing(&self) -> Standing {
        let state = self.game.state();
        let side = state.side_to_move();
        let check = state.is_in_check(side);
        let over = match (state.count_legal_moves(), check) {
            (0, true) => Some("checkmate"),
            (0, false) => Some("stalemate"),
            _ => None,
        };
        let repetition = self.game.repetition().map(|repetition| match repetition {
            Repetition::Draw => RepetitionText { draw: true, loser: None },
            Repetition::PerpetualCheck(loser) => RepetitionText { draw: false, loser: Some(loser.into()) },
        });
        let may_declare = state.declare(DeclarationRule::Points27, 0) == Some(Declaration::Win);
        Standing {
            side: side.into(),
            check,
            checkers: state.checkers().into_iter().map(SquareName).collect(),
            over,
            occurrences: self.game.occurrences(),
            repetition,
            declaration: may_declare.then(|| state.declaration_points()),
        }
    }
}

/// Reads a legal move in USI.
///
/// # Errors
/// The text is not a move, or the rules forbid the move.
pub fn read_usi<K: komabako::rules::zobrist::Key>(state: &State<K>, text: &str) -> Result<Move16, Failure> {
    let mv = usi::parse(text, state.side_to_move()).map_err(|error| Failure::new("USI", &error))?;
    let mv = Move16::from_move(mv).ok_or(Illegality::Malformed)?;
    state.judge(mv)?;
    Ok(mv)
}

/// The legal moves after the moves of the request, in the order of their texts.
pub fn legal(request: &Played) -> Result<Legal, Failure> {
    let ongoing = OngoingGame::replay(&request.sfen, &request.moves)?;
    let state = ongoing.game.state();
    let previous = ongoing.previous();
    let mut list = MoveList::new();
    state.legal_moves(&mut list);
    let mut moves: Vec<LegalMove> = Vec::new();
    for &mv in &list {
        let text = MoveText::new(state, mv, previous);
        let place = moves.partition_point(|other| other.text.usi < text.usi);
        let mv = LegalMove {
            text,
            from: mv.from().map(SquareName),
            to: mv.to().map(SquareName),
            drop: mv.dropped().map(KindName),
            promotes: mv.is_promotion(),
            captures: mv.to().is_some_and(|to| state.piece_at(to).is_some()),
            check: state.gives_check(mv),
        };
        moves.insert(place, mv);
    }
    Ok(Legal { sfen: ongoing.sfen(), moves, standing: ongoing.standing() })
}

/// Plays the moves of the request.
pub fn play(request: &Played) -> Result<Line, Failure> {
    let mut ongoing = OngoingGame::new(&request.sfen)?;
    let mut moves = Vec::new();
    for (index, text) in request.moves.iter().enumerate() {
        let text = ongoing.play(index, text)?;
        moves.push(PlayedMove { text, sfen: ongoing.sfen() });
    }
    Ok(Line { moves, sfen: ongoing.sfen(), standing: ongoing.standing() })
}

/// Reads a move in any notation.
pub fn read(request: &ReadMove) -> Result<MoveText, Failure> {
    let ongoing = OngoingGame::replay(&request.sfen, &request.moves)?;
    let state = ongoing.game.state();
    let previous = ongoing.previous();
    let text = request.text.trim();
    let mv = match Notation::of(text) {
        Notation::Usi => read_usi(state, text)?,
        Notation::Csa => state.parse_csa(text)?,
        Notation::Japanese => state.parse_japanese(text, previous)?,
    };
    Ok(MoveText::new(state, mv, previous))
}

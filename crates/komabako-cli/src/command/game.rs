//! A position and moves from the command line: the starting point of `perft`, `moves` and `play`.

use std::path::Path;

use clap::Args;
use komabako::board::sfen::{self, Sfen};
use komabako::board::usi::{self, UsiFault};
use komabako::board::{Color, Position};
use komabako::rules::{Game, Illegality, Move16, OpponentInCheck, State};

use super::game_file;
use crate::context::Context;
use crate::fault::Fault;
use crate::message::{Lang, Report};
use crate::outcome::Failure;

/// The options that name a position.
#[derive(Args)]
pub struct GameArgs {
    #[arg(value_name = "POSITION|MOVES")]
    words: Vec<String>,
    #[arg(long, value_name = "SFEN")]
    sfen: Option<String>,
}

/// A game and the ply of its first position, if the text gives it.
pub struct StartedGame {
    pub game: Game,
    ply: Option<u32>,
}

impl StartedGame {
    /// The current position, with its ply counted from the first.
    pub fn sfen(&self) -> Sfen {
        let played = u32::try_from(self.game.ply()).unwrap_or(u32::MAX);
        let ply = self.ply.map(|ply| ply.saturating_add(played));
        Sfen { setup: self.game.state().setup(), ply }
    }
}

impl GameArgs {
    /// Takes a single number given in place of a position, such as the depth in `perft 5`.
    pub fn take_number(&mut self) -> Option<u32> {
        let [word] = &self.words[..] else { return None };
        let number = word.parse().ok()?;
        self.words.clear();
        Some(number)
    }

    /// Reads the position and plays the moves after it.
    pub fn start(&self, context: &Context) -> Result<StartedGame, Failure> {
        let lang = context.lang;
        let named = self.words.join(" ");
        let texts = match game_file::is_named(&named) {
            true => vec![game_file::usi(Path::new(&named), lang)?],
            false => self.sfen.iter().chain(&self.words).cloned().collect(),
        };
        let (position, moves) = split_position(&texts);
        let sfen = sfen::parse(&position).map_err(|error| {
            if let Some(failure) = game_file::missing(&named, lang) {
                return failure;
            }
            let what = lang.position_at_column(error.column, lang.fault(&Fault::Sfen(error)));
            Failure::CouldNotRun(Report::new(what, lang.game_help()).of_kind("sfen"))
        })?;
        let unplayable = |why| {
            let report = Report::new(lang.not_playable(why), lang.unplayable_help());
            Failure::CouldNotRun(report.of_kind("position"))
        };
        let position = Position::new_tsume(sfen.setup)
            .map_err(|error| unplayable(lang.position_fault(&error.faults()[0])))?;
        let state = State::new(&position).map_err(|OpponentInCheck| unplayable(lang.opponent_in_check()))?;
        let mut game = Game::new(state);
        for word in moves {
            let number = game.ply() + 1;
            let mv = read_move(word, &game, lang).map_err(|why| {
                let what = lang.not_a_move(number, why);
                Failure::Bad(Report::new(what, lang.move_help()).of_kind("move_text"))
            })?;
            if let Err(error) = game.play(mv) {
                let why = game.state().judge(mv).err().unwrap_or(Illegality::Malformed);
                let what = lang.illegal_move(number, error.mv, lang.illegality(why));
                return Err(Failure::Bad(Report::new(what, lang.illegal_help()).of_kind("illegal_move")));
            }
        }
        Ok(StartedGame { game, ply: sfen.ply })
    }
}

/// The position, by default the start position, and the moves after it: the words after `moves`, or from the first word that
/// looks like a move.
fn split_position(texts: &[String]) -> (String, Vec<&str>) {
    // Split only at ASCII white space: the Japanese `同　歩` is one word.
    let words: Vec<&str> = texts.iter().flat_map(|text| text.split_ascii_whitespace()).collect();
    let count = words.iter().take_while(|word| **word != "moves" && !looks_like_move(word)).count();
    let (position, moves) = words.split_at(count);
    let position = if position.is_empty() { "startpos".to_owned() } else { position.join(" ") };
    (position, moves.iter().copied().filter(|word| *word != "moves").collect())
}

/// Whether a word begins like a move in USI, CSA or Japanese.
fn looks_like_move(word: &str) -> bool {
    let unsigned = word.strip_prefix(['+', '-']);
    let is_csa = unsigned.is_some_and(|text| text.starts_with(|next: char| next.is_ascii_digit()));
    let is_japanese = !word.is_ascii();
    // `7g7g` is read as a move, so that it is refused as one rather than as an SFEN.
    let is_usi = || match usi::parse(word, Color::Black) {
        Ok(_) => true,
        Err(error) => error.fault == UsiFault::SameSquare,
    };
    is_csa || is_japanese || is_usi()
}

/// Reads a move in USI, CSA or Japanese.
fn read_move(word: &str, game: &Game, lang: Lang) -> Result<Move16, String> {
    let state = game.state();
    let previous = game.moves().next_back().and_then(Move16::to);
    // `cli` has replaced the hyphen with a minus sign.
    let word = &*word.replace('−', "-");
    if word.starts_with(['+', '-']) {
        return state.parse_csa(word).map_err(|error| lang.move_text_error(&error));
    }
    if !word.is_ascii() {
        return state.parse_japanese(word, previous).map_err(|error| lang.move_text_error(&error));
    }
    let mv = usi::parse(word, state.side_to_move()).map_err(|error| lang.usi_error(&error))?;
    Move16::from_move(mv).ok_or_else(|| lang.illegality(Illegality::Malformed))
}

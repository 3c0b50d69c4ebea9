//! A position and moves from the command line: the starting point of `perft`, `moves`, `play` and `diagram`.

use std::io::Write;
use std::path::Path;

use clap::Args;
use komabako::board::sfen::{self, Sfen};
use komabako::board::{Position, usi};
use komabako::kifu::{self, Notation, Text};
use komabako::rules::{Game, Illegality, Move16, MoveTextError, State};

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
    /// That its file has other games, in the user's language.
    pub note: Option<String>,
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

    /// Takes the last word, such as the output in `diagram startpos start.svg`.
    pub fn take_last(&mut self) -> Option<String> {
        self.words.pop()
    }

    /// Reads the position and plays the moves after it. Prints a note if its file has other games.
    pub fn start(&self, context: &Context) -> Result<StartedGame, Failure> {
        let named = self.words.join(" ");
        let lang = context.lang;
        if game_file::is_named(&named) {
            if self.sfen.is_some() {
                return Err(Failure::CouldNotRun(lang.sfen_beside_file(named)));
            }
            let (game, has_others) = game_file::first(Path::new(&named), lang)?;
            let note = if has_others { Some(lang.first_of_games(named)) } else { None };
            if let Some(note) = &note
                && !context.is_silent(false)
            {
                // Standard error may be closed; the game is shown all the same.
                let _ = writeln!(context.stderr(), "{note}");
            }
            return Ok(StartedGame { note, ..start(&game_file::usi(&game.record), lang)? });
        }
        let text = self.sfen.iter().chain(&self.words).cloned().collect::<Vec<_>>().join(" ");
        // The words of an argument may be on several lines.
        start(&text.replace(['\n', '\r'], " "), lang)
    }
}

/// Reads a position and plays the moves after it; moves alone, or no text, start from the start position.
pub fn start(text: &str, lang: Lang) -> Result<StartedGame, Failure> {
    let (position, moves) = match Text::of(text) {
        Text::Position { sfen, moves } => (sfen, moves),
        Text::Moves(moves) => ("startpos", moves),
        Text::Games(_) | Text::Unknown if text.is_empty() => ("startpos", ""),
        // No SFEN begins so: it is meant as moves, unless it names a file that is missing.
        Text::Unknown
            if !text.starts_with(|letter: char| letter.is_ascii()) && game_file::missing(text).is_none() =>
        {
            ("startpos", text)
        }
        Text::Games(_) | Text::Unknown => (text, ""),
    };
    let sfen = sfen::parse(position).map_err(|error| {
        if let Some(error) = game_file::missing(text) {
            return error.into();
        }
        let what = lang.position_at_column(error.column, lang.fault(&Fault::Sfen(error)));
        Failure::CouldNotRun(Report::new(what, lang.game_help()).of_kind("sfen"))
    })?;
    let mut game = begun(&sfen, lang)?;
    for word in kifu::moves(moves) {
        let number = game.ply() + 1;
        let mv = read_move(word, &game, lang).map_err(|(why, help)| {
            let what = lang.not_a_move(number, word, why);
            Failure::Bad(Report::new(what, help).of_kind("move_text"))
        })?;
        if let Err(error) = game.play(mv) {
            let why = game.state().judge(mv).err().unwrap_or(Illegality::Malformed);
            return Err(Failure::Bad(lang.illegal_move(number, error.mv, lang.say(&why))));
        }
    }
    Ok(StartedGame { game, ply: sfen.ply, note: None })
}

/// A game that begins with a position.
fn begun(sfen: &Sfen, lang: Lang) -> Result<Game, Failure> {
    let unplayable = |why| {
        let report = Report::new(lang.not_playable(why), lang.unplayable_help());
        Failure::CouldNotRun(report.of_kind("position"))
    };
    let position =
        Position::new_tsume(sfen.setup).map_err(|error| unplayable(lang.say(&error.faults()[0])))?;
    let state = State::new(&position).map_err(|error| unplayable(lang.say(&error)))?;
    Ok(Game::new(state))
}

/// Reads a move in USI, CSA or Japanese. An error comes with advice.
fn read_move(word: &str, game: &Game, lang: Lang) -> Result<Move16, (String, String)> {
    let state = game.state();
    let previous = game.moves().next_back().and_then(Move16::to);
    let read = match Notation::of(word) {
        Notation::Usi => {
            let mv = usi::parse(word, state.side_to_move())
                .map_err(|error| (lang.say(&error.what()), lang.move_help()))?;
            return Move16::from_move(mv).ok_or_else(|| (lang.say(&Illegality::Malformed), lang.move_help()));
        }
        // `cli` has replaced the hyphen with a minus sign.
        Notation::Csa => state.parse_csa(&word.replace('−', "-")),
        Notation::Japanese => state.parse_japanese(word, previous),
    };
    read.map_err(|error| {
        let help = match error {
            MoveTextError::Syntax(_) => lang.move_help(),
            MoveTextError::Ambiguous(..) => lang.ambiguous_move_help(),
            MoveTextError::Side | MoveTextError::NoSuchMove => lang.legal_moves_help(),
        };
        (lang.say(&error), help)
    })
}

//! A position of the command line and the moves from it: what `perft`, `moves` and `play` start from.

use std::path::Path;

use clap::Args;
use komabako::board::sfen::{self, Sfen};
use komabako::board::usi::{self, UsiFault};
use komabako::board::{Color, Position};
use komabako::rules::{Game, Illegality, Move16, OpponentInCheck, State};

use super::game_file;
use crate::cli::Context;
use crate::fault::Fault;
use crate::outcome::{Failure, Report};

/// The options that name a position.
#[derive(Args)]
pub struct GameArgs {
    #[arg(value_name = "POSITION|MOVES")]
    words: Vec<String>,
    #[arg(long, value_name = "SFEN")]
    sfen: Option<String>,
}

/// A game and the ply of its first position, if the text says it.
pub struct Started {
    pub game: Game,
    ply: Option<u32>,
}

impl Started {
    /// The position now, its ply counted on.
    pub fn sfen(&self) -> Sfen {
        let played = u32::try_from(self.game.ply()).unwrap_or(u32::MAX);
        let ply = self.ply.map(|ply| ply.saturating_add(played));
        Sfen { setup: self.game.state().setup(), ply }
    }
}

impl GameArgs {
    /// Reads the position and plays the moves after it.
    pub fn start(&self, context: &Context) -> Result<Started, Failure> {
        let lang = context.lang;
        let named = self.words.join(" ");
        let text = match game_file::is_named(&named) {
            true => game_file::usi(Path::new(&named), lang)?,
            false => self.text(),
        };
        let (sfen, moves) = sfen::parse_game(&text).map_err(|error| {
            let what = lang.position_at_column(error.column, lang.fault(&Fault::Sfen(error)));
            Failure::CouldNotRun(Report::new(what, lang.game_help()))
        })?;
        let unplayable =
            |why| Failure::CouldNotRun(Report::new(lang.not_playable(why), lang.unplayable_help()));
        let position = Position::new_tsume(sfen.setup)
            .map_err(|error| unplayable(lang.position_fault(&error.faults()[0])))?;
        let state = State::new(&position).map_err(|OpponentInCheck| unplayable(lang.opponent_in_check()))?;
        let mut game = Game::new(state);
        for mv in moves {
            let number = game.ply() + 1;
            let mv = mv.map_err(|error| {
                let what = lang.not_a_move(number, lang.usi_error(&error));
                Failure::Bad(Report::new(what, lang.usi_help()))
            })?;
            let mv = Move16::from_move(mv).expect("USI text drops no king and names two squares that differ");
            if let Err(error) = game.play(mv) {
                let why = game.state().judge(mv).err().unwrap_or(Illegality::Malformed);
                let what = lang.illegal_move(number, error.mv, lang.illegality(why));
                return Err(Failure::Bad(Report::new(what, lang.illegal_help())));
            }
        }
        Ok(Started { game, ply: sfen.ply })
    }

    /// The position and its moves as one text: the start position if no other is named.
    fn text(&self) -> String {
        let words = self.words.join(" ");
        let moves = words.strip_prefix("moves ").unwrap_or(&words);
        // `7g7g` is read as a move, so that it is refused as one rather than as an SFEN.
        let is_move = |word: &&str| {
            usi::parse(word, Color::Black).map_or_else(|error| error.fault == UsiFault::SameSquare, |_| true)
        };
        let starts_with_move = moves.split_whitespace().next().filter(is_move).is_some();
        match &self.sfen {
            Some(sfen) if moves.is_empty() || sfen.contains(" moves ") => format!("{sfen} {moves}"),
            Some(sfen) => format!("{sfen} moves {moves}"),
            None if words.is_empty() => "startpos".to_owned(),
            None if starts_with_move => format!("startpos moves {moves}"),
            None => words,
        }
    }
}

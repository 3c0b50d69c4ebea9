//! `komabako moves`: the legal moves of a position.

use clap::Args;
use komabako::board::Square;
use komabako::rules::{Move16, MoveList, State};
use serde::Serialize;

use super::game::GameArgs;
use crate::context::Context;
use crate::json::{Envelope, object};
use crate::outcome::{Failure, Outcome};

#[derive(Args)]
pub struct Moves {
    #[command(flatten)]
    start: GameArgs,
    #[arg(long)]
    japanese: bool,
    #[arg(long, conflicts_with = "japanese")]
    csa: bool,
    #[arg(long)]
    checks: bool,
    #[arg(long, conflicts_with_all = ["japanese", "csa"])]
    json: bool,
}

/// A move in every notation.
#[derive(Serialize)]
struct Texts {
    usi: String,
    csa: String,
    japanese: String,
}

impl Moves {
    pub fn run(&self, context: &Context) -> Result<Outcome, Failure> {
        let started = self.start.start(context)?;
        let state = started.game.state();
        let previous = started.game.moves().next_back().and_then(Move16::to);
        let mut moves = MoveList::new();
        state.legal_moves(&mut moves);
        let wanted = moves.iter().filter(|mv| !self.checks || state.gives_check(**mv));
        let mut moves: Vec<Texts> = wanted.map(|&mv| texts(state, mv, previous)).collect();
        moves.sort_by(|one, other| one.usi.cmp(&other.usi));
        let listing = object! { sfen: started.sfen().to_string(), legal_moves: moves };
        let note = started.note.map(|note| object! { kind: "first_game", message: note });
        let report = Envelope { notes: note.into_iter().collect(), ..Envelope::with(listing, context) };
        context
            .show(report, |out| moves.iter().try_for_each(|texts| writeln!(out, "{}", self.chosen(texts))))?;
        Ok(Outcome::Clean)
    }

    /// The text in the notation that the options choose.
    fn chosen<'a>(&self, texts: &'a Texts) -> &'a str {
        match (self.japanese, self.csa) {
            (true, _) => &texts.japanese,
            (_, true) => &texts.csa,
            _ => &texts.usi,
        }
    }
}

/// The texts of a legal move; `previous` is the target of the preceding move.
fn texts(state: &State, mv: Move16, previous: Option<Square>) -> Texts {
    let text = |text: Option<String>| text.unwrap_or_default();
    Texts {
        usi: mv.to_string(),
        csa: text(state.csa(mv).map(|csa| csa.to_string())),
        japanese: text(state.japanese(mv, previous).map(|japanese| japanese.to_string())),
    }
}

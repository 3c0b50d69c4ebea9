//! `komabako play`: plays moves and shows the position after them.

use std::io::Write;

use clap::Args;
use komabako::board::diagram;
use komabako::rules::{Declaration, DeclarationRule};

use super::game::{GameArgs, StartedGame};
use crate::context::Context;
use crate::message::Lang;
use crate::outcome::{Failure, Outcome};

#[derive(Args)]
pub struct Play {
    #[command(flatten)]
    start: GameArgs,
    #[arg(long)]
    diagram: bool,
}

impl Play {
    pub fn run(&self, context: &Context) -> Result<Outcome, Failure> {
        let started = self.start.start(context)?;
        let sfen = started.sfen();
        context.print(|out| {
            writeln!(out, "{sfen}")?;
            if self.diagram {
                writeln!(out, "{}", diagram::kanji(&sfen.setup))?;
            }
            writeln!(out, "{}", standing(&started, context.lang))
        })?;
        Ok(Outcome::Clean)
    }
}

/// The state of the game in one line: side to move, check, mate, repetition, declaration.
fn standing(started: &StartedGame, lang: Lang) -> String {
    let game = &started.game;
    let state = game.state();
    let side = state.side_to_move();
    let in_check = state.is_in_check(side);
    let mut parts = vec![lang.to_move(lang.say(&side))];
    match (state.count_legal_moves(), in_check) {
        (0, true) => parts.push(lang.checkmate()),
        (0, false) => parts.push(lang.stalemate()),
        (count, true) => parts.extend([lang.in_check(), lang.legal_moves(count)]),
        (count, false) => parts.push(lang.legal_moves(count)),
    }
    match (game.repetition(), game.occurrences()) {
        (Some(repetition), _) => parts.push(lang.repetition(repetition)),
        (None, 1) => {}
        (None, count) => parts.push(lang.occurrences(count)),
    }
    if state.declare(DeclarationRule::Points27, 0) == Some(Declaration::Win) {
        parts.push(lang.may_declare(state.declaration_points()));
    }
    lang.listed(&parts)
}

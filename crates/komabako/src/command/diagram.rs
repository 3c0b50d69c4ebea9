//! `komabako diagram POSITION OUT.svg`: a position as a picture.

use std::path::PathBuf;

use clap::Args;
use komabako::board::Color;
use komabako::picture::{Style, svg};

use super::game::GameArgs;
use crate::context::Context;
use crate::outcome::{Failure, Outcome};

#[derive(Args)]
pub struct Diagram {
    #[command(flatten)]
    start: GameArgs,
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    #[arg(long)]
    book: bool,
    #[arg(long)]
    flip: bool,
    #[arg(long, short)]
    force: bool,
}

impl Diagram {
    pub fn run(mut self, context: &Context) -> Result<Outcome, Failure> {
        let lang = context.lang;
        let output = PathBuf::from(self.start.take_last().unwrap_or_default());
        let is_svg = output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
        if !is_svg && !super::job::is_dash(&output) {
            return Err(Failure::CouldNotRun(lang.diagram_without_output()));
        }
        let mut game = self.start.start(context)?.game;
        if let Some(ply) = self.ply {
            if ply > game.ply() {
                return Err(Failure::CouldNotRun(lang.no_such_ply(ply, game.ply())));
            }
            while game.ply() > ply {
                game.take_back();
            }
        }
        let style = if self.book { Style::Book } else { Style::Board };
        let below = if self.flip { Color::White } else { Color::Black };
        let picture = format!("{}\n", svg(&game.state().setup(), style, below));
        let written = super::job::output(output, lang).write(picture.as_bytes(), self.force);
        written?;
        Ok(Outcome::Clean)
    }
}

//! `komabako solve`: mates of tsume problems and positions of games.

mod answers;
mod arguments;
mod batch;
mod budget;
mod certificate;
mod destination;
mod input;
mod known;
mod part_file;
mod record;
mod refused;
mod resume;
mod searches;
mod stated;
mod tree;
mod view;

pub use self::arguments::Solve;
use self::arguments::{ConventionArg, LineArg};
use self::resume::Earlier;
use crate::context::Context;
use crate::outcome::{Failure, Outcome};

impl Solve {
    pub fn run(&self, context: &Context) -> Result<Outcome, Failure> {
        if self.convention == ConventionArg::Strict {
            let options = [("--check", self.check), ("--line author", self.line == LineArg::Author)];
            if let Some((option, _)) = options.iter().find(|(_, is_given)| *is_given) {
                return Err(Failure::CouldNotRun(context.lang.solve_strict(option)));
            }
        }
        // The lock comes before the reading: another run could add answers in between.
        let mut unfinished = resume::claim(self, context)?;
        let earlier = Earlier::read(self, context, unfinished.as_mut())?;
        let tasks = input::open(context, self, earlier)?;
        batch::run(self, context, tasks, unfinished)
    }
}

/// The arguments of a command line.
#[cfg(test)]
fn parsed(options: &[&str]) -> Solve {
    #[derive(clap::Parser)]
    struct Program {
        #[command(flatten)]
        solve: Solve,
    }
    let program: Program = clap::Parser::parse_from([&["solve"], options].concat());
    program.solve
}

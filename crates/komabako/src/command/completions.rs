//! `komabako completions SHELL`: a script that completes the command line.

use std::io::{self, Write};

use clap::Args;
use clap_complete::Shell;

use crate::context::Context;
use crate::outcome::{Failure, Outcome};

#[derive(Args)]
pub struct Completions {
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl Completions {
    pub fn run(&self, context: &Context) -> Result<Outcome, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut (context.program)(context.lang), "komabako", &mut script);
        io::stdout().lock().write_all(&script)?;
        Ok(Outcome::Clean)
    }
}

//! `komabako completions SHELL`: a script that completes the command line.

use std::io::{self, Write};

use clap::Args;
use clap_complete::Shell;

use crate::context::Context;
use crate::message::help::unbroken;
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
        let script = unbroken(&String::from_utf8_lossy(&script));
        io::stdout().lock().write_all(script.as_bytes())?;
        Ok(Outcome::Clean)
    }
}

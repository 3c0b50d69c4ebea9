//! `komabako encode`: SFEN lines to hex words.

use std::path::PathBuf;

use clap::Args;
use komabako::board::sfen;

use crate::cli::Context;
use crate::fault::Fault;
use crate::hex;
use crate::lines::{self, OnBadLine};
use crate::outcome::{Failure, Outcome};
use crate::word::WordFormat;

#[derive(Args)]
pub struct Encode {
    #[arg(value_name = "FILE")]
    inputs: Vec<PathBuf>,
    #[arg(long, value_name = "FORMAT")]
    format: WordFormat,
    #[arg(long, value_name = "WHAT", default_value = "stop")]
    on_error: OnBadLine,
}

impl Encode {
    pub fn run(&self, context: &Context) -> Result<Outcome, Failure> {
        lines::filter(context, &self.inputs, self.on_error, |line, out| {
            let sfen = sfen::parse(line).map_err(Fault::Sfen)?;
            let word = self.format.pack(&sfen.setup, context.backend).map_err(Fault::Pack)?;
            hex::write(out, &word);
            Ok(())
        })
    }
}

//! `komabako random`: positions drawn uniformly from all possible ones.

use std::io::{self, Write};

use clap::Args;
use komabako::board::Setup;
use komabako::board::sfen::Sfen;
use komabako::variants::random::Uniform;

use crate::context::Context;
use crate::fault::Fault;
use crate::hex;
use crate::message::Report;
use crate::outcome::{Failure, Outcome};
use crate::word::NamedFormat;

#[derive(Args)]
pub struct Random {
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    count: u64,
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true)]
    seed: u64,
    #[arg(long, value_name = "FORMAT")]
    format: Option<NamedFormat>,
}

impl Random {
    pub fn run(&self, context: &Context) -> Result<Outcome, Failure> {
        let mut out = io::BufWriter::new(io::stdout().lock());
        for (_, setup) in (0..self.count).zip(Uniform::new(self.seed)) {
            let line = self.line(&setup, context)?;
            writeln!(out, "{line}")?;
        }
        out.flush()?;
        Ok(Outcome::Clean)
    }

    /// The position as SFEN, or as a word if a format is given.
    fn line(&self, setup: &Setup, context: &Context) -> Result<String, Failure> {
        let Some(format) = self.format else {
            return Ok(Sfen { setup: *setup, ply: Some(1) }.to_string());
        };
        let packed = format.pack(setup, context.backend).map_err(|error| {
            let why = context.lang.fault(&Fault::Pack(error));
            Failure::Bad(Report::new(context.lang.not_held(format, why), context.lang.random_help()))
        })?;
        Ok(hex::string(packed.bytes()))
    }
}

//! `komabako decode`: hex words to SFEN lines.

use std::path::PathBuf;

use clap::Args;
use komabako::board::sfen::Sfen;
use komabako::codec::packed_sfen::PhantomPawns;

use super::named::named;
use crate::context::Context;
use crate::fault::Fault;
use crate::lines::{self, OnBadLine};
use crate::outcome::{Failure, Outcome};
use crate::word::NamedFormat;

#[derive(Args)]
pub struct Decode {
    #[arg(value_name = "FILE")]
    inputs: Vec<PathBuf>,
    #[arg(long, alias = "from", value_name = "FORMAT")]
    format: NamedFormat,
    #[arg(long, value_name = "WHAT", default_value = "error", value_parser = named([
        ("strip", PhantomPawns::Strip),
        ("keep", PhantomPawns::Keep),
        ("error", PhantomPawns::Error),
    ]))]
    phantom_pawns: PhantomPawns,
    #[arg(long, value_name = "WHAT", default_value = "stop")]
    on_error: OnBadLine,
}

impl Decode {
    pub fn run(&self, context: &Context) -> Result<Outcome, Failure> {
        lines::filter(context, &self.inputs, self.on_error, |line, out| {
            let packed = self.format.parse(line).map_err(Fault::Hex)?;
            let setup = packed.unpack(context.backend, self.phantom_pawns)?;
            out.extend_from_slice(Sfen { setup, ply: Some(1) }.to_text().as_str().as_bytes());
            if let Some(payload) = packed.payload() {
                out.extend_from_slice(format!("\t{payload}").as_bytes());
            }
            Ok(())
        })
    }
}

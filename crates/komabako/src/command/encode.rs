//! `komabako encode`: SFEN lines to hex words.

use std::path::PathBuf;

use clap::{Args, value_parser};
use komabako::board::{Setup, sfen};
use komabako::kifu::Text;
use komabako::variants::{Payload, WordFormat};

use super::game;
use crate::context::Context;
use crate::fault::Fault;
use crate::hex;
use crate::lines::{self, OnBadLine};
use crate::message::Lang;
use crate::outcome::{Failure, Outcome};
use crate::word::NamedFormat;

#[derive(Args)]
pub struct Encode {
    #[arg(value_name = "FILE")]
    inputs: Vec<PathBuf>,
    #[arg(long, alias = "to", value_name = "FORMAT")]
    format: NamedFormat,
    #[arg(long, value_name = "N", value_parser = value_parser!(u8).range(0..=63))]
    payload: Option<u8>,
    #[arg(long, value_name = "WHAT", default_value = "stop")]
    on_error: OnBadLine,
}

impl Encode {
    pub fn run(&self, context: &Context) -> Result<Outcome, Failure> {
        let payload = self.payload(context.lang)?;
        lines::filter(context, &self.inputs, self.on_error, |line, out| {
            let packed =
                self.format.pack(&position(line, context.lang)?, context.backend).map_err(Fault::Pack)?;
            hex::write(out, packed.with_payload(payload).bytes());
            Ok(())
        })
    }

    /// The payload of every word; 0 if none is given.
    fn payload(&self, lang: Lang) -> Result<Payload, Failure> {
        match self.payload {
            Some(_) if self.format.format != WordFormat::C250 => {
                Err(Failure::CouldNotRun(lang.no_payload(self.format)))
            }
            Some(number) => Ok(Payload::new(number).expect("the option takes 0 to 63")),
            None => Ok(Payload::ZERO),
        }
    }
}

/// The position of a line, after the moves that may follow it.
fn position(line: &[u8], lang: Lang) -> Result<Setup, Fault> {
    let error = match sfen::parse(line) {
        Ok(sfen) => return Ok(sfen.setup),
        Err(error) => error,
    };
    let text = str::from_utf8(line).unwrap_or_default();
    match Text::of(text) {
        Text::Position { moves, .. } if !moves.is_empty() => match game::start(text, lang) {
            Ok(started) => Ok(started.sfen().setup),
            Err(failure) => Err(Fault::Moves(failure.what(lang))),
        },
        _ => Err(Fault::Sfen(error)),
    }
}

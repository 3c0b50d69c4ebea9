//! `komabako certificate FILE…`: checks certificates of mates.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use komabako::dataset::{Compression, DatasetError, Name};
use komabako::tsume::{Certificate, CertificateFault, CertificateStep, Checked};

use crate::context::Context;
use crate::json::{Envelope, Value, object};
use crate::message::Report;
use crate::outcome::{Failure, Outcome};

/// The largest file, uncompressed. It is held in memory.
const MOST_BYTES: u64 = 256 << 20;

#[derive(Args)]
pub struct Certificates {
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[arg(long, conflicts_with = "json")]
    text: bool,
    #[arg(long)]
    json: bool,
}

impl Certificates {
    pub fn run(&self, context: &Context) -> Result<Outcome, Failure> {
        let mut out = context.stdout();
        let mut results = Vec::new();
        let mut all_hold = true;
        for path in &self.files {
            let bytes = read(path)?;
            if bytes.is_empty() {
                let what = format!("{}: {}", path.display(), context.lang.certificate_empty());
                return Err(Failure::CouldNotRun(Report::plain(what).of_kind("empty_input")));
            }
            for (number, certificate) in (1u64..).zip(Certificate::split(&bytes)) {
                let result = certificate.and_then(|own| self.check(&own, &mut out));
                all_hold &= result.is_ok();
                if self.json {
                    results.push(form(path, number, &result, context));
                } else {
                    let written = writeln!(out, "{}", line(path, number, &result, context));
                    written?;
                }
            }
        }
        if self.json {
            let report = Envelope::with(object! { certificates: results }, context);
            report.write(&mut out)?;
        }
        out.flush()?;
        Ok(Outcome::from_findings(!all_hold))
    }

    /// Checks a certificate, and with `--text` writes its nodes, one a line.
    fn check(&self, certificate: &Certificate, out: &mut impl Write) -> Result<Checked, CertificateFault> {
        let mut steps: Vec<CertificateStep> = Vec::new();
        let checked = certificate.walk(|step| {
            if self.text {
                steps.push(step);
            }
        });
        steps.sort_by_key(|step| step.node);
        for node in steps.chunk_by(|a, b| a.node == b.node) {
            // A write error shows again when the result is written.
            let _ = writeln!(out, "{}", node_line(node));
        }
        checked
    }
}

/// A node: its number, its moves, and where each reply leads.
fn node_line(steps: &[CertificateStep]) -> String {
    let mut text = steps[0].node.to_string();
    let mut last = None;
    for step in steps {
        if last != Some(step.check) {
            text += &format!("  {}", step.check);
            last = Some(step.check);
        }
        let to = step.to.map_or_else(|| "-".to_owned(), |to| to.to_string());
        if let Some(reply) = step.reply {
            text += &format!(" {reply}→{to}");
        }
    }
    text
}

fn read(path: &Path) -> Result<Vec<u8>, DatasetError> {
    let not_opened = |error: io::Error| DatasetError::Open(path.to_owned(), error);
    let file = File::open(path).map_err(not_opened)?;
    let decoder = Compression::from_path(path).decoder(file).map_err(not_opened)?;
    let mut bytes = Vec::new();
    let read = decoder.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    let unread =
        |error: io::Error| DatasetError::Read { input: Name::from(path), offset: bytes.len() as u64, error };
    match read {
        Ok(length) if length as u64 > MOST_BYTES => Err(unread(io::ErrorKind::FileTooLarge.into())),
        Ok(_) => Ok(bytes),
        Err(error) => Err(unread(error)),
    }
}

fn line(path: &Path, number: u64, result: &Result<Checked, CertificateFault>, context: &Context) -> String {
    let lang = context.lang;
    let place = format!("{}[{number}]", path.display());
    match result {
        Ok(checked) => {
            let setup = checked.header.setup;
            let shown = lang.certificate_shown(lang.say(checked), lang.nodes(checked.nodes as u64), setup);
            format!("{place}: {shown}")
        }
        Err(fault) => format!("{place}: {}", lang.certificate_not_shown(lang.say(fault))),
    }
}

fn form(path: &Path, number: u64, result: &Result<Checked, CertificateFault>, context: &Context) -> Value {
    let checked = result.as_ref().ok();
    let claim = checked.map(|checked| checked.header.claim);
    object! {
        file: path.display().to_string(),
        number: number,
        holds: result.is_ok(),
        claim: claim.map(|claim| claim.name()),
        rule: checked.map(|checked| checked.header.rule.name()),
        first: checked.and_then(|checked| checked.header.first).map(|check| check.to_string()),
        forbidden: checked.map(|checked| checked.header.forbidden.len()),
        within: claim.and_then(|claim| claim.plies()),
        length: checked.and_then(|checked| checked.length),
        nodes: checked.map(|checked| checked.nodes),
        sfen: checked.map(|checked| checked.header.setup.to_string()),
        message: result.as_ref().err().map(|fault| context.lang.say(fault)),
    }
}

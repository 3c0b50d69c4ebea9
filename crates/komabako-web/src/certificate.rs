//! Certificates of mates, checked by playing: the page does not trust the solver that wrote them.

use komabako::board::sfen::Sfen;
use komabako::tsume::{Certificate, CertificateFault};
use serde::Serialize;

use crate::failure::{Failure, Sentence};

/// One certificate of a file.
#[derive(Serialize)]
pub struct Checked {
    /// What it shows.
    claim: Option<Sentence>,
    sfen: Option<String>,
    nodes: Option<usize>,
    /// Why it does not show its claim.
    error: Option<Failure>,
}

/// Checks the certificates of a file.
pub fn check(file: &[u8]) -> Vec<Checked> {
    Certificate::split(file)
        .map(|certificate| certificate.and_then(|own| check_one(&own)).unwrap_or_else(refused))
        .collect()
}

fn check_one(certificate: &Certificate) -> Result<Checked, CertificateFault> {
    let checked = certificate.check()?;
    Ok(Checked {
        claim: Some(Sentence::of(&checked)),
        sfen: Some(Sfen { setup: checked.header.setup, ply: Some(1) }.to_string()),
        nodes: Some(checked.nodes),
        error: None,
    })
}

fn refused(fault: CertificateFault) -> Checked {
    Checked { claim: None, sfen: None, nodes: None, error: Some(Failure::new("CERTIFICATE", &fault)) }
}

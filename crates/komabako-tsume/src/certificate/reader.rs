//! [`Header`] and [`Reader`]: the fields of a certificate.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use komabako_board::Setup;
use komabako_board::sfen::{self, Sfen};
use komabako_rules::Move16;

use super::{
    Certificate, CertificateFault, CertificateRule, Claim, Fault, HASH, MAGIC, MOST_BYTES, MOST_PLIES,
    TSUME_RULES,
};
use crate::problem::{Hands, Problem, Root, Rules};

/// Reads numbers and moves.
#[derive(Clone)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn left(&self) -> usize {
        self.bytes.len()
    }

    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], Fault> {
        let (first, rest) = self.bytes.split_at_checked(count).ok_or(Fault::End)?;
        self.bytes = rest;
        Ok(first)
    }

    pub fn byte(&mut self) -> Result<u8, Fault> {
        Ok(self.bytes(1)?[0])
    }

    pub fn varint(&mut self) -> Result<u64, Fault> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                return Err(Fault::Limit);
            }
            value |= bits << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Fault::Limit)
    }

    /// A number of plies or of lines, or a move.
    fn short(&mut self) -> Result<u16, Fault> {
        let value = self.varint()?;
        if value > MOST_PLIES.into() { Err(Fault::Limit) } else { Ok(value as u16) }
    }

    pub fn mv(&mut self) -> Result<Move16, Fault> {
        let bytes = self.bytes(2)?;
        Ok(Move16::from_bits(u16::from_le_bytes([bytes[0], bytes[1]])))
    }
}

/// What a certificate is about.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Header {
    /// The claim.
    pub claim: Claim,
    /// How plies are counted.
    pub rule: CertificateRule,
    /// The position, with both hands.
    pub setup: Setup,
    /// The claim is of this first check only.
    pub first: Option<Move16>,
    /// Positions that count as no mate, as lines from the position.
    pub forbidden: Vec<Vec<Move16>>,
}

impl Certificate {
    /// What the certificate is about.
    ///
    /// # Errors
    /// [`CertificateFault::Unknown`], [`CertificateFault::Sfen`], [`CertificateFault::Form`], [`CertificateFault::Problem`], that it ends,
    /// or that it exceeds a limit.
    pub fn header(&self) -> Result<Header, CertificateFault> {
        self.read().map(|(header, _, _)| header)
    }

    /// The header, the position, and the body.
    pub(super) fn read(&self) -> Result<(Header, Problem, Reader<'_>), CertificateFault> {
        let bytes = self.as_bytes();
        if bytes.len() > MOST_BYTES {
            return Err(Fault::Limit.into());
        }
        let mut reader = Reader { bytes: &bytes[MAGIC.len()..bytes.len() - HASH] };
        let (header, problem) = read_header(&mut reader)?;
        Ok((header, problem, reader))
    }
}

fn read_header(reader: &mut Reader<'_>) -> Result<(Header, Problem), CertificateFault> {
    let letter = reader.byte()?;
    let rule = reader.byte()?;
    let unknown = CertificateFault::Unknown { claim: letter.into(), rule: rule.into() };
    let rule = match (letter, rule) {
        (_, b's') => CertificateRule::Strict,
        (b'X', b'f') if TSUME_RULES => CertificateRule::Free,
        (b'W', b't') if TSUME_RULES => CertificateRule::Tsume,
        _ => return Err(unknown),
    };
    let plies = reader.short()?;
    let claim = match letter {
        b'M' => Claim::Mate,
        b'W' => Claim::MateWithin(plies),
        b'X' => Claim::NoMateWithin(plies),
        b'N' => Claim::NoMate,
        _ => return Err(unknown),
    };
    let length = reader.varint()?;
    let text = reader.bytes(usize::try_from(length).map_err(|_| Fault::End)?)?;
    let setup = sfen::parse(text)?.setup;
    if text != text_of(setup).as_bytes() {
        return Err(CertificateFault::Form);
    }
    let problem = Problem::new(&setup, Rules { hands: Hands::AsGiven, root: Root::Attack })?;
    let mut forbidden = Vec::new();
    for _ in 0..reader.short()? {
        let mut line = Vec::new();
        for _ in 0..reader.short()? {
            line.push(reader.mv()?);
        }
        forbidden.push(line);
    }
    let first = reader.short()?;
    let first = if first == 0 { None } else { Some(Move16::from_bits(first)) };
    Ok((Header { claim, rule, setup, first, forbidden }, problem))
}

/// The text of the position, which has one form.
pub(super) fn text_of(setup: Setup) -> String {
    Sfen { setup, ply: Some(1) }.to_string()
}

impl From<Fault> for CertificateFault {
    /// A fault before the first node.
    fn from(fault: Fault) -> CertificateFault {
        CertificateFault::Node { number: 0, path: Vec::new(), fault }
    }
}

//! Certificates: claims about one problem that a program can check which knows the rules only.
//!
//! A [`Certificate`] holds its position and, for every position after it, a move and nothing else: [`Certificate::check`] gets to
//! each position by playing. The specification is `spec/certificates.md`, the format is called KMTC 1.
//!
//! ```
//! use komabako_tsume::{Certificate, Claim, Convention, Limits, Memory, Problem, Rules, Solver};
//! let setup = "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1".parse()?;
//! let problem = Problem::new(&setup, Rules::default())?;
//! let mut solver = Solver::new(Memory::mebibytes(16));
//! let (certificate, _) = solver.certify(&problem, Claim::MateWithin(3), Convention::Strict, &Limits::default())?;
//! // Someone else, who trusts the rules but not the solver:
//! let read = Certificate::new(certificate.as_bytes())?;
//! assert_eq!(read.check()?.length, Some(3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod extract;
mod fault;
mod player;
mod reader;
mod soundness;
mod tsume;

use alloc::vec::Vec;
use core::fmt;

use komabako_board::BaseKind;
use komabako_messages::{Lang, Message, messages, say};
use komabako_rules::Move16;
use sha2::{Digest, Sha256};

pub(crate) use extract::length_in_table;
pub use fault::{CertificateFault, CertifyError, Fault};
pub use reader::Header;

/// The first bytes of a certificate: the name of the format and its version.
const MAGIC: [u8; 5] = *b"KMTC\x01";
/// The most bytes of a certificate. That of Microcosmos has 0.3 MB.
const MOST_BYTES: usize = 64 << 20;
/// The most plies of a claim, a mate, or a line to a node.
const MOST_PLIES: u16 = 65_533;
/// The bytes of the SHA-256 at the end.
const HASH: usize = 32;
/// The kinds of the seven bytes of pieces that change hands.
const KINDS: [BaseKind; 7] = [
    BaseKind::Pawn,
    BaseKind::Lance,
    BaseKind::Knight,
    BaseKind::Silver,
    BaseKind::Bishop,
    BaseKind::Rook,
    BaseKind::Gold,
];

/// The tokens before a node: it follows, or it follows after pieces that change hands. Larger ones refer to an earlier node. In
/// refutations 0 refers to a forbidden position; in mates it comes before a capture whose piece goes back to the defender.
const NODE: u64 = 1;
const NODE_OF_OTHER_HAND: u64 = 2;
const REFERENCE: u64 = 3;
const FORBIDDEN: u64 = 0;
const RETURNED: u64 = 0;

/// Whether certificates by other rules than the strict one are checked; without the feature they are refused as unknown.
const TSUME_RULES: bool = cfg!(feature = "tsume-certificates");

/// How a certificate counts plies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CertificateRule {
    /// Every legal move counts.
    Strict,
    /// An interposed piece that the attacker captures with check and gives back does not count, nor does that capture. A
    /// position without a mate within n plies by this rule has none by the other two.
    Free,
    /// Useless interpositions (無駄合) do not count: the lengths of problems, [`Convention::Tsume`](crate::Convention::Tsume).
    Tsume,
}

impl CertificateRule {
    /// The letter of the rule in a certificate.
    pub const fn letter(self) -> char {
        match self {
            CertificateRule::Strict => 's',
            CertificateRule::Free => 'f',
            CertificateRule::Tsume => 't',
        }
    }

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            CertificateRule::Strict => "strict",
            CertificateRule::Free => "free",
            CertificateRule::Tsume => "tsume",
        }
    }
}

/// What is claimed of the position of a certificate. The attacker is to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Claim {
    /// The attacker mates.
    Mate,
    /// The attacker mates within this number of plies.
    MateWithin(u16),
    /// The attacker does not mate within this number of plies.
    NoMateWithin(u16),
    /// The attacker does not mate.
    NoMate,
}

impl Claim {
    /// The letter of the claim in a certificate.
    pub const fn letter(self) -> char {
        match self {
            Claim::Mate => 'M',
            Claim::MateWithin(_) => 'W',
            Claim::NoMateWithin(_) => 'X',
            Claim::NoMate => 'N',
        }
    }

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Claim::Mate => "mate",
            Claim::MateWithin(_) => "mate-within",
            Claim::NoMateWithin(_) => "no-mate-within",
            Claim::NoMate => "no-mate",
        }
    }

    /// The number of plies that it names.
    pub const fn plies(self) -> Option<u16> {
        match self {
            Claim::MateWithin(plies) | Claim::NoMateWithin(plies) => Some(plies),
            Claim::Mate | Claim::NoMate => None,
        }
    }

    /// Whether it claims a mate.
    pub const fn is_mate(self) -> bool {
        matches!(self, Claim::Mate | Claim::MateWithin(_))
    }
}

messages! {
    Claim {
        Mate => "mate", "詰み";
        MateWithin(plies) => "mate within {plies}", "{plies} 手以内の詰み";
        NoMateWithin(plies) => "no mate within {plies}", "{plies} 手以内の詰みなし";
        NoMate => "no mate", "不詰";
    }
}

/// A claim that was shown.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// What the certificate is about.
    pub header: Header,
    /// The length of the mate that it shows; not shorter than the shortest.
    pub length: Option<u16>,
    /// The number of nodes.
    pub nodes: usize,
}

impl Checked {
    /// The claim, with the length of the mate that it shows.
    pub fn shown(&self) -> Claim {
        self.length.map_or(self.header.claim, Claim::MateWithin)
    }
}

impl Message for Checked {
    /// What is shown: the claim, the check that it is about, the rule unless it is the strict one, and how many positions count as no mate.
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let claim = self.shown();
        match self.header.first {
            Some(first) => say!(f, lang, "{claim} after {first}", "{first} から{claim}", claim, first)?,
            None => claim.write(lang, f)?,
        }
        let rule = self.header.rule;
        if TSUME_RULES && rule != CertificateRule::Strict {
            say!(f, lang, " (rule {letter})", " (規則 {letter})", letter = rule.letter())?;
        }
        let count = self.header.forbidden.len();
        if count > 0 {
            say!(f, lang, " (forbidden positions: {count})", " (禁止局面 {count})", count)?;
        }
        Ok(())
    }
}

/// A check and a reply, and where they lead. After a capture whose piece goes back to the defender, the capture is the check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CertificateStep {
    /// The node before the check, or after the capture.
    pub node: usize,
    /// The check.
    pub check: Move16,
    /// The reply; `None` if the check mates, or if that it does not is all that is claimed.
    pub reply: Option<Move16>,
    /// The node after the reply; `None` without one, or if the position is forbidden.
    pub to: Option<usize>,
}

/// The bytes of one certificate, whose checksum fits. [`Certificate::check`] says whether it shows its claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate(Vec<u8>);

impl Certificate {
    /// Takes the bytes of one certificate.
    ///
    /// # Errors
    /// [`CertificateFault::NotACertificate`] and [`CertificateFault::Checksum`].
    pub fn new(bytes: &[u8]) -> Result<Certificate, CertificateFault> {
        match Certificate::split(bytes).next() {
            Some(Ok(certificate)) if certificate.0.len() == bytes.len() => Ok(certificate),
            Some(Err(fault)) => Err(fault),
            Some(Ok(_)) => Err(CertificateFault::Checksum),
            None => Err(CertificateFault::NotACertificate),
        }
    }

    /// The certificates of a file, which holds one after the other. After an error nothing more can be read.
    pub fn split(bytes: &[u8]) -> impl Iterator<Item = Result<Certificate, CertificateFault>> + '_ {
        let mut rest = bytes;
        core::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let end = end_of_first(rest);
            let (own, after) = rest.split_at(*end.as_ref().unwrap_or(&rest.len()));
            rest = after;
            Some(end.map(|_| Certificate(own.to_vec())))
        })
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// A certificate with a header and a body. `bound`: the claim's plies; of [`Claim::Mate`] the length shown, of [`Claim::NoMate`] 0.
    fn write(header: &Header, bound: u16, body: &[u8]) -> Certificate {
        let sfen = reader::text_of(header.setup);
        let mut bytes = MAGIC.to_vec();
        bytes.push(header.claim.letter() as u8);
        bytes.push(header.rule.letter() as u8);
        write_varint(&mut bytes, bound.into());
        write_varint(&mut bytes, sfen.len() as u64);
        bytes.extend_from_slice(sfen.as_bytes());
        write_varint(&mut bytes, header.forbidden.len() as u64);
        for line in &header.forbidden {
            write_varint(&mut bytes, line.len() as u64);
            for mv in line {
                bytes.extend_from_slice(&mv.bits().to_le_bytes());
            }
        }
        write_varint(&mut bytes, header.first.map_or(0, Move16::bits).into());
        bytes.extend_from_slice(body);
        let hash = Sha256::digest(&bytes);
        bytes.extend_from_slice(&hash);
        Certificate(bytes)
    }
}

/// The end of the first certificate: the first place before another one, or the end of all bytes, where the checksum fits.
fn end_of_first(bytes: &[u8]) -> Result<usize, CertificateFault> {
    if !bytes.starts_with(&MAGIC) || bytes.len() < MAGIC.len() + HASH {
        return Err(CertificateFault::NotACertificate);
    }
    let mut hash = Sha256::new();
    let mut hashed = 0;
    let next = (MAGIC.len() + HASH..bytes.len()).filter(|&place| bytes[place..].starts_with(&MAGIC));
    for end in next.chain([bytes.len()]) {
        hash.update(&bytes[hashed..end - HASH]);
        hashed = end - HASH;
        if hash.clone().finalize()[..] == bytes[hashed..end] {
            return Ok(end);
        }
    }
    Err(CertificateFault::Checksum)
}

fn write_varint(bytes: &mut Vec<u8>, value: u64) {
    let mut value = value;
    while value >= 128 {
        bytes.push(value as u8 | 128);
        value >>= 7;
    }
    bytes.push(value as u8);
}

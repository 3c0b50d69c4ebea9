//! [`CertificateFault`]: why a certificate does not show its claim; [`CertifyError`]: why none could be written.

use alloc::vec::Vec;

use komabako_board::BaseKind;
use komabako_board::sfen::SfenError;
use komabako_messages::{Lang, Message, messages, say};
use komabako_rules::Move16;

use crate::check::LineError;
use crate::outcome::Reason;
use crate::problem::ProblemError;

/// Why a certificate does not show its claim.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CertificateFault {
    /// It does not begin as certificates of this version do.
    NotACertificate,
    /// The checksum does not fit.
    Checksum,
    /// The claim or the rule of counting plies is not known.
    Unknown {
        /// The letter of the claim.
        claim: char,
        /// The letter of the rule.
        rule: char,
    },
    /// The text of the position is no SFEN.
    Sfen(SfenError),
    /// The text of the position is an SFEN, but not the one that certificates have.
    Form,
    /// The position is no problem.
    Problem(ProblemError),
    /// It shows a longer mate than it claims.
    Longer {
        /// The length that it shows.
        shown: u16,
        /// The length that it claims.
        claimed: u16,
    },
    /// Bytes after the last node.
    LeftOver(usize),
    /// A fault of a node.
    Node {
        /// Its number, in the order of the certificate.
        number: usize,
        /// The moves to it.
        path: Vec<Move16>,
        /// The fault.
        fault: Fault,
    },
}

/// The fault of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// The certificate ends.
    End,
    /// More bytes, plies, forbidden positions, or bits of a number than the format allows.
    Limit,
    /// The move is no legal check, or does not capture the piece that was just dropped where it has to.
    NoCheck(Move16),
    /// The first check of a mate is not the one that is claimed about.
    OtherCheck(Move16),
    /// Forbidden positions of a mate or by another rule than the strict one, or one with the defender to move.
    Forbids,
    /// The reply is illegal, or a drop that does not show that a nearer one is useless.
    Illegal(Move16),
    /// A check leaves no reply.
    IsMate,
    /// Pieces change hands that the giver does not hold.
    Hands(BaseKind),
    /// A reference to a node that is not there.
    NoNode(u64),
    /// A reference to a node with another board, or that shows something else.
    Board(usize),
    /// A reference to a node of a hand that does not cover this one.
    Hand(usize),
    /// A reference to a node that is not finished: a mate would lean on itself.
    Unfinished(usize),
    /// A reference to a node that excludes too few plies.
    Bound {
        /// The node.
        node: usize,
        /// What it excludes.
        excluded: u16,
        /// What is needed.
        needed: u16,
    },
    /// The position is not among the forbidden ones.
    NotForbidden,
    /// Of a mate, the token 0.
    Token,
}

messages! {
    CertificateFault {
        NotACertificate => "not a certificate of format KMTC 1", "KMTC 1 形式の証明書ではありません";
        Checksum => "the checksum does not fit: the file is damaged", "チェックサムが合いません (ファイルが壊れています)";
        Unknown { claim, rule } => "claim {claim} by rule {rule} is not known to this program",
            "主張 {claim}・規則 {rule} はこのプログラムでは検証できません";
        Sfen(error) => "the position is no SFEN: {error}", "局面が SFEN ではありません: {error}";
        Form => "the SFEN is not in its canonical form", "SFEN が標準形ではありません";
        Problem(error) => "the position is no problem: {error}", "詰将棋の局面ではありません: {error}";
        Longer { shown, claimed } => "shows a mate in {shown}, not within {claimed}",
            "{shown} 手の詰みで、{claimed} 手以内の詰みではありません";
        LeftOver(bytes) => "{bytes} bytes left over", "{bytes} バイト余っています";
        Node { number, path as Path, fault } => "node {number}, after {path}: {fault}", "ノード {number} ({path}の後): {fault}";
    }
}

messages! {
    Fault {
        End => "the certificate ends too early", "証明書が途中で終わっています";
        Limit => "exceeds a limit of the format", "形式の上限を超えています";
        NoCheck(mv) => "{mv} is no legal check", "{mv} は合法な王手ではありません";
        OtherCheck(mv) => "{mv} is not the check that is claimed about", "{mv} は主張の王手ではありません";
        Forbids => "only strict refutations have forbidden positions, with the attacker to move",
            "禁止局面は厳密な不詰の証明の、攻方の手番の局面だけです";
        Illegal(mv) => "the reply {mv} is illegal", "応手 {mv} は合法手ではありません";
        IsMate => "is mate", "詰んでいます";
        Hands(kind) => "pieces of kind {kind} change hands that nobody holds", "持っていない{kind}を渡しています";
        NoNode(token) => "token {token} refers to no node", "参照 {token} に当たるノードがありません";
        Board(node) => "node {node} has another board or claim", "ノード {node} は盤面か主張が違います";
        Hand(node) => "node {node} was shown for another hand of the attacker", "ノード {node} は攻方の持ち駒が違います";
        Unfinished(node) => "node {node} is not finished: the mate would lean on itself",
            "ノード {node} は未完です (詰みの根拠が循環します)";
        Bound { node, excluded, needed } => "node {node} excludes {excluded} plies, {needed} are needed",
            "ノード {node} が否定するのは {excluded} 手以内の詰みですが、{needed} 手以内の否定が必要です";
        NotForbidden => "is not a forbidden position", "禁止局面ではありません";
        Token => "0 is no reference in a mate", "詰みの証明に参照 0 はありません";
    }
}

impl core::error::Error for CertificateFault {}

/// The moves to a node, in USI. Of a long line only the first and the last ones.
struct Path<'a>(&'a Vec<Move16>);

/// The moves of each end of a long line that are shown.
const SHOWN_PLIES: usize = 10;

impl Message for Path<'_> {
    fn write(&self, lang: Lang, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if self.0.is_empty() {
            return say!(f, lang, "the root", "初期局面");
        }
        let left_out = SHOWN_PLIES..self.0.len().saturating_sub(SHOWN_PLIES);
        for (place, mv) in self.0.iter().enumerate() {
            let space = if place == 0 { "" } else { " " };
            if !left_out.contains(&place) {
                write!(f, "{space}{mv}")?;
            } else if place == SHOWN_PLIES {
                write!(f, " …({})…", left_out.len())?;
            }
        }
        // Japanese words follow letters after a blank.
        match lang {
            Lang::En => Ok(()),
            Lang::Ja => f.write_str(" "),
        }
    }
}

impl From<SfenError> for CertificateFault {
    fn from(error: SfenError) -> CertificateFault {
        CertificateFault::Sfen(error)
    }
}

impl From<ProblemError> for CertificateFault {
    fn from(error: ProblemError) -> CertificateFault {
        CertificateFault::Problem(error)
    }
}

/// Why there is no certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CertifyError {
    /// A limit ended a search.
    Stopped(Reason),
    /// The claim is false.
    False,
    /// The line is not one of the problem.
    Line(LineError),
    /// Certificates are of positions with the attacker to move.
    DefenderToMove,
    /// It would exceed a limit of the format: 64 MiB, or lines of 65,533 plies.
    Size,
    /// An interposition is useless by the tsume convention, but free lengths do not show it.
    Uncertain,
    /// The checker refuses what was written: the solver is wrong.
    Refused(CertificateFault),
}

messages! {
    CertifyError {
        Stopped(reason) => "{reason}", "{reason}";
        False => "the claim is false", "主張が誤りです";
        Line(error) => "{error}", "{error}";
        DefenderToMove => "certificates are of positions with the attacker to move", "証明書は攻方の手番の局面についてのものです";
        Uncertain => "a useless interposition cannot be shown to be one in this format",
            "無駄合であることを、この形式では示せません";
        Size => "it would exceed a limit of the format", "形式の上限を超えます";
        Refused(fault) => "the solver is wrong, please report this: {fault}", "ソルバーの誤りです。ご報告ください: {fault}";
    }
}

impl core::error::Error for CertifyError {}

impl From<LineError> for CertifyError {
    fn from(error: LineError) -> CertifyError {
        CertifyError::Line(error)
    }
}

impl From<Reason> for CertifyError {
    fn from(reason: Reason) -> CertifyError {
        CertifyError::Stopped(reason)
    }
}

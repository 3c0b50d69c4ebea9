//! The results that servers state: shogi-server's `'summary:…`, 81Dojo's `#…`, 将棋ウォーズ' `%SENTE_WIN_…`.

use alloc::string::String;
use alloc::vec::Vec;

use komabako_board::{Color, color};

use crate::builder::Builder;
use crate::ending::{Ending, Outcome};
use crate::error::{Notice, NoticeKind};
use crate::record::trim_value;

/// The statements of a server about one game.
#[derive(Default)]
pub(super) struct Server {
    cause: Option<Cause>,
    outcome: Option<Outcome>,
    /// The line of the first statement, and all statements.
    line: u32,
    statements: Vec<String>,
    /// The move that shogi-server refused.
    refused_move: Option<String>,
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cause {
    Resignation,
    Mate,
    TimeUp,
    /// An illegal move, or a declaration that was refused: the side to move made it.
    Illegal,
    IllegalDeclaration,
    PerpetualCheck,
    Repetition,
    MaxMoves,
    Declaration,
    Suspension,
    Other,
}

/// The causes by the names of shogi-server's summary, of which lines `#…` have some, and those of 将棋ウォーズ.
const CAUSES: [(&str, Cause); 25] = [
    ("toryo", Cause::Resignation),
    ("time up", Cause::TimeUp),
    ("max moves", Cause::MaxMoves),
    ("sennichite", Cause::Repetition),
    ("kachi", Cause::Declaration),
    // A connection that broke, on the turn of either side.
    ("abnormal", Cause::Other),
    ("illegal kachi", Cause::IllegalDeclaration),
    ("illegal move", Cause::Illegal),
    ("illegal action", Cause::Illegal),
    ("uchifuzume", Cause::Illegal),
    ("oute kaihimore", Cause::Illegal),
    ("outori", Cause::Illegal),
    ("oute sennichite", Cause::PerpetualCheck),
    ("jishogi", Cause::Declaration),
    ("resign", Cause::Resignation),
    ("disconnect", Cause::Other),
    ("chudan", Cause::Suspension),
    ("suspend", Cause::Suspension),
    ("censored", Cause::Suspension),
    ("timeout", Cause::TimeUp),
    ("checkmate", Cause::Mate),
    ("enteringking", Cause::Declaration),
    ("oute sennichi", Cause::PerpetualCheck),
    ("sennichi", Cause::Repetition),
    ("ply limit", Cause::MaxMoves),
];

impl Server {
    /// Whether the server stated anything.
    pub fn has_spoken(&self) -> bool {
        !self.statements.is_empty()
    }

    /// Reads a line without its mark, `summary:REASON:NAME RESULT:NAME RESULT` or only `summary:REASON`; `players` are the
    /// names of Black and White.
    pub fn read_summary(
        &mut self,
        line: u32,
        text: &str,
        players: [Option<&str>; 2],
        notices: &mut Vec<Notice>,
    ) {
        let Some(rest) = text.strip_prefix("summary:") else { return };
        let (reason, results) = rest.split_once(':').unwrap_or((rest, ""));
        let cause = cause_named(reason.trim_ascii());
        if cause.is_none() && results.is_empty() {
            return;
        }
        self.add(line, text);
        // The summary says more than the lines `#…`, which agree with it.
        self.cause = Some(cause.unwrap_or(Cause::Other));
        let (outcome, is_named) = read_results(results, players, self.cause);
        if !is_named {
            notices.push(Notice::new(line, NoticeKind::ServerNames, text));
        }
        self.outcome = outcome.or(self.outcome);
    }

    /// Reads `#SENTE_WIN`, or 将棋ウォーズ' `%SENTE_WIN_TORYO` of an outcome and its cause, with a mark of one byte.
    pub fn read_message(&mut self, line: u32, statement: &str, notices: &mut Vec<Notice>) -> bool {
        let word = &statement[1..];
        let (outcome, rest) = match split_outcome(word) {
            Some((outcome, rest)) => (Some(outcome), rest.trim_start_matches('_')),
            None => (None, word),
        };
        let cause = cause_named(rest);
        // The result of the side that wrote the file is not known.
        if outcome.is_none() && cause.is_none() && !matches!(word, "WIN" | "LOSE") {
            return false;
        }
        if let Some(cause) = cause {
            self.cause.get_or_insert(cause);
        }
        if self.outcome.is_some() && outcome.is_some() && outcome != self.outcome {
            notices.push(Notice::new(line, NoticeKind::KeptText, statement));
        }
        self.outcome = self.outcome.or(outcome);
        self.add(line, statement);
        true
    }

    /// Reads what the server refused, `ILLEGAL_MOVE(+0055FU)`, from its bracket on.
    pub fn read_refused(&mut self, line: u32, refused: &str) {
        let refused = refused.trim_end().trim_end_matches(')');
        if refused.eq_ignore_ascii_case("%KACHI") {
            self.cause = Some(Cause::IllegalDeclaration);
            self.add(line, &alloc::format!("ILLEGAL_MOVE({refused})"));
        } else {
            self.refused_move = Some(refused.into());
        }
    }

    fn add(&mut self, line: u32, statement: &str) {
        if self.statements.is_empty() {
            self.line = line;
        }
        self.statements.push(statement.into());
    }

    /// Gives the line its end according to the server, which is the referee: its result replaces that of an ending's line.
    /// The statements then become comments of the end.
    pub fn decide(self, builder: &mut Builder, notices: &mut Vec<Notice>) {
        let side = builder.side();
        let written = builder.ending().cloned();
        let Some(decided) = self.ending(side, written.as_ref(), builder.state().is_in_check(side)) else {
            for statement in &self.statements {
                notices.push(Notice::new(self.line, NoticeKind::KeptText, statement));
                builder.push_comment(statement);
            }
            return;
        };
        if written.as_ref() == Some(&decided) {
            return;
        }
        if let Some(illegal) = builder.illegal_mut() {
            // Only a breach of the rules excuses it.
            if decided != Ending::Illegal {
                return;
            }
            notices.push(Notice::new(illegal.error.line, NoticeKind::IllegalMove, &illegal.text));
        }
        let is_foul = decided == Ending::Illegal;
        if builder.set_end(decided).is_err() {
            return;
        }
        if let Some(written) = written {
            let name = written.csa(side).unwrap_or_default();
            builder.push_comment(&alloc::format!("%{name}"));
            let text = self.statements.join(" ");
            notices.push(Notice::new(self.line, NoticeKind::ServerResult, &text));
        }
        if is_foul && let Some(text) = self.refused_move {
            builder.push_comment(&alloc::format!("反則手：{text}"));
        }
        for statement in &self.statements {
            builder.push_comment(statement);
        }
    }

    /// The ending with the server's result if `side` is to move, and `written` is the ending's line; `None` if the server
    /// states no result.
    fn ending(&self, side: Color, written: Option<&Ending>, is_in_check: bool) -> Option<Ending> {
        let cause = self.cause.unwrap_or(Cause::Other);
        let written_outcome = written.and_then(|ending| ending.outcome(side));
        let loss = Outcome::Win(color::opponent(side));
        // The side to move declared, whatever the names seem to say.
        let is_refused = cause == Cause::IllegalDeclaration && written == Some(&Ending::DeclarationWin);
        let stated = if is_refused { Some(loss) } else { self.outcome };
        // Names that are missing or equal do not tell the players apart.
        let outcome = stated.or(match cause {
            Cause::Repetition | Cause::MaxMoves => Some(Outcome::Draw),
            // Who gives perpetual check is to move, unless the check was just given.
            Cause::PerpetualCheck if is_in_check => Some(Outcome::Win(side)),
            Cause::IllegalDeclaration | Cause::PerpetualCheck => Some(loss),
            Cause::Resignation | Cause::TimeUp | Cause::Illegal
                if written != Some(&Ending::OpponentIllegal) =>
            {
                Some(loss)
            }
            Cause::Suspension => return Some(written.cloned().unwrap_or(Ending::Suspended)),
            _ => written_outcome,
        })?;
        if let Some(written) = written
            && written_outcome == Some(outcome)
        {
            return Some(written.clone());
        }
        Some(match outcome {
            Outcome::Draw => match cause {
                Cause::Repetition => Ending::Repetition,
                Cause::MaxMoves => Ending::MaxMoves,
                Cause::Declaration => Ending::Impasse,
                _ => Ending::Draw,
            },
            // No format has an ending by which the side that moved last resigns or loses on time.
            Outcome::Win(winner) if winner == side && cause == Cause::Declaration => Ending::DeclarationWin,
            Outcome::Win(winner) if winner == side => Ending::OpponentIllegal,
            Outcome::Win(_) => match cause {
                Cause::TimeUp => Ending::TimeUp,
                Cause::Mate => Ending::Mate,
                Cause::Illegal | Cause::IllegalDeclaration | Cause::PerpetualCheck => Ending::Illegal,
                _ => Ending::Resign,
            },
        })
    }
}

/// The outcome that a word begins with, and the rest.
pub(super) fn split_outcome(word: &str) -> Option<(Outcome, &str)> {
    let outcomes = [
        ("SENTE_WIN", Outcome::Win(Color::Black)),
        ("GOTE_WIN", Outcome::Win(Color::White)),
        ("DRAW", Outcome::Draw),
    ];
    outcomes.into_iter().find_map(|(name, outcome)| Some((outcome, word.strip_prefix(name)?)))
}

/// The cause with a name, in letters of either case, with blanks, `_` or `-`.
fn cause_named(name: &str) -> Option<Cause> {
    let is_same = |a: u8, b: u8| a.eq_ignore_ascii_case(&b) || (matches!(a, b'_' | b'-') && b == b' ');
    let is_named = |known: &str| {
        known.len() == name.len() && name.bytes().zip(known.bytes()).all(|(a, b)| is_same(a, b))
    };
    let known = CAUSES.iter().find(|(known, _)| is_named(known)).map(|&(_, cause)| cause);
    known.or_else(|| {
        let name = name.to_ascii_lowercase();
        let is_refused = name.contains("illegal") && name.contains("kachi");
        is_refused.then_some(Cause::IllegalDeclaration)
    })
}

/// Reads `NAME RESULT:NAME RESULT`: the outcome, and whether the names tell it if it is a win. Names may contain blanks and
/// colons, and old versions of shogi-server put the side to move first, so only the names tell who won.
fn read_results(text: &str, players: [Option<&str>; 2], cause: Option<Cause>) -> (Option<Outcome>, bool) {
    let mut first_won = None;
    // Some servers log in names in small letters.
    for same in [str::eq, str::eq_ignore_ascii_case] {
        for (at, _) in text.match_indices(':') {
            let halves = [&text[..at], &text[at + 1..]].map(|half| half.trim_ascii().rsplit_once(' '));
            let [Some((first, result)), Some((second, other))] = halves else { continue };
            let are = |a: &str, b: &str| result.eq_ignore_ascii_case(a) && other.eq_ignore_ascii_case(b);
            let won = are("win", "lose");
            if !won && !are("lose", "win") {
                if are("draw", "draw") {
                    return (Some(Outcome::Draw), true);
                }
                continue;
            }
            let is = |name: &str, player: usize| {
                players[player].is_some_and(|known| same(known, trim_value(name)))
            };
            match (is(first, 0) || is(second, 1), is(first, 1) || is(second, 0)) {
                (true, false) => return (Some(winner(won)), true),
                (false, true) => return (Some(winner(!won)), true),
                _ => first_won = first_won.or(Some(won)),
            }
        }
    }
    let Some(won) = first_won else { return (None, true) };
    // If neither the names nor the cause tell, Black comes first, as in all versions since 2008.
    if cause == Some(Cause::Other) { (Some(winner(won)), false) } else { (None, false) }
}

fn winner(black_won: bool) -> Outcome {
    Outcome::Win(if black_won { Color::Black } else { Color::White })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_who_won() {
        let black = Some(Outcome::Win(Color::Black));
        let white = Some(Outcome::Win(Color::White));
        for (results, players, outcome) in [
            ("A win:B lose", [Some("A"), Some("B")], black),
            ("B win:A lose", [Some("A"), Some("B")], white),
            ("A: b c win:B: lose lose", [Some("A: b c"), Some("B: lose")], black),
            ("B: lose win:A: b c lose", [Some("A: b c"), Some("B: lose")], white),
            ("A draw:B draw", [None, None], Some(Outcome::Draw)),
            ("A lose:B win", [Some("A"), None], white),
            ("A lose:B win", [None, Some("A")], black),
            ("b lose:a win", [Some("A"), Some("B")], black),
            ("a lose:A win", [Some("A"), Some("a")], black),
            ("A lose:A win", [Some("A"), Some("A")], None),
            ("A lose:B win", [Some("C"), Some("D")], None),
            ("A lose:B lose", [Some("A"), Some("B")], None),
            ("A censored:B censored", [Some("A"), Some("B")], None),
        ] {
            assert_eq!(read_results(results, players, Some(Cause::TimeUp)).0, outcome, "{results}");
        }
        let same = read_results("A win:A lose", [Some("A"), Some("A")], Some(Cause::Other));
        assert_eq!(same, (black, false));
    }
}

//! The checker: is a problem sound (完全作)? Specification, §4.

use alloc::vec::Vec;

use komabako_board::{BaseKind, File, Rank, Square};
use komabako_rules::{Move16, MoveList, MoveSet};

use crate::line::Ranking;
use crate::node::TsumeState;
use crate::outcome::{Convention, Limits, Reason};
use crate::problem::{Problem, Root};
use crate::runner::{Runner, Shown};
use crate::search::position_key;
use crate::solver::Solver;

/// What the checker finds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum FindingKind {
    /// 不詰: there is no mate, or none after the author's move. A defect.
    NoMate,
    /// 早詰: there is a shorter mate than the author's. A defect.
    Sooner,
    /// 余詰: another check before the last ply mates without coming back to the main line. A defect.
    Dual,
    /// 合流 (迂回・手順前後): another check mates, but only through a position of the main line.
    Rejoin,
    /// 非限定: a dual that differs by promotion alone or by the distance of a slider.
    Unspecified,
    /// 最終手余詰: another check mates at the last ply.
    LastMove,
    /// 変同: the defender has another reply of the same length.
    EqualDefence,
    /// 変長: a reply of the defender lasts longer than the author's. A defect unless it leaves pieces over.
    LongerDefence,
    /// 駒余り: the main line leaves pieces in the attacker's hand. A defect.
    LeftOver,
    /// 無駄合: the author's line holds a useless interposition, which is not counted.
    UselessInterposition,
    /// A search ended at its limit.
    Undecided,
}

/// One thing that the checker found.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Finding {
    /// What it is.
    pub kind: FindingKind,
    /// At which ply of the main line, from 1.
    pub ply: u16,
    /// The move.
    pub mv: Option<Move16>,
    /// The plies from this one on, if they are known.
    pub length: Option<u16>,
    /// The line that shows it, from this ply on.
    pub line: Vec<Move16>,
    /// Whether that line leaves pieces over.
    pub leaves_pieces: bool,
    /// Whether it makes the problem unsound.
    pub is_defect: bool,
}

/// What the checker says in the end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Soundness {
    /// A mate, no defect, and nothing undecided.
    Sound,
    /// At least one defect.
    Defective,
    /// No defect was found, but a search ended at its limit.
    Undecided,
}

/// The checker's report.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CheckReport {
    /// The result.
    pub soundness: Soundness,
    /// The exact length Λ, if it could be found.
    pub length: Option<u16>,
    /// The main line.
    pub line: Vec<Move16>,
    /// What was found, by ply.
    pub findings: Vec<Finding>,
    /// How many nodes were searched.
    pub nodes: u64,
}

/// A move of the author's line is not one of the problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("ply {ply}: {mv} is not a legal {}", if *.attacks { "check" } else { "reply" })]
pub struct LineError {
    /// The ply, from 1.
    pub ply: usize,
    /// The move.
    pub mv: Move16,
    /// Whether the attacker was to move.
    pub attacks: bool,
}

impl Solver {
    /// Checks a problem, against the author's line if there is one.
    ///
    /// The limit of nodes is for each single search, the others are for all of them together.
    ///
    /// # Errors
    /// [`LineError`] if the author's line holds a move that is no legal check or evasion.
    pub fn check(
        &mut self,
        problem: &Problem,
        author: Option<&[Move16]>,
        limits: &Limits<'_>,
    ) -> Result<CheckReport, LineError> {
        if let Some(line) = author {
            validate(problem, line)?;
        }
        let runner = Runner::new(self.search(), problem, limits);
        let mut checker = Checker { runner, findings: Vec::new() };
        let (length, line) = checker.examine(author);
        let Checker { runner, mut findings } = checker;
        findings.sort_by_key(|finding| (finding.ply, finding.kind, finding.mv));
        let soundness = if findings.iter().any(|finding| finding.is_defect) {
            Soundness::Defective
        } else if length.is_none() || findings.iter().any(|finding| finding.kind == FindingKind::Undecided) {
            Soundness::Undecided
        } else {
            Soundness::Sound
        };
        Ok(CheckReport { soundness, length, line, findings, nodes: runner.search.nodes })
    }
}

fn validate(problem: &Problem, line: &[Move16]) -> Result<(), LineError> {
    let mut state = problem.state.clone();
    let mut attacks = problem.root() == Root::Attack;
    for (place, &mv) in line.iter().enumerate() {
        if !state.is_legal(mv) || attacks && !state.gives_check(mv) {
            return Err(LineError { ply: place + 1, mv, attacks });
        }
        state.do_move(mv);
        attacks = !attacks;
    }
    Ok(())
}

struct Checker<'a> {
    runner: Runner<'a>,
    findings: Vec<Finding>,
}

/// A position of the main line and the move that follows.
struct Node {
    state: TsumeState,
    attacks: bool,
    mv: Move16,
    ply: u16,
}

impl Checker<'_> {
    fn add(&mut self, kind: FindingKind, node: &Node, mv: Option<Move16>, shown: Option<Shown>) {
        let leaves_pieces = shown.as_ref().is_some_and(|shown| shown.left > 0);
        let is_defect = match kind {
            FindingKind::NoMate | FindingKind::Sooner | FindingKind::Dual | FindingKind::LeftOver => true,
            FindingKind::LongerDefence => !leaves_pieces,
            _ => false,
        };
        let length = shown.as_ref().map(|shown| shown.length);
        let line = shown.map_or_else(Vec::new, |shown| shown.line);
        self.findings.push(Finding { kind, ply: node.ply, mv, length, line, leaves_pieces, is_defect });
    }

    fn undecided(&mut self, node: &Node, mv: Option<Move16>) {
        self.add(FindingKind::Undecided, node, mv, None);
    }

    /// The exact length and the main line.
    fn examine(&mut self, author: Option<&[Move16]>) -> (Option<u16>, Vec<Move16>) {
        let root = self.runner.problem.state.clone();
        let attacks = self.runner.problem.root() == Root::Attack;
        let first = author.and_then(|line| line.first()).copied().unwrap_or_default();
        let start = Node { state: root.clone(), attacks, mv: first, ply: 1 };
        let shown = match self.runner.shortest(&root, attacks, Convention::Tsume) {
            Ok(Some(shown)) => shown,
            Ok(None) => {
                self.add(FindingKind::NoMate, &start, None, None);
                return (None, author.unwrap_or_default().to_vec());
            }
            Err(_) => {
                self.undecided(&start, None);
                return (None, author.unwrap_or_default().to_vec());
            }
        };
        let is_author = author.is_some_and(|line| !line.is_empty());
        let line = if is_author { author.unwrap_or_default().to_vec() } else { shown.line };
        let mut nodes = Vec::new();
        let mut state = root;
        for (place, &mv) in line.iter().enumerate() {
            let side = attacks == (place % 2 == 0);
            nodes.push(Node { state: state.clone(), attacks: side, mv, ply: place as u16 + 1 });
            state.do_move(mv);
        }
        self.forbid(&nodes);
        let last = nodes.iter().rposition(|node| node.attacks);
        let mut skipped = 0;
        for (place, node) in nodes.iter().enumerate() {
            if skipped > 0 {
                skipped -= 1;
                continue;
            }
            let done = if node.attacks {
                self.attack(node, is_author, Some(place) == last)
            } else {
                let next = nodes.get(place + 1).map(|next| next.mv);
                match self.defence(node, is_author, next) {
                    Ok(useless) => {
                        skipped = usize::from(useless);
                        Ok(())
                    }
                    Err(reason) => Err(reason),
                }
            };
            if done.is_err() {
                self.undecided(node, None);
            }
        }
        self.ending(&nodes, &state);
        (Some(shown.length), line)
    }

    /// Whether the main line mates, and what is left over.
    fn ending(&mut self, nodes: &[Node], end: &TsumeState) {
        let Some(node) = nodes.last() else { return };
        let attacks = !node.attacks;
        match self.runner.length(end, attacks, Convention::Tsume) {
            Ok(Some(0)) if !end.hand(self.runner.problem.attacker()).is_empty() => {
                self.add(FindingKind::LeftOver, node, None, None);
            }
            Ok(None) if attacks => {}
            Ok(_) => {}
            Err(_) => self.undecided(node, None),
        }
    }

    /// Makes the attacker's positions of the main line count as no mate.
    fn forbid(&mut self, nodes: &[Node]) {
        let attacker = self.runner.problem.attacker();
        let attacks = nodes.iter().filter(|node| node.attacks);
        let identity =
            |node: &Node| (position_key(&node.state, attacker, 0, true), node.state.hand(attacker));
        self.runner.search.forbidden = attacks.map(identity).collect();
    }

    /// The other checks of a position of the attacker.
    fn attack(&mut self, node: &Node, is_author: bool, is_last: bool) -> Result<(), Reason> {
        let mut state = node.state.clone();
        let Some(best) = self.runner.length(&state, true, Convention::Tsume)? else {
            self.add(FindingKind::NoMate, node, None, None);
            return Ok(());
        };
        let undo = state.do_move(node.mv);
        let own = self.runner.length(&state, false, Convention::Tsume)?;
        state.undo_move(undo);
        match own {
            None => self.add(FindingKind::NoMate, node, Some(node.mv), None),
            Some(own) if is_author && own + 1 > best => {
                let shown = self.runner.shortest(&state, true, Convention::Tsume)?;
                let mv = shown.as_ref().and_then(|shown| shown.line.first().copied());
                self.add(FindingKind::Sooner, node, mv, shown);
            }
            Some(_) => {}
        }
        let mut checks = MoveList::new();
        state.generate(MoveSet::Checks, &mut checks);
        let mut others: Vec<Move16> = checks.iter().copied().filter(|&mv| mv != node.mv).collect();
        others.sort_unstable();
        for mv in others {
            let undo = state.do_move(mv);
            let kind = self.alternative(&state, is_last);
            let kind = match kind {
                Ok(Some(FindingKind::Dual)) if is_variant(&node.state, node.mv, mv) => {
                    let length = self.runner.length(&state, false, Convention::Tsume);
                    Ok(Some(if length.ok().flatten() == own {
                        FindingKind::Unspecified
                    } else {
                        FindingKind::Dual
                    }))
                }
                kind => kind,
            };
            let shown = match kind {
                Ok(Some(_)) => self.runner.shortest(&state, false, Convention::Tsume).ok().flatten(),
                _ => None,
            };
            state.undo_move(undo);
            let shown = shown.map(|mut shown| {
                shown.line.insert(0, mv);
                shown.length += 1;
                shown
            });
            match kind {
                Ok(None) => {}
                Ok(Some(kind)) => self.add(kind, node, Some(mv), shown),
                Err(_) => self.undecided(node, Some(mv)),
            }
        }
        Ok(())
    }

    /// What a check that is not the main line's is, after it.
    fn alternative(&mut self, state: &TsumeState, is_last: bool) -> Result<Option<FindingKind>, Reason> {
        if !self.runner.mates(state, false, false)? {
            return Ok(None);
        }
        if is_last {
            return Ok(Some(FindingKind::LastMove));
        }
        let without = self.runner.mates(state, false, true)?;
        Ok(Some(if without { FindingKind::Dual } else { FindingKind::Rejoin }))
    }

    /// The other replies of a position of the defender. Returns whether the main line's reply is useless, and so the
    /// capture after it.
    fn defence(&mut self, node: &Node, is_author: bool, next: Option<Move16>) -> Result<bool, Reason> {
        let mut state = node.state.clone();
        let Some(length) = self.runner.length(&state, false, Convention::Tsume)? else { return Ok(false) };
        if is_author && node.mv.is_drop() && next.is_some_and(|next| next.to() == node.mv.to()) {
            let mut own = state.clone();
            if self.runner.run(|asker| asker.is_useless(&mut own, node.mv, length))? {
                self.add(FindingKind::UselessInterposition, node, Some(node.mv), None);
                return Ok(true);
            }
        }
        let undo = state.do_move(node.mv);
        let own = self.runner.length(&state, true, Convention::Tsume)?;
        state.undo_move(undo);
        let own = own.map_or(0, |own| own + 1);
        if length == 0 {
            return Ok(false);
        }
        let ranking = Ranking::Fewest(Convention::Tsume);
        let replies = self.runner.run(|asker| asker.ranked_replies(&mut state, length, ranking))?;
        for (mv, _) in replies {
            if mv == node.mv {
                continue;
            }
            let undo = state.do_move(mv);
            let shown = self.runner.shortest(&state, true, Convention::Tsume);
            state.undo_move(undo);
            let shown = shown?.map(|mut shown| {
                shown.line.insert(0, mv);
                shown.length += 1;
                shown
            });
            let kind = if own < length { FindingKind::LongerDefence } else { FindingKind::EqualDefence };
            self.add(kind, node, Some(mv), shown);
        }
        Ok(false)
    }
}

/// Whether two checks differ by promotion alone, or are a slider's drops or moves on one line through the king.
fn is_variant(state: &TsumeState, a: Move16, b: Move16) -> bool {
    if a.bits() & 0x7fff == b.bits() & 0x7fff {
        return true;
    }
    let piece = |mv: Move16| match (mv.dropped(), mv.from()) {
        (Some(kind), _) => Some((kind, None)),
        (None, Some(from)) => {
            Some((BaseKind::of(state.piece_at(from)?.to_parts().0), Some((from, mv.is_promotion()))))
        }
        _ => None,
    };
    let (Some(one), Some(other)) = (piece(a), piece(b)) else { return false };
    if one != other || !matches!(one.0, BaseKind::Lance | BaseKind::Bishop | BaseKind::Rook) {
        return false;
    }
    let (Some(king), Some(to_a), Some(to_b)) =
        (state.king(komabako_board::color::opponent(state.side_to_move())), a.to(), b.to())
    else {
        return false;
    };
    let direction = |to: Square| {
        let files = i32::from(File::of(to).number()) - i32::from(File::of(king).number());
        let ranks = i32::from(Rank::of(to).number()) - i32::from(Rank::of(king).number());
        let is_line = files == 0 || ranks == 0 || files.abs() == ranks.abs();
        is_line.then_some((files.signum(), ranks.signum()))
    };
    direction(to_a).is_some() && direction(to_a) == direction(to_b)
}

//! The checker: is a problem sound (完全作)? Specification, §4.
//!
//! ```text
//! examine                   the verdict about the problem, the main line, and then each ply of it
//!   solve_backwards         the positions of the main line from its end: each proof serves the positions before it
//!   main_line               its counted plies: a useless drop of the author's and its capture are left out
//!   attack                  the main line's own checks: does each mate, and as soon as possible?
//!   answer_side_questions   the other checks and replies of every ply, the easy ones first
//! ```
//!
//! Of an author's line the positions from some ply on may be decided although the problem is not: they are examined all the same.

mod backwards;
mod main_line;
mod needless;
mod report;
mod side;
mod variations;

pub use needless::{Needless, PlacedPiece};
pub use report::{CheckReport, DualClass, Finding, FindingKind, LineError, Soundness};
pub use variations::AuthorVariation;

use alloc::vec::Vec;

use komabako_rules::{Move16, MoveList, MoveSet};

use crate::engine::Engine;
use crate::outcome::{Convention, Goal, Limits, Mate, Outcome, Reason, Verdict};
use crate::problem::{Problem, Root};
use crate::runner::{MateLine, Runner};
use crate::search::{TsumeState, position_key};
use crate::session::any_mate;
use crate::solver::Solver;
use backwards::Decided;
use main_line::{Counted, MainLine, Node};
use side::SideQuestion;

impl Solver {
    /// Checks a problem, against the author's line if there is one.
    ///
    /// [`Limits::nodes`] applies to each single search, the other limits to all of them together. The nodes of the report are
    /// shared among all questions, so that one hard question does not use up those of the others. A question that runs out of
    /// them is reported as [`FindingKind::Undecided`]. With an author's line one such finding without a move stands for all plies
    /// before it too.
    ///
    /// # Errors
    /// [`LineError`] if the author's line contains a move that is not a legal check or evasion. Nothing was searched then.
    pub fn check(
        &mut self,
        problem: &Problem,
        author: Option<&[Move16]>,
        limits: &Limits<'_>,
    ) -> Result<CheckReport, LineError> {
        if let Some(line) = author {
            validate(problem, line)?;
        }
        let engine = self.engine();
        let mut checker = Checker::new(engine, problem, limits);
        let MainLine { verdict, line, plies, is_complete: line_complete, left } =
            checker.examine(author.unwrap_or_default());
        let mut findings = checker.findings;
        findings.sort_by_key(|finding| (finding.ply, finding.kind, finding.mv));
        let is_open = |finding: &Finding| finding.kind == FindingKind::Undecided;
        let soundness = if findings.iter().any(|finding| finding.is_defect) {
            Soundness::Defective
        } else if verdict.exact_length().is_none() || findings.iter().any(is_open) {
            Soundness::Undecided
        } else {
            Soundness::Sound
        };
        let outcome =
            Outcome { verdict, nodes: engine.nodes(), collections: engine.shared.table.collections };
        Ok(CheckReport { soundness, outcome, line, plies, line_complete, left, findings })
    }
}

/// Whether a line begins at a problem: each move is a legal check or reply.
pub(crate) fn validate(problem: &Problem, line: &[Move16]) -> Result<(), LineError> {
    let mut state = problem.state.clone();
    let mut attacks = problem.root() == Root::Attack;
    for (index, &mv) in line.iter().enumerate() {
        if !state.is_legal(mv) || attacks && !state.gives_check(mv) {
            return Err(LineError { ply: index + 1, mv, attacks });
        }
        state.do_move(mv);
        attacks = !attacks;
    }
    Ok(())
}

/// The attacker's checks besides one, in the order of their numbers.
pub(crate) fn other_checks(state: &TsumeState, check: Move16) -> Vec<Move16> {
    let mut checks = MoveList::new();
    state.generate(MoveSet::Checks, &mut checks);
    let mut others = checks.to_vec();
    others.retain(|&mv| mv != check);
    others.sort_unstable();
    others
}

/// The examination of a problem, and what it has found so far.
struct Checker<'a> {
    runner: Runner<'a>,
    findings: Vec<Finding>,
    /// The number of pieces left over by the main line.
    left: u32,
    /// The last drop of the author's line of which it is open whether it is useless. If it is, fewer plies count from there on, and the
    /// captured piece is not left over.
    open_drop: Option<u16>,
}

/// Whether the rest of the main line is worth examining.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Examined {
    Mates,
    /// Nothing mates from here on, so further findings would only repeat this one.
    Escapes,
}

impl<'a> Checker<'a> {
    fn new(engine: &'a mut Engine, problem: &'a Problem, limits: &'a Limits<'a>) -> Self {
        Self { runner: Runner::new(engine, problem, limits), findings: Vec::new(), left: 0, open_drop: None }
    }

    fn add(&mut self, kind: FindingKind, node: &Node, mv: Option<Move16>, mate: Option<MateLine>) {
        self.add_of_class(kind, None, node, mv, mate);
    }

    fn add_of_class(
        &mut self,
        kind: FindingKind,
        class: Option<DualClass>,
        node: &Node,
        mv: Option<Move16>,
        mate: Option<MateLine>,
    ) {
        let allowed = if kind == FindingKind::EqualDefence { self.left } else { 0 };
        let leaves_pieces = mate.as_ref().is_some_and(|mate| mate.left.len() > allowed);
        let length = mate.as_ref().map(|mate| mate.length);
        let line = mate.map_or_else(Vec::new, |mate| mate.line);
        self.add_line(Finding {
            kind,
            ply: node.ply,
            mv,
            length,
            line,
            class,
            leaves_pieces,
            is_defect: is_defect(kind, leaves_pieces),
            reason: None,
        });
    }

    fn add_line(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// Adds a finding that is not shown by a mate.
    fn add_without_mate(&mut self, kind: FindingKind, node: &Node, mv: Option<Move16>, line: Vec<Move16>) {
        let leaves_pieces = kind == FindingKind::LeftOver;
        let is_defect = is_defect(kind, false);
        self.add_line(Finding {
            kind,
            ply: node.ply,
            mv,
            length: None,
            line,
            class: None,
            leaves_pieces,
            is_defect,
            reason: None,
        });
    }

    /// The verdict and the main line, which is the author's if given.
    fn examine(&mut self, author: &[Move16]) -> MainLine {
        let attacks = self.runner.problem.root() == Root::Attack;
        let root = self.runner.problem.state.clone();
        let start = Node { state: root, attacks, mv: Move16::default(), ply: 1 };
        if !author.is_empty() && self.solve_record(author).mates_from > 0 {
            // Harder than the positions that were not decided.
            self.allow_part(8);
        }
        let mut verdict = self.runner.verdict(Goal::Shortest(Convention::Tsume));
        if let Verdict::Mate(mate) = &mut verdict
            && mate.length.is_exact()
            && !mate.ties_settled
            && author.is_empty()
            && let Ok(Some(settled)) = self.runner.shortest(&start.state, attacks, Convention::Tsume)
        {
            // The line has its own limit of nodes.
            let MateLine { line, left, .. } = settled;
            *mate = Mate { line, left, line_complete: true, ties_settled: true, ..mate.clone() };
        }
        self.allow_part(1);
        let mut line = match &verdict {
            Verdict::NoMate(_) => {
                let line = self.refutation(&start, author.first().copied());
                self.add_without_mate(FindingKind::NoMate, &start, None, line);
                return MainLine::unexamined(verdict, author);
            }
            _ if !author.is_empty() => author.to_vec(),
            Verdict::Mate(Mate { length, line, line_complete: true, ties_settled: true, .. })
                if length.is_exact() =>
            {
                line.clone()
            }
            _ => {
                let reason = match verdict {
                    Verdict::Unknown { reason, .. } => reason,
                    _ => self.runner.stopped.unwrap_or(Reason::Nodes),
                };
                self.undecided(&start, None, reason);
                return MainLine::unexamined(verdict, author);
            }
        };
        let Counted { mut nodes, mut end, attacks: side, len, .. } =
            self.main_line(&start, &line, !author.is_empty());
        line.truncate(len);
        // The determined line ends in the mate.
        let mut is_complete = author.is_empty();
        let mut open = None;
        if !author.is_empty() {
            // An author's line that stops before the mate is continued by the determined one.
            let rest = self.runner.shortest(&end, side, Convention::Tsume);
            is_complete = matches!(rest, Ok(Some(_)));
            open = rest.as_ref().err().copied();
            if let Ok(Some(rest)) = rest {
                for mv in rest.line {
                    let attacks = attacks == line.len().is_multiple_of(2);
                    line.push(mv);
                    nodes.push(Node { state: end.clone(), attacks, mv, ply: line.len() as u16 });
                    end.do_move(mv);
                }
            }
        }
        let left = end.hand(self.runner.problem.attacker());
        self.left = left.len();
        let plies = nodes.len() as u16;
        let main_line = MainLine { verdict, line, plies, is_complete, left };
        self.note_returns(&nodes);
        if let Some(reason) = open {
            // Without the rest of the main line a dual cannot be told from a detour to it.
            let node = Node { state: end, attacks: side, mv: Move16::default(), ply: plies + 1 };
            self.undecided(&node, None, reason);
            return main_line;
        }
        self.forbid(&nodes);
        let decided = self.solve_backwards(&nodes, is_complete, !author.is_empty());
        let side_questions = self.examine_plies(&nodes, &decided, !author.is_empty());
        if !author.is_empty() {
            self.compare_length(&nodes, &decided, is_complete);
        }
        self.answer_side_questions(&nodes, side_questions);
        let escapes = self.findings.iter().any(|finding| finding.kind == FindingKind::NoMate);
        if let Some(node) = nodes.last()
            && self.left > 0
            && self.open_drop.is_none()
            && !escapes
        {
            self.add_without_mate(FindingKind::LeftOver, node, Some(node.mv), Vec::from([node.mv]));
        }
        main_line
    }

    /// Examines the main line's moves, as far as they are decided. Returns the questions about other moves.
    fn examine_plies(&mut self, nodes: &[Node], decided: &Decided, is_author: bool) -> Vec<SideQuestion> {
        let mut questions = Vec::new();
        if is_author {
            for index in decided.open_plies() {
                let node = &nodes[index];
                let length = self.runner.bounds(&node.state).shortest;
                self.undecided(node, None, decided.reason);
                if let Some(finding) = self.findings.last_mut() {
                    finding.length = length;
                }
            }
        }
        for (index, node) in nodes.iter().enumerate() {
            if !node.attacks {
                if !is_author || index >= decided.lengths_from {
                    questions.push(SideQuestion::Replies { index });
                }
                continue;
            }
            let examined = if index >= decided.lengths_from || !is_author {
                self.attack(node, index, is_author, &mut questions)
            } else if index >= decided.mates_from {
                self.attack_of_open_length(node, index, &mut questions)
            } else {
                Ok(Examined::Mates)
            };
            match examined {
                Ok(Examined::Mates) => {}
                Ok(Examined::Escapes) => break,
                Err(reason) => self.undecided(node, None, reason),
            }
        }
        questions
    }

    fn undecided(&mut self, node: &Node, mv: Option<Move16>, reason: Reason) {
        self.add_line(Finding {
            kind: FindingKind::Undecided,
            ply: node.ply,
            mv,
            length: None,
            line: Vec::new(),
            class: None,
            leaves_pieces: false,
            is_defect: false,
            reason: Some(reason),
        });
    }

    /// Makes the attacker's positions of the main line count as no mate.
    fn forbid(&mut self, nodes: &[Node]) {
        let attacker = self.runner.problem.attacker();
        let attacks = nodes.iter().filter(|node| node.attacks);
        let positions: Vec<_> = attacks.map(|node| position_key(&node.state, attacker, 0, true)).collect();
        self.runner.engine.search.forbid(&positions);
    }

    /// A check and the reply that refutes it: the given check, or else the first one.
    fn refutation(&mut self, node: &Node, check: Option<Move16>) -> Vec<Move16> {
        let mut state = node.state.clone();
        let mut line = Vec::new();
        if node.attacks {
            let mut checks = MoveList::new();
            state.generate(MoveSet::Checks, &mut checks);
            let Some(check) = check.or_else(|| checks.iter().copied().min()) else { return line };
            state.do_move(check);
            line.push(check);
        }
        let escape = self.runner.run(|prover| Ok(prover.ask(&state, any_mate(false))?.best));
        line.extend(escape.ok().flatten());
        line
    }

    /// Examines the main line's own check. The other checks are deferred to `side_questions`.
    fn attack(
        &mut self,
        node: &Node,
        index: usize,
        is_author: bool,
        side_questions: &mut Vec<SideQuestion>,
    ) -> Result<Examined, Reason> {
        let mut state = node.state.clone();
        let Some(best) = self.runner.length(&state, true, Convention::Tsume)? else {
            return Ok(self.escape(node));
        };
        let undo = state.do_move(node.mv);
        let own = self.runner.length(&state, false, Convention::Tsume)?;
        state.undo_move(undo);
        if is_author && own.is_some_and(|own| own + 1 > best) {
            let mate = self.runner.shortest(&state, true, Convention::Tsume)?;
            let mv = mate.as_ref().and_then(|mate| mate.line.first().copied());
            self.add(FindingKind::Sooner, node, mv, mate);
        }
        self.ask_of_others(node, index, Ok(own), side_questions);
        Ok(if own.is_some() { Examined::Mates } else { self.escape(node) })
    }

    /// Examines the main line's own check at a ply whose length is open.
    fn attack_of_open_length(
        &mut self,
        node: &Node,
        index: usize,
        side_questions: &mut Vec<SideQuestion>,
    ) -> Result<Examined, Reason> {
        let mut state = node.state.clone();
        if !self.runner.mates(&state, true, false)? {
            return Ok(self.escape(node));
        }
        state.do_move(node.mv);
        let mates = self.runner.mates(&state, false, false)?;
        let own = if mates { Err(self.runner.stopped.unwrap_or(Reason::Nodes)) } else { Ok(None) };
        self.ask_of_others(node, index, own, side_questions);
        Ok(if mates { Examined::Mates } else { self.escape(node) })
    }

    /// Notes that the main line does not mate from here on.
    fn escape(&mut self, node: &Node) -> Examined {
        let line = self.refutation(node, Some(node.mv));
        self.add_without_mate(FindingKind::NoMate, node, Some(node.mv), line);
        Examined::Escapes
    }

    /// Adds the questions about the other checks. `own`: the number of plies that the defender lasts after the main line's check.
    fn ask_of_others(
        &self,
        node: &Node,
        index: usize,
        own: Result<Option<u16>, Reason>,
        side_questions: &mut Vec<SideQuestion>,
    ) {
        let others = other_checks(&node.state, node.mv);
        side_questions.extend(others.into_iter().map(|mv| SideQuestion::Check { index, mv, own }));
    }

    /// Where the lengths are open: a mate may be known all the same that is shorter than the author's line.
    fn compare_length(&mut self, nodes: &[Node], decided: &Decided, is_complete: bool) {
        if !is_complete {
            return;
        }
        // The last such ply: from the next one on the author's line is not known to be too long.
        let sooner = (0..nodes.len()).rev().filter(|&index| nodes[index].attacks).find_map(|index| {
            let shortest = self.runner.bounds(&nodes[index].state).shortest?;
            (usize::from(shortest) < nodes.len() - index).then_some((index, shortest))
        });
        let Some((index, shortest)) = sooner else { return };
        let node = &nodes[index];
        if index >= decided.lengths_from || self.open_drop.is_some_and(|ply| ply >= node.ply) {
            return;
        }
        let mate = self.runner.line_within(&node.state, true, shortest);
        let mv = mate.line.first().copied();
        self.add(FindingKind::Sooner, node, mv, Some(mate));
    }
}

fn is_defect(kind: FindingKind, leaves_pieces: bool) -> bool {
    match kind {
        FindingKind::NoMate | FindingKind::Sooner | FindingKind::Dual | FindingKind::LeftOver => true,
        FindingKind::LongerDefence => !leaves_pieces,
        _ => false,
    }
}

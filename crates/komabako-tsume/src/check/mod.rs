//! The checker: is a problem sound (完全作)? Specification, §4.
//!
//! ```text
//! examine                   the exact length, the main line, and then each ply of it
//!   main_line               its counted plies: a useless drop of the author's and its capture are left out
//!   attack                  the main line's own checks: does each mate, and as soon as possible?
//!   answer_side_questions   the other checks and replies of every ply, the easy ones first
//! ```

mod main_line;
mod report;
mod side;

pub use report::{CheckReport, Finding, FindingKind, LineError, Soundness};

use alloc::vec::Vec;

use komabako_rules::{Move16, MoveList, MoveSet};

use crate::engine::Engine;
use crate::outcome::{Convention, Limits, Reason};
use crate::problem::{Problem, Root};
use crate::runner::{MateLine, Runner};
use crate::search::position_key;
use crate::session::any_mate;
use crate::solver::Solver;
use main_line::{MainLine, Node};
use side::SideQuestion;

impl Solver {
    /// Checks a problem, against the author's line if there is one.
    ///
    /// [`Limits::nodes`] applies to each single search, the other limits to all of them together. The nodes of the report are
    /// shared among all questions, so that one hard question does not use up those of the others. A question that runs out of
    /// them is reported as [`FindingKind::Undecided`].
    ///
    /// # Errors
    /// [`LineError`] if the author's line contains a move that is not a legal check or evasion.
    pub fn check(
        &mut self,
        problem: &Problem,
        author: Option<&[Move16]>,
        limits: &Limits<'_>,
    ) -> Result<CheckReport, LineError> {
        if let Some(line) = author {
            validate(problem, line)?;
        }
        let mut checker = Checker::new(self.engine(), problem, limits);
        let MainLine { length, line, is_complete: line_complete, left } =
            checker.examine(author.unwrap_or_default());
        let (mut findings, nodes) = checker.finish();
        findings.sort_by_key(|finding| (finding.ply, finding.kind, finding.mv));
        let soundness = if findings.iter().any(|finding| finding.is_defect) {
            Soundness::Defective
        } else if length.is_none() || findings.iter().any(|finding| finding.kind == FindingKind::Undecided) {
            Soundness::Undecided
        } else {
            Soundness::Sound
        };
        Ok(CheckReport { soundness, length, line, line_complete, left, findings, nodes })
    }
}

fn validate(problem: &Problem, line: &[Move16]) -> Result<(), LineError> {
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

/// The examination of a problem, and what it has found so far.
struct Checker<'a> {
    runner: Runner<'a>,
    findings: Vec<Finding>,
    /// The number of pieces left over by the main line.
    left: u32,
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
        Self { runner: Runner::new(engine, problem, limits), findings: Vec::new(), left: 0 }
    }

    /// The findings in the order they were made, and the number of nodes searched.
    fn finish(self) -> (Vec<Finding>, u64) {
        (self.findings, self.runner.engine.nodes())
    }

    fn add(&mut self, kind: FindingKind, node: &Node, mv: Option<Move16>, mate: Option<MateLine>) {
        let allowed = if kind == FindingKind::EqualDefence { self.left } else { 0 };
        let leaves_pieces = mate.as_ref().is_some_and(|mate| mate.left > allowed);
        let length = mate.as_ref().map(|mate| mate.length);
        let line = mate.map_or_else(Vec::new, |mate| mate.line);
        self.add_line(Finding {
            kind,
            ply: node.ply,
            mv,
            length,
            line,
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
            leaves_pieces,
            is_defect,
            reason: None,
        });
    }

    /// The exact length and the main line, which is the author's if given.
    fn examine(&mut self, author: &[Move16]) -> MainLine {
        let root = self.runner.problem.state.clone();
        let attacks = self.runner.problem.root() == Root::Attack;
        let start = Node { state: root.clone(), attacks, mv: Move16::default(), ply: 1 };
        let mate = match self.runner.shortest(&root, attacks, Convention::Tsume) {
            Ok(Some(mate)) => mate,
            Ok(None) => {
                let line = self.refutation(&start, author.first().copied());
                self.add_without_mate(FindingKind::NoMate, &start, None, line);
                return MainLine { line: author.to_vec(), ..MainLine::default() };
            }
            Err(reason) => {
                self.undecided(&start, None, reason);
                return MainLine { line: author.to_vec(), ..MainLine::default() };
            }
        };
        let mut line = if author.is_empty() { mate.line } else { author.to_vec() };
        let (mut nodes, mut end) = self.main_line(&line, !author.is_empty());
        // An author's line that stops before the mate is continued by the determined one.
        let side = attacks == line.len().is_multiple_of(2);
        let rest = self.runner.shortest(&end, side, Convention::Tsume).ok().flatten();
        let is_complete = rest.is_some();
        if let Some(rest) = rest {
            for mv in rest.line {
                let attacks = attacks == line.len().is_multiple_of(2);
                line.push(mv);
                nodes.push(Node { state: end.clone(), attacks, mv, ply: line.len() as u16 });
                end.do_move(mv);
            }
        }
        let left = end.hand(self.runner.problem.attacker());
        self.left = left.len();
        self.forbid(&nodes);
        let mut side_questions = Vec::new();
        let mut examined = Examined::Mates;
        for (index, node) in nodes.iter().enumerate() {
            if !node.attacks {
                side_questions.push(SideQuestion::Replies { index });
                continue;
            }
            match self.attack(node, index, !author.is_empty(), &mut side_questions) {
                Ok(found) => examined = found,
                Err(reason) => self.undecided(node, None, reason),
            }
            if examined == Examined::Escapes {
                break;
            }
        }
        self.answer_side_questions(&nodes, side_questions);
        let main_line = MainLine { length: Some(mate.length), line, is_complete, left };
        if examined == Examined::Escapes {
            return main_line;
        }
        if let Some(node) = nodes.last()
            && self.left > 0
        {
            self.add_without_mate(FindingKind::LeftOver, node, Some(node.mv), Vec::from([node.mv]));
        }
        main_line
    }

    fn undecided(&mut self, node: &Node, mv: Option<Move16>, reason: Reason) {
        self.add_line(Finding {
            kind: FindingKind::Undecided,
            ply: node.ply,
            mv,
            length: None,
            line: Vec::new(),
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
            return Ok(Examined::Escapes);
        };
        let undo = state.do_move(node.mv);
        let own = self.runner.length(&state, false, Convention::Tsume)?;
        state.undo_move(undo);
        if own.is_none() {
            let line = self.refutation(node, Some(node.mv));
            self.add_without_mate(FindingKind::NoMate, node, Some(node.mv), line);
        }
        if is_author && own.is_some_and(|own| own + 1 > best) {
            let mate = self.runner.shortest(&state, true, Convention::Tsume)?;
            let mv = mate.as_ref().and_then(|mate| mate.line.first().copied());
            self.add(FindingKind::Sooner, node, mv, mate);
        }
        let mut checks = MoveList::new();
        state.generate(MoveSet::Checks, &mut checks);
        let mut others: Vec<Move16> = checks.iter().copied().filter(|&mv| mv != node.mv).collect();
        others.sort_unstable();
        side_questions.extend(others.into_iter().map(|mv| SideQuestion::Check { index, mv, own }));
        Ok(if own.is_some() { Examined::Mates } else { Examined::Escapes })
    }
}

fn is_defect(kind: FindingKind, leaves_pieces: bool) -> bool {
    match kind {
        FindingKind::NoMate | FindingKind::Sooner | FindingKind::Dual | FindingKind::LeftOver => true,
        FindingKind::LongerDefence => !leaves_pieces,
        _ => false,
    }
}

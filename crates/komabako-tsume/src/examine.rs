//! The checker's examination of the main line, ply by ply. Specification, §4.

use alloc::vec::Vec;

use komabako_board::{BaseKind, File, Hand, Rank, Square, color};
use komabako_rules::{Move16, MoveList, MoveSet};

use crate::check::{Finding, FindingKind};
use crate::engine::Engine;
use crate::line::Ranking;
use crate::node::TsumeState;
use crate::outcome::{Convention, Limits, Reason};
use crate::problem::{Problem, Root};
use crate::runner::{MateLine, Runner};
use crate::search::position_key;
use crate::session::any_mate;

pub(crate) struct Checker<'a> {
    runner: Runner<'a>,
    findings: Vec<Finding>,
    /// The number of pieces left over by the main line.
    left: u32,
}

/// The main line of a report.
#[derive(Default)]
pub(crate) struct MainLine {
    /// The exact length of the problem, if it could be found.
    pub length: Option<u16>,
    pub line: Vec<Move16>,
    pub is_complete: bool,
    pub left: Hand,
}

/// A position of the main line and the move that follows.
struct Node {
    state: TsumeState,
    attacks: bool,
    mv: Move16,
    ply: u16,
}

/// Whether the rest of the main line is worth examining.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Examined {
    Mates,
    /// Nothing mates from here on, so further findings would only repeat this one.
    Escapes,
}

/// A question about moves beside the main line.
#[derive(Clone, Copy)]
enum SideQuestion {
    /// Does another check mate? `own` is the number of plies that the defender lasts after the main line's check.
    Check { index: usize, mv: Move16, own: Option<u16> },
    /// Which other replies last as long?
    Replies { index: usize },
}

/// The first look at all questions may take 1/`FIRST_LOOK` of the report's remaining nodes.
const FIRST_LOOK: u64 = 8;

impl<'a> Checker<'a> {
    pub fn new(engine: &'a mut Engine, problem: &'a Problem, limits: &'a Limits<'a>) -> Self {
        Self { runner: Runner::new(engine, problem, limits), findings: Vec::new(), left: 0 }
    }

    /// The findings in the order they were made, and the number of nodes searched.
    pub fn finish(self) -> (Vec<Finding>, u64) {
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
    pub fn examine(&mut self, author: &[Move16]) -> MainLine {
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

    /// The counted plies of a line and the position after it.
    ///
    /// A useless drop of the author's line and its capture are noted and left out, and the piece goes back to the defender:
    /// otherwise the attacker would hold one piece more, to mate with or to be left over. If a later move needs the piece,
    /// it stays with the attacker.
    fn main_line(&mut self, line: &[Move16], is_author: bool) -> (Vec<Node>, TsumeState) {
        let mut state = self.runner.problem.state.clone();
        let mut attacks = self.runner.problem.root() == Root::Attack;
        let mut nodes = Vec::new();
        let mut index = 0;
        while let Some(&mv) = line.get(index) {
            let node = Node { state: state.clone(), attacks, mv, ply: index as u16 + 1 };
            let capture = line.get(index + 1).filter(|next| !next.is_drop() && next.to() == mv.to());
            if is_author
                && !attacks
                && let (Some(&capture), Some(kind)) = (capture, mv.dropped())
            {
                match self.is_useless(&node) {
                    Ok(true) => {
                        let drop_and_capture = Vec::from([mv, capture]);
                        self.add_without_mate(
                            FindingKind::UselessInterposition,
                            &node,
                            Some(mv),
                            drop_and_capture,
                        );
                        state.do_move(mv);
                        state.do_move(capture);
                        let mut returned = state.clone();
                        returned.give(kind, self.runner.problem.attacker());
                        if replays(&returned, &line[index + 2..]) {
                            state = returned;
                        }
                        index += 2;
                        continue;
                    }
                    Ok(false) => {}
                    Err(reason) => self.undecided(&node, Some(mv), reason),
                }
            }
            nodes.push(node);
            state.do_move(mv);
            attacks = !attacks;
            index += 1;
        }
        (nodes, state)
    }

    /// Whether a drop of the main line is useless.
    fn is_useless(&mut self, node: &Node) -> Result<bool, Reason> {
        let Some(length) = self.runner.length(&node.state, false, Convention::Tsume)? else {
            return Ok(false);
        };
        let mut state = node.state.clone();
        self.runner.run(|prover| prover.is_useless(&mut state, node.mv, length))
    }

    /// Makes the attacker's positions of the main line count as no mate.
    fn forbid(&mut self, nodes: &[Node]) {
        let attacker = self.runner.problem.attacker();
        let attacks = nodes.iter().filter(|node| node.attacks);
        self.runner.engine.search.forbidden =
            attacks.map(|node| position_key(&node.state, attacker, 0, true)).collect();
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

    /// Answers the questions beside the main line.
    ///
    /// In the order of the plies, a hard check of the first ply would use up the nodes of the whole report, and easy duals
    /// after it would be missed. So every question gets a first look, for which all of them share a part of the remaining
    /// nodes. Then the open questions get equal shares of the rest; nodes that one does not need go to the later ones. With the
    /// results in the table, the second look continues where the first ended.
    fn answer_side_questions(&mut self, nodes: &[Node], mut open: Vec<SideQuestion>) {
        let last = nodes.iter().rposition(|node| node.attacks);
        let looks: &[u64] = if self.runner.left().is_some() { &[FIRST_LOOK, 1] } else { &[1] };
        for &part in looks {
            let kept = self.runner.left().map_or(0, |left| left - left / part);
            let count = open.len() as u64;
            let mut unanswered = Vec::new();
            for (question, waiting) in open.into_iter().zip((1..=count).rev()) {
                let share = self.runner.left().map(|left| left.saturating_sub(kept) / waiting);
                self.runner.allow(share);
                let before = self.findings.len();
                let answer = match question {
                    SideQuestion::Check { index, mv, own } => {
                        self.check(&nodes[index], mv, own, Some(index) == last, part == 1)
                    }
                    SideQuestion::Replies { index } => self.defence(&nodes[index]),
                };
                match answer {
                    Ok(()) => {}
                    Err(reason) if part == 1 => {
                        let (index, mv) = match question {
                            SideQuestion::Check { index, mv, .. } => (index, Some(mv)),
                            SideQuestion::Replies { index } => (index, None),
                        };
                        self.undecided(&nodes[index], mv, reason);
                    }
                    Err(_) => {
                        self.findings.truncate(before);
                        unanswered.push(question);
                    }
                }
            }
            open = unanswered;
        }
    }

    /// Examines another check of a position of the attacker. In the last look it is reported without its length if the length
    /// is not found.
    fn check(
        &mut self,
        node: &Node,
        mv: Move16,
        own: Option<u16>,
        is_last_ply: bool,
        is_last_look: bool,
    ) -> Result<(), Reason> {
        let mut state = node.state.clone();
        state.do_move(mv);
        let Some(kind) = self.alternative(&state, is_last_ply)? else { return Ok(()) };
        let mate = match self.runner.shortest(&state, false, Convention::Tsume) {
            Err(reason) if !is_last_look => return Err(reason),
            mate => mate.ok().flatten(),
        };
        let is_same_length = own.is_some() && own == mate.as_ref().map(|mate| mate.length);
        let is_variant = kind == FindingKind::Dual && is_same_length && is_variant(&node.state, node.mv, mv);
        let kind = if is_variant { FindingKind::Unspecified } else { kind };
        self.add(kind, node, Some(mv), mate.map(|mate| mate.after(mv)));
        Ok(())
    }

    /// The kind of a check that is not the main line's, given the state after it.
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

    /// Examines the other replies of the defender that last as long as the main line's or longer.
    fn defence(&mut self, node: &Node) -> Result<(), Reason> {
        let mut state = node.state.clone();
        let Some(longest) = self.runner.length(&state, false, Convention::Tsume)? else { return Ok(()) };
        let undo = state.do_move(node.mv);
        let own = self.runner.length(&state, true, Convention::Tsume)?;
        state.undo_move(undo);
        let own = own.map_or(0, |own| own + 1);
        // Only an author's defence can be shorter than the longest; then the replies in between count as well.
        let replies = if own < longest {
            let mut evasions = MoveList::new();
            state.evasions(&mut evasions);
            let mut replies = evasions.to_vec();
            replies.sort_unstable();
            replies
        } else if own > 0 {
            let ranking = Ranking::Fewest(Convention::Tsume);
            let ranked = self.runner.run(|prover| prover.ranked_replies(&mut state, longest, ranking))?;
            ranked.into_iter().map(|(mv, _)| mv).collect()
        } else {
            Vec::new()
        };
        for mv in replies.into_iter().filter(|&mv| mv != node.mv) {
            let undo = state.do_move(mv);
            let length = self.runner.length(&state, true, Convention::Tsume);
            state.undo_move(undo);
            let Some(length) = length?.map(|length| length + 1).filter(|&length| length >= own) else {
                continue;
            };
            if own < longest && self.runner.run(|prover| prover.is_useless(&mut state, mv, longest))? {
                continue;
            }
            let undo = state.do_move(mv);
            let mate = self.runner.shortest(&state, true, Convention::Tsume);
            state.undo_move(undo);
            let mate = mate?.map(|mate| mate.after(mv));
            let kind = if own < length { FindingKind::LongerDefence } else { FindingKind::EqualDefence };
            self.add(kind, node, Some(mv), mate);
        }
        Ok(())
    }
}

fn is_defect(kind: FindingKind, leaves_pieces: bool) -> bool {
    match kind {
        FindingKind::NoMate | FindingKind::Sooner | FindingKind::Dual | FindingKind::LeftOver => true,
        FindingKind::LongerDefence => !leaves_pieces,
        _ => false,
    }
}

/// Whether a line can be played from a state with the defender to move.
fn replays(start: &TsumeState, line: &[Move16]) -> bool {
    let mut state = start.clone();
    for (index, &mv) in line.iter().enumerate() {
        let attacks = index % 2 == 1;
        if !state.is_legal(mv) || attacks && !state.gives_check(mv) {
            return false;
        }
        state.do_move(mv);
    }
    true
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
        (state.king(color::opponent(state.side_to_move())), a.to(), b.to())
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

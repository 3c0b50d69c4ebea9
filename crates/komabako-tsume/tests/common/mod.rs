//! Helpers shared by the tests.
#![allow(dead_code, reason = "each test uses a part")]

use std::cell::RefCell;
use std::collections::BTreeSet;

use komabako_board::{Color, Move, Piece, Position, Setup, color, sfen, square};
use komabako_rules::{Move16, MoveList, MoveSet, State};
use komabako_testkit::tsume_oracle::{Rules as OracleRules, Step};
use komabako_tsume::{
    CheckReport, Finding, FindingKind, Goal, Limits, Memory, Outcome, Problem, Rules, Solver,
};

/// A row of a file with a header.
pub struct Row {
    cells: Vec<(&'static str, &'static str)>,
}

pub fn rows(file: &'static str) -> impl Iterator<Item = Row> {
    let mut lines = file.lines();
    let names: Vec<_> = lines.next().expect("a header").split('\t').collect();
    lines.map(move |line| Row { cells: names.iter().copied().zip(line.split('\t')).collect() })
}

impl Row {
    pub fn get(&self, name: &str) -> &'static str {
        self.cells.iter().find(|cell| cell.0 == name).unwrap_or_else(|| panic!("no column {name}")).1
    }

    pub fn has(&self, name: &str) -> bool {
        self.cells.iter().any(|cell| cell.0 == name)
    }

    pub fn number(&self, name: &str) -> u16 {
        self.get(name).parse().expect("a number")
    }

    pub fn setup(&self) -> Setup {
        setup(self.get("sfen"))
    }
}

pub fn setup(text: &str) -> Setup {
    sfen::parse(text).expect("SFEN").setup
}

thread_local! {
    /// Making a solver takes longer than most of the problems.
    pub static SOLVER: RefCell<Solver> = RefCell::new(Solver::new(Memory::mebibytes(64)));
}

pub fn solve(setup: &Setup, goal: Goal) -> Outcome {
    let problem = Problem::new(setup, Rules::default()).expect("a problem");
    SOLVER.with_borrow_mut(|solver| solver.solve(&problem, goal, &Limits::default()))
}

/// The setup rotated by 180°, with the colours exchanged.
pub fn turned_setup(setup: &Setup) -> Setup {
    let mut turned = Setup::EMPTY;
    for (square, piece) in setup.pieces() {
        let (kind, side) = piece.to_parts();
        turned
            .place(square::rotate(square), Piece::new(kind, color::opponent(side)))
            .expect("as many pieces");
    }
    for side in [Color::Black, Color::White] {
        for (kind, count) in setup.hand(side).counts() {
            turned.set_hand_count(color::opponent(side), kind, count).expect("as many pieces");
        }
    }
    turned.set_side_to_move(color::opponent(setup.side_to_move()));
    turned
}

/// The rules of komabako-rules for the oracle, whose own rules are too slow for many positions.
pub struct Generated;

impl OracleRules for Generated {
    fn steps(&self, setup: &Setup) -> Vec<Step> {
        let position = Position::new_tsume(*setup).expect("a position");
        let mut state = State::<()>::new(&position).expect("a position of a game");
        let mut moves = MoveList::new();
        state.generate(MoveSet::Legal, &mut moves);
        let step = |&mv: &Move16| {
            let undo = state.do_move(mv);
            let after = state.setup();
            let check = !state.checkers().is_empty();
            state.undo_move(undo);
            let mv: Move = mv.to_move(state.side_to_move()).expect("a legal move");
            Step { mv, after, check }
        };
        moves.iter().map(step).collect()
    }
}

/// The comparison of a report with the columns of a row.
#[derive(Default)]
pub struct FindingCounts {
    pub compared: usize,
    /// Findings of the row that could not be compared because a limit ended the search.
    pub undecided: usize,
    pub differences: Vec<String>,
}

/// A report on the row's main line, with a limit of nodes for each search.
pub fn check_nodes(solver: &mut Solver, setup: &Setup, nodes: u64) -> CheckReport {
    let problem = Problem::new(setup, Rules::default()).expect("a problem");
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    solver.check(&problem, None, &limits).expect("no author's line")
}

/// Compares decided findings with the row, in both directions: duals, rejoins, last moves and equal defences.
///
/// The file's own search left some checks undecided too. The findings that ours adds are in `more_findings.tsv`.
pub fn compare_findings(row: &Row, report: &CheckReport) -> FindingCounts {
    let mut counts = FindingCounts::default();
    let undecided: BTreeSet<(u16, Option<Move16>)> = report
        .findings
        .iter()
        .filter(|finding| finding.kind == FindingKind::Undecided)
        .map(|finding| (finding.ply, finding.mv))
        .collect();
    let last = row.get("tsume_line").split(' ').count() as u16;
    let more = rows(include_str!("../data/more_findings.tsv"));
    let more: BTreeSet<(&str, &str)> = more
        .filter(|found| found.get("sfen") == row.get("sfen"))
        .map(|found| (found.get("column"), found.get("finding")))
        .collect();
    for (column, kinds) in COLUMNS {
        let findings = report.findings.iter().filter(|finding| kinds.contains(&finding.kind));
        let ours: BTreeSet<String> = findings.map(|finding| cell(column, finding)).collect();
        let listed = row.get(column).split(' ').filter(|&cell| cell != "-");
        let known: BTreeSet<&str> =
            listed.chain(more.iter().filter(|found| found.0 == column).map(|found| found.1)).collect();
        counts.compared += ours.len();
        for cell in ours.iter().filter(|cell| !known.contains(cell.as_str())) {
            counts.differences.push(format!("{column}: {cell} is not in the files"));
        }
        for cell in known.into_iter().filter(|&cell| !ours.contains(cell)) {
            let (ply, mv) = cell.trim_end_matches("/left").split_once(':').unwrap_or(("", cell));
            let ply = ply.parse().unwrap_or(last);
            let mv = mv.parse().expect("a move");
            if undecided.contains(&(ply, Some(mv)))
                || undecided.contains(&(ply, None))
                || report.line.is_empty()
            {
                counts.undecided += 1;
            } else {
                counts.differences.push(format!("{column}: {cell} was not found"));
            }
        }
    }
    counts
}

const COLUMNS: [(&str, &[FindingKind]); 4] = [
    ("duals", &[FindingKind::Dual, FindingKind::Unspecified]),
    ("rejoins", &[FindingKind::Rejoin]),
    ("last_move_alternatives", &[FindingKind::LastMove]),
    ("equal_defences", &[FindingKind::EqualDefence]),
];

/// A finding in the form of the files: without the ply if it is the same in the whole column.
fn cell(column: &str, finding: &Finding) -> String {
    let mv = finding.mv.expect("a move");
    match column {
        "last_move_alternatives" => mv.to_string(),
        "equal_defences" if finding.leaves_pieces => format!("{}:{mv}/left", finding.ply),
        _ => format!("{}:{mv}", finding.ply),
    }
}

//! The checker: one problem for each kind of finding, sound ones, and the known answers.

mod common;

use std::collections::BTreeMap;

use common::{Generated, check_nodes, compare_findings, rows, setup};
use komabako_board::{File, Position, Rank};
use komabako_rules::{Move16, State};
use komabako_testkit::cases;
use komabako_testkit::tsume_oracle::Oracle;
use komabako_tsume::{
    AuthorVariation, CheckReport, Convention, Finding, FindingKind, Hands, Limits, LineError, Memory,
    PlacedPiece, Problem, Reason, Rules, Solver, Soundness,
};

fn check(sfen: &str, author: &str, nodes: u64) -> CheckReport {
    let problem = Problem::new(&setup(sfen), Rules::default()).expect("a problem");
    let author: Vec<Move16> = author.split_whitespace().map(|mv| mv.parse().expect("a move")).collect();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    Solver::new(Memory::mebibytes(1)).check(&problem, Some(&author), &limits).expect("a legal line")
}

/// A finding as `ply kind line`.
fn text(finding: &Finding) -> String {
    let line: Vec<String> = finding.line.iter().map(ToString::to_string).collect();
    format!("{} {:?} {}", finding.ply, finding.kind, line.join(" "))
}

/// Asserts that the defects are exactly these, each with the line that shows it.
#[track_caller]
fn assert_defects(sfen: &str, author: &str, expected: &[&str]) {
    let report = check(sfen, author, 200_000);
    let defects: Vec<String> = report.findings.iter().filter(|finding| finding.is_defect).map(text).collect();
    assert_eq!(defects, expected, "{sfen}");
    let soundness = if expected.is_empty() { Soundness::Sound } else { Soundness::Defective };
    assert_eq!(report.soundness, soundness, "{sfen}: {report:?}");
}

/// Asserts that these are among the findings.
#[track_caller]
fn assert_found(sfen: &str, author: &str, expected: &[&str]) {
    let found: Vec<String> = check(sfen, author, 200_000).findings.iter().map(text).collect();
    for text in expected {
        assert!(found.iter().any(|found| found == text), "{text}: {found:?}");
    }
}

/// A gold before the king, held by a pawn.
const GOLD: &str = "8k/9/8P/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
const SEED: &str = "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1";
const FIVE: &str = "1k7/3p5/nPL6/9/P8/9/9/9/9 b 2BN2r4g4s2n3l15p 1";
const THREE_WAYS: &str = "5n2k/9/9/6n2/7L1/9/9/9/9 b G2S2r2b3g2s2n3l18p 1";
/// A rook anywhere on the first file mates: a piece dropped on 1b is captured with mate.
const ROOK: &str = "8k/6G2/9/7N1/9/9/9/9/9 b Rr2b3g4s3n4l18p 1";

#[test]
fn sound_problems_have_no_defect() {
    for (sfen, length) in [(GOLD, 1), (SEED, 3), (FIVE, 5)] {
        assert_defects(sfen, "", &[]);
        assert_eq!(check(sfen, "", 200_000).length(), Some(length));
    }
}

#[test]
fn moves_that_do_not_mate_are_shown_with_their_refutation() {
    assert_defects("8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1", "", &["1 NoMate G*1b 1a1b"]);
    assert_defects(GOLD, "G*2b", &["1 NoMate G*2b 1a2b"]);
    // The author's check does not mate, but another one does.
    let gold_too_few = "8k/9/8P/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1";
    assert_defects(gold_too_few, "G*2a 1a2a G*2b", &["1 NoMate G*2a 1a2a", "1 Dual G*1b"]);
}

#[test]
fn shorter_mate_than_the_authors_is_a_defect() {
    assert_found(THREE_WAYS, "G*1b 1a1b S*2c 1b1a S*1b", &["1 Sooner G*2b"]);
}

#[test]
fn dual_before_the_last_ply_is_a_defect() {
    let two_ways = "9/5gS1k/9/9/9/9/9/9/9 b GS2r2b2g2s4n4l18p 1";
    assert_defects(two_ways, "", &["1 Dual G*2c 1b1a S*1b"]);
}

#[test]
fn pieces_left_over_are_a_defect() {
    let pawn_too_many = "8k/9/8P/9/9/9/9/9/9 b GP2r2b3g4s4n4l16p 1";
    assert_defects(pawn_too_many, "", &["1 LeftOver G*1b"]);
}

#[test]
fn longer_defence_is_a_defect_unless_it_leaves_pieces() {
    let longer = ["2 LongerDefence 8a9a B*8b 9a9b N*8d", "2 LongerDefence 8a9b N*8d 9b9a B*8b"];
    let left = "3 LeftOver B*8b";
    assert_defects(FIVE, "B*7b 8a7a B*8b", &[longer[0], longer[1], left]);
    let author_leaves_nothing = "6l2/8k/5n1n1/6p2/7Lp/9/9/9/9 b GS2r2b3g3s2n2l16p 1";
    assert_defects(author_leaves_nothing, "S*1c 1b1a G*1b", &[]);
    let longer = "2 LongerDefence 1b1c G*2d 1c1b 2d2c 1b1a 2c2b";
    assert_found(author_leaves_nothing, "S*1c 1b1a G*1b", &[longer]);
}

#[test]
fn notes_leave_a_problem_sound() {
    let two_golds = "8k/9/7PP/9/9/9/9/9/9 b G2r2b3g4s4n4l16p 1";
    assert_defects(two_golds, "", &[]);
    assert_found(two_golds, "", &["1 LastMove G*2b"]);
    assert_found(SEED, "", &["2 EqualDefence 6a5b S*6b"]);
    let detour = "9/9/8l/8k/9/8N/8p/9/9 b 2R2b4g4s3n3l17p 1";
    assert_defects(detour, "", &[]);
    let rejoins = [
        "7 Rejoin 2f2e 1e1f 2e2f 1f1e 2d2e 1e1d 2e2c+ 1d1e 2c2d",
        "9 Rejoin 2e2d 1d1e 2d2e 1e1d 2e2c+ 1d1e 2c2d",
    ];
    assert_found(detour, "", &rejoins);
}

#[test]
fn distance_of_a_bishops_drop_is_unspecified() {
    let bishop = "5gsn1/l2sk1r1l/pp1g4l/4p1spp/2Pp1Pp2/7P1/4P1P1P/2+nP1GR1L/4K1SN1 w 2bgn4p 76";
    let report = check(bishop, "N*6g 6h6g B*6h 5i5h B*6i 5h4i G*5i", 20_000);
    let unspecified = report.findings.iter().filter(|finding| finding.kind == FindingKind::Unspecified);
    let moves: Vec<String> = unspecified.map(|finding| finding.line[0].to_string()).collect();
    assert_eq!(moves, ["B*7g", "B*8f", "B*9e"]);
}

/// The captured piece is not left over, and the capture is not counted as a ply.
#[test]
fn useless_interpositions_of_an_author_are_not_counted() {
    assert_defects(ROOK, "R*1e P*1b 1e1b", &[]);
    assert_found(ROOK, "R*1e P*1b 1e1b", &["2 UselessInterposition P*1b 1e1b"]);
}

/// After the first capture the piece is back in the defender's hand: no position of the record as it was written.
#[test]
fn several_useless_interpositions_of_an_author_are_not_counted() {
    let rook = "k8/2G6/G8/9/9/9/9/9/9 b Rr2b2g4s4n4l18p 1";
    let whole = ["2 UselessInterposition P*4a 1a4a", "4 UselessInterposition P*6a 4a6a"];
    for (line, notes, plies) in [
        ("R*1a P*4a 1a4a P*6a 4a6a", &whole[..], 5),
        ("R*1a P*4a 1a4a", &whole[..1], 3),
        // Without the capture; with another move instead of it, after the mate.
        ("R*1a P*4a 1a4a P*6a", &["2 UselessInterposition P*4a 1a4a", "4 UselessInterposition P*6a"], 3),
        ("R*1a P*4a", &["2 UselessInterposition P*4a"], 1),
        ("R*1a P*4a 9c8b", &["2 UselessInterposition P*4a"], 1),
    ] {
        let report = check(rook, line, 200_000);
        let noted: Vec<String> = report
            .findings
            .iter()
            .filter(|found| found.kind == FindingKind::UselessInterposition)
            .map(text)
            .collect();
        assert_eq!(noted, notes, "{line}");
        assert_eq!((report.soundness, report.plies), (Soundness::Sound, 1), "{line}: {report:?}");
        assert_eq!((report.line.len(), report.line_complete), (plies, true), "{line}");
        assert!(report.left.is_empty(), "{line}");
    }
    // Far from the end of the line.
    let many = "9/9/6l2/9/9/8+s/9/3N3R1/7K1 w rbgn 1";
    let problem = Problem::new(&setup(many), Rules::default()).expect("a problem");
    let line =
        ["R*7i", "S*6i", "7i6i+", "N*3i", "6i3i", "2i1h", "G*1g"].map(|mv| mv.parse().expect("a move"));
    let limits = Limits { nodes: Some(20_000), report_nodes: Some(40_000), ..Limits::default() };
    let report =
        Solver::new(Memory::mebibytes(1)).check(&problem, Some(&line), &limits).expect("a legal line");
    let notes = report.findings.iter().filter(|found| found.kind == FindingKind::UselessInterposition);
    let plies: Vec<u16> = notes.map(|found| found.ply).collect();
    assert_eq!(plies, [2, 4], "{report:?}");
}

#[test]
fn limit_of_plies_is_the_reason() {
    let problem = Problem::new(&setup(SEED), Rules::default()).expect("a problem");
    let limits = Limits { nodes: Some(200_000), depth: Some(1), ..Limits::default() };
    let report = Solver::new(Memory::mebibytes(1)).check(&problem, None, &limits).expect("no line");
    let reasons: Vec<Option<Reason>> = report.findings.iter().map(|finding| finding.reason).collect();
    assert_eq!(reasons, [Some(Reason::Depth)]);
}

/// Each of the knights prolongs the horse-saw by three checks; then the horse is where it was.
#[test]
fn returning_interpositions_are_named() {
    let saw = "7k1/5+Bp2/7Ss/9/9/9/1n7/9/9 b 2rb4g2s3n4l17p 1";
    let line = "4b3b 2a1a 3b3c 1a2a 2c3b 2a1b 3b2c+ 1b2a 3c4c 2a1a 4c4d 1a2a 4d5d 2a1a 5d5e 1a2a 5e6e 2a1a 6e6f 1a2a 6f7f \
        N*6e 7f6e 2a1a 6e6f 1a2a 6f7f N*6e 7f6e 2a1a 6e6f 1a2a 6f7f";
    let report = check(saw, line, 100);
    let returning =
        report.findings.iter().filter(|finding| finding.kind == FindingKind::ReturningInterposition);
    let found: Vec<(u16, String, bool)> =
        returning.map(|finding| (finding.ply, text(finding), finding.is_defect)).collect();
    let back = "ReturningInterposition N*6e 7f6e 2a1a 6e6f 1a2a 6f7f";
    assert_eq!(found, [(22, format!("22 {back}"), false)]);
}

#[test]
fn line_that_stops_early_is_continued() {
    let report = check(FIVE, "B*7b 8a9a B*8b", 200_000);
    let line: Vec<String> = report.line.iter().map(ToString::to_string).collect();
    assert_eq!((line.join(" ").as_str(), report.soundness), ("B*7b 8a9a B*8b 9a9b N*8d", Soundness::Sound));
}

#[test]
fn search_at_its_limit_is_never_sound() {
    let report = check(FIVE, "", 5);
    assert_eq!(report.soundness, Soundness::Undecided);
    assert!(report.findings.iter().any(|finding| finding.kind == FindingKind::Undecided));
}

/// A report whose limit of nodes is the same for each search and for all of them together.
fn check_with_report_nodes(sfen: &str, nodes: u64) -> CheckReport {
    let problem = Problem::new(&setup(sfen), Rules::default()).expect("a problem");
    let limits = Limits { nodes: Some(nodes), report_nodes: Some(nodes), ..Limits::default() };
    Solver::new(Memory::mebibytes(1)).check(&problem, None, &limits).expect("no author's line")
}

#[test]
fn report_without_nodes_left_is_never_wrong() {
    let two_ways = "9/5gS1k/9/9/9/9/9/9/9 b GS2r2b2g2s4n4l18p 1";
    for (sfen, truth) in [(SEED, Soundness::Sound), (two_ways, Soundness::Defective)] {
        let mut reached = 0;
        for nodes in (1..100).chain((7..18).map(|bits| 1 << bits)) {
            let report = check_with_report_nodes(sfen, nodes);
            assert!(report.outcome.nodes <= nodes, "{} of {nodes}", report.outcome.nodes);
            let is_open = |finding: &Finding| finding.kind == FindingKind::Undecided;
            match report.soundness {
                Soundness::Undecided => {
                    assert!(report.findings.iter().any(is_open), "{nodes}: {report:?}");
                }
                soundness => {
                    assert_eq!(soundness, truth, "{nodes}: {report:?}");
                    reached += 1;
                }
            }
        }
        assert!((1..100).contains(&reached), "{sfen}: {reached}");
    }
}

/// With an author's line too, whatever the limits leave open.
#[test]
fn report_on_an_authors_line_is_never_wrong() {
    let detour = "9/9/8l/8k/9/8N/8p/9/9 b 2R2b4g4s3n3l17p 1";
    let whole: Vec<String> = check(detour, "", 200_000).line.iter().map(ToString::to_string).collect();
    for (sfen, author, truth) in [
        (SEED, "9f5b+ 4a5b S*4b", Soundness::Sound),
        (THREE_WAYS, "G*1b 1a1b S*2c 1b1a S*1b", Soundness::Defective),
        (FIVE, "B*7b 8a9a B*8b 9a9b N*8d", Soundness::Sound),
        (FIVE, "B*7b 8a7a B*8b", Soundness::Defective),
        (GOLD, "G*2b", Soundness::Defective),
        (detour, &whole.join(" "), Soundness::Sound),
    ] {
        let problem = Problem::new(&setup(sfen), Rules::default()).expect("a problem");
        let line: Vec<Move16> = author.split(' ').map(|mv| mv.parse().expect("a move")).collect();
        let mut reached = 0;
        for nodes in (1..60).chain((6..18).map(|bits| 1 << bits)) {
            let limits = Limits { nodes: Some(nodes), report_nodes: Some(5 * nodes), ..Limits::default() };
            let report = Solver::new(Memory::mebibytes(1))
                .check(&problem, Some(&line), &limits)
                .expect("a legal line");
            assert!(report.outcome.nodes <= 5 * nodes, "{} of {nodes}", report.outcome.nodes);
            if report.soundness != Soundness::Undecided {
                assert_eq!(report.soundness, truth, "{nodes}: {report:?}");
                reached += 1;
            }
            for finding in &report.findings {
                let rest = line.len() + 1 - usize::from(finding.ply).min(line.len() + 1);
                let is_sooner = finding.kind == FindingKind::Sooner;
                assert!(!is_sooner || finding.length.map(usize::from) < Some(rest), "{nodes}: {finding:?}");
            }
        }
        assert!(reached > 0, "{sfen}");
    }
}

#[test]
fn variations_of_an_author_are_compared() {
    let problem = Problem::new(&setup(FIVE), Rules::default()).expect("a problem");
    let moves = |text: &str| text.split(' ').map(|mv| mv.parse().expect("a move")).collect::<Vec<Move16>>();
    let mut solver = Solver::new(Memory::mebibytes(1));
    let limits = Limits { nodes: Some(200_000), ..Limits::default() };
    let report = solver.check(&problem, Some(&moves("B*7b 8a9a B*8b 9a9b N*8d")), &limits);
    assert_eq!(report.expect("a legal line").soundness, Soundness::Sound);
    let mut kinds_of = |line: &str, stated: Option<u16>| {
        let variation = AuthorVariation { ply: 2, line: moves(line), stated };
        let findings = solver.check_variations(&problem, &[variation], &limits);
        findings.iter().map(|finding| (finding.kind, finding.length)).collect::<Vec<_>>()
    };
    // A stated length counts from the problem or from the variation.
    for (stated, is_right) in [(2, true), (3, true), (4, false), (5, false)] {
        let expected = if is_right { vec![] } else { vec![(FindingKind::VariationLength, Some(2))] };
        assert_eq!(kinds_of("B*7b 8a7a", Some(stated)), expected);
        assert_eq!(kinds_of("B*7b 8a7a B*8b", Some(stated)), expected);
    }
    let mut kinds = |line: &str| kinds_of(line, None);
    // As long as it may be; it stops before the mate; moves that are no checks.
    assert_eq!(kinds("B*7b 8a7a B*8b"), []);
    assert_eq!(kinds("B*7b 8a7a"), []);
    assert_eq!(kinds("B*7b 8a7a B*5c 7a7b"), [(FindingKind::VariationEscapes, None)]);
    assert_eq!(kinds("B*7b 8a7a 8c8b+"), [(FindingKind::VariationEscapes, None)]);
    assert_eq!(kinds("B*7b 8a9b N*8d 9b9a B*8b"), []);
}

#[test]
fn useless_interpositions_of_a_variation_are_not_counted() {
    let rook = "k8/2G6/G8/9/9/9/9/9/9 b Rr2b2g4s4n4l18p 1";
    let problem = Problem::new(&setup(rook), Rules::default()).expect("a problem");
    let moves = |text: &str| text.split(' ').map(|mv| mv.parse().expect("a move")).collect::<Vec<Move16>>();
    let limits = Limits { nodes: Some(200_000), ..Limits::default() };
    for line in ["R*1a P*4a 1a4a P*6a 4a6a", "R*1a P*2a 1a2a P*4a 2a4a P*6a 4a6a"] {
        let variation = AuthorVariation { ply: 2, line: moves(line), stated: None };
        let findings = Solver::new(Memory::mebibytes(1)).check_variations(&problem, &[variation], &limits);
        assert_eq!(findings, [], "{line}");
    }
}

/// The pieces that a sound problem does not need, and whether all were decided.
fn needless(sfen: &str, nodes: u64) -> (Vec<String>, bool) {
    let problem = Problem::new(&setup(sfen), Rules::default()).expect("a problem");
    let mut solver = Solver::new(Memory::mebibytes(1));
    let report = solver.check(&problem, None, &Limits { nodes: Some(200_000), ..Limits::default() });
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let found = solver.needless_pieces(&problem, &report.expect("no author's line"), &limits);
    let text = |&(square, kind): &PlacedPiece| {
        let square = square.map(|square| (File::of(square).number(), Rank::of(square).number()));
        format!("{} {square:?}", kind.letter())
    };
    (found.pieces.iter().map(text).collect(), found.is_complete)
}

#[test]
fn needless_pieces_are_named() {
    // Without the pawn there is no mate, without the gold no check.
    assert_eq!(needless(GOLD, 1000), (vec![], true));
    // A pawn far from the king changes nothing.
    let more = GOLD.replace("/9 b G2r2b3g4s4n4l17p", "/P8 b G2r2b3g4s4n4l16p");
    assert_eq!(needless(&more, 1000), (vec!["P Some((9, 9))".to_owned()], true));
    assert_eq!(needless(&more, 0), (vec![], false));
    // Of a problem that is not sound no piece is needless.
    assert_eq!(needless("8k/9/8P/9/9/9/9/9/P8 b 2G2r2b2g4s4n4l16p 1", 1000), (vec![], true));
    let problem = Problem::new(&setup(&more), Rules::default()).expect("a problem");
    let limits = Limits { nodes: Some(0), ..Limits::default() };
    let mut solver = Solver::new(Memory::mebibytes(1));
    let open = solver.check(&problem, None, &limits).expect("no author's line");
    assert_eq!(open.soundness, Soundness::Undecided);
    assert!(!solver.needless_pieces(&problem, &open, &limits).is_complete);
}

#[test]
fn duals_in_variations_are_notes() {
    let problem = Problem::new(&setup(FIVE), Rules::default()).expect("a problem");
    let mut solver = Solver::new(Memory::mebibytes(1));
    let limits = Limits { nodes: Some(200_000), ..Limits::default() };
    let report = solver.check(&problem, None, &limits).expect("no author's line");
    let found = solver.variations(&problem, &report.line, Convention::Tsume, 2, &limits);
    let variations = found.expect("a line of the problem").expect("in time");
    let duals = solver.variation_duals(&problem, &report.line, &variations, &limits);
    for dual in &duals {
        assert_eq!((dual.kind, dual.is_defect), (FindingKind::VariationDual, false), "{dual:?}");
        let whole = [&report.line[..usize::from(dual.ply) - 1], &dual.line].concat();
        let mut state =
            State::<()>::new(&Position::new_tsume(problem.setup()).expect("a position")).expect("a problem");
        for mv in whole {
            assert!(state.is_legal(mv), "{dual:?}");
            state.do_move(mv);
        }
        assert!(dual.length.is_some() && !state.has_legal_move(), "{dual:?}");
    }
}

#[test]
fn variations_of_a_line_with_an_illegal_move_are_refused() {
    let problem = Problem::new(&setup(FIVE), Rules::default()).expect("a problem");
    let mut solver = Solver::new(Memory::mebibytes(1));
    let limits = Limits { nodes: Some(200_000), ..Limits::default() };
    let mv = "5i5h".parse().expect("a move");
    let error = solver.variations(&problem, &[mv], Convention::Tsume, 1, &limits);
    assert_eq!(error, Err(LineError { ply: 1, mv, attacks: true }));
}

/// The first check of the first ply alone would use up the nodes of this report.
#[test]
fn hard_check_does_not_hide_later_findings() {
    let hard = "3p1n3/6k2/4R4/9/2+R3+p+p1/5n3/9/9/9 b BGLb3g4s2n3l15p 1";
    let report = check_with_report_nodes(hard, 30_000);
    let open = report.findings.iter().filter(|finding| finding.kind == FindingKind::Undecided);
    let open: Vec<(u16, Option<Reason>)> = open.map(|finding| (finding.ply, finding.reason)).collect();
    assert!(open.contains(&(1, Some(Reason::ReportNodes))), "{open:?}");
    for ply in [3, 5] {
        let is_decided = |finding: &&Finding| finding.ply == ply && finding.length.is_some();
        assert!(report.findings.iter().any(|finding| is_decided(&finding)), "ply {ply}: {report:?}");
    }
}

/// A rook drives the king to and fro, with a mate in one at every ply of the attacker.
#[test]
fn line_of_4001_plies_needs_no_machine_stack() {
    let replay = || {
        let rules = Rules { hands: Hands::AsGiven, ..Rules::default() };
        let setup = setup("8k/4R4/8P/7P1/7N1/9/9/9/9 b G 1");
        let problem = Problem::new(&setup, rules).expect("a problem");
        let cycle = ["5b5a", "1a2b", "5a5b", "2b1a"].map(|mv| mv.parse::<Move16>().expect("a move"));
        let mut line = cycle.repeat(1_000);
        line.push("G*1b".parse().expect("a move"));
        let mut solver = Solver::new(Memory::mebibytes(1));
        (solver.check(&problem, Some(&line), &Limits::default()).expect("a legal line"), line)
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(replay).expect("a thread");
    let (report, line) = thread.join().expect("no overflow");
    assert_eq!((report.length(), report.line), (Some(1), line));
    let sooner = report.findings.iter().filter(|finding| finding.kind == FindingKind::Sooner);
    let plies: Vec<u16> = sooner.map(|finding| finding.ply).collect();
    assert_eq!(plies, (1..4_000).step_by(2).collect::<Vec<u16>>());
}

#[test]
fn illegal_line_of_an_author_is_refused() {
    let problem = Problem::new(&setup(SEED), Rules::default()).expect("a problem");
    let line = ["9f5b+", "5a5b"].map(|mv| mv.parse().expect("a move"));
    let error = Solver::new(Memory::mebibytes(1)).check(&problem, Some(&line), &Limits::default());
    assert_eq!(error.expect_err("the king is taken back").ply, 2);
}

/// `more_findings.tsv` contains the findings that the search behind `lengths.tsv` gave up on: see `data/README.md`.
#[test]
fn additional_findings_are_confirmed_by_the_oracle() {
    let lines: BTreeMap<&str, &str> =
        rows(include_str!("data/lengths.tsv")).map(|row| (row.get("sfen"), row.get("tsume_line"))).collect();
    let mut confirmed = 0;
    for row in rows(include_str!("data/more_findings.tsv")) {
        let Ok(length) = row.get("length").parse::<u16>() else { continue };
        let line: Vec<&str> = lines[row.get("sfen")].split(' ').collect();
        let (ply, mv) = match row.get("finding").split_once(':') {
            Some((ply, mv)) => (ply.parse().expect("a ply"), mv),
            None => (line.len(), row.get("finding")),
        };
        let position = Position::new_tsume(row.setup()).expect("a position");
        let mut state = State::<()>::new(&position).expect("a problem");
        for mv in line[..ply - 1].iter().chain([&mv]) {
            state.do_move(mv.parse().expect("a move"));
        }
        let mut oracle = Oracle::new(Generated, row.setup().side_to_move(), true, 400);
        if let Ok(found) = oracle.defend(&state.setup(), length - 1) {
            assert_eq!(found, Some(length - 1), "{} {}", row.get("sfen"), row.get("finding"));
            confirmed += 1;
        }
    }
    assert!(confirmed >= 20, "{confirmed}");
}

/// `thorough findings` decides more of them.
#[test]
fn known_answers_have_their_findings() {
    let mut solver = Solver::new(Memory::mebibytes(1));
    let mut compared = 0;
    let mut undecided = 0;
    for row in rows(include_str!("data/lengths.tsv")).step_by(cases::one_in()) {
        let report = check_nodes(&mut solver, &row.setup(), 1_500);
        let counts = compare_findings(&row, &report);
        assert_eq!(counts.differences, [""; 0], "{}", row.get("sfen"));
        compared += counts.compared;
        undecided += counts.undecided;
    }
    assert!(compared > cases::scaled(800), "{compared} compared, {undecided} undecided");
}

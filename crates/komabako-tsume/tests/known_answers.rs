//! Every row of the files in `data/`: see `data/README.md`.

mod common;

use common::{SOLVER, rows, setup, solve, turned_setup};
use komabako_board::{BaseKind, Color, Position, Rank, Setup};
use komabako_rules::{Move16, State};
use komabako_testkit::cases;
use komabako_tsume::{Convention, Goal, Hands, Length, Limits, Problem, Refutation, Root, Rules, Verdict};

#[test]
fn lengths_and_lines_agree_in_both_conventions() {
    for row in rows(include_str!("data/lengths.tsv")) {
        for (convention, prefix) in [(Convention::Strict, "strict"), (Convention::Tsume, "tsume")] {
            let sfen = row.get("sfen");
            let Verdict::Mate(mate) = solve(&row.setup(), Goal::Shortest(convention)).verdict else {
                panic!("no mate: {sfen}")
            };
            assert_eq!(mate.length, Length::Exact(row.number(prefix)), "{convention:?} {sfen}");
            assert!(mate.ties_settled);
            let line: Vec<String> = mate.line.iter().map(ToString::to_string).collect();
            assert_eq!(line.join(" "), row.get(&format!("{prefix}_line")), "{convention:?} {sfen}");
            assert_eq!(mate.left.len(), u32::from(row.number(&format!("{prefix}_left"))), "{sfen}");
        }
    }
}

#[test]
fn mates_have_their_strict_lengths() {
    for row in rows(include_str!("data/mate.tsv")) {
        let length = row.number("mate_length");
        for goal in [Goal::Any, Goal::Shortest(Convention::Strict), Goal::Within(length, Convention::Strict)]
        {
            if length > 13 && goal != Goal::Any {
                continue;
            }
            let Verdict::Mate(mate) = solve(&row.setup(), goal).verdict else {
                panic!("no mate: {goal:?} {}", row.get("sfen"))
            };
            assert_mates(&row.setup(), &mate.line);
            match goal {
                Goal::Shortest(_) => assert_eq!(mate.length, Length::Exact(length), "{}", row.get("sfen")),
                _ => assert!(mate.length.plies() >= length, "{}", row.get("sfen")),
            }
        }
        if length > 1 {
            let verdict = solve(&row.setup(), Goal::Within(length - 2, Convention::Strict)).verdict;
            assert_eq!(verdict, Verdict::NoMate(Refutation::Longer), "{}", row.get("sfen"));
        }
    }
}

/// A rook that promotes mates as fast: `2c2a` at the end of the line was right and needless. The position is K33 of the inputs
/// collected for the project's specification of dialects.
#[test]
fn line_promotes_at_every_ply() {
    let problem = setup("6s2/6l2/9/6BBk/9/9/9/9/9 b RPr4g3s4n3l17p 1");
    for problem in [problem, turned_setup(&problem)] {
        let Verdict::Mate(mate) = solve(&problem, Goal::Shortest(Convention::Tsume)).verdict else {
            panic!("no mate")
        };
        let promotions = [1, 7, 9].map(|ply: usize| mate.line[ply - 1].is_promotion());
        assert_eq!((mate.line.len(), promotions), (9, [true; 3]), "{:?}", mate.line);
    }
}

/// If the major piece promoted, the pawn drop after it would mate at once, and so be illegal.
#[test]
fn line_does_not_promote_where_the_pawn_drop_would_mate() {
    for (sfen, line) in [
        ("5B1n1/8k/6Rpp/9/9/9/9/9/9 b rb4g4s3n4l16p 1", "4a2c 1b1a P*1b 1a2b 3c3b+"),
        ("5SR2/9/7pk/6R2/9/9/9/9/9 b P2b4g3s4n4l16p 1", "3a1a P*1b P*1d 1c2b 1a3a+"),
    ] {
        let problem = setup(sfen);
        let Verdict::Mate(mate) = solve(&problem, Goal::Shortest(Convention::Tsume)).verdict else {
            panic!("no mate: {sfen}")
        };
        let found: Vec<String> = mate.line.iter().map(ToString::to_string).collect();
        assert_eq!(found.join(" "), line);
        let turned = solve(&turned_setup(&problem), Goal::Shortest(Convention::Tsume)).verdict;
        let Verdict::Mate(turned) = turned else { panic!("no mate: turned {sfen}") };
        assert_eq!((turned.length, turned.line[0].is_promotion()), (mate.length, false), "{sfen}");
    }
}

/// A move without promotion is in a line only if the piece would lose something by promoting, or the mate would have another
/// length: for the attacker to avoid a drop-pawn mate, for the defender to bring one about.
#[test]
fn lines_promote_where_the_length_stays_the_same() {
    let lengths = rows(include_str!("data/lengths.tsv"));
    let mates = rows(include_str!("data/mate.tsv")).filter(|row| row.number("mate_length") <= 9);
    for row in lengths.chain(mates).step_by(cases::one_in()) {
        for convention in [Convention::Strict, Convention::Tsume] {
            let Verdict::Mate(mate) = solve(&row.setup(), Goal::Shortest(convention)).verdict else {
                panic!("no mate: {}", row.get("sfen"))
            };
            let position = Position::new_tsume(row.setup()).expect("a position");
            let mut state = State::<u64>::new(&position).expect("a problem");
            for (rest, &mv) in (0..mate.length.plies()).rev().zip(&mate.line) {
                if let Some(promotion) = promotion_of(&state, mv) {
                    let undo = state.do_move(promotion);
                    let root = if rest % 2 == 0 { Root::Defend } else { Root::Attack };
                    // A promotion that gives no check is no move of the attacker.
                    if let Ok(problem) = Problem::new(&state.setup(), Rules { hands: Hands::AsGiven, root }) {
                        let outcome = SOLVER.with_borrow_mut(|solver| {
                            solver.solve(&problem, Goal::Shortest(convention), &Limits::default())
                        });
                        let same =
                            matches!(outcome.verdict, Verdict::Mate(mate) if mate.length.plies() == rest);
                        assert!(!same, "{mv} may promote: {convention:?} {}", row.get("sfen"));
                    }
                    state.undo_move(undo);
                }
                state.do_move(mv);
            }
        }
    }
}

/// The promotion instead of a move of a piece that loses nothing by it.
fn promotion_of(state: &State<u64>, mv: Move16) -> Option<Move16> {
    let from = mv.from()?;
    let to = mv.to()?;
    let (kind, side) = state.piece_at(from)?.to_parts();
    let second = if side == Color::Black { 2 } else { 8 };
    let loses_nothing = match BaseKind::of(kind) {
        BaseKind::Pawn | BaseKind::Bishop | BaseKind::Rook => true,
        BaseKind::Lance => Rank::of(to).number() == second,
        _ => false,
    };
    let promotion = Move16::board(from, to, true);
    (loses_nothing && !mv.is_promotion() && state.is_legal(promotion)).then_some(promotion)
}

/// Plays a line and asserts checks, legal replies, and no legal move at its end.
fn assert_mates(setup: &Setup, line: &[Move16]) {
    let position = Position::new_tsume(*setup).expect("a position");
    let mut state = State::<u64>::new(&position).expect("a problem");
    for (ply, &mv) in line.iter().enumerate() {
        assert!(state.is_legal(mv), "{mv} of {line:?} in {setup}");
        state.do_move(mv);
        assert!(ply % 2 == 1 || !state.checkers().is_empty(), "{mv} of {line:?} in {setup}");
    }
    assert!(line.len() % 2 == 1 && !state.has_legal_move(), "{line:?} in {setup}");
}

#[test]
fn positions_without_mate_are_disproved() {
    for row in rows(include_str!("data/no_mate.tsv")) {
        let verdict = solve(&row.setup(), Goal::Any).verdict;
        assert!(matches!(verdict, Verdict::NoMate(_)), "{verdict:?} {}", row.get("sfen"));
    }
}

/// `thorough twins` compares all rows. The kinds left over may differ: the last tie is settled by the bits of moves, which rotation
/// changes.
#[test]
fn turned_twins_are_equal() {
    let all = rows(include_str!("data/lengths.tsv")).chain(rows(include_str!("data/no_mate.tsv")));
    for row in all.step_by(5) {
        let length = |setup| match solve(&setup, Goal::Shortest(Convention::Tsume)).verdict {
            Verdict::Mate(mate) => Some((mate.length, mate.left.len())),
            Verdict::NoMate(_) => None,
            Verdict::Unknown { .. } => panic!("no limit was set"),
        };
        let setup = row.setup();
        assert_eq!(length(setup), length(turned_setup(&setup)), "{}", row.get("sfen"));
    }
}

//! Every row of the files in `data/`: see `data/README.md`.

mod common;

use common::{rows, solve, turned_setup};
use komabako_board::{Position, Setup};
use komabako_rules::{Move16, State};
use komabako_tsume::{Convention, Goal, Length, Refutation, Verdict};

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

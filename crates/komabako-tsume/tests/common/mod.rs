//! What the tests share.
#![allow(dead_code, reason = "each test uses a part")]

use komabako_board::{Color, Move, Piece, Position, Setup, color, sfen, square};
use komabako_rules::{MoveList, MoveSet, State};
use komabako_testkit::tsume_oracle::{Rules as OracleRules, Step};
use komabako_tsume::{Goal, Limits, Memory, Outcome, Problem, Rules, Solver};

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

pub fn solve(setup: &Setup, goal: Goal) -> Outcome {
    let problem = Problem::new(setup, Rules::default()).expect("a problem");
    Solver::new(Memory::mebibytes(64)).solve(&problem, goal, &Limits::default())
}

/// The setup turned by half a board, with the colours exchanged.
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

/// The rules of komabako-rules for the oracle, which is too slow with its own over many positions.
pub struct Generated;

impl OracleRules for Generated {
    fn steps(&self, setup: &Setup) -> Vec<Step> {
        let position = Position::new_tsume(*setup).expect("a position");
        let mut state = State::<()>::new(&position).expect("a position of a game");
        let mut moves = MoveList::new();
        state.generate(MoveSet::Legal, &mut moves);
        let step = |&mv: &komabako_rules::Move16| {
            let undo = state.do_move(mv);
            let (after, check) = (state.setup(), !state.checkers().is_empty());
            state.undo_move(undo);
            let mv: Move = mv.to_move(state.side_to_move()).expect("a legal move");
            Step { mv, after, check }
        };
        moves.iter().map(step).collect()
    }
}

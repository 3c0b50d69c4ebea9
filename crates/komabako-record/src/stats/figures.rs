//! [`Figures`]: the figures of [`Stats`], as `komabako stats --json` and the page report them.
//!
//! The names and units of the members are part of the interface of both; `docs/stats.md` lists them.

#![expect(missing_docs, reason = "the table in docs/stats.md describes every member")]

use alloc::vec::Vec;

use komabako_board::{BaseKind, Color, File, Rank, square};
use serde::Serialize;

use super::{Distinct, Fit, KingSquares, MoveCounts, PieceCounts, ScoreBin, Stats};

/// The figures over all inputs.
#[derive(Debug, Serialize)]
pub struct Figures {
    pub records: u64,
    pub side_to_move: ByColor<u64>,
    pub in_check: u64,
    pub unplayable: u64,
    pub distinct: Positions,
    pub missing: Missing,
    pub results: Results,
    pub plies: Plies,
    pub scores: Scores,
    pub fit: Option<Logistic>,
    pub pieces: Vec<Kind>,
    pub kings: ByColor<King>,
    pub moves: Moves,
}

#[derive(Debug, Serialize)]
pub struct ByColor<T> {
    pub black: T,
    pub white: T,
}

/// The estimated number of distinct positions, with the 95 % bounds `low` and `high`.
#[derive(Debug, Serialize)]
pub struct Positions {
    pub estimate: u64,
    pub low: u64,
    pub high: u64,
    pub standard_error: f64,
    pub duplicate_share: Option<f64>,
}

#[derive(Debug, Serialize)]
pub struct Missing {
    pub score: u64,
    #[serde(rename = "move")]
    pub best_move: u64,
    pub ply: u64,
    pub result: u64,
}

#[derive(Debug, Serialize)]
pub struct Results {
    pub black_wins: u64,
    pub draws: u64,
    pub white_wins: u64,
    pub side_to_move_wins: u64,
}

#[derive(Debug, Serialize)]
pub struct Plies {
    pub mean: Option<f64>,
    pub deviation: Option<f64>,
    pub min: Option<i64>,
    pub max: Option<i64>,
    pub bins: Vec<PlyBin>,
}

#[derive(Debug, Serialize)]
pub struct PlyBin {
    pub from: u32,
    pub to: Option<u32>,
    pub count: u64,
}

#[derive(Debug, Serialize)]
pub struct Scores {
    pub mean: Option<f64>,
    pub deviation: Option<f64>,
    pub median: Option<i16>,
    pub min: Option<i64>,
    pub max: Option<i64>,
    pub mating: u64,
    pub mated: u64,
    pub bins: Vec<Bin>,
}

#[derive(Debug, Serialize)]
pub struct Bin {
    pub from: Option<i16>,
    pub to: Option<i16>,
    pub count: u64,
    pub wins: u64,
    pub draws: u64,
    pub defeats: u64,
    pub unknown: u64,
    pub win_rate: Option<f64>,
    pub fitted: Option<f64>,
}

#[derive(Debug, Serialize)]
pub struct Logistic {
    pub a: f64,
    pub a_error: f64,
    pub records: u64,
    pub significant: bool,
}

/// The whereabouts of the pieces of a kind, as means over all positions.
#[derive(Debug, Serialize)]
pub struct Kind {
    pub kind: char,
    pub black: Place,
    pub white: Place,
    pub removed: f64,
}

#[derive(Debug, Serialize)]
pub struct Place {
    pub unpromoted: f64,
    pub promoted: f64,
    pub hand: f64,
}

/// The number of positions with the king on each square: rows by rank from a, within a row by file from 9, as on a
/// diagram.
#[derive(Debug, Serialize)]
pub struct King {
    pub squares: [[u64; 9]; 9],
    pub absent: u64,
}

#[derive(Debug, Serialize)]
pub struct Moves {
    pub board: u64,
    pub drops: u64,
    pub captures: u64,
    pub promotions: u64,
    pub special: u64,
    pub ill_formed: u64,
    pub unmatched: u64,
    pub by_kind: Vec<Mover>,
}

#[derive(Debug, Serialize)]
pub struct Mover {
    pub kind: char,
    pub unpromoted: u64,
    pub promoted: u64,
    pub drops: u64,
}

impl Figures {
    /// Computes the figures of the statistics.
    pub fn new(stats: &Stats) -> Figures {
        let [black, white] = stats.side_to_move;
        let fit = stats.scores.fit();
        let results = &stats.results;
        Figures {
            records: stats.records,
            side_to_move: ByColor { black, white },
            in_check: stats.in_check,
            unplayable: stats.unplayable,
            distinct: Positions::new(&stats.distinct, stats.records),
            missing: Missing {
                score: stats.scores.missing,
                best_move: stats.moves.missing,
                ply: stats.plies.missing,
                result: results.missing,
            },
            results: Results {
                black_wins: results.black,
                draws: results.draw,
                white_wins: results.white,
                side_to_move_wins: results.mover,
            },
            plies: Plies::new(&stats.plies),
            scores: Scores::new(&stats.scores, fit.as_ref()),
            fit: fit.as_ref().map(Logistic::new),
            pieces: BaseKind::ALL.map(|kind| Kind::new(kind, &stats.pieces, stats.records)).into(),
            kings: ByColor {
                black: King::new(&stats.kings, Color::Black),
                white: King::new(&stats.kings, Color::White),
            },
            moves: Moves::new(&stats.moves),
        }
    }
}

impl Positions {
    /// Limits the estimate to the number of records.
    fn new(distinct: &Distinct, records: u64) -> Self {
        let estimate = distinct.estimate();
        let whole = |count: f64| (count.round() as u64).min(records);
        let count = whole(estimate.count);
        Positions {
            estimate: count,
            low: whole(estimate.bounds.0),
            high: whole(estimate.bounds.1),
            standard_error: Distinct::ERROR,
            duplicate_share: (records > 0).then(|| 1.0 - count as f64 / records as f64),
        }
    }
}

impl Plies {
    fn new(plies: &super::Plies) -> Self {
        let bin = |(from, count)| {
            let to = from + super::Plies::WIDTH - 1;
            let is_open = to > super::Plies::WIDTH * (super::Plies::BINS as u32 - 1);
            PlyBin { from, to: (!is_open).then_some(to), count }
        };
        let range = plies.spread.range();
        Plies {
            mean: plies.spread.mean(),
            deviation: plies.spread.deviation(),
            min: range.map(|(min, _)| min),
            max: range.map(|(_, max)| max),
            bins: plies.bins().map(bin).collect(),
        }
    }
}

impl Scores {
    fn new(scores: &super::Scores, fit: Option<&Fit>) -> Self {
        let bin = |bin: ScoreBin| Bin {
            from: bin.from,
            to: bin.to,
            count: bin.count(),
            wins: bin.wins,
            draws: bin.draws,
            defeats: bin.losses,
            unknown: bin.unknown,
            win_rate: bin.win_rate(),
            fitted: fit.zip(bin.middle()).map(|(fit, middle)| fit.win_rate(middle)),
        };
        let range = scores.spread.range();
        Scores {
            mean: scores.spread.mean(),
            deviation: scores.spread.deviation(),
            median: scores.median(),
            min: range.map(|(min, _)| min),
            max: range.map(|(_, max)| max),
            mating: scores.mating,
            mated: scores.mated,
            bins: scores.bins().map(bin).collect(),
        }
    }
}

impl Logistic {
    fn new(fit: &Fit) -> Self {
        Logistic {
            a: fit.scale(),
            a_error: fit.scale_error(),
            records: fit.records,
            significant: fit.is_significant(),
        }
    }
}

impl Kind {
    fn new(kind: BaseKind, pieces: &PieceCounts, records: u64) -> Self {
        let mean = |count: u64| if records == 0 { 0.0 } else { count as f64 / records as f64 };
        let place = |color| Place {
            unpromoted: mean(pieces.on_board(color, kind, false)),
            promoted: mean(pieces.on_board(color, kind, true)),
            hand: mean(pieces.in_hand(color, kind)),
        };
        let used: u64 = [Color::Black, Color::White]
            .into_iter()
            .map(|color| {
                let on_board = |is_promoted| pieces.on_board(color, kind, is_promoted);
                on_board(false) + on_board(true) + pieces.in_hand(color, kind)
            })
            .sum();
        Kind {
            kind: kind.letter(),
            black: place(Color::Black),
            white: place(Color::White),
            removed: mean(records * u64::from(kind.inventory()) - used),
        }
    }
}

impl King {
    fn new(kings: &KingSquares, color: Color) -> Self {
        let mut squares = [[0; 9]; 9];
        for (row, rank) in squares.iter_mut().zip(Rank::all()) {
            for (count, file) in row.iter_mut().zip(File::all().rev()) {
                *count = kings.on(color, square::at(file, rank));
            }
        }
        King { squares, absent: kings.missing[color.array_index()] }
    }
}

impl Moves {
    fn new(moves: &MoveCounts) -> Self {
        let mover = |kind: BaseKind| Mover {
            kind: kind.letter(),
            unpromoted: moves.on_board(kind, false),
            promoted: moves.on_board(kind, true),
            drops: moves.drops(kind),
        };
        Moves {
            board: moves.board_total(),
            drops: moves.drop_total(),
            captures: moves.captures,
            promotions: moves.promotions,
            special: moves.special,
            ill_formed: moves.ill_formed,
            unmatched: moves.unmatched,
            by_kind: BaseKind::ALL.map(mover).into(),
        }
    }
}

impl Mover {
    /// The number of moves of the kind, including drops.
    pub const fn total(&self) -> u64 {
        self.unpromoted + self.promoted + self.drops
    }
}

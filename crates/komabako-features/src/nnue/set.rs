//! The sets of inputs, a row each.

use core::fmt::{Display, Formatter};
use core::str::FromStr;

use super::number::{ENEMY_KING, OWN_KING};

/// A set of inputs. The numbers p of pieces and k of kings' squares are those of `spec/features.md` §2.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FeatureSet {
    /// 1548 · k + p of all pieces but kings.
    HalfKp,
    /// [`HalfKp`](Self::HalfKp), mirrored so that the own king is on files 1 to 5.
    HalfKpVm,
    /// [`HalfKp`](Self::HalfKp) nine times over, by the number of own and of enemy pieces (0, 1, more) that attack the piece's
    /// square.
    HalfKpE9,
    /// 1710 · k + p of all pieces, the kings included.
    HalfKa1,
    /// 1629 · k + p of all pieces, in which both kings have the own king's numbers: k tells which of them is the own.
    HalfKa2,
    /// [`HalfKa1`](Self::HalfKa1), mirrored so that the own king is on files 1 to 5.
    HalfKaHm1,
    /// [`HalfKa2`](Self::HalfKa2), mirrored so that the own king is on files 1 to 5. Often called `HalfKA_hm` without a number.
    HalfKaHm2,
    /// p of all pieces, the kings included, without regard to k.
    Kp,
    /// p of all pieces, in which both kings have the own king's numbers, then the squares of the own and the enemy's king.
    Ka2,
    /// p of all pieces but kings, ascending: from these, and the two [`kings`](super::kings), trainers of KPP networks form
    /// their pairs.
    Pieces,
}

/// What the program and the kernel know about a set.
#[derive(Clone, Copy)]
struct Row {
    name: &'static str,
    yaneuraou_files: &'static [&'static str],
    inputs: usize,
    active: usize,
    shape: Shape,
}

/// How the indices of a set are computed.
#[derive(Clone, Copy)]
pub struct Shape {
    /// The distance between the first indices of two neighbouring squares of the own king; 0 if its square does not matter.
    pub per_king: i32,
    /// The first numbers of the own and the enemy's king, if kings are inputs.
    pub kings: Option<[i32; 2]>,
    /// Whether the board is mirrored if the own king is on files 6 to 9.
    pub mirrors: bool,
    /// Whether attackers are counted.
    pub has_attackers: bool,
    /// The first of the 162 indices of the kings' squares, if these are inputs besides the pieces.
    pub king_squares: Option<i32>,
    /// Whether rows are always ascending.
    pub is_ascending: bool,
}

/// All pieces but kings, by their numbers alone.
const PLAIN: Shape = Shape {
    per_king: 0,
    kings: None,
    mirrors: false,
    has_attackers: false,
    king_squares: None,
    is_ascending: false,
};
const APART: Option<[i32; 2]> = Some([OWN_KING, ENEMY_KING]);
const MERGED: Option<[i32; 2]> = Some([OWN_KING, OWN_KING]);

impl FeatureSet {
    /// All sets.
    pub const ALL: [FeatureSet; 10] = [
        FeatureSet::HalfKp,
        FeatureSet::HalfKpVm,
        FeatureSet::HalfKpE9,
        FeatureSet::HalfKa1,
        FeatureSet::HalfKa2,
        FeatureSet::HalfKaHm1,
        FeatureSet::HalfKaHm2,
        FeatureSet::Kp,
        FeatureSet::Ka2,
        FeatureSet::Pieces,
    ];

    const fn row(self) -> Row {
        match self {
            FeatureSet::HalfKp => Row {
                name: "halfkp",
                yaneuraou_files: &["half_kp"],
                inputs: 125_388,
                active: 38,
                shape: Shape { per_king: 1548, ..PLAIN },
            },
            FeatureSet::HalfKpVm => Row {
                name: "halfkpvm",
                yaneuraou_files: &["half_kp_vm"],
                inputs: 69_660,
                active: 38,
                shape: Shape { per_king: 1548, mirrors: true, ..PLAIN },
            },
            FeatureSet::HalfKpE9 => Row {
                name: "halfkpe9",
                yaneuraou_files: &["half_kpe9", "pe9"],
                inputs: 1_128_492,
                active: 38,
                shape: Shape { per_king: 1548, has_attackers: true, ..PLAIN },
            },
            FeatureSet::HalfKa1 => Row {
                name: "halfka1",
                yaneuraou_files: &["half_ka1"],
                inputs: 138_510,
                active: 40,
                shape: Shape { per_king: 1710, kings: APART, ..PLAIN },
            },
            FeatureSet::HalfKa2 => Row {
                name: "halfka2",
                yaneuraou_files: &["half_ka2"],
                inputs: 131_949,
                active: 40,
                shape: Shape { per_king: 1629, kings: MERGED, ..PLAIN },
            },
            FeatureSet::HalfKaHm1 => Row {
                name: "halfka_hm1",
                yaneuraou_files: &["half_ka_hm1"],
                inputs: 76_950,
                active: 40,
                shape: Shape { per_king: 1710, kings: APART, mirrors: true, ..PLAIN },
            },
            FeatureSet::HalfKaHm2 => Row {
                name: "halfka_hm2",
                yaneuraou_files: &["half_ka_hm2"],
                inputs: 73_305,
                active: 40,
                shape: Shape { per_king: 1629, kings: MERGED, mirrors: true, ..PLAIN },
            },
            FeatureSet::Kp => Row {
                name: "kp",
                yaneuraou_files: &["k", "p"],
                inputs: 1_710,
                active: 40,
                shape: Shape { kings: APART, ..PLAIN },
            },
            FeatureSet::Ka2 => Row {
                name: "ka2",
                yaneuraou_files: &["k", "a2"],
                inputs: 1_791,
                active: 42,
                shape: Shape { kings: MERGED, king_squares: Some(1629), ..PLAIN },
            },
            FeatureSet::Pieces => Row {
                name: "pieces",
                yaneuraou_files: &[],
                inputs: 1_548,
                active: 38,
                shape: Shape { is_ascending: true, ..PLAIN },
            },
        }
    }

    /// The name, e.g. `halfka_hm2`.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The number of inputs: indices are below it.
    pub const fn inputs(self) -> usize {
        self.row().inputs
    }

    /// The largest number of active inputs, which is the length of a row.
    pub const fn active(self) -> usize {
        self.row().active
    }

    /// YaneuraOu's files in `eval/nnue/features` that define the set.
    pub const fn yaneuraou_files(self) -> &'static [&'static str] {
        self.row().yaneuraou_files
    }

    pub(super) const fn shape(self) -> Shape {
        self.row().shape
    }
}

impl Display for FeatureSet {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// A name is not that of a [`FeatureSet`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownSet;

impl Display for UnknownSet {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        f.write_str("not a set of inputs; there are")?;
        for set in FeatureSet::ALL {
            write!(f, " {set}")?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownSet {}

/// Takes the names, and `halfka_hm` for `halfka_hm2`.
impl FromStr for FeatureSet {
    type Err = UnknownSet;

    fn from_str(name: &str) -> Result<FeatureSet, UnknownSet> {
        let name = if name == "halfka_hm" { FeatureSet::HalfKaHm2.name() } else { name };
        FeatureSet::ALL.into_iter().find(|set| set.name() == name).ok_or(UnknownSet)
    }
}

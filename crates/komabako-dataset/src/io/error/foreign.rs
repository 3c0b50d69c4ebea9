//! [`Foreign`]: known kinds of files that are not supported.

use core::fmt;

/// A known kind of file that is not supported.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Foreign {
    /// A 7z archive.
    SevenZip,
    /// rsshogi's sbinpack.
    Sbinpack,
    /// rsshogi's sazpack.
    Sazpack,
    /// A YaneuraOu book, binary.
    Ybb,
    /// A YaneuraOu book, text.
    YaneuraOuBook,
    /// Arrow IPC.
    Arrow,
    /// Parquet.
    Parquet,
    /// A game record in CSA.
    Csa,
    /// A game record in KIF or KI2.
    Kif,
    /// A game record in JKF, which is JSON.
    Jkf,
}

impl Foreign {
    /// A description of the file, and a way to use it where one exists.
    const fn advice(self) -> &'static str {
        match self {
            Foreign::SevenZip => "a 7z archive; unpack it first: 7z x FILE",
            Foreign::Sbinpack => {
                "sbinpack, which needs rsshogi to read; convert it to PSV with rsshogi first"
            }
            Foreign::Sazpack => "sazpack, which needs rsshogi to read; convert it to PSV with rsshogi first",
            Foreign::Ybb => "a YaneuraOu book (.ybb), not a file of training positions",
            Foreign::YaneuraOuBook => "a YaneuraOu book (.db), not a file of training positions",
            Foreign::Arrow => "Arrow IPC, which is not read",
            Foreign::Parquet => "Parquet, which is not read",
            Foreign::Csa => {
                "a game record in CSA, not a file of positions; write its positions as SFEN lines first"
            }
            Foreign::Kif => {
                "a game record in KIF or KI2, not a file of positions; write its positions as SFEN lines first"
            }
            Foreign::Jkf => {
                "a game record in JKF, not a file of positions; write its positions as SFEN lines first"
            }
        }
    }
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.advice())
    }
}

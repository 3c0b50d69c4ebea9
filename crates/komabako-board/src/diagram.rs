//! Boards drawn for people: [`kanji`] as in Japanese game records, [`ascii`] with SFEN's letters.

use core::fmt;

use crate::{BaseKind, Color, File, Hand, Piece, PieceKind, Rank, Setup, square};

/// The board as Japanese game records draw it (盤面図), hands and side to move included.
///
/// White's pieces are marked `v`; a square takes three columns where full-width characters take two. The last line has
/// no line end. The format is the board diagram (BOD) that KIF programs paste.
///
/// ```
/// use komabako_board::{Setup, diagram};
/// let setup: Setup = "3gk4/4+P4/9/9/9/9/9/9/9 b G2r17p".parse()?;
/// assert!(diagram::kanji(&setup).to_string().contains("| ・ ・ ・v金v玉 ・ ・ ・ ・|一\n"));
/// # Ok::<(), komabako_board::SfenError>(())
/// ```
pub fn kanji(setup: &Setup) -> impl fmt::Display {
    Kanji(setup)
}

/// The board with SFEN's letters, upper case for Black, `+` before promoted pieces, hands and side to move included.
///
/// The last line has no line end.
///
/// ```
/// use komabako_board::{Setup, diagram};
/// let board = diagram::ascii(&Setup::START).to_string();
/// assert!(board.contains("| .  r  .  .  .  .  .  b  . | b\n"));
/// ```
pub fn ascii(setup: &Setup) -> impl fmt::Display {
    Ascii(setup)
}

struct Kanji<'a>(&'a Setup);

impl fmt::Display for Kanji<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Kanji(setup) = self;
        kanji_hand(f, "後手", setup.hand(Color::White))?;
        writeln!(f, "  ９ ８ ７ ６ ５ ４ ３ ２ １\n{EDGE}")?;
        for (rank, number) in Rank::all().zip(KANJI_NUMBERS) {
            f.write_str("|")?;
            for file in File::all().rev() {
                match setup.piece_at(square::at(file, rank)).map(Piece::to_parts) {
                    None => f.write_str(" ・")?,
                    Some((kind, Color::Black)) => write!(f, " {}", kanji_piece(kind))?,
                    Some((kind, Color::White)) => write!(f, "v{}", kanji_piece(kind))?,
                }
            }
            writeln!(f, "|{number}")?;
        }
        writeln!(f, "{EDGE}")?;
        kanji_hand(f, "先手", setup.hand(Color::Black))?;
        f.write_str(match setup.side_to_move() {
            Color::Black => "先手番",
            Color::White => "後手番",
        })
    }
}

const EDGE: &str = "+---------------------------+";
/// The numbers of the ranks.
pub const KANJI_NUMBERS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// A line of one hand, `飛　歩十八` for a rook and 18 pawns.
fn kanji_hand(f: &mut fmt::Formatter<'_>, player: &str, hand: Hand) -> fmt::Result {
    write!(f, "{player}の持駒：")?;
    if hand.is_empty() {
        return f.write_str("なし\n");
    }
    let kinds = BaseKind::SFEN_HAND.into_iter().filter(|&kind| hand.count(kind) > 0);
    for (place, kind) in kinds.enumerate() {
        f.write_str(if place > 0 { "　" } else { "" })?;
        write!(f, "{}", kanji_piece(kind.unpromoted()))?;
        let count = usize::from(hand.count(kind));
        f.write_str(if count >= 10 { "十" } else { "" })?;
        if count > 1 && count % 10 > 0 {
            write!(f, "{}", KANJI_NUMBERS[count % 10 - 1])?;
        }
    }
    f.write_str("\n")
}

/// A piece's character, one for each kind: 杏, 圭 and 全 for promoted lances, knights and silvers.
pub fn kanji_piece(kind: PieceKind) -> char {
    match kind {
        PieceKind::Pawn => '歩',
        PieceKind::Lance => '香',
        PieceKind::Knight => '桂',
        PieceKind::Silver => '銀',
        PieceKind::Gold => '金',
        PieceKind::Bishop => '角',
        PieceKind::Rook => '飛',
        PieceKind::King => '玉',
        PieceKind::ProPawn => 'と',
        PieceKind::ProLance => '杏',
        PieceKind::ProKnight => '圭',
        PieceKind::ProSilver => '全',
        PieceKind::ProBishop => '馬',
        PieceKind::ProRook => '龍',
    }
}

struct Ascii<'a>(&'a Setup);

impl fmt::Display for Ascii<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ascii(setup) = self;
        ascii_hand(f, Color::White, setup.hand(Color::White))?;
        writeln!(f, "  9  8  7  6  5  4  3  2  1\n{EDGE}")?;
        for rank in Rank::all() {
            f.write_str("|")?;
            for file in File::all().rev() {
                match setup.piece_at(square::at(file, rank)).map(Piece::to_parts) {
                    None => f.write_str(" . ")?,
                    Some((kind, color)) => {
                        let mark = if crate::kind::is_promoted(kind) { '+' } else { ' ' };
                        write!(f, "{mark}{} ", letter(BaseKind::of(kind), color))?;
                    }
                }
            }
            writeln!(f, "| {}", rank.to_usi())?;
        }
        writeln!(f, "{EDGE}")?;
        ascii_hand(f, Color::Black, setup.hand(Color::Black))?;
        write!(f, "{:?} to move", setup.side_to_move())
    }
}

/// A line of one hand, `r 18p` for a rook and 18 pawns.
fn ascii_hand(f: &mut fmt::Formatter<'_>, color: Color, hand: Hand) -> fmt::Result {
    write!(f, "{color:?} in hand:")?;
    if hand.is_empty() {
        f.write_str(" -")?;
    }
    for kind in BaseKind::SFEN_HAND {
        match hand.count(kind) {
            0 => {}
            1 => write!(f, " {}", letter(kind, color))?,
            count => write!(f, " {count}{}", letter(kind, color))?,
        }
    }
    f.write_str("\n")
}

fn letter(kind: BaseKind, color: Color) -> char {
    match color {
        Color::Black => kind.letter(),
        Color::White => kind.letter().to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString};

    use super::*;

    const START: &str = "\
後手の持駒：なし
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
|v香v桂v銀v金v玉v金v銀v桂v香|一
| ・v飛 ・ ・ ・ ・ ・v角 ・|二
|v歩v歩v歩v歩v歩v歩v歩v歩v歩|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| 歩 歩 歩 歩 歩 歩 歩 歩 歩|七
| ・ 角 ・ ・ ・ ・ ・ 飛 ・|八
| 香 桂 銀 金 玉 金 銀 桂 香|九
+---------------------------+
先手の持駒：なし
先手番";

    const EVERY_KIND: &str = "+P+L+N+S+B+R3/+p+l+n+s+b+r3/k8/8K/9/9/9/9/9 w 2G2SNL10P2g6p";

    const EVERY_KIND_IN_KANJI: &str = "\
後手の持駒：金二　歩六
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| と 杏 圭 全 馬 龍 ・ ・ ・|一
|vとv杏v圭v全v馬v龍 ・ ・ ・|二
|v玉 ・ ・ ・ ・ ・ ・ ・ ・|三
| ・ ・ ・ ・ ・ ・ ・ ・ 玉|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ ・ ・ ・ ・ ・|九
+---------------------------+
先手の持駒：金二　銀二　桂　香　歩十
後手番";

    const EVERY_KIND_IN_ASCII: &str = "\
White in hand: 2g 6p
  9  8  7  6  5  4  3  2  1
+---------------------------+
|+P +L +N +S +B +R  .  .  . | a
|+p +l +n +s +b +r  .  .  . | b
| k  .  .  .  .  .  .  .  . | c
| .  .  .  .  .  .  .  .  K | d
| .  .  .  .  .  .  .  .  . | e
| .  .  .  .  .  .  .  .  . | f
| .  .  .  .  .  .  .  .  . | g
| .  .  .  .  .  .  .  .  . | h
| .  .  .  .  .  .  .  .  . | i
+---------------------------+
Black in hand: 2G 2S N L 10P
White to move";

    #[test]
    fn boards_are_drawn_exactly() {
        assert_eq!(kanji(&Setup::START).to_string(), START);
        let every_kind = EVERY_KIND.parse().unwrap();
        assert_eq!(kanji(&every_kind).to_string(), EVERY_KIND_IN_KANJI);
        assert_eq!(ascii(&every_kind).to_string(), EVERY_KIND_IN_ASCII);
        assert!(ascii(&Setup::START).to_string().starts_with("White in hand: -\n"));
    }

    #[test]
    fn piece_counts_are_kanji() {
        let line = |count| {
            let mut setup = Setup::EMPTY;
            setup.set_hand_count(Color::White, BaseKind::Pawn, count).unwrap();
            kanji(&setup).to_string().lines().next().map(String::from).unwrap()
        };
        for (count, text) in
            [(1, "歩"), (2, "歩二"), (9, "歩九"), (10, "歩十"), (11, "歩十一"), (18, "歩十八")]
        {
            assert_eq!(line(count), String::from("後手の持駒：") + text);
        }
    }
}

//! The words of Japanese move texts, and their reader.

use komabako_board::{Color, File, PieceKind, Rank, Square, square};

const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
const WIDE_DIGITS: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];

/// The Japanese name of a piece in move texts: 歩, と, 成香, 龍.
pub const fn japanese_name(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "歩",
        PieceKind::Lance => "香",
        PieceKind::Knight => "桂",
        PieceKind::Silver => "銀",
        PieceKind::Gold => "金",
        PieceKind::Bishop => "角",
        PieceKind::Rook => "飛",
        PieceKind::King => "玉",
        PieceKind::ProPawn => "と",
        PieceKind::ProLance => "成香",
        PieceKind::ProKnight => "成桂",
        PieceKind::ProSilver => "成銀",
        PieceKind::ProBishop => "馬",
        PieceKind::ProRook => "龍",
    }
}

/// A file as a full-width digit.
pub(super) fn wide_digit(file: File) -> char {
    WIDE_DIGITS[usize::from(file.number() - 1)]
}

pub(super) fn rank(rank: Rank) -> char {
    RANKS[usize::from(rank.number() - 1)]
}

/// The value of a digit, half-width or full-width, 1 to 9.
fn digit(c: char) -> Option<u8> {
    match c {
        '1'..='9' => Some(c as u8 - b'0'),
        '１'..='９' => Some((c as u32 - '０' as u32) as u8),
        _ => None,
    }
}

/// The value of a rank: a kanji, or a digit, which some programs also write for ranks.
fn rank_number(c: char) -> Option<u8> {
    let kanji = RANKS.iter().position(|&rank| rank == c);
    kanji.map(|index| index as u8 + 1).or_else(|| digit(c))
}

/// Reads text word by word.
pub(super) struct Reader<'a> {
    text: &'a str,
    pub at: usize,
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Reads the next character if `meaning` returns a value for it.
    fn character<T>(&mut self, meaning: impl FnOnce(char) -> Option<T>) -> Option<T> {
        let next = self.rest().chars().next()?;
        let meant = meaning(next)?;
        self.at += next.len_utf8();
        Some(meant)
    }

    /// Reads a word if it comes next.
    #[inline]
    pub fn word(&mut self, word: &str) -> bool {
        let is_next = self.rest().starts_with(word);
        self.at += if is_next { word.len() } else { 0 };
        is_next
    }

    /// Reads the first of these words that matches the text here.
    pub fn one_of<T>(&mut self, words: impl IntoIterator<Item = (&'static str, T)>) -> Option<T> {
        words.into_iter().find_map(|(word, meaning)| self.word(word).then_some(meaning))
    }

    /// Skips blanks, U+0020 and U+3000.
    #[inline]
    pub fn blanks(&mut self) {
        while self.character(|c| matches!(c, ' ' | '　').then_some(())).is_some() {}
    }

    /// Skips the words for the direction of a move and for the side that the piece comes from.
    pub fn directions(&mut self) {
        while self.character(|c| "上行入引寄直右左".contains(c).then_some(())).is_some() {}
    }

    /// The mark of the side that moves.
    pub fn side(&mut self) -> Option<Color> {
        self.character(|c| match c {
            '▲' | '▼' | '☗' => Some(Color::Black),
            '△' | '▽' | '☖' => Some(Color::White),
            _ => None,
        })
    }

    #[inline]
    pub fn square(&mut self) -> Option<Square> {
        let start = self.at;
        let file = self.character(digit)?;
        // Back to the start, so that the error names the start of the square.
        let Some(rank) = self.character(rank_number) else {
            self.at = start;
            return None;
        };
        Some(square::at(File::new(file)?, Rank::new(rank)?))
    }

    /// A piece by any of its names.
    pub fn kind(&mut self) -> Option<PieceKind> {
        self.character(|c| match c {
            '歩' => Some(PieceKind::Pawn),
            '香' => Some(PieceKind::Lance),
            '桂' => Some(PieceKind::Knight),
            '銀' => Some(PieceKind::Silver),
            '金' => Some(PieceKind::Gold),
            '角' => Some(PieceKind::Bishop),
            '飛' => Some(PieceKind::Rook),
            '玉' | '王' => Some(PieceKind::King),
            'と' => Some(PieceKind::ProPawn),
            '杏' => Some(PieceKind::ProLance),
            '圭' => Some(PieceKind::ProKnight),
            '全' => Some(PieceKind::ProSilver),
            '馬' => Some(PieceKind::ProBishop),
            '龍' | '竜' => Some(PieceKind::ProRook),
            _ => None,
        })
        .or_else(|| {
            // 成 alone is not a piece: it may be the word for promotion, so it is read only together with the character
            // after it.
            self.one_of([
                ("成銀", PieceKind::ProSilver),
                ("成桂", PieceKind::ProKnight),
                ("成香", PieceKind::ProLance),
                ("成と", PieceKind::ProPawn),
            ])
        })
    }

    /// The square that a piece comes from, `(77)`.
    pub fn source(&mut self) -> Option<Square> {
        let &[b'(', file @ b'1'..=b'9', rank @ b'1'..=b'9', b')', ..] = self.rest().as_bytes() else {
            return None;
        };
        self.at += "(77)".len();
        Some(square::at(File::new(file - b'0')?, Rank::new(rank - b'0')?))
    }
}

//! The cells of a row of the board, as Kifu for Windows and others draw it.

use komabako_board::{Color, Piece, PieceKind};

use super::line::is_bar;

/// The nine cells of a row: the offset and the piece, or `None` for an empty cell.
type Cells = [Option<(usize, Piece)>; 9];

/// Reads the cells at the start of a text, up to `|`. Returns them and the offset behind them, or the offset of the fault.
pub(super) fn read_cells(text: &str) -> Result<(Cells, usize), usize> {
    // Other layouts are tried only if this one, which programs write, does not fit.
    let (fault, end) = match read_pairs(text) {
        Ok(cells) => return Ok(cells),
        Err(fault) => (fault, text.find(is_bar).unwrap_or(text.len())),
    };
    let body = &text[..end];
    read_tokens(body).or_else(|| read_blanks(body)).map(|cells| (cells, end)).ok_or(fault)
}

/// A cell is a mark and a piece: `v飛`, ` 歩`, ` ・`, or two blanks.
fn read_pairs(text: &str) -> Result<(Cells, usize), usize> {
    let mut chars = text.char_indices();
    let mut cells: Cells = [None; 9];
    for cell in &mut cells {
        let (at, mark) = chars.next().ok_or(text.len())?;
        let color = color_of(mark).ok_or(at)?;
        let (piece_at, name) = chars.next().ok_or(text.len())?;
        match piece(name) {
            Some(kind) => *cell = Some((at, Piece::new(kind, color))),
            None if is_empty(name) => {}
            None => return Err(piece_at),
        }
    }
    match chars.next() {
        Some((at, bar)) if is_bar(bar) => Ok((cells, at)),
        Some((at, _)) => Err(at),
        None => Err(text.len()),
    }
}

/// Cells with any blanks between them, and a mark only where it is needed: `・・v玉・歩`.
fn read_tokens(body: &str) -> Option<Cells> {
    let mut cells: Cells = [None; 9];
    let mut places = cells.iter_mut();
    let mut mark = None;
    for (at, c) in body.char_indices() {
        if c.is_whitespace() {
            continue;
        }
        if let (None, Some(color)) = (mark, color_of(c)) {
            mark = Some((at, color));
            continue;
        }
        let (start, color) = mark.take().unwrap_or((at, Color::Black));
        let place = places.next()?;
        match piece(c) {
            Some(kind) => *place = Some((start, Piece::new(kind, color))),
            None if is_empty(c) && start == at => {}
            None => return None,
        }
    }
    (mark.is_none() && places.next().is_none()).then_some(cells)
}

/// Cells with blanks for empty ones: three half-width columns a cell; or one character a cell, where the mark of a piece
/// counts as a character or does not.
fn read_blanks(body: &str) -> Option<Cells> {
    let is_mark = |c: char| !c.is_whitespace() && color_of(c).is_some();
    let count = body.chars().count();
    let marks = body.chars().filter(|&c| is_mark(c)).count();
    let pieces = body.chars().filter(|&c| piece(c).is_some()).count();
    let width = |c: char| if c.is_ascii() { 1 } else { 2 };
    if pieces == 0 {
        return body.chars().all(char::is_whitespace).then_some([None; 9]);
    }
    // The width of a piece's cell beyond that of the piece, and of all cells.
    let (is_in_columns, beside) = match body.chars().map(width).sum::<usize>() {
        27 => (true, 1),
        _ if count == 9 + pieces => (false, 1),
        _ if count - marks == 9 => (false, 0),
        _ => return None,
    };
    let mut cells: Cells = [None; 9];
    let mut at = 0_usize;
    let mut mark = None;
    for (byte, c) in body.char_indices() {
        if is_mark(c) {
            mark = Some((byte, color_of(c)?));
            at += beside;
            continue;
        }
        if let Some(kind) = piece(c) {
            let (start, color) = mark.unwrap_or((byte, Color::Black));
            let place = if is_in_columns { at / 3 } else { at.checked_sub(beside)? };
            *cells.get_mut(place)? = Some((start, Piece::new(kind, color)));
            at += if is_in_columns { 2 } else { 1 - beside };
        } else if c.is_whitespace() || is_empty(c) {
            at += if is_in_columns { width(c) } else { 1 };
        } else {
            return None;
        }
        mark = None;
    }
    Some(cells)
}

/// The colour of the piece after a mark.
fn color_of(mark: char) -> Option<Color> {
    match mark {
        ' ' | '+' | '^' => Some(Color::Black),
        'v' | 'V' | 'ｖ' => Some(Color::White),
        _ => None,
    }
}

/// Whether a character stands for an empty cell.
fn is_empty(c: char) -> bool {
    matches!(c, '・' | '･' | '.' | '．' | ' ' | '　' | '·')
}

/// Whether a character is a cell: a piece or a point.
pub(super) fn is_cell(c: char) -> bool {
    piece(c).is_some() || is_empty(c) && !c.is_whitespace()
}

/// The piece denoted by a character of a diagram.
pub(super) fn piece(c: char) -> Option<PieceKind> {
    Some(match c {
        '歩' => PieceKind::Pawn,
        '香' => PieceKind::Lance,
        '桂' => PieceKind::Knight,
        '銀' => PieceKind::Silver,
        '金' => PieceKind::Gold,
        '角' => PieceKind::Bishop,
        '飛' => PieceKind::Rook,
        '玉' | '王' => PieceKind::King,
        'と' | '个' => PieceKind::ProPawn,
        '杏' | '仝' => PieceKind::ProLance,
        '圭' | '今' => PieceKind::ProKnight,
        '全' => PieceKind::ProSilver,
        '馬' => PieceKind::ProBishop,
        '龍' | '竜' => PieceKind::ProRook,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_cells_may_be_points_blanks_or_missing() {
        let expected =
            read_cells(" ・ ・ 歩 ・ ・ ・ ・v玉 ・|一").unwrap().0.map(|cell| cell.map(|(_, piece)| piece));
        for row in [
            " . . 歩 . . . .v玉 .|一",
            "・・歩・・・・v玉・|一",
            "・ ・ 歩 ・ ・ ・ ・ v玉 ・|",
            // Two characters a cell.
            "     歩        v玉  |一",
            // Three columns a cell.
            "       歩            v玉   |一",
            // One blank an empty cell.
            "   歩    v玉 |一",
            // One character an empty cell or a piece, and a mark.
            "　　歩　　　　v玉　|一",
            "  歩    v玉 |一",
            " ・ ・ 歩 ・ ・ ・ ・v玉 ・",
        ] {
            let cells = read_cells(row).unwrap_or_else(|at| panic!("{row}: {at}")).0;
            assert_eq!(cells.map(|cell| cell.map(|(_, piece)| piece)), expected, "{row}");
        }
        for blank in ["|", "         |", "                  |", "                           |"] {
            assert_eq!(read_cells(blank).unwrap().0, [None; 9]);
        }
        assert_eq!(read_cells(" ・ ・ ・ ・ ・ ・ ・ ・|"), Err(24 + 8));
        assert!(read_cells(" ・ ・ 犬 ・ ・ ・ ・ ・ ・|").is_err());
    }
}

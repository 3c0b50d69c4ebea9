//! Reads the common parts of KIF and KI2 line by line. The modules `kif` and `ki2` read the moves.

use alloc::string::String;
use alloc::vec::Vec;

use komabako_board::color;

use super::boundary::{Boundary, is_position};
use super::line::{
    KnownEnd, LineKind, classify, find_move, glued_at, is_number, known_end, looks_like_row, may_be_move,
    may_belong_to_move, parse_end, parse_number, starts_with_move,
};
use super::position::PositionLines;
use super::{is_distinctive, is_distinctive_key};
use crate::builder::Builder;
use crate::ending::{Ending, Outcome};
use crate::error::{Fault, KifuError, Notice, NoticeKind};
use crate::games::Game;
use crate::lines::{Line, Lines};
use crate::record::{AppendError, Record};
use crate::{ki2, kif};

/// The format to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    Kif,
    Ki2,
}

/// A record being read.
pub(crate) struct Reader<'a> {
    pub(super) style: Style,
    pub(super) position: PositionLines<'a>,
    pub(super) header: Vec<(&'a str, &'a str)>,
    comments: Vec<&'a str>,
    bookmark: Option<&'a str>,
    /// An upper bound of the number of moves, from the length of the text.
    moves: usize,
    /// The record; set when the first move is read.
    pub builder: Option<Builder>,
    pub boundary: Boundary,
    /// The lines of the game from the first on.
    lines: Lines<'a>,
    pub notices: Vec<Notice>,
    /// For KIF: the total time of each node's player.
    pub totals: kif::Totals,
}

/// Reads one record: the lines up to the first line of the next one, also after a fault. `lenient` keeps the moves before
/// the first fault.
pub(crate) fn read(lines: &mut Lines<'_>, style: Style, lenient: bool) -> Result<Game, KifuError> {
    let mut reader = Reader {
        style,
        position: PositionLines::new(),
        header: Vec::new(),
        comments: Vec::new(),
        bookmark: None,
        moves: lines.remaining_bytes().len() / "   1 ７六歩(77) (0:01)\n".len(),
        builder: None,
        boundary: Boundary::default(),
        lines: lines.clone(),
        notices: Vec::new(),
        totals: kif::Totals::default(),
    };
    let mut result = Ok(());
    let mut first = None;
    let mut last = Line { number: 1, start: 0, text: "" };
    while let Some(line) = lines.next() {
        if reader.style == Style::Kif && kif::read_usual_line(&mut reader, line) {
            last = line;
            continue;
        }
        let line = glued_at(line.text).map_or(line, |at| lines.split(line, at));
        let kind = classify(line.text);
        if reader.begins_game(kind, line, lines) {
            lines.go_back_to(line);
            break;
        }
        if first.is_none() && !matches!(kind, LineKind::Blank) {
            first = Some(line.number);
        }
        last = line;
        result = reader.read_line(line, kind);
        if result.is_err() {
            reader.skip_game(kind, lines);
            break;
        }
    }
    if result.is_ok() {
        result = reader.finish(last);
    }
    let stopped = match (result, lenient && reader.builder.is_some()) {
        (Ok(()), _) => None,
        (Err(error), true) => Some(error),
        (Err(error), false) => return Err(error),
    };
    let mut record = match reader.builder {
        Some(builder) => builder.into_record(),
        None => Record::even(),
    };
    for (key, value) in reader.header {
        record.push_header(key, value);
    }
    Ok(Game {
        record,
        notices: reader.notices,
        stopped,
        dropped_comments: 0,
        number: 1,
        line: first.unwrap_or(1),
    })
}

impl<'a> Reader<'a> {
    fn read_line(&mut self, line: Line<'a>, kind: LineKind<'a>) -> Result<(), KifuError> {
        if is_position(kind) && self.builder.is_some() {
            return Err(KifuError::at(line, 0, Fault::Order));
        }
        // A row that is left out would leave the even position.
        if matches!(kind, LineKind::Header(..) | LineKind::Unknown)
            && self.builder.is_none()
            && looks_like_row(line.text)
        {
            return Err(KifuError::at(line, 0, Fault::BoardRow));
        }
        match kind {
            LineKind::Blank => self.boundary.pass_blank(),
            LineKind::Columns => self.boundary.has_columns = true,
            LineKind::Ignored | LineKind::Frame => {}
            LineKind::Comment(text) => self.read_comment(text),
            LineKind::Bookmark(text) => self.read_bookmark(line, text),
            LineKind::Board => self.position.read_row(line)?,
            LineKind::Hand(Some(color), at) => self.position.read_hand(color, line, at)?,
            LineKind::Handicap(at) => {
                self.position.set_handicap(line, at)?;
                self.boundary.has_gap = false;
            }
            LineKind::Turn(Some(side), at) => self.position.set_side(line, at, side)?,
            LineKind::Hand(None, at) | LineKind::Turn(None, at) => {
                return Err(KifuError::at(line, at, Fault::Syntax));
            }
            LineKind::Ply(text) => self.read_ply(line, text),
            LineKind::Header(key, value) => {
                if !is_distinctive_key(key) && find_move(key).is_some() {
                    return Err(KifuError::at(line, 0, Fault::Syntax));
                }
                if self.boundary.has_moves {
                    self.check_late_entry(line, key, value)?;
                }
                self.header.push((key, value));
            }
            LineKind::End => self.read_end_sentence(line)?,
            LineKind::Variation(at) => self.read_variation(line, at)?,
            LineKind::Numbered(at) if self.style == Style::Kif => {
                self.boundary.pass_move();
                kif::read_line(self, line, at)?;
            }
            LineKind::Loose(number) if self.style == Style::Kif => {
                self.boundary.pass_move();
                kif::read_numbered(self, line, number.at, Some(number.number), number.move_at)?;
            }
            LineKind::Marked(at) | LineKind::Move(at) if self.style == Style::Ki2 => {
                self.boundary.pass_move();
                ki2::read_line(self, line, at)?;
            }
            LineKind::Loose(number) => {
                self.boundary.pass_move();
                ki2::read_line(self, line, number.move_at)?;
            }
            LineKind::Move(at) => return Err(KifuError::at(line, at, Fault::Syntax)),
            LineKind::Marked(at) if starts_with_move(&line.text[at..]) => {
                return Err(KifuError::at(line, at, Fault::Syntax));
            }
            LineKind::Numbered(_) | LineKind::Marked(_) | LineKind::Unknown => self.read_unknown(line)?,
        }
        Ok(())
    }

    /// Checks an entry of the header after a move: `No.2：３四歩` is a move, not an entry.
    #[cold]
    fn check_late_entry(&mut self, line: Line<'a>, key: &str, value: &str) -> Result<(), KifuError> {
        // What programs and people write below the moves.
        let is_usual = is_distinctive_key(key) || matches!(key, "備考" | "消費時間" | "終了日時");
        let at = find_move(value).map(|at| line.text.find(value).unwrap_or(0) + at);
        match at {
            Some(at) if may_be_move(key, value) => Err(KifuError::at(line, at, Fault::Syntax)),
            None if is_usual && known_end(value).is_none() => Ok(()),
            _ => {
                self.notices.push(Notice::new(line.number, NoticeKind::HeaderMove, line.text));
                Ok(())
            }
        }
    }

    /// Completes the record after its last line.
    fn finish(&mut self, last: Line<'a>) -> Result<(), KifuError> {
        self.builder(last)?;
        self.end_by_comment(last)?;
        self.fail_on_illegal()?;
        if self.boundary.has_moves { Ok(()) } else { self.find_unread(last) }
    }

    /// Looks for a line that holds a move in a game without moves: a fault, or a notice if it is an entry of the header.
    #[cold]
    fn find_unread(&mut self, last: Line<'a>) -> Result<(), KifuError> {
        for line in self.lines.clone().take_while(|line| line.start <= last.start) {
            let is_entry = match classify(line.text) {
                LineKind::Ignored | LineKind::Unknown | LineKind::Marked(_) => false,
                // `No.1：７六歩` is a move rather than an entry.
                LineKind::Header(key, value) => !may_be_move(key, value),
                _ => continue,
            };
            match find_move(line.text) {
                Some(at) if !is_entry => return Err(KifuError::at(line, at, Fault::Syntax)),
                Some(_) => self.notices.push(Notice::new(line.number, NoticeKind::HeaderMove, line.text)),
                None => {}
            }
        }
        Ok(())
    }

    /// The builder. The first call completes the position.
    #[inline]
    pub fn builder(&mut self, line: Line<'a>) -> Result<&mut Builder, KifuError> {
        if self.builder.is_none() {
            self.builder = Some(self.start_record(line)?);
        }
        self.builder.as_mut().ok_or_else(|| KifuError::at(line, 0, Fault::Syntax))
    }

    /// Starts a record from the lines before the first move.
    #[cold]
    fn start_record(&mut self, line: Line<'a>) -> Result<Builder, KifuError> {
        let (setup, first_ply) = self.position.finish(&mut self.notices)?;
        let mut record = Record::new(setup).map_err(|why| {
            KifuError::at(self.position.line_of_fault().unwrap_or(line), 0, Fault::Setup(why))
        })?;
        record.set_first_ply(first_ply);
        for comment in self.comments.drain(..) {
            record.push_comment(record.start(), comment);
        }
        if let Some(bookmark) = self.bookmark {
            record.set_bookmark(record.start(), bookmark);
        }
        let mut builder = Builder::new(record, self.moves);
        builder.set_previous(self.position.last_target());
        Ok(builder)
    }

    fn read_comment(&mut self, text: &'a str) {
        match &mut self.builder {
            Some(builder) => builder.push_comment_line(text),
            None => self.comments.push(text),
        }
    }

    fn read_bookmark(&mut self, line: Line<'a>, text: &'a str) {
        let earlier = match &mut self.builder {
            Some(builder) => {
                let at = builder.at();
                builder.record_mut().set_bookmark(at, text).is_some()
            }
            None => self.bookmark.replace(text).is_some(),
        };
        if earlier {
            self.notices.push(Notice::new(line.number, NoticeKind::Bookmark, text));
        }
    }

    /// Reads `手数＝171  ▲６二角成  まで`: the number of moves before the position, and the last of them, which becomes a comment.
    fn read_ply(&mut self, line: Line<'a>, text: &'a str) {
        let (Some(moves), rest) = parse_number(text.trim_start()) else {
            self.notices.push(Notice::new(line.number, NoticeKind::IgnoredLine, line.text));
            return;
        };
        if self.builder.is_some() {
            self.notices.push(Notice::new(line.number, NoticeKind::IgnoredLine, line.text));
            return;
        }
        self.position.set_moves_before(moves);
        let rest = rest.trim_matches([' ', '　']);
        let last_move = rest.strip_suffix("まで").unwrap_or(rest).trim_matches([' ', '　']);
        if !last_move.is_empty() {
            self.position.set_last_move(last_move);
            self.comments.push(last_move);
        }
    }

    fn read_variation(&mut self, line: Line<'a>, at: usize) -> Result<(), KifuError> {
        let Some(_) = &self.builder else {
            // Old versions of ShogiHome wrote such lines into headers.
            self.notices.push(Notice::new(line.number, NoticeKind::IgnoredLine, line.text));
            return Ok(());
        };
        self.end_by_comment(line)?;
        self.fail_on_illegal()?;
        self.boundary.pass_move();
        let (number, _) = parse_number(&line.text[at..]);
        let number = number.ok_or_else(|| KifuError::at(line, at, Fault::Syntax))?;
        if self.builder(line)?.start_variation(number) {
            Ok(())
        } else {
            Err(KifuError::at(line, at, Fault::Variation))
        }
    }

    /// Ends the line by a comment of its last move, if that names the end as 81Dojo does: `反則手にて終局`.
    fn end_by_comment(&mut self, line: Line<'a>) -> Result<(), KifuError> {
        if self.style != Style::Kif {
            return Ok(());
        }
        if let Some((ending, comment)) = self.end_in_comment() {
            self.push_end(line, 0, ending)?;
            self.notices.push(Notice::new(line.number, NoticeKind::EndComment, &comment));
        }
        Ok(())
    }

    /// The end that a comment of the last move names, and the comment.
    fn end_in_comment(&mut self) -> Option<(Ending, String)> {
        let builder = self.builder.as_mut()?;
        let named = |comment: &str, is_illegal| {
            Some((Ending::from_comment(comment, is_illegal)?, String::from(comment)))
        };
        if let Some(illegal) = builder.illegal_mut() {
            return illegal.comments.iter().find_map(|comment| named(comment, true));
        }
        let node = builder.record().node(builder.at());
        node.as_move()?;
        node.comments().find_map(|comment| named(comment, false))
    }

    fn fail_on_illegal(&mut self) -> Result<(), KifuError> {
        self.builder.as_mut().map_or(Ok(()), Builder::fail_on_illegal)
    }

    /// Reads `まで7手で先手の勝ち`: the ending of KI2. In KIF it repeats the ending's line, which takes precedence.
    pub fn read_end_sentence(&mut self, line: Line<'a>) -> Result<(), KifuError> {
        let Some((count, sentence)) = parse_end(line.text) else { return Ok(()) };
        let builder = self.builder(line)?;
        let record = builder.record();
        let node = record.node(builder.at());
        let has_ended = builder.has_ended();
        let moves = node.ply() - u32::from(has_ended);
        let side = builder.side();
        let (ending, agrees) = Ending::from_sentence(sentence, side);
        let matches_ending = match node.step() {
            crate::Step::End(recorded) => recorded.outcome(side) == ending.outcome(side),
            _ => true,
        };
        let is_illegal = builder.next_ply() != node.ply() + 1;
        if sentence.is_empty() {
            self.notices.push(Notice::new(line.number, NoticeKind::IgnoredLine, line.text));
            return Ok(());
        }
        // After an ending only the result matters: a declaration's winner need not be the one who resigned.
        // A move in it would be lost: that of another file, without a line end between them.
        if !(agrees || has_ended) || !matches_ending || find_move(sentence).is_some() {
            self.notices.push(Notice::new(line.number, NoticeKind::EndSentence, line.text));
        }
        let read = moves + u32::from(is_illegal);
        // Moves are missing, and a line that holds one was left out.
        if count.is_some_and(|count| count > read)
            && let Some(left_out) = self.left_out_move()
        {
            return Err(left_out);
        }
        if count.is_some_and(|count| count != read) {
            self.notices.push(Notice::new(line.number, NoticeKind::MoveCount, line.text));
        }
        if has_ended {
            return Ok(());
        }
        let outcome = ending.outcome(side);
        // A comment may name the reason for what the sentence says.
        match self.end_in_comment() {
            Some((reason, comment)) if reason.outcome(side) == outcome => {
                self.push_end(line, 0, reason)?;
                self.notices.push(Notice::new(line.number, NoticeKind::EndComment, &comment));
                Ok(())
            }
            // Who made an illegal move loses by it.
            _ if is_illegal && outcome == Some(Outcome::Win(color::opponent(side))) => {
                self.push_end(line, 0, Ending::Illegal)
            }
            // `反則勝ち` alone
            _ if Ending::known_kif(sentence).is_some() => {
                let ending = self.builder(line)?.without_side(&ending);
                self.push_end(line, 0, ending)
            }
            _ => self.push_end(line, 0, ending),
        }
    }

    /// The fault of the first line that was left out although it holds a move.
    #[cold]
    fn left_out_move(&self) -> Option<KifuError> {
        let is_left_out = |line: &Line| {
            let is_it =
                |notice: &Notice| notice.kind == NoticeKind::IgnoredLine && notice.line == line.number;
            self.notices.iter().any(is_it)
        };
        let lines = self.lines.clone().filter(is_left_out);
        let mut moves = lines.filter_map(|line| Some((line, find_move(line.text)?)));
        moves.next().map(|(line, at)| KifuError::at(line, at, Fault::Syntax))
    }

    /// Appends an ending that a word names. The side of the mark before it decides.
    pub fn push_known_end(&mut self, line: Line<'a>, at: usize, end: &KnownEnd) -> Result<(), KifuError> {
        let builder = self.builder(line)?;
        let ending = match end.side {
            Some(_) => end.for_side(builder.side()),
            None => builder.without_side(&end.ending),
        };
        if ending != end.ending && end.side.is_some() {
            self.notices.push(Notice::new(line.number, NoticeKind::EndSentence, line.text[at..].trim()));
        }
        self.push_end(line, at, ending)
    }

    /// Appends the end of the line.
    pub fn push_end(&mut self, line: Line<'a>, at: usize, ending: Ending) -> Result<(), KifuError> {
        self.boundary.pass_end();
        let builder = self.builder(line)?;
        // Only a breach of the rules excuses an illegal move.
        if !matches!(ending, Ending::Illegal | Ending::OpponentIllegal) {
            builder.fail_on_illegal()?;
        }
        let illegal = builder.illegal_mut().map(|illegal| (illegal.error.line, illegal.text.clone()));
        let is_of_other = ending == Ending::OpponentIllegal;
        builder.push_end(ending).map_err(|error| append_fault(line, at, error))?;
        if let Some((number, text)) = illegal {
            self.notices.push(Notice::new(number, NoticeKind::IllegalMove, &text));
            if is_of_other {
                self.notices.push(Notice::new(line.number, NoticeKind::EndSentence, line.text));
            }
        }
        Ok(())
    }

    /// Keeps text that is not understood, from a byte of a line on, as a comment; but not what could be a move.
    #[cold]
    pub fn keep_tail(&mut self, line: Line<'a>, at: usize, tail: &str) -> Result<(), KifuError> {
        if let Some(offset) = find_move(tail) {
            return Err(KifuError::at(line, at + offset, Fault::Syntax));
        }
        let builder = self.builder(line)?;
        let is_after_move = !builder.has_ended() && builder.illegal_mut().is_none();
        // A file of KI2 may end with a move: the first line of the next one is glued to it.
        if is_after_move && (may_belong_to_move(&line.text[..at], tail) || is_distinctive(tail)) {
            return Err(KifuError::at(line, at, Fault::Syntax));
        }
        let text = tail.strip_prefix('*').unwrap_or(tail);
        self.builder(line)?.push_comment(text);
        self.notices.push(Notice::new(line.number, NoticeKind::IgnoredText, tail));
        Ok(())
    }

    /// Reads an unknown line, which may be the word of an ending.
    fn read_unknown(&mut self, line: Line<'a>) -> Result<(), KifuError> {
        let word = line.text.trim();
        let has_ended = self.builder.as_ref().is_some_and(Builder::has_ended);
        let known = if self.builder.is_some() { known_end(word) } else { None };
        match known.filter(|end| end.length == word.len()) {
            Some(_) if has_ended => self.keep_tail(line, 0, word),
            Some(end) => self.push_known_end(line, 0, &end),
            None => {
                // In a list of moves a number never begins an ordinary sentence.
                let is_numbered = word.starts_with(|c: char| is_number(c) || "([（［".contains(c));
                if is_numbered && let Some(at) = find_move(line.text) {
                    return Err(KifuError::at(line, at, Fault::Syntax));
                }
                self.notices.push(Notice::new(line.number, NoticeKind::IgnoredLine, line.text));
                Ok(())
            }
        }
    }

    /// Keeps an illegal move until the ending that may excuse it.
    pub fn keep_illegal(
        &mut self,
        line: Line<'a>,
        at: usize,
        text: &str,
        fault: Fault,
    ) -> Result<(), KifuError> {
        let error = KifuError::at(line, at, fault);
        let builder = self.builder(line)?;
        builder.fail_on_illegal()?;
        builder.set_illegal(error, String::from(text));
        Ok(())
    }
}

/// The error for a step that cannot be appended.
#[cold]
pub(crate) fn append_fault(line: Line<'_>, at: usize, error: AppendError) -> KifuError {
    KifuError::at(
        line,
        at,
        match error {
            AppendError::Illegal => Fault::IllegalMove,
            AppendError::Ended => Fault::Order,
            AppendError::Full => Fault::Limit,
        },
    )
}

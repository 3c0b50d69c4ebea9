//! Reads JKF.

use alloc::string::String;
use alloc::vec::Vec;

use komabako_board::{BaseKind, Color, File, Piece, Rank, Setup, kind, square};
use komabako_rules::kind_of_csa;

use super::json::{Json, Kind, Tape};
use super::moves::{MemberFault, color, read_move};
use crate::builder::Builder;
use crate::clock::Millis;
use crate::ending::Ending;
use crate::error::{Fault, KifuError, Notice, NoticeKind};
use crate::games::Game;
use crate::handicap::{self, Handicap};
use crate::kakinoki::is_pass;
use crate::record::{AppendError, NodeId, Record, UnplayableSetup};

type Result<T> = core::result::Result<T, MemberFault>;

/// Reads one record.
pub(crate) fn read(text: &str, lenient: bool) -> core::result::Result<Game, KifuError> {
    let located = |MemberFault(byte, fault)| KifuError::in_text(text, byte, fault);
    let tape = Tape::parse(text).map_err(|error| {
        let fault = if error.is_too_large { Fault::Limit } else { Fault::Json };
        KifuError::in_text(text, error.byte, fault)
    })?;
    let root = tape.root();
    let mut notices = Vec::new();
    let record = read_start(root).map_err(located)?;
    // The shortest usual entry of the array bounds the number of moves.
    let mut builder =
        Builder::new(record, text.len() / r#"{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6}}},"#.len());
    let mut stopped = read_moves(root, text, &mut builder, &mut notices).map_err(located).err();
    if stopped.is_none() {
        stopped = builder.fail_on_illegal().err();
    }
    match stopped {
        Some(error) if !lenient => Err(error),
        stopped => Ok(Game {
            record: builder.into_record(),
            notices,
            stopped,
            dropped_comments: 0,
            number: 1,
            line: 1,
        }),
    }
}

fn field(json: Json<'_>) -> MemberFault {
    MemberFault(json.byte(), Fault::Field)
}

fn read_start(root: Json<'_>) -> Result<Record> {
    if root.kind() != Kind::Object {
        return Err(field(root));
    }
    let mut header = Vec::new();
    let mut named = None;
    if let Some(member) = root.member("header") {
        if member.kind() != Kind::Object {
            return Err(field(member));
        }
        for (key, value) in member.members() {
            let text = value.as_str().ok_or_else(|| field(value))?;
            if key == "手合割" { named = Some((value, text)) } else { header.push((key, text)) }
        }
    }
    let (initial, setup) = match root.member("initial") {
        Some(initial) => (initial, read_initial(initial)?),
        None => {
            let setup = match named.as_ref().map(|(json, name)| (json, name.trim())) {
                None | Some((_, "")) => Setup::START,
                Some((json, name)) => {
                    handicap::position(name).ok_or(MemberFault(json.byte(), Fault::UnknownHandicap))?
                }
            };
            (root, setup)
        }
    };
    let mut record = Record::new(setup).map_err(|why| MemberFault(initial.byte(), Fault::Setup(why)))?;
    for (key, value) in header {
        record.push_header(&key, &value);
    }
    Ok(record)
}

fn read_initial(initial: Json<'_>) -> Result<Setup> {
    let preset = initial.member("preset").ok_or_else(|| field(initial))?;
    let name = preset.as_str().ok_or_else(|| field(preset))?;
    if name != "OTHER" {
        let setup = Handicap::from_preset(&name).map(Handicap::setup);
        return setup
            .or_else(|| handicap::position(&name))
            .ok_or(MemberFault(preset.byte(), Fault::UnknownHandicap));
    }
    let data = initial.member("data").ok_or(MemberFault(preset.byte(), Fault::Handicap))?;
    let mut setup = Setup::EMPTY;
    if let Some(side) = data.member("color") {
        setup.set_side_to_move(color(side).ok_or_else(|| field(side))?);
    }
    let board = data.member("board").ok_or_else(|| field(data))?;
    for (file, column) in (1_u8..).zip(board.elements()) {
        for (rank, cell) in (1_u8..).zip(column.elements()) {
            let Some(named) = cell.member("kind") else { continue };
            let piece = named.as_str().and_then(|name| kind_of_csa(&name)).ok_or_else(|| field(named))?;
            let owner = cell.member("color").and_then(color).ok_or_else(|| field(cell))?;
            let (Some(file), Some(rank)) = (File::new(file), Rank::new(rank)) else {
                return Err(MemberFault(cell.byte(), Fault::BoardRow));
            };
            let placed = setup.place(square::at(file, rank), Piece::new(piece, owner));
            placed.map_err(|error| MemberFault(cell.byte(), Fault::Setup(UnplayableSetup::Set(error))))?;
        }
    }
    if let Some(hands) = data.member("hands") {
        for (owner, hand) in [Color::Black, Color::White].into_iter().zip(hands.elements()) {
            for (name, count) in hand.members() {
                let wrong = || MemberFault(count.byte(), Fault::Hand);
                let piece = kind_of_csa(&name).ok_or_else(wrong)?;
                let number = count.as_u32().ok_or_else(|| field(count))?;
                if number == 0 {
                    continue;
                }
                if kind::is_promoted(piece) {
                    return Err(wrong());
                }
                let number = u8::try_from(number).map_err(|_| wrong())?;
                setup.set_hand_count(owner, BaseKind::of(piece), number).map_err(|_| wrong())?;
            }
        }
    }
    Ok(setup)
}

/// Reads the moves, using a stack of forks instead of recursion.
fn read_moves(root: Json<'_>, text: &str, builder: &mut Builder, notices: &mut Vec<Notice>) -> Result<()> {
    let moves = root.member("moves").ok_or_else(|| field(root))?;
    if moves.kind() != Kind::Array {
        return Err(field(moves));
    }
    let mut forks: Vec<(NodeId, Json<'_>)> = Vec::new();
    let mut line = Some((builder.at(), moves));
    while let Some((start, moves)) = line {
        builder.go_to(start);
        for entry in moves.elements() {
            read_entry(entry, text, builder, notices)?;
            if let Some(member) = entry.member("forks") {
                if member.kind() != Kind::Array {
                    return Err(field(member));
                }
                // Forks replace the move of the entry that contains them.
                let parent = builder.record().node(builder.at()).parent();
                let parent = parent.ok_or_else(|| field(member))?;
                let first = forks.len();
                forks.extend(member.elements().map(|fork| (parent, fork)));
                forks[first..].reverse();
            }
        }
        builder.fail_on_illegal().map_err(|error| MemberFault(error.byte, error.fault))?;
        line = forks.pop();
    }
    Ok(())
}

fn read_entry(entry: Json<'_>, text: &str, builder: &mut Builder, notices: &mut Vec<Notice>) -> Result<()> {
    if entry.kind() != Kind::Object {
        return Err(field(entry));
    }
    let appended = |json: Json<'_>| {
        let byte = json.byte();
        move |error| match error {
            AppendError::Illegal => MemberFault(byte, Fault::IllegalMove),
            AppendError::Ended => MemberFault(byte, Fault::Order),
            AppendError::Full => MemberFault(byte, Fault::Limit),
        }
    };
    if let Some(json) = entry.member("move") {
        builder.fail_on_illegal().map_err(|error| MemberFault(error.byte, error.fault))?;
        if builder.has_ended() {
            return Err(MemberFault(json.byte(), Fault::Order));
        }
        match read_move(json, builder.state(), builder.previous()) {
            Ok(mv) => builder.push_move(mv).map_err(appended(json))?,
            Err(MemberFault(byte, fault @ (Fault::IllegalMove | Fault::Side))) => {
                builder.set_illegal(KifuError::in_text(text, byte, fault), describe(json));
            }
            Err(fault) => return Err(fault),
        }
    }
    if let Some(json) = entry.member("special") {
        let name = json.as_str().ok_or_else(|| field(json))?;
        let (ending, is_doubtful) = builder.ending_of_csa(name.trim_start_matches('%'));
        if let Some(written) = builder.ending() {
            // An ending after the ending is a comment, unless it refuses a declaration.
            let kept = if *written == Ending::DeclarationWin && ending == Ending::Illegal {
                builder.set_end(ending).map_err(appended(json))?;
                Some("KACHI")
            } else if *written != ending {
                Some(&*name)
            } else {
                None
            };
            if let Some(kept) = kept {
                builder.push_comment(kept);
                notices.push(Notice::new(0, NoticeKind::KeptText, kept));
            }
            return read_text(entry, builder, notices);
        }
        if !matches!(ending, Ending::Illegal | Ending::OpponentIllegal) {
            builder.fail_on_illegal().map_err(|error| MemberFault(error.byte, error.fault))?;
        }
        if is_pass(name.trim_start_matches('%')) {
            return Err(MemberFault(json.byte(), Fault::Pass));
        }
        if let Some(illegal) = builder.illegal_mut() {
            notices.push(Notice::new(illegal.error.line, NoticeKind::IllegalMove, &illegal.text));
        }
        if is_doubtful {
            notices.push(Notice::new(0, NoticeKind::EndSentence, &name));
        }
        builder.push_end(ending).map_err(appended(json))?;
    }
    read_text(entry, builder, notices)
}

/// Reads the time and the comments of an entry.
fn read_text(entry: Json<'_>, builder: &mut Builder, notices: &mut Vec<Notice>) -> Result<()> {
    if let Some(now) = entry.member("time").and_then(|time| time.member("now"))
        && !read_time(now).is_some_and(|time| builder.set_time(time))
    {
        // As in CSA, numbers that are no time, or a second one, are kept as a comment: some programs write
        // negative ones.
        let parts = ["h", "m", "s"].into_iter().filter_map(|name| now.member(name));
        let numbers: Option<Vec<_>> = parts.map(Json::as_number).collect();
        let text = alloc::format!("T{}", numbers.ok_or_else(|| field(now))?.join(":"));
        notices.push(Notice::new(0, NoticeKind::KeptText, &text));
        builder.push_comment(&text);
    }
    if let Some(json) = entry.member("comments") {
        if json.kind() != Kind::Array {
            return Err(field(json));
        }
        for comment in json.elements() {
            builder.push_comment(&comment.as_str().ok_or_else(|| field(comment))?);
        }
    }
    Ok(())
}

/// Reads `{"h": 0, "m": 1, "s": 5}`.
fn read_time(now: Json<'_>) -> Option<Millis> {
    let part = |name| match now.member(name) {
        Some(number) => number.as_u32(),
        None => Some(0),
    };
    let seconds = match now.member("s") {
        Some(number) => Millis::from_decimal(number.as_number()?)?,
        None => Millis::default(),
    };
    let minutes = part("h")?.checked_mul(60)?.checked_add(part("m")?)?;
    minutes.checked_mul(60_000)?.checked_add(seconds.get()).map(Millis::new)
}

/// The text of an illegal move for the comment that keeps it: `7776FU`.
fn describe(json: Json<'_>) -> String {
    let place = |name| {
        let digits = json.member(name).and_then(|place| {
            Some(alloc::format!("{}{}", place.member("x")?.as_u32()?, place.member("y")?.as_u32()?))
        });
        digits.unwrap_or_else(|| "00".into())
    };
    let piece = json.member("piece").and_then(Json::as_str).unwrap_or_default();
    alloc::format!("{}{}{piece}", place("from"), place("to"))
}

//! The projection of a record to a format. Law of every format: read(write(record)) = project(record).

use alloc::borrow::ToOwned;
use alloc::collections::{BTreeSet, BinaryHeap};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use komabako_board::Color;

use crate::ending::Ending;
use crate::format::{Format, Losses, Times};
use crate::record::{Node, NodeId, Record, Step};
use crate::{csa, kakinoki};

/// The record as the format can store it, and the losses.
pub(crate) fn project(format: Format, record: &Record) -> (Record, Losses) {
    let mut losses = Losses::default();
    let mut projected = Record::clone_start(record);
    project_header(format, record, &mut projected, &mut losses);
    let holds = format.holds();
    if holds.first_ply {
        projected.set_first_ply(record.first_ply());
    } else {
        losses.first_plies += u64::from(record.first_ply() != 1);
    }
    let start = projected.start();
    project_text(format, record.node(record.start()), start, &mut projected, &mut losses);

    // For each ply the copied parent node on the path to the current node.
    let mut path = vec![start];
    let mut walk = record.walk();
    while let Some(id) = walk.next() {
        let node = record.node(id);
        path.truncate(node.ply() as usize);
        let Some(&parent) = path.last() else { break };
        let (step, instead) = match node.step() {
            Step::End(ending) => {
                let side = walk.state().side_to_move();
                match project_ending(format, ending, side, node.ply() - 1) {
                    Some((sentence, instead)) => {
                        let reason = node.parent().and_then(|id| reason_in_comment(format, record.node(id)));
                        let reason = reason.filter(|reason| reason.outcome(side) == sentence.outcome(side));
                        let projected = reason.unwrap_or(sentence);
                        losses.endings += u64::from(projected != *ending);
                        (Step::End(projected), instead)
                    }
                    None => {
                        losses.endings += 1;
                        losses.comments += node.comments().count() as u64;
                        // An end is the last node of its line.
                        if !holds.variations {
                            break;
                        }
                        continue;
                    }
                }
            }
            step => (step.clone(), None),
        };
        let Ok(copy) = projected.append_checked(parent, step) else { break };
        path.push(copy);
        let time = match holds.times {
            Times::None => None,
            Times::Seconds => node.time().map(|time| time.whole_seconds()),
            Times::Millis => node.time(),
        };
        losses.times += u64::from(time != node.time());
        projected.set_time(copy, time);
        project_text(format, node, copy, &mut projected, &mut losses);
        if holds.comments
            && let Some(instead) = instead
        {
            projected.push_comment(copy, &instead);
        }
        // In KIF such a comment is read as the end of a line without an ending.
        if format == Format::Kif && node.as_move().is_some() && node.first_child().is_none() {
            let ending = node.comments().find_map(|comment| Ending::from_comment(comment, false));
            let end = ending.map(|ending| projected.append_checked(copy, Step::End(ending)));
            losses.endings += u64::from(end.is_some_and(|end| end.is_ok()));
        }
        if !holds.variations && node.first_child().is_none() {
            break;
        }
    }
    if !holds.variations {
        // The walk stands at the end of the main line: what is left of it are variations.
        for id in walk {
            let node = record.node(id);
            losses.variation_nodes += 1;
            losses.comments += node.comments().count() as u64;
            losses.bookmarks += u64::from(node.bookmark().is_some());
            losses.times += u64::from(node.time().is_some());
        }
    }
    (projected, losses)
}

/// The reason that a comment of the last move gives for the end in KI2, whose sentences have few.
fn reason_in_comment(format: Format, last: Node<'_>) -> Option<Ending> {
    if format != Format::Ki2 || last.as_move().is_none() {
        return None;
    }
    last.comments().find_map(|comment| Ending::from_comment(comment, false))
}

fn project_text(format: Format, node: Node<'_>, copy: NodeId, projected: &mut Record, losses: &mut Losses) {
    let holds = format.holds();
    if holds.comments {
        for comment in node.comments() {
            projected.push_comment(copy, comment);
        }
    } else {
        losses.comments += node.comments().count() as u64;
    }
    if let Some(bookmark) = node.bookmark() {
        if holds.bookmarks {
            projected.set_bookmark(copy, bookmark);
        } else {
            losses.bookmarks += 1;
            if format == Format::Jkf {
                projected.push_comment(copy, &alloc::format!("&{bookmark}"));
            }
        }
    }
}

fn project_header(format: Format, record: &Record, projected: &mut Record, losses: &mut Losses) {
    let header = record.header();
    let entries: Vec<Option<(String, String)>> = match format {
        Format::Kif | Format::Ki2 => {
            header.iter().map(|(key, value)| kakinoki::project_entry(format, key, value)).collect()
        }
        Format::Csa | Format::Csa3 => csa::project_header(header),
        // The members of an object must have distinct names, and the handicap is stored in `initial`.
        Format::Jkf => {
            let mut names = BTreeSet::from(["手合割"]);
            let mut entries = Vec::with_capacity(header.len());
            for (key, value) in header {
                let is_new = names.insert(key);
                entries.push(is_new.then(|| (key.clone(), value.clone())));
            }
            entries
        }
        Format::Usi => vec![None; header.len()],
    };
    // Each entry that does not come out as it was is one loss; of two equal ones too.
    losses.header += header.len() as u64;
    // Heaps rather than sorted lists, which would be much more code in the page's module.
    let mut original: BinaryHeap<_> = header.iter().collect();
    let mut kept: BinaryHeap<_> = entries.iter().flatten().collect();
    while let (Some(a), Some(b)) = (original.peek(), kept.peek()) {
        let order = a.cmp(b);
        if order.is_ge() {
            original.pop();
        }
        if order.is_le() {
            kept.pop();
        }
        losses.header -= u64::from(order.is_eq());
    }
    for (key, value) in entries.iter().flatten() {
        projected.push_header(key, value);
    }
}

/// The ending as the format can write it, with a comment for the part that it cannot; `None` if the format cannot store
/// an ending at all.
///
/// `moves` moves were made, and `side` is to move.
fn project_ending(
    format: Format,
    ending: &Ending,
    side: Color,
    moves: u32,
) -> Option<(Ending, Option<String>)> {
    let suspended = || Some((Ending::Suspended, Some(ending.kif().to_owned())));
    match format {
        Format::Kif => {
            let word = ending.kif();
            if !kakinoki::is_end_word(word) {
                return suspended();
            }
            match kakinoki::known_end(word) {
                None => Some((Ending::from_sentence(word, side).0, None)),
                Some(end) if end.length == word.len() => Some((end.for_side(side), None)),
                // Its start would be read as a known word.
                Some(_) => suspended(),
            }
        }
        Format::Ki2 => {
            let sentence = alloc::format!("まで{moves}手で{}", ending.sentence(side));
            match kakinoki::parse_end(&sentence) {
                Some((Some(count), rest))
                    if count == moves
                        && kakinoki::is_end_word(rest)
                        && kakinoki::glued_at(&sentence).is_none() =>
                {
                    Some((Ending::from_sentence(rest, side).0, None))
                }
                _ => suspended(),
            }
        }
        Format::Csa | Format::Csa3 | Format::Jkf => match ending.csa(side) {
            Some(name) => Some((Ending::from_csa(&name, side), None)),
            None => suspended(),
        },
        Format::Usi => ending.usi().map(|_| (ending.clone(), None)),
    }
}

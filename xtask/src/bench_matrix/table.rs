//! Records as Markdown tables.

use std::fmt::Write;

use super::record::{Entry, Record};

/// A table for each corpus and operation: builds and backends down, formats across, with the ratio to the plain
/// build's time. Then the peers, with the ratio to ours.
pub fn markdown(record: &Record) -> String {
    let mut text = String::new();
    for corpus in distinct(record, |entry| &entry.corpus) {
        let here: Vec<&Entry> = record.entries.iter().filter(|entry| entry.corpus == corpus).collect();
        let ours: Vec<&Entry> = here.iter().copied().filter(|entry| entry.build != "peer").collect();
        let formats = distinct_of(&ours, |entry| &entry.row.format);
        for operation in distinct_of(&ours, |entry| &entry.row.operation) {
            line(
                &mut text,
                &format!("\n### {operation}, {corpus}, ns per position (speed against the plain build)\n"),
            );
            row(&mut text, ["build", "backend"].into_iter().chain(formats.iter().copied()));
            row(&mut text, (0..formats.len() + 2).map(|_| "---"));
            for (build, backend) in places(&ours) {
                let cells = formats.iter().map(|format| {
                    let time = |build: &str, backend: &str| find(&ours, build, backend, format, operation);
                    match (time(build, backend), time("none", "detected")) {
                        (Some(time), Some(plain)) => format!("{time:.1} ({:.2}×)", plain / time),
                        (Some(time), None) => format!("{time:.1}"),
                        (None, _) => "–".to_owned(),
                    }
                });
                row(&mut text, [build.to_owned(), backend.to_owned()].into_iter().chain(cells));
            }
        }
        let peers: Vec<&Entry> = here.iter().copied().filter(|entry| entry.build == "peer").collect();
        if !peers.is_empty() {
            line(&mut text, &format!("\n### Peers, {corpus}, ns per position\n"));
            row(&mut text, ["program", "format", "operation", "time", "ours", "ours, in batches"]);
            row(&mut text, ["---"; 6]);
            for Entry { row: peer, .. } in peers {
                let time = format!("{:.1}", peer.nanoseconds);
                // A peer's `unpack to sink` answers to our `unpack`.
                let verb = peer.operation.split(' ').next().unwrap_or_default();
                let [one, batch] = [verb.to_owned(), format!("{verb} batch")].map(|operation| {
                    match find(&ours, "none", "detected", &peer.format, &operation) {
                        Some(ours) => format!("{ours:.1} ({:.2}×)", peer.nanoseconds / ours),
                        None => "–".to_owned(),
                    }
                });
                row(&mut text, [peer.program.as_str(), &peer.format, &peer.operation, &time, &one, &batch]);
            }
        }
    }
    text
}

/// Each row of `now` beside the same row of `earlier`, with the ratio.
pub fn comparison(now: &Record, earlier: &Record) -> String {
    let mut text = String::new();
    line(
        &mut text,
        "\n### Against the earlier record (other hour, perhaps other machine: mind ratios only)\n",
    );
    row(
        &mut text,
        ["build", "backend", "corpus", "program", "format", "operation", "earlier", "now", "now / earlier"],
    );
    row(&mut text, ["---"; 9]);
    for entry in &now.entries {
        if let Some(old) = earlier.entries.iter().find(|old| old.is_same(entry)) {
            let (before, after) = (old.row.nanoseconds, entry.row.nanoseconds);
            let figures = [format!("{before:.1}"), format!("{after:.1}"), format!("{:.2}", after / before)];
            let names = [&entry.build, &entry.backend, &entry.corpus, &entry.row.program, &entry.row.format];
            let names = names.into_iter().chain([&entry.row.operation]);
            row(&mut text, names.chain(&figures));
        }
    }
    text
}

fn find(entries: &[&Entry], build: &str, backend: &str, format: &str, operation: &str) -> Option<f64> {
    let is_it = |entry: &&&Entry| {
        (entry.build.as_str(), entry.backend.as_str()) == (build, backend)
            && (entry.row.format.as_str(), entry.row.operation.as_str()) == (format, operation)
    };
    entries.iter().find(is_it).map(|entry| entry.row.nanoseconds)
}

fn places<'a>(entries: &[&'a Entry]) -> Vec<(&'a str, &'a str)> {
    let mut places: Vec<(&str, &str)> = Vec::new();
    for entry in entries {
        let place = (entry.build.as_str(), entry.backend.as_str());
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

fn distinct<'a>(record: &'a Record, name: impl Fn(&'a Entry) -> &'a String) -> Vec<&'a str> {
    distinct_of(&record.entries.iter().collect::<Vec<_>>(), name)
}

fn distinct_of<'a>(entries: &[&'a Entry], name: impl Fn(&'a Entry) -> &'a String) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for &entry in entries {
        if !names.contains(&name(entry).as_str()) {
            names.push(name(entry));
        }
    }
    names
}

fn row<T: AsRef<str>>(text: &mut String, cells: impl IntoIterator<Item = T>) {
    let cells: Vec<T> = cells.into_iter().collect();
    let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
    line(text, &format!("| {} |", cells.join(" | ")));
}

fn line(text: &mut String, words: &str) {
    writeln!(text, "{words}").expect("text takes text");
}

#[cfg(test)]
mod tests {
    use super::super::record::Row;
    use super::*;

    fn record(plain: f64, native: f64) -> Record {
        let mut record = Record::default();
        for (build, time) in [("none", plain), ("native", native)] {
            let row = Row::parse_measured(&format!("komabako,psv,pack,{time}")).expect("a row");
            record.add(build, "detected", "corpus.sfen", row);
        }
        let row = Row::parse_measured("rsshogi,psv,pack,700").expect("a row");
        record.add("peer", "-", "corpus.sfen", row);
        record
    }

    #[test]
    fn builds_stand_beside_the_plain_one_and_peers_below() {
        let text = markdown(&record(30.0, 20.0));
        assert!(text.contains("| none | detected | 30.0 (1.00×) |"), "{text}");
        assert!(text.contains("| native | detected | 20.0 (1.50×) |"), "{text}");
        assert!(text.contains("| rsshogi | psv | pack | 700.0 | 30.0 (23.33×) | – |"), "{text}");
    }

    #[test]
    fn a_slower_row_shows_in_the_comparison() {
        let text = comparison(&record(30.0, 20.0), &record(15.0, 20.0));
        assert!(
            text.contains("| none | detected | corpus.sfen | komabako | psv | pack | 15.0 | 30.0 | 2.00 |"),
            "{text}"
        );
    }
}

//! Records as Markdown tables.

use std::fmt::Write;

use super::record::{Entry, Record};

/// A table for each corpus and operation: a row per build and backend, a column per format, with the ratio to the plain
/// build's time. Then the peers, with the ratio to our time.
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
                    let entry = |build: &str, backend: &str| find(&ours, build, backend, format, operation);
                    match (entry(build, backend), entry("none", "detected")) {
                        (Some(it), Some(plain)) => {
                            format!("{:.1} ({:.2}×)", it.row.nanoseconds, plain.ratio_to(it))
                        }
                        (Some(it), None) => format!("{:.1}", it.row.nanoseconds),
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
            for entry in peers {
                let peer = &entry.row;
                let time = format!("{:.1}", peer.nanoseconds);
                // A peer's `unpack to sink` corresponds to our `unpack`.
                let verb = peer.operation.split(' ').next().unwrap_or_default();
                let [one, batch] = [verb.to_owned(), format!("{verb} batch")].map(|operation| {
                    match find(&ours, "none", "detected", &peer.format, &operation) {
                        Some(ours) => format!("{:.1} ({:.2}×)", ours.row.nanoseconds, entry.ratio_to(ours)),
                        None => "–".to_owned(),
                    }
                });
                row(&mut text, [peer.program.as_str(), &peer.format, &peer.operation, &time, &one, &batch]);
            }
        }
    }
    text
}

/// The documentation's tables for the plain build, with a column per record: engines' own boards and batches against the simplest
/// form, and the peers against our program.
pub fn documentation(records: &[Record]) -> String {
    const FORMATS: [&str; 3] = ["sspfv1", "psv", "hcp"];
    /// The pairs of operations to compare.
    const PAIRS: [(&str, &str); 14] = [
        ("pack from bitboards", "pack"),
        ("unpack to bitboards", "unpack"),
        ("pack from mailbox", "pack"),
        ("unpack to mailbox", "unpack"),
        ("pack from source", "pack"),
        ("unpack to sink", "unpack"),
        ("pack from bytes", "pack batch"),
        ("unpack to bytes", "unpack batch"),
        ("pack batch", "pack"),
        ("unpack batch", "unpack to array"),
        ("pack batch warm", "pack warm"),
        ("unpack batch warm", "unpack warm"),
        ("pack warm", "pack"),
        ("unpack warm", "unpack to array"),
    ];
    let of_corpus = |record: &'_ Record| -> Vec<Entry> {
        record.entries.iter().filter(|entry| entry.corpus == "corpus.sfen").cloned().collect()
    };
    let records: Vec<Vec<Entry>> = records.iter().map(of_corpus).collect();
    let columns = || (1..=records.len()).map(|number| format!("record {number}"));
    let mut text = "\n### One form against another, plain build\n\n".to_owned();
    row(&mut text, ["format".to_owned(), "ns".to_owned(), "against".to_owned()].into_iter().chain(columns()));
    row(&mut text, (0..records.len() + 3).map(|_| "---"));
    for format in FORMATS {
        for (operation, against) in PAIRS {
            let cells = records.iter().map(|entries| {
                let entries: Vec<&Entry> = entries.iter().collect();
                let entry = |operation| find(&entries, "none", "detected", format, operation);
                match (entry(operation), entry(against)) {
                    (Some(it), Some(other)) => {
                        format!("{:.1} ({:.2})", it.row.nanoseconds, it.ratio_to(other))
                    }
                    (Some(it), None) => format!("{:.1}", it.row.nanoseconds),
                    (None, _) => "–".to_owned(),
                }
            });
            row(&mut text, [format, operation, against].map(str::to_owned).into_iter().chain(cells));
        }
    }
    line(&mut text, "\n### Peers: their ns (how many times ours in batches, one at a time)\n");
    row(&mut text, ["program", "format", "operation"].map(str::to_owned).into_iter().chain(columns()));
    row(&mut text, (0..records.len() + 3).map(|_| "---"));
    let mut peers: Vec<[&str; 3]> = Vec::new();
    for entry in records.iter().flatten().filter(|entry| entry.build == "peer") {
        let name = [entry.row.program.as_str(), &entry.row.format, &entry.row.operation];
        if !peers.contains(&name) {
            peers.push(name);
        }
    }
    for name in peers {
        let [program, format, operation] = name;
        let verb = operation.split(' ').next().unwrap_or_default();
        let cells = records.iter().map(|entries| {
            let entries: Vec<&Entry> = entries.iter().collect();
            let is_it = |entry: &&&Entry| {
                [entry.row.program.as_str(), &entry.row.format, &entry.row.operation]
                    == [program, format, operation]
            };
            let Some(peer) = entries.iter().find(is_it) else { return "–".to_owned() };
            let ratio = |operation: &str| match find(&entries, "none", "detected", format, operation) {
                Some(ours) => format!("{:.2}", peer.ratio_to(ours)),
                None => "–".to_owned(),
            };
            format!("{:.1} ({}, {})", peer.row.nanoseconds, ratio(&format!("{verb} batch")), ratio(verb))
        });
        row(&mut text, name.map(str::to_owned).into_iter().chain(cells));
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

fn find<'a>(
    entries: &[&'a Entry],
    build: &str,
    backend: &str,
    format: &str,
    operation: &str,
) -> Option<&'a Entry> {
    let is_it = |entry: &&&Entry| {
        (entry.build.as_str(), entry.backend.as_str()) == (build, backend)
            && (entry.row.format.as_str(), entry.row.operation.as_str()) == (format, operation)
    };
    entries.iter().find(is_it).copied()
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
    fn table_compares_builds_and_peers() {
        let text = markdown(&record(30.0, 20.0));
        assert!(text.contains("| none | detected | 30.0 (1.00×) |"), "{text}");
        assert!(text.contains("| native | detected | 20.0 (1.50×) |"), "{text}");
        assert!(text.contains("| rsshogi | psv | pack | 700.0 | 30.0 (23.33×) | – |"), "{text}");
    }

    #[test]
    fn documentation_puts_records_side_by_side() {
        let text = documentation(&[record(30.0, 20.0), record(35.0, 20.0)]);
        assert!(text.contains("| rsshogi | psv | pack | 700.0 (–, 23.33) | 700.0 (–, 20.00) |"), "{text}");
    }

    #[test]
    fn slower_row_appears_in_the_comparison() {
        let text = comparison(&record(30.0, 20.0), &record(15.0, 20.0));
        assert!(
            text.contains("| none | detected | corpus.sfen | komabako | psv | pack | 15.0 | 30.0 | 2.00 |"),
            "{text}"
        );
    }
}

//! Archives of game records, as other programs write them, damaged, and made to harm.

use std::fs;
use std::io::{Cursor, Write};
use std::ops::ControlFlow;
use std::path::Path;

use komabako_dataset::kifu::{
    BadGame, Found, Job, MissingScore, OnBadGame, PositionOptions, ReadOptions, Sources,
};
use komabako_dataset::{Compression, Output};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

pub const GAME: &str = "V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n";

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// The places at which bytes occur.
pub fn places(bytes: &[u8], wanted: &[u8]) -> Vec<usize> {
    let mut at = Vec::new();
    for (place, window) in bytes.windows(wanted.len()).enumerate() {
        if window == wanted {
            at.push(place);
        }
    }
    at
}

/// The number of games of an archive, and what is bad in it: the member and the fault.
fn read(archive: &[u8]) -> (u64, Vec<(String, &'static str)>) {
    read_as("a.zip", archive)
}

/// The same of an archive with a name.
pub fn read_as(name: &str, archive: &[u8]) -> (u64, Vec<(String, &'static str)>) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(name);
    fs::write(&path, archive).unwrap();
    let mut found = (0, Vec::new());
    for file in Sources::find(std::slice::from_ref(&path), false).unwrap() {
        let input = file.name.clone();
        let _ = file.read(ReadOptions::default(), |next| {
            let fault = match next {
                Found::Game { .. } => {
                    found.0 += 1;
                    return ControlFlow::<()>::Continue(());
                }
                Found::Bad(fault) => fault,
                Found::Failed(error) => panic!("{error}"),
                Found::Bytes(_) | Found::Notice(_) | Found::PassedBy(_) => return ControlFlow::Continue(()),
            };
            let name = fault.name();
            let game = BadGame { input: input.clone(), fault };
            assert!(game.to_string().starts_with(&*input), "{game}");
            found.1.push((Path::new(&*input).file_name().unwrap().to_str().unwrap().to_owned(), name));
            ControlFlow::Continue(())
        });
    }
    // The job finds the same, whatever the number of threads.
    for threads in [1, 3] {
        let output = directory.path().join("out.psv");
        let positions = PositionOptions { missing: MissingScore::Value(0), ..PositionOptions::default() };
        let job = Job {
            threads,
            force: true,
            positions,
            on_bad_game: OnBadGame::Skip,
            ..Job::new(vec![path.clone()], Output::path(output))
        };
        let summary = job.run(&mut ()).unwrap();
        assert_eq!((summary.games, summary.bad), (found.0, found.1.len() as u64));
    }
    found
}

fn bad(name: &str, fault: &'static str) -> (String, &'static str) {
    (format!("a.zip{}{name}", if name.is_empty() { "" } else { "!" }), fault)
}

#[test]
fn a_member_whose_header_or_content_is_damaged_is_named() {
    let whole = zip(&[("a.csa", GAME.as_bytes()), ("b.csa", GAME.as_bytes()), ("notes.txt", b"no game")]);
    assert_eq!(read(&whole), (2, vec![]));
    let headers = places(&whole, b"PK\x03\x04");
    let mut header = whole.clone();
    header[headers[1]] ^= 1;
    assert_eq!(read(&header), (1, vec![bad("b.csa", "DAMAGED")]));
    for at in headers[1] + 40..headers[2] - 1 {
        let mut content = whole.clone();
        content[at] ^= 1;
        assert_eq!(read(&content), (1, vec![bad("b.csa", "DAMAGED")]), "byte {at}");
    }
    let mut end = whole.clone();
    end.truncate(whole.len() - 10);
    assert_eq!(read(&end), (0, vec![bad("", "DAMAGED")]));
    assert_eq!(read(b"no archive"), (0, vec![bad("", "DAMAGED")]));
}

#[test]
fn members_of_one_name_are_all_read() {
    let other = GAME.replace("-3334FU\n", "-8384FU\n+2726FU\n");
    let mut archive =
        zip(&[("a.csa", GAME.as_bytes()), ("b.csa", other.as_bytes()), ("c.csa", GAME.as_bytes())]);
    for name in [&b"b.csa"[..], b"c.csa"] {
        for at in places(&archive, name) {
            archive[at] = b'a';
        }
    }
    assert_eq!(read(&archive), (3, vec![]));
    // One of them damaged: that one is named.
    let headers = places(&archive, b"PK\x03\x04");
    for header in headers {
        let mut damaged = archive.clone();
        damaged[header + 1] ^= 1;
        assert_eq!(read(&damaged), (2, vec![bad("a.csa", "DAMAGED")]));
    }
}

/// A damaged byte may change a name, so that the member is no game record any more; otherwise nothing vanishes.
#[test]
fn no_member_vanishes_whatever_byte_of_the_archive_is_damaged() {
    let archive = zip(&[("a.csa", GAME.as_bytes()), ("b.csa", GAME.as_bytes()), ("c.csa", GAME.as_bytes())]);
    let names = places(&archive, b".csa");
    let is_name = |at: usize| names.iter().any(|&name| (name - 1..name + 4).contains(&at));
    for at in (0..archive.len()).filter(|&at| !is_name(at)) {
        for bit in [0, 4, 7] {
            let mut damaged = archive.clone();
            damaged[at] ^= 1 << bit;
            let (games, bad) = read(&damaged);
            assert!(games == 3 || !bad.is_empty(), "byte {at}, bit {bit}: {games} games");
        }
    }
}

#[test]
fn packed_and_encrypted_members_are_named() {
    let inner = zip(&[("x.csa", GAME.as_bytes())]);
    let mut gz = Compression::Gzip.encoder(Vec::new(), 1).unwrap();
    gz.write_all(GAME.as_bytes()).unwrap();
    let gz = gz.finish().unwrap();
    let members: [(&str, &[u8]); 10] = [
        ("a.csa.gz", &gz),
        ("b.zip", &inner),
        ("c.7z", b"7z\xbc\xaf\x27\x1c"),
        ("d.LZH", b"..-lh5-"),
        ("e.tar.gz", b""),
        ("f.kif.bz2", b"BZh9"),
        ("g.csa", &inner),
        ("h/", b""),
        ("i.bz2", b"BZh9"),
        ("j.csa", GAME.as_bytes()),
    ];
    let archive = zip(&members);
    let packed = ["b.zip", "c.7z", "d.LZH", "e.tar.gz", "f.kif.bz2"];
    let mut expected: Vec<_> = packed.into_iter().map(|name| bad(name, "PACKED")).collect();
    expected.push(bad("g.csa", "UNSUPPORTED"));
    assert_eq!(read(&archive), (2, expected));

    let mut encrypted = zip(&[("a.csa", GAME.as_bytes()), ("b.csa", GAME.as_bytes())]);
    // The first bit of the flags, in the header of the member and in the directory.
    let local = places(&encrypted, b"PK\x03\x04")[0] + 6;
    let central = places(&encrypted, b"PK\x01\x02")[0] + 8;
    encrypted[local] |= 1;
    encrypted[central] |= 1;
    assert_eq!(read(&encrypted), (1, vec![bad("a.csa", "ENCRYPTED")]));
    let mut method = zip(&[("a.csa", GAME.as_bytes()), ("b.csa", GAME.as_bytes())]);
    method[places(&encrypted, b"PK\x01\x02")[0] + 10] = 12;
    assert_eq!(read(&method), (1, vec![bad("a.csa", "COMPRESSION")]));
}

/// The bytes of an archive with one member whose entry in the directory is repeated, with other names.
fn overlapping(content: &[u8], entries: usize) -> Vec<u8> {
    let archive = zip(&[("00000.csa", content)]);
    let start = places(&archive, b"PK\x01\x02")[0];
    let end = places(&archive, b"PK\x05\x06")[0];
    let mut bytes = archive[..start].to_vec();
    for number in 0..entries {
        let mut entry = archive[start..end].to_vec();
        entry[46..51].copy_from_slice(format!("{number:05}").as_bytes());
        bytes.extend_from_slice(&entry);
    }
    let size = (entries * (end - start)) as u32;
    let mut last = archive[end..].to_vec();
    last[8..10].copy_from_slice(&(entries as u16).to_le_bytes());
    last[10..12].copy_from_slice(&(entries as u16).to_le_bytes());
    last[12..16].copy_from_slice(&size.to_le_bytes());
    [bytes, last].concat()
}

#[test]
fn bombs_are_refused_before_anything_is_unpacked() {
    let varied: String =
        (0..2000_u32).map(|number| format!("'{}\n", number.wrapping_mul(2_654_435_761))).collect();
    let game = [varied.as_bytes(), GAME.as_bytes()].concat();
    assert_eq!(read(&overlapping(&game, 1)), (1, vec![]));
    assert_eq!(read(&overlapping(&game, 20_000)), (0, vec![bad("", "LIMIT")]));

    // Many small members of which each unpacks to a thousand times its size: 64 MiB each, 2 GiB together.
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for number in 0..40 {
        zip.start_file(format!("{number:02}.csa"), stored).unwrap();
        zip.write_all(GAME.as_bytes()).unwrap();
    }
    let mut archive = zip.finish().unwrap().into_inner();
    for entry in places(&archive, b"PK\x01\x02") {
        archive[entry + 24..entry + 28].copy_from_slice(&(64_u32 << 20).to_le_bytes());
    }
    assert_eq!(read(&archive), (0, vec![bad("", "LIMIT")]));
}

#[test]
fn a_member_is_not_unpacked_beyond_its_size() {
    let mut archive = zip(&[("a.csa", "'comment\n".repeat(100_000).as_bytes()), ("b.csa", GAME.as_bytes())]);
    let entry = places(&archive, b"PK\x01\x02")[0];
    archive[entry + 24..entry + 28].copy_from_slice(&1000_u32.to_le_bytes());
    assert_eq!(read(&archive), (1, vec![bad("a.csa", "DAMAGED")]));
    // A compressed member may be unpacked to 1 MiB, or to a hundred times its size.
    let mut gz = Compression::Gzip.encoder(Vec::new(), 1).unwrap();
    gz.write_all(&vec![b'\n'; 3 << 20]).unwrap();
    let archive = zip(&[("a.csa.gz", &gz.finish().unwrap()), ("b.csa", GAME.as_bytes())]);
    assert_eq!(read(&archive), (1, vec![bad("a.csa.gz", "LIMIT")]));
}

#[test]
fn an_archive_without_games_is_named() {
    for members in [&[][..], &[("game", GAME.as_bytes()), ("game.csa.txt", GAME.as_bytes())]] {
        assert_eq!(read(&zip(members)), (0, vec![bad("", "EMPTY")]));
    }
}

#[test]
fn packed_files_in_a_searched_folder_are_named() {
    let place = tempfile::tempdir().unwrap();
    // A file of text in a tar archive, whose header gives its name and the mark of the format.
    let mut tar = vec![0; 1024];
    tar[..5].copy_from_slice(b"a.csa");
    tar[257..262].copy_from_slice(b"ustar");
    tar[512..512 + GAME.len()].copy_from_slice(GAME.as_bytes());
    let mut gz = Compression::Gzip.encoder(Vec::new(), 1).unwrap();
    gz.write_all(&tar).unwrap();
    let files: [(&str, &[u8]); 6] = [
        ("a.csa", GAME.as_bytes()),
        ("b.csa.bz2", b"BZh9"),
        ("c.lzh", b"..-lh5-"),
        ("d.7z", b"7z\xbc\xaf\x27\x1c"),
        ("e.tar.gz", &gz.finish().unwrap()),
        ("notes.txt", b"no game"),
    ];
    for (name, content) in files {
        fs::write(place.path().join(name), content).unwrap();
    }
    let output = Output::path(place.path().join("out.psv"));
    let job = Job { recursive: true, ..Job::new(vec![place.path().to_owned()], output) };
    let summary = job.run(&mut ()).unwrap();
    let bad: Vec<_> =
        summary.samples.iter().map(|bad| &bad.input[place.path().as_os_str().len() + 1..]).collect();
    assert_eq!((summary.games, bad), (1, vec!["b.csa.bz2", "c.lzh", "d.7z", "e.tar.gz"]));
}

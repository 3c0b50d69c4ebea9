//! Archives of game records besides `.zip`: `.7z` and `.lzh`, as other programs write them, damaged, and made to harm.

use std::fs;
use std::path::Path;

use flate2::Crc;
use komabako_dataset::kifu::Sources;

use crate::game_archives::{GAME, places, read_as};

/// An archive of `tests/data/archives`, see the page there.
fn data(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/archives").join(name)).unwrap()
}

/// The names of the files that are read of an archive, in their order.
fn names(name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/archives").join(name);
    let files = Sources::find(&[path], false).unwrap().filter(|file| file.is_read());
    files.map(|file| file.name.rsplit_once('!').map_or("", |(_, member)| member).to_owned()).collect()
}

fn bad(archive: &str, member: &str, fault: &'static str) -> (String, &'static str) {
    let separator = if member.is_empty() { "" } else { "!" };
    (format!("{archive}{separator}{member}"), fault)
}

#[test]
fn members_are_read_in_the_order_of_names_whatever_the_order_in_the_archive() {
    assert_eq!(names("games.7z"), ["a.csa", "b.csa", "棋譜/後.csa"]);
    assert_eq!(read_as("a.7z", &data("games.7z")), (3, vec![]));
    assert_eq!(names("order.7z"), ["a.csa", "a.kif", "b.csa"]);
    assert_eq!(read_as("a.7Z", &data("order.7z")), (3, vec![]));
    assert_eq!(names("games.lzh"), ["a.csa", "long.csa", "sub/c.csa"]);
    assert_eq!(read_as("a.lzh", &data("games.lzh")), (3, vec![]));
    assert_eq!(read_as("a.LHA", &data("games.lzh")), (3, vec![]));
}

#[test]
fn methods_and_encryption_are_read_or_named() {
    assert_eq!(read_as("a.7z", &data("lzma.7z")), (1, vec![]));
    assert_eq!(read_as("a.7z", &data("deflate.7z")), (1, vec![]));
    assert_eq!(read_as("a.7z", &data("ppmd.7z")), (0, vec![bad("a.7z", "a.csa", "COMPRESSION")]));
    assert_eq!(read_as("a.7z", &data("encrypted.7z")), (0, vec![bad("a.7z", "a.csa", "ENCRYPTED")]));
    assert_eq!(read_as("a.7z", &data("names.7z")), (0, vec![bad("a.7z", "", "ENCRYPTED")]));
    assert_eq!(read_as("a.7z", b"no archive"), (0, vec![bad("a.7z", "", "DAMAGED")]));
    assert_eq!(read_as("a.lzh", b"no archive"), (0, vec![bad("a.lzh", "", "DAMAGED")]));
    assert_eq!(read_as("a.lzh", b"\0"), (0, vec![bad("a.lzh", "", "EMPTY")]));
}

/// A damaged byte may change a name, so that the member is no game record any more; otherwise nothing vanishes.
#[test]
fn no_member_vanishes_whatever_byte_is_damaged() {
    for (name, games) in [("games.7z", 3), ("games.lzh", 3)] {
        let archive = data(name);
        for at in 0..archive.len() {
            for bit in [0, 4, 7] {
                let mut damaged = archive.clone();
                damaged[at] ^= 1 << bit;
                let (read, bad) = read_as(name, &damaged);
                assert!(read == games || !bad.is_empty(), "{name}, byte {at}, bit {bit}: {read} games");
            }
        }
        for length in (0..archive.len()).step_by(7) {
            let (read, bad) = read_as(name, &archive[..length]);
            assert!(!bad.is_empty(), "{name}, {length} bytes: {read} games");
        }
    }
}

/// A 7z archive whose directory is not packed, with other bytes for it.
fn with_directory(archive: &[u8], change: impl Fn(Vec<u8>) -> Vec<u8>) -> Vec<u8> {
    let number = |at: usize| u64::from_le_bytes(*archive[at..].first_chunk().unwrap());
    let start = 32 + number(12) as usize;
    let directory = change(archive[start..].to_vec());
    let crc = |bytes: &[u8]| {
        let mut crc = Crc::new();
        crc.update(bytes);
        crc.sum().to_le_bytes()
    };
    let mut bytes = archive[..start].to_vec();
    bytes[20..28].copy_from_slice(&(directory.len() as u64).to_le_bytes());
    bytes[28..32].copy_from_slice(&crc(&directory));
    let first = crc(&bytes[12..32]);
    bytes[8..12].copy_from_slice(&first);
    bytes.extend_from_slice(&directory);
    bytes
}

#[test]
fn sizes_that_a_7z_declares_are_not_believed() {
    let archive = data("games.7z");
    assert_eq!(with_directory(&archive, |directory| directory), archive);
    // The unpacked size of the block: 107 bytes, the sum of those of its four files.
    let declared = |size: &[u8]| {
        with_directory(&archive, |directory| {
            let at = places(&directory, &[0x0c, 107])[0] + 1;
            [&directory[..at], size, &directory[at + 1..]].concat()
        })
    };
    let terabyte = [&[0xff][..], &(1_u64 << 40).to_le_bytes()].concat();
    assert_eq!(read_as("a.7z", &declared(&terabyte)), (0, vec![bad("a.7z", "", "LIMIT")]));
    // The last member would end before the content does, or after it.
    for size in [90, 120] {
        let (games, bad) = read_as("a.7z", &declared(&[size]));
        assert_eq!((games, bad), (2, vec![("後.csa".to_owned(), "DAMAGED")]));
    }
}

/// The checksum of members of LZH archives.
fn crc16(bytes: &[u8]) -> u16 {
    let step = |crc: u16| if crc & 1 == 1 { crc >> 1 ^ 0xa001 } else { crc >> 1 };
    bytes.iter().fold(0, |crc, &byte| (0..8).fold(crc ^ u16::from(byte), |crc, _| step(crc)))
}

/// A member of an LZH archive with a header of level 0.
fn lzh(name: &[u8], method: &[u8; 5], size: u32, content: &[u8]) -> Vec<u8> {
    let mut header = method.to_vec();
    header.extend_from_slice(&(content.len() as u32).to_le_bytes());
    header.extend_from_slice(&size.to_le_bytes());
    // The time, an attribute and the level.
    header.extend_from_slice(&[0, 0, 0x21, 0x50, 0x20, 0, name.len() as u8]);
    header.extend_from_slice(name);
    header.extend_from_slice(&crc16(content).to_le_bytes());
    let sum = header.iter().fold(0_u8, |sum, &byte| sum.wrapping_add(byte));
    [&[header.len() as u8, sum][..], &header, content].concat()
}

fn stored(name: &[u8]) -> Vec<u8> {
    lzh(name, b"-lh0-", GAME.len() as u32, GAME.as_bytes())
}

#[test]
fn names_of_an_lzh_are_read_with_their_folders() {
    // 表.csa in a folder, in CP932: its second byte is that of a separator.
    let archive =
        [stored(b"kifu\\\x95\x5c.csa"), stored(b"..\\..\\b.csa"), stored(b"a.csa"), vec![0]].concat();
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("a.lzh");
    fs::write(&path, &archive).unwrap();
    let files = Sources::find(std::slice::from_ref(&path), false).unwrap();
    let names: Vec<_> = files.map(|file| file.name.rsplit_once('!').unwrap().1.to_owned()).collect();
    assert_eq!(names, ["../../b.csa", "a.csa", "kifu/表.csa"]);
    assert_eq!(read_as("a.lzh", &archive), (3, vec![]));
    // Nothing is written under the names of members.
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
}

#[test]
fn an_lzh_is_not_unpacked_beyond_its_limits() {
    let bomb = lzh(b"a.csa", b"-lh0-", u32::MAX, GAME.as_bytes());
    assert_eq!(read_as("a.lzh", &bomb), (0, vec![bad("a.lzh", "", "LIMIT")]));
    let longer = [lzh(b"a.csa", b"-lh0-", 1000, GAME.as_bytes()), stored(b"b.csa"), vec![0]].concat();
    assert_eq!(read_as("a.lzh", &longer), (1, vec![bad("a.lzh", "a.csa", "DAMAGED")]));
    let shorter = [lzh(b"a.csa", b"-lh0-", 20, GAME.as_bytes()), stored(b"b.csa"), vec![0]].concat();
    assert_eq!(read_as("a.lzh", &shorter), (1, vec![bad("a.lzh", "a.csa", "DAMAGED")]));
    let members = [
        lzh(b"a.csa", b"-lh9-", 1, GAME.as_bytes()),
        stored(b"b.zip"),
        stored(b"c.csa"),
        stored(b"d.7z"),
        lzh(b"folder/", b"-lhd-", 0, b""),
        vec![0],
    ]
    .concat();
    let named = vec![
        bad("a.lzh", "a.csa", "COMPRESSION"),
        bad("a.lzh", "b.zip", "PACKED"),
        bad("a.lzh", "d.7z", "PACKED"),
    ];
    assert_eq!(read_as("a.lzh", &members), (1, named));
    let cut = [stored(b"a.csa"), stored(b"b.csa")].concat();
    // Members after its end may be missing.
    assert_eq!(read_as("a.lzh", &cut), (2, vec![bad("a.lzh", "", "DAMAGED")]));
    let both = vec![bad("a.lzh", "b.csa", "DAMAGED"), bad("a.lzh", "", "DAMAGED")];
    assert_eq!(read_as("a.lzh", &cut[..cut.len() - 5]), (1, both));
}

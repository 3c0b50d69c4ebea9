//! The sample files agree with each other through every conversion.

use std::io::Cursor;

use crate::common::{convert, convert_with, edit_hcpe, edit_psv, sample, sample_path, sample_sfens};
use komabako_dataset::convert::Job;
use komabako_dataset::record::{Hcpe, Psv};
use komabako_dataset::{
    Compression, Field, FileFormat, Input, Loss, LossKind, Lost, OnBadRecord, Output, Record, Selection,
};

fn without_ply(psv: &[u8]) -> Vec<u8> {
    let mut psv = psv.to_vec();
    edit_psv(&mut psv, |_, record| record.ply = 0);
    psv
}

/// The published records of `spec/formats.md` §6: text, PSV and hcpe.
#[test]
fn published_records_are_reproduced_bit_for_bit() {
    let table = include_str!("../../../komabako-testkit/vectors/records_public.tsv");
    let mut rows = 0;
    for row in table.lines().skip(1) {
        let [_, sfen, mv, score, ply, result, psv, hcpe] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        let unhex = |hex: &str| -> Vec<u8> {
            (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
        };
        let psv = unhex(psv);
        let hcpe = unhex(hcpe);
        let plain = format!("sfen {sfen}\nmove {mv}\nscore {score}\nply {ply}\nresult {result}\ne\n");
        assert_eq!(convert(FileFormat::Plain, FileFormat::Psv, plain.as_bytes()), psv);
        assert_eq!(convert(FileFormat::Plain, FileFormat::Hcpe, plain.as_bytes()), hcpe);
        assert_eq!(convert(FileFormat::Psv, FileFormat::Hcpe, &psv), hcpe);
        assert_eq!(convert(FileFormat::Hcpe, FileFormat::Psv, &hcpe), without_ply(&psv));
        assert_eq!(convert(FileFormat::Psv, FileFormat::Plain, &psv), plain.as_bytes());
        rows += 1;
    }
    assert_eq!(rows, 3);
}

#[test]
fn psv_and_hcpe_hold_the_same_except_the_ply() {
    let psv = sample("sample.psv");
    let hcpe = sample("sample.hcpe");
    let (converted, summary) = convert_with(FileFormat::Psv, FileFormat::Hcpe, &psv, |_| {}).unwrap();
    assert_eq!(converted, hcpe);
    let lost = |kind| Lost { loss: Loss { field: Field::Ply, kind }, count: Some(2000) };
    assert_eq!(summary.losses, [lost(LossKind::Dropped)]);
    assert_eq!((summary.counts.read, summary.counts.written), (2000, 2000));
    assert_eq!((summary.counts.bytes_read, summary.counts.bytes_written), (80_000, 76_000));

    let (converted, summary) = convert_with(FileFormat::Hcpe, FileFormat::Psv, &hcpe, |_| {}).unwrap();
    assert_eq!(converted, without_ply(&psv));
    assert_eq!(summary.losses, [lost(LossKind::MadeUp)]);
}

#[test]
fn losses_are_counted_for_written_records() {
    let mut psv = sample("sample.psv");
    // The padding of the first record, and of one whose king's square cannot be read.
    (psv[39], psv[5 * 40 + 39]) = (1, 1);
    psv[5 * 40..][..32].fill(0xff);
    let skip = |job: &mut Job| job.on_bad_record = OnBadRecord::Skip;
    let (_, summary) = convert_with(FileFormat::Psv, FileFormat::Hcpe, &psv, skip).unwrap();
    let counts: Vec<_> = summary.losses.iter().map(|lost| (lost.loss.field, lost.count)).collect();
    assert_eq!(counts, [(Field::Ply, Some(1999)), (Field::PsvPadding, Some(1))]);
    let (_, summary) = convert_with(FileFormat::Psv, FileFormat::Hcpe, &[], |_| {}).unwrap();
    assert_eq!(summary.losses, []);
    let held = |job: &mut Job| job.select = Selection::Sample { count: 3, seed: 1 };
    let (_, summary) = convert_with(FileFormat::Psv, FileFormat::Hcpe, &psv[..40], held).unwrap();
    assert!(summary.losses.iter().all(|lost| lost.count.is_none()) && !summary.losses.is_empty());
}

#[test]
fn every_format_decodes_to_the_positions_of_the_table() {
    let psv = sample("sample.psv");
    let with_ply = sample_sfens().join("\n") + "\n";
    assert_eq!(convert(FileFormat::Psv, FileFormat::Sfen, &psv), with_ply.as_bytes());
    let plies_lost: String =
        sample_sfens().iter().map(|sfen| sfen.rsplit_once(' ').unwrap().0.to_owned() + " 1\n").collect();
    // hcpe3 counts its own plies.
    let knows_ply = |format: &FileFormat| format.can_write() && *format != FileFormat::Hcpe3;
    for format in FileFormat::ALL.iter().copied().filter(knows_ply) {
        let converted = convert(FileFormat::Psv, format, &psv);
        let back = convert(format, FileFormat::Sfen, &converted);
        let expected = if format.holds(Field::Ply) { &with_ply } else { &plies_lost };
        assert!(back == expected.as_bytes(), "{format}");
        assert_eq!(convert(format, format, &converted), converted, "{format} to itself");
    }
}

/// The layouts of `FORMATS.md`, byte for byte.
#[test]
fn compact_records_consist_of_the_specified_fields() {
    let psv = sample("sample.psv");
    let compact = convert(FileFormat::Psv, FileFormat::Compact36, &psv);
    assert_eq!(compact.len(), 2000 * 36);
    assert_eq!(convert(FileFormat::Compact36, FileFormat::Psv, &compact), psv);
    let hcpe = sample("sample.hcpe");
    assert_eq!(convert(FileFormat::Compact36, FileFormat::Hcpe, &compact), hcpe);

    let ranks = convert(FileFormat::Psv, FileFormat::R238, &psv);
    let small = convert(FileFormat::Psv, FileFormat::Compact32, &psv);
    let words = convert(FileFormat::Psv, FileFormat::Sspfv1Ext, &psv);
    let ext = convert(FileFormat::Psv, FileFormat::Ext36, &psv);
    assert_eq!(words, convert(FileFormat::Psv, FileFormat::Sspfv1, &psv));
    for index in 0..2000 {
        let psv = &psv[40 * index..][..40];
        let hcpe = &hcpe[38 * index..][..38];
        let score = &psv[32..34];
        let best_move = &psv[34..36];
        let ply = &psv[36..38];
        let mut position = ranks[30 * index..][..30].to_vec();
        position[29] |= hcpe[36] << 6;
        assert_eq!(compact[36 * index..][..36], [&position, best_move, score, ply].concat());
        assert_eq!(small[32 * index..][..32], [&position, score].concat());
        assert_eq!(ext[36 * index..][..36], [&words[32 * index..][..32], best_move, score].concat());
    }
}

#[test]
fn invalid_result_is_refused() {
    let mut record = convert(FileFormat::Psv, FileFormat::Compact32, &sample("sample.psv")[..40]);
    record[29] |= 0xc0;
    assert_eq!(FileFormat::Compact32.decode(&record).unwrap_err().name(), "RESULT");
    assert_eq!(FileFormat::R238.decode(&record[..30]).unwrap_err().name(), "RANGE");
}

#[test]
fn payload_of_c250_is_kept_if_the_target_has_one() {
    let mut words = convert(FileFormat::Psv, FileFormat::C250, &sample("sample.psv")[..80]);
    words[31] |= 37 << 2;
    assert_eq!(convert(FileFormat::C250, FileFormat::C250, &words), words);
    let psv = convert_with(FileFormat::C250, FileFormat::PackedSfen, &words, |_| {}).unwrap();
    assert!(
        psv.1
            .losses
            .iter()
            .any(|loss| (loss.loss.field, loss.loss.kind) == (Field::Payload, LossKind::Dropped))
    );
    assert_eq!(psv.0, convert(FileFormat::Psv, FileFormat::PackedSfen, &sample("sample.psv")[..80]));
}

#[test]
fn plain_text_holds_all_of_a_psv_record() {
    let psv = sample("sample.psv");
    let plain = convert(FileFormat::Psv, FileFormat::Plain, &psv);
    assert_eq!(convert(FileFormat::Plain, FileFormat::Psv, &plain), psv);
    let table = String::from_utf8(sample("sample.tsv")).unwrap();
    let rows = table.lines().skip(1).map(|row| {
        let [sfen, mv, score, ply, result] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        format!("sfen {sfen}\nmove {mv}\nscore {score}\nply {ply}\nresult {result}\ne\n")
    });
    assert!(plain == rows.collect::<String>().as_bytes());
    let foreign_lines = String::from_utf8(plain).unwrap().replace('\n', "\r\n") + "\r\n \r\n";
    assert_eq!(convert(FileFormat::Plain, FileFormat::Psv, foreign_lines.as_bytes()), psv);
}

#[test]
fn sfen_lines_are_normalised() {
    let lines =
        "\u{feff}startpos\r\n\r\nsfen 4k4/9/9/9/9/9/9/9/4K4 w p2P7pRr 7\r\n  4k4/9/9/9/9/9/9/9/4K4 b -";
    let written = convert(FileFormat::Sfen, FileFormat::Sfen, lines.as_bytes());
    let expected = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
                    4k4/9/9/9/9/9/9/9/4K4 w R2Pr8p 7\n4k4/9/9/9/9/9/9/9/4K4 b - 1\n";
    assert_eq!(String::from_utf8(written).unwrap(), expected);
}

#[test]
fn hcpe2_keeps_its_flags_and_hcpe_drops_them() {
    let hcpe = sample("sample.hcpe");
    let mut hcpe2 = hcpe.clone();
    edit_hcpe(&mut hcpe2, |index, record| {
        record.result |= [0, 0x04, 0x08, 0x10][index % 4];
        record.padding = index as u8;
    });
    assert_eq!(convert(FileFormat::Hcpe2, FileFormat::Hcpe2, &hcpe2), hcpe2);
    let mut dropped = convert(FileFormat::Hcpe2, FileFormat::Hcpe, &hcpe2);
    edit_hcpe(&mut dropped, |index, record| {
        assert_eq!(record.padding, index as u8);
        record.padding = 0;
    });
    assert_eq!(dropped, hcpe);
    assert_eq!(convert(FileFormat::Hcpe, FileFormat::Hcpe2, &hcpe), hcpe);
}

#[test]
fn psv_keeps_its_padding_and_the_bits_of_its_moves() {
    let mut psv = sample("sample.psv");
    edit_psv(&mut psv, |index, record| {
        record.padding = index as u8;
        record.best_move = index as u16 * 31;
    });
    assert_eq!(convert(FileFormat::Psv, FileFormat::Psv, &psv), psv);
}

/// A record through [`FileFormat::decode`] and [`FileFormat::encode`] is the same as through a conversion of files.
#[test]
fn single_records_convert_like_files() {
    let psv = sample("sample.psv");
    let hcpe = sample("sample.hcpe");
    for (psv, hcpe) in psv.chunks(Psv::SIZE).zip(hcpe.chunks(Hcpe::SIZE)).step_by(101) {
        let record: Record = FileFormat::Psv.decode(psv).unwrap();
        let mut out = Vec::new();
        FileFormat::Hcpe.encode(&record, &mut out).unwrap();
        assert_eq!(out, hcpe);
        assert_eq!(Psv::from_bytes(psv.try_into().unwrap()).to_bytes(), psv);
    }
}

/// Many blocks, several inputs, any number of threads: the same bytes.
#[test]
fn order_and_bytes_do_not_depend_on_threads() {
    let psv = sample("sample.psv").repeat(60);
    let expected = sample("sample.hcpe").repeat(60);
    for threads in [1, 2, 7] {
        let convert = convert_with(FileFormat::Psv, FileFormat::Hcpe, &psv, |job| {
            job.options.threads = threads;
            job.inputs.push(Input::path(sample_path("sample.psv")));
        });
        let (converted, summary) = convert.unwrap();
        assert_eq!(summary.counts.read, 122_000);
        assert!(converted == [&expected[..], &sample("sample.hcpe")].concat(), "{threads} threads");
    }
}

/// More inputs than there are blocks in the pipeline, some of them empty or with a tail.
#[test]
fn any_number_of_inputs_becomes_one_output() {
    let psv = sample("sample.psv");
    let (_, summary) = convert_with(FileFormat::Psv, FileFormat::Hcpe, &psv, |job| {
        job.options.threads = 1;
        job.options.salvage = true;
        for index in 0..60 {
            let content = Cursor::new(psv[..index % 3 * 50].to_vec());
            job.inputs.push(Input::Stream(format!("input {index}"), Box::new(content)));
        }
    })
    .unwrap();
    assert_eq!((summary.counts.read, summary.counts.tails.len()), (2000 + 20 + 40, 40));
    assert_eq!(summary.counts.tails[1].input, "input 2");
}

#[test]
fn files_are_compressed_by_name_and_decompressed_by_content() {
    let directory = tempfile::tempdir().unwrap();
    for &compression in Compression::ALL {
        let packed = directory.path().join("packed").with_extension(match compression.extension() {
            Some(extension) => format!("hcpe.{extension}"),
            None => "hcpe".to_owned(),
        });
        let job = Job::new(vec![Input::path(sample_path("sample.psv"))], Output::path(&packed));
        job.plan().unwrap().run(&mut ()).unwrap();
        let bytes = std::fs::read(&packed).unwrap();
        assert_eq!(Compression::from_magic(&bytes), compression);
        assert_eq!(bytes.len() < 76_000, compression != Compression::None);
        // Two compressed streams, concatenated, are one file.
        let mut out = Vec::new();
        let twice = Cursor::new(bytes.repeat(2));
        let input = Input::Stream("twice".into(), Box::new(twice));
        let mut job = Job::new(vec![input], Output::Stream("output".into(), Box::new(&mut out)));
        job.to = Some(FileFormat::Hcpe);
        job.plan().unwrap().run(&mut ()).unwrap();
        assert!(out == sample("sample.hcpe").repeat(2), "{}", compression.name());
    }
}

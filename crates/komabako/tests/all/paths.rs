//! The files that a command reads and writes: none is both or twice, each has the content that its name says, and a plan finds what
//! cannot be written.

use std::fs;

use crate::support::{Place, Ran, feed, program, sample};

/// A directory with 100 records.
fn place() -> Place {
    let place = Place::new();
    place.file("a.psv", &fs::read(sample("sample.psv")).unwrap()[..4000]);
    place
}

fn run(place: &Place, line: &str) -> Ran {
    feed(program().current_dir(place.path("")).args(line.split(' ')), b"").into()
}

#[test]
fn a_manifest_replaces_no_output() {
    let place = place();
    place.file("bad.psv", [&[0xff; 40][..], &fs::read(place.path("a.psv")).unwrap()].concat());
    fs::create_dir(place.path("D")).unwrap();
    let names = ["m.json", "p-001.psv", "bad-1.psv", "bad-1.psv.reasons.tsv", "D/a.hcpe", "o.psv"];
    for (line, name) in [
        ("split a.psv --parts 2 --into p-{}.psv", names[1]),
        ("split a.psv --records 60 --into p-{}.psv", names[1]),
        ("convert bad.psv o.psv --from psv --moves as-is --on-error collect=bad-1.psv", names[2]),
        ("convert bad.psv o.psv --from psv --moves as-is --on-error collect=bad-1.psv", names[3]),
        ("convert a.psv --to hcpe --out-dir D", names[4]),
        ("dedup a.psv o.psv --moves as-is", "./o.psv"),
    ] {
        for is_there in [false, true] {
            names.iter().for_each(|name| drop(fs::remove_file(place.path(name))));
            if is_there {
                place.file(name, "old");
            }
            run(&place, &format!("{line} --force --json --manifest {name}")).refused(2, "same_file", &[]);
            assert_eq!(fs::read(place.path(name)).ok(), is_there.then(|| b"old".to_vec()), "{line}");
        }
    }
}

/// `--force` would be advice in vain.
#[test]
fn outputs_with_one_name_are_refused_before_one_that_exists() {
    let place = place();
    place.file("b.psv", "old");
    place.file("m.json", "old");
    run(&place, "filter a.psv --where won --mask mask.bits --quiet").ok();
    for line in [
        "convert a.psv b.psv --on-error collect=b.psv",
        "convert a.psv m.json --to psv --on-error collect=a.psv",
        "convert a.psv b.psv --on-error collect=b.psv --manifest n.json",
        "dedup a.psv b.psv --keep mean --by position --columns x --manifest x.count.u32",
        "diff a.psv a.psv --only-a b.psv --only-b b.psv",
        "filter a.psv mask.bits --by-mask mask.bits --to psv",
        "repair a.psv b.psv --rejects b.psv",
    ] {
        let ran = run(&place, &format!("{line} --json"));
        ran.refused(2, "same_file", &[]);
        assert!(!ran.stderr.contains("inputs are"), "{line}: {}", ran.stderr);
    }
}

#[test]
fn a_manifest_names_outputs_and_is_not_written_without_any() {
    let place = place();
    let game = "PI\n+\n+7776FU\n%TORYO\n";
    place.file("g.csa", game);
    run(&place, "kifu g.csa o.kif --games plies>9 --manifest m.json");
    assert!(!place.path("o.kif").exists() && !place.path("m.json").exists());
    place.file("a\u{202e}.psv", fs::read(place.path("a.psv")).unwrap());
    run(&place, "convert a\u{202e}.psv o.hcpe --moves as-is --manifest m.json").ok();
    let text = fs::read_to_string(place.path("m.json")).unwrap();
    assert!(text.contains(r"a\u202e.psv") && !text.contains('\u{202e}'), "{text}");
}

#[test]
fn a_manifest_names_streams_and_not_files_called_so() {
    let place = place();
    place.file("-", "a file");
    let psv = fs::read(place.path("a.psv")).unwrap();
    for (line, name) in [
        ("shuffle - d.psv --seed 1 --from psv --moves as-is --manifest n.json", "n.json"),
        ("filter - - --where ply>0 --from psv --moves as-is --manifest m.json", "m.json"),
    ] {
        let ran = feed(program().current_dir(place.path("")).args(line.split(' ')), &psv);
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        let manifest: serde_json::Value =
            serde_json::from_slice(&fs::read(place.path(name)).unwrap()).unwrap();
        let stream = serde_json::json!([{ "name": "-", "bytes": null, "sha256": null }]);
        assert_eq!(manifest["inputs"], stream, "{line}");
    }
}

#[test]
fn a_mask_is_an_input_in_any_compression() {
    let place = place();
    for mask in ["m.bits", "m.bits.zst", "m.bits.gz"] {
        run(&place, &format!("filter a.psv --where won --mask {mask} --quiet")).ok();
        run(&place, &format!("filter a.psv {mask}.psv --by-mask {mask} --quiet")).ok();
    }
    let won = fs::read(place.path("m.bits.psv")).unwrap();
    assert!(!won.is_empty() && won == fs::read(place.path("m.bits.zst.psv")).unwrap());
    assert!(won == fs::read(place.path("m.bits.gz.psv")).unwrap());
    let bits = fs::read(place.path("m.bits")).unwrap();
    let by_stream = ["filter", "a.psv", "o.psv", "--by-mask", "-", "--quiet"];
    Ran::from(feed(program().current_dir(place.path("")).args(by_stream), &bits)).ok();
    assert!(won == fs::read(place.path("o.psv")).unwrap());
    let line = "filter a.psv m.bits --by-mask m.bits --to psv --force --json";
    run(&place, line).refused(2, "same_file", &["m.bits"]);
    assert!(bits == fs::read(place.path("m.bits")).unwrap());
}

/// They are written as they are, and no name says otherwise.
#[test]
fn bad_records_have_a_name_of_their_format() {
    let place = place();
    let names = place.names();
    for name in ["b.psv.zst", "b.kmb", "b.psv.lz4", "b.hcpe", "b.csv"] {
        for line in [
            format!("convert a.psv o.psv --on-error collect={name}"),
            format!("dedup a.psv o.psv --on-error collect={name}"),
            format!("split a.psv --parts 2 --into p-{{}}.psv --on-error collect={name}"),
            format!("repair a.psv o.psv --rejects {name}"),
        ] {
            run(&place, &format!("{line} --json")).refused(2, "rejects_name", &[name, "psv"]);
        }
    }
    for line in [
        "convert a.psv o.psv --on-error collect=-",
        "repair a.psv o.psv --rejects -",
        "convert a.psv o.psv --manifest -",
        "split a.psv --parts 1 --into - --to psv",
    ] {
        run(&place, line).fails(2, &["-'", "FILE"]);
    }
    assert_eq!(place.names(), names);
    for name in ["b.psv", "b.bad", "bad"] {
        run(&place, &format!("convert a.psv o.psv --quiet --force --on-error collect={name}")).ok();
    }
}

/// Before the work, and so in a dry run too.
#[test]
fn missing_directories_are_found_by_the_plan() {
    let place = place();
    place.file("e", "");
    let engine = "--engine ./e --go nodes";
    for line in [
        "convert a.psv no/o.psv",
        "shuffle a.psv no/o.psv --seed 1",
        "dedup a.psv o.psv --keep mean --columns no/x",
        "mix a.psv no/o.psv --seed 1",
        "split a.psv --parts 2 --into no/p-{}.psv",
        "split a.psv --records 9 --into no/p-{}.psv",
        "repair a.psv no/o.psv",
        "repair a.psv o.psv --rejects no/x.psv",
        "diff a.psv a.psv --only-a no/o.psv",
        "extract-scores a.psv no/o.i16",
        "convert a.psv o.psv --on-error collect=no/x.psv",
        "filter a.psv --where won --mask no/m.bits",
        "convert a.psv o.psv --manifest no/m.json",
        "convert a.psv a.psv/o.psv",
        &format!("rescore a.psv o.psv {engine} --on-error collect=no/x.psv"),
    ] {
        run(&place, &format!("{line} --dry-run --json")).refused(2, "create", &[]);
    }
    run(&place, "rescore a.psv o.psv --engine ./none --go nodes --dry-run --json").refused(
        2,
        "engine",
        &["none"],
    );
    assert_eq!(place.names(), ["a.psv", "e"]);
    run(&place, "convert a.psv --to hcpe --out-dir no/d --quiet").ok();
    assert!(place.path("no/d/a.hcpe").exists());
}

/// Whether the folder exists or not.
#[test]
fn names_of_folders_are_no_outputs() {
    let place = place();
    fs::create_dir(place.path("there")).unwrap();
    for folder in ["there", "there/", "no/", "no/.", "a.psv/"] {
        for line in [
            "convert a.psv {} --to psv --force",
            "shuffle a.psv {} --to psv --seed 1",
            "split a.psv --parts 1 --into {} --to psv",
            "head a.psv -n 1 -o {} --to psv",
            "convert a.psv o.psv --manifest {}",
            "stats a.psv --html {}",
        ] {
            run(&place, &format!("{} --json", line.replace("{}", folder))).refused(
                2,
                "create",
                &["--out-dir"],
            );
        }
    }
    assert_eq!(place.names(), ["a.psv", "there"]);
}

/// Not even root can create a file there.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_is_found_by_the_plan() {
    let place = place();
    for line in ["dedup a.psv /sys/o.psv", "convert a.psv o.psv --manifest /sys/m.json"] {
        run(&place, &format!("{line} --dry-run --json")).refused(2, "create", &["/sys"]);
    }
}

#[cfg(unix)]
#[test]
fn descriptors_are_streams() {
    use std::fs::File;

    let place = place();
    let psv = fs::read(place.path("a.psv")).unwrap();
    place.file("all.psv", "before");
    let append = |options: &[&str]| {
        let all = File::options().append(true).open(place.path("all.psv")).unwrap();
        let mut command = program();
        command.current_dir(place.path("")).args([
            "convert",
            "a.psv",
            "/dev/stdout",
            "--to",
            "psv",
            "--quiet",
        ]);
        assert!(command.args(options).stdout(all).status().unwrap().success());
    };
    append(&[]);
    append(&["--force"]);
    assert!(fs::read(place.path("all.psv")).unwrap() == [b"before", &psv[..], &psv].concat());

    // Standard input may be a file.
    for line in [
        "filter - a.psv --from psv --where ply>0 --force --json",
        "convert - o.psv --from psv --manifest a.psv --force --json",
    ] {
        let mut command = program();
        command
            .current_dir(place.path(""))
            .args(line.split(' '))
            .stdin(File::open(place.path("a.psv")).unwrap());
        Ran::from(command.output().unwrap()).refused(2, "same_file", &["a.psv"]);
    }
    assert!(fs::read(place.path("a.psv")).unwrap() == psv);
}

#[test]
fn the_advice_is_one_that_the_command_can_follow() {
    let place = place();
    place.file("old.psv", crate::mismatch::in_b());
    place.file("e", "");
    for line in [
        "rescore old.psv o.psv --engine ./e --go nodes",
        "split old.psv --parts 2 --into p-{}.psv",
        "convert old.psv o.hcpe --partition 0/2",
    ] {
        let ran = run(&place, line);
        ran.fails(2, &["komabako repair --moves b "]);
        assert!(!ran.stderr.contains("--repair"), "{}", ran.stderr);
        if !line.contains("--partition") {
            run(&place, &format!("{line} --repair --json")).refused(
                2,
                "repaired_once",
                &["komabako repair IN OUT"],
            );
        }
    }
    run(&place, "split old.psv --records 900 --into p-{}.psv").fails(2, &["`--repair`"]);
    let bytes = fs::metadata(place.path("old.psv")).unwrap().len();
    let report = run(&place, "convert old.psv o.psv --repair --json").report();
    assert_eq!(report["bytes_read"], bytes);

    place.file("bad.psv", [&fs::read(place.path("a.psv")).unwrap()[..], &[0xff; 40]].concat());
    let ran = run(&place, "convert bad.psv --to hcpe --out-dir D --moves as-is");
    assert!(ran.code == 1 && !ran.stderr.contains("apart with `--on-error"), "{}", ran.stderr);
    place.file("a.psv.lz4", [4, 0x22, 0x4d, 0x18, 0x64, 0x40]);
    run(&place, "convert a.psv.lz4 o.psv --force").fails(2, &["unpack it"]);
    let weighted = ["mix", "-:2", "a.psv", "m.psv", "--seed", "1", "--moves", "as-is", "--quiet"];
    let psv = fs::read(place.path("a.psv")).unwrap();
    Ran::from(feed(program().current_dir(place.path("")).args(weighted), &psv)).ok();
    run(&place, "mix a.psv m.psv --seeed 1").fails(2, &["--seeed"]);
}

/// Those of records that damage has lost are not those of the next ones.
#[test]
fn masks_and_columns_of_a_damaged_archive_fit_it() {
    let place = Place::new();
    let psv = fs::read(sample("sample.psv")).unwrap();
    place.file("a.psv", &psv);
    run(&place, "convert a.psv a.kmb --archive fast --block-records 1024 --quiet").ok();
    let mut archive = fs::read(place.path("a.kmb")).unwrap();
    archive[3_000] ^= 1;
    place.file("a.kmb", archive);
    let salvage = |line: &str| {
        let ran = run(&place, &format!("{line} --salvage --json --force"));
        assert!(ran.report()["error"].is_null(), "{line}: {}", ran.stderr);
    };
    salvage("filter a.kmb --where won --mask m.bits");
    salvage("filter a.kmb masked.psv --by-mask m.bits");
    salvage("filter a.kmb won.psv --where won");
    assert!(fs::read(place.path("masked.psv")).unwrap() == fs::read(place.path("won.psv")).unwrap());
    assert_eq!(fs::read(place.path("m.bits")).unwrap().len(), 250);
    salvage("extract-scores a.kmb s.i16");
    salvage("merge-scores a.kmb s.i16 merged.psv");
    assert!(fs::read(place.path("merged.psv")).unwrap() == psv[1024 * 40..]);
    let engine = format!("--engine {} --go nodes", crate::support::scripted_engine().display());
    salvage(&format!("rescore a.kmb rescored.psv {engine}"));
    salvage(&format!("rescore a.kmb --column c.i16 {engine}"));
    salvage("merge-scores a.kmb c.i16 by-column.psv");
    assert!(fs::read(place.path("by-column.psv")).unwrap() == fs::read(place.path("rescored.psv")).unwrap());
}

#[test]
fn parts_of_a_split_have_one_format() {
    let place = place();
    let line = "split a.psv --ratio 1:1 --into y.psv --into y.hcpe --json";
    run(&place, line).refused(2, "part_formats", &["y.psv", "y.hcpe", "--to"]);
    assert_eq!(place.names(), ["a.psv"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_utf_8_is_kept_in_another_directory() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let place = place();
    let name = OsStr::from_bytes(b"\xff.psv");
    fs::copy(place.path("a.psv"), place.path("").join(name)).unwrap();
    let mut command = program();
    command
        .current_dir(place.path(""))
        .args(["convert", "--to", "hcpe", "--out-dir", "D", "--quiet"])
        .arg(name);
    Ran::from(feed(&mut command, b"")).ok();
    assert!(place.path("D").join(OsStr::from_bytes(b"\xff.hcpe")).exists());
}

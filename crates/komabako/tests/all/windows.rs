//! Differences of Windows: paths, devices, files open elsewhere, line ends, and pipes whose reader goes away.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read};
use std::os::windows::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::support::{Place, Ran, program, run, run_on, sample};

fn convert(input: &Path, output: &Path, options: &[&str]) -> Ran {
    let mut arguments: Vec<OsString> = vec!["convert".into(), input.into(), output.into()];
    arguments.extend(options.iter().map(OsString::from));
    run(arguments)
}

fn hcpe() -> Vec<u8> {
    fs::read(sample("sample.hcpe")).unwrap()
}

#[test]
fn drives_backslashes_and_japanese_names_are_paths() {
    let place = Place::new();
    let folder = place.path("学習 データ");
    fs::create_dir(&folder).unwrap();
    let input = folder.join("自己対局.psv");
    fs::copy(sample("sample.psv"), &input).unwrap();
    let absolute = std::path::absolute(folder.join("表.hcpe")).unwrap();
    let text = absolute.to_str().unwrap();
    assert!(text[1..].starts_with(":\\") && text.contains("\\学習 データ\\表.hcpe"), "{text}");
    convert(&input, &absolute, &[]).ok();
    assert!(fs::read(&absolute).unwrap() == hcpe());
    // The other separator, and a path from the current directory.
    let forward = PathBuf::from(text.replace('\\', "/"));
    convert(&input, &forward, &[]).fails(2, &["表.hcpe", "--force"]);
    let ran: Ran = program()
        .current_dir(place.path(""))
        .args(["convert", ".\\学習 データ\\自己対局.psv", "学習 データ/別.hcpe"])
        .output()
        .unwrap()
        .into();
    ran.ok();
    assert!(fs::read(folder.join("別.hcpe")).unwrap() == hcpe());
    assert!(run([OsString::from("info"), input.into()]).ok().contains("自己対局.psv"));
}

#[test]
fn paths_beyond_260_letters_are_read_and_written() {
    let place = Place::new();
    let mut folder = std::path::absolute(place.path("")).unwrap();
    for _ in 0..6 {
        folder.push("とても長い名前のフォルダー".repeat(4));
    }
    fs::create_dir_all(&folder).unwrap();
    let input = folder.join("in.psv");
    let output = folder.join("out.hcpe");
    assert!(input.as_os_str().len() > 260);
    fs::copy(sample("sample.psv"), &input).unwrap();
    convert(&input, &output, &[]).ok();
    assert!(fs::read(&output).unwrap() == hcpe());
}

#[test]
fn device_names_are_devices_and_never_files() {
    let place = Place::new();
    let psv = sample("sample.psv");
    convert(&psv, Path::new("NUL"), &["--to", "hcpe"]).ok();
    convert(&psv, &place.path("nul"), &["--to", "hcpe"]).ok();
    convert(&psv, Path::new("NUL:"), &["--to", "hcpe"]).ok();
    convert(&psv, &place.path("con.hcpe"), &["--json"]).refused(2, "create", &["con.hcpe", "device"]);
    let ran =
        run(["solve".as_ref(), "startpos".as_ref(), "--output".as_ref(), place.path("con.tsv").as_os_str()]);
    ran.fails(2, &["con.tsv: ", "device"]);
    // A stream of the file `12`.
    convert(&psv, &place.path("12:30.hcpe"), &["--json"]).refused(2, "create", &["12:30.hcpe", "`:`"]);
    assert_eq!(place.names(), [] as [&str; 0]);
}

#[test]
fn existing_files_are_replaced_also_while_they_are_read() {
    let place = Place::new();
    let output = place.file("out.hcpe", "old");
    convert(&sample("sample.psv"), &output, &["--force"]).ok();
    assert!(fs::read(&output).unwrap() == hcpe());
    fs::write(&output, "old").unwrap();
    // Rust opens files so that others may rename and delete them, as editors and viewers do not. Windows 10 replaces such a file;
    // wine 8 refuses, as older Windows do. The reader has the old content either way.
    let mut reader = File::open(&output).unwrap();
    let ran = convert(&sample("sample.psv"), &output, &["--force", "--json"]);
    if ran.code != 0 {
        ran.refused(2, "write", &["out.hcpe"]);
        assert_eq!(fs::read(&output).unwrap(), b"old");
        assert_eq!(place.names(), ["out.hcpe", "out.hcpe.complete"]);
    }
    let mut old = String::new();
    reader.read_to_string(&mut old).unwrap();
    assert_eq!(old, "old");
}

/// Another program has the file open exclusively: nothing is lost, neither the old file nor the new one.
#[test]
fn files_open_in_other_programs_are_named() {
    let place = Place::new();
    let input = place.file("in.psv", fs::read(sample("sample.psv")).unwrap());
    let output = place.file("out.hcpe", "old");
    let alone = |path: &Path| OpenOptions::new().read(true).share_mode(0).open(path).unwrap();
    let held = alone(&output);
    let ran = convert(&input, &output, &["--force", "--json"]);
    ran.refused(2, "write", &["out.hcpe.complete"]);
    assert!(!ran.stderr.contains(r"\\?"), "{}", ran.stderr);
    drop(held);
    assert_eq!(fs::read(&output).unwrap(), b"old");
    assert_eq!(place.names(), ["in.psv", "out.hcpe", "out.hcpe.complete"]);
    assert!(fs::read(place.path("out.hcpe.complete")).unwrap() == hcpe());
    let held = alone(&input);
    let ran = convert(&input, &output, &["--force", "--json", "--lang", "ja"]);
    ran.refused(2, "open", &["in.psv", "ほかのプログラム"]);
    drop(held);
    assert_eq!(fs::read(&output).unwrap(), b"old");
}

/// Found before the work.
#[test]
fn read_only_files_are_not_replaced() {
    let place = Place::new();
    let output = place.file("out.hcpe", "old");
    let set = |is_read_only| {
        let mut permissions = fs::metadata(&output).unwrap().permissions();
        permissions.set_readonly(is_read_only);
        fs::set_permissions(&output, permissions).unwrap();
    };
    set(true);
    convert(&sample("sample.psv"), &output, &["--force", "--json"]).refused(2, "create", &["read-only"]);
    assert_eq!((fs::read(&output).unwrap(), place.names()), (b"old".to_vec(), vec!["out.hcpe".to_owned()]));
    set(false);
}

#[test]
fn lines_may_end_in_cr_lf_and_output_is_utf_8() {
    let words = run_on("startpos\r\nstartpos\r\n", ["encode", "--format", "hcp"]).ok();
    assert_eq!(words.lines().count(), 2);
    assert!(!words.contains('\r'));
    let place = Place::new();
    let sfen = place.file("crlf.sfen", "startpos\r\n# 注釈\r\n\r\nstartpos\r\n");
    convert(&sfen, &place.path("out.hcp"), &[]).ok();
    assert_eq!(fs::metadata(place.path("out.hcp")).unwrap().len(), 64);
    // Into a file or a pipe, whatever the console's code page is.
    assert!(run(["moves", "--japanese"]).ok().contains("▲7六歩\n"));
}

#[test]
fn closed_pipe_ends_the_program_quietly() {
    for arguments in [&["random", "-n", "200000"][..], &["cat", "--to", "sfen"]] {
        let mut command = program();
        command.args(arguments);
        if arguments[0] == "cat" {
            command.arg(sample("sample.psv")).args(std::iter::repeat_n(sample("sample.psv"), 20));
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ran: Ran = child.wait_with_output().unwrap().into();
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{arguments:?}");
    }
}

/// C's library allows 512 open files; Windows itself, far more.
#[test]
fn all_parts_of_the_largest_ratio_are_open_at_once() {
    let place = Place::new();
    let mut arguments: Vec<OsString> = vec!["split".into(), sample("sample.psv").into()];
    arguments.extend(["--ratio".into(), vec!["1"; 256].join(":").into(), "--into".into()]);
    arguments.push(place.path("{}.psv").into());
    run(arguments).ok();
    assert_eq!(place.names().len(), 256);
}

#[test]
fn failed_job_leaves_no_file() {
    let place = Place::new();
    let input = place.file("bad.psv", [0xff; 80]);
    let ran = convert(&input, &place.path("out.hcpe"), &["--from", "psv", "--moves", "as-is"]);
    ran.fails(1, &["bad.psv"]);
    assert_eq!(place.names(), ["bad.psv"]);
}

//! Inputs that are deleted, on request, after the output is complete.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use komabako_dataset::large::{Job, Sameness, Unique};
use komabako_dataset::{DatasetError, OnBadRecord, when_output_completes};
#[cfg(unix)]
use komabako_dataset::{FileFormat, Input, Output};

use super::{PSV, Place, forced, forced_job, job, run, scored, shuffle, unique};

#[test]
fn inputs_are_deleted_only_on_request_and_last() {
    let place = Place::new();
    fs::create_dir(place.path("sub")).unwrap();
    // Named once, twice, and with two spellings.
    for (names, written) in
        [(&["in.psv"][..], 100), (&["in.psv"; 2], 200), (&["in.psv", "sub/../in.psv"], 200)]
    {
        place.file("in.psv", scored(100));
        let inputs: Vec<PathBuf> = names.iter().map(|name| place.path(name)).collect();
        let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
        let deleting =
            Job { shuffle: shuffle(1), delete_inputs: true, ..job(&inputs, &place.path("out.psv")) };
        assert_eq!(run(forced(deleting)).unwrap().counts.written, written);
        assert_eq!(place.names(), ["out.psv", "sub"]);
    }
}

/// Data that no other file has is not deleted.
#[test]
fn inputs_are_kept_if_only_they_hold_some_data() {
    let place = Place::new();
    let mut records = scored(100);
    records[PSV * 17 + 1] ^= 0xff;
    let truncated = [&scored(100)[..], &[7; 3]].concat();
    let collect = || OnBadRecord::Collect(place.path("bad.psv"));
    // SFEN has no scores.
    for (bytes, output, policy, is_kept) in [
        (&records, "out.psv", OnBadRecord::Skip, true),
        (&records, "out.psv", collect(), false),
        (&truncated, "out.psv", OnBadRecord::Skip, true),
        (&scored(100), "out.sfen", OnBadRecord::Skip, true),
        (&scored(100), "out.psv", OnBadRecord::Skip, false),
    ] {
        let input = place.file("in.psv", bytes);
        let out = place.path(output);
        let mut job = Job { delete_inputs: true, on_bad_record: policy, ..forced_job(&[&input], &out) };
        job.options.salvage = true;
        job.unique = unique(Sameness::Position);
        assert_eq!(run(job).unwrap().kept_inputs, is_kept, "{output}");
        assert_eq!(input.exists(), is_kept, "{output}");
    }
    assert!(fs::read(place.path("bad.psv")).unwrap() == records[PSV * 17..PSV * 18]);
}

/// Another program changes the input between its last read and its deletion: when the output gets its name.
#[test]
fn an_input_that_changes_before_its_deletion_is_kept() {
    when_output_completes(|name| {
        let input = Path::new(name).with_file_name("in.psv");
        if name.ends_with("replaces-input.psv") {
            fs::rename(input.with_file_name("other.psv"), input).unwrap();
        } else if name.ends_with("appends-to-input.psv") {
            File::options().append(true).open(input).unwrap().write_all(&[0; PSV]).unwrap();
        }
    });
    for output in ["replaces-input.psv", "appends-to-input.psv"] {
        let place = Place::new();
        let input = place.file("in.psv", scored(100));
        let unchanged = place.file("unchanged.psv", scored(100));
        place.file("other.psv", scored(101));
        let out = place.path(output);
        let job = Job { delete_inputs: true, ..forced_job(&[&input, &unchanged], &out) };
        let summary = run(Job { unique: unique(Sameness::Record), ..job }).unwrap();
        assert_eq!((summary.changed_inputs, summary.kept_inputs), (vec![input.clone()], false));
        assert_eq!(fs::read(&input).unwrap().len(), 101 * PSV);
        assert!(!unchanged.exists() && out.exists());
    }
}

/// All its records would be left out, and then it would be deleted.
#[test]
fn a_reference_is_not_deleted_as_an_input() {
    let place = Place::new();
    let input = place.file("in.psv", scored(100));
    fs::create_dir(place.path("sub")).unwrap();
    let unique =
        Unique { by: Sameness::Record, references: vec![place.path("sub/../in.psv")], ..Default::default() };
    let out = place.path("out.psv");
    let refused = run(Job { delete_inputs: true, unique: Some(unique), ..job(&[&input], &out) });
    assert!(matches!(refused, Err(DatasetError::DeletesReference(path)) if path == input));
    assert_eq!(place.names(), ["in.psv", "sub"]);
}

/// Nobody, not even root, can remove the name of a process's open file in `/proc`. The output is then complete, and
/// later inputs are kept.
#[test]
#[cfg(target_os = "linux")]
fn undeletable_input_is_reported_and_the_output_is_kept() {
    use std::os::fd::AsRawFd;

    use komabako_dataset::large::Shuffle;

    let place = Place::new();
    let [first, last] = ["first.psv", "last.psv"].map(|name| place.file(name, scored(100)));
    let file = File::open(place.file("open.psv", scored(100))).unwrap();
    let open = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    let inputs: [&Path; 3] = [&first, &open, &last];
    for phased in [false, true] {
        let out = place.path("out.psv");
        let of = |delete_inputs, inputs: &[&Path]| {
            let mut job = Job { delete_inputs, ..forced_job(inputs, &out) };
            job.limits.parts = Some(3);
            job.shuffle = Some(Shuffle { seed: 1, phased });
            run(job)
        };
        of(false, &inputs).unwrap();
        let expected = fs::read(&out).unwrap();
        match of(true, &inputs) {
            Err(DatasetError::Delete(..)) => {}
            other => panic!("{other:?}"),
        }
        assert!(fs::read(&out).unwrap() == expected);
        assert_eq!(place.names(), [".out.psv.komabako", "last.psv", "open.psv", "out.psv"]);

        // Even an overwrite is refused now: an input is gone. Resuming deletes the remaining ones.
        assert!(matches!(of(true, &[&last]), Err(DatasetError::Complete(_))));
        let again = Job { resume: true, delete_inputs: true, ..job(&[&last], &out) };
        let again = Job { shuffle: Some(Shuffle { seed: 1, phased }), ..again };
        assert!(again.finish_earlier().unwrap().is_some());
        assert!(fs::read(&out).unwrap() == expected);
        assert_eq!(place.names(), ["open.psv", "out.psv"]);
        for path in [&first, &last] {
            fs::write(path, scored(100)).unwrap();
        }
    }
}

#[test]
fn inputs_with_comments_are_kept() {
    let place = Place::new();
    for (text, is_kept) in [("startpos\n  # mine\n", true), ("\nstartpos\n", false)] {
        let input = place.file("in.sfen", text);
        let out = place.path("out.sfen");
        let job = Job { shuffle: shuffle(1), delete_inputs: true, ..forced_job(&[&input], &out) };
        assert_eq!(run(job).unwrap().kept_inputs, is_kept);
        assert_eq!(place.names(), if is_kept { &["in.sfen", "out.sfen"][..] } else { &["out.sfen"] });
    }
}

#[test]
#[cfg(unix)]
fn inputs_are_not_deleted_after_a_device_or_a_stream() {
    let place = Place::new();
    let input = place.file("in.psv", scored(100));
    let written = |output| {
        let mut job =
            Job { shuffle: shuffle(1), delete_inputs: true, ..Job::new(vec![Input::path(&input)], output) };
        job.to = Some(FileFormat::Psv);
        run(job)
    };
    for output in [Output::path("/dev/null"), Output::Stream("standard output".into(), Box::new(Vec::new()))]
    {
        assert!(matches!(written(output), Err(DatasetError::DeletesWithoutFile(_))));
    }
    assert!(input.exists());
}

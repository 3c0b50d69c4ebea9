//! What needs a process of its own, which is this program with one test: killed loaders resume, and memory stays within the plan.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use komabako_loader::{Order, Plan, Source};

use crate::common::{Files, numbered, small};

const FOLDER: &str = "KOMABAKO_LOADER_TEST";

/// A process that runs an ignored test of this program in a folder.
pub fn process(test: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "--nocapture", test]).env(FOLDER, folder).stdout(Stdio::null());
    command
}

pub fn folder() -> PathBuf {
    PathBuf::from(std::env::var_os(FOLDER).expect("another test runs this one"))
}

/// Writes a file whole or not at all.
fn write(path: &Path, bytes: &[u8]) {
    let part = path.with_extension("part");
    std::fs::write(&part, bytes).unwrap();
    std::fs::rename(part, path).unwrap();
}

fn plan(folder: &Path) -> Plan {
    small(vec![Source::new(folder.join("a.psv")), Source::new(folder.join("b.kmb"))])
}

#[test]
#[ignore = "`killed_loaders_resume` runs it"]
fn saves_every_step() {
    let folder = folder();
    let mut loader = plan(&folder).start().unwrap();
    if let Ok(state) = std::fs::read_to_string(folder.join("state")) {
        loader.resume(&state).unwrap();
    }
    while loader.epoch() < 2 {
        if let Some(batch) = loader.next().unwrap() {
            let name = format!("{}-{}", batch.epoch, batch.step);
            write(&folder.join(name), batch.records.as_flattened());
        }
        write(&folder.join("state"), loader.state().as_bytes());
    }
}

#[test]
fn killed_loaders_resume() {
    let files = Files::new();
    let folder = files.path("run");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("a.psv"), numbered(1_500).as_flattened()).unwrap();
    files.convert("run/b.kmb", &numbered(700));
    let mut kills = 0;
    loop {
        let mut process = process("processes::saves_every_step", &folder).spawn().unwrap();
        // Longer every time, so that it comes to an end.
        std::thread::sleep(Duration::from_millis(3 + 4 * kills));
        if let Some(status) = process.try_wait().unwrap() {
            assert!(status.success());
            break;
        }
        process.kill().unwrap();
        process.wait().unwrap();
        kills += 1;
    }
    assert!(kills > 0);
    let mut loader = plan(&folder).start().unwrap();
    let mut steps = 0;
    while loader.epoch() < 2 {
        let Some(batch) = loader.next().unwrap() else { continue };
        let name = format!("{}-{}", batch.epoch, batch.step);
        assert_eq!(std::fs::read(folder.join(name)).unwrap(), batch.records.as_flattened());
        steps += 1;
    }
    assert_eq!(steps, 92);
}

/// The largest memory of this process so far, and the present one, in bytes.
#[cfg(target_os = "linux")]
fn memory() -> [u64; 2] {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    ["VmHWM:", "VmRSS:"].map(|name| {
        let line = status.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
    })
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "`memory_stays_within_the_plan` runs it"]
fn measures_its_memory() {
    let folder = folder();
    let [_, before] = memory();
    let plan = Plan {
        sources: vec![Source::new(folder.join("a.psv"))],
        memory: 24 << 20,
        block: 1 << 12,
        order: Order::Riffle,
        ..Plan::new()
    };
    let mut loader = plan.start().unwrap();
    let planned = loader.quality(100.0).memory;
    assert!((plan.memory..4 * plan.memory).contains(&planned), "{planned}");
    let mut peaks = Vec::new();
    for _ in 0..6 {
        while loader.next().unwrap().is_some() {}
        peaks.push(memory()[0] - before);
    }
    assert!(peaks[5] as f64 <= 1.15 * planned as f64, "{peaks:?} of {planned}");
    assert!(peaks[5] as f64 <= 1.1 * peaks[1] as f64, "{peaks:?}");
    write(&folder.join("done"), b"");
}

#[cfg(target_os = "linux")]
#[test]
fn memory_stays_within_the_plan() {
    let files = Files::new();
    let folder = files.path("run");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("a.psv"), numbered(1_500_000).as_flattened()).unwrap();
    let status = process("processes::measures_its_memory", &folder).status().unwrap();
    assert!(status.success() && folder.join("done").exists());
}

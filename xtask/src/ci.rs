//! `cargo xtask ci`: all checks that a change must pass, cheapest first.

use std::path::Path;
use std::time::Instant;

use crate::failure::Failure;
use crate::workspace::{self, Metadata, status};
use crate::{bench, c, dag, full_disk, inlining, npm, portable, publish, python, tidy, wasm, web, workflows};

/// A check, and a hint for when it fails.
struct Step {
    name: &'static str,
    check: Check,
    hint: &'static str,
}

enum Check {
    /// A chore of this program.
    Chore(fn(&Path) -> Result<(), Failure>),
    /// The arguments of cargo.
    Cargo(&'static str),
}

const fn chore(name: &'static str, run: fn(&Path) -> Result<(), Failure>, hint: &'static str) -> Step {
    Step { name, check: Check::Chore(run), hint }
}

const fn cargo_step(name: &'static str, arguments: &'static str, hint: &'static str) -> Step {
    Step { name, check: Check::Cargo(arguments), hint }
}

const STEPS: &[Step] = &[
    cargo_step("format", "fmt --all --check", "run `cargo fmt --all`"),
    chore("dag", |root| dag::run(&Metadata::load(root)?), "see the table of layers in ARCHITECTURE.md"),
    chore(
        "tidy",
        |root| tidy::run(root, &Metadata::load(root)?),
        "CONTRIBUTING.md gives the reason of each rule",
    ),
    chore("workflows", workflows::run, "run it by `cargo xtask workflows`"),
    cargo_step(
        "clippy",
        "clippy --locked --workspace --all-targets --all-features -- -D warnings",
        "mend the warning; `#[expect(lint, reason = \"…\")]` where the lint is wrong",
    ),
    cargo_step(
        "no_std",
        "check --locked --no-default-features -p komabako-bits -p komabako-messages -p komabako-board -p komabako-codec \
         -p komabako-rules -p komabako-tsume -p komabako-variants -p komabako-record -p komabako-archive -p komabako-kifu \
         -p komabako-features -p komabako-picture -p komabako-core",
        "use `core` and `alloc`, or put it behind the feature `std`",
    ),
    chore(
        "portable",
        portable::run,
        "what needs files, threads, C or many crates belongs into komabako-dataset",
    ),
    cargo_step(
        "docs",
        "doc --locked --workspace --all-features --no-deps",
        "most often a link to a renamed or private item",
    ),
    // Debug builds of a dependency can behave differently: clap once refused there what release builds accepted.
    cargo_step(
        "release",
        "run --locked --release -p komabako -- info data/sample.psv",
        "the README's first command and the program that users run",
    ),
    cargo_step("test", "test --locked --workspace", "run one crate's tests by `cargo test -p CRATE`"),
    chore("wasm", wasm::run, "run it by `cargo xtask wasm`"),
    chore(
        "web",
        web::test,
        "run it by `cargo xtask web`, then `node --test crates/komabako-web/tests/module/` and, in web, `npm test`",
    ),
    chore(
        "python",
        |root| python::run(root, &python::Options::default()),
        "run it by `cargo xtask python`; its environment is in target/python",
    ),
    // In the target directory of the workspace, whose compiled crates are reused.
    cargo_step(
        "bullet",
        "test --locked --manifest-path bindings/bullet/Cargo.toml --target-dir target",
        "the adapters of bindings/bullet follow the loader",
    ),
    chore(
        "c",
        |root| c::run(root, &c::Options::default()),
        "run it by `cargo xtask c`; its programs are in target/c",
    ),
    chore("npm", npm::check, "run it by `cargo xtask npm`"),
    chore(
        "publish",
        publish::crates,
        "run it by `cargo xtask publish --dry-run`; what a crate needs must be in its own directory",
    ),
    chore(
        "memory and disk",
        bench::check_dataset,
        "run it by `cargo xtask bench-dataset --no-record --records 1000000 --max-memory 96M`",
    ),
    chore(
        "full disk",
        full_disk::run,
        "run it by `cargo xtask full-disk`; it names the job and what was expected",
    ),
    chore(
        "inlining",
        inlining::run,
        "mark what a kernel calls `#[inline(always)]` and write loops where closures are called; `#[cold]` if it is",
    ),
];

/// Runs every step; stops at the first failure.
pub fn run(root: &Path) -> Result<(), Failure> {
    let begun = Instant::now();
    run_steps(STEPS, |check| match check {
        Check::Chore(chore) => chore(root),
        Check::Cargo(arguments) => cargo(root, arguments),
    })?;
    println!("ci: all {} steps passed in {:.1} s", STEPS.len(), begun.elapsed().as_secs_f64());
    Ok(())
}

fn run_steps(steps: &[Step], mut run: impl FnMut(&Check) -> Result<(), Failure>) -> Result<(), Failure> {
    for (number, step) in steps.iter().enumerate() {
        println!("ci: [{}/{}] {}", number + 1, steps.len(), step.name);
        let begun = Instant::now();
        match run(&step.check) {
            Err(Failure::Skipped(line)) => println!("{line}"),
            ended => ended.inspect_err(|_| eprintln!("ci: {} failed: {}", step.name, step.hint))?,
        }
        println!("ci: {} passed in {:.1} s", step.name, begun.elapsed().as_secs_f64());
    }
    Ok(())
}

/// Runs cargo with rustdoc warnings as errors and with all test cases.
fn cargo(root: &Path, arguments: &str) -> Result<(), Failure> {
    let mut cargo = workspace::cargo(root, arguments);
    status(cargo.env("RUSTDOCFLAGS", "-D warnings").env("KOMABAKO_CASES", "all"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_failure_stops_the_run() {
        let steps = [
            chore("good", |_| Ok(()), ""),
            chore("skipped", |_| Err(Failure::Skipped("skipped: no tool".to_owned())), ""),
            chore("bad", |_| Err(Failure::fault("a fault")), ""),
            chore("never", |_| Ok(()), ""),
        ];
        let mut count = 0;
        let failure = run_steps(&steps, |check| {
            count += 1;
            match check {
                Check::Chore(chore) => chore(Path::new(".")),
                Check::Cargo(_) => unreachable!("these steps are chores"),
            }
        });
        assert_eq!(failure.expect_err("the third step fails").to_string(), "a fault");
        assert_eq!(count, 3);
    }

    #[test]
    fn a_failing_cargo_is_a_fault() {
        let root = workspace::root();
        assert!(cargo(&root, "--version").is_ok());
        let failure = cargo(&root, "no-such-verb").expect_err("cargo has no such command");
        assert!(failure.to_string().contains("no-such-verb"), "{failure}");
    }
}

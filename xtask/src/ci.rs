//! `cargo xtask ci`: all checks that a change must pass, cheapest first.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::failure::Failure;
use crate::workspace::{Metadata, status};
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

const STEPS: &[Step] = &[
    Step { name: "format", check: Check::Cargo("fmt --all --check"), hint: "run `cargo fmt --all`" },
    Step {
        name: "dag",
        check: Check::Chore(|root| dag::run(&Metadata::load(root)?)),
        hint: "see the table of layers in ARCHITECTURE.md",
    },
    Step {
        name: "tidy",
        check: Check::Chore(|root| tidy::run(root, &Metadata::load(root)?)),
        hint: "CONTRIBUTING.md gives the reason of each rule",
    },
    Step {
        name: "workflows",
        check: Check::Chore(workflows::run),
        hint: "run it by `cargo xtask workflows`",
    },
    Step {
        name: "clippy",
        check: Check::Cargo("clippy --locked --workspace --all-targets --all-features -- -D warnings"),
        hint: "mend the warning; `#[expect(lint, reason = \"…\")]` where the lint is wrong",
    },
    Step {
        name: "no_std",
        check: Check::Cargo(
            "check --locked --no-default-features -p komabako-bits -p komabako-messages -p komabako-board -p komabako-codec -p komabako-rules -p komabako-tsume -p komabako-variants -p komabako-record -p komabako-archive -p komabako-kifu -p komabako-features -p komabako-picture -p komabako-core",
        ),
        hint: "use `core` and `alloc`, or put it behind the feature `std`",
    },
    Step {
        name: "portable",
        check: Check::Chore(portable::run),
        hint: "what needs files, threads, C or many crates belongs into komabako-dataset",
    },
    Step {
        name: "docs",
        check: Check::Cargo("doc --locked --workspace --all-features --no-deps"),
        hint: "most often a link to a renamed or private item",
    },
    Step {
        name: "release",
        // Debug builds of a dependency can behave differently: clap once refused there what release builds accepted.
        check: Check::Cargo("run --locked --release -p komabako -- info data/sample.psv"),
        hint: "the README's first command and the program that users run",
    },
    Step {
        name: "test",
        check: Check::Cargo("test --locked --workspace"),
        hint: "run one crate's tests by `cargo test -p CRATE`",
    },
    Step { name: "wasm", check: Check::Chore(wasm::run), hint: "run it by `cargo xtask wasm`" },
    Step {
        name: "web",
        check: Check::Chore(web::test),
        hint: "run it by `cargo xtask web`, then `node --test crates/komabako-web/tests/module/` and, in web, `npm test`",
    },
    Step {
        name: "python",
        check: Check::Chore(python::check),
        hint: "run it by `cargo xtask python`; its environment is in target/python",
    },
    Step {
        name: "bullet",
        // In the target directory of the workspace, whose compiled crates are reused.
        check: Check::Cargo("test --locked --manifest-path bindings/bullet/Cargo.toml --target-dir target"),
        hint: "the adapters of bindings/bullet follow the loader",
    },
    Step {
        name: "c",
        check: Check::Chore(c::check),
        hint: "run it by `cargo xtask c`; its programs are in target/c",
    },
    Step { name: "npm", check: Check::Chore(npm::check), hint: "run it by `cargo xtask npm`" },
    Step {
        name: "publish",
        check: Check::Chore(publish::crates),
        hint: "run it by `cargo xtask publish --dry-run`; what a crate needs must be in its own directory",
    },
    Step {
        name: "memory and disk",
        check: Check::Chore(bench::check_dataset),
        hint: "run it by `cargo xtask bench-dataset --no-record --records 1000000 --max-memory 96M`",
    },
    Step {
        name: "full disk",
        check: Check::Chore(full_disk::check),
        hint: "run it by `cargo xtask full-disk`; it names the job and what was expected",
    },
    Step {
        name: "inlining",
        check: Check::Chore(inlining::check_in_one_unit),
        hint: "mark what a kernel calls `#[inline(always)]` and write loops where closures are called; `#[cold]` if it is",
    },
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
        run(&step.check).inspect_err(|_| eprintln!("ci: {} failed: {}", step.name, step.hint))?;
        println!("ci: {} passed in {:.1} s", step.name, begun.elapsed().as_secs_f64());
    }
    Ok(())
}

/// Runs cargo with rustdoc warnings as errors and with all test cases.
fn cargo(root: &Path, arguments: &str) -> Result<(), Failure> {
    let mut cargo = Command::new("cargo");
    cargo
        .current_dir(root)
        .args(arguments.split(' '))
        .env("RUSTDOCFLAGS", "-D warnings")
        .env("KOMABAKO_CASES", "all");
    status(&mut cargo)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(name: &'static str, chore: fn(&Path) -> Result<(), Failure>) -> Step {
        Step { name, check: Check::Chore(chore), hint: "" }
    }

    #[test]
    fn the_first_failure_stops_the_run() {
        let steps = [
            step("good", |_| Ok(())),
            step("bad", |_| Err(Failure::Faults(vec!["a fault".to_owned()]))),
            step("never", |_| Ok(())),
        ];
        let mut count = 0;
        let failure = run_steps(&steps, |check| {
            count += 1;
            match check {
                Check::Chore(chore) => chore(Path::new(".")),
                Check::Cargo(_) => unreachable!("these steps are chores"),
            }
        });
        assert_eq!(failure.expect_err("the second step fails").to_string(), "a fault");
        assert_eq!(count, 2);
    }

    #[test]
    fn a_failing_cargo_is_a_fault() {
        let root = crate::workspace::root();
        assert!(cargo(&root, "--version").is_ok());
        let failure = cargo(&root, "no-such-verb").expect_err("cargo has no such command");
        assert!(failure.to_string().contains("no-such-verb"), "{failure}");
    }
}

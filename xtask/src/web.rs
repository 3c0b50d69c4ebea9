//! `cargo xtask web`: builds the module for browsers and the page that uses it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::failure::Failure;
use crate::portable::{self, WASM as TARGET};
use crate::workspace::{has_program, output, rustc, status};

/// The path where the page looks for the module; not committed.
const MODULE: &str = "web/src/komabako.wasm";

/// The directory where `.ci/wasm-toolchain` installs a toolchain with the target, if rustup's lacks it.
const TOOLCHAIN: &str = "target/wasm-toolchain";
const TOOLCHAIN_VARIABLE: &str = "KOMABAKO_WASM_TOOLCHAIN";

/// The time limit of the installation in seconds: a slow network must not take longer than all other checks.
const INSTALL_SECONDS: &str = "300";

/// The browser of the page's tests, unless `CHROMIUM` names one.
const CHROMIUM: &str = "/usr/bin/chromium";

/// The factor for the time limits of the page's tests: other steps of `ci` may still be busy.
const PATIENCE: (&str, &str) = ("PATIENCE", "5");

/// The size limits of the page, compressed with brotli as web servers do.
const BUDGETS: &[(&str, &[&str], u64)] =
    &[("html, js and css", &["html", "js", "css"], 75_000), ("wasm", &["wasm"], 380_000)];

#[derive(Args)]
pub struct Options {
    /// Serve the page locally after building it
    #[arg(long)]
    serve: bool,
    /// Fail if the page is larger than its budgets
    #[arg(long)]
    check: bool,
    /// Build only the module, which needs no Node and is 1.9 % larger
    #[arg(long, conflicts_with_all = ["serve", "check"])]
    module: bool,
}

/// Builds the module and the page.
pub fn run(root: &Path, options: &Options) -> Result<(), Failure> {
    let toolchain = toolchain(root).map_err(Failure::fault)?;
    println!("web: building {MODULE} (three minutes on two cores at first, else only what changed)");
    if !options.module {
        println!("web: then web/dist from it (seconds; the packages of npm are installed at first)");
    }
    build_module(root, &toolchain)?;
    if options.module {
        return Ok(());
    }
    install_packages(root)?;
    optimize(root)?;
    npm(root, &["run", "build"])?;
    let sizes = sizes(root)?;
    let faults = report(&sizes);
    if options.check {
        Failure::unless_empty(faults)?;
    }
    if options.serve {
        npm(root, &["exec", "--", "vite", "preview", "--host", "127.0.0.1"])?;
    }
    Ok(())
}

/// The step of `ci`: the tests of the module and of the page. If the target is missing, `.ci/wasm-toolchain` installs it.
/// Missing tools are not a fault: their tests are skipped.
pub fn test(root: &Path) -> Result<(), Failure> {
    let toolchain = has_program("node")
        .and_then(|()| toolchain(root).or_else(|_| install_toolchain(root)))
        .map_err(Failure::skip("web: skipped: the module and the page"))?;
    build_module(root, &toolchain)?;
    let installed = install_packages(root);
    if installed.is_ok() {
        optimize(root)?;
    }
    status(Command::new("node").current_dir(root).args(["--test", "crates/komabako-web/tests/module/"]))?;
    installed
        .map_err(|failure| format!("its packages cannot be installed: {failure}"))
        .map_err(Failure::skip("web: skipped: the page"))?;
    npm(root, &["run", "lint"])?;
    npm(root, &["run", "build"])?;
    let browser = env::var_os("CHROMIUM").map_or_else(|| PathBuf::from(CHROMIUM), PathBuf::from);
    let mut tests = Command::new("npm");
    tests.current_dir(root.join("web")).env("CHROMIUM", &browser).env(PATIENCE.0, PATIENCE.1);
    status(tests.args(["run", if browser.exists() { "test" } else { "test:logic" }]))?;
    if browser.exists() {
        return Ok(());
    }
    let missing =
        format!("{} not found; `apt-get install chromium`, or name one in CHROMIUM", browser.display());
    Err(Failure::Skipped(format!("web: skipped: the page in a browser: {missing}")))
}

/// The way to call cargo so that it builds for the browser.
#[derive(Debug, PartialEq, Eq)]
pub enum Toolchain {
    /// Unchanged, since rustup has the target.
    Rustup,
    /// With the environment exported by this file.
    Environment(PathBuf),
}

impl Toolchain {
    /// Cargo with that environment.
    pub fn cargo(&self) -> Command {
        match self {
            Self::Rustup => Command::new("cargo"),
            Self::Environment(file) => {
                // The file needs a shell: it also extends existing variables.
                let mut shell = Command::new("bash");
                shell.args(["-c", ". \"$0\" && exec cargo \"$@\""]).arg(file);
                shell
            }
        }
    }
}

/// The toolchain that has the target. The error says how to get one.
pub fn toolchain(root: &Path) -> Result<Toolchain, String> {
    let missing = match portable::has_target(rustc(), TARGET) {
        Ok(()) => return Ok(Toolchain::Rustup),
        Err(missing) => missing,
    };
    let prefix = env::var_os(TOOLCHAIN_VARIABLE).map_or_else(|| root.join(TOOLCHAIN), PathBuf::from);
    let environment = prefix.join("env");
    if environment.is_file() {
        Ok(Toolchain::Environment(environment))
    } else {
        Err(format!("{missing}; or, on Debian, run .ci/wasm-toolchain, which takes two minutes"))
    }
}

/// Installs a toolchain with the target, from Debian's packages.
fn install_toolchain(root: &Path) -> Result<Toolchain, String> {
    println!("web: installing a toolchain for {TARGET}, about two minutes");
    let mut script = Command::new("timeout");
    script.current_dir(root).args(["--kill-after=5", INSTALL_SECONDS, ".ci/wasm-toolchain"]);
    match script.status() {
        Ok(status) if status.success() => toolchain(root),
        Ok(status) => Err(format!("no toolchain for {TARGET}: `.ci/wasm-toolchain` ended with {status}")),
        Err(error) => Err(format!("no toolchain for {TARGET}: `timeout` cannot be run: {error}")),
    }
}

/// Builds the module and puts it where the page looks for it.
fn build_module(root: &Path, toolchain: &Toolchain) -> Result<(), Failure> {
    let mut cargo = toolchain.cargo();
    let directory = root.join("target/web");
    cargo.current_dir(root).args(["rustc", "--locked", "--profile", "wasm", "-p", "komabako-web", "--lib"]);
    // Cargo disables link-time optimisation for a library that is also built as an rlib.
    cargo.args(["--crate-type", "cdylib", "--target", TARGET, "--target-dir"]).arg(&directory);
    // Encodes addresses in as many bytes as they need instead of five, which saves a tenth of the module.
    cargo.args(["--", "-C", "link-arg=--compress-relocations"]);
    // Functions marked `#[inline]` are inlined up to less than the size of others: 1.3 kB less, and a mate takes the same time.
    cargo.args(["-C", "llvm-args=-inlinehint-threshold=200"]);
    // Every browser since 2023 has simd128, and unpacking is 1.5 times as fast with it.
    // As a forced backend it is the only one, so no kernel is compiled twice.
    cargo.env("RUSTFLAGS", "-C target-feature=+simd128 --cfg komabako_backend=\"simd128\"");
    status(&mut cargo)?;
    let built = directory.join(TARGET).join("wasm/komabako_web.wasm");
    let module = root.join(MODULE);
    fs::copy(&built, &module).map_err(Failure::io(&built))?;
    let size = fs::metadata(&module).map_err(Failure::io(&module))?.len();
    println!("web: {MODULE}: {size} bytes");
    Ok(())
}

/// Packs the npm package into `web/build`, with the module.
pub fn package(root: &Path) -> Result<(), Failure> {
    let toolchain = has_program("node")
        .and_then(|()| toolchain(root))
        .map_err(Failure::skip("web: skipped: the npm package"))?;
    build_module(root, &toolchain)?;
    install_packages(root)?;
    optimize(root)?;
    npm(root, &["run", "package"])
}

/// Passes over the finished module what the linker cannot: compressed, 1.9 % less, of which a fifth by removing first
/// the sets of locals that change nothing (`rse`). Leaving out the zeros of its tables
/// (`memory-packing`) would make it a third smaller in memory, and 4 % larger compressed.
fn optimize(root: &Path) -> Result<(), Failure> {
    npm(root, &["run", "optimize"])
}

/// Installs the packages in the lockfile unless they are installed.
fn install_packages(root: &Path) -> Result<(), Failure> {
    let web = root.join("web");
    let modified = |path: PathBuf| fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    let installed = modified(web.join("node_modules/.package-lock.json"));
    if installed.is_none() || installed < modified(web.join("package-lock.json")) {
        npm(root, &["ci", "--no-audit", "--no-fund"])?;
    }
    Ok(())
}

fn npm(root: &Path, arguments: &[&str]) -> Result<(), Failure> {
    let mut npm = Command::new("npm");
    npm.current_dir(root.join("web")).args(arguments);
    status(&mut npm)
}

/// A file of the built page: its name and its compressed size in bytes.
type Size = (String, u64);

/// The files of the built page.
fn sizes(root: &Path) -> Result<Vec<Size>, Failure> {
    let mut node = Command::new("node");
    node.arg(root.join("xtask/web_sizes.mjs")).arg(root.join("web/dist"));
    let line = |line: &str| {
        let (size, name) = line.split_once('\t')?;
        Some((name.to_owned(), size.parse().ok()?))
    };
    Ok(output(&mut node)?.lines().filter_map(line).collect())
}

/// Prints the size of the page by kind of file. Returns a fault for each budget that it exceeds.
fn report(sizes: &[Size]) -> Vec<String> {
    let mut faults = Vec::new();
    for &(what, extensions, most) in BUDGETS {
        let is_one = |name: &str| extensions.contains(&name.rsplit('.').next().unwrap_or_default());
        let total: u64 = sizes.iter().filter(|(name, _)| is_one(name)).map(|(_, size)| size).sum();
        println!("web: {what}: {total} bytes of {most} allowed, compressed");
        if total == 0 || total > most {
            faults.push(format!("web: {what}: {total} bytes compressed, from 1 to {most} allowed"));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_over_its_budget_fails() {
        let page =
            |js, wasm| report(&[("assets/index.js".into(), js), ("assets/komabako.wasm".into(), wasm)]);
        assert_eq!(page(75_000, 380_000), [""; 0]);
        assert!(page(75_001, 1)[0].contains("html, js and css: 75001"));
        assert!(page(1, 380_001)[0].contains("wasm: 380001"));
        assert_eq!(page(0, 0).len(), 2);
    }

    #[test]
    fn a_missing_toolchain_is_named_with_two_ways_to_it() {
        let nowhere = Path::new("no-such-directory");
        match toolchain(nowhere) {
            Ok(found) => assert_eq!(found, Toolchain::Rustup),
            Err(missing) => {
                assert!(missing.contains("rustup target add") && missing.contains(".ci/wasm-toolchain"));
            }
        }
    }
}

//! `cargo xtask c`: builds the libraries for C and C++, tests them with programs in both languages, and installs them.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;
use crate::workspace::{output, status};

#[derive(clap::Args)]
pub struct Options {
    /// Only build the libraries and install them, the header and the file for pkg-config below this directory
    #[arg(long, value_name = "DIRECTORY")]
    install: Option<PathBuf>,
}

/// What a program needs besides the static library.
const PRIVATE: &str = if cfg!(target_os = "macos") { "-lSystem -liconv" } else { "-lpthread -ldl -lm" };

/// Warnings are errors: the header is compiled by others with theirs.
const WARNINGS: &[&str] = &["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-g"];

/// Where the step installs and builds, below `target`.
const DIRECTORY: &str = "target/c";

/// The step of `ci`.
pub fn check(root: &Path) -> Result<(), Failure> {
    run(root, &Options { install: None })
}

pub fn run(root: &Path, options: &Options) -> Result<(), Failure> {
    if let Some(prefix) = &options.install {
        status(&mut cargo(root, "build --locked --release"))?;
        return install(root, prefix);
    }
    for arguments in
        ["fmt --check", "clippy --locked --quiet --all-targets -- -D warnings", "test --locked --quiet"]
    {
        status(&mut cargo(root, arguments))?;
    }
    status(&mut cargo(root, "build --locked --release"))?;
    let prefix = root.join(DIRECTORY);
    install(root, &prefix)?;
    let Some(compilers) = Compilers::find() else { return Ok(()) };
    check_symbols(root, &prefix)?;
    test_header(root, &prefix, &compilers)?;
    test_examples(root, &prefix, &compilers)
}

/// Cargo in the workspace of the libraries, with the target directory of the main one.
fn cargo(root: &Path, arguments: &str) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(root.join("bindings/c")).args(arguments.split(' '));
    if env::var_os("CARGO_TARGET_DIR").is_none() {
        cargo.env("CARGO_TARGET_DIR", root.join("target"));
    }
    cargo
}

/// The names of the static and the shared library.
fn libraries() -> [&'static str; 2] {
    let shared = if cfg!(windows) {
        "komabako_c.dll"
    } else if cfg!(target_os = "macos") {
        "libkomabako_c.dylib"
    } else {
        "libkomabako_c.so"
    };
    [if cfg!(target_env = "msvc") { "komabako_c.lib" } else { "libkomabako_c.a" }, shared]
}

/// Installs the libraries, the header and the file for pkg-config.
fn install(root: &Path, prefix: &Path) -> Result<(), Failure> {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let bindings = root.join("bindings/c");
    for directory in ["include", "lib/pkgconfig"] {
        let directory = prefix.join(directory);
        fs::create_dir_all(&directory).map_err(Failure::io(&directory))?;
    }
    copy(&bindings.join("include/komabako.h"), &prefix.join("include/komabako.h"))?;
    for library in libraries() {
        copy(&target.join("release").join(library), &prefix.join("lib").join(library))?;
    }
    let path = bindings.join("komabako.pc.in");
    let text = fs::read_to_string(&path).map_err(Failure::io(&path))?;
    let absolute = fs::canonicalize(prefix).map_err(Failure::io(prefix))?;
    let text = text
        .replace("@prefix@", &absolute.display().to_string())
        .replace("@version@", env!("CARGO_PKG_VERSION"))
        .replace("@private@", PRIVATE);
    let path = prefix.join("lib/pkgconfig/komabako.pc");
    fs::write(&path, text).map_err(Failure::io(&path))
}

fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    // Replacing a library in place would change it under a running program.
    _ = fs::remove_file(to);
    fs::copy(from, to).map(|_| ()).map_err(Failure::io(from))
}

/// The compilers of C and C++.
struct Compilers {
    c: String,
    cpp: String,
}

impl Compilers {
    /// The compilers of the environment or the system; without them prints that their tests are skipped.
    fn find() -> Option<Compilers> {
        let c = env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let cpp = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
        if cfg!(windows) {
            println!("c: programs skipped: their commands are those of Unix compilers");
            return None;
        }
        for compiler in [&c, &cpp] {
            if !runs(compiler) {
                println!("c: programs skipped: no compiler {compiler} (set CC and CXX)");
                return None;
            }
        }
        Some(Compilers { c, cpp })
    }
}

/// Whether a program is installed.
fn runs(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The shared library exports what the header declares, and nothing else.
fn check_symbols(root: &Path, prefix: &Path) -> Result<(), Failure> {
    if !cfg!(target_os = "linux") || !runs("nm") {
        println!("c: symbols not compared: no GNU nm");
        return Ok(());
    }
    let path = root.join("bindings/c/include/komabako.h");
    let header = fs::read_to_string(&path).map_err(Failure::io(&path))?;
    let declared = declared(&header);
    let library = prefix.join("lib").join(libraries()[1]);
    let exported = exported(&library)?;
    let missing = declared.difference(&exported).map(|name| format!("{name} is declared but not exported"));
    let extra = exported.difference(&declared).map(|name| format!("{name} is exported but not declared"));
    Failure::unless_empty(missing.chain(extra).collect())
}

/// The functions that a header declares.
fn declared(header: &str) -> BTreeSet<String> {
    let code = header.split("/*").map(|part| part.split_once("*/").map_or(part, |(_, code)| code));
    let words = code.flat_map(|code| code.match_indices('(').map(move |(at, _)| &code[..at]));
    let names = words.filter_map(|before| before.rsplit(|c: char| c != '_' && !c.is_alphanumeric()).next());
    names.filter(|name| name.starts_with("komabako_")).map(str::to_owned).collect()
}

/// The symbols that a shared library defines.
fn exported(library: &Path) -> Result<BTreeSet<String>, Failure> {
    let mut nm = Command::new("nm");
    let listed = output(nm.args(["-D", "--defined-only", "--format=just-symbols"]).arg(library))?;
    Ok(listed.lines().map(str::to_owned).collect())
}

/// Runs `tests/abi.c` as C11 with the static library, and as C++17 with the shared one; also under valgrind.
fn test_header(root: &Path, prefix: &Path, compilers: &Compilers) -> Result<(), Failure> {
    let source = root.join("bindings/c/tests/abi.c");
    let [archive, _] = libraries();
    let c = prefix.join("abi_c");
    let mut compile = Command::new(&compilers.c);
    compile.args(["-std=c11", "-pthread"]).args(WARNINGS).arg("-I").arg(prefix.join("include"));
    compile.arg(&source).arg("-o").arg(&c).arg(prefix.join("lib").join(archive));
    status(compile.args(PRIVATE.split(' ')))?;
    let cpp = prefix.join("abi_cpp");
    let mut compile = Command::new(&compilers.cpp);
    compile.args(["-std=c++17", "-pthread"]).args(WARNINGS).arg("-I").arg(prefix.join("include"));
    compile.args(["-x", "c++"]).arg(&source).arg("-o").arg(&cpp);
    status(compile.args(shared(prefix)))?;
    let data = root.join("data");
    status(Command::new(&c).arg(&data))?;
    status(Command::new(&cpp).arg(&data))?;
    if !runs("valgrind") {
        println!("c: memory not checked: no valgrind");
        return Ok(());
    }
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--quiet", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite"]);
    status(valgrind.arg(&c).arg(&data).arg("20"))
}

/// The arguments that link the shared library where it was installed.
fn shared(prefix: &Path) -> Vec<String> {
    let libraries = prefix.join("lib");
    let path = libraries.display();
    vec![format!("-L{path}"), "-lkomabako_c".to_owned(), format!("-Wl,-rpath,{path}")]
}

/// Builds the examples with their CMake project, or with the compilers where CMake or pkg-config is absent, and runs them.
fn test_examples(root: &Path, prefix: &Path, compilers: &Compilers) -> Result<(), Failure> {
    let examples = root.join("bindings/c/examples");
    let build = prefix.join("examples");
    if runs("cmake") && runs("pkg-config") {
        let mut configure = Command::new("cmake");
        configure.arg("-S").arg(&examples).arg("-B").arg(&build);
        configure.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
        configure.env("CC", &compilers.c).env("CXX", &compilers.cpp);
        status(&mut configure)?;
        status(Command::new("cmake").arg("--build").arg(&build))?;
    } else {
        println!("c: the examples are built without CMake: cmake or pkg-config not found");
        fs::create_dir_all(&build).map_err(Failure::io(&build))?;
        for (compiler, standard, source) in
            [(&compilers.c, "-std=c11", "convert.c"), (&compilers.cpp, "-std=c++17", "inputs.cpp")]
        {
            let mut compile = Command::new(compiler);
            compile.arg(standard).args(WARNINGS).arg("-I").arg(prefix.join("include"));
            compile.arg(examples.join(source)).arg("-o");
            compile.arg(build.join(Path::new(source).file_stem().unwrap_or_default()));
            status(compile.args(shared(prefix)))?;
        }
    }
    let sample = root.join("data/sample.psv");
    let converted = build.join("sample.hcpe");
    status(Command::new(build.join("convert")).arg(&sample).arg(&converted))?;
    status(Command::new(build.join("inputs")).arg(&sample))?;
    let read = |path: &Path| fs::read(path).map_err(Failure::io(path));
    let is_same = read(&converted)? == read(&root.join("data/sample.hcpe"))?;
    let fault = format!("{} is not data/sample.hcpe", converted.display());
    Failure::unless_empty(if is_same { Vec::new() } else { vec![fault] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_found_outside_comments() {
        let header =
            "/* komabako_no(1) */ int32_t komabako_a(int32_t (*f)(void));\nsize_t *komabako_b (void);";
        assert_eq!(declared(header), BTreeSet::from(["komabako_a".to_owned()]));
    }

    #[test]
    fn a_missing_program_does_not_run() {
        assert!(!runs("komabako-has-no-such-compiler"));
    }
}

//! `cargo xtask c`: builds the libraries for C and C++, tests them with programs in both languages, and installs them.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;
use crate::workspace::{has_program, output, status};

#[derive(clap::Args, Default)]
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
    test_examples(root, &prefix, &compilers)?;
    test_nnue(root, &prefix, &compilers)
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

/// The file name of a shared library.
fn shared(name: &str) -> String {
    format!("{}{name}{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX)
}

/// The file name of the static library.
const ARCHIVE: &str = if cfg!(target_env = "msvc") { "komabako_c.lib" } else { "libkomabako_c.a" };

/// The shared libraries, each with the names of its functions if no header declares them.
const SHARED: &[(&str, &[&[&str]])] =
    &[("komabako_c", &[]), (COO, &[STREAM, &["get_sparse_batch_from_fens"]]), (PADDED, &[STREAM])];

/// The functions on streams of batches.
const STREAM: &[&str] = &[
    "create_sparse_batch_stream",
    "destroy_sparse_batch",
    "destroy_sparse_batch_stream",
    "fetch_next_sparse_batch",
];

/// The libraries for nnue-pytorch. Its Python loads any library with such a name from its folder, so each has a folder of its own.
const COO: &str = "komabako_coo_training_data_loader";
const PADDED: &str = "komabako_padded_training_data_loader";

/// Where a shared library is installed, below the prefix.
fn folder(library: &str) -> &'static str {
    match library {
        COO => "lib/nnue-pytorch-coo",
        PADDED => "lib/nnue-pytorch-padded",
        _ => "lib",
    }
}

/// Installs the libraries, the header and the file for pkg-config.
fn install(root: &Path, prefix: &Path) -> Result<(), Failure> {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let bindings = root.join("bindings/c");
    for directory in ["include", "lib/pkgconfig", folder(COO), folder(PADDED)] {
        let directory = prefix.join(directory);
        fs::create_dir_all(&directory).map_err(Failure::io(&directory))?;
    }
    copy(&bindings.join("include/komabako.h"), &prefix.join("include/komabako.h"))?;
    copy(&target.join("release").join(ARCHIVE), &prefix.join("lib").join(ARCHIVE))?;
    for (library, _) in SHARED {
        let name = shared(library);
        copy(&target.join("release").join(&name), &prefix.join(folder(library)).join(&name))?;
    }
    #[cfg(target_os = "linux")]
    link_version(&prefix.join("lib"))?;
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

/// Gives the library the name that programs look for, as `komabako/build.rs` sets it, and links that which compilers look for to it.
#[cfg(target_os = "linux")]
fn link_version(directory: &Path) -> Result<(), Failure> {
    let name = shared("komabako_c");
    let path = directory.join(&name);
    let versioned = format!("{name}.1");
    fs::rename(&path, directory.join(&versioned)).map_err(Failure::io(&path))?;
    std::os::unix::fs::symlink(versioned, &path).map_err(Failure::io(&path))
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
            if has_program(compiler).is_err() {
                println!("c: programs skipped: no compiler {compiler} (set CC and CXX)");
                return None;
            }
        }
        Some(Compilers { c, cpp })
    }
}

/// The shared libraries export what the header declares, or nnue-pytorch's Python, and nothing else.
fn check_symbols(root: &Path, prefix: &Path) -> Result<(), Failure> {
    if !cfg!(target_os = "linux") || has_program("nm").is_err() {
        println!("c: symbols not compared: no GNU nm");
        return Ok(());
    }
    let path = root.join("bindings/c/include/komabako.h");
    let header = fs::read_to_string(&path).map_err(Failure::io(&path))?;
    let mut faults = Vec::new();
    for (library, functions) in SHARED {
        let declared = match functions {
            [] => declared(&header),
            functions => functions.concat().into_iter().map(str::to_owned).collect(),
        };
        let exported = exported(&prefix.join(folder(library)).join(shared(library)))?;
        let missing = declared.difference(&exported);
        faults.extend(missing.map(|name| format!("{library}: {name} is declared but not exported")));
        let extra = exported.difference(&declared);
        faults.extend(extra.map(|name| format!("{library}: {name} is exported but not declared")));
    }
    Failure::unless_empty(faults)
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
    let c = prefix.join("abi_c");
    let in_c = || {
        let mut compile = compile(&compilers.c, C11, prefix, &source);
        compile.arg(prefix.join("lib").join(ARCHIVE)).args(PRIVATE.split(' '));
        compile
    };
    status(in_c().arg("-o").arg(&c))?;
    let cpp = prefix.join("abi_cpp");
    let mut in_cpp = compile(&compilers.cpp, CPP17, prefix, &source);
    status(in_cpp.arg("-o").arg(&cpp).args(link("komabako_c", prefix)))?;
    let data = root.join("data");
    status(Command::new(&c).arg(&data))?;
    status(Command::new(&cpp).arg(&data))?;
    check_memory(root, &c, &data, "20")?;
    run_sanitized(&mut in_c(), &prefix.join("abi_sanitized"), &data)
}

/// The languages of the tests, as options of a compiler.
const C11: &[&str] = &["-std=c11", "-x", "c"];
const CPP17: &[&str] = &["-std=c++17", "-x", "c++"];

/// A compiler with a source that uses the installed header. `-x none` ends the choice of a language: libraries may follow.
fn compile(compiler: &str, language: &[&str], prefix: &Path, source: &Path) -> Command {
    let mut compile = Command::new(compiler);
    compile.args(language).arg("-pthread").args(WARNINGS).arg("-I").arg(prefix.join("include"));
    compile.arg(source).args(["-x", "none"]);
    compile
}

/// Compiles a program with the sanitizers of addresses and undefined behaviour, and runs it. They see the program's own accesses, and
/// what the library allocates and frees. A compiler without them is named.
fn run_sanitized(compile: &mut Command, program: &Path, data: &Path) -> Result<(), Failure> {
    let empty = program.with_extension("c");
    fs::write(&empty, "int main(void) { return 0; }").map_err(Failure::io(&empty))?;
    let mut trial = Command::new(compile.get_program());
    trial.arg(SANITIZERS).arg(&empty).arg("-o").arg(program);
    if !trial.output().is_ok_and(|output| output.status.success()) {
        println!("c: addresses not checked: {:?} has no sanitizers", compile.get_program());
        return Ok(());
    }
    status(
        compile.args([SANITIZERS, "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-o"]).arg(program),
    )?;
    status(Command::new(program).arg(data).arg("20"))
}

const SANITIZERS: &str = "-fsanitize=address,undefined";

/// Memory errors, undefined values and leaks make the program fail.
const VALGRIND: &[&str] = &[
    "--quiet",
    "--error-exitcode=9",
    "--leak-check=full",
    "--show-leak-kinds=definite",
    "--errors-for-leak-kinds=definite",
];

/// Runs a program under valgrind, or says that it cannot.
fn check_memory(root: &Path, program: &Path, data: &Path, rounds: &str) -> Result<(), Failure> {
    if has_program("valgrind").is_err() {
        println!("c: memory not checked: no valgrind");
        return Ok(());
    }
    let suppressions = root.join("bindings/c/tests/valgrind.supp");
    let mut valgrind = Command::new("valgrind");
    valgrind.args(VALGRIND).arg(format!("--suppressions={}", suppressions.display()));
    status(valgrind.arg(program).arg(data).arg(rounds))
}

/// The arguments that link a shared library where it was installed.
fn link(library: &str, prefix: &Path) -> Vec<String> {
    let directory = prefix.join(folder(library));
    let path = directory.display();
    vec![format!("-L{path}"), format!("-l{library}"), format!("-Wl,-rpath,{path}")]
}

/// The number of streams that are opened and destroyed: without a checker of memory, and with it.
const STREAMS: [&str; 2] = ["10000", "60"];

/// Tests the libraries for nnue-pytorch: streams in both languages, and the structures and known answers from Python.
fn test_nnue(root: &Path, prefix: &Path, compilers: &Compilers) -> Result<(), Failure> {
    let tests = root.join("bindings/c/tests");
    let sample = root.join("data/sample.psv");
    for (compiler, language, name) in [(&compilers.c, C11, "nnue_c"), (&compilers.cpp, CPP17, "nnue_cpp")] {
        let program = prefix.join(name);
        let linked = || {
            let mut compile = compile(compiler, language, prefix, &tests.join("nnue.c"));
            compile.args(link(COO, prefix));
            compile
        };
        status(linked().arg("-o").arg(&program))?;
        let [streams, checked] = STREAMS;
        status(Command::new(&program).arg(&sample).arg(streams))?;
        check_memory(root, &program, &sample, checked)?;
        run_sanitized(&mut linked(), &prefix.join(format!("{name}_sanitized")), &sample)?;
    }
    if has_program("python3").is_err() {
        println!("c: nnue-pytorch's structures not tested: no python3");
        return Ok(());
    }
    let mut python = Command::new("python3");
    python.arg(tests.join("nnue.py"));
    for library in [COO, PADDED] {
        python.arg(prefix.join(folder(library)).join(shared(library)));
    }
    status(python.arg(root.join("data")))
}

/// Builds the examples with their `CMake` project, or with the compilers where `CMake` or pkg-config is absent, and runs them.
fn test_examples(root: &Path, prefix: &Path, compilers: &Compilers) -> Result<(), Failure> {
    let examples = root.join("bindings/c/examples");
    let build = prefix.join("examples");
    if has_program("cmake").is_ok() && has_program("pkg-config").is_ok() {
        let mut configure = Command::new("cmake");
        configure.arg("-S").arg(&examples).arg("-B").arg(&build);
        configure.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
        configure.env("CC", &compilers.c).env("CXX", &compilers.cpp);
        status(&mut configure)?;
        status(Command::new("cmake").arg("--build").arg(&build))?;
    } else {
        println!("c: the examples are built without CMake: cmake or pkg-config not found");
        fs::create_dir_all(&build).map_err(Failure::io(&build))?;
        for (compiler, language, source) in
            [(&compilers.c, C11, "convert.c"), (&compilers.cpp, CPP17, "inputs.cpp")]
        {
            let mut compile = compile(compiler, language, prefix, &examples.join(source));
            compile.arg("-o").arg(build.join(Path::new(source).file_stem().unwrap_or_default()));
            status(compile.args(link("komabako_c", prefix)))?;
        }
    }
    let sample = root.join("data/sample.psv");
    let converted = build.join("sample.hcpe");
    // The example replaces no file.
    let _ = fs::remove_file(&converted);
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
}

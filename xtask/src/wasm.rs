//! `cargo xtask wasm`: runs komabako-tsume in steps, in a module for browsers, under Node.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::failure::Failure;
use crate::portable::{self, WASM as TARGET};
use crate::workspace::{cargo, has_program, rustc, status};

/// The example, which solves the known answers in steps of a thousand nodes and stops a long problem between two steps.
const EXAMPLE: &str = "by_steps";

/// Builds the example and runs it. It is skipped if the target or Node is missing.
pub fn run(root: &Path) -> Result<(), Failure> {
    portable::has_target(rustc(), TARGET)
        .and_then(|()| has_program("node"))
        .map_err(Failure::skip("wasm: skipped"))?;
    // Built as an example of its crate, it would need the crate's dev-dependencies, some of which do not build for browsers.
    let place = root.join("target/wasm");
    fs::create_dir_all(&place).map_err(Failure::io(&place))?;
    let manifest = place.join("Cargo.toml");
    fs::write(&manifest, manifest_text(root)).map_err(Failure::io(&manifest))?;
    let lock = root.join("Cargo.lock");
    fs::copy(&lock, place.join("Cargo.lock")).map_err(Failure::io(&lock))?;
    status(&mut cargo(&place, &format!("build --release --target {TARGET} --target-dir target")))?;
    let mut node = Command::new("node");
    node.arg(root.join("xtask/wasm_main.mjs"));
    node.arg(place.join("target").join(TARGET).join("release").join(EXAMPLE).with_extension("wasm"));
    status(&mut node)?;
    println!("wasm: komabako-tsume solves by steps and stops between them, under Node");
    Ok(())
}

/// The manifest of a package that contains only the example.
fn manifest_text(root: &Path) -> String {
    let crates = root.join("crates");
    let dependency =
        |name: &str| format!("{name} = {{ path = {:?}, default-features = false }}\n", crates.join(name));
    let source = crates.join("komabako-tsume/examples").join(EXAMPLE).with_extension("rs");
    format!(
        "[package]\nname = \"{EXAMPLE}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
        [[bin]]\nname = \"{EXAMPLE}\"\npath = {source:?}\n\n\
        [dependencies]\n{}{}\n[workspace]\n",
        dependency("komabako-board"),
        dependency("komabako-tsume")
    )
}

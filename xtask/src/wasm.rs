//! `cargo xtask wasm`: komabako-tsume solves in a module for browsers, by steps, under Node.

use std::env;
use std::path::Path;
use std::process::Command;

use crate::failure::Failure;
use crate::portable;

const TARGET: &str = "wasm32-unknown-unknown";

/// Solves the known answers by steps of a thousand nodes, and stops a long problem between two steps.
const EXAMPLE: &str = "by_steps";

/// Builds the example and runs it. Without the target or without Node, says that it is skipped and why.
pub fn run(root: &Path) -> Result<(), Failure> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let node = || match Command::new("node").arg("--version").output() {
        Ok(output) if output.status.success() => Ok(()),
        _ => Err("there is no node here".to_owned()),
    };
    if let Err(missing) = portable::has_target(Command::new(rustc), TARGET).and_then(|()| node()) {
        println!("wasm: skipped: {missing}");
        return Ok(());
    }
    let mut cargo = Command::new("cargo");
    cargo.current_dir(root).args(["build", "--locked", "--release", "--target", TARGET]);
    cargo.args(["-p", "komabako-tsume", "--no-default-features", "--example", EXAMPLE]);
    status(cargo)?;
    let mut node = Command::new("node");
    node.arg(root.join("xtask/wasm_main.mjs"));
    node.arg(root.join("target").join(TARGET).join("release/examples").join(EXAMPLE).with_extension("wasm"));
    status(node)?;
    println!("wasm: komabako-tsume solves by steps and stops between them, under Node");
    Ok(())
}

fn status(mut command: Command) -> Result<(), Failure> {
    let status = command.status().map_err(|error| Failure::program(&command, &error.to_string()))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::Faults(vec![format!("`{command:?}` ended with {status}")]))
}

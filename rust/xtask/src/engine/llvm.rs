//! Finds LLVM's coverage tools, `llvm-profdata` and `llvm-cov`, in the toolchain or in Debian's packages.
//!
//! They must be of the version that rustc was made with.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::{cached_or_new, debian};
use crate::child::{self, Show};
use crate::cross::tools::works;
use crate::workspace::{Workspace, rustc};

const TOOLS: [&str; 2] = ["llvm-cov", "llvm-profdata"];

/// Returns the folder of the tools, which are installed first if there are none.
pub(crate) fn find(workspace: &Workspace) -> Result<PathBuf> {
    let check = |folder: &Path| {
        ensure!(TOOLS.iter().all(|tool| works(&folder.join(tool))), "no LLVM tools in {}", folder.display());
        Ok(())
    };
    // Rustup's component `llvm-tools` puts them beside the target's libraries.
    let libraries = child::run(rustc().args(["--print", "target-libdir"]), Show::Later, None)?;
    let bundled = libraries.lines.last().map(|path| Path::new(path).with_file_name("bin"));
    if let Some(folder) = bundled.filter(|folder| check(folder).is_ok()) {
        return Ok(folder);
    }
    let installed = cached_or_new(&workspace.target(), "llvm", check, |part| {
        debian::unpack(&debian::LLVM, part)?;
        TOOLS.iter().try_for_each(|tool| debian::write_program(part, "usr/lib/llvm-22/bin", tool))
    });
    Ok(installed.context("no LLVM tools: `rustup component add llvm-tools`, or Debian's packages")?.folder)
}

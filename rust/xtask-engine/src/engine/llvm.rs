//! Finds LLVM's coverage tools, `llvm-profdata` and `llvm-cov`, in the toolchain or in Debian's packages.
//!
//! They must be of the version that rustc was made with.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::{debian, launcher_in};
use crate::child::{self, Show};
use crate::workspace::{Workspace, rustc};

/// Holds the place of the tools: a folder where they have their own names, or a launcher, which the variable `LLVM_TOOL` tells
/// the tool to start.
#[derive(Debug)]
pub struct Llvm(PathBuf);

impl Llvm {
    /// Returns the tools to use, which are installed first if there are none.
    pub fn find(workspace: &Workspace) -> Result<Self> {
        // Rustup's component `llvm-tools` puts them here.
        let libraries = child::run(rustc().args(["--print", "target-libdir"]), Show::Later, None)?;
        let bundled = libraries.lines.last().map(|path| Path::new(path).with_file_name("bin"));
        let is_there =
            |folder: &PathBuf| ["llvm-cov", "llvm-profdata"].iter().all(|tool| folder.join(tool).is_file());
        if let Some(folder) = bundled.filter(is_there) {
            return Ok(Self(folder));
        }
        let installed = debian::cached(workspace, "llvm", &debian::LLVM, |folder| {
            let llvm = Self(launcher_in(folder));
            let outcome = child::run(llvm.tool("llvm-cov").arg("--version"), Show::Later, None)?;
            ensure!(outcome.success(), "llvm-cov does not start: {}", outcome.text());
            Ok(llvm)
        });
        installed
            .context("no LLVM tools: `rustup component add llvm-tools`, or Debian's packages")
            .map(|installed| Self(launcher_in(&installed.folder)))
    }

    /// Returns the command that starts the tool of this name.
    pub fn tool(&self, name: &str) -> Command {
        let is_folder = self.0.is_dir();
        let mut command = Command::new(if is_folder { self.0.join(name) } else { self.0.clone() });
        command.env("LLVM_TOOL", name);
        command
    }
}

//! Finds LLVM's coverage tools, `llvm-profdata` and `llvm-cov`, in the toolchain or in Debian's packages.
//!
//! They must be of the version that rustc was made with.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::{Progress, debian, launcher, packages};
use crate::child::{self, Show};
use crate::workspace::Workspace;

/// Holds the place of the two tools.
#[derive(Debug)]
pub enum Llvm {
    /// The tools are in a folder, under their own names.
    Folder(PathBuf),
    /// The tools are behind a launcher; the variable `LLVM_TOOL` selects the tool.
    Launcher(PathBuf),
}

impl Llvm {
    /// Returns the tools to use, which are installed first if there are none.
    pub fn find(workspace: &Workspace) -> Result<Self> {
        let bundled = of_toolchain()?;
        if bundled.join("llvm-cov").is_file() && bundled.join("llvm-profdata").is_file() {
            return Ok(Self::Folder(bundled));
        }
        cached_or_new(&workspace.target()).map(Self::Launcher)
    }

    /// Returns the command that starts the tool of this name.
    pub fn tool(&self, name: &str) -> Command {
        match self {
            Self::Folder(folder) => Command::new(folder.join(name)),
            Self::Launcher(launcher) => {
                let mut command = Command::new(launcher);
                command.env("LLVM_TOOL", name);
                command
            }
        }
    }
}

/// Returns the folder into which rustup's component `llvm-tools` puts them.
fn of_toolchain() -> Result<PathBuf> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut rustc = Command::new(rustc);
    let outcome = child::run(rustc.args(["--print", "target-libdir"]), Show::Later, None)?;
    let libraries = outcome.lines.last().map(PathBuf::from);
    Ok(libraries.and_then(|path| Some(path.parent()?.join("bin"))).unwrap_or_default())
}

fn cached_or_new(target: &Path) -> Result<PathBuf> {
    let installed = packages::cached_or_new(target, "llvm", check, |part| {
        debian::install(&debian::LLVM, part, &Progress::start())
            .context("no LLVM tools: `rustup component add llvm-tools`, or Debian's packages")
    })?;
    Ok(launcher::path_in(&installed.folder))
}

fn check(folder: &Path) -> Result<()> {
    let llvm = Llvm::Launcher(launcher::path_in(folder));
    let outcome = child::run(llvm.tool("llvm-cov").arg("--version"), Show::Later, None)?;
    ensure!(outcome.success(), "llvm-cov does not start: {}", outcome.text());
    Ok(())
}

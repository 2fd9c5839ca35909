//! Finds and installs the tools of `cargo xtask cross`.
//!
//! zig and cargo-zigbuild come from the Python registry, standard libraries from rustup, QEMU and C libraries
//! from Debian's packages. All are put under the target folder but Wine, which the system must have.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use super::rows::{Row, Runner};
use super::wine;
use crate::child::{self, Show};
use crate::engine::emulators;
use crate::files::remove_tree;
use crate::workspace::Workspace;

/// The versions that were tested here. zig brings the C libraries that are linked against.
const PACKAGES: [&str; 2] = ["ziglang==0.15.2", "cargo-zigbuild==0.24.0"];

/// Holds the tools that cross-compile with zig.
#[derive(Debug)]
pub struct Tools {
    /// The folder of `cargo-zigbuild` and `python-zig`.
    folder: PathBuf,
}

impl Tools {
    /// Finds the tools in a Python environment of their own, which is made first if there is none.
    pub fn find(workspace: &Workspace) -> Result<Self> {
        let environment = workspace.target().join("tools/zig");
        let folder = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
        let tools = Self { folder };
        if !tools.work() {
            remove_tree(&environment)?;
            let python = if cfg!(windows) { "python" } else { "python3" };
            must(Command::new(python).args(["-m", "venv"]).arg(&environment))?;
            let mut pip = Command::new(tools.folder.join("pip"));
            must(pip.args(["install", "--quiet"]).args(PACKAGES))
                .context("zig comes from Python's registry")?;
            ensure!(tools.work(), "cargo-zigbuild does not start");
        }
        Ok(tools)
    }

    fn work(&self) -> bool {
        let mut tool = Command::new(self.folder.join("cargo-zigbuild"));
        child::run(tool.arg("--version"), Show::Later, None).is_ok_and(|outcome| outcome.success())
    }

    /// Returns cargo-zigbuild with zig on its path, for a target whose standard library is installed.
    pub fn cargo(&self, workspace: &Workspace, row: &Row) -> Result<Command> {
        for target in row.standard_libraries() {
            standard_library(target)?;
        }
        let mut cargo = Command::new(self.folder.join("cargo-zigbuild"));
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = [self.folder.clone()].into_iter().chain(env::split_paths(&path));
        cargo.current_dir(workspace.root()).env("PATH", env::join_paths(folders)?);
        cargo.env("CARGO_TERM_COLOR", "never");
        Ok(cargo)
    }

    /// Returns zig itself, as the compiler of a few lines of C.
    pub fn zig(&self) -> Command {
        let mut zig = Command::new(self.folder.join("python"));
        zig.args(["-m", "ziglang"]);
        zig
    }

    /// Returns the command that starts a test of this row, in cargo's form, or the reason why there is none.
    pub fn runner(&self, workspace: &Workspace, row: &Row) -> Result<Result<OsString, String>> {
        match row.runner.context("a row without a runner")? {
            Runner::Qemu(program, libraries) => {
                let (program, libraries) = match emulators::find(workspace, program, libraries) {
                    Ok(found) => found,
                    Err(error) => return Ok(Err(format!("{error:#}"))),
                };
                Ok(Ok(by_itself(&libraries).unwrap_or_else(|| words(&program, "-L", &libraries))))
            }
            Runner::Wine => Ok(match wine::find() {
                Some(wine) => Ok(wine.into_os_string()),
                None => Err("there is no wine on PATH (Debian: apt-get install wine64)".to_owned()),
            }),
        }
    }
}

/// Returns the command that runs programs of another processor by their own loader, where this machine can
/// run them: those of 32-bit x86 on one of 64 bits. That is faster, and free of an emulator's mistakes. (QEMU
/// 11.1 ends them as soon as they have a second thread.)
fn by_itself(libraries: &Path) -> Option<OsString> {
    let folder = libraries.join("lib");
    let files = fs::read_dir(&folder).ok()?.flatten().map(|entry| entry.path());
    let is_loader =
        |file: &Path| file.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"ld"));
    let loader = files.into_iter().find(|file| is_loader(file))?;
    let started = child::run(Command::new(&loader).arg("--version"), Show::Later, None).ok()?;
    started.success().then(|| words(&loader, "--library-path", &folder))
}

/// Joins a program, an option and its folder into one text, as cargo takes it.
fn words(program: &Path, option: &str, folder: &Path) -> OsString {
    [program.as_os_str(), option.as_ref(), folder.as_os_str()].join(OsStr::new(" "))
}

/// Adds a target's standard library by rustup; a toolchain without rustup has to have it.
pub fn standard_library(target: &str) -> Result<()> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut rustc = Command::new(rustc);
    let outcome =
        child::run(rustc.args(["--print", "target-libdir", "--target", target]), Show::Later, None)?;
    if outcome.lines.iter().any(|line| Path::new(line).is_dir()) {
        return Ok(());
    }
    must(Command::new("rustup").args(["target", "add", target]))
        .with_context(|| format!("no standard library for {target}"))
}

/// Runs a tool that has to succeed.
pub fn must(command: &mut Command) -> Result<()> {
    let outcome = child::run(command, Show::Later, None)?;
    if !outcome.success() {
        bail!("{:?}: {}", command.get_program(), outcome.text());
    }
    Ok(())
}

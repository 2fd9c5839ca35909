//! Finds and installs the tools of `cargo xtask cross`, and others of package registries, under the target folder.
//!
//! zig and cargo-zigbuild come from the Python registry, standard libraries from rustup, QEMU and C libraries from Debian's
//! packages. The system must have Wine.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::rows::{Row, Runner};
use super::wine;
use crate::child::{self, Show};
use crate::engine::debian;
use crate::files::remove_tree;
use crate::workspace::{Workspace, rustc};

/// The versions that were tested here. zig brings the C libraries that are linked against.
const PACKAGES: [&str; 2] = ["ziglang==0.15.2", "cargo-zigbuild==0.24.0"];

/// Holds the tools that cross-compile with zig.
#[derive(Debug)]
pub(crate) struct Tools {
    /// The folder of `cargo-zigbuild` and `python-zig`.
    folder: PathBuf,
}

impl Tools {
    /// Finds the tools in a Python environment of their own, which is made first if there is none.
    pub(crate) fn find(workspace: &Workspace) -> Result<Self> {
        let program = of_python(workspace, "zig", "cargo-zigbuild", &PACKAGES)?;
        Ok(Self { folder: program.with_file_name("") })
    }

    /// Returns cargo-zigbuild with zig on its path, for a target whose standard library is installed.
    pub(crate) fn cargo(&self, workspace: &Workspace, row: &Row) -> Result<Command> {
        for target in row.standard_libraries() {
            standard_library(&target)?;
        }
        let mut cargo = Command::new(self.folder.join("cargo-zigbuild"));
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = [self.folder.clone()].into_iter().chain(env::split_paths(&path));
        cargo.current_dir(workspace.root()).env("PATH", env::join_paths(folders)?);
        cargo.env("CARGO_TERM_COLOR", "never");
        Ok(cargo)
    }

    /// Returns zig itself, as the compiler of a few lines of C.
    pub(crate) fn zig(&self) -> Command {
        let mut zig = Command::new(self.folder.join("python"));
        zig.args(["-m", "ziglang"]);
        zig
    }
}

/// Returns the command that starts a test of this row, in cargo's form; an error says why there is none.
pub(crate) fn runner(workspace: &Workspace, row: &Row) -> Result<OsString> {
    match row.runner().context("a row without a runner")? {
        Runner::Qemu(program, libraries) => {
            let (program, libraries) = debian::emulator(workspace, program, libraries)?;
            Ok(by_itself(&libraries).unwrap_or_else(|| words(&program, "-L", &libraries)))
        }
        Runner::Wine => Ok(wine::find()?.into_os_string()),
    }
}

/// Returns the command that runs programs of another processor by their own loader, where this machine can
/// run them: those of 32-bit x86 on one of 64 bits. That is faster, and free of an emulator's mistakes. (QEMU
/// 11.1 ends them as soon as they have a second thread.)
fn by_itself(libraries: &Path) -> Option<OsString> {
    let folder = libraries.join("lib");
    let mut files = fs::read_dir(&folder).ok()?.flatten();
    let loader = files.find(|file| file.file_name().as_encoded_bytes().starts_with(b"ld"))?.path();
    works(&loader).then(|| words(&loader, "--library-path", &folder))
}

/// Joins a program, an option and its folder into one text, as cargo takes it.
fn words(program: &Path, option: &str, folder: &Path) -> OsString {
    [program.as_os_str(), option.as_ref(), folder.as_os_str()].join(OsStr::new(" "))
}

/// Adds a target's standard library by rustup; a toolchain without rustup has to have it.
pub(crate) fn standard_library(target: &str) -> Result<()> {
    let there =
        child::run(rustc().args(["--print", "target-libdir", "--target", target]), Show::Later, None)?;
    if there.lines.iter().any(|line| Path::new(line).is_dir()) {
        return Ok(());
    }
    must(Command::new("rustup").args(["target", "add", target]))
        .with_context(|| format!("no standard library for {target}"))?;
    Ok(())
}

/// Returns a program of packages of Python's registry, in an environment of its own, which is made first if there is none.
pub(crate) fn of_python(
    workspace: &Workspace,
    name: &str,
    program: &str,
    packages: &[&str],
) -> Result<PathBuf> {
    let environment = workspace.target().join("tools").join(name);
    let folder = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let program = folder.join(program);
    if !works(&program) {
        remove_tree(&environment)?;
        let python = if cfg!(windows) { "python" } else { "python3" };
        let mut pip = Command::new(folder.join("pip"));
        pip.args(["install", "--quiet", "--no-deps", "--only-binary", ":all:"]).args(packages);
        must(Command::new(python).args(["-m", "venv"]).arg(&environment))
            .and_then(|_| must(&mut pip))
            .with_context(|| format!("{name} comes from Python's registry"))?;
        ensure!(works(&program), "{} does not start", program.display());
    }
    Ok(program)
}

/// Returns a program of a crate of this version, which is built under the target folder first if it is not there.
pub(crate) fn of_cargo(workspace: &Workspace, name: &str, version: &str) -> Result<PathBuf> {
    let root = workspace.target().join("tools");
    let program = root.join("bin").join(name).with_extension(env::consts::EXE_EXTENSION);
    let list =
        child::run(workspace.cargo().args(["install", "--list", "--root"]).arg(&root), Show::Later, None)?;
    if !list.lines.iter().any(|line| line.starts_with(&format!("{name} v{version}"))) {
        let mut cargo = workspace.cargo();
        cargo.args(["install", name, "--locked", "--version", version, "--root"]).arg(&root);
        must(&mut cargo).with_context(|| format!("{name} comes from the registry"))?;
    }
    Ok(program)
}

/// Tells whether a program starts and knows its version.
pub(crate) fn works(program: &Path) -> bool {
    child::run(Command::new(program).arg("--version"), Show::Later, None)
        .is_ok_and(|outcome| outcome.success())
}

/// Runs a tool that has to succeed, and returns what it prints.
pub(crate) fn must(command: &mut Command) -> Result<Vec<String>> {
    let outcome = child::run(command, Show::Later, None)?;
    ensure!(outcome.success(), "{:?}: {}", command.get_program(), outcome.text());
    Ok(outcome.lines)
}

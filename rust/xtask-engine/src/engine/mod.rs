//! Finds a Godot to test with, in one fixed order, and has one installed when there is none.
//!
//! It runs no project.

mod apt_sources;
mod debian;
pub mod emulators;
pub mod foreign;
pub mod godot_3;
pub mod godot_3_release;
mod install;
mod launcher;
pub mod llvm;
mod official;
mod packages;
pub mod release_template;
mod screen;
mod version;
pub mod window;

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::child::{self, Show};
use crate::workspace::Workspace;
pub use launcher::write_as as write_launcher;
use version::Version;

/// The variables that may name an engine, in this order: the name of today's gdext, its old one, and
/// gdUnit4's.
const VARIABLES: [&str; 3] = [ENGINE_VARIABLE, "GODOT4_BIN", "GODOT_BIN"];
/// The first variable that may name an engine.
pub const ENGINE_VARIABLE: &str = "GDRUST_GODOT_BIN";

/// The variable that says how much of the engine's memory is read; see `raw/layout/trust.rs`.
pub const RAW: &str = "VARIANT_STREAM_RAW";
/// The value that trusts all memory whose layout is known, and makes a run fail where a layout is not found.
pub const ALL: &str = "all";

/// Returns the engine to use: the named one, else the one of the environment, PATH, the cached copy, a new
/// install.
///
/// An engine that was named and cannot be used is an error: a test with another engine would not show what
/// was asked.
pub fn find(workspace: &Workspace, named: Option<&Path>) -> Result<PathBuf> {
    if let Some(godot) = named {
        return accept(godot, "--godot");
    }
    for variable in VARIABLES {
        if let Some(godot) = env::var_os(variable).filter(|value| !value.is_empty()) {
            return accept(Path::new(&godot), variable);
        }
    }
    for candidate in on_path() {
        match check(&candidate) {
            Ok(version) => return Ok(announce(candidate, version, "PATH")),
            Err(error) => eprintln!("engine: not {} ({error:#})", candidate.display()),
        }
    }
    install::cached_or_new(&workspace.target())
}

/// Returns the command that runs a script of the Godot project at `project`. Everything behind the script is
/// for the script.
pub fn script(godot: &Path, project: &Path, script: &str) -> Command {
    let mut command = Command::new(godot);
    command.args(["--headless", "--no-header", "--path"]).arg(project).args(["-s", script, "--"]);
    command
}

/// Prints lines of progress with the seconds since the start; standard output is kept for the result.
#[derive(Debug)]
struct Progress(Instant);

impl Progress {
    fn start() -> Self {
        Self(Instant::now())
    }

    fn say(&self, what: &str) {
        eprintln!("engine: {:3} s  {what}", self.0.elapsed().as_secs());
    }
}

fn accept(godot: &Path, by: &str) -> Result<PathBuf> {
    let version = check(godot).with_context(|| format!("{by} names {}", godot.display()))?;
    Ok(announce(std::path::absolute(godot)?, version, by))
}

fn announce(godot: PathBuf, version: Version, by: &str) -> PathBuf {
    eprintln!("engine: Godot {version} from {by}");
    godot
}

/// Returns the value of `VARIANT_STREAM_RAW` for this engine, if any: `all` makes a run fail when the probe
/// finds less than this version is known to have.
pub fn raw_in(godot: &Path) -> Option<&'static str> {
    check(godot).is_ok_and(Version::is_known_throughout).then_some(ALL)
}

/// Returns the version of a usable engine; an error says why it is not usable.
fn check(godot: &Path) -> Result<Version> {
    usable(&mut Command::new(godot))
}

/// Returns the version of the usable engine that this command starts.
fn usable(engine: &mut Command) -> Result<Version> {
    let version = version_of(engine.arg("--headless"))?;
    if version < Version::MINIMUM {
        bail!("it is Godot {version}, at least {} is needed", Version::MINIMUM);
    }
    Ok(version)
}

/// Returns the version that an engine answers, whatever it is.
fn version_of(engine: &mut Command) -> Result<Version> {
    let outcome = child::run(engine.arg("--version"), Show::Later, Some(Duration::from_secs(60)))?;
    let version = outcome.lines.iter().find_map(|line| Version::read(line));
    version.with_context(|| format!("it did not answer --version with a version: {}", outcome.text()))
}

fn on_path() -> Vec<PathBuf> {
    let folders: Vec<PathBuf> =
        env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default();
    ["godot4", "godot"]
        .iter()
        .flat_map(|name| {
            folders.iter().map(move |folder| folder.join(name).with_extension(env::consts::EXE_EXTENSION))
        })
        .filter(|candidate| candidate.is_file())
        .collect()
}

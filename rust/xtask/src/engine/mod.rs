//! Finds a Godot to test with, in one fixed order, and has one installed when there is none.
//!
//! It runs no project.

mod apt;
pub(crate) mod debian;
pub(crate) mod llvm;
mod official;
pub(crate) mod release_template;
mod version;
pub(crate) mod window;

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::child::{self, Show};
use crate::files::remove_tree;
use crate::workspace::Workspace;
use version::Version;

/// The variables that may name an engine, in this order: the name of today's gdext, its old one, and
/// gdUnit4's.
const VARIABLES: [&str; 3] = [ENGINE_VARIABLE, "GODOT4_BIN", "GODOT_BIN"];
/// The first variable that may name an engine.
pub(crate) const ENGINE_VARIABLE: &str = "GDRUST_GODOT_BIN";

/// The variable that says how much of the engine's memory is read; see `raw/layout/trust.rs`.
pub(crate) const RAW: &str = "VARIANT_STREAM_RAW";
/// The value that trusts all memory whose layout is known, and makes a run fail where a layout is not found.
pub(crate) const ALL: &str = "all";

/// Returns the engine to use: the named one, else the one of the environment, PATH, the cached copy, a new
/// install.
///
/// An engine that was named and cannot be used is an error: a test with another engine would not show what
/// was asked.
pub(crate) fn find(workspace: &Workspace, option: Option<&Path>) -> Result<PathBuf> {
    if let Some((godot, by)) = VARIABLES.iter().find_map(|variable| named(option, variable)) {
        return accept(&godot, by, check);
    }
    for candidate in on_path() {
        match check(&candidate) {
            Ok(version) => return Ok(announce(candidate, version, "PATH")),
            Err(error) => say(&format!("not {} ({error:#})", candidate.display())),
        }
    }
    let check = |folder: &Path| check(&launcher_in(folder));
    let installed = cached_or_new(&workspace.target(), "engine", check, |part| {
        let Err(refusal) = debian::install(&debian::GODOT_4, part).and_then(|()| check(part)) else {
            return Ok(());
        };
        remove_tree(part)?;
        fs::create_dir_all(part)?;
        official::install(part).and_then(|()| check(part)).map(drop).with_context(|| {
            format!(
                "no Godot found and none could be installed. Install Godot {} or newer and say where it is: set \
                 GDRUST_GODOT_BIN, pass --godot PATH, or put `godot` on PATH.\n  Debian's packages: {refusal:#}\n  \
                 the official release",
                Version::MINIMUM
            )
        })
    })?;
    Ok(installed.announced())
}

/// Returns a Godot 3: the one that is named, else the headless one of Debian's packages.
pub(crate) fn find_godot_3(workspace: &Workspace, option: Option<&Path>) -> Result<PathBuf> {
    if let Some((godot, by)) = named(option, "GODOT3_BIN") {
        return accept(&godot, by, check_3);
    }
    let check = |folder: &Path| check_3(&launcher_in(folder));
    Ok(debian::cached(workspace, "engine3", &debian::GODOT_3, check)?.announced())
}

/// Returns the engine for arm64 of Debian's packages, which QEMU runs.
pub(crate) fn find_arm64(workspace: &Workspace) -> Result<PathBuf> {
    let folder = debian::cached_root(workspace, "engine-arm64", &debian::GODOT_4_ARM64)?;
    // The launcher is written each time, because the system's emulator may have come or gone.
    let (emulator, _) = debian::emulator(workspace, "qemu-aarch64", "aarch64-linux-gnu")?;
    debian::write_emulated(&debian::GODOT_4_ARM64, &folder, &emulator)?;
    accept(&launcher_in(&folder), "Debian's packages, for arm64", check)
}

/// Returns the command that runs a script of the Godot project at `project`. Everything behind the script is
/// for the script.
pub(crate) fn script(godot: &Path, project: &Path, script: &str) -> Command {
    let mut command = Command::new(godot);
    command.args(["--headless", "--no-header", "--path"]).arg(project).args(["-s", script, "--"]);
    command
}

/// Returns the value of `VARIANT_STREAM_RAW` for this engine, if any: `all` makes a run fail when the probe
/// finds less than this version is known to have.
pub(crate) fn raw_in(godot: &Path) -> Option<&'static str> {
    check(godot).is_ok_and(Version::is_known_throughout).then_some(ALL)
}

/// Prints a line of progress; standard output is kept for the result.
fn say(what: &str) {
    eprintln!("engine: {what}");
}

/// Returns the program that the option `--godot` names, else the one that this variable names, with the name of either.
fn named(option: Option<&Path>, variable: &'static str) -> Option<(PathBuf, &'static str)> {
    let of_environment = || env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let of_option = option.map(|path| (path.to_owned(), "--godot"));
    of_option.or_else(|| Some((of_environment()?, variable)))
}

fn accept(godot: &Path, by: &str, check: impl Fn(&Path) -> Result<Version>) -> Result<PathBuf> {
    let version = check(godot).with_context(|| format!("{by} names {}", godot.display()))?;
    Ok(announce(std::path::absolute(godot)?, version, by))
}

fn announce(godot: PathBuf, version: Version, by: &str) -> PathBuf {
    say(&format!("Godot {version} from {by}"));
    godot
}

/// Returns the version of a usable engine; an error says why it is not usable.
fn check(godot: &Path) -> Result<Version> {
    usable(&mut Command::new(godot))
}

/// Returns the version of a Godot 3; an error says why it is none.
fn check_3(godot: &Path) -> Result<Version> {
    let version = version_of(&mut Command::new(godot))?;
    ensure!(version.is_godot_3(), "it is Godot {version}, a Godot 3 is needed");
    Ok(version)
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

fn on_path() -> impl Iterator<Item = PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let names = ["godot4", "godot"].map(|name| Path::new(name).with_extension(env::consts::EXE_EXTENSION));
    let all =
        names.into_iter().flat_map(move |name| folders.clone().into_iter().map(move |it| it.join(&name)));
    all.filter(|candidate| candidate.is_file())
}

/// Describes a folder that passed its check.
#[derive(Debug)]
struct EngineInstall<T> {
    folder: PathBuf,
    /// The result of the check.
    told: T,
    /// The origin of the folder, in words.
    origin: &'static str,
}

impl EngineInstall<Version> {
    /// Returns the launcher of the engine in the folder.
    fn announced(self) -> PathBuf {
        announce(launcher_in(&self.folder), self.told, self.origin)
    }
}

/// Returns the folder `name` of the target folder that passes `check`: the one that is there, else one that `fill` makes, in
/// one step and safely when two commands start together.
fn cached_or_new<T>(
    target: &Path,
    name: &str,
    check: impl Fn(&Path) -> Result<T>,
    fill: impl FnOnce(&Path) -> Result<()>,
) -> Result<EngineInstall<T>> {
    let folder = target.join(name);
    if let Ok(told) = check(&folder) {
        return Ok(EngineInstall { folder, told, origin: "the cache" });
    }
    fs::create_dir_all(target)?;
    let lock = File::create(target.join(format!("{name}.lock")))?;
    lock.lock().with_context(|| format!("cannot lock the folder `{name}` of the target folder"))?;
    // Another process that held the lock may have installed it meanwhile.
    if let Ok(told) = check(&folder) {
        return Ok(EngineInstall { folder, told, origin: "the cache" });
    }
    let part = target.join(format!("{name}.part"));
    remove_tree(&part)?;
    fs::create_dir_all(&part)?;
    let told = fill(&part).and_then(|()| check(&part)).with_context(|| format!("no {name}"))?;
    remove_tree(&folder)?;
    fs::rename(&part, &folder).with_context(|| format!("cannot put `{name}` in its place"))?;
    Ok(EngineInstall { folder, told, origin: "a new install" })
}

/// The executable for the console: the other one gives a calling program neither output nor exit code.
const WINDOWS_BINARY: &str = "Godot_v4.6.3-stable_win64_console.exe";

/// Returns the path to start in an install folder: a launcher script; on Windows, where there are none, the engine itself.
fn launcher_in(folder: &Path) -> PathBuf {
    folder.join(if cfg!(windows) { WINDOWS_BINARY } else { "godot" })
}

/// Writes a launcher: a shell script that finds its engine beside itself, so that it works in a checkout that was moved or
/// copied. `start` is the line that runs the engine, with the folder in `$here`.
pub(crate) fn write_launcher(launcher: &Path, start: &str) -> Result<()> {
    fs::write(launcher, format!("#!/bin/sh\nhere=$(dirname -- \"$(readlink -f -- \"$0\")\")\n{start}"))?;
    make_executable(launcher)
}

fn make_executable(file: &Path) -> Result<()> {
    #[cfg(unix)]
    fs::set_permissions(file, std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .with_context(|| format!("cannot make {} executable", file.display()))?;
    let _ = file;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_filled_once_and_anew_when_it_is_broken() -> Result<()> {
        let target = env::temp_dir().join(format!("variant_stream_packages_{}", std::process::id()));
        let check = |folder: &Path| {
            let text = fs::read_to_string(folder.join("it"))?;
            ensure!(text != "broken", "it is broken");
            Ok(text)
        };
        let get = |text: Option<&str>| {
            cached_or_new(&target, "some", check, |part| {
                Ok(fs::write(part.join("it"), text.context("nothing is filled")?)?)
            })
        };
        let first = get(Some("first"))?;
        assert_eq!((first.told.as_str(), first.origin), ("first", "a new install"));
        let again = get(None)?;
        assert_eq!((again.told.as_str(), again.origin), ("first", "the cache"));
        assert_eq!(again.folder, target.join("some"));

        fs::write(again.folder.join("it"), "broken")?;
        assert!(get(None).is_err() && get(Some("broken")).is_err());
        // The rest of a failed install is no part of the next one.
        fs::write(target.join("some.part").join("rest"), "")?;
        assert_eq!(get(Some("second"))?.told, "second");
        assert!(!again.folder.join("rest").exists() && !target.join("some.part").exists());
        remove_tree(&target)
    }
}

//! Builds the library and stages the addon: the library, the golden files, the project's link to the addon.
//! It runs no engine.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::child::{self, Show};
use crate::cross::rows::Row;
use crate::files::{copy_tree, remove_tree, replace};
use crate::flags;
use crate::workspace::Workspace;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// The profile for quick work: it builds in seconds, runs slowly, and shares its dependencies with the
    /// Rust tests.
    Dev,
    /// The profile that ships.
    Release,
}

impl From<bool> for Profile {
    fn from(is_debug: bool) -> Self {
        if is_debug { Self::Dev } else { Self::Release }
    }
}

/// Builds and stages the library, and returns the path of the staged one.
pub(crate) fn run(workspace: &Workspace, profile: Profile) -> Result<PathBuf> {
    stage(workspace, &compile(workspace, profile)?)
}

/// Puts a library that was built into the addon, with everything that belongs to it.
pub(crate) fn stage(workspace: &Workspace, built: &Path) -> Result<PathBuf> {
    stage_as(workspace, built, library_in(&workspace.addon())?)
}

/// Stages a library for engines of double precision, which look for another name.
pub(crate) fn stage_double(workspace: &Workspace, built: &Path) -> Result<PathBuf> {
    stage_as(workspace, built, double_library_in(&workspace.addon())?)
}

fn double_library_in(addon: &Path) -> Result<PathBuf> {
    let single = library_in(addon)?;
    let ending = single.extension().context("a library has an ending")?.to_string_lossy().into_owned();
    Ok(single.with_extension(format!("double.{ending}")))
}

fn stage_as(workspace: &Workspace, built: &Path, staged: PathBuf) -> Result<PathBuf> {
    fs::create_dir_all(workspace.addon().join("bin"))?;
    replace(built, &staged)?;
    stage_golden(workspace)?;
    link_addons(workspace)?;
    Ok(staged)
}

/// Returns the path of this platform's library inside an addon folder, named as in the `.gdextension` file.
pub(crate) fn library_in(addon: &Path) -> Result<PathBuf> {
    let arch = match env::consts::ARCH {
        "x86" => "x86_32",
        "aarch64" => "arm64",
        "arm" => "arm32",
        other => other,
    };
    let key =
        if cfg!(target_os = "macos") { "macos".to_owned() } else { format!("{}.{arch}", env::consts::OS) };
    let library = Row::of(&key).and_then(Row::library);
    let names = library.with_context(|| format!("the addon has no library for {key}"))?;
    Ok(addon.join("bin").join(names.staged))
}

/// Builds the library and returns its path in cargo's target folder.
pub(crate) fn compile(workspace: &Workspace, profile: Profile) -> Result<PathBuf> {
    compile_with(workspace, profile, &[])
}

/// Builds the library with these features besides its default ones.
pub(crate) fn compile_with(workspace: &Workspace, profile: Profile, features: &[&str]) -> Result<PathBuf> {
    let target = workspace.target();
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--package", "variant-stream", "--target-dir"]).arg(&target);
    cargo.args(["--features", &features.join(",")]);
    let folder = match profile {
        Profile::Dev => "debug",
        Profile::Release => {
            cargo.arg("--release").env("CARGO_ENCODED_RUSTFLAGS", flags::of_release(workspace));
            "release"
        }
    };
    let outcome = child::run(&mut cargo, Show::Now, None)?;
    ensure!(outcome.success(), "the library does not build");
    built_in(&target.join(folder))
}

/// Returns the library that cargo has left in this folder.
pub(crate) fn built_in(folder: &Path) -> Result<PathBuf> {
    let name = format!("{}variant_stream{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    let library = folder.join(name);
    ensure!(library.is_file(), "cargo built no {}", library.display());
    Ok(library)
}

/// Copies the golden files of Godot 4 into the addon. Its conformance run compares with them by default,
/// because it has no other engine to compare with.
pub(crate) fn stage_golden(workspace: &Workspace) -> Result<()> {
    let staged = workspace.addon().join("ci/golden");
    // This file keeps the editor from importing the others as translations or resources.
    stage_file(&staged.join(".gdignore"), b"")?;
    let mut wanted = vec![".gdignore".into()];
    for entry in fs::read_dir(workspace.golden())? {
        let (name, path) = entry.map(|entry| (entry.file_name(), entry.path()))?;
        let text = name.to_string_lossy();
        if text.starts_with("godot4") && text.ends_with(".json") {
            stage_file(&staged.join(&name), &fs::read(&path)?)?;
            wanted.push(name);
        }
    }
    ensure!(wanted.len() > 1, "no golden files in {}", workspace.golden().display());
    for entry in fs::read_dir(&staged)? {
        let entry = entry?;
        if !wanted.contains(&entry.file_name()) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Writes a file unless it is there already: an engine may be reading it.
fn stage_file(staged: &Path, bytes: &[u8]) -> Result<()> {
    if fs::read(staged).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    fs::create_dir_all(staged.with_file_name(""))?;
    Ok(fs::write(staged, bytes)?)
}

/// Makes the addon visible in the project: by a link; where links fail, by a junction; where that fails, by a
/// copy.
fn link_addons(workspace: &Workspace) -> Result<()> {
    let (addons, link) = (workspace.root().join("addons"), workspace.project().join("addons"));
    let linked = fs::canonicalize(&link).ok();
    if linked.is_some() && linked == fs::canonicalize(&addons).ok() {
        return Ok(());
    }
    match fs::symlink_metadata(&link) {
        // Git checks out a link as a small text file where the system has no links.
        Ok(found) if found.is_file() || found.is_symlink() => fs::remove_file(&link)?,
        Ok(_) => remove_tree(&link)?,
        Err(_) => {}
    }
    #[cfg(unix)]
    let linked = std::os::unix::fs::symlink("../addons", &link);
    #[cfg(windows)]
    let linked = std::os::windows::fs::symlink_dir("..\\addons", &link);
    // A user of Windows may make a junction without the right to make links.
    let is_joined = || {
        let mut command = std::process::Command::new("cmd");
        command.args(["/C", "mklink", "/J"]).arg(&link).arg(&addons);
        cfg!(windows) && child::run(&mut command, Show::Later, None).is_ok_and(|outcome| outcome.success())
    };
    if linked.is_ok() || is_joined() {
        return Ok(());
    }
    eprintln!("build: no links here, {} becomes a copy", link.display());
    copy_tree(&addons, &link, &[]).context("cannot let the project see the addon")
}

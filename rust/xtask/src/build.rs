//! Builds the library and stages the addon: library, golden files, the project's view of the addon.
//! Runs no engine.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::child::{self, Show};
use crate::files::{copy_tree, remove_tree, replace};
use crate::flags;
use crate::workspace::Workspace;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// For quick work: seconds to build, slow to run, shares its parts with the Rust tests.
    Dev,
    /// What ships.
    Release,
}

/// Builds and stages; gives the path of the staged library.
pub(crate) fn run(workspace: &Workspace, profile: Profile) -> Result<PathBuf> {
    stage(workspace, &compile(workspace, profile)?)
}

/// Puts a library that was built into the addon, and all that belongs to it.
pub(crate) fn stage(workspace: &Workspace, built: &Path) -> Result<PathBuf> {
    let staged = library_in(&workspace.addon())?;
    stage_as(workspace, built, staged)
}

/// The same for engines of double precision, which look for another name.
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

/// The library of this platform inside an addon folder, under the name that the `.gdextension` file gives it.
pub(crate) fn library_in(addon: &Path) -> Result<PathBuf> {
    let arch = match env::consts::ARCH {
        "x86_64" => "x86_64",
        "x86" => "x86_32",
        "aarch64" => "arm64",
        "arm" => "arm32",
        other => bail!("the addon has no library name for {other}"),
    };
    let name = match env::consts::OS {
        "linux" => format!("libvariant_stream.linux.{arch}.so"),
        "windows" => format!("variant_stream.windows.{arch}.dll"),
        "macos" => "libvariant_stream.macos.universal.dylib".to_owned(),
        other => bail!("the addon has no library name for {other}"),
    };
    Ok(addon.join("bin").join(name))
}

/// Builds; gives the library where cargo left it.
pub(crate) fn compile(workspace: &Workspace, profile: Profile) -> Result<PathBuf> {
    let target = workspace.target();
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--package", "variant-stream", "--target-dir"]).arg(&target);
    let folder = match profile {
        Profile::Dev => "debug",
        Profile::Release => {
            cargo.arg("--release").env("CARGO_ENCODED_RUSTFLAGS", flags::without_folders(workspace));
            "release"
        }
    };
    let outcome = child::run(&mut cargo, Show::Now, None)?;
    ensure!(outcome.success(), "the library does not build");
    built_in(&target.join(folder))
}

/// The library that cargo has left in this folder.
pub(crate) fn built_in(folder: &Path) -> Result<PathBuf> {
    let name = format!("{}variant_stream{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    let library = folder.join(name);
    ensure!(library.is_file(), "cargo built no {}", library.display());
    Ok(library)
}

/// What Godot 4 recorded travels with the addon: the default of its conformance run, which has no other engine to
/// compare with.
pub(crate) fn stage_golden(workspace: &Workspace) -> Result<()> {
    let staged = workspace.addon().join("ci/golden");
    remove_tree(&staged)?;
    fs::create_dir_all(&staged)?;
    // Keeps the editor from importing them as translations or resources.
    fs::write(staged.join(".gdignore"), "")?;
    let mut count = 0;
    for entry in fs::read_dir(workspace.golden())? {
        let path = entry?.path();
        if let Some(name) = path.file_name().filter(|name| is_of_godot_4(&name.to_string_lossy())) {
            fs::copy(&path, staged.join(name))?;
            count += 1;
        }
    }
    ensure!(count > 0, "no golden files in {}", workspace.golden().display());
    Ok(())
}

fn is_of_godot_4(name: &str) -> bool {
    name.starts_with("godot4") && name.ends_with(".json")
}

/// Lets the project see the addon: a link; where links fail, a junction; where those fail, a fresh copy.
fn link_addons(workspace: &Workspace) -> Result<()> {
    let (addons, link) = (workspace.addons(), workspace.project().join("addons"));
    let linked = fs::canonicalize(&link).ok();
    if linked.is_some() && linked == fs::canonicalize(&addons).ok() {
        return Ok(());
    }
    match fs::symlink_metadata(&link) {
        // Git checks a link out as a small text file where the system has no links.
        Ok(found) if found.is_file() || found.is_symlink() => fs::remove_file(&link)?,
        Ok(_) => remove_tree(&link)?,
        Err(_) => {}
    }
    if symlink(&link).is_ok() || junction(&addons, &link) {
        return Ok(());
    }
    eprintln!("build: no links here, {} becomes a copy", link.display());
    copy_tree(&addons, &link, &[]).context("cannot let the project see the addon")
}

#[cfg(unix)]
fn symlink(link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink("../addons", link)
}

#[cfg(windows)]
fn symlink(link: &Path) -> std::io::Result<()> {
    std::os::windows::fs::symlink_dir("..\\addons", link)
}

/// Windows only: what a user without the right to make links may still make.
fn junction(addons: &Path, link: &Path) -> bool {
    if !cfg!(windows) {
        return false;
    }
    let mut command = std::process::Command::new("cmd");
    command.args(["/C", "mklink", "/J"]).arg(link).arg(addons);
    child::run(&mut command, Show::Later, None).is_ok_and(|outcome| outcome.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_libraries_bear_names_that_the_extension_file_lists() {
        let addon = Workspace::find().unwrap().addon();
        let listed = fs::read_to_string(addon.join("variant_stream.gdextension")).unwrap();
        for library in [library_in(&addon).unwrap(), double_library_in(&addon).unwrap()] {
            let name = library.strip_prefix(&addon).unwrap().to_string_lossy().replace('\\', "/");
            assert!(listed.contains(&format!("\"{name}\"")), "{name}");
        }
    }
}

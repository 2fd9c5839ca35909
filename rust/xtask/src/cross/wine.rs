//! Prepares Wine, which runs the tests of Windows and an engine for Windows.
//!
//! It finds Wine and adds what programs of today's Rust need. The C: drive is one of our own, so that the
//! user's stays as it is.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::tools::must;
use crate::engine;

/// The library from which Rust's standard library takes random bytes, and which older versions of Wine lack.
const RANDOM: &str = "bcryptprimitives.dll";
/// The folder of the C: drive.
const PREFIX: &str = "wine";
const RANDOM_SOURCE: &str = include_str!("process_prng.c");

/// Finds the system's Wine. Debian's 64-bit package puts nothing on PATH, so its folder is searched too.
pub(crate) fn find() -> Result<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).chain([PathBuf::from("/usr/lib/wine")]).collect();
    let mut candidates =
        ["wine", "wine64"].into_iter().flat_map(|name| folders.iter().map(move |it| it.join(name)));
    candidates
        .find(|candidate| candidate.is_file())
        .context("there is no wine on PATH (Debian: apt-get install wine64)")
}

/// Lets `command` start programs under Wine. The missing library is compiled with `zig` into `folder`; Wine
/// searches that folder last, so its own library comes first where it has it.
pub(crate) fn prepare(command: &mut Command, folder: &Path, zig: Command) -> Result<()> {
    let missing = missing(folder, zig)?;
    let missing = format!("Z:{}", missing.display()).replace('/', "\\");
    command.env("WINEPATH", missing);
    command.envs(settings(folder));
    Ok(())
}

/// Writes a script into `folder` that starts an engine for Windows. The missing library is put among the
/// system's libraries, because an engine searches nowhere else for the libraries of an extension.
pub(crate) fn launcher(godot: &Path, folder: &Path, zig: Command) -> Result<PathBuf> {
    let wine = find()?;
    let missing = missing(folder, zig)?;
    let mut boot = Command::new(&wine);
    must(boot.args(["wineboot", "-i"]).envs(settings(folder)))?;
    let system = folder.join(PREFIX).join("drive_c/windows/system32").join(RANDOM);
    if !system.is_file() {
        fs::copy(missing.join(RANDOM), &system)
            .with_context(|| format!("cannot write {}", system.display()))?;
    }
    let set =
        settings(folder).map(|(name, value)| format!("export {name}=\"{}\"\n", value.display())).concat();
    let launcher = folder.join("godot-windows");
    let start =
        format!("{set}exec \"{}\" \"{}\" \"$@\"\n", wine.display(), fs::canonicalize(godot)?.display());
    engine::write_launcher(&launcher, &start)?;
    Ok(launcher)
}

/// Returns the variables that set the C: drive and silence Wine's own messages, which would stand among the
/// lines of the tests.
fn settings(folder: &Path) -> [(&'static str, PathBuf); 2] {
    [("WINEPREFIX", folder.join(PREFIX)), ("WINEDEBUG", PathBuf::from("-all"))]
}

/// Returns the folder of the library that older versions of Wine lack, which is compiled first if it is not
/// there.
fn missing(folder: &Path, mut zig: Command) -> Result<PathBuf> {
    let missing = folder.join("wine-missing");
    let library = missing.join(RANDOM);
    if !library.is_file() {
        fs::create_dir_all(&missing)?;
        let source = missing.join("process_prng.c");
        fs::write(&source, RANDOM_SOURCE)?;
        zig.args(["cc", "-target", "x86_64-windows-gnu", "-shared", "-Os", "-s", "-o"]).arg(&library);
        must(zig.arg(&source).arg("-ladvapi32"))?;
    }
    Ok(missing)
}

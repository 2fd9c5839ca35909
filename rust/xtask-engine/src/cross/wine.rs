//! Wine, which runs the tests of Windows and an engine for it: where it is, and what it needs to run what today's Rust
//! builds. Its C: drive is one of our own, so that the user's stays as it is.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::tools::must;
use crate::engine;

/// The standard library asks for random bytes in a library that older Wines lack.
const RANDOM: &str = "bcryptprimitives.dll";
/// The folder of its C: drive.
const PREFIX: &str = "wine";
const RANDOM_SOURCE: &str = include_str!("process_prng.c");

/// The system's, Debian's 64-bit package too, which puts nothing on PATH.
pub fn find() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&path).chain([PathBuf::from("/usr/lib/wine")]).collect();
    let candidates =
        ["wine", "wine64"].into_iter().flat_map(|name| folders.iter().map(move |it| it.join(name)));
    candidates.into_iter().find(|candidate| candidate.is_file())
}

/// Lets `command` start programs under Wine, from `folder`, with `zig` as the compiler of what is missing. Wine looks there
/// last: its own library is taken where it has one.
pub fn prepare(command: &mut Command, folder: &Path, zig: Command) -> Result<()> {
    let missing = missing(folder, zig)?;
    let missing = format!("Z:{}", missing.display()).replace('/', "\\");
    command.env("WINEPATH", missing);
    settings(folder).into_iter().for_each(|(name, value)| {
        command.env(name, value);
    });
    Ok(())
}

/// A script in `folder` that starts an engine for Windows. What is missing goes among the system's libraries: an engine
/// looks for those of an extension nowhere else.
pub fn launcher(godot: &Path, folder: &Path, zig: Command) -> Result<PathBuf> {
    let wine = find().context("there is no wine on PATH (Debian: apt-get install wine64)")?;
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

/// Where its C: drive is, and that it makes no remarks, which would stand among the lines of the tests.
fn settings(folder: &Path) -> [(&'static str, PathBuf); 2] {
    [("WINEPREFIX", folder.join(PREFIX)), ("WINEDEBUG", PathBuf::from("-all"))]
}

/// The folder of the library that older Wines lack.
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

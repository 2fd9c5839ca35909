//! Wine, which runs the tests of Windows: where it is, and what it needs to run what today's Rust builds. Its C: drive is
//! one of our own, so that the user's stays as it is.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::tools::must;

/// The standard library asks for random bytes in a library that older Wines lack.
const RANDOM: &str = "bcryptprimitives.dll";
const RANDOM_SOURCE: &str = include_str!("process_prng.c");

/// The system's, Debian's 64-bit package too, which puts nothing on PATH.
pub(super) fn find() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&path).chain([PathBuf::from("/usr/lib/wine")]).collect();
    let candidates =
        ["wine", "wine64"].into_iter().flat_map(|name| folders.iter().map(move |it| it.join(name)));
    candidates.into_iter().find(|candidate| candidate.is_file())
}

/// Lets `command` start programs under Wine, from `folder`, with `zig` as the compiler of what is missing. Wine looks there
/// last: its own library is taken where it has one.
pub(super) fn prepare(command: &mut Command, folder: &Path, mut zig: Command) -> Result<()> {
    let missing = folder.join("wine-missing");
    let library = missing.join(RANDOM);
    if !library.is_file() {
        fs::create_dir_all(&missing)?;
        let source = missing.join("process_prng.c");
        fs::write(&source, RANDOM_SOURCE)?;
        zig.args(["cc", "-target", "x86_64-windows-gnu", "-shared", "-Os", "-s", "-o"]).arg(&library);
        must(zig.arg(&source).arg("-ladvapi32"))?;
    }
    let missing = format!("Z:{}", missing.display()).replace('/', "\\");
    // Without its remarks, which would stand among the lines of the tests.
    command.env("WINEPATH", missing).env("WINEPREFIX", folder.join("wine")).env("WINEDEBUG", "-all");
    Ok(())
}

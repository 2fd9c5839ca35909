//! Runs the commands that the documents show in `sh` blocks, for `cargo xtask test`.
//!
//! `commands.txt` gives the reason for each command that is not run. Tests check that the commands of xtask in
//! documents and workflows parse. GDScript, Rust and transcripts have runners of their own, see
//! `godot_project/tests/docs_test.gd`.

#[cfg(test)]
mod tests;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::child::{self, Show};
use crate::engine::ENGINE_VARIABLE;
use crate::files::remove_tree;
use crate::tally::Tally;
use crate::workspace::Workspace;

/// Runs every command that the table allows, with the engine as `godot`.
pub(crate) fn test(workspace: &Workspace, godot: &Path) -> Result<Tally> {
    if cfg!(windows) {
        println!("not run: the documents' commands are a shell's");
        return Ok(Tally::default());
    }
    let aside = workspace.target().join("shown");
    remove_tree(&aside)?;
    let stage = Stage { path: path_with(godot, &aside.join("bin"))?, aside, godot };
    let mut tally = Tally::default();
    for (shown, fate) in listed() {
        match fate.strip_prefix("waits: ") {
            Some(reason) => println!("not run: {shown}: {reason}"),
            None => tally += stage.run(workspace, fate.strip_prefix("runs as: ").unwrap_or(shown))?,
        }
    }
    remove_tree(&stage.aside)?;
    Ok(tally)
}

/// Returns the commands that the list names, each with what becomes of it.
fn listed() -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut lines = include_str!("commands.txt").lines().filter(|line| !line.starts_with('#'));
    std::iter::from_fn(move || Some((lines.next()?, lines.next()?.trim_start())))
}

/// Holds the environment of a reader of the documents: `godot` on the path, and a folder for files that are
/// made.
struct Stage<'a> {
    path: std::ffi::OsString,
    aside: PathBuf,
    godot: &'a Path,
}

impl Stage<'_> {
    fn run(&self, workspace: &Workspace, line: &str) -> Result<Tally> {
        // Documents use `--path .` in the folder of a game.
        let folder = if line.contains("--path . ") { workspace.project() } else { workspace.root() };
        let mut shell = Command::new("sh");
        shell.args(["-euc", line]).current_dir(folder);
        shell.env("PATH", &self.path).env("ASIDE", &self.aside).env(ENGINE_VARIABLE, self.godot);
        let run = child::run(&mut shell, Show::Later, Some(Duration::from_secs(600)))?;
        let met = run.success() && Tally::red_line(&run).is_none();
        println!("{} {:>5.1} s  {line}", if met { "ok  " } else { "FAIL" }, run.seconds);
        if !met {
            println!("it ended with {:?} and said:\n{}", run.code, run.text());
        }
        Ok(Tally::new(u64::from(met), u64::from(!met)))
    }
}

/// Returns the caller's path with a folder before it in which the engine is called `godot`.
fn path_with(godot: &Path, folder: &Path) -> Result<std::ffi::OsString> {
    fs::create_dir_all(folder)?;
    #[cfg(unix)]
    std::os::unix::fs::symlink(godot, folder.join("godot")).context("cannot call the engine `godot`")?;
    #[cfg(not(unix))]
    let _ = godot;
    let path = env::var_os("PATH").unwrap_or_default();
    env::join_paths([folder.to_owned()].into_iter().chain(env::split_paths(&path))).context("PATH")
}

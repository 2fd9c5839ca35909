//! `cargo xtask bench`: the rows of godot_project/bench in both builds of the engine. Judges nothing: the script
//! holds the goals and its exit code is the verdict.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Result, bail};

use crate::arguments::Arguments;
use crate::build::{self, Profile};
use crate::child::{self, Show};
use crate::engine;
use crate::release_run::Game;
use crate::workspace::Workspace;

const SCRIPT: &str = "res://bench/run.gd";
/// The rows of that name, and the name itself.
const SCHEMA: &str = "schema";
/// Gigabytes, slices of time and packets a second, with goals of their own.
const STREAM: &str = "res://tests/stream/figures.gd";

/// The editor's build first, then the one that players run. The worse of both exit codes: 0 all goals reached,
/// 1 some not, 2 nothing was measured, 3 a run was cut off.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    build::run(workspace, Profile::Release)?;
    let editor = engine::find(workspace, arguments.godot.as_deref())?;
    fs::create_dir_all(workspace.reports())?;
    match arguments.words.first().map(String::as_str) {
        None => {}
        Some("stream") => return stream(workspace, &editor),
        Some(SCHEMA) => {}
        Some(other) => {
            bail!("no bench `{other}`: there are `{SCHEMA}`, `stream`, and all rows without a name")
        }
    }
    println!("\n=== editor build: no row slower than the engine, more or less");
    let command = engine::script(&editor, &workspace.project(), SCRIPT);
    let mut worst = measure(workspace, arguments, command, "editor")?;
    if !arguments.editor_only {
        println!("\n=== release template: the goals");
        let game = Game::stage(workspace, &editor, None)?;
        worst = worst.max(measure(workspace, arguments, game.script(SCRIPT), "release")?);
    }
    Ok(ExitCode::from(worst))
}

/// The figures of docs/STREAMING.md: 0 when they reach what is asked of them, 1 when not, 3 when cut off.
fn stream(workspace: &Workspace, editor: &Path) -> Result<ExitCode> {
    let mut figures = engine::script(editor, &workspace.project(), STREAM);
    let outcome = child::run(&mut figures, Show::Now, Some(Duration::from_secs(900)))?;
    Ok(ExitCode::from(outcome.code.and_then(|code| u8::try_from(code).ok()).unwrap_or(3)))
}

fn measure(workspace: &Workspace, arguments: &Arguments, mut command: Command, build: &str) -> Result<u8> {
    if arguments.long {
        command.arg("--long");
    }
    let named = arguments.words.first().filter(|word| *word == SCHEMA);
    if let Some(filter) = arguments.filter.as_ref().or(named) {
        command.args(["--filter", filter]);
    }
    let file = |kind: &str| workspace.reports().join(format!("bench-{build}.{kind}"));
    command.arg("--json").arg(file("json")).arg("--svg").arg(file("svg")).arg("--markdown").arg(file("md"));
    let limit = Duration::from_secs(if arguments.long { 3600 } else { 900 });
    let outcome = child::run(&mut command, Show::Now, Some(limit))?;
    if outcome.timed_out {
        eprintln!("bench: no end after {:.0} s, stopped", outcome.seconds);
    }
    Ok(outcome.code.and_then(|code| u8::try_from(code).ok()).unwrap_or(3))
}

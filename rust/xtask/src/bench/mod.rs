//! Runs the benchmarks of godot_project/bench in both builds of the engine, for `cargo xtask bench`.
//!
//! It judges no row: the scripts hold the goals, and their exit codes are the verdict.

mod documents;
mod memory;
mod modes;
mod outside;
mod size;
mod without;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Result, bail};

use crate::arguments::Arguments;
use crate::build::{self, Profile};
use crate::child::{self, Outcome, Show};
use crate::engine;
use crate::release_run::Game;
use crate::web;
use crate::workspace::Workspace;

const SCRIPT: &str = "res://bench/run.gd";
/// The name of the form that runs the rows of schemas, and the filter that selects them.
const SCHEMA: &str = "schema";
/// The script that measures streams: sizes of gigabytes, slices of time and packets a second, with goals of
/// their own.
const STREAM: &str = "res://tests/stream/figures.gd";

/// Runs the editor's build first, then the release template, which players run. Returns the worse of both
/// exit codes: 0 when all goals are reached, 1 when some are not, 2 when nothing was measured, 3 when a run
/// was cut off.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    fs::create_dir_all(workspace.reports())?;
    let form = arguments.words.first().map(String::as_str);
    if form == Some("rust") {
        return outside::run(workspace, arguments.long);
    }
    if form == Some("size") {
        return Ok(ExitCode::from(size::run(workspace)?));
    }
    if form == Some("web") {
        return Ok(ExitCode::from(browser(workspace, arguments)?));
    }
    if !matches!(form, None | Some("stream" | "memory" | SCHEMA)) {
        bail!(
            "no such bench: there are `rust`, `memory`, `size`, `{SCHEMA}`, `stream` and `web`, and all rows without a name"
        );
    }
    if let Some(names) = &arguments.without {
        let game = ablated(workspace, arguments)?;
        return Ok(ExitCode::from(without::run(workspace, arguments, &game, names)?));
    }
    build::run(workspace, Profile::Release)?;
    let editor = engine::find(workspace, arguments.godot.as_deref())?;
    let code = match form {
        Some("stream") => stream(workspace, &editor)?,
        Some("memory") => memory::run(workspace, &Game::stage(workspace, &editor, None)?)?,
        _ if arguments.modes => modes::run(workspace, arguments, &Game::stage(workspace, &editor, None)?)?,
        _ => both_builds(workspace, arguments, &editor)?,
    };
    Ok(ExitCode::from(code))
}

/// Packs a game with a library whose fast paths can be switched off. The library of the addon stays
/// as it is.
fn ablated(workspace: &Workspace, arguments: &Arguments) -> Result<Game> {
    let library = build::compile_with(workspace, Profile::Release, &[without::FEATURE])?;
    // The editor packs the game with the library of the addon, whichever that is.
    if !build::library_in(&workspace.addon())?.is_file() {
        build::stage(workspace, &library)?;
    }
    let editor = engine::find(workspace, arguments.godot.as_deref())?;
    let game = Game::stage(workspace, &editor, None)?;
    game.put_library(&library)?;
    Ok(game)
}

fn both_builds(workspace: &Workspace, arguments: &Arguments, editor: &Path) -> Result<u8> {
    println!("\n=== editor build: no row slower than the engine, more or less");
    let command = engine::script(editor, &workspace.project(), SCRIPT);
    let mut worst = measure(workspace, arguments, command, "editor")?;
    if !arguments.editor_only {
        println!("\n=== release template: the goals");
        let game = Game::stage(workspace, editor, None)?;
        worst = worst.max(measure(workspace, arguments, game.script(SCRIPT), "release")?);
        if std::env::var_os("BLESS").is_some()
            && arguments.filter.is_none()
            && arguments.words.is_empty()
            && worst <= 1
        {
            documents::update(workspace)?;
        }
    }
    Ok(worst)
}

/// Runs the rows in a browser, which has no files to write results to.
fn browser(workspace: &Workspace, arguments: &Arguments) -> Result<u8> {
    let command = web::game(workspace, arguments)?.script(SCRIPT)?;
    timed(workspace, arguments, command, "web")
}

/// Measures the figures of docs/STREAMING.md. Returns 0 when they reach their goals, 1 when not, 3 when the
/// run was cut off.
fn stream(workspace: &Workspace, editor: &Path) -> Result<u8> {
    let mut figures = engine::script(editor, &workspace.project(), STREAM);
    Ok(code(&child::run(&mut figures, Show::Now, Some(Duration::from_secs(900)))?))
}

fn measure(workspace: &Workspace, arguments: &Arguments, mut command: Command, name: &str) -> Result<u8> {
    command.arg("--json").arg(report(workspace, name, "json"));
    command.arg("--svg").arg(report(workspace, name, "svg"));
    command.arg("--scaling").arg(report(workspace, &format!("{name}-scaling"), "svg"));
    command.arg("--markdown").arg(report(workspace, name, "md"));
    timed(workspace, arguments, command, name)
}

/// Runs the selected rows; the output is kept in a log.
fn timed(workspace: &Workspace, arguments: &Arguments, mut command: Command, name: &str) -> Result<u8> {
    if arguments.long {
        command.arg("--long");
    }
    let named = arguments.words.first().filter(|word| *word == SCHEMA);
    if let Some(filter) = arguments.filter.as_ref().or(named) {
        command.args(["--filter", filter]);
    }
    let limit = Duration::from_secs(if arguments.long { 3600 } else { 900 });
    let log = report(workspace, name, "log");
    let outcome = child::run_logging(&mut command, &log, Some(limit))?;
    if outcome.timed_out {
        eprintln!("bench: no end after {:.0} s, stopped", outcome.seconds);
    }
    let code = code(&outcome);
    if code > 1 {
        eprintln!("bench: what the engine said is in {}", log.display());
    }
    Ok(code)
}

/// Returns the path of a file of results.
fn report(workspace: &Workspace, name: &str, kind: &str) -> PathBuf {
    workspace.reports().join(format!("bench-{name}.{kind}"))
}

/// Returns the exit code of a run; 3 for a run that was cut off.
fn code(outcome: &Outcome) -> u8 {
    outcome.code.and_then(|code| u8::try_from(code).ok()).unwrap_or(3)
}

//! Runs the benchmarks of godot_project/bench in both builds of the engine, for `cargo xtask bench`.
//!
//! It judges no row: the scripts hold the goals, and their exit codes are the verdict.

mod documents;
mod memory;
mod rows;
mod size;
mod without;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, ensure};

use crate::arguments::{Bench, Form};
use crate::build::{self, Profile};
use crate::child::{self, Show};
use crate::engine;
use crate::release_run::Game;
use crate::web;
use crate::workspace::Workspace;

const SCRIPT: &str = "res://bench/run.gd";
/// The script that measures streams: sizes of gigabytes, slices of time and packets a second, with goals of
/// their own.
const STREAM: &str = "res://tests/stream/figures.gd";
/// The time limit of a run that is not a long one.
const PATIENCE: Duration = Duration::from_secs(900);

/// Runs the editor's build first, then the release template, which players run. Returns the worse of both
/// exit codes: 0 when all goals are reached, 1 when some are not, 2 when nothing was measured, 3 when a run
/// was cut off.
pub(crate) fn run(workspace: &Workspace, options: &Bench) -> Result<u8> {
    fs::create_dir_all(workspace.reports())?;
    match options.form {
        Some(Form::Rust) => return of_crates(workspace, options.long),
        Some(Form::Size) => return size::run(workspace),
        // A browser has no files to write results to.
        Some(Form::Web) => {
            return timed(workspace, options, web::game(workspace, options)?.script(SCRIPT)?, "web");
        }
        _ => {}
    }
    if let Some(names) = &options.without {
        return without::run(workspace, options, &ablated(workspace, options)?, names);
    }
    build::run(workspace, Profile::Release)?;
    let editor = engine::find(workspace, options.godot.as_deref())?;
    match options.form {
        Some(Form::Stream) => {
            let mut figures = engine::script(&editor, &workspace.project(), STREAM);
            Ok(child::run(&mut figures, Show::Now, Some(PATIENCE))?.exit_code())
        }
        Some(Form::Memory) => memory::run(workspace, &Game::stage(workspace, &editor, None)?),
        _ if options.modes => rows::in_modes(workspace, options, &Game::stage(workspace, &editor, None)?),
        _ => both_builds(workspace, options, &editor),
    }
}

/// Builds and runs `rust/bench`, which is no part of the workspace. It needs no engine.
fn of_crates(workspace: &Workspace, is_long: bool) -> Result<u8> {
    let target = workspace.target().join("bench");
    let mut cargo = workspace.cargo();
    cargo.current_dir(workspace.root().join("rust/bench"));
    cargo.args(["build", "--release", "--locked", "--target-dir"]).arg(&target);
    ensure!(child::run(&mut cargo, Show::Now, None)?.success(), "rust/bench does not build");
    let mut bench = Command::new(target.join("release/variant-bench"));
    bench.args(is_long.then_some("--long"));
    bench.arg("--json").arg(report(workspace, "rust", "json"));
    bench.arg("--markdown").arg(report(workspace, "rust", "md"));
    Ok(child::run(&mut bench, Show::Now, Some(PATIENCE))?.exit_code())
}

/// Packs a game with a library whose fast paths can be switched off. The library of the addon stays
/// as it is.
fn ablated(workspace: &Workspace, options: &Bench) -> Result<Game> {
    let library = build::compile_with(workspace, Profile::Release, &[without::FEATURE])?;
    // The editor packs the game with the library of the addon, whichever that is.
    if !build::library_in(&workspace.addon())?.is_file() {
        build::stage(workspace, &library)?;
    }
    let editor = engine::find(workspace, options.godot.as_deref())?;
    let game = Game::stage(workspace, &editor, None)?;
    game.put_library(&library)?;
    Ok(game)
}

fn both_builds(workspace: &Workspace, options: &Bench, editor: &Path) -> Result<u8> {
    println!("\n=== editor build: no row slower than the engine, more or less");
    let command = engine::script(editor, &workspace.project(), SCRIPT);
    let mut worst = measure(workspace, options, command, "editor")?;
    if !options.editor_only {
        println!("\n=== release template: the goals");
        let game = Game::stage(workspace, editor, None)?;
        worst = worst.max(measure(workspace, options, game.script(SCRIPT), "release")?);
        let is_whole = options.filter.is_none() && options.form.is_none() && worst <= 1;
        if std::env::var_os("BLESS").is_some() && is_whole {
            documents::update(workspace)?;
        }
    }
    Ok(worst)
}

fn measure(workspace: &Workspace, options: &Bench, mut command: Command, name: &str) -> Result<u8> {
    command.arg("--json").arg(report(workspace, name, "json"));
    command.arg("--svg").arg(report(workspace, name, "svg"));
    command.arg("--scaling").arg(report(workspace, &format!("{name}-scaling"), "svg"));
    command.arg("--markdown").arg(report(workspace, name, "md"));
    timed(workspace, options, command, name)
}

/// Runs the selected rows; the output is kept in a log.
fn timed(workspace: &Workspace, options: &Bench, mut command: Command, name: &str) -> Result<u8> {
    command.args(options.long.then_some("--long"));
    let named = options.form.filter(|form| *form == Form::Schema).map(|_| "schema");
    command.args(options.filter.as_deref().or(named).iter().flat_map(|filter| ["--filter", filter]));
    let log = report(workspace, name, "log");
    let limit = PATIENCE * if options.long { 4 } else { 1 };
    let outcome = child::run_logging(&mut command, &log, Some(limit))?;
    if outcome.timed_out {
        eprintln!("bench: no end after {:.0} s, stopped", outcome.seconds);
    }
    let code = outcome.exit_code();
    if code > 1 {
        eprintln!("bench: what the engine said is in {}", log.display());
    }
    Ok(code)
}

/// Returns the path of a file of results.
fn report(workspace: &Workspace, name: &str, kind: &str) -> PathBuf {
    workspace.reports().join(format!("bench-{name}.{kind}"))
}

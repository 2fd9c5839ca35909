//! Runs the suites and the conformance run in an engine for the web.
//!
//! The engine is a folder with the unpacked export template, and a browser runs it.

mod browser;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::arguments::{Bench, Compare};
use crate::conformance;
use crate::cross;
use crate::engine;
use crate::engine::ALL;
use crate::files::{remove_tree, replace};
use crate::foreign::{self, MODES};
use crate::release_run;
use crate::tally::Tally;
use crate::test::suites;
use crate::workspace::Workspace;
pub(crate) use browser::run as page_run;

/// The key of the library that is tested in a browser.
const KEY: &str = "web.nothreads.wasm32";
/// The files of an export template that a page needs.
const PARTS: [&str; 3] = ["godot.js", "godot.wasm", "godot.side.wasm"];
/// The suites, and the script that only a browser needs.
const SUITES: [&str; 2] = ["res://tests/run.gd", "res://tests/web/lasting.gd"];
const PATIENCE: Duration = Duration::from_secs(1800);

/// Tells whether the library of this key is for browsers.
pub(crate) fn is_web(key: &str) -> bool {
    key.starts_with("web.")
}

/// Runs the suites once, and the conformance run in each mode of trust in the engine's memory.
pub(crate) fn in_all_modes(
    workspace: &Workspace,
    key: &str,
    named: &Path,
    library: &Path,
    options: &Compare,
) -> Result<Tally> {
    let editor = engine::find(workspace, None)?;
    let mut tally = Tally::default();
    for raw in MODES {
        println!("\n=== {key}, VARIANT_STREAM_RAW={raw}");
        let game = Game::stage(workspace, named, library, &editor, raw)?;
        if raw == ALL {
            for script in SUITES {
                tally += suites(&mut game.script(script)?, key, PATIENCE)?;
            }
        }
        tally += conformance::tally(game.script(conformance::SCRIPT)?, options)?;
    }
    Ok(tally)
}

/// Stages the game for the engine that is named, with all of its memory trusted.
pub(crate) fn game(workspace: &Workspace, options: &Bench) -> Result<Game> {
    let named = options.godot.clone().or_else(|| foreign::of_environment(KEY));
    let named = named.context("which engine? --godot or GODOT_WEB names the folder of an export template")?;
    let library = cross::stage(workspace, KEY, options.staged)?;
    Game::stage(workspace, &named, &library, &engine::find(workspace, None)?, ALL)
}

/// Holds the folder of the packed project with its library and its engine.
pub(crate) struct Game {
    folder: PathBuf,
}

impl Game {
    fn stage(workspace: &Workspace, named: &Path, library: &Path, editor: &Path, raw: &str) -> Result<Self> {
        let folder = workspace.target().join("web-game");
        remove_tree(&folder)?;
        fs::create_dir_all(&folder)?;
        for part in PARTS {
            let from = named.join(part);
            ensure!(
                from.is_file(),
                "{} is not there: unpack the export template of an engine",
                from.display()
            );
            fs::copy(&from, folder.join(part))?;
        }
        let name = library.file_name().context("a library without a name")?;
        replace(library, &folder.join(name))?;
        release_run::pack(workspace, editor, &folder.join("game.pck"), &["--raw", raw])?;
        Ok(Self { folder })
    }

    /// Returns a command of this very program that opens the browser, so that it is a child process as an
    /// engine is.
    pub(crate) fn script(&self, script: &str) -> Result<Command> {
        let mut command = Command::new(env::current_exe()?);
        command.arg("page-run").arg(&self.folder).args([script, "--"]);
        Ok(command)
    }
}

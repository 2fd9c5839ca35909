//! Web: the suites and the conformance run in an engine for the web, which is a folder with what its export template
//! unpacks to, and a browser plays.

mod browser;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::arguments::Arguments;
use crate::child::Show;
use crate::conformance;
use crate::engine;
use crate::engine::ALL;
use crate::files::{remove_tree, replace};
use crate::foreign::{self, MODES};
use crate::release_run;
use crate::tally::Tally;
use crate::test::suites;
use crate::workspace::Workspace;
pub(crate) use browser::run as page_run;

/// The library that is tried in a browser.
const KEY: &str = "web.nothreads.wasm32";
/// What an export template has, of which a page needs these.
const PARTS: [&str; 3] = ["godot.js", "godot.wasm", "godot.side.wasm"];
/// The suites, and what only a browser asks for.
const SUITES: [&str; 2] = ["res://tests/run.gd", "res://tests/web/lasting.gd"];
const PATIENCE: Duration = Duration::from_secs(1800);

/// Whether the library of this key is for browsers.
pub(crate) fn is_web(key: &str) -> bool {
    key.starts_with("web.")
}

/// The suites, and all values in each mode, in this engine.
pub(crate) fn in_all_modes(
    workspace: &Workspace,
    key: &str,
    named: &Path,
    library: &Path,
    arguments: &Arguments,
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
        let compared = conformance::compare_by(game.script(conformance::SCRIPT)?, arguments, Show::Now)?;
        let ended_well = conformance::verdict(&compared) == 0;
        tally += Tally::of_engine(&compared.lines).unwrap_or_default().judged(ended_well);
    }
    Ok(tally)
}

/// The game with all that the library has, for the engine that is named.
pub(crate) fn game(workspace: &Workspace, arguments: &Arguments) -> Result<Game> {
    let named = arguments.godot.clone().or_else(|| foreign::of_environment(KEY));
    let named = named.context("which engine? --godot or GODOT_WEB names the folder of an export template")?;
    let library = foreign::library(workspace, KEY, arguments)?;
    Game::stage(workspace, &named, &library, &engine::find(workspace, None)?, ALL)
}

/// The packed project beside its library and its engine.
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

    /// This program opens the browser, so that it is a child as an engine is.
    pub(crate) fn script(&self, script: &str) -> Result<Command> {
        let mut command = Command::new(env::current_exe()?);
        command.arg("page-run").arg(&self.folder).args([script, "--"]);
        Ok(command)
    }
}

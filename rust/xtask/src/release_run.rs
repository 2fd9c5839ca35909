//! Runs a script of the Godot project as players run games: packed, under the release template.
//!
//! That engine takes neither a project's path nor a script, so the pack's main scene starts the script that
//! the environment names.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::arguments::Compare;
use crate::build::{self, Profile, library_in};
use crate::child::{self, Show};
use crate::conformance;
use crate::engine::{self, release_template};
use crate::files::{remove_tree, replace};
use crate::tally::{Tally, unless_excused};
use crate::test;
use crate::workspace::Workspace;

/// The environment variable that `godot_project/release/door.gd` reads.
const VARIABLE: &str = "VARIANT_STREAM_SCRIPT";

/// Runs `cargo xtask release-run`; the exit code is the script's, or 3 when the run was cut off.
pub(crate) fn run(
    workspace: &Workspace,
    script: &str,
    template: Option<&Path>,
    words: &[String],
) -> Result<ExitCode> {
    build::run(workspace, Profile::Release)?;
    let editor = engine::find(workspace, None)?;
    let game = Game::stage(workspace, &editor, template)?;
    let outcome = child::run(game.script(script).args(words), Show::Now, Some(Duration::from_secs(7200)))?;
    Ok(ExitCode::from(outcome.exit_code()))
}

/// Runs the suite `release` of `cargo xtask test`: the suites that need neither the editor nor the checkout,
/// and a short conformance run. A missing template fails only the long form.
pub(crate) fn test(workspace: &Workspace, editor: &Path, long: bool) -> Result<Tally> {
    let game = Game::stage(workspace, editor, None);
    let Some(game) = unless_excused(game, long)? else { return Ok(Tally::default()) };
    let mut suites = game.script("res://tests/run.gd");
    // The template has the editor's version, so its default mode is the same.
    suites
        .arg("--again")
        .args(long.then_some("--long"))
        .envs(engine::raw_in(editor).map(|raw| (engine::RAW, raw)));
    test::in_own_folder(&mut suites, workspace, "release")?;
    let limit = Duration::from_secs(if long { 7200 } else { 1200 });
    let mut tally = test::suites(&mut suites, "release", limit)?;
    let options = Compare { cases: Some(if long { 20_000 } else { 2_000 }), ..Compare::default() };
    tally += conformance::tally(game.script(conformance::SCRIPT), &options)?;
    Ok(tally)
}

/// Packs the project by the editor; `words` are further options of `godot_project/release/pack.gd`.
pub(crate) fn pack(workspace: &Workspace, editor: &Path, file: &Path, words: &[&str]) -> Result<()> {
    let mut pack = engine::script(editor, &workspace.project(), "res://release/pack.gd");
    let packed =
        child::run(pack.arg("--to").arg(file).args(words), Show::Later, Some(Duration::from_secs(120)))?;
    ensure!(packed.success() && file.is_file(), "the project was not packed: {}", packed.text());
    Ok(())
}

/// Holds the packed project with its library and its engine, in a folder of its own.
pub(crate) struct Game {
    folder: PathBuf,
    template: release_template::Template,
}

impl Game {
    /// Packs the project by the editor, with the library that is staged in the addon.
    pub(crate) fn stage(workspace: &Workspace, editor: &Path, named: Option<&Path>) -> Result<Self> {
        let template = release_template::find(workspace, named)?;
        let folder = workspace.target().join("release-game");
        let library = library_in(Path::new("addons/variant_stream"))?;
        remove_tree(&folder)?;
        fs::create_dir_all(folder.join(&library).with_file_name(""))?;
        let game = Self { folder, template };
        fs::copy(&game.template.executable, game.executable()).context("cannot copy the template")?;
        replace(&workspace.project().join(&library), &game.folder.join(&library))?;
        pack(workspace, editor, &game.folder.join("game.pck"), &[])?;
        Ok(game)
    }

    /// Puts a library that was built in another way into the game, in the place of the staged one.
    pub(crate) fn put_library(&self, built: &Path) -> Result<()> {
        replace(built, &self.folder.join(library_in(Path::new("addons/variant_stream"))?))
    }

    /// Returns a command that starts `script`; arguments that are added to it are the script's own.
    pub(crate) fn script(&self, script: &str) -> Command {
        let mut command = self.template.start(&self.executable());
        command.current_dir(&self.folder).env(VARIABLE, script).args(["--headless", "--no-header", "--"]);
        command
    }

    /// Returns the path of the engine; by its name the engine finds the pack.
    fn executable(&self) -> PathBuf {
        self.folder.join("game").with_extension(env::consts::EXE_EXTENSION)
    }
}

//! Tests the example game as players get it, for `cargo xtask test`.
//!
//! The archive is unpacked into the game, the editor exports it with Godot's release template, and the export
//! runs without a window.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, ensure};

use super::{archive, entries, extension::Extension};
use crate::child::{self, Show};
use crate::engine::release_template::{self, Template};
use crate::files::{copy_tree, remove_tree};
use crate::tally::{Tally, unless_excused};
use crate::workspace::Workspace;

/// The path of the export inside the game's folder.
const EXPORTED: &str = "build/game.x86_64";
/// The setting that names the template, as the game's presets have it.
const NO_TEMPLATE: &str = "custom_template/release=\"\"";

/// Runs the suite. A missing template fails only the long form.
pub(crate) fn run(workspace: &Workspace, editor: &Path, long: bool) -> Result<Tally> {
    let template = release_template::find(workspace, None);
    let Some(template) = unless_excused(template, long)? else { return Ok(Tally::default()) };
    let ground = workspace.target().join(format!("example-game-{}", std::process::id()));
    remove_tree(&ground)?;
    let tally = check_all(workspace, editor, &template, &ground);
    remove_tree(&ground)?;
    tally
}

fn check_all(workspace: &Workspace, editor: &Path, template: &Template, ground: &Path) -> Result<Tally> {
    let game = stage(workspace, template, ground)?;
    let exported = export(editor, &game)?;
    let mut tally = Tally::default();
    let mut command = template.start_exported(&exported)?;
    let run = child::run(command.arg("--headless"), Show::Later, Some(Duration::from_secs(60)))?;
    let counts = Tally::of_engine(&run.lines).unwrap_or_default();
    tally += counts;
    let met = run.success() && counts.passed > 10 && Tally::red_line(&run).is_none();
    tally += Tally::expect("the exported game plays its parts", met, || run.text());
    let packed = fs::read_dir(exported.with_file_name(""))?.flatten().map(|entry| entry.file_name());
    let libraries: Vec<_> = packed.filter(|name| name.to_string_lossy().contains("variant_stream")).collect();
    tally += Tally::expect("the export brings one library along", libraries.len() == 1, || {
        format!("{libraries:?}")
    });
    for library in libraries {
        fs::remove_file(exported.with_file_name(library))?;
    }
    let mut command = template.start_exported(&exported)?;
    let run = child::run(command.arg("--headless"), Show::Later, Some(Duration::from_secs(60)))?;
    let met =
        run.code == Some(2) && run.text().contains("has no library") && !run.text().contains("SCRIPT ERROR");
    tally += Tally::expect("without its library the exported game says so", met, || run.text());
    Ok(tally)
}

/// Makes a copy of the game with the addon from the archive and a preset that names the template.
fn stage(workspace: &Workspace, template: &Template, ground: &Path) -> Result<PathBuf> {
    let game = ground.join("game");
    copy_tree(&workspace.root().join("example_game"), &game, &["addons", "build"])?;
    let extension = Extension::read(&workspace.addon())?;
    let file = ground.join("addon.zip");
    archive::write(&entries(&workspace.addon(), &extension)?, &file)?;
    archive::unpack(&file, &game)?;
    let presets = game.join("export_presets.cfg");
    let text = fs::read_to_string(&presets)?;
    ensure!(text.contains(NO_TEMPLATE), "the presets of the game name a template");
    let named = format!("custom_template/release=\"{}\"", template.engine().display());
    let arch = if env::consts::ARCH == "aarch64" { "arm64" } else { "x86_64" };
    let text = text.replace(NO_TEMPLATE, &named).replace("\"x86_64\"", &format!("\"{arch}\""));
    fs::write(presets, text)?;
    Ok(game)
}

fn export(editor: &Path, game: &Path) -> Result<PathBuf> {
    let exported = game.join(EXPORTED);
    fs::create_dir_all(exported.with_file_name(""))?;
    let mut command = Command::new(editor);
    command.args(["--headless", "--no-header", "--path"]).arg(game);
    command.args(["--export-release", "Linux", EXPORTED]);
    let run = child::run(&mut command, Show::Later, Some(Duration::from_secs(180)))?;
    ensure!(run.success() && exported.is_file(), "the game was not exported: {}", run.text());
    Ok(exported)
}

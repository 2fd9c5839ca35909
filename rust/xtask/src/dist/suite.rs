//! Tests the release archive in new projects as its users install it, for `cargo xtask test`.
//!
//! The archive is unpacked into an empty project and started for the first time in the real engine, with and
//! without the library.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Result;
use sha2::Sha256;

use super::{PLACE, archive, entries, extension::Extension, findings};
use crate::arguments::Compare;
use crate::build::{self, Profile, library_in};
use crate::child::{self, Outcome, Show};
use crate::conformance;
use crate::engine;
use crate::files::{copy_tree, remove_tree};
use crate::tally::Tally;
use crate::workspace::Workspace;

/// The engine's message when the library of a platform is missing.
const NOT_FOUND: &str = "GDExtension dynamic library not found";

/// The beginning of a warning that the binding of the library prints when an editor ends, of signals that it connected.
const WARNING_OF_BINDING: &str = "WARNING: godot-rust";

/// The exit codes with which the first opening of a project that has an extension may end: the engine crashes
/// when all is done (godot#111048).
const CRASH_AT_END: [Option<i32>; 2] = [Some(134), None];

/// The time limit of each start of the engine: it takes seconds on an idle machine and minutes on a busy one.
const PATIENCE: Duration = Duration::from_secs(600);

/// Runs the suite. `long` builds the library once more in another folder and compares the bytes.
pub(crate) fn run(workspace: &Workspace, godot: &Path, long: bool) -> Result<Tally> {
    let ground = workspace.target().join(format!("dist-suite-{}", std::process::id()));
    remove_tree(&ground)?;
    fs::create_dir_all(&ground)?;
    let mut tally = check_all(workspace, godot, &ground);
    if long && let Ok(tally) = &mut tally {
        *tally += built_again(workspace, &ground)?;
    }
    remove_tree(&ground)?;
    tally
}

/// Checks that a commit always gives the same library: it builds a copy of the sources in another folder,
/// with a target folder of its own.
fn built_again(workspace: &Workspace, ground: &Path) -> Result<Tally> {
    let copy = ground.join("elsewhere/sources");
    copy_tree(&workspace.root(), &copy, &[".git", ".godot", "target", "bin", "reports", "godot_project"])?;
    let copy = Workspace::at(copy).built_in(ground.join("elsewhere/built"));
    let there = build::compile(&copy, Profile::Release)?;
    same(
        "the same sources in another folder give the same library",
        &build::compile(workspace, Profile::Release)?,
        &there,
    )
}

fn check_all(workspace: &Workspace, godot: &Path, ground: &Path) -> Result<Tally> {
    let file = ground.join("addon.zip");
    let extension = Extension::read(&workspace.addon())?;
    let entries = entries(&workspace.addon(), &extension)?;
    let findings = findings(workspace, &extension, &entries)?;
    let mut tally = Tally::expect("the addon has no findings", findings.is_empty(), || findings.join("\n"));
    archive::write(&entries, &file)?;
    tally += same_again(&file, ground)?;
    let whole = project(workspace, &file, &ground.join("whole"))?;
    tally += with_the_library(godot, &whole)?;
    tally += driven_in_the_editor(workspace, godot, &whole)?;
    let bare = project(workspace, &file, &ground.join("bare"))?;
    fs::remove_file(library_in(&bare.join(PLACE))?)?;
    tally += without_the_library(godot, &bare)?;
    Ok(tally)
}

/// Checks that the unpacked files pack into the same bytes: neither times nor folders nor the order of a
/// listing matter.
fn same_again(file: &Path, ground: &Path) -> Result<Tally> {
    let unpacked = ground.join("again");
    archive::unpack(file, &unpacked)?;
    let only = fs::read_dir(&unpacked)?.count() == 1 && fs::read_dir(unpacked.join("addons"))?.count() == 1;
    let addon = unpacked.join(PLACE);
    let again = ground.join("again.zip");
    archive::write(&entries(&addon, &Extension::read(&addon)?)?, &again)?;
    let mut tally = Tally::expect("the archive holds the addon and nothing else", only, String::new);
    tally += same("the same files give the same archive", file, &again)?;
    Ok(tally)
}

fn same(what: &str, one: &Path, two: &Path) -> Result<Tally> {
    let (one, two) = (archive::sum::<Sha256>(one)?, archive::sum::<Sha256>(two)?);
    Ok(Tally::expect(what, one == two, || format!("{one}\n{two}")))
}

/// Makes a new project with the archive unpacked into it and the addon's editor part enabled, where nothing
/// is imported.
fn project(workspace: &Workspace, file: &Path, to: &Path) -> Result<PathBuf> {
    archive::unpack(file, to)?;
    copy_tree(&workspace.root().join("tests/first_start"), to, &[])?;
    let mut settings = "config_version=5\n".to_owned();
    if to.join(PLACE).join("plugin.cfg").is_file() {
        settings += &format!("[editor_plugins]\nenabled=PackedStringArray(\"res://{PLACE}/plugin.cfg\")\n");
    }
    fs::write(to.join("project.godot"), settings)?;
    Ok(to.to_owned())
}

fn with_the_library(godot: &Path, project: &Path) -> Result<Tally> {
    // The list that the editor writes when it finds the addon.
    fs::create_dir_all(project.join(".godot"))?;
    let list = format!("res://{PLACE}/variant_stream.gdextension\n");
    fs::write(project.join(".godot/extension_list.cfg"), list)?;
    let mut tally = Tally::default();
    let mut clean = |what: &str, run: Outcome| tally += expect(what, is_clean(&run), &run);
    clean(
        "with the list of extensions the first start knows the classes",
        start(godot, project, "named.gd")?,
    );
    remove_tree(&project.join(".godot"))?;
    let run = import(godot, project)?;
    // A process that was killed has no exit code either, so `timed_out` is checked too.
    let ended = run.success() || (CRASH_AT_END.contains(&run.code) && !run.timed_out);
    let opened = expect("the project opens", ended && Tally::red_line(&run).is_none(), &run);
    for script in ["named.gd", "guarded.gd"] {
        clean(&format!("after it was opened {script} runs"), start(godot, project, script)?);
    }
    clean("it opens again", import(godot, project)?);
    tally += opened;
    Ok(tally)
}

/// Tests in a running editor what only an editor has: undo in the inspector's form for schemas. The folder
/// tests/editor_drive holds the steps.
fn driven_in_the_editor(workspace: &Workspace, godot: &Path, project: &Path) -> Result<Tally> {
    copy_tree(&workspace.root().join("tests/editor_drive"), &project.join("drive"), &[])?;
    let settings = project.join("project.godot");
    let enabled = fs::read_to_string(&settings)?.replace(".cfg\")", ".cfg\", \"res://drive/plugin.cfg\")");
    fs::write(&settings, enabled)?;
    let run = opened(godot, project, &["--editor", "++", "--drive"])?;
    let counts = Tally::of_engine(&run.lines).unwrap_or_default();
    if !is_clean(&run) || counts.failed > 0 {
        println!("{}", run.text());
    }
    println!("{counts} in the editor");
    Ok(counts.judged(is_clean(&run)))
}

fn without_the_library(godot: &Path, project: &Path) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut says = |what: &str, words: &str, ended: bool, run: &Outcome| {
        let met = ended && run.text().contains(words) && !run.text().contains("SCRIPT ERROR");
        tally += expect(what, met, run);
    };
    for time in ["first", "second"] {
        let run = import(godot, project)?;
        says(
            &format!("without the library the project opens, the {time} time"),
            NOT_FOUND,
            run.success(),
            &run,
        );
    }
    let run = start(godot, project, "guarded.gd")?;
    says("a game that asks first runs without the library", "without the library", run.success(), &run);
    let run = start(godot, project, "named.gd")?;
    tally +=
        expect("one that does not is told so", !run.success() && run.text().contains("VariantStream"), &run);
    let command = engine::script(godot, project, conformance::SCRIPT);
    let run = conformance::compare(command, &Compare::default(), Show::Later)?;
    tally += expect("its conformance run ends with 2", run.code == Some(2), &run);
    Ok(tally)
}

fn expect(what: &str, met: bool, run: &Outcome) -> Tally {
    Tally::expect(what, met, || run.text())
}

fn start(godot: &Path, project: &Path, script: &str) -> Result<Outcome> {
    // `--quit-after` ends the engine's loop, which a script that does not parse leaves running.
    opened(godot, project, &["--quit-after", "60", "-s", &format!("res://{script}")])
}

fn import(godot: &Path, project: &Path) -> Result<Outcome> {
    opened(godot, project, &["--import"])
}

/// Runs the engine in a project.
fn opened(godot: &Path, project: &Path, words: &[&str]) -> Result<Outcome> {
    let mut command = Command::new(godot);
    command.args(["--headless", "--no-header", "--path"]).arg(project).args(words);
    child::run(&mut command, Show::Later, Some(PATIENCE))
}

fn is_clean(run: &Outcome) -> bool {
    run.success() && Tally::red_line(run).is_none() && !run.text().contains(WARNING_OF_BINDING)
}

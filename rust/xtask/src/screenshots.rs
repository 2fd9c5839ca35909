//! Takes the pictures of README and docs, for `cargo xtask screenshots`.
//!
//! They show the editor in its dark and light theme, and the demo; tests/shots and the demo choose the
//! scenes. `cargo xtask test --long` takes them too, to test that the editor draws.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::build::{self, Profile};
use crate::child::{self, Outcome, Show};
use crate::engine::{self, window::Window};
use crate::files::{copy_tree, remove_tree};
use crate::tally::{Tally, ended};
use crate::workspace::Workspace;

const THEMES: [(&str, &str); 2] = [("dark", "Default"), ("light", "Light")];
/// The demo's own script for its pictures, which is run if it is there.
const DEMO: &str = "demo/shots.gd";
const SHRINK: &str = "res://shots/shrink.gd";

/// Takes all pictures, shrinks them and puts them into docs/pictures.
pub(crate) fn run(workspace: &Workspace, godot: Option<&Path>) -> Result<ExitCode> {
    build::run(workspace, Profile::Release)?;
    let window = Window::open(workspace, godot)?;
    let studio = Studio::set_up(workspace)?;
    let taken = studio.take(workspace, &window, Show::Now)?;
    ensure!(taken.failed == 0, "not all pictures could be taken");
    let mut shrink = engine::script(window.godot(), &studio.project(), SHRINK);
    shrink.arg(studio.pictures()).arg(workspace.root().join("docs/pictures"));
    let outcome = child::run(&mut shrink, Show::Now, Some(Duration::from_secs(600)))?;
    println!("{} pictures in docs/pictures", taken.passed);
    ended(outcome.success())
}

/// Runs the suite `window` of `cargo xtask test --long`: every picture can be taken, and no error is logged
/// meanwhile.
pub(crate) fn test(workspace: &Workspace) -> Result<Tally> {
    let window = Window::open(workspace, None)?;
    Studio::set_up(workspace)?.take(workspace, &window, Show::Later)
}

/// Holds the path of a folder with the project that is photographed, a home for each theme, and the pictures
/// in full size.
struct Studio(PathBuf);

impl Studio {
    fn set_up(workspace: &Workspace) -> Result<Self> {
        let studio = Self(workspace.target().join("screenshots"));
        remove_tree(&studio.0)?;
        let project = studio.project();
        copy_tree(&workspace.addon(), &project.join("addons/variant_stream"), &[])?;
        let shots = workspace.root().join("tests/shots");
        copy_tree(&shots, &project.join("shots"), &["project.godot"])?;
        let starter = workspace.project().join("tests/load/engine_process.gd");
        fs::copy(starter, project.join("shots/engine_process.gd")).context("engine_process.gd")?;
        // The debugger's server waits for a game, as with "Keep Debug Server Open".
        fs::create_dir_all(project.join(".godot/editor"))?;
        let metadata = "[debug_options]\n\nserver_keep_open=true\n";
        fs::write(project.join(".godot/editor/project_metadata.cfg"), metadata)?;
        fs::copy(shots.join("project.godot"), project.join("project.godot")).context("project.godot")?;
        let list = ".godot/extension_list.cfg";
        fs::copy(workspace.project().join(list), project.join(list)).context(list)?;
        fs::create_dir_all(studio.pictures())?;
        for (theme, preset) in THEMES {
            let settings = format!(
                "[gd_resource type=\"EditorSettings\" format=3]\n\n[resource]\ninterface/theme/color_preset = \"{preset}\"\n"
            );
            let folder = studio.home(theme).join("config/godot");
            fs::create_dir_all(&folder)?;
            // Each version of the editor has a settings file of its own, and takes over the file of the
            // version before.
            for version in ["4.3", "4.4", "4.5", "4.6", "4.7"] {
                fs::write(folder.join(format!("editor_settings-{version}.tres")), &settings)?;
            }
        }
        Ok(studio)
    }

    fn project(&self) -> PathBuf {
        self.0.join("project")
    }

    fn pictures(&self) -> PathBuf {
        self.0.join("pictures")
    }

    fn home(&self, theme: &str) -> PathBuf {
        self.0.join(format!("home-{theme}"))
    }

    /// Takes the pictures and counts them; a run that logs an error counts as failed.
    fn take(&self, workspace: &Workspace, window: &Window, show: Show) -> Result<Tally> {
        let mut tally = Tally::new(0, 0);
        for (theme, _) in THEMES {
            let mut editor = window.command(&self.home(theme));
            editor.args(["--editor", "--resolution", "1600x1000", "--path"]).arg(self.project());
            editor.args(["++", "--shots"]).arg(self.pictures()).arg(theme);
            let outcome = child::run(&mut editor, show, Some(Duration::from_secs(600)))?;
            tally += self.judged(&outcome, theme)?;
        }
        if workspace.project().join(DEMO).is_file() {
            let mut demo = window.command(&self.home("dark"));
            demo.arg("--path").arg(workspace.project()).args(["-s", &format!("res://{DEMO}"), "--"]);
            let outcome = child::run(demo.arg(self.pictures()), show, Some(Duration::from_secs(600)))?;
            tally += self.judged(&outcome, "demo_")?;
        }
        Ok(tally)
    }

    fn judged(&self, outcome: &Outcome, part_of_name: &str) -> Result<Tally> {
        let complaint = complaint(&outcome.lines);
        if let Some(line) = complaint {
            eprintln!("screenshots: red because of: {line}");
        }
        let pictures = pictures_in(&self.pictures(), part_of_name)?;
        let has_ended_well = outcome.success() && complaint.is_none() && pictures > 0;
        Ok(Tally::new(pictures, 0).judged(has_ended_well))
    }
}

/// Returns the first error that was logged. A missing Vulkan is no error: the editor looks for it in any
/// case.
fn complaint(lines: &[String]) -> Option<&String> {
    let about_vulkan = |at: usize| lines.get(at + 1).is_some_and(|place| place.contains("drivers/vulkan/"));
    let errors = lines.iter().enumerate().filter(|(_, line)| line.contains("ERROR:"));
    errors.filter(|(at, _)| !about_vulkan(*at)).map(|(_, line)| line).next()
}

/// Counts the pictures whose names contain `part_of_name`.
fn pictures_in(folder: &Path, part_of_name: &str) -> Result<u64> {
    let names = fs::read_dir(folder)?.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let is_demo = part_of_name.starts_with("demo_");
    let pictures = names.filter(|name| {
        name.ends_with(".png") && name.contains(part_of_name) && name.starts_with("demo_") == is_demo
    });
    Ok(pictures.count() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_found_but_for_vulkans() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(complaint(&lines("ERROR: no surface\n   at: x (drivers/vulkan/y.cpp:1)\npicture")), None);
        let bad = lines("ERROR: no surface\n   at: x (drivers/vulkan/y.cpp:1)\nSCRIPT ERROR: z\n   at: f");
        assert_eq!(complaint(&bad).map(String::as_str), Some("SCRIPT ERROR: z"));
    }
}

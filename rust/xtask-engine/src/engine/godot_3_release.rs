//! Runs the engine of an exported Godot 3 game, from Debian's packages, on a screen of its own.
//!
//! That engine writes a null object in another way than an editor's build. It always opens a window, so it
//! comes with a screen and Mesa's software OpenGL.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::screen::Screen;
use super::{Progress, announce, debian, launcher, packages, version_of};
use crate::workspace::Workspace;

/// Holds the folder of an engine and its screen, which ends when this is dropped.
pub struct Release {
    folder: PathBuf,
    screen: Screen,
}

impl Release {
    /// Finds the cached one, else installs a new one.
    ///
    /// # Errors
    /// Fails if there is no engine or no screen.
    pub fn open(workspace: &Workspace) -> Result<Self> {
        let installed = packages::cached_or_new(
            &workspace.target(),
            "engine3_release",
            |folder| {
                let version = version_of(&mut Command::new(launcher::path_in(folder)))?;
                ensure!(version.is_godot_3(), "it is Godot {version}, a Godot 3 is needed");
                Ok(version)
            },
            |part| {
                debian::install(&debian::GODOT_3_RELEASE, part, &Progress::start())
                    .context("no release template of Godot 3 from Debian's packages")
            },
        )?;
        announce(launcher::path_in(&installed.folder), installed.told, installed.origin);
        Ok(Self { folder: installed.folder, screen: Screen::open(workspace)? })
    }

    /// Runs a script of a Godot 3 project.
    pub fn script(&self, project: &Path, script: &str) -> Command {
        let mut command = Command::new(launcher::path_in(&self.folder));
        command.args(["--video-driver", "GLES2", "--audio-driver", "Dummy", "--path"]).arg(project);
        command.args(["-s", script]);
        command.env("DISPLAY", self.screen.display()).env("LIBGL_ALWAYS_SOFTWARE", "1");
        debian::software_graphics(&mut command, &self.folder.join("root"));
        command
    }
}

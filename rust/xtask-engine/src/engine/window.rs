//! Runs an engine that draws windows where there is no screen and no graphics card: under Xvfb, with software
//! OpenGL.
//!
//! It is the engine that is named, with the system's OpenGL; else one from Debian's packages, with Mesa from
//! there.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::screen::Screen;
use super::{Progress, accept, announce, check, debian, launcher, packages};
use crate::workspace::Workspace;

/// Holds an engine and its screen, which ends when this is dropped.
pub struct Window {
    godot: PathBuf,
    /// The folder into which Debian's packages are unpacked; `None` when the engine was named.
    root: Option<PathBuf>,
    screen: Screen,
}

impl Window {
    /// Opens a screen for the engine that is named, else the cached one, else a new install.
    pub fn open(workspace: &Workspace, named: Option<&Path>) -> Result<Self> {
        let (godot, root) = match named {
            Some(godot) => (accept(godot, "--godot")?, None),
            None => {
                let folder = cached_or_new(&workspace.target())?;
                (launcher::path_in(&folder), Some(folder.join("root")))
            }
        };
        Ok(Self { godot, root, screen: Screen::open(workspace)? })
    }

    /// Returns the command that starts the engine with a window; `home` is a folder for everything that it
    /// keeps about its user.
    pub fn command(&self, home: &Path) -> Command {
        let mut command = Command::new(&self.godot);
        command.args(["--rendering-driver", "opengl3", "--audio-driver", "Dummy"]);
        command.env("DISPLAY", self.screen.display()).env("HOME", home).env("LIBGL_ALWAYS_SOFTWARE", "1");
        for (name, folder) in [("CONFIG", "config"), ("DATA", "data"), ("CACHE", "cache")] {
            command.env(format!("XDG_{name}_HOME"), home.join(folder));
        }
        if let Some(root) = &self.root {
            debian::software_graphics(&mut command, root);
        }
        command
    }

    /// Returns the engine itself, to run without a window.
    pub fn godot(&self) -> &Path {
        &self.godot
    }
}

fn cached_or_new(target: &Path) -> Result<PathBuf> {
    let installed = packages::cached_or_new(
        target,
        "window",
        |folder| check(&launcher::path_in(folder)),
        |part| {
            debian::install(&debian::WINDOW, part, &Progress::start())
                .context("no engine with a window from Debian's packages; name one with --godot")
        },
    )?;
    announce(launcher::path_in(&installed.folder), installed.told, installed.origin);
    Ok(installed.folder)
}

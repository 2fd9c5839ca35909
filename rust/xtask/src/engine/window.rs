//! Runs engines that draw windows where there is no screen and no graphics card: under Xvfb, with software OpenGL.
//!
//! The screen is the system's Xvfb.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::{accept, check, check_3, debian, launcher_in};
use crate::workspace::Workspace;

/// The size of the screen, all of which the editor's window takes.
const SIZE: &str = "1600x1000x24";

/// Holds an engine and its screen, which ends when this is dropped.
pub(crate) struct Window {
    godot: PathBuf,
    /// The folder into which Debian's packages are unpacked; `None` when the engine was named.
    root: Option<PathBuf>,
    screen: Screen,
}

impl Window {
    /// Opens a screen for the engine that is named, which draws by the system's OpenGL, else for one from Debian's packages.
    pub(crate) fn open(workspace: &Workspace, option: Option<&Path>) -> Result<Self> {
        let (godot, root) = match option {
            Some(godot) => (accept(godot, "--godot", check)?, None),
            None => {
                let check = |folder: &Path| check(&launcher_in(folder));
                let installed = debian::cached(workspace, "window", &debian::WINDOW, check)
                    .context("no engine with a window from Debian's packages; name one with --godot")?;
                let root = installed.folder.join("root");
                (installed.announced(), Some(root))
            }
        };
        Ok(Self { godot, root, screen: Screen::open()? })
    }

    /// Opens a screen for the engine of an exported Godot 3 game, which writes a null object in another way than an editor's
    /// build, and always opens a window.
    pub(crate) fn of_godot_3_release(workspace: &Workspace) -> Result<Self> {
        let check = |folder: &Path| check_3(&launcher_in(folder));
        let installed = debian::cached(workspace, "engine3_release", &debian::GODOT_3_RELEASE, check)?;
        let root = installed.folder.join("root");
        Ok(Self { godot: installed.announced(), root: Some(root), screen: Screen::open()? })
    }

    /// Returns the command that starts the engine with a window; `home` is a folder for everything that it
    /// keeps about its user.
    pub(crate) fn command(&self, home: &Path) -> Command {
        let mut command = self.drawing(["--rendering-driver", "opengl3"]);
        command.env("HOME", home);
        for (name, folder) in [("CONFIG", "config"), ("DATA", "data"), ("CACHE", "cache")] {
            command.env(format!("XDG_{name}_HOME"), home.join(folder));
        }
        command
    }

    /// Returns the command that runs a script of a Godot 3 project.
    pub(crate) fn godot_3_script(&self, project: &Path, script: &str) -> Command {
        let mut command = self.drawing(["--video-driver", "GLES2"]);
        command.arg("--path").arg(project).args(["-s", script]);
        command
    }

    /// Returns the engine itself, to run without a window.
    pub(crate) fn godot(&self) -> &Path {
        &self.godot
    }

    fn drawing(&self, driver: [&str; 2]) -> Command {
        let mut command = Command::new(&self.godot);
        command.args(driver).args(["--audio-driver", "Dummy"]);
        command.env("DISPLAY", &self.screen.display).env("LIBGL_ALWAYS_SOFTWARE", "1");
        if let Some(root) = &self.root {
            debian::software_graphics(&mut command, root);
        }
        command
    }
}

/// Holds the server of a screen, which ends when this is dropped.
#[derive(Debug)]
struct Screen {
    server: Child,
    /// The value of the variable DISPLAY for programs.
    display: String,
}

impl Screen {
    /// Starts Xvfb, which chooses a free display and says which.
    fn open() -> Result<Self> {
        let mut xvfb = Command::new("Xvfb");
        xvfb.args(["-displayfd", "1", "-screen", "0", SIZE, "-nolisten", "tcp"]);
        xvfb.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let server =
            xvfb.spawn().context("there is no Xvfb: `.ci/install --long`, or `apt-get install xvfb`")?;
        let mut screen = Self { server, display: ":".to_owned() };
        if let Some(output) = screen.server.stdout.take() {
            BufReader::new(output).read_line(&mut screen.display)?;
        }
        screen.display.truncate(screen.display.trim_end().len());
        ensure!(screen.display[1..].parse::<u32>().is_ok(), "Xvfb did not start");
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

//! Finds the release template, the engine that players run, which starts only a packed project.
//!
//! It is the one that is named, else Debian's under the target folder. There is no other source: the official
//! templates are a download of a gigabyte.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{cached_or_new, debian, named, say, usable};
use crate::workspace::Workspace;

/// The environment variable that names a release template which runs by itself, such as an official one.
const VARIABLE: &str = "GODOT_RELEASE_TEMPLATE";

/// Describes how to start a packed project. The pack and its libraries are looked up beside the file that is
/// executed.
#[derive(Debug)]
pub(crate) struct Template {
    /// The file to copy beside the pack: the template, or the loader that starts it.
    pub(crate) executable: PathBuf,
    /// The arguments before the engine's own.
    leading: Vec<OsString>,
}

impl Template {
    pub(super) fn started_by(loader: PathBuf, leading: Vec<OsString>) -> Self {
        Self { executable: loader, leading }
    }

    /// Returns the command that starts the copy of the executable at `game`.
    pub(crate) fn start(&self, game: &Path) -> Command {
        let mut command = Command::new(game);
        command.args(&self.leading);
        command
    }

    /// Returns the template itself, which the editor needs for an export.
    pub(crate) fn engine(&self) -> PathBuf {
        self.leading.last().map_or_else(|| self.executable.clone(), PathBuf::from)
    }

    /// Returns the command that starts a game which the editor exported to `file`. The engine finds the pack
    /// by the file's name, so a loader is put beside it under that name without its ending.
    pub(crate) fn start_exported(&self, file: &Path) -> Result<Command> {
        let Some((_, leading)) = self.leading.split_last() else {
            return Ok(Command::new(file));
        };
        let loader = file.with_extension("");
        fs::copy(&self.executable, &loader).context("cannot copy the loader")?;
        let mut command = Command::new(loader);
        command.args(leading).arg(file);
        Ok(command)
    }

    /// Says which template it is; an error says why it is not usable.
    fn checked(self, by: &str) -> Result<Self> {
        say(&format!("release template of Godot {} from {by}", usable(&mut self.start(&self.executable))?));
        Ok(self)
    }
}

/// Returns the template that is named, else the one beside the editor's cached copy, else a cached one of its own, else a new
/// install.
pub(crate) fn find(workspace: &Workspace, option: Option<&Path>) -> Result<Template> {
    if let Some((binary, by)) = named(option, VARIABLE) {
        let template = Template::started_by(std::path::absolute(&binary)?, Vec::new());
        return template.checked(by).with_context(|| format!("{by} names {}", binary.display()));
    }
    let target = workspace.target();
    let checked = |folder: &Path| debian::template_in(folder)?.checked("Debian's packages");
    if let Ok(template) = checked(&target.join("engine")) {
        return Ok(template);
    }
    let install = |part: &Path| debian::install(&debian::RELEASE_TEMPLATE, part);
    debian::template_in(&cached_or_new(&target, "engine_release", checked, install)?.folder)
}

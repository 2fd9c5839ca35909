//! What players run: the release template, which starts only a packed project. The one that is named, else Debian's
//! under the target folder. There is no other source: the official templates are a download of a gigabyte.

use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::version::Version;
use super::{Progress, debian};
use crate::child::{self, Show};
use crate::files::remove_tree;
use crate::workspace::Workspace;

/// Names a release template that runs by itself, such as one of the official ones.
const VARIABLE: &str = "GODOT_RELEASE_TEMPLATE";

/// How to start a packed project. The pack and its libraries are looked up beside the file that is executed.
#[derive(Debug)]
pub(crate) struct Template {
    /// To be copied beside the pack: the template, or the loader that starts it.
    pub(crate) executable: PathBuf,
    /// What comes before the engine's own arguments.
    leading: Vec<OsString>,
}

impl Template {
    pub(super) fn started_by(loader: PathBuf, leading: Vec<OsString>) -> Self {
        Self { executable: loader, leading }
    }

    /// Starts the copy of the executable at `game`.
    pub(crate) fn start(&self, game: &Path) -> Command {
        let mut command = Command::new(game);
        command.args(&self.leading);
        command
    }

    /// The template itself, as the editor wants it for an export.
    pub(crate) fn engine(&self) -> PathBuf {
        self.leading.last().map_or_else(|| self.executable.clone(), PathBuf::from)
    }

    /// Starts a game that the editor exported to `file`; the pack is looked for by the file's name. A loader is put
    /// beside it, under that name without its ending.
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
}

/// The named one, else the cached one, else a new install.
pub(crate) fn find(workspace: &Workspace, named: Option<&Path>) -> Result<Template> {
    let of_environment = env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
    let chosen = named.map(|path| (path.to_owned(), "--godot"));
    if let Some((binary, by)) = chosen.or(of_environment.map(|path| (path, VARIABLE))) {
        let template = Template::started_by(std::path::absolute(&binary)?, Vec::new());
        return announce(template, by).with_context(|| format!("{by} names {}", binary.display()));
    }
    cached_or_new(&workspace.target())
}

fn cached_or_new(target: &Path) -> Result<Template> {
    let beside_editor = debian::template_in(&target.join("engine"));
    let folder = target.join("engine_release");
    fs::create_dir_all(target)?;
    let lock = File::create(target.join("engine_release.lock"))?;
    lock.lock().context("cannot lock the folder of the release template")?;
    for template in [beside_editor, debian::template_in(&folder)].into_iter().flatten() {
        if let Ok(template) = announce(template, "the cache") {
            return Ok(template);
        }
    }
    let part = target.join("engine_release.part");
    remove_tree(&part)?;
    fs::create_dir_all(&part)?;
    debian::install(&debian::RELEASE_TEMPLATE, &part, &Progress::start())
        .context("no release template from Debian's packages")?;
    remove_tree(&folder)?;
    fs::rename(&part, &folder).context("cannot put the release template in its place")?;
    announce(debian::template_in(&folder)?, "Debian's packages")
}

fn announce(template: Template, by: &str) -> Result<Template> {
    let mut command = template.start(&template.executable);
    let outcome =
        child::run(command.args(["--headless", "--version"]), Show::Later, Some(Duration::from_secs(60)))?;
    let Some(version) = outcome.lines.iter().find_map(|line| Version::read(line)) else {
        bail!("it did not answer --version with a version: {}", outcome.text());
    };
    if version < Version::MINIMUM {
        bail!("it is Godot {version}, at least {} is needed", Version::MINIMUM);
    }
    eprintln!("engine: release template of Godot {version} from {by}");
    Ok(template)
}

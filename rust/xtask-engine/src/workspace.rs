//! Where things lie in this repository. Knows names of folders, creates nothing.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

/// The checkout these commands work on.
#[derive(Debug)]
pub struct Workspace {
    root: PathBuf,
    /// Where to build, when that is not cargo's own choice.
    target: Option<PathBuf>,
}

impl Workspace {
    /// Found at run time, so that a moved checkout needs no rebuild.
    pub fn find() -> Result<Self> {
        let start = match env::var_os("CARGO_MANIFEST_DIR") {
            Some(manifest) => PathBuf::from(manifest),
            None => env::current_dir()?,
        };
        let root = start.ancestors().find(|folder| folder.join("rust/xtask/Cargo.toml").is_file());
        let root = root.with_context(|| format!("no workspace around {}", start.display()))?;
        Ok(Self { root: root.to_owned(), target: None })
    }

    /// Builds into another target folder.
    pub fn built_in(self, target: PathBuf) -> Self {
        Self { target: Some(target), ..self }
    }

    /// A copy of the checkout that a check works on.
    pub fn at(root: PathBuf) -> Self {
        Self { root, target: None }
    }

    /// The folder that holds the workspace's manifest.
    pub fn root(&self) -> PathBuf {
        self.root.clone()
    }

    /// Cargo's target folder; also ours, for the engine and for copies that checks work on.
    pub fn target(&self) -> PathBuf {
        match (&self.target, env::var_os("CARGO_TARGET_DIR")) {
            (Some(target), _) => target.clone(),
            (None, Some(target)) => self.root.join(target),
            (None, None) => self.root.join("target"),
        }
    }

    /// The folder `addons`.
    pub fn addons(&self) -> PathBuf {
        self.root.join("addons")
    }

    /// The addon that games get.
    pub fn addon(&self) -> PathBuf {
        self.addons().join("variant_stream")
    }

    /// The Godot project with suites, bench and demo.
    pub fn project(&self) -> PathBuf {
        self.root.join("godot_project")
    }

    /// The recorded values of real engines.
    pub fn golden(&self) -> PathBuf {
        self.root.join("tests/golden")
    }

    /// The project for Godot 3.
    pub fn godot_3(&self) -> PathBuf {
        self.root.join("tests/godot3")
    }

    /// The folder that commands write reports to.
    pub fn reports(&self) -> PathBuf {
        self.root.join("reports")
    }

    /// Cargo itself, at the root and without colours: its closing lines are read.
    pub fn cargo(&self) -> Command {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(&self.root).env("CARGO_TERM_COLOR", "never");
        cargo
    }
}

//! Knows the folders and files of this repository. It creates nothing.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

/// Describes the checkout that the commands work on.
#[derive(Debug)]
pub(crate) struct Workspace {
    root: PathBuf,
    /// The target folder, when it is not cargo's own choice.
    target: Option<PathBuf>,
}

impl Workspace {
    /// Finds the checkout at run time, so that it can be moved without a rebuild.
    pub(crate) fn find() -> Result<Self> {
        let start = match env::var_os("CARGO_MANIFEST_DIR") {
            Some(manifest) => PathBuf::from(manifest),
            None => env::current_dir()?,
        };
        let root = start.ancestors().find(|folder| folder.join("rust/xtask/Cargo.toml").is_file());
        let root = root.with_context(|| format!("no workspace around {}", start.display()))?;
        Ok(Self { root: root.to_owned(), target: None })
    }

    /// Sets another target folder.
    pub(crate) fn built_in(self, target: PathBuf) -> Self {
        Self { target: Some(target), ..self }
    }

    /// Makes a workspace of a copy of the checkout at `root`.
    pub(crate) fn at(root: PathBuf) -> Self {
        Self { root, target: None }
    }

    /// Returns the folder that holds the workspace's manifest.
    pub(crate) fn root(&self) -> PathBuf {
        self.root.clone()
    }

    /// Returns cargo's target folder. It also holds the engine and the copies that checks work on.
    pub(crate) fn target(&self) -> PathBuf {
        match (&self.target, env::var_os("CARGO_TARGET_DIR")) {
            (Some(target), _) => target.clone(),
            (None, Some(target)) => self.root.join(target),
            (None, None) => self.root.join("target"),
        }
    }

    /// Returns the folder of the addon that games get.
    pub(crate) fn addon(&self) -> PathBuf {
        self.root.join("addons/variant_stream")
    }

    /// Returns the Godot project with suites, bench and demo.
    pub(crate) fn project(&self) -> PathBuf {
        self.root.join("godot_project")
    }

    /// Returns the folder with the recorded values of real engines.
    pub(crate) fn golden(&self) -> PathBuf {
        self.root.join("tests/golden")
    }

    /// Returns the folder that commands write reports to.
    pub(crate) fn reports(&self) -> PathBuf {
        self.root.join("reports")
    }

    /// Returns a cargo command at the root and without colours, because its closing lines are read.
    pub(crate) fn cargo(&self) -> Command {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(&self.root).env("CARGO_TERM_COLOR", "never");
        cargo
    }
}

/// Returns the compiler that cargo uses.
pub(crate) fn rustc() -> Command {
    Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

//! Checks the rules of the house that no linter knows, for `cargo xtask tidy`. It reads files and changes
//! none.

mod code;
mod count;
mod cycles;
mod first_words;
mod functions;
mod joined;
mod layers;
mod locks;
mod modules;
mod oldest;
mod shape;
mod unsafety;
mod versions;
mod words;

use std::fmt;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::workspace::Workspace;

/// The folders that others made or that are made again; `.git` is a file in a work tree of its own.
const SKIPPED: [&str; 5] = ["target", ".git", ".godot", "bin", "reports"];

/// The copies that `cargo xtask build` makes: the staged golden files, and the addons where the system has no
/// links.
const STAGED: [&str; 2] = ["addons/variant_stream/ci/golden", "godot_project/addons"];

/// Checks all files; with `counts` it prints what is counted instead.
pub(crate) fn run(workspace: &Workspace, counts: bool) -> Result<ExitCode> {
    let files = files(workspace)?;
    if counts {
        count::print(&files);
        return Ok(ExitCode::SUCCESS);
    }
    let findings = check(&files);
    for finding in &findings {
        println!("{finding}");
    }
    println!("tidy: {} files, {} findings", files.len(), findings.len());
    Ok(if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns all text files of the repository, sorted by path.
pub(crate) fn files(workspace: &Workspace) -> Result<Vec<File>> {
    let mut files = Vec::new();
    read_tree(&workspace.root(), "", &mut files)?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn check(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files {
        findings.extend(shape::check(file));
        findings.extend(words::check(file));
        findings.extend(first_words::check(file));
        findings.extend(unsafety::check(file));
        findings.extend(layers::check(file));
        findings.extend(locks::check(file));
        findings.extend(modules::check(file));
        findings.extend(oldest::check(file));
    }
    findings.extend(functions::check(files));
    findings.extend(joined::check(files));
    findings.extend(versions::check(files));
    findings.extend(count::check(files));
    findings
}

/// Holds a text file of the repository.
#[derive(Debug)]
pub(crate) struct File {
    /// The path relative to the root, with `/` on every system.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl File {
    fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// Tells whether the file is a test. Tests may be long and may import anything.
    fn is_test(&self) -> bool {
        self.path.split('/').any(|part| part == "tests" || part == "tests.rs")
    }

    fn finding(&self, line: usize, what: impl Into<String>) -> Finding {
        Finding { path: self.path.clone(), line, what: what.into() }
    }

    #[cfg(test)]
    pub(crate) fn sample(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Finding {
    path: String,
    /// The line, counted from 1; 0 when the whole file is meant.
    line: usize,
    what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.what),
            line => write!(f, "{}:{line}: {}", self.path, self.what),
        }
    }
}

fn read_tree(root: &Path, below: &str, files: &mut Vec<File>) -> Result<()> {
    let folder = root.join(below);
    for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
        let kind = entry.file_type()?;
        if SKIPPED.contains(&name.as_str()) || STAGED.contains(&path.as_str()) {
            continue;
        }
        if kind.is_dir() {
            read_tree(root, &path, files)?;
        } else if kind.is_file() {
            // A file that is not text has no lines to check.
            if let Ok(text) = fs::read_to_string(entry.path()) {
                files.push(File { path, text });
            }
        }
    }
    Ok(())
}

//! Checks the rules of the house that no linter knows, for `cargo xtask tidy`. It reads files and changes
//! none.

mod code;
mod count;
mod first_words;
mod layers;
mod modules;
mod patterns;
mod shape;
mod versions;

use std::cell::OnceCell;
use std::fmt;
use std::fs;
use std::process::ExitCode;

use anyhow::Result;
use regex::Regex;
use walkdir::WalkDir;

use crate::tally::ended;
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
    ended(findings.is_empty())
}

/// Returns all text files of the repository, sorted by path.
pub(crate) fn files(workspace: &Workspace) -> Result<Vec<File>> {
    let root = workspace.root();
    let path_of = |entry: &walkdir::DirEntry| {
        let path = entry.path().strip_prefix(&root).unwrap_or(entry.path());
        path.to_string_lossy().replace('\\', "/")
    };
    let is_ours = |entry: &walkdir::DirEntry| {
        !SKIPPED.iter().any(|name| entry.file_name() == *name) && !STAGED.contains(&path_of(entry).as_str())
    };
    let mut files = Vec::new();
    for entry in WalkDir::new(&root).min_depth(1).into_iter().filter_entry(is_ours) {
        let entry = entry?;
        // A file that is not text has no lines to check.
        if entry.file_type().is_file()
            && let Ok(text) = fs::read_to_string(entry.path())
        {
            files.push(File { path: path_of(&entry), text, code: OnceCell::new() });
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap_or_else(|error| panic!("{error}"))
}

fn check(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files {
        for rule in [shape::check, first_words::check, layers::check, modules::check, patterns::check] {
            findings.extend(rule(file));
        }
    }
    findings.extend(shape::check_joined(files));
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
    code: OnceCell<String>,
}

impl File {
    fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// Tells whether the file is a test. Tests may be long and may import anything.
    fn is_test(&self) -> bool {
        self.path.split('/').any(|part| part == "tests" || part == "tests.rs")
    }

    /// Returns the code of a Rust file, and all of another.
    fn code(&self) -> &str {
        if !self.path.ends_with(".rs") {
            return &self.text;
        }
        self.code.get_or_init(|| code::only(&self.text))
    }

    fn finding(&self, line: usize, what: impl Into<String>) -> Finding {
        Finding { path: self.path.clone(), line, what: what.into() }
    }

    #[cfg(test)]
    pub(crate) fn sample(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned(), code: OnceCell::new() }
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

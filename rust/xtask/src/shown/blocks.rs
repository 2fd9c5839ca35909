//! Finds the commands in the documents' `sh` blocks and every command of xtask that they name. It runs none.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The folders in which there are no documents of ours.
const SKIPPED: [&str; 5] = ["target", ".git", ".godot", "node_modules", "reports"];

/// Holds a command and where it stands.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) document: PathBuf,
    pub(super) line: usize,
    pub(super) command: String,
}

/// Returns every Markdown file of the checkout; the addon's files only once, though the project has a link to
/// it.
pub(super) fn documents(root: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            if kind.is_dir() && !SKIPPED.iter().any(|name| entry.file_name() == *name) {
                folders.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Returns the commands of a text's `sh` blocks: without comments, each in one line, with single spaces
/// between words.
pub(super) fn commands(document: &Path, text: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let (mut is_inside, mut goes_on) = (false, false);
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            is_inside = line == "```sh";
            continue;
        }
        let code = line.split(" # ").next().unwrap_or_default().trim_end();
        if !is_inside || code.trim().is_empty() {
            continue;
        }
        let (words, continues) = match code.strip_suffix('\\') {
            Some(words) => (words, true),
            None => (code, false),
        };
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        match found.last_mut().filter(|_| goes_on) {
            Some(begun) => begun.command = format!("{} {words}", begun.command),
            None => found.push(Shown { document: document.to_owned(), line: number + 1, command: words }),
        }
        goes_on = continues;
    }
    found
}

/// Returns the text behind each `cargo xtask` up to the end of the command: in a sentence, a block or a
/// workflow.
pub(super) fn tasks(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines() {
        for rest in line.split("cargo xtask ").skip(1) {
            let end = rest.find(['`', '|', ')', ';', '>']).unwrap_or(rest.len());
            let task = [" # ", ": "]
                .iter()
                .fold(&rest[..end], |task, mark| task.split(*mark).next().unwrap_or(task))
                .trim();
            // A usage line such as `<command>` stands for other commands.
            if !task.is_empty() && !task.starts_with('<') {
                found.push(task.to_owned());
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::table::{Fate, TABLE};
    use super::*;
    use crate::arguments::Task;
    use crate::workspace::Workspace;

    fn all() -> Vec<(PathBuf, String)> {
        let root = Workspace::find().unwrap().root();
        let read = |path: PathBuf| (path.clone(), fs::read_to_string(path).unwrap());
        documents(&root).unwrap().into_iter().map(read).collect()
    }

    #[test]
    fn comments_and_breaks_are_no_words() {
        let text = "text\n```sh\ncargo a   # why\n\nX=1 cargo \\\n    b -- --c # d\n```\n`cargo e`\n```text\ncargo f\n```\n";
        let found = commands(Path::new("x.md"), text);
        let found: Vec<_> = found.iter().map(|shown| (shown.line, shown.command.as_str())).collect();
        assert_eq!(found, [(3, "cargo a"), (5, "X=1 cargo b -- --c")]);
    }

    #[test]
    fn every_command_is_run_or_has_a_reason() {
        let shown: Vec<Shown> = all().iter().flat_map(|(path, text)| commands(path, text)).collect();
        assert!(shown.len() > 40, "{} commands", shown.len());
        for Shown { document, line, command } in &shown {
            let is_listed = TABLE.iter().any(|(listed, _)| listed == command);
            assert!(is_listed, "{}:{line}: `{command}` is not in shown/table.rs", document.display());
        }
        for (listed, fate) in TABLE {
            assert!(shown.iter().any(|shown| shown.command == listed), "no document shows `{listed}`");
            assert!(!matches!(fate, Fate::Waits(reason) if reason.is_empty()), "{listed}");
        }
    }

    #[test]
    fn every_task_that_is_named_parses() {
        let mut count = 0;
        for (path, text) in all() {
            for task in tasks(&text) {
                count += 1;
                let read = Task::of(&task);
                assert!(read.is_ok(), "{}: cargo xtask {task}: {}", path.display(), read.unwrap_err());
            }
        }
        assert!(count > 60, "{count} tasks");
        assert!(Task::of("dist --stage").is_err() && Task::of("tests").is_err());
    }
}

//! Finds the commands in the documents' `sh` blocks and every command of xtask that they name. It runs none.

use super::super::listed;
use crate::arguments::Task;
use crate::tidy;
use crate::workspace::Workspace;

/// Holds a command and where it stands.
#[derive(Debug)]
pub(super) struct ShownCommand {
    pub(super) document: String,
    pub(super) line: usize,
    pub(super) command: String,
}

/// Returns the commands of a text's `sh` blocks: without comments, each in one line, with single spaces
/// between words.
pub(super) fn commands(document: &str, text: &str) -> Vec<ShownCommand> {
    let mut found: Vec<ShownCommand> = Vec::new();
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
            None => {
                found.push(ShownCommand { document: document.to_owned(), line: number + 1, command: words })
            }
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

fn documents() -> Vec<tidy::File> {
    let mut files = tidy::files(&Workspace::find().unwrap()).unwrap();
    files.retain(|file| file.path.ends_with(".md"));
    files
}

/// Tells whether a row of the table is about a command. A row that waits is also for those that go on with a space.
fn is_meant(listed: &str, command: &str) -> bool {
    command == listed
        || listed.strip_suffix(" *").is_some_and(|start| command.starts_with(&format!("{start} ")))
}

#[test]
fn comments_and_breaks_are_no_words() {
    let text = "text\n```sh\ncargo a   # why\n\nX=1 cargo \\\n    b -- --c # d\n```\n`cargo e`\n```text\ncargo f\n```\n";
    let found = commands("x.md", text);
    let found: Vec<_> = found.iter().map(|shown| (shown.line, shown.command.as_str())).collect();
    assert_eq!(found, [(3, "cargo a"), (5, "X=1 cargo b -- --c")]);
}

#[test]
fn every_command_is_run_or_has_a_reason() {
    let shown: Vec<ShownCommand> =
        documents().iter().flat_map(|file| commands(&file.path, &file.text)).collect();
    assert!(shown.len() > 40, "{} commands", shown.len());
    for ShownCommand { document, line, command } in &shown {
        let is_listed = listed().any(|(listed, _)| is_meant(listed, command));
        assert!(is_listed, "{document}:{line}: `{command}` is not in shown/commands.txt");
    }
    for (listed, fate) in listed() {
        assert!(shown.iter().any(|shown| is_meant(listed, &shown.command)), "no document shows `{listed}`");
        let has_reason = fate.strip_prefix("waits: ").is_some_and(|reason| !reason.is_empty());
        let is_run = fate == "runs" || fate.starts_with("runs as: ");
        assert!(has_reason || (is_run && !listed.ends_with(" *")), "{listed}: {fate}");
    }
}

#[test]
fn every_task_that_is_named_parses() {
    let mut count = 0;
    for tidy::File { path, text, .. } in documents() {
        for task in tasks(&text) {
            count += 1;
            let read = Task::of(&task);
            assert!(read.is_ok(), "{path}: cargo xtask {task}: {}", read.unwrap_err());
        }
    }
    assert!(count > 60, "{count} tasks");
    assert!(Task::of("dist --stage").is_err() && Task::of("tests").is_err());
}

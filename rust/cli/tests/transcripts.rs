//! Transcripts: what a person types and gets back. Each file of `tests/cli` and each console block of
//! `docs/CLI*.md` and the README is replayed in a fresh copy of `tests/cli/files`; `BLESS=1` writes down what is answered
//! now.
//!
//! A line that begins with `$ ` is a command: gdvar, or one of `cat FILE`, `ls FOLDER` and `echo WORDS |
//! gdvar ...`. Its output follows, errors behind it; `[exit 1]` is an exit code that is not 0.
//! Paths and the system's own words are those of Unix.
#![cfg(unix)]

use std::fmt::Write as _;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn transcripts_are_what_is_answered() {
    let mut transcripts: Vec<PathBuf> = fs::read_dir(repository().join("tests/cli"))
        .expect("tests/cli is there")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    transcripts.sort();
    assert!(transcripts.len() >= 8, "{transcripts:?}");
    let failures: Vec<String> = transcripts
        .iter()
        .filter_map(|path| {
            let text = fs::read_to_string(path).expect("a readable transcript");
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            judge(path, &text, &replayed(&text, &fresh_copy(&name)))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn the_manual_shows_what_is_answered() {
    shows_what_is_answered("docs/CLI.md", "manual", 8);
    shows_what_is_answered("docs/CLI_JSON.md", "manual_json", 1);
    shows_what_is_answered("docs/CLI_PROTOCOLS.md", "manual_protocols", 4);
}

#[test]
fn the_readme_shows_what_is_answered() {
    shows_what_is_answered("README.md", "readme", 1);
}

fn shows_what_is_answered(document: &str, name: &str, least: usize) {
    let path = repository().join(document);
    let text = fs::read_to_string(&path).expect("the document is there");
    let folder = fresh_copy(name);
    let mut answered = String::new();
    let mut blocks = 0;
    let mut rest = text.as_str();
    while let Some((before, block)) = rest.split_once("```console\n") {
        let (block, after) = block.split_once("```").expect("a block ends");
        let _ = write!(answered, "{before}```console\n{}```", replayed(block, &folder));
        rest = after;
        blocks += 1;
    }
    answered.push_str(rest);
    assert!(blocks >= least, "{blocks} blocks");
    let failure = judge(&path, &text, &answered);
    assert!(failure.is_none(), "{}", failure.unwrap_or_default());
}

/// Says what is wrong with a transcript, unless it is to be blessed.
fn judge(path: &Path, told: &str, answered: &str) -> Option<String> {
    if told == answered {
        return None;
    }
    if std::env::var_os("BLESS").is_some() {
        fs::write(path, answered).expect("the transcript can be written");
        return None;
    }
    let line = told.lines().zip(answered.lines()).position(|(told, answered)| told != answered);
    let at = line.unwrap_or_else(|| told.lines().count().min(answered.lines().count()));
    let [told, answered] = [told, answered].map(|text| text.lines().nth(at).unwrap_or("(the end)"));
    Some(format!("{}:{}: told {told:?}, answered {answered:?}", path.display(), at + 1))
}

/// A folder of its own with the input files in it.
fn fresh_copy(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("transcripts").join(name);
    let _ = fs::remove_dir_all(&folder);
    copy(&repository().join("tests/cli/files"), &folder);
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder can be made");
    for entry in fs::read_dir(from).expect("a readable folder") {
        let path = entry.expect("a readable folder").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() { copy(&path, &target) } else { fs::copy(&path, &target).map(drop).expect("a copy") }
    }
}

/// The text with every answer as it is now. Lines before the first command and blank lines before one stay.
fn replayed(text: &str, folder: &Path) -> String {
    let mut answered = String::new();
    let mut is_answer = false;
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            if is_answer {
                answered.push('\n');
            }
            let _ = write!(answered, "$ {command}\n{}", answer(command, folder));
            is_answer = true;
        } else if line.starts_with('#') && !is_answer {
            let _ = writeln!(answered, "{line}");
        }
    }
    answered
}

fn answer(command: &str, folder: &Path) -> String {
    if let Some((given, command)) = command.split_once(" | ") {
        let input = given.strip_prefix("echo ").expect("only echo goes before gdvar");
        return gdvar(command, folder, &format!("{}\n", words(input).join(" ")));
    }
    match command.split_once(' ') {
        Some(("cat", file)) => {
            fs::read_to_string(folder.join(file)).unwrap_or_else(|error| format!("{error}\n"))
        }
        Some(("ls", below)) => list(&folder.join(below)),
        _ => gdvar(command, folder, ""),
    }
}

fn list(folder: &Path) -> String {
    let entries = fs::read_dir(folder).expect("a readable folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names.iter().map(|name| format!("{name}\n")).collect()
}

fn gdvar(command: &str, folder: &Path, input: &str) -> String {
    let words = words(command);
    assert_eq!(words[0], "gdvar", "{command}");
    let mut child = Command::new(env!("CARGO_BIN_EXE_gdvar"))
        .args(&words[1..])
        .current_dir(folder)
        .env("COLUMNS", "100")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("gdvar starts");
    match child.stdin.take().expect("it is piped").write_all(input.as_bytes()) {
        // It may have said what it had to say and be gone before it is told anything: the transcript judges what.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        written => written.expect("gdvar reads"),
    }
    let output = child.wait_with_output().expect("gdvar ends");
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text += &String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => (),
        code => text += &format!("[exit {}]\n", code.unwrap_or(-1)),
    }
    // No line of a transcript ends in blanks.
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Words as a shell splits them: quotes of both kinds, nothing else.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, ' ') => words.push(String::new()),
            (_, c) => words.last_mut().expect("there is one").push(c),
        }
    }
    words
}

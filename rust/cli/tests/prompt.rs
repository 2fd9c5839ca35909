//! Tests that a person at a terminal is asked for a password, once for all files and without seeing it, and that nobody else is.
//! The terminal is that of `script`, which every Linux has.
#![cfg(target_os = "linux")]

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const PROMPT: &str = "password: ";

/// A file that `FileAccess.open_encrypted_with_pass()` wrote under the password "swordfish".
fn save() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cli/files/save_pass.bin")
}

/// Returns what a terminal shows while somebody types a password to a command of gdvar, with the exit code at its end.
fn shown(command: &str, typed: &str) -> String {
    let line = format!("{} {command}; echo \"code $?\"", env!("CARGO_BIN_EXE_gdvar"));
    let mut terminal = Command::new("script")
        .args(["--quiet", "--echo", "always", "--flush", "--command", &line, "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script starts");
    let (mut keyboard, mut screen) =
        (terminal.stdin.take().expect("a pipe"), terminal.stdout.take().expect("a pipe"));
    let mut shown = Vec::new();
    let mut byte = [0];
    while screen.read(&mut byte).expect("the screen can be read") > 0 {
        shown.push(byte[0]);
        // Typed before the prompt it would be thrown away, as keys are that somebody hits too early.
        if shown.ends_with(PROMPT.as_bytes()) {
            // The prompt is shown just before the terminal stops showing keys; nobody types so fast.
            std::thread::sleep(std::time::Duration::from_millis(200));
            keyboard.write_all(typed.as_bytes()).expect("the keys arrive");
        }
    }
    terminal.wait().expect("script ends");
    String::from_utf8_lossy(&shown).into_owned()
}

#[test]
fn a_password_is_asked_for_once_and_not_shown() {
    let file = save();
    let file = file.display();
    let shown = shown(&format!("check {file} {file}"), "swordfish\n");
    assert_eq!(shown.matches(PROMPT).count(), 1, "{shown}");
    assert_eq!(shown.matches(": ok, ").count(), 2, "{shown}");
    assert!(shown.contains("code 0") && !shown.contains("swordfish"), "{shown}");
}

#[test]
fn a_wrong_password_is_refused_and_not_shown() {
    let shown = shown(&format!("check {}", save().display()), "sardine\n");
    assert!(shown.contains("not this password"), "{shown}");
    assert!(!shown.contains("code 0") && !shown.contains("sardine"), "{shown}");
}

#[test]
fn a_password_that_was_given_is_not_asked_for() {
    let shown = shown(&format!("check --password swordfish {}", save().display()), "\n");
    assert!(shown.contains("code 0") && !shown.contains(PROMPT), "{shown}");
}

#[test]
fn without_a_terminal_nobody_is_asked() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gdvar"));
    let output = command.arg("check").arg(save()).stdin(Stdio::null()).output().expect("gdvar starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("needs --password") && !said.contains(PROMPT), "{said}");
}

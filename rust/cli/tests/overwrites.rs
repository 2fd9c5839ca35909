//! Checks that no command writes over a file that it reads, by whatever name, except `edit`, which is there for that.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const PROTOCOL: &str = r#"{"variant_protocol": 1, "messages": []}"#;

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("overwrites");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("sub")).unwrap();
    folder
}

/// Runs a command that names the file `x` as an input and as a result.
#[track_caller]
fn is_refused(folder: &Path, content: &[u8], words: &[&str]) {
    fs::write(folder.join("x"), content).unwrap();
    fs::write(folder.join("schema.json"), r#"{"type": "int"}"#).unwrap();
    fs::write(folder.join("value.json"), "7").unwrap();
    fs::write(folder.join("base"), [0; 3]).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_gdvar"));
    let output = command.args(words).current_dir(folder).stdin(Stdio::null()).output().expect("gdvar starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
    assert!(
        said.contains("is read by this call") || said.contains("--out is this input: name another"),
        "{words:?}: {said}"
    );
    assert_eq!(fs::read(folder.join("x")).unwrap(), content, "{words:?}");
}

#[test]
fn no_command_writes_over_what_it_reads() {
    let folder = folder();
    symlink("../x", folder.join("sub/link")).unwrap();
    let save =
        fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cli/files/saves/cut.save")).unwrap();
    let names = ["x", "./x", "sub/../x", "sub/link"];
    for out in names {
        is_refused(&folder, b"7", &["encode", "x", "--out", out]);
        is_refused(&folder, b"7", &["pack", "x", "--schema", "schema.json", "--out", out]);
        is_refused(&folder, br#"{"type": "int"}"#, &["pack", "value.json", "--schema", "x", "--out", out]);
        is_refused(
            &folder,
            &[0; 3],
            &["pack", "value.json", "--schema", "schema.json", "--baseline", "x", "--out", out],
        );
        is_refused(&folder, &[0; 3], &["unpack", "x", "--schema", "schema.json", "--out", out]);
        is_refused(&folder, br#"{"type": "int"}"#, &["unpack", "base", "--schema", "x", "--out", out]);
        is_refused(
            &folder,
            &[0; 3],
            &["unpack", "base", "--schema", "schema.json", "--baseline", "x", "--next", out],
        );
        is_refused(&folder, PROTOCOL.as_bytes(), &["protocol", "csharp", "x", "--out", out]);
        is_refused(&folder, &save, &["save", "recover", "x", "--out", out]);
        is_refused(&folder, &save, &["save", "recover", "x", "--force", "--out", out]);
        is_refused(&folder, &save, &["save", "repack", "x", "--out", out]);
        is_refused(&folder, b"secret", &["save", "repack", "base", "--new-password-file", "x", "--out", out]);
        is_refused(&folder, b"secret", &["save", "recover", "base", "--password-file", "x", "--out", out]);
    }
    is_refused(&folder, &[0; 4], &["transcode", "x", "--out", "."]);
    // The module's names come from that of the protocol.
    for name in ["p.js", "p.d.ts"] {
        fs::remove_file(folder.join("x")).unwrap();
        symlink(name, folder.join("x")).unwrap();
        let words = ["protocol", "typescript", name, "--out", ".", "--name", "p"];
        is_refused(&folder, PROTOCOL.as_bytes(), &words);
        is_refused(&folder, PROTOCOL.as_bytes(), &words.map(|word| if word == name { "x" } else { word }));
    }
}

/// A save that is there may hold more than `recover` gets out of a damaged one.
#[test]
fn a_recovered_save_replaces_a_file_by_force_only() {
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cli/files");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recovers");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let recover = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gdvar"));
        command
            .args(["save", "recover"])
            .arg(files.join("saves/slot1.save"))
            .args(words)
            .current_dir(&folder);
        command.output().expect("gdvar starts")
    };
    fs::write(folder.join("good.save"), "the backup").unwrap();
    let refused = recover(&["--out", "good.save"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--force"));
    assert_eq!(fs::read(folder.join("good.save")).unwrap(), b"the backup");
    assert!(recover(&["--out", "good.save", "--force"]).status.success());
    assert_ne!(fs::read(folder.join("good.save")).unwrap(), b"the backup");
}

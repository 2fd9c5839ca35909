//! Files that real engines wrote: gdvar opens each and finds in it what the plain one holds. Run by `cargo
//! xtask test`, which names Godot 4 in `VARIANT_GODOT`, and with `--long` Godot 3 in `VARIANT_GODOT3`;
//! without one they are red.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// `open_encrypted` was given this key, as text.
const KEY: &str = "0123456789abcdef0123456789abcdef";

#[test]
#[ignore = "needs a Godot 4: cargo xtask test"]
fn godot_4_files_are_opened() {
    let folder = written_by("VARIANT_GODOT", "godot4", &["--headless"]);
    let small = opened(&folder, "_small.bin", "godot4");
    let large = opened(&folder, "_large.bin", "godot4");
    for files in [&small, &large] {
        assert_eq!(files.len(), 7, "{:?}", files.keys());
    }
    assert!(
        small["plain_small.bin"].starts_with("{\"hp\":80,\"name\":\"Ana\",\"pos\":{\"$Vector2\":[1.5,-2.0]}")
    );
    assert_eq!(large["plain_large.bin"].lines().count(), 4);
    assert!(large["plain_large.bin"].len() > 30_000);
}

#[test]
#[ignore = "needs a Godot 3: cargo xtask test --long"]
fn godot_3_files_are_opened_and_converted() {
    let folder = written_by("VARIANT_GODOT3", "godot3", &["--no-window"]);
    let object = folder.join("object.bin");
    // What would run code is a finding, and a finding is exit code 1.
    let found = ended(1, &["scan", "--from", "godot3", "--json"], &object);
    for word in ["\"object\"", "\"script_source\"", "GDScript"] {
        assert!(found.contains(word), "{found}");
    }
    let out = folder.join("new");
    gdvar(
        &["transcode", "--from", "godot3", "--objects", "null", "--out", &out.display().to_string()],
        &object,
    );
    assert_eq!(gdvar(&["decode", "--compact"], &out.join("object.bin")), "{\"item\":null,\"gold\":5}\n");
    fs::remove_file(object).unwrap();
    let files = opened(&folder, ".bin", "godot3");
    assert_eq!(files.len(), 7, "{:?}", files.keys());
    assert!(files["plain.bin"].contains("{\"$PackedStringArray\":[\"a\",\"b\"]}"));
}

/// A folder with what the engine wrote.
fn written_by(variable: &str, project: &str, options: &[&str]) -> PathBuf {
    let godot = std::env::var_os(variable).unwrap_or_else(|| panic!("{variable} names an engine"));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("files-{project}"));
    // What an earlier run left must not answer for this one.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cli").join(project);
    let output = Command::new(godot)
        .args(options)
        .arg("--path")
        .arg(project)
        .args(["-s", "write_files.gd"])
        .env("VARIANT_FILES", &folder)
        .env("HOME", &folder)
        .output()
        .expect("the engine starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !said.contains("SCRIPT ERROR"), "{said}");
    folder
}

/// Every file of a kind as JSON; all have to say what the plain one says.
fn opened(folder: &Path, ending: &str, from: &str) -> BTreeMap<String, String> {
    let digits: String = KEY.bytes().map(|byte| format!("{byte:02x}")).collect();
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_file() && name.ends_with(ending) {
            let secret =
                if name.starts_with("key") { ["--key", &digits] } else { ["--password", "swordfish"] };
            let words = [&["decode", "--compact", "--from", from][..], &secret].concat();
            files.insert(name, gdvar(&words, &path));
        }
    }
    let plain = files.iter().find(|(name, _)| name.starts_with("plain")).expect("a plain file").1.clone();
    for (name, json) in &files {
        assert_eq!(json, &plain, "{name}");
    }
    files
}

fn gdvar(words: &[&str], path: &Path) -> String {
    ended(0, words, path)
}

fn ended(code: i32, words: &[&str], path: &Path) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_gdvar")).args(words).arg(path).output().expect("gdvar starts");
    assert_eq!(output.status.code(), Some(code), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("JSON is UTF-8")
}

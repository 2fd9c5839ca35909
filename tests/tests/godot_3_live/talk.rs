//! Passes files to a Godot 3 and back, in one start of the engine, which runs `tests/godot3/talk.gd`. It
//! judges nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Holds the values that Godot 3 wrote.
pub(super) struct Talk {
    /// Each given value as it was read and written again: a nil where Godot 3 read nothing, no bytes where it
    /// could not write.
    pub(super) echo: Vec<Vec<u8>>,
    /// The values that Godot 3 made itself.
    pub(super) own: Vec<Vec<u8>>,
}

/// Gives these blobs to a Godot 3, and has it make `own` values of its own. `name` keeps the files of tests
/// apart.
pub(super) fn with_godot_3(name: &str, given: &[Vec<u8>], own: usize) -> Talk {
    let godot = std::env::var_os("VARIANT_GODOT3").expect("VARIANT_GODOT3 names a Godot 3");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("godot3").join(name);
    // Files of an earlier run must not pass for answers.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("given.bin"), framed(given)).unwrap();
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("godot3");
    let output = Command::new(godot)
        .args(["--no-window", "--path"])
        .arg(&project)
        .args(["-s", "talk.gd"])
        .env("VARIANT_TALK", &folder)
        .env("VARIANT_COUNT", own.to_string())
        .env("VARIANT_SEED", "20240")
        .env("HOME", &folder)
        .output()
        .expect("Godot 3 starts");
    let said = String::from_utf8_lossy(&output.stderr);
    let tail = said.get(said.len().saturating_sub(2000)..).unwrap_or_default();
    assert!(output.status.success() && !said.contains("SCRIPT ERROR"), "{name}: {}: {tail}", output.status);
    let read = |name| unframed(&fs::read(folder.join(name)).unwrap());
    Talk { echo: read("echo.bin"), own: read("own.bin") }
}

/// Joins values with a u32 length before each.
fn framed(values: &[Vec<u8>]) -> Vec<u8> {
    let frame = |bytes: &Vec<u8>| [&u32::try_from(bytes.len()).unwrap().to_le_bytes()[..], bytes].concat();
    values.iter().flat_map(frame).collect()
}

fn unframed(mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut values = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk() {
        let (value, rest) = rest.split_at(usize::try_from(u32::from_le_bytes(*length)).unwrap());
        values.push(value.to_vec());
        bytes = rest;
    }
    values
}

//! Tests `edit`: the places that other commands print, memory that a large file takes, and the size of what is written.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use variant_core::Value;
use variant_objects::Document;
use variant_save::{Compression, Draft, Protection, SaveKeys};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("edits").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

fn gdvar(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gdvar"));
    command.args(words).current_dir(folder).stdin(Stdio::null()).output().expect("gdvar starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Every place that `outline` shows is one that `edit` takes, of documents of objects too.
#[test]
fn the_places_that_outline_shows_are_taken() {
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cli/files");
    let mut tried = 0;
    for file in ["heroes.bin", "heroes_hurt.bin", "before.bin"] {
        let told = gdvar(&files, &["outline", file, "--json"]);
        for line in String::from_utf8(told.stdout).expect("it is JSON").lines() {
            let line: serde_json::Value = serde_json::from_str(line).expect("it is JSON");
            for place in ["path", "place"].iter().filter_map(|name| line[name].as_str()) {
                let got = gdvar(&files, &["edit", file, "get", place]);
                assert!(got.status.success(), "{file}: {place}: {}", said(&got));
                tried += 1;
            }
        }
    }
    assert!(tried > 60, "{tried}");
}

/// A value of a stream of 160 MiB is shown in an address space of which no more than one value is free.
#[test]
fn a_value_of_a_large_stream_is_shown_in_little_memory() {
    let folder = folder("stream");
    let mut file = File::create(folder.join("stream.bin")).expect("it can be made");
    let value = Value::from(vec![0_u8; 1 << 20]).encode().expect("it can be written");
    let length = u32::try_from(value.len()).expect("it is short").to_le_bytes();
    for _ in 0..160 {
        file.write_all(&length).and_then(|()| file.write_all(&value)).expect("there is room");
    }
    let number = Value::from([("hp", 7)]).encode().expect("it can be written");
    let length = u32::try_from(number.len()).expect("it is short").to_le_bytes();
    file.write_all(&[&length[..], &number].concat()).expect("there is room");
    let run = "ulimit -v 120000; exec \"$0\" edit stream.bin --value 160 get hp";
    let words = ["-c", run, env!("CARGO_BIN_EXE_gdvar")];
    let got = Command::new("sh").args(words).current_dir(&folder).output().expect("sh starts");
    assert_eq!(String::from_utf8_lossy(&got.stdout), "7\n", "{}", said(&got));
    let _ = fs::remove_dir_all(&folder);
}

/// Our encoder of Zstandard is weaker than engines': what is larger by it is written with Deflate, and that is told.
#[test]
fn an_edited_save_is_no_larger_than_deflate_makes_it() {
    let folder = folder("sizes");
    let names = |at: i64| {
        Value::from([("name", Value::from(format!("hero {}", at % 37))), ("at", Value::Int(at / 3))])
    };
    let state = Value::from([
        ("heroes", Value::from((0..800).map(names).collect::<Vec<_>>())),
        ("hp", Value::Int(7)),
    ]);
    let payload = state.encode().expect("it can be written");
    let written = |compression| {
        variant_save::write(&Draft { compression, ..Draft::new(&payload) }).expect("it can be written")
    };
    let (zstd, deflate) = (written(Compression::Zstd), written(Compression::Deflate));
    assert!(deflate.len() * 5 < zstd.len() * 4, "{} {}", deflate.len(), zstd.len());
    fs::write(folder.join("slot.save"), &zstd).expect("there is room");
    let set = gdvar(&folder, &["edit", "slot.save", "set", "hp", "9"]);
    assert!(set.status.success() && said(&set).contains("compressed with Deflate now"), "{}", said(&set));
    let size = fs::metadata(folder.join("slot.save")).expect("it is there").len();
    assert!(size < deflate.len() as u64 + 200, "{size} {}", deflate.len());
    let got = gdvar(&folder, &["edit", "slot.save", "get", "hp"]);
    assert_eq!(String::from_utf8_lossy(&got.stdout), "9\n");
    // Whoever names a compression gets that one.
    let packed = gdvar(&folder, &["save", "repack", "slot.save", "--out", "z.save", "--compression", "zstd"]);
    assert!(packed.status.success() && said(&packed).is_empty(), "{}", said(&packed));
    assert!(fs::metadata(folder.join("z.save")).expect("it is there").len() > size);
}

/// Objects are recovered as entries are, and what is written is a document.
#[test]
fn objects_of_a_damaged_save_are_recovered() {
    let folder = folder("objects");
    let mut document = Document::default();
    let heroes = (0..60).map(|at| {
        let pet = document.add("pet", 1, &["id"], vec![Value::Int(at)]);
        let name = Value::from("a name of a hero".repeat(3).as_str());
        document.add("hero", 1, &["id", "name", "pet"], vec![Value::Int(at), name, pet])
    });
    document.value = Value::from(heroes.collect::<Vec<_>>());
    let payload = document.to_value().encode().expect("it can be written");
    let draft = Draft { is_document: true, compression: Compression::None, ..Draft::new(&payload) };
    let mut file = variant_save::write(&draft).expect("it can be written");
    let row = file.windows(8).position(|bytes| *bytes == [2, 0, 0, 0, 40, 0, 0, 0]);
    let row = row.expect("the number of the pet 40");
    file[row + 4] ^= 1;
    fs::write(folder.join("slot.save"), &file).expect("there is room");
    let got = gdvar(&folder, &["save", "recover", "slot.save", "--out", "new.save"]);
    let told = String::from_utf8_lossy(&got.stdout).into_owned();
    assert!(
        told.contains("are lost, 1 slice is damaged") && told.contains("lost objects: hero["),
        "{told} {}",
        said(&got)
    );
    let checked = gdvar(&folder, &["save", "verify", "new.save"]);
    assert!(checked.status.success(), "{}", said(&checked));
    let checked = gdvar(&folder, &["check", "new.save"]);
    assert!(checked.status.success(), "{}", said(&checked));
}

/// A recovered save is sealed anew, so nothing goes into it that somebody without the password may have changed.
#[test]
fn metadata_of_a_damaged_protected_save_is_not_sealed_again() {
    let folder = folder("sealed");
    let entries = (0..40).map(|at| (at.to_string(), Value::Int(at)));
    let payload = Value::from(entries.collect::<std::collections::BTreeMap<_, _>>());
    let payload = payload.encode().expect("it can be written");
    let meta = Value::Int(7).encode().expect("it can be written");
    let keys = SaveKeys::password("swordfish");
    for (protection, kept) in [(Protection::Encrypted(&keys), "null"), (Protection::None, "7")] {
        let compression = Compression::None;
        let draft = Draft { protection, compression, meta: Some(&meta), ..Draft::new(&payload) };
        let whole = variant_save::write(&draft).expect("it can be written");
        let mut damaged = whole.clone();
        damaged[whole.len() - 60] ^= 1;
        for (file, kept) in [(whole, "7"), (damaged, kept)] {
            fs::write(folder.join("slot.save"), &file).expect("there is room");
            let password = ["--password", "swordfish"];
            let recover = ["save", "recover", "slot.save", "--out", "new.save", "--force"];
            let got = gdvar(&folder, &[&recover[..], &password].concat());
            assert!(said(&got).is_empty(), "{}", said(&got));
            let info = gdvar(&folder, &["save", "info", "--json", "new.save"]);
            let info: serde_json::Value = serde_json::from_slice(&info.stdout).expect("it is JSON");
            assert_eq!(info["metadata"].to_string(), kept, "{protection:?}");
        }
    }
}

/// Slices of a save that has a key, and is not encrypted, are not sealed one by one: who changes an entry and damages another part
/// must not get the key's seal for that.
#[test]
fn entries_that_no_key_proved_get_no_key() {
    let folder = folder("unproven");
    let entries = (0..40).map(|at| (at.to_string(), Value::Int(at)));
    let payload = Value::from(entries.collect::<std::collections::BTreeMap<_, _>>());
    let payload = payload.encode().expect("it can be written");
    let keys = SaveKeys::password("swordfish");
    for protection in [Protection::Keyed(&keys), Protection::Encrypted(&keys)] {
        let draft = Draft { protection, compression: Compression::None, ..Draft::new(&payload) };
        let whole = variant_save::write(&draft).expect("it can be written");
        let mut damaged = whole.clone();
        damaged[whole.len() - 60] ^= 1;
        let is_encrypted = matches!(protection, Protection::Encrypted(_));
        for (file, keeps) in [(whole, true), (damaged, is_encrypted)] {
            fs::write(folder.join("slot.save"), &file).expect("there is room");
            let recover = ["save", "recover", "slot.save", "--json", "--force", "--out", "new.save"];
            let got = gdvar(&folder, &[&recover[..], &["--password", "swordfish"]].concat());
            assert_eq!(
                said(&got).contains("gdvar save repack --new-password-file"),
                !keeps,
                "{}",
                said(&got)
            );
            let told: serde_json::Value = serde_json::from_slice(&got.stdout).expect("it is JSON");
            assert_eq!(told["is_protected"], keeps, "{told}");
            let new = fs::read(folder.join("new.save")).expect("it is there");
            let opening = variant_save::OpenOptions { keys: Some(&keys), ..Default::default() };
            assert_eq!(variant_save::open(&new, &opening).is_ok(), keeps, "{protection:?}");
        }
    }
}

/// Nothing can be recovered of an empty file, and no hint says so.
#[test]
fn an_empty_save_has_no_hint_that_cannot_help() {
    let folder = folder("empty");
    fs::write(folder.join("slot.save"), "").expect("there is room");
    for words in [["save", "info", "slot.save"], ["save", "verify", "slot.save"]] {
        let told = said(&gdvar(&folder, &words));
        assert!(told.contains("the file is empty") && !told.contains("recover"), "{told}");
    }
}

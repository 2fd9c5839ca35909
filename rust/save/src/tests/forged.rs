//! Tests saves whose checksums are right and whose slices are not, in `tests/attacks/saves`: the engine's own decompressor
//! gets to see those in a game, so `save_promises_test.gd` loads the same files.
//!
//! `BLESS=1 cargo test -p variant-save forged` writes the files of new cases.

use std::fs;
use std::path::{Path, PathBuf};

use crate::tests::{chunks, forged, kind};
use crate::{Kind, OpenOptions, chunk};

/// The bytes of a chunk before its slice: length, name, index, size and entries.
const BEFORE: usize = 8 + 12;

/// A name, and what is done to a Zstandard frame. The number is what the slice declares as its size.
type Case = (&'static str, fn(&mut Vec<u8>, &mut u32));

const CASES: [Case; 8] = [
    ("spoiled_block", |frame, _| {
        // The frame stays whole: only who decompresses it finds that its block makes no sense.
        let from = frame.len() - 9;
        frame[from..].fill(0);
    }),
    ("cut_off", |frame, _| frame.truncate(frame.len() - 1)),
    ("a_byte_more", |frame, _| frame.push(0)),
    ("two_frames", |frame, _| frame.extend(frame.clone())),
    ("a_skipped_frame_before", |frame, _| drop(frame.splice(0..0, *b"\x50\x2A\x4D\x18\0\0\0\0"))),
    ("a_window_of_a_terabyte", |frame, _| {
        frame.truncate(4);
        frame.extend([0, 0xF8, 1, 0, 0]);
    }),
    ("a_size_too_large", |_, size| *size += 1),
    ("a_size_too_small", |_, size| *size -= 1),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/attacks/saves")
}

/// Makes a save of a recorded one, whose only slice is changed.
fn made(change: fn(&mut Vec<u8>, &mut u32)) -> Vec<u8> {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/saves/zstd.save");
    let mut whole = chunks(&fs::read(golden).unwrap());
    let slice = whole.iter_mut().find(|chunk| chunk[4..8] == chunk::DATA).unwrap();
    let mut frame = slice[BEFORE..slice.len() - 4].to_vec();
    let mut size = u32::from_le_bytes(slice[12..16].try_into().unwrap());
    change(&mut frame, &mut size);
    slice[12..16].copy_from_slice(&size.to_le_bytes());
    *slice = [&slice[..BEFORE], &frame, &[0; 4]].concat();
    forged(whole)
}

#[test]
fn forged_slices_are_refused() {
    let is_blessed = std::env::var_os("BLESS").is_some();
    let mut names: Vec<String> = Vec::new();
    for (name, change) in CASES {
        let (path, file) = (folder().join(format!("{name}.save")), made(change));
        if is_blessed && !path.exists() {
            fs::create_dir_all(folder()).unwrap();
            fs::write(&path, &file).unwrap();
        }
        assert_eq!(fs::read(&path).unwrap(), file, "{name}");
        assert_eq!(kind(&file, &OpenOptions::default()), Kind::Damaged, "{name}");
        names.push(format!("{name}.save"));
    }
    let mut there: Vec<String> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".save"))
        .collect();
    there.sort();
    names.sort();
    assert_eq!(there, names, "no file is without a test");
}

//! Files with another program's header before their values, of any size and through a pipe: every command leaves it out.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A text with its length, which is no multiple of four.
const HEADER: &[u8] = b"\x05\0\0\x000.9.1";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("skips").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

/// Code and both outputs.
fn gdvar(folder: &Path, words: &str, input: &[u8]) -> (Option<i32>, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gdvar"))
        .args(words.split(' '))
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("gdvar starts");
    // Whoever takes files leaves the pipe alone.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    let output = child.wait_with_output().expect("gdvar ends");
    (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

fn ints(count: u32) -> Vec<u8> {
    let words = [28, count].into_iter().chain((0..count).flat_map(|item| [2, item]));
    words.flat_map(u32::to_le_bytes).collect()
}

fn framed(value: &[u8]) -> Vec<u8> {
    [&u32::try_from(value.len()).expect("short").to_le_bytes()[..], value].concat()
}

#[test]
fn values_behind_a_header_are_found_and_read_in_files_of_any_size() {
    let folder = folder("sizes");
    for count in [2, 600_000] {
        let stream = [framed(&ints(count)), framed(&ints(count))].concat();
        let file = [HEADER, &stream].concat();
        fs::write(folder.join("a.bin"), &file).unwrap();
        let size = stream.len();
        let (_, told) = gdvar(&folder, "guess a.bin --from godot4", b"");
        assert_eq!(told, "a.bin: --skip 9 --from godot4 --framing u32 (2 values)\n");
        let ok = (Some(0), format!("a.bin: ok, 2 values, {size} bytes\n"));
        assert_eq!(gdvar(&folder, "check a.bin --skip 9", b""), ok);
        let (code, told) = gdvar(&folder, "check - --skip 9 --framing u32", &file);
        assert_eq!((code, told), (Some(0), format!("standard input: ok, 2 values, {size} bytes\n")));
        let (_, told) = gdvar(&folder, "outline a.bin --skip 9 --depth 0", b"");
        assert!(
            told.contains(&format!("value 1: {} bytes at byte {}", size / 2 - 4, size / 2 + 13)),
            "{told}"
        );
        for words in ["scan a.bin --skip 9", "split a.bin --skip 9 --out parts", "diff a.bin a.bin --skip 9"]
        {
            assert_eq!(gdvar(&folder, words, b"").0, Some(0), "{words}");
        }
        assert_eq!(fs::read(folder.join("parts/a_000001.bin")).unwrap(), ints(count));
        // Values without lengths.
        fs::write(folder.join("a.bin"), [HEADER, &ints(count)].concat()).unwrap();
        assert_eq!(gdvar(&folder, "check a.bin --skip 9", b"").0, Some(0));
        assert_eq!(gdvar(&folder, "scan a.bin --skip 9", b"").0, Some(0));
        let (_, told) = gdvar(&folder, "guess a.bin --from godot4", b"");
        assert_eq!(told, "a.bin: --skip 9 --from godot4 --framing none (1 value)\n");
    }
}

/// Bytes are told where an editor of bytes shows them.
#[test]
fn places_count_the_header() {
    let folder = folder("places");
    fs::write(folder.join("cut.bin"), [HEADER, &framed(&ints(2))[..20]].concat()).unwrap();
    let (code, told) = gdvar(&folder, "check cut.bin --skip 9 --framing u32", b"");
    assert_eq!(code, Some(1));
    assert!(told.contains("the value is cut off: 24 bytes declared, 16 there (byte 9)"), "{told}");
    let (code, told) = gdvar(&folder, "check cut.bin --skip 30", b"");
    assert_eq!(code, Some(2));
    assert!(told.contains("--skip 30: cut.bin has fewer bytes"), "{told}");
}

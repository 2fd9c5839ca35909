//! Files that a scan must not miss: they look like something harmless, and run a script when a game reads
//! them in the way that it does. And files that look like something dangerous by chance.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scans").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

/// Returns what a scan tells, and its exit code.
fn scanned(folder: &Path, bytes: &[u8], words: &[&str]) -> (String, Option<i32>) {
    fs::write(folder.join("file.bin"), bytes).expect("a file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_gdvar"));
    let output =
        command.arg("scan").args(words).arg("file.bin").current_dir(folder).output().expect("gdvar starts");
    (String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned(), output.status.code())
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn text(text: &str) -> Vec<u8> {
    let length = u32::try_from(text.len()).expect("a short text");
    let mut bytes = [&length.to_le_bytes(), text.as_bytes()].concat();
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

/// `[Resource with a script, bytes]`, as store_var writes it with full objects; so many bytes in all.
fn array_with_script(size: usize) -> Vec<u8> {
    let script = [text("script"), words(&[4]), text("res://evil.gd")].concat();
    let object = [words(&[24]), text("Resource"), words(&[1]), script].concat();
    let head = [words(&[28, 2]), object].concat();
    let filling = size - head.len() - 8;
    [head, words(&[29, u32::try_from(filling).expect("few")]), vec![0; filling]].concat()
}

fn framed(value: &[u8]) -> Vec<u8> {
    [&u32::try_from(value.len()).expect("short").to_le_bytes(), value].concat()
}

const FOUND: &str = "[0]: object of class \"Resource\" (byte 8";
const SCRIPT: &str = "[0].script: script \"res://evil.gd\" (byte 40";

/// The length of the first value reads as the header of a Color, and a byte at the end keeps lengths from adding up; but
/// FileAccess.get_var(true) runs the script.
#[test]
fn a_byte_at_the_end_hides_nothing() {
    let folder = folder("color");
    let value = array_with_script(0x114);
    for (end, way) in [(&[][..], ""), (&[0][..], ", with --from godot4 --framing u32")] {
        let (told, code) = scanned(&folder, &[&framed(&value), end].concat(), &[]);
        for finding in [FOUND, SCRIPT] {
            assert!(
                told.contains(&format!("file.bin: {finding}{way})\n"))
                    || told.contains(&format!("file.bin value 0: {finding}{way})\n")),
                "{told}"
            );
        }
        assert_eq!(code, Some(1), "{told}");
    }
}

/// Whatever a game reads it as, it is found, and what cannot be read is no "nothing".
#[test]
fn every_way_to_read_is_tried() {
    let folder = folder("ways");
    let value = array_with_script(200);
    let harmless = words(&[2, 7]);
    let big_endian = [&200_u32.to_be_bytes(), value.as_slice()].concat();
    for bytes in [
        value.clone(),
        [value.clone(), vec![1; 3]].concat(),
        [harmless.clone(), value.clone()].concat(),
        [framed(&harmless), framed(&value), vec![9; 2]].concat(),
        [framed(&[99; 8]), framed(&value)].concat(),
        [big_endian, vec![0]].concat(),
        // The array is cut off behind the object, which is made by then.
        [&value[..180], &[]].concat(),
    ] {
        let (told, code) = scanned(&folder, &bytes, &[]);
        assert!(told.contains(FOUND) && told.contains(SCRIPT), "{told}");
        assert!(!told.contains("nothing"), "{told}");
        assert_eq!(code, Some(1), "{told}");
    }
    // Nothing was found, and not all could be read: that is no finding, which is 1.
    for bytes in [&[][..], &[99], &words(&[2, 7, 99]), &words(&[8, 99, 0])] {
        let (told, code) = scanned(&folder, bytes, &[]);
        assert!(!told.contains("nothing") && code == Some(2), "{bytes:?}: {told}");
    }
}

/// A large file is not held, and its other ways are looked at all the same.
#[test]
fn large_files_are_read_in_every_way() {
    let folder = folder("large");
    let filling = [words(&[29, 9 << 20]), vec![99; 9 << 20]].concat();
    let hidden = [framed(&array_with_script(0x114)), framed(&filling), vec![0]].concat();
    let (told, code) = scanned(&folder, &hidden, &[]);
    assert!(told.contains(SCRIPT) && told.contains("--framing u32"), "{told}");
    assert_eq!(code, Some(1));
    // The lengths add up here, and what has nothing in it for Godot 4 has for Godot 3.
    let script = [text("script"), words(&[4]), text("res://evil.gd")].concat();
    let object = [words(&[17]), text("Resource"), words(&[1]), script].concat();
    let (told, code) = scanned(&folder, &[framed(&object), framed(&filling)].concat(), &[]);
    let found = "(root): object of class \"Resource\" (byte 0, with --from godot3 --framing u32)";
    assert!(told.contains(found) && code == Some(1), "{told}");
    let (told, code) = scanned(&folder, &[framed(&filling), framed(&filling)].concat(), &[]);
    assert_eq!((told.as_str(), code), ("file.bin: nothing\n", Some(0)));
}

/// Zeros are no nulls and a large value is not held, as long as nobody says so; an engine takes both.
#[test]
fn what_is_behind_a_guess_is_found_too() {
    let folder = folder("behind");
    let value = array_with_script(200);
    let way = ", with --from godot4 --framing none)\n";
    let behind_null = [words(&[2, 7, 0]), value.clone()].concat();
    let (told, code) = scanned(&folder, &behind_null, &[]);
    for finding in [FOUND, SCRIPT] {
        assert!(told.contains(&format!("value 2: {finding}{way}")), "{told}");
    }
    assert_eq!(code, Some(1), "{told}");
    // What comes before it is told once.
    let (told, _) = scanned(&folder, &[value.clone(), words(&[0, 2, 7])].concat(), &[]);
    assert_eq!(told.matches(FOUND).count(), 1, "{told}");
    let filling = 65_u32 << 20;
    let head = [&value[..64], &words(&[29, filling])].concat();
    fs::write(folder.join("large.bin"), &head).unwrap();
    let file = fs::File::options().write(true).open(folder.join("large.bin")).unwrap();
    file.set_len(head.len() as u64 + u64::from(filling)).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_gdvar"))
        .args(["scan", "large.bin", "--framing"])
        .arg("auto")
        .current_dir(&folder)
        .output()
        .expect("gdvar starts");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains(&format!("{SCRIPT}{way}")) && output.status.code() == Some(1), "{told}");
}

/// Lengths that read as headers of objects, with whatever follows: no engine makes anything of that.
#[test]
fn ordinary_files_have_nothing_in_them() {
    let folder = folder("ordinary");
    let lengths: Vec<usize> = (16..1200).step_by(4).chain([65_560, 65_564, 131_100, 196_636]).collect();
    for length in &lengths {
        // A dictionary with one entry: what saves begin with.
        let filling = u32::try_from(*length).expect("short");
        let value = [words(&[27, 1, 2, 1, 29, filling]), vec![1; *length]].concat();
        fs::write(folder.join(format!("{length}.bin")), framed(&value)).unwrap();
    }
    let output =
        Command::new(env!("CARGO_BIN_EXE_gdvar")).arg("scan").arg(&folder).output().expect("gdvar starts");
    let told = String::from_utf8_lossy(&output.stdout);
    let found: Vec<&str> = told.lines().filter(|line| !line.ends_with(": nothing")).collect();
    assert!(output.status.success() && found.is_empty(), "{found:?}");
    assert_eq!(told.lines().count(), lengths.len());
}

#[test]
fn scripts_are_answered_for_clean_files_too() {
    let folder = folder("json");
    let (told, code) = scanned(&folder, &words(&[2, 7]), &["--json"]);
    assert_eq!((told.as_str(), code), ("{\"file\":\"file.bin\",\"ok\":true,\"values\":1}\n", Some(0)));
    let (told, code) = scanned(&folder, &framed(&array_with_script(0x114)), &["--json"]);
    let object = "{\"byte_offset\":8,\"file\":\"file.bin\",\"found\":\"object\",\"framing\":\"u32\",\"from\":\"godot4\",\"path\":\"[0]\",\"value\":0,\"what\":\"Resource\"}\n";
    assert!(told.starts_with(object) && code == Some(1), "{told}");
}

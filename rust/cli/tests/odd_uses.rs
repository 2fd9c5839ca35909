//! Odd uses of a tool that nobody thought of: closed pipes, full disks, links in circles, names of any bytes,
//! values of any depth. Nothing panics, the exit code is right, and no half file stays.
#![cfg(unix)]

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("odd").join(name);
    // What an earlier run left must not answer for this one.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

fn gdvar(folder: &Path, words: &[&str]) -> Output {
    let output = command(folder, words).output().expect("gdvar starts");
    assert!(!said(&output).contains("panicked"), "{words:?}: {}", said(&output));
    output
}

fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gdvar"));
    command.args(words).current_dir(folder).stdin(Stdio::null());
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// An Array of so many ints: 8 bytes each.
fn ints(count: u32) -> Vec<u8> {
    let items = (0..count).flat_map(|item| [2_u32.to_le_bytes(), item.to_le_bytes()].concat());
    28_u32.to_le_bytes().into_iter().chain(count.to_le_bytes()).chain(items).collect()
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Arrays in arrays.
fn deep(levels: u32) -> Vec<u8> {
    let opening = [28_u32.to_le_bytes(), 1_u32.to_le_bytes()].concat();
    let mut bytes = opening.repeat(usize::try_from(levels).expect("few"));
    bytes.extend([0; 4]);
    bytes
}

/// A folder is told of as its files are, one after another, however long.
#[test]
fn folders_are_shown_in_order() {
    let folder = folder("order");
    fs::create_dir(folder.join("in")).unwrap();
    for at in 0..6 {
        // Some have more to tell than is kept of a file, at the head of the line and in it.
        let count = if at % 4 == 0 { 5_000 } else { 3 + at };
        fs::write(folder.join(format!("in/{at:02}.bin")), ints(count)).unwrap();
    }
    fs::write(folder.join("in/03.bin"), [99, 0, 0, 0]).unwrap();
    for command in ["dump", "outline", "decode", "check"] {
        let all = gdvar(&folder, &[command, "in"]);
        assert_eq!(all.status.code(), Some(1), "{command}");
        let (mut output, mut errors) = (Vec::new(), String::new());
        for at in 0..6 {
            let name = format!("in/{at:02}.bin");
            let one = gdvar(&folder, &[command, &name]);
            if matches!(command, "dump" | "outline") {
                output.extend(format!("{name}\n").into_bytes());
            }
            output.extend(&one.stdout);
            errors += &said(&one);
        }
        assert!(all.stdout == output, "{command}: another order");
        assert_eq!(said(&all), errors, "{command}");
    }
}

#[test]
fn a_reader_that_has_enough_ends_it() {
    let folder = folder("pipe");
    fs::create_dir(folder.join("in")).unwrap();
    for at in 0..4 {
        fs::write(folder.join(format!("in/{at}.bin")), ints(10_000)).unwrap();
    }
    for words in [&["dump", "in"][..], &["decode", "in/3.bin"], &["outline", "in"], &["man"]] {
        let mut child = command(&folder, words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("gdvar starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let mut errors = String::new();
        child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert!(child.wait().unwrap().success(), "{words:?}");
        assert_eq!((line.is_empty(), errors.as_str()), (false, ""), "{words:?}");
    }
}

#[test]
fn a_full_disk_is_told() {
    let folder = folder("full");
    fs::write(folder.join("a.bin"), ints(10)).unwrap();
    let Ok(full) = File::options().write(true).open("/dev/full") else { return };
    for words in [
        &["dump", "a.bin"][..],
        &["check", "a.bin"],
        &["decode", "a.bin"],
        &["schema", "infer", "a.bin"],
        &["man"],
        &["completions", "zsh"],
    ] {
        let output = command(&folder, words).stdout(full.try_clone().unwrap()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", said(&output));
        assert!(said(&output).starts_with("error: the output: "), "{words:?}: {}", said(&output));
    }
}

#[test]
fn links_names_and_nothing_at_all() {
    let folder = folder("names");
    fs::create_dir_all(folder.join("in/sub")).unwrap();
    fs::create_dir(folder.join("none")).unwrap();
    symlink("..", folder.join("in/sub/circle")).unwrap();
    symlink("itself", folder.join("in/itself")).unwrap();
    let bytes = ints(2);
    let name = OsStr::from_bytes(b"\xff\x1b[31m\n.bin");
    for name in [OsStr::new("a.bin"), name, OsStr::new(&"n".repeat(255))] {
        fs::write(folder.join("in").join(name), &bytes).unwrap();
    }
    let output = gdvar(&folder, &["transcode", "in", "--out", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!((told.lines().count(), told.contains('\x1b')), (3, false), "{told}");
    assert_eq!(fs::read(folder.join("out").join(name)).unwrap(), bytes);
    assert_eq!(fs::read_dir(folder.join("out")).unwrap().count(), 3, "and no half file");
    for words in [&["check", "none"][..], &["schema", "infer", "none"], &["decode", "none"]] {
        let output = gdvar(&folder, words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert_eq!(said(&output), "error: none: there is no file in it\n");
        assert!(output.stdout.is_empty(), "{words:?}");
    }
    let output = gdvar(&folder, &["check", "none", "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let told = "{\"error\":{\"message\":\"none: there is no file in it\"},\"file\":\"none\",\"ok\":false}\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), told);
    for inputs in [["in", "none"], ["none", "in"]] {
        let output = gdvar(&folder, &["check", inputs[0], inputs[1]]);
        assert_eq!(output.status.code(), Some(2), "{inputs:?}");
        assert!(said(&output).contains("error: none: there is no file in it\n"), "{}", said(&output));
    }
}

#[test]
fn nothing_is_written_over_and_nothing_half_stays() {
    let folder = folder("over");
    let framed = |value: &[u8]| [&u32::try_from(value.len()).unwrap().to_le_bytes(), value].concat();
    // The second value is refused when the first is written already.
    let half = [framed(&ints(3)), framed(&[99, 0, 0, 0])].concat();
    fs::write(folder.join("half.bin"), &half).unwrap();
    let output = gdvar(&folder, &["transcode", "half.bin", "--out", "out", "--framing", "u32"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert_eq!(fs::read_dir(folder.join("out")).unwrap().count(), 0);
    // Results that would take the place of inputs, of their own or of others.
    fs::create_dir_all(folder.join("saves/saves")).unwrap();
    for name in ["a.bin", "saves/a.bin", "saves/saves/b.bin", "saves/b.bin"] {
        fs::write(folder.join(name), ints(u32::try_from(name.len()).unwrap())).unwrap();
    }
    let output = gdvar(&folder, &["transcode", "saves/a.bin", "a.bin", "--out", "."]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read(folder.join("a.bin")).unwrap(), ints(5));
    let output = gdvar(&folder, &["transcode", "saves", "--out", "."]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert_eq!(fs::read(folder.join("saves/b.bin")).unwrap(), ints(11));
}

/// Links in a circle lead nowhere: no file takes the place of one.
#[test]
fn links_in_a_circle_are_refused() {
    let folder = folder("circle");
    fs::write(folder.join("one.json"), "7").unwrap();
    for (link, to) in [("circle", "back"), ("back", "circle"), ("itself", "itself")] {
        symlink(to, folder.join(link)).unwrap();
    }
    for link in ["circle", "itself"] {
        let output = gdvar(&folder, &["encode", "one.json", "--out", link]);
        assert_eq!(output.status.code(), Some(2), "{link}: {}", said(&output));
        assert!(fs::symlink_metadata(folder.join(link)).unwrap().is_symlink(), "{link}");
    }
}

/// A name keeps standing for what it stood for: a link, a pipe, a device, a file that only its owner may
/// read.
#[test]
fn results_leave_names_what_they_are() {
    let folder = folder("places");
    fs::write(folder.join("one.json"), "7").unwrap();
    let seven = [2, 0, 0, 0, 7, 0, 0, 0];
    let encoded = |out: &str| {
        let output = gdvar(&folder, &["encode", "one.json", "--out", out]);
        assert_eq!((output.status.code(), said(&output).as_str()), (Some(0), ""), "{out}");
    };
    for (link, to) in [("link", "far/old.bin"), ("second", "link"), ("dangling", "far/new.bin")] {
        symlink(to, folder.join(link)).unwrap();
    }
    fs::create_dir(folder.join("far")).unwrap();
    fs::write(folder.join("far/old.bin"), "old").unwrap();
    fs::set_permissions(folder.join("far/old.bin"), Permissions::from_mode(0o600)).unwrap();
    encoded("second");
    encoded("dangling");
    for (link, file) in [("second", "far/old.bin"), ("link", "far/old.bin"), ("dangling", "far/new.bin")] {
        assert!(fs::symlink_metadata(folder.join(link)).unwrap().is_symlink(), "{link}");
        assert_eq!(fs::read(folder.join(file)).unwrap(), seven);
    }
    assert_eq!(fs::metadata(folder.join("far/old.bin")).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::read_dir(folder.join("far")).unwrap().count(), 2, "and no half file");
    // A pipe with a reader.
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is there").success());
    let reader = std::thread::spawn(move || fs::read(pipe).unwrap());
    encoded("pipe");
    assert_eq!(reader.join().unwrap(), seven);
    assert!(fs::symlink_metadata(folder.join("pipe")).unwrap().file_type().is_fifo());
    // A device of our own, where we may make one.
    if Command::new("mknod")
        .args(["null", "c", "1", "3"])
        .current_dir(&folder)
        .output()
        .unwrap()
        .status
        .success()
    {
        encoded("null");
        assert!(fs::symlink_metadata(folder.join("null")).unwrap().file_type().is_char_device());
    }
}

/// Values that follow each other in a file that is not held.
#[test]
fn large_files_of_many_values_are_checked() {
    let folder = folder("many");
    let two = [ints(600_000), ints(600_000)].concat();
    for (name, end, code, words) in [
        ("two.bin", &[][..], 0, "two.bin: ok, 2 values, 9600016 bytes"),
        (
            "more.bin",
            &[9, 9, 9],
            1,
            "value 1: (root): expected the end of the bytes, got 3 more bytes (byte 4800008)",
        ),
        (
            "zeros.bin",
            &[0; 8],
            1,
            "value 1: (root): expected the end of the bytes, got 8 more bytes (byte 4800008)",
        ),
    ] {
        fs::write(folder.join(name), [&two, end].concat()).unwrap();
        let output = gdvar(&folder, &["check", name]);
        let told = String::from_utf8_lossy(&output.stdout).into_owned() + &said(&output);
        assert_eq!(output.status.code(), Some(code), "{told}");
        assert!(told.contains(words), "{told}");
        assert_eq!(gdvar(&folder, &["outline", "--depth", "0", name]).status.code(), Some(code), "{name}");
        assert_eq!(gdvar(&folder, &["guess", name]).status.code(), Some(code), "{name}");
    }
    let output = gdvar(&folder, &["check", "more.bin", "--framing", "none"]);
    assert!(
        said(&output).contains("value 2: (root): header is truncated: 4 bytes needed, 3 left"),
        "{}",
        said(&output)
    );
}

/// A packed array that is larger than the memory there is, which no limit forbids: no crash, and no word against the file.
#[test]
#[cfg(target_os = "linux")]
fn values_beyond_memory_are_files_that_cannot_be_used() {
    let folder = folder("memory");
    let length = 600_u32 << 20;
    let mut file = File::create(folder.join("large.bin")).unwrap();
    file.write_all(&[29_u32.to_le_bytes(), length.to_le_bytes()].concat()).unwrap();
    // A hole, which takes no disk.
    file.set_len(8 + u64::from(length)).unwrap();
    for words in ["check large.bin --limits engine", "guess large.bin", "outline large.bin --limits engine"] {
        let script = format!("ulimit -v 400000; exec {} {words}", env!("CARGO_BIN_EXE_gdvar"));
        let output = Command::new("sh").args(["-c", &script]).current_dir(&folder).output().expect("a shell");
        assert_eq!(output.status.code(), Some(2), "{words}: {}", said(&output));
        assert_eq!(said(&output), "error: large.bin: out of memory\n", "{words}");
    }
}

#[test]
fn deep_values_need_no_stack() {
    let folder = folder("deep");
    fs::write(folder.join("deep.bin"), deep(1024)).unwrap();
    fs::write(folder.join("deeper.bin"), deep(5000)).unwrap();
    for command in ["dump", "outline", "sizes", "decode", "scan", "guess", "check"] {
        assert_eq!(gdvar(&folder, &[command, "deep.bin"]).status.code(), Some(0), "{command}");
        let deeper = gdvar(&folder, &[command, "deeper.bin"]);
        // That it cannot be read is no finding of a scan.
        let code = if command == "scan" { 2 } else { 1 };
        assert_eq!(deeper.status.code(), Some(code), "{command}: {}", said(&deeper));
    }
    assert_eq!(gdvar(&folder, &["schema", "infer", "deep.bin"]).status.code(), Some(0));
    assert_eq!(gdvar(&folder, &["transcode", "deep.bin", "--out", "out"]).status.code(), Some(0));
    assert_eq!(gdvar(&folder, &["diff", "deep.bin", "out/deep.bin"]).status.code(), Some(0));
    let json = gdvar(&folder, &["decode", "deep.bin", "--compact"]).stdout;
    fs::write(folder.join("deep.json"), json).unwrap();
    assert_eq!(gdvar(&folder, &["encode", "deep.json", "--out", "back.bin"]).status.code(), Some(0));
    assert_eq!(fs::read(folder.join("back.bin")).unwrap(), deep(1024));
    fs::write(folder.join("deeper.json"), "[".repeat(100_000)).unwrap();
    assert_eq!(gdvar(&folder, &["encode", "deeper.json"]).status.code(), Some(1));
}

/// The middle of a long path is left out, so that no line becomes long by one.
#[test]
fn answers_for_scripts_have_short_lines() {
    let folder = folder("lines");
    let level = [words(&[27, 1, 4, 64]), vec![b'k'; 64]].concat();
    let items = [words(&[28, 50]), words(&[2, 7]).repeat(50)].concat();
    fs::write(folder.join("deep.bin"), [level.repeat(90), items].concat()).unwrap();
    for command in ["dump", "outline"] {
        let output = gdvar(&folder, &[command, "--json", "deep.bin"]);
        assert_eq!(output.status.code(), Some(0), "{command}");
        let told = String::from_utf8(output.stdout).unwrap();
        let longest = told.lines().map(str::len).max();
        assert!(longest.is_some_and(|length| length < 700), "{command}: {longest:?}");
        let last = "\"byte_offset\":7600";
        assert!(told.lines().last().is_some_and(|line| line.contains(last)), "{command}: the place is exact");
    }
}

/// A guess says what it could not look at, and holds a text once, whatever dialects there are.
#[test]
#[cfg(target_os = "linux")]
fn guesses_are_bounded_and_say_so() {
    let folder = folder("guesses");
    let sparse = |name: &str, head: &[u32], size: u32| {
        let mut file = File::create(folder.join(name)).unwrap();
        file.write_all(&words(head)).unwrap();
        file.set_len(u64::from(size)).unwrap();
    };
    let size = 9 << 20;
    sparse("frame.bin", &[size - 4, 29, size - 12], size);
    let output = gdvar(&folder, &["guess", "frame.bin", "--max-bytes", "8m"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("more than 8388608 bytes would have to be held"), "{}", said(&output));
    assert_eq!(gdvar(&folder, &["guess", "frame.bin", "--max-bytes", "9m"]).status.code(), Some(0));
    let size = 120 << 20;
    sparse("text.bin", &[4, size - 8], size);
    let script = format!("ulimit -v 400000; exec {} guess text.bin", env!("CARGO_BIN_EXE_gdvar"));
    let output = Command::new("sh").args(["-c", &script]).current_dir(&folder).output().expect("a shell");
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
}
/// Whatever a stream has to tell, a bounded part of it is kept.
#[test]
fn warnings_are_counted_from_some_number_on() {
    let folder = folder("warnings");
    let object = words(&[16, 24, 4, u32::from_le_bytes(*b"Node"), 0]);
    fs::write(folder.join("objects.bin"), object.repeat(1005)).unwrap();
    let words_null = ["transcode", "objects.bin", "--objects", "null", "--out", "new"];
    let output = gdvar(&folder, &words_null);
    let told = said(&output);
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert_eq!(told.lines().count(), 1001);
    assert!(told.ends_with("warning: objects.bin: 5 more objects became null\n"), "{told}");
    let output = gdvar(&folder, &[&words_null[..], &["--json"]].concat());
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(line["warnings"].as_array().map(Vec::len), Some(1000));
    assert_eq!((line["more_warnings"].as_u64(), line["ok"].as_bool()), (Some(5), Some(true)));
    // Ints with a byte behind them, which only ENGINE takes.
    let longer = [words(&[9, 2, 7]), vec![1]].concat();
    fs::write(folder.join("longer.bin"), longer.repeat(1005)).unwrap();
    let output = gdvar(&folder, &["transcode", "longer.bin", "--strictness", "engine", "--out", "new"]);
    let told = said(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert_eq!(told.matches("expected the end of the bytes").count(), 1000);
    assert!(told.ends_with("error: longer.bin: 5 more values with bytes behind them\n"), "{told}");
}

/// A place in JSON of many values is one in the file.
#[test]
fn mistakes_in_json_stand_where_an_editor_shows_them() {
    let folder = folder("editor");
    for (text, place) in [
        ("1\n\"a\"\n[1,\n x]\n", "value 2: expected value (line 4, column 2)"),
        ("1 {\"$Dictionary\": 3}", "value 1: a Dictionary has no tag: {\"key\": 1}, or {\"$entries\": "),
        ("1 {\"$String\": 3}", "value 1: String is written without a tag (line 1, column "),
        ("1 [2] {\"$\": 3}", "value 2: a tag that names no type (line 1, column "),
    ] {
        fs::write(folder.join("many.json"), text).unwrap();
        let output = gdvar(&folder, &["encode", "many.json", "--framing", "none", "--out", "never.bin"]);
        assert_eq!(output.status.code(), Some(1));
        assert!(said(&output).contains(place), "{}", said(&output));
    }
    let column: usize = said(&gdvar(&folder, &["encode", "many.json", "--framing", "none"]))
        .rsplit_once("column ")
        .and_then(|(_, rest)| rest.trim_end_matches(")\n").parse().ok())
        .unwrap();
    assert!((7..=15).contains(&column), "{column}");
}

/// A link that is named is what it leads to, as for `grep -r`; only those that are come upon are not followed.
#[test]
fn named_links_to_folders_are_their_folders() {
    let folder = folder("linked");
    fs::create_dir(folder.join("in")).unwrap();
    fs::write(folder.join("in/a.bin"), ints(2)).unwrap();
    symlink("in", folder.join("link")).unwrap();
    let output = gdvar(&folder, &["check", "link"]);
    assert_eq!(said(&output), "");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "link/a.bin: ok, 1 value, 24 bytes\n");
    let output = gdvar(&folder, &["transcode", "link", "--out", "out"]);
    assert_eq!((output.status.code(), said(&output)), (Some(0), String::new()));
    assert!(folder.join("out/a.bin").is_file());
}

/// A file that holds no values is named by its first bytes, also where it is too large to be held.
#[test]
fn files_of_other_kinds_are_named() {
    let folder = folder("foreign");
    let value = ints(50);
    let framed = [&u32::try_from(value.len()).unwrap().to_le_bytes()[..], &value].concat();
    let old = [words(&[19, 1 << 20]), words(&[2, 99]).repeat(1 << 20)].concat();
    let told = |name: &str, bytes: &[u8], options: &[&str], hint: &str| {
        fs::write(folder.join(name), bytes).unwrap();
        let output = gdvar(&folder, &[&["check", name], options].concat());
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert!(said(&output).contains(hint), "{name}, {} bytes: {}", bytes.len(), said(&output));
    };
    let large = |first: &[u8], filling: u8| [first, &vec![filling; 9 << 20]].concat();
    for (name, first, filling, hint) in [
        ("resource.res", &b"RSRC\x01\0\0\0"[..], 0xEE, "ResourceLoader"),
        ("archive.zip", b"PK\x03\x04\x14\0\0\0", 0xEE, "a zip archive begins so: unpack it"),
        ("packed.gz", b"\x1F\x8B\x08\x08\0\0\0\0", 0xEE, "gzip -dc"),
        ("text.json", b"{\"hp\": 80}", b' ', "hint: this looks like JSON"),
    ] {
        for options in [&[][..], &["--framing", "u32"]] {
            told(name, first, options, hint);
            told(name, &large(first, filling), options, hint);
        }
    }
    told("more.bin", &large(&framed, 0xEE), &[], "with --framing u32 its first value makes sense");
    told("old.bin", &old, &[], "with --from godot3 its first bytes make sense");
}

/// A save that a crash cut off, or that somebody appended to: lengths that do not add up are no reason to be
/// silent.
#[test]
fn cut_and_continued_streams_are_recognised() {
    let folder = folder("cut_streams");
    let value = ints(50);
    let length = u32::try_from(value.len()).unwrap();
    let little = [&length.to_le_bytes()[..], &value].concat();
    let big = [&length.to_be_bytes()[..], &value].concat();
    for (name, bytes, hint) in [
        (
            "cut.bin",
            &little[..200],
            "hint: with --framing u32 it is cut off: 408 bytes of its first value are declared, 196 there",
        ),
        (
            "more.bin",
            &[&little[..], b"junk!"].concat(),
            "hint: with --framing u32 its first value makes sense",
        ),
        ("big.bin", &big, "hint: with --framing u32be its first value makes sense"),
        (
            "big_cut.bin",
            &big[..100],
            "hint: with --framing u32be it is cut off: 408 bytes of its first value are declared, 96 there",
        ),
    ] {
        fs::write(folder.join(name), bytes).unwrap();
        let output = gdvar(&folder, &["check", name]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert!(said(&output).contains(hint), "{name}: {}", said(&output));
    }
    // Pool arrays have other numbers in Godot 3.
    let old = [&12_u32.to_le_bytes()[..], &words(&[22, 1, 9])].concat();
    fs::write(folder.join("old.bin"), [&old[..], &[1]].concat()).unwrap();
    let output = gdvar(&folder, &["check", "old.bin", "--strictness", "engine"]);
    assert!(said(&output).contains("--framing u32"), "{}", said(&output));
    // Who says that nothing stands before the values is believed, and text is no length.
    let output = gdvar(&folder, &["check", "cut.bin", "--framing", "none"]);
    assert!(!said(&output).contains("--framing u32"), "{}", said(&output));
    fs::write(folder.join("text.bin"), "hold the line, it is only text").unwrap();
    assert!(said(&gdvar(&folder, &["check", "text.bin"])).contains("this is text"));
}

/// Mistakes that people make first: digits as an argument, a file as the folder of results, JSON that Windows
/// marked as UTF-8.
#[test]
fn natural_mistakes_are_answered() {
    let folder = folder("natural");
    for flag in ["--hex", "--base64"] {
        let output = gdvar(&folder, &["check", flag, "0200000007000000"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(said(&output).contains("a file or the standard input"), "{}", said(&output));
    }
    fs::write(folder.join("a.bin"), ints(2)).unwrap();
    fs::write(folder.join("b.bin"), "b").unwrap();
    let protocol = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/cli/files/arena.protocol.json");
    fs::copy(protocol, folder.join("p.json")).unwrap();
    for command in ["transcode a.bin", "split a.bin", "protocol typescript p.json"] {
        let words: Vec<&str> = command.split(' ').chain(["--out", "b.bin"]).collect();
        let output = gdvar(&folder, &words);
        assert_eq!(output.status.code(), Some(2));
        assert!(said(&output).contains("b.bin: --out takes a folder, this is a file"), "{}", said(&output));
        assert_eq!(fs::read(folder.join("b.bin")).unwrap(), b"b");
    }
    fs::write(folder.join("marked.json"), "\u{feff}7").unwrap();
    let output = gdvar(&folder, &["encode", "marked.json", "--hex"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "0200000007000000\n", "{}", said(&output));
}

/// A user who stops the tool keeps what was there, and finds nothing that was half written.
#[cfg(target_os = "linux")]
#[test]
fn nothing_half_written_stays_when_it_is_stopped() {
    let folder = folder("stopped");
    let out = folder.join("out");
    fs::create_dir(&out).unwrap();
    for signal in ["INT", "TERM", "HUP"] {
        fs::write(out.join("stdin.bin"), b"old").unwrap();
        // Whoever runs the tests may ignore signals, as a shell's background job does; `env` of Linux undoes that.
        let mut child = Command::new("env")
            .args(["--default-signal=INT,TERM,HUP", env!("CARGO_BIN_EXE_gdvar"), "transcode", "-"])
            .args(["--to", "godot3", "--framing", "u32", "--out", "out"])
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("env starts");
        let mut input = child.stdin.take().expect("a pipe");
        // The first is written when the second has begun.
        input.write_all(&b"\x08\0\0\0\x02\0\0\0\x07\0\0\0".repeat(2)).unwrap();
        let names = || {
            let names = fs::read_dir(&out).unwrap().flatten().map(|entry| entry.file_name());
            names.map(|name| name.to_string_lossy().into_owned()).collect::<Vec<_>>()
        };
        waits_for(|| names().iter().any(|name| name.ends_with(".part")));
        let id = child.id().to_string();
        assert!(Command::new("kill").args([&format!("-{signal}"), &id]).status().unwrap().success());
        waits_for(|| child.try_wait().unwrap().is_some());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
        assert_eq!(names(), ["stdin.bin"], "{signal}");
        assert_eq!(fs::read(out.join("stdin.bin")).unwrap(), b"old", "{signal}");
    }
}

fn waits_for(mut is_so: impl FnMut() -> bool) {
    let tries = (0..1000).any(|_| {
        is_so() || {
            std::thread::sleep(std::time::Duration::from_millis(10));
            false
        }
    });
    assert!(tries, "it never comes");
}

/// A value of a pipe is shown when it is there, and not when the next one is.
#[test]
fn a_piped_stream_is_shown_value_by_value() {
    let folder = folder("live");
    let mut child = command(&folder, &["decode", "--framing", "u32", "--compact", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("gdvar starts");
    let mut input = child.stdin.take().expect("it is piped");
    let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
    for number in 0..3_u32 {
        input.write_all(&words(&[8, 2, number])).expect("gdvar reads");
        input.flush().expect("gdvar reads");
        // This would wait for ever: nothing more is sent before it is answered.
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        assert_eq!(line, format!("{number}\n"));
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// A reader that has enough of a stream is noticed with the next value, not with the one behind it.
#[test]
fn a_piped_stream_ends_with_its_reader() {
    let mut child = command(&folder("reader"), &["dump", "--framing", "u32", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("gdvar starts");
    let mut input = child.stdin.take().expect("it is piped");
    input.write_all(&words(&[8, 2, 7])).unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("it is piped")).read_line(&mut line).unwrap();
    assert!(line.contains("value 0"), "{line}");
    input.write_all(&words(&[8, 2, 7])).unwrap();
    waits_for(|| child.try_wait().expect("gdvar is there").is_some());
    drop(input);
}

#[test]
fn a_read_only_file_stays_and_edit_keeps_what_it_is_told_to() {
    let folder = folder("kept");
    let file = folder.join("a.bin");
    // {"a": 1, Vector2i(1, -2): [7, 8, 9]}
    let bytes =
        [words(&[27, 2, 4, 1, 0x61, 2, 1]), words(&[6, 1, -2_i32 as u32, 28, 3, 2, 7, 2, 8, 2, 9])].concat();
    let edit = |words: &[&str]| gdvar(&folder, &[&["edit", "a.bin"][..], words].concat());
    let shown =
        |name: &str| String::from_utf8(gdvar(&folder, &["decode", "--compact", name]).stdout).unwrap();
    fs::write(&file, &bytes).unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o444)).unwrap();
    let refused = edit(&["set", "a", "2"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(said(&refused).contains("read-only"), "{}", said(&refused));
    assert!(edit(&["set", "a", "2", "--out", "b.bin"]).status.success());
    assert_eq!(fs::read(&file).unwrap(), bytes);
    assert!(shown("b.bin").contains("\"a\":2"), "{}", shown("b.bin"));
    fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
    assert!(edit(&["delete", "[Vector2i(1, -2)][1]", "--backup", "a.bak"]).status.success());
    assert_eq!(fs::read(folder.join("a.bak")).unwrap(), bytes);
    assert!(shown("a.bin").contains("[7,9]"), "{}", shown("a.bin"));
    assert!(edit(&["delete", "a"]).status.success());
    assert!(edit(&["set", "[Vector2i(3, 4)]", "5", "--add"]).status.success());
    assert!(edit(&["delete", "[Vector2i(1, -2)]"]).status.success());
    let left = [words(&[27, 1, 6, 3, 4, 2, 5])].concat();
    assert_eq!(fs::read(&file).unwrap(), left, "{}", shown("a.bin"));
    assert_eq!(edit(&["delete", "a"]).status.code(), Some(1));
    assert_eq!(edit(&["delete", "a", "--out", "a.bin"]).status.code(), Some(2), "it is the input");
}

//! A folder of many old saves, converted: every file arrives, memory stays bounded. With `VARIANT_LONG` they
//! are 20 000, and a stream in one file has 4 GB; the last line says how fast it was, shown with `--nocapture`.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use variant_core::{Array, Dialect, Dictionary, Limits, Reals, Target, Value};

/// Bytes of memory that a run may take at its peak, and so many more for each file that is worked on at once.
const MOST_MEMORY: u64 = 16 << 20;
const MOST_OF_WORKER: u64 = 2 << 20;
/// The most memory for one stream, whatever its size.
const MOST_OF_STREAM: u64 = 32 << 20;

#[test]
fn many_saves_are_converted_in_bounded_memory() {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let most = MOST_MEMORY + MOST_OF_WORKER * workers as u64;
    let (count, map) = match std::env::var_os("VARIANT_LONG") {
        Some(_) => (20_000, 8_000),
        None => ((200 + 20 * workers as i64).max(400), 200_000),
    };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bulk");
    // What an earlier run left must not be counted.
    let _ = fs::remove_dir_all(&folder);
    let bytes = write_saves(&folder.join("saves"), count, map);
    assert!(bytes as u64 > most + most / 2, "{bytes} bytes would prove nothing");
    let (seconds, peak) =
        measured(&folder, &["transcode", "--from", "godot3", "--to", "godot4", "saves", "--out", "new"]);
    assert!(peak < most, "{peak} bytes of memory, {most} are allowed");
    assert_eq!(converted(&folder.join("new")), count);
    let save = fs::read(folder.join("new/07/save_000007.bin")).expect("it was converted");
    assert_eq!(save, framed(&save_of(7, map), Target::default()));
    println!(
        "{count} saves of {:.1} MB in {seconds:.1} s: {:.0} files/s, peak memory {:.1} MB",
        bytes as f64 / 1e6,
        count as f64 / seconds,
        peak as f64 / 1e6
    );
    fs::remove_dir_all(folder).expect("it can be removed");
}

/// A stream of values in one file, larger than what may be held of it.
#[test]
fn a_giant_stream_is_read_in_bounded_memory() {
    let count = if std::env::var_os("VARIANT_LONG").is_some() { 200_000 } else { 4000 };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("giant");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder can be made");
    let mut stream = BufWriter::new(fs::File::create(folder.join("stream.bin")).expect("a file"));
    let saves: Vec<Vec<u8>> = (0..8).map(|number| framed(&large_save(number), Target::default())).collect();
    let bytes: usize = saves.iter().cycle().take(count).map(Vec::len).sum();
    for save in saves.iter().cycle().take(count) {
        stream.write_all(save).expect("there is room");
    }
    stream.into_inner().expect("it is written");
    assert!(bytes as u64 > MOST_OF_STREAM * 2, "{bytes} bytes would prove nothing");
    for words in [
        &["check", "stream.bin"][..],
        &["sizes", "stream.bin"],
        &["outline", "stream.bin", "--depth", "0"],
        &["guess", "stream.bin"],
        &["transcode", "stream.bin", "--out", "new"],
        &["diff", "stream.bin", "new/stream.bin"],
    ] {
        let (seconds, peak) = measured(&folder, words);
        assert!(peak < MOST_OF_STREAM, "{words:?}: {peak} bytes of memory");
        let (size, peak) = (bytes as f64 / 1e6, peak as f64 / 1e6);
        println!("{} of a stream of {size:.1} MB in {seconds:.1} s, peak memory {peak:.1} MB", words[0]);
    }
    fs::remove_dir_all(folder).expect("it can be removed");
}

/// Seconds and peak memory of a run that is fine.
fn measured(folder: &Path, words: &[&str]) -> (f64, u64) {
    let begin = Instant::now();
    let mut gdvar = Command::new(env!("CARGO_BIN_EXE_gdvar"))
        .args(words)
        .current_dir(folder)
        .stdout(Stdio::null())
        .spawn()
        .expect("gdvar starts");
    let mut peak = 0;
    let status = loop {
        peak = peak.max(peak_memory(gdvar.id()).unwrap_or(0));
        if let Some(status) = gdvar.try_wait().expect("gdvar is there") {
            break status;
        }
        thread::sleep(Duration::from_millis(5));
    };
    assert!(status.success(), "{words:?}");
    assert!(peak > 0 || !cfg!(target_os = "linux"), "nothing was measured");
    (begin.elapsed().as_secs_f64(), peak)
}

/// A save of some 20 kilobytes with few values.
fn large_save(number: i64) -> Value {
    let entries = vec![
        (Value::String("slot".to_owned()), Value::Int(number)),
        (Value::String("map".to_owned()), Value::PackedByteArray(vec![7; 20_000])),
    ];
    Value::Dictionary(Box::new(Dictionary { entries, ..Dictionary::default() }))
}

/// A save of some kilobytes of values, and a map of so many bytes; a few have a hundred times as many values.
fn save_of(number: i64, map: usize) -> Value {
    let text = |text: &str| Value::String(text.to_owned());
    let item = |at: i64| {
        let entries = vec![
            (text("id"), Value::Int(at * 7919 + number)),
            (text("name"), text(&format!("item {at}"))),
            (text("pos"), Value::Vector3(Reals::Single([at as f32, 0.5, -1.0]))),
        ];
        Value::Dictionary(Box::new(Dictionary { entries, ..Dictionary::default() }))
    };
    let count = if number % 1000 == 999 { 4000 } else { 40 };
    let items = Array { items: (0..count).map(item).collect(), ..Array::default() };
    let entries = vec![
        (text("slot"), Value::Int(number)),
        (text("items"), Value::Array(Box::new(items))),
        (text("map"), Value::PackedByteArray(vec![7; map])),
    ];
    Value::Dictionary(Box::new(Dictionary { entries, ..Dictionary::default() }))
}

fn framed(value: &Value, target: Target) -> Vec<u8> {
    let mut bytes = vec![0; 4];
    value.encode_for(target, &mut bytes, &Limits::engine()).expect("it can be written");
    let length = u32::try_from(bytes.len() - 4).expect("it is short");
    bytes[..4].copy_from_slice(&length.to_le_bytes());
    bytes
}

fn write_saves(folder: &Path, count: i64, map: usize) -> usize {
    let mut bytes = 0;
    for number in 0..count {
        let below = folder.join(format!("{:02}", number % 50));
        fs::create_dir_all(&below).expect("a folder can be made");
        let save = framed(&save_of(number, map), Target::newest(Dialect::Godot3));
        bytes += save.len();
        fs::write(below.join(format!("save_{number:06}.bin")), save).expect("a save can be written");
    }
    bytes
}

fn converted(folder: &Path) -> i64 {
    let below = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a folder").path());
    below.map(|below| fs::read_dir(below).expect("a folder").count() as i64).sum()
}

/// The most memory that a process has had so far; only Linux tells.
fn peak_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

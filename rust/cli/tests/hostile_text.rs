//! Names of files, contents, schemas and arguments with characters that steer a terminal, turn text round or begin a line:
//! no command lets one of them through, in what it answers or in what it refuses.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// In every text of the files, in their names, in arguments. A line that begins with `forged` came out of it.
const BAD: &str = "b\u{1b}[2J\u{9b}31m\u{7}\u{7f}\u{85}\r\u{ad}\u{61c}\u{200b}\u{200f}\u{202e}\u{2066}\u{2028}\u{2029}\u{feff}\u{fffa}\u{e0041}\nforged";

/// Every command, with what it needs beside its inputs; `IN` stands for one of the files.
const COMMANDS: [&str; 43] = [
    "decode IN",
    "decode --json IN",
    "decode --plain --compact IN",
    "dump IN",
    "dump --json IN",
    "outline IN",
    "outline --json IN",
    "sizes IN",
    "sizes --json IN",
    "check IN",
    "check --json IN",
    "check --schema SCHEMA IN",
    "check --json --schema SCHEMA IN",
    "schema infer IN",
    "diff IN VALUE",
    "diff --json IN VALUE",
    "transcode --to 4.0 --objects null --out OUT IN",
    "split --out OUT IN",
    "guess IN",
    "scan IN",
    "scan --json IN",
    "bench IN",
    "save info IN",
    "save info --json IN",
    "save verify IN",
    "save recover --out OUT IN",
    "save repack --out OUT IN",
    "protocol check IN",
    "protocol check --json IN",
    "protocol diff IN PROTOCOL",
    "protocol diff --json PROTOCOL OTHER",
    "protocol docs IN",
    "protocol vectors --count 2 IN",
    "protocol typescript --out OUT IN",
    "protocol csharp --out OUT IN",
    "pack --schema SCHEMA --out OUT IN",
    "unpack --schema SCHEMA IN",
    "dump --schema SCHEMA IN",
    "outline --schema SCHEMA IN",
    "edit IN get PLACE",
    "edit IN get (root)",
    "edit IN set PLACE 1 --add",
    "edit IN set PLACE PLACE",
];

/// Calls that are wrong in themselves.
const MISUSES: [&str; 13] = [
    "BAD",
    "check --BAD",
    "check --framing BAD IN",
    "check --max-bytes BAD IN",
    "check --most BAD IN",
    "check --key 00 IN",
    "check --hex BAD",
    "check BAD/missing",
    "check --schema BAD IN",
    "encode --to BAD IN",
    "transcode --out VALUE IN",
    "encode BAD",
    "completions BAD",
];

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

fn word(word: u32) -> Vec<u8> {
    word.to_le_bytes().to_vec()
}

/// A length, the text, what fills it up.
fn text(text: &str) -> Vec<u8> {
    let mut bytes = word(text.len().try_into().expect("short"));
    bytes.extend(text.as_bytes());
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

/// A header and texts behind it.
fn texts(header: u32, parts: &[&str]) -> Vec<u8> {
    [word(header), parts.iter().flat_map(|part| text(part)).collect()].concat()
}

/// A value of everything that has a text in it.
fn value(bad: &str) -> Vec<u8> {
    let path = [word(22), word(0x8000_0001), word(1), word(0), text(bad), text(bad)].concat();
    let object = [word(24), text(bad), word(1), text(bad), texts(4, &[bad])].concat();
    let script = [object_of("Node"), text("script"), texts(4, &[bad])].concat();
    let source = [object_of("GDScript"), text("script/source"), texts(4, &[bad])].concat();
    let by_class = [word(28 | 2 << 16), text(bad), word(0)].concat();
    let by_script = [word(28 | 3 << 16), text(&format!("res://{bad}")), word(0)].concat();
    let signal = [word(26), text(bad), word(7), word(0)].concat();
    let strings = [word(34), word(2), text(bad), text("b")].concat();
    let inner = [word(27), word(1), texts(21, &[bad]), texts(21, &[bad])].concat();
    let items = [
        texts(4, &[bad]),
        path,
        object[..].to_vec(),
        script,
        source,
        by_class,
        by_script,
        signal,
        strings,
        inner,
    ];
    let count = u32::try_from(items.len()).expect("few");
    let entries = items
        .iter()
        .enumerate()
        .flat_map(|(at, item)| [texts(4, &[&format!("{at}{bad}")]), item.clone()].concat());
    [word(27), word(count)].concat().into_iter().chain(entries).collect()
}

fn object_of(class: &str) -> Vec<u8> {
    [word(24), text(class), word(1)].concat()
}

/// A protocol of bad names, texts and keys.
fn protocol(most: i64) -> String {
    let part = serde_json::json!({ "type": "enum", "values": [BAD, "a"], "description": BAD });
    let number = serde_json::json!({ "type": "int", "min": 0, "max": most });
    let schema = serde_json::json!({
        "schema_version": 1, "type": "dict", "keys": { BAD: part, "n": number }, "open": false, "description": BAD,
    });
    let message = |name: &str| serde_json::json!({ "name": name, "sender": "both", "schema": schema });
    serde_json::json!({ "protocol": 1, "messages": [message(BAD), message("b")] }).to_string()
}

/// A schema that packs a dictionary of one bad key with a bad text.
fn packable() -> String {
    let part = serde_json::json!({ "type": "enum", "values": [BAD, "a"], "description": BAD });
    serde_json::json!({ "schema_version": 1, "type": "dict", "keys": { BAD: part }, "open": false })
        .to_string()
}

/// Packed bytes of that dictionary.
fn packed() -> Vec<u8> {
    let program =
        variant_schema::Schema::from_json(&packable()).and_then(|it| it.compile()).expect("a schema");
    let layout = variant_pack::Layout::compile(program.into()).expect("it packs");
    let value = variant_core::Value::from([(BAD, variant_core::Value::from(BAD))]).encode().expect("a value");
    let mut packer = variant_pack::Packer::tagged(variant_pack::Tagging::Short);
    packer.pack(&layout, &value, &variant_core::Rules::default()).expect("it fits").to_vec()
}

/// The files by their names, which are as bad as what is in them.
fn files(folder: &Path) -> Vec<String> {
    let whole = value(BAD);
    let inner = [word(27), word(1), texts(4, &[BAD]), word(99)].concat();
    let json = serde_json::json!({ BAD: { format!("${BAD}"): 1 }}).to_string();
    let twice = format!("{{{0}: 1, {0}: 2}}", serde_json::json!(BAD));
    let tagged = serde_json::json!({ BAD: { "$Array[int]": [BAD] }}).to_string();
    let draft = variant_save::Draft {
        game: BAD,
        engine: BAD,
        meta: Some(&whole),
        ..variant_save::Draft::new(&whole)
    };
    let save = variant_save::write(&draft).expect("a save");
    let files = [
        ("save", save),
        ("whole", whole.clone()),
        ("cut", whole[..whole.len() - 9].to_vec()),
        ("broken", inner),
        ("framed", [word(whole.len().try_into().expect("short")), whole].concat()),
        ("json", json.into_bytes()),
        ("twice", twice.into_bytes()),
        ("tagged", tagged.into_bytes()),
        ("text", BAD.as_bytes().to_vec()),
        ("protocol", protocol(9).into_bytes()),
        ("other", protocol(10).into_bytes()),
        ("packed", packed()),
        ("twice_named", protocol(9).replace("\"b\"", &serde_json::json!(BAD).to_string()).into_bytes()),
    ];
    let name = |name: &str| format!("{name}{BAD}.bin");
    files
        .map(|(of, bytes)| {
            fs::write(folder.join(name(of)), bytes).expect("a file can be written");
            name(of)
        })
        .to_vec()
}

/// Schemas with bad names, allowed texts and patterns, and some that are wrong.
fn schemas(folder: &Path) -> Vec<String> {
    let good =
        serde_json::json!({ "type": "Dictionary", "keys": { BAD: { "type": "String", "enum": [BAD] } } });
    let texts = [
        ("good", good.to_string()),
        ("packs", packable()),
        ("pattern", serde_json::json!({ "type": "String", "pattern": format!("({BAD}") }).to_string()),
        ("word", serde_json::json!({ "type": BAD }).to_string()),
        ("key", serde_json::json!({ "type": "String", BAD: 1 }).to_string()),
        ("text", BAD.to_owned()),
    ];
    texts
        .map(|(of, text)| {
            let name = format!("schema_{of}{BAD}.json");
            fs::write(folder.join(&name), text).expect("a file can be written");
            name
        })
        .to_vec()
}

/// Returns what a command wrote on both outputs, and checks that nothing bad is in it.
fn judged(folder: &Path, words: &[String]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_gdvar"))
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("gdvar starts");
    let told = [output.stdout, output.stderr].concat();
    let told = String::from_utf8(told).unwrap_or_else(|error| panic!("{words:?}: no text: {error}"));
    assert!(!told.contains("panicked"), "{words:?}: {told}");
    let is_bad = |c: &char| *c != '\n' && BAD.contains(*c) && !c.is_ascii_graphic();
    let bad: Vec<char> = told.chars().filter(is_bad).collect();
    assert!(bad.is_empty(), "{words:?}: {bad:?} in {told:?}");
    assert!(!told.lines().any(|line| line.starts_with("forged")), "{words:?}: {told}");
    (output.status.code(), told)
}

fn words(call: &str, given: &[(&str, &str)]) -> Vec<String> {
    let with = |word: &str| given.iter().fold(word.to_owned(), |word, (name, is)| word.replace(name, is));
    call.split(' ').map(with).collect()
}

#[test]
fn no_command_lets_through_what_steers_a_terminal() {
    let folder = folder("commands");
    let (files, schemas) = (files(&folder), schemas(&folder));
    let mut shown = 0;
    for call in COMMANDS {
        for input in &files {
            for schema in schemas.iter().take(if call.contains("SCHEMA") { schemas.len() } else { 1 }) {
                let _ = fs::remove_dir_all(folder.join("out"));
                let given = [
                    ("SCHEMA", schema.as_str()),
                    ("VALUE", &files[1]),
                    ("PROTOCOL", &files[9]),
                    ("OTHER", &files[10]),
                    ("OUT", "out"),
                    ("IN", input),
                    ("PLACE", BAD),
                ];
                let (_, told) = judged(&folder, &words(call, &given));
                shown += usize::from(told.contains("\\u202e"));
            }
        }
    }
    assert!(shown > 150, "{shown} answers had something to escape");
    for input in &files {
        judged(&folder, &words("encode --hex IN", &[("IN", input)]));
    }
}

#[test]
fn no_mistake_in_a_call_lets_it_through() {
    let folder = folder("misuses");
    let files = files(&folder);
    for call in MISUSES {
        let given = [("BAD", BAD), ("VALUE", files[1].as_str()), ("IN", &files[2])];
        let (code, told) = judged(&folder, &words(call, &given));
        assert_eq!(code, Some(2), "{call}: {told}");
        assert!(told.contains("\\u202e"), "{call}: {told}");
    }
}

/// Scripts read the very name, whatever people see.
#[test]
fn names_come_back_from_reports_for_scripts() {
    let folder = folder("names");
    let files = files(&folder);
    let (_, told) = judged(&folder, &words("check --json IN", &[("IN", &files[3])]));
    let line: serde_json::Value = serde_json::from_str(told.trim_end()).expect("one object");
    assert_eq!(line["file"], files[3].as_str());
    let whole = judged(&folder, &words("decode --json IN", &[("IN", &files[1])])).1;
    let line: serde_json::Value = serde_json::from_str(whole.trim_end()).expect("one object");
    assert_eq!(line["data"][format!("0{BAD}")], BAD);
}

/// A command that is new has to stand above.
#[test]
fn every_command_is_tried() {
    let help = judged(&folder("help"), &["--help".to_owned()]).1;
    let commands =
        help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("a list");
    let names: Vec<&str> =
        commands.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    let quiet = ["encode", "completions", "man", "help", ""];
    for name in names.iter().filter(|name| !quiet.contains(name)) {
        assert!(COMMANDS.iter().any(|call| call.split(' ').next() == Some(name)), "{name}");
    }
    assert!(names.len() >= 15, "{names:?}");
}

//! Tests the classes that `gdvar protocol csharp` writes: every vector, where a compiler of C# is installed (`mcs` and `mono`, or
//! `dotnet`). Without one they say so, and only that brackets and quotes are closed is looked at.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value as Json;

use crate::bounds;

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests")
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("csharp").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

fn gdvar(words: &[&str]) -> Vec<u8> {
    let output = Command::new(env!("CARGO_BIN_EXE_gdvar"))
        .args(words)
        .current_dir(tests())
        .stdin(Stdio::null())
        .output()
        .expect("gdvar starts");
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// A project for `dotnet`, of the version that is installed.
fn project(folder: &Path) {
    let version = Command::new("dotnet").arg("--version").output().expect("dotnet starts").stdout;
    let version = String::from_utf8_lossy(&version);
    let major = version.split('.').next().unwrap_or("8").trim();
    let text = format!(
        "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><OutputType>Exe</OutputType>\
         <TargetFramework>net{major}.0</TargetFramework></PropertyGroup></Project>"
    );
    fs::write(folder.join("agree.csproj"), text).expect("a file can be written");
}

/// Compiles what is in the folder and runs it on the vectors, or returns nothing without a compiler.
fn ran(folder: &Path) -> Option<Output> {
    if has("mcs") && has("mono") {
        let compiled = Command::new("mcs")
            .args(["-out:agree.exe", "Game.cs", "Agree.cs"])
            .current_dir(folder)
            .output()
            .expect("mcs starts");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        return Command::new("mono").args(["agree.exe", "vectors.txt"]).current_dir(folder).output().ok();
    }
    if has("dotnet") {
        project(folder);
        return Command::new("dotnet").args(["run", "--", "vectors.txt"]).current_dir(folder).output().ok();
    }
    println!("skipped: neither mcs nor dotnet is installed");
    None
}

#[test]
fn classes_agree_with_all_vectors() {
    let protocols = [
        ("arena", "cli/files/arena.protocol.json"),
        ("kinds", "protocol/kinds.json"),
        ("bounds", bounds::PROTOCOL),
    ];
    for (name, protocol) in protocols {
        let folder = folder(name);
        let game = folder.join("Game.cs");
        gdvar(&["protocol", "csharp", protocol, "--out", game.to_str().expect("a path of text")]);
        let vectors: Json = match name {
            "bounds" => bounds::vectors(),
            _ => {
                let vectors = gdvar(&["protocol", "vectors", protocol, "--count", "30"]);
                serde_json::from_slice(&vectors).expect("JSON")
            }
        };
        fs::write(folder.join("vectors.txt"), lines(&vectors)).expect("a file can be written");
        fs::copy(tests().join("protocol/Agree.cs"), folder.join("Agree.cs")).expect("a copy");
        is_closed(&fs::read_to_string(&game).expect("a readable file"));
        if let Some(output) = ran(&folder) {
            let told = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
            assert!(output.status.success(), "{name}: {told}");
        }
    }
}

/// Brackets and quotes are closed, which is as much of the language as can be told here.
fn is_closed(text: &str) {
    let code: String =
        text.lines().filter(|line| !line.trim_start().starts_with("///")).collect::<Vec<_>>().join("\n");
    for pair in [('{', '}'), ('(', ')'), ('[', ']')] {
        let count =
            |bracket: char| code.matches(bracket).count() - code.matches(&format!("'{bracket}'")).count();
        assert_eq!(count(pair.0), count(pair.1), "{pair:?}");
    }
}

#[test]
fn a_namespace_that_is_none_is_refused() {
    for namespace in ["1a", "a b", "a;", "a..b", ""] {
        let words = ["protocol", "csharp", "arena.protocol.json", "--out", "Game.cs"];
        let output = Command::new(env!("CARGO_BIN_EXE_gdvar"))
            .args(words)
            .arg(format!("--namespace={namespace}"))
            .current_dir(tests().join("cli/files"))
            .output()
            .expect("gdvar starts");
        assert_eq!(output.status.code(), Some(2), "{namespace:?}");
    }
    assert!(!tests().join("cli/files/Game.cs").exists());
}

fn lines(vectors: &Json) -> String {
    let mut lines = String::new();
    for message in vectors["messages"].as_array().expect("a list") {
        let id = &message["id"];
        // What stands inside any() is bytes there.
        let is_any = message["name"].as_str().expect("a name").starts_with("any");
        for vector in message["accepted"].as_array().expect("a list") {
            let value = if is_any { String::new() } else { format!(" {}", shown(&vector["value"])) };
            lines.push_str(&format!("{id} accepted {}{value}\n", text(&vector["packed"])));
        }
        for vector in message["deltas"].as_array().expect("a list") {
            let [base, delta, new] = ["base", "delta", "new"].map(|of| text(&vector[of]));
            lines.push_str(&format!("{id} delta {base} {delta} {new}\n"));
        }
        for vector in message["deltas_from_two"].as_array().expect("a list") {
            let [newer, older, delta, new] = ["newer", "older", "delta", "new"].map(|of| text(&vector[of]));
            let [ahead, gap] = ["ahead", "gap"].map(|of| &vector[of]);
            lines.push_str(&format!("{id} delta_from_two {newer} {older} {ahead} {gap} {delta} {new}\n"));
        }
        for vector in message["refused"].as_array().expect("a list").iter().filter(|_| !is_any) {
            lines.push_str(&format!("{id} refused {}\n", text(&vector["packed"])));
        }
        for vector in message["refused_deltas"].as_array().into_iter().flatten() {
            let [base, delta] = ["base", "delta"].map(|of| text(&vector[of]));
            lines.push_str(&format!("{id} refused_delta {base} {delta}\n"));
        }
    }
    lines
}

fn text(json: &Json) -> &str {
    json.as_str().expect("a text")
}

/// Writes tagged JSON as `Agree.cs` writes values: floats by their bits, texts by their bytes, entries sorted.
fn shown(json: &Json) -> String {
    match json {
        Json::Null => "null".to_owned(),
        Json::Bool(value) => value.to_string(),
        Json::Number(number) => match number.as_i64() {
            Some(number) => number.to_string(),
            None => float(number.as_f64().expect("a number")),
        },
        Json::String(text) => {
            format!("s{}", text.bytes().map(|byte| format!("{byte:02x}")).collect::<String>())
        }
        Json::Array(items) => list(items.iter().map(shown)),
        Json::Object(members) => match members.iter().next() {
            Some((tag, inner)) if members.len() == 1 && tag.starts_with('$') && tag != "$entries" => {
                tagged(&tag[1..], inner)
            }
            _ => entries(members),
        },
    }
}

fn float(number: f64) -> String {
    format!("d{:016x}", number.to_bits())
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

fn entries(members: &serde_json::Map<String, Json>) -> String {
    let mut pairs: Vec<String> = Vec::new();
    for (key, value) in members {
        if key == "$entries" {
            let listed = value.as_array().expect("a list").iter();
            pairs.extend(listed.map(|pair| format!("{}:{}", shown(&pair[0]), shown(&pair[1]))));
        } else {
            pairs.push(format!("{}:{}", shown(&Json::from(key.as_str())), shown(value)));
        }
    }
    if pairs.is_empty() {
        // A map without entries is a list without elements there.
        return list(std::iter::empty());
    }
    pairs.sort();
    format!("{{{}}}", pairs.join(","))
}

fn tagged(tag: &str, inner: &Json) -> String {
    match tag {
        "int" => text(inner).to_owned(),
        "float" => float(match text(inner) {
            "inf" => f64::INFINITY,
            "-inf" => f64::NEG_INFINITY,
            "nan" => f64::NAN,
            other => other.parse().expect("a number"),
        }),
        "NodePath" => path(text(inner)),
        "PackedByteArray" if inner.is_string() => {
            let bytes = text(inner).as_bytes().chunks(2);
            list(bytes.map(|pair| {
                u8::from_str_radix(std::str::from_utf8(pair).expect("digits"), 16)
                    .expect("digits")
                    .to_string()
            }))
        }
        _ => numbers(tag, inner),
    }
}

fn path(text: &str) -> String {
    let (path, subnames) = text.split_once(':').map_or((text, None), |(path, rest)| (path, Some(rest)));
    let words = |text: &str, by: char| -> String {
        list(text.split(by).filter(|name| !name.is_empty()).map(|name| shown(&Json::from(name))))
    };
    let absolute = u8::from(path.starts_with('/'));
    format!("p{absolute}{}{}", words(path, '/'), words(subnames.unwrap_or(""), ':'))
}

/// Numbers of 32 bits are written as short as 32 bits allow, and vectors of a packed array one after another.
fn numbers(tag: &str, inner: &Json) -> String {
    let Some(items) = inner.as_array() else { return shown(inner) };
    let is_whole = tag.ends_with('i') || tag.starts_with("PackedInt") || tag == "PackedByteArray";
    let is_plain = is_whole || matches!(tag, "PackedStringArray" | "Dictionary" | "Array");
    let narrow = |item: &Json| {
        let number = item.as_f64().expect("a number");
        let is_wide = tag.ends_with(":64") || tag == "PackedFloat64Array";
        float(if is_wide { number } else { f64::from(number as f32) })
    };
    let each: Vec<String> =
        if is_plain { items.iter().map(shown).collect() } else { items.iter().map(narrow).collect() };
    let size = match tag {
        "PackedVector2Array" => 2,
        "PackedVector3Array" => 3,
        "PackedVector4Array" | "PackedColorArray" => 4,
        _ => return list(each.into_iter()),
    };
    list(each.chunks(size).map(|numbers| list(numbers.iter().cloned())))
}

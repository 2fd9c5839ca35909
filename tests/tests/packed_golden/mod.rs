//! Checks `tests/golden/packed/vectors.json`: what every implementation of the packed format has to make of these schemas and values.
//! `BLESS=1` writes the file anew; a difference in it is another format.

mod motion_rows;
mod number_rows;
mod rows;

use std::fmt::Write;
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value as Json, json};
use variant_core::{Limits, Rules};
use variant_pack::{Bases, Layout, Packer, Tagging};
use variant_schema::Schema;
use variant_testkit::hex::{self, Hex};
use variant_testkit::packed;

const FILE: &str = include_str!("../../golden/packed/vectors.json");
/// Vectors in the file, a value of a schema each.
const VECTORS: usize = 308;

/// The text before a schema and behind it. Its keys have an order, which most readers of JSON lose.
const SCHEMA: &str = ", \"schema\": ";
const VALUES: &str = ", \"values\": [";

/// The document of a schema on one line.
fn one_line(schema: &Schema) -> String {
    schema.to_json().lines().map(str::trim_start).collect()
}

fn rules() -> Rules {
    Rules::safe(Limits::network())
}

fn layout(schema: &Schema) -> Layout {
    Layout::compile(Arc::new(schema.compile().expect("it has no mistake"))).expect("it can be packed")
}

fn text(bytes: &[u8]) -> Json {
    Hex(bytes).to_string().into()
}

/// A value: its bytes, packed, what comes out if that is another, and the difference from the value before.
fn vector(layout: &Layout, before: &[u8], value: &[u8]) -> (Json, Vec<u8>) {
    let mut packer = Packer::new();
    let packed = packer.pack(layout, value, &rules()).expect("it fits").to_vec();
    let mut row = json!({ "value": text(value), "packed": text(&packed) });
    let back = packer.unpack(layout, &packed, &rules()).expect("it was packed");
    if back != value {
        row["unpacked"] = text(back);
    }
    if !before.is_empty() {
        row["delta"] = text(packer.delta(layout, before, &packed, &rules()).expect("both were packed"));
    }
    (row, packed)
}

/// The distances of differences from two states, in all rows of motion.
const APART: [[u16; 2]; 4] = [[1, 1], [1, 2], [1, 3], [5, 2]];

/// Adds the differences from the two values before.
fn add_from_two(layout: &Layout, packed: &[Vec<u8>], row: &mut Json) {
    let [.., older, newer, new] = packed else { return };
    let mut packer = Packer::new();
    row["from_two"] = APART
        .map(|apart| {
            text(packer.delta(layout, bases(newer, older, apart), new, &rules()).expect("all were packed"))
        })
        .to_vec()
        .into();
}

fn bases<'b>(newer: &'b [u8], older: &'b [u8], apart: [u16; 2]) -> Bases<'b> {
    let [ahead, gap] = apart.map(|states| NonZeroU16::new(states).expect("it is over 0"));
    Bases::apart(newer, older, ahead, gap)
}

fn rendered() -> String {
    let mut text = "{\n\"format\": 1,\n\"about\": \"Bytes in hex: value and unpacked are Godot's, delta is from the packed value before, from_two from the two before, of which the newer is 1, 1, 1 and 5 states old and the older 1, 2, 3 and 2 more. Tags are those of the first value. Keys of a schema have an order.\",\n\"schemas\": [\n".to_owned();
    let rows = rows::rows();
    for (at, (name, schema, values)) in rows.iter().enumerate() {
        let layout = layout(schema);
        let size = layout.size();
        let values: Vec<Vec<u8>> = values.iter().map(|value| value.encode().expect("it fits")).collect();
        let tagged =
            |tagging| Packer::tagged(tagging).pack(&layout, &values[0], &rules()).expect("it fits").to_vec();
        let (short, long) = (tagged(Tagging::Short), tagged(Tagging::Long));
        let mut head = json!({
            "name": name,
            "hash": format!("{:016x}", layout.hash()),
            "min_bits": size.min_bits,
            "max_bits": size.max_bits,
            "tagged": self::text(&short),
            "tagged_long": self::text(&long),
        });
        if let Some(new) = values.get(1) {
            let mut packer = Packer::tagged(Tagging::Short);
            head["tagged_delta"] =
                self::text(packer.pack_delta(&layout, &short, new, &rules()).expect("both fit"));
        }
        let head = head.to_string();
        let head = head.strip_suffix('}').expect("an object");
        let _ = writeln!(text, "{head}{SCHEMA}{}{VALUES}", one_line(schema));
        let mut all: Vec<Vec<u8>> = Vec::new();
        for (at, value) in values.iter().enumerate() {
            let (mut row, packed) = vector(&layout, all.last().map_or(&[], Vec::as_slice), value);
            all.push(packed);
            if name.starts_with("motion") {
                add_from_two(&layout, &all, &mut row);
            }
            let _ = writeln!(text, "  {row}{}", if at + 1 < values.len() { "," } else { "" });
        }
        let _ = writeln!(text, "]}}{}", if at + 1 < rows.len() { "," } else { "" });
    }
    text + "]\n}\n"
}

#[test]
fn the_file_is_what_is_packed() {
    let text = rendered();
    if std::env::var_os("BLESS").is_some() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/packed/vectors.json");
        std::fs::write(file, &text).expect("the folder is there");
        return;
    }
    for (line, (is, due)) in text.lines().zip(FILE.lines()).enumerate() {
        assert_eq!(is, due, "line {}", line + 1);
    }
    assert_eq!(text.len(), FILE.len());
}

/// Tests the file alone, as another implementation would: schemas from JSON, bytes from hex.
#[test]
fn the_file_holds_by_itself() {
    let file: Json = serde_json::from_str(FILE).expect("it is JSON");
    let bytes = |json: &Json| hex::bytes(json.as_str().expect("hex"));
    let mut count = 0;
    let schemas = FILE.lines().filter_map(|line| line.split_once(SCHEMA)?.1.strip_suffix(VALUES));
    for (entry, schema) in file["schemas"].as_array().expect("a list").iter().zip(schemas) {
        let schema = Schema::from_json(schema).expect("a schema");
        let layout = layout(&schema);
        let name = entry["name"].as_str().expect("a name");
        assert_eq!(entry["hash"], format!("{:016x}", layout.hash()), "{name}");
        let mut packer = Packer::new();
        let mut before: Vec<Vec<u8>> = Vec::new();
        for row in entry["values"].as_array().expect("a list") {
            let (value, packed) = (bytes(&row["value"]), bytes(&row["packed"]));
            assert_eq!(packer.pack(&layout, &value, &rules()), Ok(&packed[..]), "{name}");
            let unpacked = row.get("unpacked").map_or(value.clone(), bytes);
            assert_eq!(packer.unpack(&layout, &packed, &rules()), Ok(&unpacked[..]), "{name}");
            if let Some(before) = before.last() {
                let delta = bytes(&row["delta"]);
                assert_eq!(packer.apply(&layout, before, &delta, &rules()), Ok(&packed[..]), "{name}");
            }
            for (delta, apart) in row["from_two"].as_array().into_iter().flatten().zip(APART) {
                let [.., older, newer] = before.as_slice() else { panic!("{name} has a value too few") };
                let applied = packer.apply(&layout, bases(newer, older, apart), &bytes(delta), &rules());
                assert_eq!(applied, Ok(&packed[..]), "{name}");
                packed::applies(&schema, [newer, older], apart, &bytes(delta), &packed);
            }
            packed::agrees(&schema, &value, &packed);
            before.push(packed);
            count += 1;
        }
        for (tagging, tagged) in [(Tagging::Short, &entry["tagged"]), (Tagging::Long, &entry["tagged_long"])]
        {
            let mut packer = Packer::tagged(tagging);
            assert!(packer.unpack(&layout, &bytes(tagged), &rules()).is_ok(), "{name}");
        }
    }
    assert_eq!(count, VECTORS);
}

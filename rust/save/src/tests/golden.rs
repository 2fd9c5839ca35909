//! Tests that recorded files of format 1 open for ever, in `tests/golden/saves`. A file there is never written anew.
//!
//! `BLESS=1 cargo test -p variant-save golden` writes the files of new cases, and only those.

use std::fs;
use std::path::PathBuf;

use variant_core::{Dictionary, Value};

use crate::keys::KdfCost;
use crate::tests::document::{Root, document};
use crate::{
    Compression, Draft, Head, Kind, OpenOptions, Order, Protection, SaveId, SaveKeys, Thumbnail, chunk,
    compare, open, peek, recover, write,
};

/// Describes a recorded file: everything that opening it has to give.
struct Case {
    name: &'static str,
    payload: Vec<u8>,
    compression: Compression,
    /// The secret and whether the state is encrypted under it, or only protected against changes.
    keys: Option<(SaveKeys, bool)>,
    /// The number of saves before it.
    generation: u64,
    has_more: bool,
    is_document: bool,
    slice_bytes: u32,
}

const META: &[u8] =
    &[27, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b'l', b'v', 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
/// The smallest PNG file of one pixel that programs show.
const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xfc\xcf\xc0\xf0\x1f\0\x05\x05\x02\0_\xc8\xf1\xd2\0\0\0\0IEND\xaeB`\x82";
const SCHEMA: &str = "{\"type\": \"dict\"}";
const PASSWORD: &str = "swordfish \u{fc}";

fn key() -> SaveKeys {
    SaveKeys::key(std::array::from_fn(|at| u8::try_from(at).unwrap()))
}

/// The password at a low cost, so that the tests stay quick.
fn password() -> SaveKeys {
    SaveKeys::password_at(PASSWORD, KdfCost { memory_kib: 64, passes: 3, lanes: 2 })
}

/// Makes the state of a game with so many entries, as Godot encodes it.
fn state(entries: i64) -> Vec<u8> {
    let entry = |number: i64| {
        let words =
            "the quick brown fox jumps over the lazy dog ".repeat(usize::try_from(number % 4).unwrap());
        (Value::from(format!("entity {number}").as_str()), Value::from(format!("{words}{number}").as_str()))
    };
    Value::from(Dictionary::from_iter((0..entries).map(entry))).encode().unwrap()
}

fn plain() -> Case {
    Case {
        name: "plain",
        payload: state(12),
        compression: Compression::None,
        keys: None,
        generation: 0,
        has_more: false,
        is_document: false,
        slice_bytes: 65_536,
    }
}

fn objects(name: &'static str, root: Root) -> Case {
    let payload = document(20, root).encode().unwrap();
    Case { name, payload, is_document: true, slice_bytes: 500, ..plain() }
}

fn cases() -> Vec<Case> {
    vec![
        plain(),
        Case { name: "one_number", payload: Value::Int(7).encode().unwrap(), ..plain() },
        Case { name: "empty", payload: state(0), ..plain() },
        Case { name: "zstd", compression: Compression::Zstd, ..plain() },
        Case { name: "deflate", compression: Compression::Deflate, ..plain() },
        Case { name: "slices", slice_bytes: 500, payload: state(40), ..plain() },
        Case {
            name: "slices_zstd",
            slice_bytes: 500,
            payload: state(40),
            compression: Compression::Zstd,
            ..plain()
        },
        Case { name: "metadata", has_more: true, ..plain() },
        Case { name: "document", is_document: true, ..plain() },
        objects("objects", Root::One),
        Case {
            compression: Compression::Zstd,
            keys: Some((key(), true)),
            ..objects("objects_key", Root::Large)
        },
        Case { name: "generations", generation: 12, has_more: true, ..plain() },
        Case { name: "key", keys: Some((key(), true)), has_more: true, slice_bytes: 300, ..plain() },
        Case { name: "key_shown", keys: Some((key(), false)), has_more: true, ..plain() },
        Case {
            name: "password",
            keys: Some((password(), true)),
            compression: Compression::Zstd,
            slice_bytes: 300,
            ..plain()
        },
        Case { name: "password_shown", keys: Some((password(), false)), ..plain() },
        Case {
            name: "password_of_default_cost",
            keys: Some((SaveKeys::password(PASSWORD), true)),
            ..plain()
        },
    ]
}

impl Case {
    fn path(&self) -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("../../tests/golden/saves")
            .join(format!("{}.save", self.name))
    }

    /// Writes the file, after the saves that came before it.
    fn write(&self) -> Vec<u8> {
        let mut parent: Option<Head> = None;
        for number in 0..=self.generation {
            let draft = Draft {
                is_document: self.is_document,
                version: 3,
                schema_hash: 0x0123_4567_89AB_CDEF,
                class_hash: 0xFEDC_BA98_7654_3210,
                time_ms: 1_700_000_000_123,
                parent: parent.as_ref(),
                id: Some(id(number)),
                game: "1.4 \u{3b2}",
                engine: "4.6.3.stable",
                library: "1",
                meta: self.has_more.then_some(META),
                thumbnail: self.has_more.then_some(PICTURE),
                schema: self.has_more.then_some(SCHEMA),
                slice_bytes: self.slice_bytes,
                compression: self.compression,
                protection: match &self.keys {
                    None => Protection::None,
                    Some((keys, true)) => Protection::Encrypted(keys),
                    Some((keys, false)) => Protection::Keyed(keys),
                },
                ..Draft::new(&self.payload)
            };
            let file = write(&draft).unwrap();
            if number == self.generation {
                return file;
            }
            let opening =
                OpenOptions { keys: self.keys.as_ref().map(|(keys, _)| keys), ..OpenOptions::default() };
            parent = Some(open(&file, &opening).unwrap().head);
        }
        unreachable!("the last save is returned")
    }

    fn read(&self) -> Vec<u8> {
        if std::env::var_os("BLESS").is_some() && !self.path().exists() {
            fs::create_dir_all(self.path().parent().unwrap()).unwrap();
            fs::write(self.path(), self.write()).unwrap();
        }
        fs::read(self.path()).unwrap_or_else(|error| panic!("{}: {error}", self.path().display()))
    }
}

const fn id(number: u64) -> SaveId {
    SaveId(0x0011_2233_4455_6677_8899_AABB_CCDD_0000 + number as u128)
}

#[test]
fn s13_golden_files_open() {
    for case in cases() {
        let file = case.read();
        let keys = case.keys.as_ref().map(|(keys, _)| keys);
        let opened = open(&file, &OpenOptions { keys, ..OpenOptions::default() });
        let opened = opened.unwrap_or_else(|fault| panic!("{}: {fault}", case.name));
        assert_eq!(opened.payload, case.payload, "{}", case.name);
        let more = |bytes: &'static [u8]| case.has_more.then(|| bytes.to_vec());
        assert_eq!((&opened.meta, &opened.thumbnail), (&more(META), &more(PICTURE)), "{}", case.name);
        assert_eq!(opened.schema.as_deref(), case.has_more.then_some(SCHEMA), "{}", case.name);
        let first = case.generation.saturating_sub(8);
        let expected = Head {
            compression: case.compression,
            is_encrypted: case.keys.as_ref().is_some_and(|(_, is_encrypted)| *is_encrypted),
            is_keyed: case.keys.is_some(),
            is_of_password: case.name.starts_with("password"),
            is_document: case.is_document,
            is_cut_at_entries: !["one_number", "empty"].contains(&case.name),
            version: 3,
            schema_hash: 0x0123_4567_89AB_CDEF,
            class_hash: 0xFEDC_BA98_7654_3210,
            time_ms: 1_700_000_000_123,
            payload_bytes: case.payload.len() as u64,
            slice_bytes: case.slice_bytes,
            generation: case.generation,
            id: id(case.generation),
            ancestors: (first..case.generation).rev().map(id).collect(),
            game: "1.4 \u{3b2}".to_owned(),
            engine: "4.6.3.stable".to_owned(),
            library: "1".to_owned(),
        };
        assert_eq!(opened.head, expected, "{}", case.name);
        let peeked = peek(&mut std::io::Cursor::new(&file), Thumbnail::Read).unwrap();
        assert_eq!((peeked.head, peeked.meta), (expected, more(META)), "{}", case.name);
    }
}

/// Tests that no file in the folder is without a test.
#[test]
fn golden_files_are_all_known() {
    let folder = cases()[0].path().parent().unwrap().to_path_buf();
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".save"))
        .collect();
    names.sort();
    let mut known: Vec<String> = cases().iter().map(|case| format!("{}.save", case.name)).collect();
    known.sort();
    assert_eq!(names, known);
}

#[test]
fn s13_golden_files_are_recovered_compared_and_refused() {
    let file = |name: &str| cases().iter().find(|case| case.name == name).unwrap().read();
    let mut slices = file("slices_zstd");
    assert_eq!(recover(&slices, &OpenOptions::default()).unwrap().entries, 40);
    let middle = slices.len() / 2;
    slices[middle] ^= 1;
    let recovered = recover(&slices, &OpenOptions::default()).unwrap();
    assert!((20..40).contains(&recovered.entries), "{recovered:?}");
    let mut objects = file("objects");
    let middle = objects.len() * 2 / 3;
    objects[middle] ^= 1;
    let recovered = recover(&objects, &OpenOptions::default()).unwrap();
    assert!((20..43).contains(&recovered.entries), "{recovered:?}");
    let head = |name: &str| peek(&mut std::io::Cursor::new(file(name)), Thumbnail::Skip).unwrap().head;
    assert_eq!(compare(&head("generations"), &head("generations")), Order::Same);
    // Their ids are of one writer, so the first is an ancestor, although it is not named.
    assert_eq!(compare(&head("plain"), &head("generations")), Order::Older);
    let refused = open(&file("password"), &OpenOptions::default()).unwrap_err();
    assert_eq!(refused.kind, Kind::WrongKey);
    // Chunks that a later version may add: those that may be skipped are, the others are newer.
    let plain = file("plain");
    for (name, answer) in [(*b"nEXT", None), (*b"NEXT", Some(Kind::Newer))] {
        let end = plain.len() - chunk::FRAME_BYTES - chunk::END_BYTES;
        let mut longer = plain[..end].to_vec();
        chunk::write(&mut longer, name, b"of format 1.1");
        let counts = &plain[end + 8..end + 20];
        let covered = [&longer[..], &plain[end..end + 20]].concat();
        let hash = *blake3::hash(&covered).as_bytes();
        chunk::write(&mut longer, chunk::END, &[counts, &hash].concat());
        assert_eq!(open(&longer, &OpenOptions::default()).err().map(|fault| fault.kind), answer);
    }
}

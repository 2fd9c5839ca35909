//! Tests row C4: documents of objects are cut between rows, and of a damaged one everything whole is recovered.

use std::collections::BTreeMap;

use variant_core::{Array, Dictionary, Value, decode};

use crate::cut::any;
use crate::tests::{chunks, file_of};
use crate::{
    Compression, Draft, OpenOptions, Protection, RecoveredEntries, SaveFault, SaveKeys, chunk, open, recover,
    write,
};

fn array(items: Vec<Value>) -> Value {
    Value::Array(Box::new(Array { items, ..Array::default() }))
}

fn dictionary(entries: Vec<(Value, Value)>) -> Value {
    Value::Dictionary(Box::new(Dictionary { entries, ..Dictionary::default() }))
}

fn reference(class: u64, row: u64) -> Value {
    Value::Rid(class << 32 | row)
}

fn class(tag: &str, names: &[&str], rows: Vec<Value>) -> Value {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let version = i64::from(!names.is_empty());
    array(vec![Value::from(tag), Value::Int(version), Value::PackedStringArray(names), array(rows)])
}

/// The shape of the value that leads to the objects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Root {
    /// A reference to one object, which leads to all others.
    One,
    /// A large Dictionary, in which each object has an entry.
    Large,
    /// A large Array of all objects.
    List,
}

/// A document of heroes, pets and keyed classes. Each hero has a pet and the hero after it, and a list of two objects; containers
/// of those are declared for a class.
pub(crate) fn document(heroes: u64, root: Root) -> Value {
    let names = ["id", "name", "next", "pet", "list"];
    let rows = (0..heroes).map(|id| {
        let next = if id + 1 < heroes { reference(1, id + 1) } else { Value::Nil };
        let list = array(vec![reference(2, (id * 7) % heroes), Value::Nil, reference(3, id % 3)]);
        array(vec![
            Value::Int(id as i64),
            Value::from(format!("hero {id} {}", "z".repeat(id as usize % 90)).as_str()),
            next,
            reference(2, id),
            list,
        ])
    });
    let pets = (0..heroes).map(|id| array(vec![Value::Int(id as i64), Value::from("a pet of a hero")]));
    let kinds = (0..3).map(|kind| Value::from(format!("kind {kind}").as_str()));
    let key = |id: u64| Value::from(format!("the entry of hero {id}").as_str());
    let value = match root {
        Root::One => {
            dictionary(vec![(Value::from("first"), reference(1, 0)), (Value::from("gold"), Value::Int(7))])
        }
        Root::Large => {
            dictionary((0..heroes).map(|id| (key(id), array(vec![reference(1, id), key(id)]))).collect())
        }
        Root::List => array((0..heroes).map(|id| reference(1, id)).chain((0..heroes).map(key)).collect()),
    };
    let classes = array(vec![
        class("hero", &names, rows.collect()),
        class("pet", &["id", "note"], pets.collect()),
        class("kind", &[], kinds.collect()),
    ]);
    let mut document = vec![Value::from("variant_objects/1"), classes, value];
    let lists = numbers_of_lists(&array(document.clone()));
    document.push(dictionary(vec![(Value::from("thing"), Value::PackedInt32Array(lists))]));
    array(document)
}

/// The numbers of the containers that hold only references and null, among all Arrays and Dictionaries.
fn numbers_of_lists(document: &Value) -> Vec<i32> {
    fn walk(value: &Value, next: &mut i32, found: &mut Vec<i32>) {
        let items: Vec<&Value> = match value {
            Value::Array(array) => array.items.iter().collect(),
            Value::Dictionary(dictionary) => {
                dictionary.entries.iter().flat_map(|(key, item)| [key, item]).collect()
            }
            _ => return,
        };
        let number = *next;
        *next += 1;
        if items.len() == 3 && items.iter().all(|item| matches!(item, Value::Nil | Value::Rid(_))) {
            found.push(number);
        }
        items.into_iter().for_each(|item| walk(item, next, found));
    }
    let mut found = Vec::new();
    walk(document, &mut 0, &mut found);
    found
}

fn parts(document: &Value) -> &[Value] {
    let Value::Array(document) = document else { panic!("no document") };
    &document.items
}

fn items(value: &Value) -> &[Value] {
    let Value::Array(array) = value else { panic!("no Array: {value}") };
    &array.items
}

/// By reference, the words that tell an object from all others.
fn objects(document: &Value) -> BTreeMap<u64, String> {
    let classes = items(&parts(document)[1]).iter().zip(1_u64..);
    let rows = classes.flat_map(|(class, number)| {
        let tag = items(class)[0].to_string();
        items(&items(class)[3])
            .iter()
            .zip(0_u64..)
            .map(move |(row, at)| {
                let id = if let Value::Array(row) = row { row.items[0].to_string() } else { row.to_string() };
                (number << 32 | at, format!("{tag} {id}"))
            })
            .collect::<Vec<_>>()
    });
    rows.collect()
}

/// A value in which each reference is the name of its object.
fn named(value: &Value, objects: &BTreeMap<u64, String>) -> Value {
    match value {
        Value::Rid(id) => {
            Value::from(objects.get(id).unwrap_or_else(|| panic!("{id:x} refers to nothing")).as_str())
        }
        Value::Array(of) => array(of.items.iter().map(|item| named(item, objects)).collect()),
        Value::Dictionary(of) => {
            dictionary(of.entries.iter().map(|(key, item)| (key.clone(), named(item, objects))).collect())
        }
        other => other.clone(),
    }
}

/// By its name, what an object holds.
fn rows(document: &Value) -> BTreeMap<String, Value> {
    let objects = objects(document);
    let rows = items(&parts(document)[1]).iter().flat_map(|class| items(&items(class)[3]));
    objects.values().cloned().zip(rows.map(|row| named(row, &objects)).collect::<Vec<_>>()).collect()
}

/// Checks that a value is another one in which references to lost objects are null, and returns how many of them are.
#[track_caller]
fn lost_in(got: &Value, was: &Value, left: &BTreeMap<String, Value>) -> usize {
    match (got, was) {
        (Value::Nil, Value::String(name)) => {
            assert!(!left.contains_key(name), "{name} is there, and a reference to it is null");
            1
        }
        (Value::Array(got), Value::Array(was)) => {
            assert_eq!(got.items.len(), was.items.len());
            got.items.iter().zip(&was.items).map(|(got, was)| lost_in(got, was, left)).sum()
        }
        _ => {
            assert_eq!(got, was);
            0
        }
    }
}

/// Compares the values of two documents, and returns how many entries are left.
#[track_caller]
fn in_value(value: &Value, whole: &Value, left: &BTreeMap<String, Value>, lost: &mut usize) -> usize {
    match (value, whole) {
        (Value::Dictionary(value), Value::Dictionary(whole)) => {
            for (key, item) in &value.entries {
                let known = whole.entries.iter().find(|(known, _)| known == key);
                *lost += lost_in(item, &known.expect("a key that was there").1, left);
            }
            if whole.entries.len() > 2 { value.entries.len() } else { 0 }
        }
        (Value::Array(value), Value::Array(whole)) => {
            assert_eq!(value.items.len(), whole.items.len());
            let there = value.items.iter().zip(&whole.items).filter(|(item, _)| **item != Value::Nil);
            there.inspect(|(item, was)| assert_eq!(item, was)).count()
        }
        other => panic!("{other:?}"),
    }
}

/// The numbers of containers that are declared for a class.
fn declared(document: &Value) -> Vec<i32> {
    let Some(Value::Dictionary(fourth)) = parts(document).get(3) else { return Vec::new() };
    match &fourth.entries[..] {
        [(Value::String(tag), Value::PackedInt32Array(numbers))] if tag == "thing" => numbers.clone(),
        other => panic!("{other:?}"),
    }
}

/// Checks that nothing in a recovered document was not in the whole one, and returns the number of objects.
#[track_caller]
pub(crate) fn check(got: &RecoveredEntries, was: &Value) -> usize {
    let document = decode(&got.payload, &any()).expect("a document");
    let (left, all) = (rows(&document), rows(was));
    let mut lost = 0;
    for (name, row) in &left {
        lost += lost_in(row, &all[name], &left);
    }
    let (value, whole) =
        (named(&parts(&document)[2], &objects(&document)), named(&parts(was)[2], &objects(was)));
    let entries = in_value(&value, &whole, &left, &mut lost);
    if !matches!(value, Value::Array(_)) {
        assert_eq!(got.lost_references.len(), lost.min(100), "{:?}", got.lost_references);
        // A small value is no entry of its own.
        assert!([left.len(), left.len() + entries].contains(&(got.entries as usize)), "{got:?}");
    }
    let expected = numbers_of_lists(&array(parts(&document)[..3].to_vec()));
    assert_eq!(declared(&document), expected, "containers that are declared for a class");
    left.len()
}

fn draft(payload: &[u8]) -> Draft<'_> {
    Draft { is_document: true, slice_bytes: 600, ..Draft::new(payload) }
}

fn recovered(file: &[u8]) -> Result<RecoveredEntries, SaveFault> {
    recover(file, &OpenOptions::default())
}

const ROOTS: [Root; 3] = [Root::One, Root::Large, Root::List];

#[test]
fn an_intact_document_is_recovered_as_it_is() {
    for root in ROOTS {
        for count in [1, 60] {
            let payload = document(count, root).encode().unwrap();
            let file = write(&draft(&payload)).unwrap();
            let opened = open(&file, &OpenOptions::default()).unwrap();
            assert_eq!(opened.payload, payload);
            assert_eq!(opened.head.is_cut_at_entries, payload.len() > 128, "{root:?} {count}");
            let got = recovered(&file).unwrap();
            assert_eq!((got.payload, got.lost, got.bad_slices.len()), (payload, Some(0), 0));
        }
    }
}

/// Damages two chunks, or one.
fn damaged(whole: &[Vec<u8>], (first, second): (usize, usize)) -> Vec<u8> {
    let mut changed = whole.to_vec();
    for (at, bit) in [(first, 4), (second, 8)] {
        let middle = changed[at].len() / 2;
        changed[at][middle] ^= bit;
    }
    file_of(&changed)
}

/// Checks what is recovered where these two chunks of so many slices are damaged, and returns how many objects.
#[track_caller]
fn check_damage(
    got: Result<RecoveredEntries, SaveFault>,
    was: &Value,
    (names, slices): ([[u8; 4]; 2], usize),
    root: Root,
) -> usize {
    let are = |name| names.contains(&name);
    match got {
        Err(fault) if are(chunk::HEAD) => assert!(fault.words.contains("header is lost"), "{fault}"),
        Err(fault) if are(chunk::OUTLINE) => {
            assert!(are(chunk::DATA) && fault.words.contains("where its objects stand"), "{fault}");
        }
        Err(fault) => assert!(root == Root::One && fault.words.contains("no whole object"), "{fault}"),
        Ok(got) => {
            let objects = check(&got, was);
            // Without the end nobody knows how many slices there were.
            assert!(got.bad_slices.len() == slices || are(chunk::END), "{names:?}: {got:?}");
            assert_eq!(got.lost == Some(0), slices == 0, "{names:?}: {got:?}");
            return if slices > 0 { objects } else { 0 };
        }
    }
    0
}

/// Tests each chunk, and each two of them, damaged: objects in other slices are there, and none is another's.
#[test]
fn whole_objects_are_recovered_around_damaged_slices() {
    for root in ROOTS {
        let was = document(60, root);
        let file = write(&draft(&was.encode().unwrap())).unwrap();
        let whole = chunks(&file);
        assert!(whole.len() > 20, "{} chunks", whole.len());
        let name = |at: usize| -> [u8; 4] { whole[at][4..8].try_into().unwrap() };
        let mut most = 0;
        for first in 0..whole.len() {
            for second in first..whole.len() {
                let got = recovered(&damaged(&whole, (first, second)));
                let names = [name(first), name(second)];
                let slices = names.iter().filter(|name| **name == chunk::DATA).count();
                let slices = if first == second { slices.min(1) } else { slices };
                most = most.max(check_damage(got, &was, (names, slices), root));
            }
        }
        assert!(most > 110, "{root:?}: {most} of 123 objects at the most");
    }
}

/// Tests files that end too early: the value leads to what is whole before the end.
#[test]
fn the_front_of_a_document_is_recovered() {
    for (root, least) in [(Root::One, 20), (Root::List, 0), (Root::Large, 0)] {
        let was = document(60, root);
        let file = write(&draft(&was.encode().unwrap())).unwrap();
        let mut last = 0;
        for end in 0..file.len() {
            let Ok(got) = recovered(&file[..end]) else { continue };
            let objects = check(&got, &was);
            assert!(objects >= last || root != Root::One, "{end}: {objects} objects, {last} before");
            last = objects;
        }
        let half = recovered(&file[..file.len() / 2]).map_or(0, |got| check(&got, &was));
        assert!(half >= least, "{root:?}: {half} objects in the front half");
        assert!(last > 0, "{root:?}");
    }
}

#[test]
fn sealed_documents_are_recovered_with_their_key_alone() {
    let was = document(60, Root::One);
    let payload = was.encode().unwrap();
    let key = SaveKeys::key([9; 32]);
    for compression in [Compression::None, Compression::Zstd] {
        let file = write(&Draft { protection: Protection::Encrypted(&key), compression, ..draft(&payload) })
            .unwrap();
        assert!(!file.windows(4).any(|bytes| bytes == b"hero"), "a name of a class can be read");
        let opening = OpenOptions { keys: Some(&key), ..OpenOptions::default() };
        let mut whole = chunks(&file);
        let slices: Vec<usize> = (0..whole.len()).filter(|at| whole[*at][4..8] == chunk::DATA).collect();
        // A slice that stands in the place of another is none: its seal has its index.
        whole[slices[5]][20] ^= 1;
        let got = recover(&file_of(&whole), &opening).unwrap();
        assert!(check(&got, &was) > 10);
        assert!(recover(&file_of(&whole), &OpenOptions::default()).is_err());
        // Neither is the outline of another save.
        let other = document(50, Root::One).encode().unwrap();
        let other =
            write(&Draft { protection: Protection::Encrypted(&key), compression, ..draft(&other) }).unwrap();
        let outline =
            |file: &[u8]| chunks(file).into_iter().find(|chunk| chunk[4..8] == chunk::OUTLINE).unwrap();
        let at = whole.iter().position(|chunk| chunk[4..8] == chunk::OUTLINE).unwrap();
        whole[at] = outline(&other);
        assert!(recover(&file_of(&whole), &opening).is_err());
    }
}

/// Tests that lost references are told by name, and are null.
#[test]
fn lost_references_are_told_by_name() {
    let was = document(12, Root::Large);
    let file = write(&Draft { compression: Compression::None, ..draft(&was.encode().unwrap()) }).unwrap();
    let at = file.windows(14).rposition(|bytes| bytes == b"a pet of a her").unwrap();
    let mut changed = file.clone();
    changed[at] ^= 1;
    let got = recovered(&changed).unwrap();
    check(&got, &was);
    let told = got.lost_references.join(" ");
    assert!(told.contains("hero[11].pet") && told.contains("].list[0]"), "{told}");
    let mut changed = file.clone();
    let at = file.windows(7).position(|bytes| bytes == b"hero 3 ").unwrap();
    changed[at] ^= 1;
    let got = recovered(&changed).unwrap();
    check(&got, &was);
    let told = got.lost_references.join(" ");
    assert!(told.contains("[\"the entry of hero 3\"][0]") && told.contains("hero[2].next"), "{told}");
}

/// Tests outlines that no writer makes: they cost no more than their bytes.
#[test]
fn hostile_outlines_cost_nothing() {
    let was = document(40, Root::Large);
    let file = write(&Draft { compression: Compression::None, ..draft(&was.encode().unwrap()) }).unwrap();
    let mut whole = chunks(&file);
    let outline = whole.iter().position(|chunk| chunk[4..8] == chunk::OUTLINE).unwrap();
    let slice = whole.iter().position(|chunk| chunk[4..8] == chunk::DATA).unwrap();
    whole.remove(slice + 2);
    let good = whole[outline][8..whole[outline].len() - 4].to_vec();
    for at in 12..good.len() {
        for value in [0, 0xFF, good[at] ^ 1, good[at] ^ 0x80] {
            let mut forged = good.clone();
            forged[at] = value;
            let mut bytes = Vec::new();
            chunk::write(&mut bytes, chunk::OUTLINE, &forged);
            whole[outline] = bytes;
            let file = file_of(&whole);
            let used = allocation_counter::measure(|| drop(recovered(&file)));
            assert!(used.bytes_max < 1 << 20, "byte {at}: {} bytes", used.bytes_max);
        }
    }
}

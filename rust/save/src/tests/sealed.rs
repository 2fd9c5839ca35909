//! Tests that whoever lacks the key changes nothing of what an encrypted save gives: a part may be missing, and none is another.

use variant_core::{Dictionary, Value, decode};

use crate::cut::any;
use crate::tests::document::{self as document_tests, Root};
use crate::tests::{chunks, draft, file_of};
use crate::{
    Compression, Draft, OpenOptions, Protection, RecoveredEntries, SaveKeys, chunk, open, recover, write,
};

/// The bytes of a chunk before the numbers of a slice, and those before its body.
const FRAME: usize = 8;
const BEFORE: usize = FRAME + 12;
const SLICE: u32 = 200;

fn entries(payload: &[u8]) -> Vec<(Value, Value)> {
    let Ok(Value::Dictionary(dictionary)) = decode(payload, &any()) else { panic!("no Dictionary") };
    dictionary.entries
}

fn dictionary(entries: impl IntoIterator<Item = (Value, Value)>) -> Vec<u8> {
    Value::from(Dictionary::from_iter(entries)).encode().unwrap()
}

/// Makes a state with a text of its player that is longer than a slice. From the second of its slices on it is what entries look like.
fn state_with_a_long_text() -> Vec<u8> {
    let entry = |key: &str, value: i64| (Value::from(key), Value::Int(value));
    let forged = dictionary([entry("gold", 1_000_000), entry("level", 99)])[8..].to_vec();
    let key = Value::from("text");
    let before = key.encode().unwrap().len() + 8;
    let mut text = vec![b'x'; SLICE as usize - before];
    text.extend(forged);
    text.resize(3 * SLICE as usize, b'x');
    dictionary([
        entry("gold", 5),
        (Value::from("name"), Value::from("n".repeat(100).as_str())),
        (key, Value::PackedByteArray(text)),
        entry("level", 2),
    ])
}

fn sealed(payload: &[u8], key: &SaveKeys, compression: Compression) -> Vec<u8> {
    let protection = Protection::Encrypted(key);
    let (meta, thumbnail) = (Some(&[0; 4][..]), Some(&b"x"[..]));
    let draft = Draft {
        protection,
        compression,
        meta,
        thumbnail,
        schema: Some("{}"),
        slice_bytes: SLICE,
        ..draft(payload)
    };
    write(&draft).unwrap()
}

fn slices(whole: &[Vec<u8>]) -> Vec<usize> {
    (0..whole.len()).filter(|at| whole[*at][4..8] == chunk::DATA).collect()
}

fn set_word(chunk: &mut [u8], word: usize, number: u32) {
    chunk[FRAME + 4 * word..][..4].copy_from_slice(&number.to_le_bytes());
}

/// Puts the checksum of each chunk right.
fn summed(chunks: &[Vec<u8>]) -> Vec<u8> {
    let mut file = crate::SIGNATURE.to_vec();
    for chunk in chunks {
        chunk::write(&mut file, chunk[4..8].try_into().unwrap(), &chunk[8..chunk.len() - 4]);
    }
    file
}

/// Checks that what was recovered was in the state, and is told as lost otherwise.
#[track_caller]
fn check(got: &RecoveredEntries, payload: &[u8]) {
    let (left, all) = (entries(&got.payload), entries(payload));
    for entry in &left {
        assert!(all.contains(entry), "{} was not there", entry.0);
    }
    let lost = u32::try_from(all.len() - left.len()).unwrap();
    assert_eq!(got.entries as usize, left.len());
    assert!(got.lost.is_none_or(|told| told == lost), "{got:?}");
    assert!((lost == 0) == got.bad_slices.is_empty(), "{lost} of {}: {:?}", all.len(), got.bad_slices);
}

#[test]
fn no_word_makes_entries_of_a_text() {
    let payload = state_with_a_long_text();
    let key = SaveKeys::key([9; 32]);
    let opening = OpenOptions { keys: Some(&key), ..OpenOptions::default() };
    for compression in [Compression::None, Compression::Zstd] {
        let mut whole = chunks(&sealed(&payload, &key, compression));
        let at = slices(&whole);
        let inner: Vec<usize> =
            at.iter().copied().filter(|at| whole[*at][FRAME + 8..BEFORE] == [0; 4]).collect();
        assert_eq!(inner.len(), 3, "slices in which the text goes on");
        set_word(&mut whole[inner[0]], 2, 2);
        let got = recover(&summed(&whole), &opening).unwrap();
        check(&got, &payload);
        assert_eq!(got.bad_slices, [inner[0] as u32 - at[0] as u32]);
    }
}

/// Tests a packed body of which the size says that it is not packed.
#[test]
fn no_size_makes_a_state_of_packed_bytes() {
    let payload = dictionary((0..40).map(|n| (Value::Int(n), Value::from("z".repeat(100).as_str()))));
    let key = SaveKeys::key([9; 32]);
    let opening = OpenOptions { keys: Some(&key), ..OpenOptions::default() };
    let mut whole = chunks(&sealed(&payload, &key, Compression::Zstd));
    let at = slices(&whole);
    let body = whole[at[2]].len() - BEFORE - 4 - crate::keys::TAG_BYTES;
    set_word(&mut whole[at[2]], 1, u32::try_from(body).unwrap());
    let got = recover(&summed(&whole), &opening).unwrap();
    assert_eq!(got.bad_slices, [2]);
    check(&got, &payload);
}

/// Tests each bit of a file, as damage and as a forger leaves it, whose checksums are right; without `VARIANT_LONG` only so many.
#[track_caller]
fn check_bits(step: usize, file: &[u8], opening: &OpenOptions<'_>, check: &dyn Fn(&RecoveredEntries)) {
    let step = if std::env::var_os("VARIANT_LONG").is_some() { 1 } else { step };
    let (whole, intact) = (chunks(file), recover(file, opening).unwrap());
    let mut recovered = 0;
    let mut test = |changed: &[u8], what: &str| {
        assert!(open(changed, opening).is_err(), "{what}");
        if let Ok(got) = recover(changed, opening) {
            assert_eq!(got.head, intact.head, "{what}");
            check(&got);
            recovered += 1;
        }
    };
    for bit in (0..file.len() * 8).step_by(step) {
        let mut changed = file.to_vec();
        changed[bit / 8] ^= 1 << (bit % 8);
        test(&changed, &format!("bit {bit}"));
    }
    for at in 0..whole.len() {
        for bit in (4 * 8..(whole[at].len() - 4) * 8).step_by(step) {
            let mut changed = whole.clone();
            changed[at][bit / 8] ^= 1 << (bit % 8);
            test(&summed(&changed), &format!("chunk {at}, bit {bit}"));
        }
    }
    assert!(recovered > file.len() * 8 / step, "{recovered} files were recovered");
}

#[test]
fn no_bit_changes_what_a_save_gives() {
    let key = SaveKeys::key([9; 32]);
    let opening = OpenOptions { keys: Some(&key), ..OpenOptions::default() };
    let payload = state_with_a_long_text();
    for compression in [Compression::None, Compression::Zstd] {
        let file = sealed(&payload, &key, compression);
        check_bits(3, &file, &opening, &|got| check(got, &payload));
    }
    for root in [Root::One, Root::Large] {
        let was = document_tests::document(6, root);
        let payload = was.encode().unwrap();
        let draft = Draft { protection: Protection::Encrypted(&key), is_document: true, ..draft(&payload) };
        let file = write(&draft).unwrap();
        let check = |got: &RecoveredEntries| _ = document_tests::check(got, &was);
        check_bits(29, &file, &opening, &check);
    }
}

/// Tests chunks that change their names, and a file whose last chunk says that there are more slices or fewer.
#[test]
fn chunks_do_not_change_places() {
    let key = SaveKeys::key([9; 32]);
    let opening = OpenOptions { keys: Some(&key), ..OpenOptions::default() };
    let was = document_tests::document(12, Root::Large);
    let payload = was.encode().unwrap();
    let draft = Draft { protection: Protection::Encrypted(&key), is_document: true, ..draft(&payload) };
    let whole = chunks(&write(&draft).unwrap());
    let outline = whole.iter().position(|chunk| chunk[4..8] == chunk::OUTLINE).unwrap();
    let at = slices(&whole);
    for count in [0, 1, at.len() as u32 + 1, u32::MAX] {
        let mut changed = whole.clone();
        changed.last_mut().unwrap()[16..20].copy_from_slice(&count.to_le_bytes());
        let got = recover(&summed(&changed), &opening).unwrap();
        assert_eq!((got.payload, got.bad_slices), (payload.clone(), Vec::new()), "{count} slices");
        changed.remove(*at.last().unwrap());
        let got = recover(&summed(&changed), &opening).unwrap();
        assert_eq!(got.bad_slices, [at.len() as u32 - 1], "without the last of {count} slices");
        document_tests::check(&got, &was);
    }
    let mut changed = whole.clone();
    let (mut first, second) = (whole[outline].clone(), whole[at[0]].clone());
    first[4..8].copy_from_slice(&chunk::DATA);
    changed.splice(outline..=at[0], [first, second]);
    assert!(recover(&summed(&changed), &opening).is_ok(), "the outline is not needed");
    let mut without = changed.clone();
    without.remove(at[2]);
    assert!(recover(&summed(&without), &opening).is_err(), "a slice is no outline");
    assert!(recover(&file_of(&without), &opening).is_err(), "nor are its checksums right");
}

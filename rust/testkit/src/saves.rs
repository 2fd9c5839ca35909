//! Checks save files of any bytes: what opens is what its header says, is written again and is recovered whole.
//!
//! Most inputs would fail at the first checksum, so checksums and the hash are put right before, as a forger does.

use variant_core::{Dictionary, Rules, Value, decode};
use variant_objects::Document;
use variant_save::{
    Draft, OpenOptions, Protection, SIGNATURE, SaveKeys, Thumbnail, open, peek, recover, verify, write,
};

/// The size of the largest state that is opened.
const MOST: u64 = 1 << 20;
const END: &[u8] = b"END ";

/// Puts all checksums right, and the hash of a last chunk that has one. The first byte says whether that is done.
pub fn forged(bytes: &[u8]) -> Vec<u8> {
    let Some((choice, rest)) = bytes.split_first() else { return Vec::new() };
    if choice % 4 == 0 {
        return rest.to_vec();
    }
    let mut file = SIGNATURE.to_vec();
    let mut left = rest.strip_prefix(&SIGNATURE).unwrap_or(rest);
    while let Some((length, after)) = left.split_first_chunk::<4>() {
        let Some((name, after)) = after.split_first_chunk::<4>() else { break };
        // A length beyond the input means all that is left.
        let length = usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX).min(after.len());
        let (payload, after) = after.split_at(length);
        left = after.get(4..).unwrap_or_default();
        chunk(&mut file, *name, payload);
    }
    file
}

fn chunk(file: &mut Vec<u8>, name: [u8; 4], payload: &[u8]) {
    let mut payload = payload.to_vec();
    file.extend(u32::try_from(payload.len()).unwrap_or(u32::MAX).to_le_bytes());
    let start = file.len();
    file.extend(name);
    if name == END && payload.len() == 44 {
        let covered = [&file[..], &payload[..12]].concat();
        payload[12..].copy_from_slice(blake3::hash(&covered).as_bytes());
    }
    file.extend(payload);
    let sum = crc32fast::hash(&file[start..]);
    file.extend(sum.to_le_bytes());
}

fn key() -> SaveKeys {
    SaveKeys::key([7; 32])
}

/// Checks that opening, verifying and peeking have one verdict, and that what opens is no larger than it says.
///
/// # Panics
/// When that does not hold.
pub fn check_open(bytes: &[u8]) {
    let file = forged(bytes);
    let key = key();
    for keys in [None, Some(&key)] {
        let opening =
            OpenOptions { keys, takes_unprotected: true, most_bytes: MOST, ..OpenOptions::default() };
        let opened = open(&file, &opening);
        let verified = verify(&file, &opening);
        let Ok(opened) = opened else { continue };
        assert_eq!(verified.as_ref(), Ok(&opened.head), "verify refuses what opens");
        assert_eq!(opened.payload.len() as u64, opened.head.payload_bytes, "another number of bytes");
        assert!(opened.payload.len() as u64 <= MOST, "more than is allowed");
        let peeked =
            peek(&mut std::io::Cursor::new(&file), Thumbnail::Read).expect("peek refuses what opens");
        assert_eq!(peeked.head, opened.head, "peek tells of another save");
        let protection =
            if opened.head.is_encrypted { Protection::Encrypted(&key) } else { Protection::None };
        let draft = Draft { protection, meta: opened.meta.as_deref(), ..Draft::new(&opened.payload) };
        let again = open(&write(&draft).expect("it is written again"), &opening).expect("and opens");
        assert_eq!((again.payload, again.meta), (opened.payload, opened.meta));
    }
}

/// Checks that what is recovered is a Dictionary of as many entries as are told, and all of a save that opens.
///
/// # Panics
/// When that does not hold.
pub fn check_recover(bytes: &[u8]) {
    let file = forged(bytes);
    let key = key();
    let opening =
        OpenOptions { keys: Some(&key), takes_unprotected: true, most_bytes: MOST, ..OpenOptions::default() };
    let Ok(got) = recover(&file, &opening) else { return };
    assert!(got.payload.len() as u64 <= MOST + 8, "more than is allowed");
    let rules = Rules { full_objects: true, ..Rules::default() };
    if let Ok(value) = decode(&got.payload, &rules)
        && !got.head.is_document
    {
        // Later entries replace those of the same key.
        assert!(matches!(value, Value::Dictionary(found) if found.len() <= got.entries as usize));
    }
    if let Ok(opened) = open(&file, &opening)
        && let Ok(Value::Dictionary(all)) = decode(&opened.payload, &rules)
        && opened.head.is_cut_at_entries
    {
        assert!(
            all.len() <= got.entries as usize || got.lost.is_none_or(|lost| lost > 0),
            "entries are lost"
        );
    }
}

/// Returns a document of objects that hold one another.
#[must_use]
pub fn document() -> Document {
    let mut document = Document::default();
    let mut last = Value::Nil;
    for number in 0..20 {
        let next = std::mem::replace(&mut last, Value::Nil);
        last = document.add("link", 1, &["number", "next"], vec![Value::Int(number), next]);
    }
    document.value = Value::from(Dictionary::from_iter([(Value::from("last"), last)]));
    document
}

/// Returns inputs to begin with: saves of each kind.
#[must_use]
pub fn seeds() -> Vec<Vec<u8>> {
    let key = key();
    let entries = (0..9).map(|n| (Value::Int(n), Value::from("a text of an entry")));
    let state = Value::from(Dictionary::from_iter(entries)).encode().unwrap_or_default();
    let objects = document().to_value().encode().unwrap_or_default();
    let mut seeds = Vec::new();
    for protection in [Protection::None, Protection::Keyed(&key), Protection::Encrypted(&key)] {
        for slice_bytes in [64, 65_536] {
            let draft = Draft { protection, slice_bytes, meta: Some(&[0; 4]), ..Draft::new(&state) };
            let file = write(&draft).expect("a save");
            seeds.push([&[0], &file[..]].concat());
            seeds.push([&[1], &file[..]].concat());
            let draft = Draft { is_document: true, payload: &objects, ..draft };
            seeds.push([&[1], &write(&draft).expect("a save of objects")[..]].concat());
        }
    }
    seeds
}

//! Tests the crate as a whole: a written save opens, a damaged one does not, and each refusal has the right
//! kind.

mod attack;
mod document;
mod forged;
mod golden;
mod model;
mod place;
mod power;
mod promises;
mod sealed;
pub(crate) mod test_disk;

use std::io::Cursor;

use variant_core::{Dictionary, Value};

use crate::keys::KdfCost;
use crate::{
    Compression, Draft, Head, Kind, MOST_ANCESTORS, OpenOptions, Order, Protection, SaveFault, SaveId,
    SaveKeys, Thumbnail, WriteError, chunk, compare, open, peek, recover, write,
};

/// The cost of keys in tests, which make hundreds of them that protect nothing.
pub(crate) const CHEAP: KdfCost = KdfCost { memory_kib: 8, passes: 1, lanes: 1 };

pub(crate) fn state(entries: usize) -> Vec<u8> {
    let entries = (0..entries).map(|n| {
        let value = Value::from(format!("entity number {n} of the world").as_str());
        (Value::from(format!("key {n}").as_str()), value)
    });
    Value::from(Dictionary::from_iter(entries)).encode().unwrap()
}

pub(crate) fn draft(payload: &[u8]) -> Draft<'_> {
    Draft { slice_bytes: 700, compression: Compression::None, id: Some(SaveId(7)), ..Draft::new(payload) }
}

pub(crate) fn kind(bytes: &[u8], opening: &OpenOptions<'_>) -> Kind {
    open(bytes, opening).expect_err("it is refused").kind
}

#[test]
fn what_is_written_opens() {
    let (password, key) = (SaveKeys::password_at("s3cret", CHEAP), SaveKeys::key([9; 32]));
    let protections = [
        Protection::None,
        Protection::Keyed(&password),
        Protection::Encrypted(&password),
        Protection::Keyed(&key),
        Protection::Encrypted(&key),
    ];
    for payload in [state(0), state(1), state(200), Value::Int(7).encode().unwrap(), vec![]] {
        for compression in [Compression::None, Compression::Zstd, Compression::Deflate] {
            for protection in protections {
                let draft = Draft {
                    compression,
                    protection,
                    version: 3,
                    time_ms: -5,
                    meta: Some(&[2, 0, 0, 0, 7, 0, 0, 0]),
                    thumbnail: Some(b"a picture"),
                    schema: Some("{}"),
                    game: "1.4",
                    ..draft(&payload)
                };
                let keys = match protection {
                    Protection::None => None,
                    Protection::Keyed(keys) | Protection::Encrypted(keys) => Some(keys),
                };
                let opened =
                    open(&write(&draft).unwrap(), &OpenOptions { keys, ..OpenOptions::default() }).unwrap();
                assert_eq!(opened.payload, payload);
                assert_eq!(
                    (opened.meta.as_deref(), opened.thumbnail.as_deref()),
                    (draft.meta, draft.thumbnail)
                );
                assert_eq!((opened.schema.as_deref(), opened.head.game.as_str()), (Some("{}"), "1.4"));
                assert_eq!((opened.head.version, opened.head.time_ms, opened.head.id), (3, -5, SaveId(7)));
            }
        }
    }
}

/// Tests every bit and every length of a save of 4 KiB.
#[test]
fn s3_every_flipped_bit_and_every_cut_is_found() {
    let payload = state(50);
    let key = SaveKeys::key([9; 32]);
    for protection in [Protection::None, Protection::Encrypted(&key)] {
        let keys = matches!(protection, Protection::Encrypted(_)).then_some(&key);
        let opening = OpenOptions { keys, ..OpenOptions::default() };
        let file =
            write(&Draft { protection, meta: Some(&[0; 4]), thumbnail: Some(b"x"), ..draft(&payload) })
                .unwrap();
        assert!((3000..6000).contains(&file.len()), "{}", file.len());
        for bit in 0..file.len() * 8 {
            let mut changed = file.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let kind = kind(&changed, &opening);
            assert!(kind.is_damage(), "bit {bit}: {kind:?}");
        }
        for length in 0..file.len() {
            assert_eq!(kind(&file[..length], &opening), Kind::CutShort, "cut to {length}");
        }
        let longer = [&file[..], &[0]].concat();
        assert!(kind(&longer, &opening).is_damage());
    }
}

/// Splits a file into its chunks, each with its frame.
pub(crate) fn chunks(file: &[u8]) -> Vec<Vec<u8>> {
    let mut chunks = chunk::Chunks::of(file).unwrap();
    let mut all = Vec::new();
    while !chunks.is_at_end() {
        let found = chunks.next().unwrap();
        all.push(file[found.at..found.end()].to_vec());
    }
    all
}

pub(crate) fn file_of(chunks: &[Vec<u8>]) -> Vec<u8> {
    [crate::SIGNATURE.to_vec(), chunks.concat()].concat()
}

#[test]
fn s3_swapped_repeated_and_mixed_chunks_are_found() {
    let payload = state(80);
    let file = write(&draft(&payload)).unwrap();
    let other_state = state(81);
    let other = chunks(&write(&draft(&other_state)).unwrap());
    let whole = chunks(&file);
    assert!(whole.len() > 5 && open(&file_of(&whole), &OpenOptions::default()).is_ok());
    for (a, of_other) in other.iter().enumerate().take(whole.len()) {
        let mut changed = whole.clone();
        changed.remove(a);
        assert!(kind(&file_of(&changed), &OpenOptions::default()).is_damage(), "without {a}");
        changed.insert(a, of_other.clone());
        assert!(
            changed == whole || kind(&file_of(&changed), &OpenOptions::default()).is_damage(),
            "mixed {a}"
        );
        for b in 0..whole.len() {
            let mut changed = whole.clone();
            changed.swap(a, b);
            assert!(
                a == b || kind(&file_of(&changed), &OpenOptions::default()).is_damage(),
                "swapped {a} {b}"
            );
            let mut changed = whole.clone();
            changed.insert(a, whole[b].clone());
            assert!(kind(&file_of(&changed), &OpenOptions::default()).is_damage(), "repeated {b} at {a}");
        }
    }
}

/// Corrects the checksums and the hash, as a forger without the key can.
pub(crate) fn forged(mut chunks: Vec<Vec<u8>>) -> Vec<u8> {
    let mut file = crate::SIGNATURE.to_vec();
    let end = chunks.pop().unwrap();
    for chunk in chunks {
        chunk::write(&mut file, chunk[4..8].try_into().unwrap(), &chunk[8..chunk.len() - 4]);
    }
    let counts = &end[8..20];
    let covered = [&file[..], &end[..20]].concat();
    let hash = *blake3::hash(&covered).as_bytes();
    chunk::write(&mut file, chunk::END, &[counts, &hash].concat());
    file
}

#[test]
fn s4_without_the_key_no_change_is_taken() {
    let payload = state(60);
    let key = SaveKeys::key([9; 32]);
    let opening = OpenOptions { keys: Some(&key), ..OpenOptions::default() };
    for protection in [Protection::Keyed(&key), Protection::Encrypted(&key)] {
        let file = write(&Draft { protection, meta: Some(&[0; 4]), ..draft(&payload) }).unwrap();
        let whole = chunks(&file);
        for (at, chunk) in whole.iter().enumerate().take(whole.len() - 1) {
            for byte in 8..chunk.len() - 4 {
                let mut changed = whole.clone();
                changed[at][byte] ^= 1;
                assert!(open(&forged(changed), &opening).is_err(), "chunk {at}, byte {byte}");
            }
        }
        let mut swapped = whole.clone();
        swapped.swap(3, 4);
        assert_eq!(kind(&forged(swapped), &opening), Kind::NotAuthentic);
    }
    // The protection is removed completely.
    let plain = write(&draft(&payload)).unwrap();
    assert_eq!(kind(&plain, &opening), Kind::NotAuthentic);
    assert!(open(&plain, &OpenOptions { takes_unprotected: true, ..opening }).is_ok());
}

#[test]
fn s5_each_refusal_has_its_kind() {
    let payload = state(9);
    let (key, password) = (SaveKeys::key([9; 32]), SaveKeys::password_at("a", CHEAP));
    let sealed = write(&Draft { protection: Protection::Encrypted(&key), ..draft(&payload) }).unwrap();
    let locked = write(&Draft { protection: Protection::Encrypted(&password), ..draft(&payload) }).unwrap();
    let other_key = SaveKeys::key([8; 32]);
    let other_password = SaveKeys::password_at("b", CHEAP);
    let with = |keys| OpenOptions { keys: Some(keys), ..OpenOptions::default() };
    assert_eq!(kind(&sealed, &OpenOptions::default()), Kind::WrongKey);
    assert_eq!(kind(&sealed, &with(&other_key)), Kind::WrongKey);
    assert_eq!(kind(&sealed, &with(&password)), Kind::WrongKey);
    assert_eq!(kind(&locked, &with(&other_password)), Kind::WrongKey);
    assert_eq!(kind(&locked, &with(&key)), Kind::WrongKey);
    assert_eq!(kind(b"GDEC and more", &OpenOptions::default()), Kind::NotASave);
    let plain = write(&draft(&payload)).unwrap();
    assert_eq!(kind(&plain, &OpenOptions { most_bytes: 100, ..OpenOptions::default() }), Kind::TooLarge);
    let mut whole = chunks(&plain);
    whole[0][8] = 2;
    assert_eq!(kind(&forged(whole.clone()), &OpenOptions::default()), Kind::Newer, "format 2");
    whole[0][8] = 1;
    let mut unknown = Vec::new();
    chunk::write(&mut unknown, *b"MUST", b"x");
    whole.insert(1, unknown);
    assert_eq!(kind(&forged(whole.clone()), &OpenOptions::default()), Kind::Newer, "a chunk to be known");
    whole[1].clear();
    chunk::write(&mut whole[1], *b"nICE", b"x");
    assert!(open(&forged(whole), &OpenOptions::default()).is_ok(), "a chunk to be skipped");
}

/// Tests that no field of a header makes a reader allocate, even with its largest value: never more than a few times
/// the file, and one slice of the largest size.
#[test]
fn s9_no_field_is_believed() {
    let payload = state(20);
    let most = 4 * payload.len() as u64 + (1 << 20);
    let key = SaveKeys::password_at("a", CHEAP);
    let opening = OpenOptions { keys: Some(&key), takes_unprotected: true, ..OpenOptions::default() };
    for protection in [Protection::None, Protection::Encrypted(&key)] {
        let whole = chunks(&write(&Draft { protection, ..draft(&payload) }).unwrap());
        for at in 0..whole.len() {
            for byte in 8..whole[at].len().saturating_sub(8).min(100) {
                let mut changed = whole.clone();
                changed[at][byte..byte + 4].fill(0xFF);
                let file = forged(changed);
                for what in [0, 1] {
                    let info = allocation_counter::measure(|| match what {
                        0 => drop(open(&file, &opening)),
                        _ => drop(recover(&file, &opening)),
                    });
                    assert!(info.bytes_max < most, "chunk {at}, byte {byte}: {info:?}");
                }
            }
        }
    }
}

#[test]
fn a_password_is_worked_out_once() {
    let payload = state(3);
    let keys = SaveKeys::password("s3cret");
    let first = write(&Draft { protection: Protection::Encrypted(&keys), ..draft(&payload) }).unwrap();
    let start = std::time::Instant::now();
    let second = write(&Draft { protection: Protection::Encrypted(&keys), ..draft(&payload) }).unwrap();
    let quick = start.elapsed();
    assert_ne!(first, second, "the nonce is new");
    let start = std::time::Instant::now();
    assert!(
        open(&second, &OpenOptions { keys: Some(&SaveKeys::password("s3cret")), ..OpenOptions::default() })
            .is_ok()
    );
    assert!(quick < start.elapsed() / 2, "{quick:?}");
}

#[test]
fn drafts_that_nobody_could_read_are_refused() {
    let large = vec![0; (1 << 20) + 1];
    assert_eq!(write(&Draft { meta: Some(&large), ..draft(&[]) }), Err(WriteError::MetaTooLarge));
    assert_eq!(write(&Draft { thumbnail: Some(&large), ..draft(&[]) }), Err(WriteError::ThumbnailTooLarge));
    assert_eq!(write(&Draft { slice_bytes: 0, ..draft(&[]) }), Err(WriteError::BadSliceSize));
    let long = "é".repeat(10_000);
    let file = write(&Draft { game: &long, engine: &long, ..draft(&[]) }).unwrap();
    assert_eq!(open(&file, &OpenOptions::default()).unwrap().head.game.len(), 1024);
}

#[test]
fn s11_a_peek_reads_the_front_alone() {
    let payload = state(500);
    let key = SaveKeys::key([9; 32]);
    let draft = Draft {
        meta: Some(&[2, 0, 0, 0, 7, 0, 0, 0]),
        thumbnail: Some(b"a picture"),
        protection: Protection::Encrypted(&key),
        ..draft(&payload)
    };
    let file = write(&draft).unwrap();
    let front = &file[..400];
    let peeked = peek(&mut Cursor::new(front), Thumbnail::Skip).unwrap();
    assert_eq!((peeked.meta.as_deref(), peeked.thumbnail), (draft.meta, None));
    assert_eq!(peek(&mut Cursor::new(front), Thumbnail::Read).unwrap().thumbnail.as_deref(), draft.thumbnail);
    for bit in 0..250 * 8 {
        let mut changed = file.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        let told: Result<_, SaveFault> = peek(&mut Cursor::new(&changed), Thumbnail::Read);
        // A chunk with other letters is another chunk, which a peek does not read.
        let is_right =
            |part: &Option<Vec<u8>>, draft: Option<&[u8]>| part.is_none() || part.as_deref() == draft;
        let right = |told: &crate::SaveFront| {
            is_right(&told.meta, draft.meta) && is_right(&told.thumbnail, draft.thumbnail)
        };
        assert!(
            told.is_err() || told.is_ok_and(|told| right(&told) && told.head == peeked.head),
            "bit {bit}"
        );
    }
    let plain = write(&Draft { meta: None, thumbnail: None, ..draft }).unwrap();
    assert_eq!(peek(&mut Cursor::new(&plain), Thumbnail::Read).unwrap().meta, None);
}

/// Tests row C4: a damaged byte of a small save loses a small part of it, as that of a large one does.
#[test]
fn a_small_save_is_recovered_in_part() {
    for count in [12, 40, 700] {
        let payload = state(count);
        for compression in [Compression::None, Compression::Zstd] {
            let file = write(&Draft { compression, ..Draft::new(&payload) }).unwrap();
            let slices = chunks(&file).iter().filter(|chunk| chunk[4..8] == chunk::DATA).count();
            assert!(slices > 4, "{slices} slices for {count} entries");
            let mut changed = file.clone();
            let at = file.len() * 2 / 3;
            changed[at] ^= 1;
            let got = recover(&changed, &OpenOptions::default()).unwrap();
            let count = u32::try_from(count).unwrap();
            assert!(got.entries >= count * 2 / 3, "{} of {count}", got.entries);
            assert_eq!(got.lost, Some(count - got.entries));
        }
    }
}

#[test]
fn whole_entries_are_recovered() {
    let payload = state(60);
    let total = 60;
    let key = SaveKeys::key([9; 32]);
    for (protection, keys) in [(Protection::None, None), (Protection::Encrypted(&key), Some(&key))] {
        let opening = OpenOptions { keys, ..OpenOptions::default() };
        let file = write(&Draft { protection, ..draft(&payload) }).unwrap();
        let intact = recover(&file, &opening).unwrap();
        assert_eq!((intact.entries, intact.lost, intact.bad_slices.len()), (total, Some(0), 0));
        assert_eq!(intact.payload, payload);
        let (first, last) = (chunks(&file), 56);
        let front: usize =
            8 + first.iter().take_while(|chunk| chunk[4..8] != chunk::DATA).map(Vec::len).sum::<usize>();
        for at in front..file.len() - last {
            let mut changed = file.clone();
            changed[at] ^= 0x10;
            let got = recover(&changed, &opening).unwrap();
            let lost = total - got.entries;
            assert!((1..20).contains(&lost), "byte {at}: {lost} of {total} are lost");
            assert_eq!(got.bad_slices.len(), 1, "byte {at}");
            assert!(got.lost.is_none_or(|told| told == lost));
            variant_core::decode(&got.payload, &variant_core::Rules::default()).expect("a Dictionary");
        }
        // The end is lost with everything behind the middle.
        let got = recover(&file[..file.len() / 2], &opening).unwrap();
        assert!(got.entries > 10 && got.lost == Some(total - got.entries), "{got:?}");
    }
}

#[test]
fn long_entries_are_recovered_or_lost_as_a_whole() {
    let long = "z".repeat(3000);
    let entries =
        (0..6).map(|n| (Value::Int(n), if n % 2 == 0 { Value::Int(n) } else { Value::from(long.as_str()) }));
    let payload = Value::from(Dictionary::from_iter(entries)).encode().unwrap();
    let file = write(&draft(&payload)).unwrap();
    let whole = chunks(&file);
    for at in 1..whole.len() - 1 {
        let mut fewer = whole.clone();
        fewer.remove(at);
        let got = recover(&file_of(&fewer), &OpenOptions::default()).unwrap();
        assert!((3..6).contains(&got.entries), "without {at}: {got:?}");
    }
}

/// Tests a file in which every byte looks like the beginning of a long chunk.
#[test]
fn a_hostile_file_is_searched_in_linear_time() {
    let payload = state(5);
    let mut file = write(&draft(&payload)).unwrap();
    file.extend([0xFF, 0xFF, 0x1F, 0, b'D', b'A', b'T', b'A'].repeat(1 << 18));
    let start = std::time::Instant::now();
    assert_eq!(recover(&file, &OpenOptions::default()).unwrap().entries, 5);
    assert!(start.elapsed().as_secs() < 20);
}

/// Writes saves one after another, each by the named writer, and returns their headers.
fn lineage(parent: Option<&Head>, writers: impl IntoIterator<Item = (u64, u64)>) -> Vec<Head> {
    let mut heads: Vec<Head> = Vec::new();
    for (writer, tick) in writers {
        let draft = Draft { id: Some(SaveId::of(writer, tick)), ..draft(&[]) };
        let parent = heads.last().or(parent).cloned();
        let file = write(&Draft { parent: parent.as_ref(), ..draft }).unwrap();
        heads.push(open(&file, &OpenOptions::default()).unwrap().head);
    }
    heads
}

#[test]
fn saves_are_compared_by_their_writers() {
    // Each writer goes on for seven saves.
    let heads = lineage(None, (0..MOST_ANCESTORS as u64 * 14).map(|n| (n / 7, n % 7)));
    let last = heads.last().unwrap();
    assert_eq!((last.generation as usize, last.ancestors.len()), (heads.len() - 1, MOST_ANCESTORS));
    for (at, head) in heads.iter().enumerate() {
        // The newest writers and the first are named; of the others it is known that the game is the same.
        let writers_ago = (heads.len() - 1 - at) / 7;
        let order = match writers_ago {
            _ if at == heads.len() - 1 => Order::Same,
            ago if ago < MOST_ANCESTORS || at < 7 => Order::Older,
            _ => Order::Diverged,
        };
        assert_eq!(compare(head, last), order, "{at}");
    }
    let fork = lineage(Some(&heads[300]), [(900, 0), (900, 1)]);
    assert_eq!(compare(&fork[0], &fork[1]), Order::Older);
    assert_eq!(compare(&heads[300], &fork[1]), Order::Older);
    assert_eq!(compare(&fork[1], &heads[299]), Order::Newer);
    for head in &heads[301..] {
        assert_eq!(compare(&fork[1], head), Order::Diverged, "{}", head.generation);
    }
    let other = lineage(None, [(901, 0)]);
    assert_eq!(compare(&other[0], last), Order::Unrelated);
}

/// Tests a player who saves a million times; only the ids are made, since bytes do not matter.
#[test]
fn a_writer_names_all_its_saves_by_one_id() {
    let head = |id, ancestors| Head { id, ancestors, ..Head::default() };
    let first = crate::lineage::next_id(None).unwrap();
    let mut newest = head(first, Vec::new());
    for _ in 0..1_000_000 {
        let id = crate::lineage::next_id(Some(newest.id)).unwrap();
        newest = head(id, crate::lineage::ancestors(&newest, id));
    }
    assert_eq!((newest.id.writer(), newest.ancestors.len()), (first.writer(), 0));
    assert_eq!(compare(&head(first, Vec::new()), &newest), Order::Older);
    // Whoever continues what was continued before is another writer.
    let fork = crate::lineage::next_id(Some(first)).unwrap();
    assert_ne!(fork.writer(), first.writer());
    let fork = head(fork, crate::lineage::ancestors(&head(first, Vec::new()), fork));
    assert_eq!(compare(&fork, &newest), Order::Diverged);
    assert_eq!(compare(&head(first, Vec::new()), &fork), Order::Older);
}

#[test]
fn an_opening_is_watched_and_stopped() {
    let payload = state(50);
    let file = write(&draft(&payload)).unwrap();
    let mut told = Vec::new();
    let mut watch = |share| {
        told.push(share);
        true
    };
    crate::open_watched(&file, &OpenOptions::default(), &mut watch).unwrap();
    assert!(
        told.len() > 3 && told.is_sorted() && told.iter().all(|share| (0.0..1.0).contains(share)),
        "{told:?}"
    );
    let stopped = crate::open_watched(&file, &OpenOptions::default(), &mut |share| share < 0.5).unwrap_err();
    assert_eq!(stopped.kind, Kind::Stopped);
}

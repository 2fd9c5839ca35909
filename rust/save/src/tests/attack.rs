//! Tests files that a forger made: each is refused early, and changes nothing of what comes after it.

use crate::tests::{CHEAP, chunks, draft, forged, kind, state};
use crate::{
    Compression, Draft, KdfCost, Kind, OpenOptions, Protection, SaveKeys, Thumbnail, chunk, open, peek,
    recover, write,
};

/// Repeats the only slice of a save of zeros; the heads count up, the checksums and the hash are right.
fn repeated(raw: usize, times: u32) -> Vec<u8> {
    let payload = vec![0; raw];
    let draft = Draft { slice_bytes: 1 << 20, compression: Compression::Zstd, ..draft(&payload) };
    let mut whole = chunks(&write(&draft).unwrap());
    let end = whole.pop().unwrap();
    let slice = whole.pop().unwrap();
    for index in 0..times {
        let mut slice = slice.clone();
        slice[8..12].copy_from_slice(&index.to_le_bytes());
        whole.push(slice);
    }
    // The last chunk claims what the header claims.
    let mut end = end;
    end[16..20].copy_from_slice(&times.to_le_bytes());
    whole.push(end);
    forged(whole)
}

/// Tests row B1: what a file holds is refused before it is made, not when all of it is there.
#[test]
fn slices_beyond_the_header_are_not_opened() {
    let bomb = repeated(1 << 20, 64);
    assert!(bomb.len() < 64 << 10, "{}", bomb.len());
    for attack in [
        &(|bytes: &[u8]| assert_eq!(kind(bytes, &OpenOptions::default()), Kind::Damaged)) as &dyn Fn(&[u8]),
        &|bytes| drop(recover(bytes, &OpenOptions::default())),
    ] {
        let info = allocation_counter::measure(|| attack(&bomb));
        assert!(info.bytes_max < 4 << 20, "{info:?}");
    }
}

/// Makes a save of this password at another cost.
fn sealed(password: &str, cost: KdfCost) -> Vec<u8> {
    let keys = SaveKeys::password_at(password, cost);
    let payload = state(3);
    write(&Draft { protection: Protection::Encrypted(&keys), ..draft(&payload) }).unwrap()
}

fn keys_chunk(file: &[u8]) -> Vec<u8> {
    chunks(file).into_iter().find(|chunk| chunk[4..8] == chunk::KEYS).unwrap()[8..].to_vec()
}

/// Tests row B3: neither a refused file nor a weak one of the right password sets the cost or the salt of the next save.
#[test]
fn no_file_chooses_the_cost_of_the_next_save() {
    let cost = KdfCost { memory_kib: 16, passes: 2, lanes: 1 };
    let payload = state(3);
    for (attack, opens) in [(sealed("another", CHEAP), false), (sealed("own", CHEAP), true)] {
        let keys = SaveKeys::password_at("own", cost);
        let opening = OpenOptions { keys: Some(&keys), ..OpenOptions::default() };
        assert_eq!(open(&attack, &opening).is_ok(), opens);
        let own = write(&Draft { protection: Protection::Encrypted(&keys), ..draft(&payload) }).unwrap();
        let (own, attack) = (keys_chunk(&own), keys_chunk(&attack));
        assert_eq!(own[..12], [16, 2, 1].map(u32::to_le_bytes).concat(), "the cost is the game's");
        assert_ne!(own[12..28], attack[12..28], "the salt is a new one");
    }
}

/// Tests that a password is worked on once: for the saves of a session, and for its loads of files of one salt.
#[test]
fn a_password_is_worked_on_once() {
    let cost = KdfCost { memory_kib: 8 << 10, passes: 1, lanes: 1 };
    let keys = SaveKeys::password_at("own", cost);
    let opening = OpenOptions { keys: Some(&keys), ..OpenOptions::default() };
    let payload = state(3);
    let draft = || Draft { protection: Protection::Encrypted(&keys), ..draft(&payload) };
    let first = write(&draft()).unwrap();
    let works = |work: &dyn Fn()| allocation_counter::measure(work).bytes_max > 4 << 20;
    assert!(!works(&|| drop(write(&draft()).unwrap())), "a second save");
    assert!(!works(&|| drop(open(&first, &opening).unwrap())), "a load");
    let other = sealed("own", cost);
    assert!(works(&|| drop(open(&other, &opening).unwrap())), "a file of another salt");
    assert!(!works(&|| drop(open(&other, &opening).unwrap())), "that file again");
    assert!(!works(&|| drop(open(&first, &opening).unwrap())), "the first file again");
    assert!(!works(&|| drop(write(&draft()).unwrap())), "a save after it");
    let refused = sealed("another", cost);
    assert!(open(&refused, &opening).is_err());
    assert!(!works(&|| drop(write(&draft()).unwrap())), "a save after a refused file");
}

/// Tests row B4: memory and work that a file asks for are bounded by a few times the default, or by what the game asks for.
#[test]
fn no_file_asks_for_more_work_than_a_few_defaults() {
    let payload = state(3);
    let costly = |cost: [u32; 3]| {
        let keys = SaveKeys::password_at("own", CHEAP);
        let file = write(&Draft { protection: Protection::Encrypted(&keys), ..draft(&payload) }).unwrap();
        let mut whole = chunks(&file);
        let keys = whole.iter_mut().find(|chunk| chunk[4..8] == chunk::KEYS).unwrap();
        keys[8..20].copy_from_slice(&cost.map(u32::to_le_bytes).concat());
        forged(whole)
    };
    let keys = SaveKeys::password("own");
    let opening = OpenOptions { keys: Some(&keys), ..OpenOptions::default() };
    for cost in [[256 << 10, 10, 4], [65 << 10, 1, 1], [64 << 10, 4, 1], [19 << 10, 11, 1], [64, 1, 5]] {
        let info = allocation_counter::measure(|| {
            assert_eq!(kind(&costly(cost), &opening), Kind::TooLarge, "{cost:?}");
        });
        assert!(info.bytes_max < 64 << 10, "{cost:?}: {info:?}");
    }
    assert_eq!(kind(&costly([64 << 10, 1, 1]), &opening), Kind::WrongKey, "what is allowed is tried");
    let dear = KdfCost { memory_kib: 65 << 10, passes: 1, lanes: 1 };
    let keys = SaveKeys::password_at("own", dear);
    let opening = OpenOptions { keys: Some(&keys), ..OpenOptions::default() };
    assert_eq!(kind(&costly([65 << 10, 1, 1]), &opening), Kind::WrongKey, "the game asks for as much");
}

/// Tests row B12: the second chunk of a name ends the reading.
#[test]
fn a_peek_reads_one_of_each() {
    let payload = state(3);
    let mut whole = chunks(&write(&Draft { meta: Some(&[0; 4]), ..draft(&payload) }).unwrap());
    let mut large = Vec::new();
    chunk::write(&mut large, chunk::META, &vec![0; 1 << 20]);
    whole.splice(1..2, std::iter::repeat_n(large, 40));
    let file = forged(whole);
    let info = allocation_counter::measure(|| {
        assert!(peek(&mut std::io::Cursor::new(&file), Thumbnail::Read).is_ok());
    });
    assert!(info.bytes_max < 8 << 20, "{info:?}");
}

/// Tests row B7: under a key, a save that anybody could have made is recovered no more than it is loaded.
#[test]
fn nothing_unprotected_is_recovered_under_a_key() {
    let (key, payload) = (SaveKeys::key([9; 32]), state(60));
    let opening = OpenOptions { keys: Some(&key), ..OpenOptions::default() };
    let plain = write(&draft(&payload)).unwrap();
    let kind = |file: &[u8]| recover(file, &opening).err().map(|fault| fault.kind);
    assert_eq!(kind(&plain), Some(Kind::NotAuthentic));
    let keyed = write(&Draft { protection: Protection::Keyed(&key), ..draft(&payload) }).unwrap();
    assert_eq!(kind(&keyed), None, "it is whole");
    let mut whole = chunks(&keyed);
    whole[3][20] ^= 1;
    let changed = forged(whole.clone());
    assert_eq!(kind(&changed), Some(Kind::NotAuthentic), "its checksums are right");
    assert_eq!(kind(&crate::tests::file_of(&whole)), Some(Kind::NotAuthentic), "it is damaged");
    assert!(recover(&changed, &OpenOptions { takes_unprotected: true, ..opening }).is_ok());
}

#[test]
fn nothing_left_is_an_error() {
    let payload = state(2);
    let mut whole = chunks(&write(&draft(&payload)).unwrap());
    whole.retain(|chunk| chunk[4..8] != chunk::DATA);
    let refused = recover(&crate::tests::file_of(&whole), &OpenOptions::default()).unwrap_err();
    assert!(refused.words.contains("none of its entries is whole"), "{refused}");
}

/// Tests words of slices that are wrong where nothing is sealed: what is recovered is a Dictionary of whole entries all the same, no
/// more of them than a slice says, and it takes no more memory.
#[test]
fn wrong_words_of_slices_recover_entries_alone() {
    let payload = state(40);
    let whole = chunks(&write(&draft(&payload)).unwrap());
    for at in 0..whole.len() {
        if whole[at][4..8] != chunk::DATA {
            continue;
        }
        let entries = u32::from_le_bytes(whole[at][16..20].try_into().unwrap());
        for word in [0, 1, entries - 1, entries + 1, u32::MAX] {
            let mut changed = whole.clone();
            changed[at][16..20].copy_from_slice(&word.to_le_bytes());
            let file = forged(changed);
            let info = allocation_counter::measure(|| drop(recover(&file, &OpenOptions::default())));
            assert!(info.bytes_max < 8 * payload.len() as u64, "{info:?}");
            let got = recover(&file, &OpenOptions::default()).unwrap();
            let decoded = variant_core::decode(&got.payload, &variant_core::Rules::default()).unwrap();
            let variant_core::Value::Dictionary(decoded) = decoded else { panic!("no Dictionary") };
            let all = variant_core::decode(&payload, &variant_core::Rules::default()).unwrap();
            let variant_core::Value::Dictionary(all) = all else { panic!("no Dictionary") };
            assert!(decoded.entries.iter().all(|entry| all.entries.contains(entry)), "{word}");
            assert_eq!((decoded.entries.len(), got.entries), (got.entries as usize, got.entries));
            assert!(got.entries < 40 && got.lost == Some(40 - got.entries), "{word}: {got:?}");
        }
    }
}

//! Tests promises about save files on hostile and random input. `VARIANT_LONG=1` runs the thorough forms.

use std::io::{self, Read, Seek, SeekFrom};

use crate::container::{self, Bounds, Refusal};
use crate::tests::{CHEAP, chunks, draft, forged, kind, state};
use crate::{Draft, Kind, OpenOptions, Protection, SaveKeys, Thumbnail, chunk, open, peek, recover, write};

/// Returns one number for the quick form of a test, another for the thorough one.
fn turns(quick: u32, thorough: u32) -> u32 {
    if std::env::var_os("VARIANT_LONG").is_some() { thorough } else { quick }
}

/// Gives the same numbers in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % most
    }
}

/// Changes a few bytes of the payloads; a checksum of a chunk fits again afterwards.
fn edited(whole: &[Vec<u8>], random: &mut Random) -> Vec<Vec<u8>> {
    let mut changed = whole.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(changed.len());
        let payload = 8..changed[at].len() - 4;
        if payload.is_empty() {
            continue;
        }
        match random.below(5) {
            0 => {
                let byte = payload.start + random.below(payload.len());
                changed[at][byte] ^= 1 << random.below(8);
            }
            1 => {
                let byte = payload.start + random.below(payload.len());
                changed[at][byte] = [0, 0xFF, 0x7F, 1][random.below(4)];
            }
            2 => changed.swap(at, (at + 1) % whole.len()),
            3 => {
                changed[at].truncate(payload.start + random.below(payload.len()));
                changed[at].extend([0; 4]);
            }
            _ => changed[at] = whole[random.below(whole.len())].clone(),
        }
    }
    changed
}

/// Puts the checksums of the chunks right, and leaves the hash as it is.
fn summed(chunks: &[Vec<u8>]) -> Vec<u8> {
    let mut file = crate::SIGNATURE.to_vec();
    for chunk in chunks {
        chunk::write(&mut file, chunk[4..8].try_into().unwrap(), &chunk[8..chunk.len() - 4]);
    }
    file
}

#[test]
fn s3_random_edits_are_found_where_the_checksums_fit() {
    let payload = state(50);
    let file = write(&Draft { meta: Some(&[0; 4]), ..draft(&payload) }).unwrap();
    let whole = chunks(&file);
    let mut random = Random(3);
    let mut found = 0;
    for turn in 0..turns(20_000, 1_000_000) {
        let changed = summed(&edited(&whole, &mut random));
        if changed != file {
            found += 1;
            let refused = open(&changed, &OpenOptions::default()).err().map(|fault| fault.kind);
            assert!(
                matches!(refused, Some(Kind::Damaged | Kind::CutShort | Kind::Newer)),
                "turn {turn}: {refused:?}"
            );
        }
    }
    assert!(found > 10_000, "{found} files were changed");
}

#[test]
fn s4_random_edits_of_a_forger_are_refused() {
    let payload = state(50);
    let key = SaveKeys::key([9; 32]);
    let opening = OpenOptions { keys: Some(&key), ..OpenOptions::default() };
    for protection in [Protection::Keyed(&key), Protection::Encrypted(&key)] {
        let file = write(&Draft { protection, meta: Some(&[0; 4]), ..draft(&payload) }).unwrap();
        let whole = chunks(&file);
        let mut random = Random(4);
        for turn in 0..turns(5_000, 500_000) {
            let mut changed = edited(&whole, &mut random);
            // A forger can also make the hash right, but for the key.
            let last = changed.last().unwrap();
            if last.len() < 24 || last[4..8] != chunk::END {
                changed.push(whole.last().unwrap().clone());
            }
            let changed = forged(changed);
            assert!(open(&changed, &opening).is_err(), "turn {turn}");
        }
    }
}

/// Replaces the first three fields of KEYS: memory, passes, lanes.
fn with_cost(file: &[u8], cost: [u32; 3]) -> Vec<u8> {
    let mut whole = chunks(file);
    let keys = whole.iter_mut().find(|chunk| chunk[4..8] == chunk::KEYS).unwrap();
    keys[8..20].copy_from_slice(&cost.map(u32::to_le_bytes).concat());
    forged(whole)
}

#[test]
fn s10_no_file_makes_a_password_dear() {
    let payload = state(5);
    let password = SaveKeys::password_at("a", CHEAP);
    let protection = Protection::Encrypted(&password);
    let file = write(&Draft { protection, ..draft(&payload) }).unwrap();
    let fresh = SaveKeys::password_at("a", CHEAP);
    let opening = OpenOptions { keys: Some(&fresh), ..OpenOptions::default() };
    for cost in [[u32::MAX; 3], [65_537, 1, 1], [19 << 10, 11, 1], [64, 1, 5], [0, 0, 0], [u32::MAX, 0, 0]] {
        let costly = with_cost(&file, cost);
        let info = allocation_counter::measure(|| {
            let refused = kind(&costly, &opening);
            assert!(matches!(refused, Kind::TooLarge | Kind::Newer), "{cost:?}: {refused:?}");
            assert!(recover(&costly, &opening).is_err());
        });
        assert!(info.bytes_max < 64 << 10, "{cost:?}: {info:?}");
    }
}

/// Is a file of a gibibyte of which only the front is there; it counts what is read of it.
struct Sparse {
    front: Vec<u8>,
    at: u64,
    read: u64,
}

impl Read for Sparse {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let start = usize::try_from(self.at).unwrap().min(self.front.len());
        let front = &self.front[start..];
        let count = buffer.len().min(usize::try_from((1_u64 << 30) - self.at).unwrap());
        for (at, byte) in buffer[..count].iter_mut().enumerate() {
            *byte = front.get(at).copied().unwrap_or(0);
        }
        self.at += count as u64;
        self.read += count as u64;
        Ok(count)
    }
}

impl Seek for Sparse {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if let SeekFrom::Start(at) = to {
            self.at = at;
        }
        Ok(self.at)
    }
}

#[test]
fn s11_a_peek_reads_little_of_a_large_file() {
    let payload = state(500);
    let meta = vec![0; 1 << 20];
    for (meta, picture, most) in [(None, None, 4096), (Some(&meta[..]), None, (1 << 20) + 8192)] {
        let front = write(&Draft { meta, thumbnail: picture, ..draft(&payload) }).unwrap();
        let mut sparse = Sparse { front, at: 0, read: 0 };
        assert_eq!(peek(&mut sparse, Thumbnail::Skip).unwrap().meta.as_deref(), meta);
        assert!(sparse.read <= most, "{} bytes were read", sparse.read);
    }
    // A claimed length of 4 GiB is not followed.
    let mut front = write(&draft(&payload)).unwrap();
    let meta = [&u32::MAX.to_le_bytes()[..], b"META"].concat();
    let head = chunks(&front)[0].len() + 8;
    front.splice(head..head + 8, meta);
    let mut sparse = Sparse { front, at: 0, read: 0 };
    assert!(peek(&mut sparse, Thumbnail::Read).is_err());
    assert!(sparse.read <= 8192, "{} bytes were read", sparse.read);
}

/// Tests the files that engines wrote: those of tests/cli by Godot 4, the others by Godot 3.
#[test]
fn s14_containers_of_engines_open() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let bounds = Bounds { most_bytes: 1 << 20, max_ratio: 100 };
    let key: [u8; 32] = *b"0123456789abcdef0123456789abcdef";
    let (password, key) = (SaveKeys::password("swordfish"), SaveKeys::key(key));
    for (folder, prefix) in [("tests/cli/files", "save_"), ("tests/golden/godot3_files", "")] {
        let read = |name: &str| std::fs::read(root.join(folder).join(format!("{prefix}{name}.bin"))).unwrap();
        for name in ["fastlz", "deflate", "zstd", "gzip"] {
            let (bytes, layers) = container::unpack(read(name), None, &bounds).unwrap();
            assert_eq!((layers.len(), container::is_container(&bytes)), (1, false), "{folder} {name}");
        }
        for (name, keys) in [("pass", &password), ("key", &key)] {
            let (bytes, layers) = container::unpack(read(name), Some(keys), &bounds).unwrap();
            assert!(layers.len() == 1 && bytes.len() > 100, "{folder} {name}");
            assert_eq!(layers[0].is_of_godot_3(), prefix.is_empty());
            let other = SaveKeys::password("sardine");
            assert_eq!(container::unpack(read(name), Some(&other), &bounds), Err(Refusal::WrongKey));
            assert_eq!(container::unpack(read(name), None, &bounds), Err(Refusal::NoKey));
        }
    }
}

#[test]
fn s16_no_secret_is_shown() {
    let payload = state(5);
    let (password, other) =
        (SaveKeys::password_at("swordfish", CHEAP), SaveKeys::password_at("sardine", CHEAP));
    let draft = Draft { protection: Protection::Encrypted(&password), ..draft(&payload) };
    let file = write(&draft).unwrap();
    let refused = open(&file, &OpenOptions { keys: Some(&other), ..OpenOptions::default() }).unwrap_err();
    let key = SaveKeys::key(*b"0123456789abcdef0123456789abcdef");
    let shown = format!("{password:?} {other:?} {key:?} {draft:?} {refused} {refused:?}");
    let opened = open(&file, &OpenOptions { keys: Some(&password), ..OpenOptions::default() }).unwrap();
    let shown = format!(
        "{shown} {opened:?} {:?}",
        recover(&file, &OpenOptions { keys: Some(&password), ..OpenOptions::default() })
    );
    for secret in ["swordfish", "sardine", "0123456789", "entity"] {
        assert!(!shown.contains(secret), "{secret} is in: {shown}");
    }
}

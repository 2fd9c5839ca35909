//! Containers: what `FileAccess.open_compressed` and `open_encrypted*` wrap around a file. Recognised by
//! their first bytes, opened, and put around other bytes for a file that was changed.

mod encrypted;
mod fastlz;
mod gcpf;
mod inflate;

use crate::failure::Failure;

/// What opens an encrypted file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    pub(crate) password: Option<String>,
    pub(crate) key: Option<[u8; 32]>,
}

/// Layers within layers that are opened; engines make one.
const MOST_LAYERS: usize = 4;

/// Small files may grow beyond the ratio, up to so many bytes: 4 KiB of zeros take 19 with Zstandard.
const FREE_BYTES: u64 = 64 << 10;

/// What may come out of a file, whatever layers it has.
struct Bounds {
    /// Of one layer.
    most_bytes: u64,
    max_ratio: u64,
    /// Of all layers that are still to be opened, together.
    left: u64,
}

impl Bounds {
    const fn of(packed: u64, most_bytes: u64, max_ratio: u64) -> Bounds {
        Bounds { most_bytes, max_ratio, left: grown(packed, max_ratio) }
    }
}

/// What so many bytes may become.
const fn grown(packed: u64, max_ratio: u64) -> u64 {
    packed.saturating_mul(max_ratio).saturating_add(FREE_BYTES)
}

/// Whether the first bytes are those of a container.
pub(crate) fn is_packed(head: &[u8]) -> bool {
    matches!(head.first_chunk(), Some(b"GCPF" | b"GDEC"))
}

/// Whether the first bytes are those of an encrypted file.
pub(crate) fn is_encrypted(head: &[u8]) -> bool {
    head.starts_with(b"GDEC")
}

/// A form of compression or encryption around the bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    Compressed(gcpf::Form),
    Encrypted(encrypted::Form),
}

impl Layer {
    /// In words.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Layer::Compressed(form) => form.name(),
            Layer::Encrypted(form) => form.name(),
        }
    }
}

/// Other bytes with the same layers around them, which `unpack` takes off again.
pub(crate) fn pack(bytes: Vec<u8>, layers: &[Layer], keys: &Keys) -> Result<Vec<u8>, Failure> {
    let mut packed = bytes;
    for layer in layers.iter().rev() {
        packed = match layer {
            Layer::Compressed(form) => {
                let too_large = || Failure::data("more than a compressed file can hold (4 GiB)");
                gcpf::pack(&packed, *form).ok_or_else(too_large)?
            }
            Layer::Encrypted(form) => encrypted::seal(&packed, *form, keys)?,
        };
    }
    Ok(packed)
}

/// The bytes within, and the layers that were around them.
pub(crate) fn unpack(
    packed: Vec<u8>,
    keys: &Keys,
    most_bytes: u64,
    max_ratio: u64,
) -> Result<(Vec<u8>, Vec<Layer>), Failure> {
    let mut bounds = Bounds::of(packed.len() as u64, most_bytes, max_ratio);
    let mut bytes = packed;
    let mut layers = Vec::new();
    while layers.len() < MOST_LAYERS {
        let (inner, layer) = match bytes.first_chunk() {
            Some(b"GCPF") => {
                let (inner, form) = gcpf::open(&bytes, &mut bounds)?;
                (inner, Layer::Compressed(form))
            }
            Some(b"GDEC") => {
                let (inner, form) = encrypted::open(&bytes, keys)?;
                (inner, Layer::Encrypted(form))
            }
            _ => break,
        };
        bytes = inner;
        layers.push(layer);
    }
    Ok((bytes, layers))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const FILES: [&str; 6] = [
        "save_fastlz.bin",
        "save_deflate.bin",
        "save_zstd.bin",
        "save_gzip.bin",
        "save_pass.bin",
        "save_key.bin",
    ];

    /// Zeros in the blocks of a GCPF file.
    fn packed(raw: &[u8], block: usize) -> Vec<u8> {
        // Behind whole blocks alone an empty one follows.
        let rest: &[u8] = &[];
        let last = raw.len().is_multiple_of(block).then_some(rest);
        let blocks: Vec<Vec<u8>> = raw
            .chunks(block)
            .chain(last)
            .map(|block| {
                let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
                encoder.write_all(block).unwrap();
                encoder.finish().unwrap()
            })
            .collect();
        let word = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
        let head = [b"GCPF".to_vec(), [word(1), word(block), word(raw.len())].concat()].concat();
        let sizes: Vec<u8> = blocks.iter().flat_map(|block| word(block.len())).collect();
        [head, sizes, blocks.concat(), b"GCPF".to_vec()].concat()
    }

    /// Each layer alone keeps to the ratio, all of them together do not.
    #[test]
    fn layers_share_one_bound() {
        let mut file = vec![0; 3_000_001];
        let mut sizes = vec![file.len()];
        for block in [2000, 2200, 4096] {
            file = packed(&file, block);
            sizes.push(file.len());
            let mut bounds = Bounds::of(file.len() as u64, 1 << 30, 100);
            assert!(gcpf::open(&file, &mut bounds).is_ok(), "a layer alone: {sizes:?}");
        }
        let refused = unpack(file.clone(), &Keys::default(), 1 << 30, 100).expect_err("a bomb").to_string();
        assert!(refused.contains("more than 100 times"), "{refused}: {sizes:?}");
        let (raw, layers) = unpack(file, &Keys::default(), 1 << 30, 100_000).unwrap();
        assert_eq!((raw.len(), layers.len()), (3_000_001, 3));
    }

    /// Whatever was inflated before, a block is what it is alone.
    #[test]
    fn blocks_of_one_byte_come_together() {
        use flate2::{Compression, write::GzEncoder};
        let raw: Vec<u8> = (0..5000_u32).map(|at| (at * at % 251) as u8).collect();
        assert_eq!(unpack(packed(&raw, 1), &Keys::default(), 1 << 20, 100).unwrap().0, raw);
        let gzip = |raw: &[u8]| {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(raw).unwrap();
            encoder.finish().unwrap()
        };
        let mut inflate = inflate::Inflate::new(gcpf::Mode::Gzip);
        for size in [1, 0, 5000, 1, 70_000, 3] {
            let raw: Vec<u8> = raw.iter().cycle().take(size).copied().collect();
            let block = gzip(&raw);
            assert_eq!(inflate.block(&block, size).as_ref(), Some(&raw), "{size}");
            assert_eq!(inflate.block(&block, size + 1), None, "more than it holds");
            assert_eq!(inflate.block(&block[..block.len() - 1], size), None, "cut off");
            let mut spoiled = block;
            let last = spoiled.len() - 6;
            spoiled[last] ^= 1;
            assert_eq!(inflate.block(&spoiled, size), None, "another sum");
        }
    }

    /// Tests that files of engines come back in the same form.
    #[test]
    fn files_are_packed_as_they_were() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cli/files");
        let old =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/godot3_files/pass.bin");
        let password = Keys { password: Some("swordfish".to_owned()), key: None };
        let mut files: Vec<std::path::PathBuf> = FILES.iter().map(|name| folder.join(name)).collect();
        files.retain(|path| !path.ends_with("save_key.bin"));
        files.push(old);
        for path in files {
            let file = std::fs::read(&path).expect("it is there");
            let (bytes, layers) = unpack(file, &password, 1 << 20, 100).unwrap();
            for size in [0, 1, 15, 16, bytes.len(), 4096, 20_000] {
                let other: Vec<u8> = bytes.iter().cycle().take(size).copied().collect();
                let packed = pack(other.clone(), &layers, &password).unwrap();
                let again = unpack(packed, &password, 1 << 20, 1000).unwrap();
                assert_eq!((again.0 == other, &again.1), (true, &layers), "{} of {size}", path.display());
            }
        }
    }

    /// What an engine wrote, spoiled: it is opened or refused, and never larger than it may be.
    #[test]
    fn spoiled_files_are_opened_or_refused() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cli/files");
        let keys = Keys { password: Some("swordfish".to_owned()), key: None };
        let mut state = 7_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).expect("31 bits") % below
        };
        let turns = if std::env::var_os("VARIANT_LONG").is_some() { 300_000 } else { 3000 };
        let mut opened = 0;
        for name in FILES {
            let file = std::fs::read(folder.join(name)).expect("it is there");
            for _ in 0..turns {
                let mut spoiled = file.clone();
                for _ in 0..1 + random(4) {
                    let at = random(spoiled.len());
                    spoiled[at] = [0, 1, 0x7F, 0xFF, spoiled[at] ^ 1 << random(8)][random(5)];
                }
                spoiled.truncate(if random(4) == 0 { random(spoiled.len()) } else { spoiled.len() });
                if let Ok((bytes, _)) = unpack(spoiled, &keys, 1 << 20, 100) {
                    assert!(bytes.len() <= 1 << 20);
                    opened += 1;
                }
            }
        }
        assert!(opened > 0);
    }
}

//! Opens and makes the containers that the engine puts around files: what `FileAccess.open_compressed` and
//! `open_encrypted*` write, of Godot 3 and 4.
//!
//! A container is recognised by its first bytes. Its form is remembered, so that changed bytes get it again. Saves of
//! format 1 are no containers.

#[cfg(feature = "encryption")]
mod encrypted;
mod fastlz;
mod gcpf;

use std::borrow::Cow;
use std::fmt;

use crate::chunk::to_u64;
use crate::fault::{Kind, SaveFault};
use crate::keys::SaveKeys;

/// The number of layers within layers that are opened; engines make one.
const MOST_LAYERS: usize = 4;

/// The size that small files may grow to whatever the ratio is: 4 KiB of zeros take 19 bytes with Zstandard.
const FREE_BYTES: u64 = 64 << 10;

/// Says how much may come out of a file, whatever layers it has.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The size of the largest layer.
    pub most_bytes: u64,
    /// How many times as large as the file all layers together may be. 64 KiB are always allowed.
    pub max_ratio: u64,
}

/// Holds what may still come out of the layers that are not opened yet.
struct Budget {
    bounds: Bounds,
    left: u64,
}

impl Budget {
    fn of(packed: usize, bounds: Bounds) -> Budget {
        Budget { bounds, left: grown(to_u64(packed), bounds.max_ratio) }
    }
}

/// Returns the size that so many bytes may grow to.
const fn grown(packed: u64, max_ratio: u64) -> u64 {
    packed.saturating_mul(max_ratio).saturating_add(FREE_BYTES)
}

/// Tells whether the first bytes are those of a container.
#[must_use]
pub fn is_container(head: &[u8]) -> bool {
    matches!(head.first_chunk(), Some(b"GCPF" | b"GDEC"))
}

/// Tells whether the first bytes are those of an encrypted file.
#[must_use]
pub fn is_encrypted(head: &[u8]) -> bool {
    head.starts_with(b"GDEC")
}

/// Names a form of compression or encryption around the bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer(LayerForm);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LayerForm {
    Compressed(gcpf::GcpfForm),
    #[cfg(feature = "encryption")]
    Encrypted(encrypted::Cipher),
}

impl Layer {
    /// Returns its name in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            LayerForm::Compressed(form) => form.name(),
            #[cfg(feature = "encryption")]
            LayerForm::Encrypted(form) => form.name(),
        }
    }

    /// Returns the form with Deflate instead of Zstandard, which this crate's own encoder packs less well. Engines read the
    /// mode from the file. `None` for any other form.
    #[must_use]
    pub const fn deflated(self) -> Option<Layer> {
        match self.0 {
            LayerForm::Compressed(form) => match form.deflated() {
                Some(form) => Some(Layer(LayerForm::Compressed(form))),
                None => None,
            },
            #[cfg(feature = "encryption")]
            LayerForm::Encrypted(_) => None,
        }
    }

    /// Tells whether only Godot 3 makes this form. Compressed files look the same in all versions.
    #[must_use]
    pub const fn is_of_godot_3(self) -> bool {
        match self.0 {
            LayerForm::Compressed(_) => false,
            #[cfg(feature = "encryption")]
            LayerForm::Encrypted(form) => matches!(form, encrypted::Cipher::Godot3),
        }
    }
}

/// Says why a container was not opened or made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// Bytes were changed or are missing.
    Damaged(Cow<'static, str>),
    /// It says that it holds more bytes than are allowed.
    TooLarge(Cow<'static, str>),
    /// It grows more often than [`Bounds::max_ratio`] allows.
    GrowsTooMuch {
        /// The ratio that is allowed.
        max_ratio: u64,
    },
    /// It is encrypted, and no password or key was given.
    NoKey,
    /// The password or key is another one, or the file is damaged: the form cannot tell these apart.
    WrongKey,
    /// This build has no encryption.
    NoEncryption,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Damaged(words) | Refusal::TooLarge(words) => f.write_str(words),
            Refusal::GrowsTooMuch { max_ratio } => {
                write!(f, "compressed file (GCPF): it grows more than {max_ratio} times")
            }
            Refusal::NoKey => f.write_str("encrypted file (GDEC): it needs a password or a key"),
            Refusal::WrongKey => {
                f.write_str("encrypted file (GDEC): not this password or key, or the file is damaged")
            }
            Refusal::NoEncryption => {
                f.write_str("encrypted file (GDEC): this library was built without encryption")
            }
        }
    }
}

impl std::error::Error for Refusal {}

impl From<Refusal> for SaveFault {
    fn from(refusal: Refusal) -> SaveFault {
        let kind = match refusal {
            Refusal::Damaged(_) => Kind::Damaged,
            Refusal::TooLarge(_) | Refusal::GrowsTooMuch { .. } => Kind::TooLarge,
            Refusal::NoKey | Refusal::WrongKey => Kind::WrongKey,
            Refusal::NoEncryption => Kind::Newer,
        };
        SaveFault::new(kind, 0, refusal.to_string())
    }
}

/// Puts the layers around other bytes; [`unpack`] takes them off again.
///
/// # Errors
/// Fails if a layer needs a key that is not there, or cannot hold so many bytes.
pub fn pack(bytes: Vec<u8>, layers: &[Layer], keys: Option<&SaveKeys>) -> Result<Vec<u8>, Refusal> {
    let mut packed = bytes;
    for layer in layers.iter().rev() {
        packed = match layer.0 {
            LayerForm::Compressed(form) => {
                let words = "more than a compressed file can hold (4 GiB)";
                gcpf::pack(&packed, form).ok_or(Refusal::TooLarge(Cow::Borrowed(words)))?
            }
            #[cfg(feature = "encryption")]
            LayerForm::Encrypted(form) => encrypted::seal(&packed, form, keys)?,
        };
    }
    #[cfg(not(feature = "encryption"))]
    let _ = keys;
    Ok(packed)
}

/// Takes off all layers; returns the bytes within, and the layers that were around them. Bytes without a layer
/// come back as they are.
///
/// # Errors
/// Fails if a layer is damaged, grows beyond the bounds, or needs another key.
pub fn unpack(
    packed: Vec<u8>,
    keys: Option<&SaveKeys>,
    bounds: &Bounds,
) -> Result<(Vec<u8>, Vec<Layer>), Refusal> {
    let mut budget = Budget::of(packed.len(), *bounds);
    let mut bytes = packed;
    let mut layers = Vec::new();
    while layers.len() < MOST_LAYERS {
        let (inner, form) = match bytes.first_chunk() {
            Some(b"GCPF") => {
                let (inner, form) = gcpf::open(&bytes, &mut budget)?;
                (inner, LayerForm::Compressed(form))
            }
            #[cfg(feature = "encryption")]
            Some(b"GDEC") => {
                let (inner, form) = encrypted::open(&bytes, keys)?;
                (inner, LayerForm::Encrypted(form))
            }
            #[cfg(not(feature = "encryption"))]
            Some(b"GDEC") => return Err(Refusal::NoEncryption),
            _ => break,
        };
        bytes = inner;
        layers.push(Layer(form));
    }
    #[cfg(not(feature = "encryption"))]
    let _ = keys;
    Ok((bytes, layers))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unpack::Unpacker;
    use std::io::Write;

    const FILES: [&str; 6] = [
        "save_fastlz.bin",
        "save_deflate.bin",
        "save_zstd.bin",
        "save_gzip.bin",
        "save_pass.bin",
        "save_key.bin",
    ];

    const fn bounds(most_bytes: u64, max_ratio: u64) -> Bounds {
        Bounds { most_bytes, max_ratio }
    }

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
            let mut budget = Budget::of(file.len(), bounds(1 << 30, 100));
            assert!(gcpf::open(&file, &mut budget).is_ok(), "a layer alone: {sizes:?}");
        }
        let refused = unpack(file.clone(), None, &bounds(1 << 30, 100)).expect_err("a bomb").to_string();
        assert!(refused.contains("more than 100 times"), "{refused}: {sizes:?}");
        let (raw, layers) = unpack(file, None, &bounds(1 << 30, 100_000)).unwrap();
        assert_eq!((raw.len(), layers.len()), (3_000_001, 3));
    }

    /// Tests that a block is what it is alone, whatever was inflated before.
    #[test]
    fn blocks_of_one_byte_come_together() {
        use flate2::{Compression, write::GzEncoder};
        let raw: Vec<u8> = (0..5000_u32).map(|at| (at * at % 251) as u8).collect();
        assert_eq!(unpack(packed(&raw, 1), None, &bounds(1 << 20, 100)).unwrap().0, raw);
        let gzip = |raw: &[u8]| {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(raw).unwrap();
            encoder.finish().unwrap()
        };
        let mut unpacker = Unpacker::new(None);
        for size in [1, 0, 5000, 1, 70_000, 3] {
            let raw: Vec<u8> = raw.iter().cycle().take(size).copied().collect();
            let block = gzip(&raw);
            assert_eq!(unpacker.gzip(&block, size).as_ref(), Some(&raw), "{size}");
            assert_eq!(unpacker.gzip(&block, size + 1), None, "more than it holds");
            assert_eq!(unpacker.gzip(&block[..block.len() - 1], size), None, "cut off");
            let mut spoiled = block;
            let last = spoiled.len() - 6;
            spoiled[last] ^= 1;
            assert_eq!(unpacker.gzip(&spoiled, size), None, "another sum");
        }
    }

    /// Tests that files of engines come back in the same form.
    #[test]
    fn files_are_packed_as_they_were() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cli/files");
        let old =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/godot3_files/pass.bin");
        let password = SaveKeys::password("swordfish");
        let mut files: Vec<std::path::PathBuf> = FILES.iter().map(|name| folder.join(name)).collect();
        files.retain(|path| !path.ends_with("save_key.bin"));
        files.push(old);
        for path in files {
            let file = std::fs::read(&path).expect("it is there");
            let (bytes, layers) = unpack(file, Some(&password), &bounds(1 << 20, 100)).unwrap();
            for size in [0, 1, 15, 16, bytes.len(), 4096, 20_000] {
                let other: Vec<u8> = bytes.iter().cycle().take(size).copied().collect();
                let packed = pack(other.clone(), &layers, Some(&password)).unwrap();
                let again = unpack(packed, Some(&password), &bounds(1 << 20, 1000)).unwrap();
                assert_eq!((again.0 == other, &again.1), (true, &layers), "{} of {size}", path.display());
            }
        }
    }

    /// Tests that spoiled files of engines are opened or refused, and never larger than they may be.
    #[test]
    fn spoiled_files_are_opened_or_refused() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cli/files");
        let keys = SaveKeys::password("swordfish");
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
                if let Ok((bytes, _)) = unpack(spoiled, Some(&keys), &bounds(1 << 20, 100)) {
                    assert!(bytes.len() <= 1 << 20);
                    opened += 1;
                }
            }
        }
        assert!(opened > 0);
    }
}

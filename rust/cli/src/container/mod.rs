//! Containers: what `FileAccess.open_compressed` and `open_encrypted*` wrap around a file. Recognised by their
//! first bytes and opened; written never.

mod encrypted;
mod fastlz;
mod gcpf;

use crate::failure::Failure;

/// What opens an encrypted file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    pub(crate) password: Option<String>,
    pub(crate) key: Option<[u8; 32]>,
}

/// Layers within layers that are opened; engines make one.
const MOST_LAYERS: usize = 4;

/// The bytes within, and the layers that were around them.
pub(crate) fn unpack(
    packed: Vec<u8>,
    keys: &Keys,
    most_bytes: u64,
    max_ratio: u64,
) -> Result<(Vec<u8>, Vec<&'static str>), Failure> {
    let mut bytes = packed;
    let mut layers = Vec::new();
    while layers.len() < MOST_LAYERS {
        let (inner, layer) = match bytes.first_chunk() {
            Some(b"GCPF") => gcpf::open(&bytes, most_bytes, max_ratio)?,
            Some(b"GDEC") => encrypted::open(&bytes, keys)?,
            _ => break,
        };
        bytes = inner;
        layers.push(layer);
    }
    Ok((bytes, layers))
}

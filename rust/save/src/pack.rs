//! Compresses slices and decompresses them again.
//!
//! A decompressed slice has the size that the slice declares, and no more memory than that is ever used.

use std::io::{Read, Write};

use crate::head::Compression;

/// Compresses one slice by other means, such as the engine's own Zstandard; returns `None` if it cannot.
pub type Packer<'p> = &'p dyn Fn(&[u8]) -> Option<Vec<u8>>;

/// The largest window that a frame may declare: that of the largest slice, because writers do not fit it to
/// the data.
const MOST_WINDOW: u64 = 1 << 20;

/// Compresses a slice. A slice that does not become smaller is stored as it is, which its length shows.
pub(crate) fn pack(raw: &[u8], compression: Compression, packer: Option<Packer<'_>>) -> Vec<u8> {
    let packed = match (compression, packer) {
        (Compression::None, _) => None,
        (_, Some(packer)) => packer(raw),
        (Compression::Zstd, None) => {
            Some(ruzstd::encoding::compress_to_vec(raw, ruzstd::encoding::CompressionLevel::Fastest))
        }
        (Compression::Deflate, None) => deflate(raw),
    };
    // Another program's packer is not trusted: a result that does not decompress again is dropped.
    let packed = packed.filter(|packed| packed.len() < raw.len());
    packed
        .filter(|packed| unpack(packed, raw.len(), compression).as_deref() == Some(raw))
        .unwrap_or_else(|| raw.to_vec())
}

fn deflate(raw: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(raw).ok()?;
    encoder.finish().ok()
}

/// Decompresses a slice of `size` raw bytes; returns `None` if it has another size.
pub(crate) fn unpack(packed: &[u8], size: usize, compression: Compression) -> Option<Vec<u8>> {
    if packed.len() == size {
        return Some(packed.to_vec());
    }
    match compression {
        Compression::None => None,
        Compression::Deflate => read(flate2::read::ZlibDecoder::new(packed), size),
        Compression::Zstd => {
            if zstd_window(packed)? > MOST_WINDOW {
                return None;
            }
            read(ruzstd::decoding::StreamingDecoder::new(packed).ok()?, size)
        }
    }
}

fn read(reader: impl Read, size: usize) -> Option<Vec<u8>> {
    let mut raw = Vec::new();
    let one_more = u64::try_from(size).ok()?.checked_add(1)?;
    reader.take(one_more).read_to_end(&mut raw).ok()?;
    Some(raw).filter(|raw| raw.len() == size)
}

/// Returns the memory that a Zstandard frame declares (RFC 8878, section 3.1.1.1). The decoder allocates it
/// before the first byte comes out, so it is checked first.
pub(crate) fn zstd_window(packed: &[u8]) -> Option<u64> {
    let descriptor = *packed.get(4)?;
    if descriptor & 0x20 == 0 {
        let window = *packed.get(5)?;
        let exponent = u32::from(window >> 3).checked_add(10)?;
        let base = 1_u64.checked_shl(exponent)?;
        return base.checked_add((base >> 3).checked_mul(u64::from(window & 7))?);
    }
    let dictionary = match descriptor & 3 {
        0 => 0,
        1 => 1,
        2 => 2,
        _ => 4_usize,
    };
    let rest = packed.get(dictionary.checked_add(5)?..)?;
    match descriptor >> 6 {
        0 => rest.first().map(|size| u64::from(*size)),
        1 => rest.first_chunk().map(|size| u64::from(u16::from_le_bytes(*size)).saturating_add(256)),
        2 => rest.first_chunk().map(|size| u64::from(u32::from_le_bytes(*size))),
        _ => rest.first_chunk().map(|size| u64::from_le_bytes(*size)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Compression; 3] = [Compression::None, Compression::Zstd, Compression::Deflate];

    #[test]
    fn slices_come_back() {
        for compression in ALL {
            for raw in
                [vec![], vec![7; 3], vec![0; 65_536], (0..60_000_u32).map(|n| ((n * n) >> 3) as u8).collect()]
            {
                let packed = pack(&raw, compression, None);
                assert!(packed.len() <= raw.len());
                assert_eq!(unpack(&packed, raw.len(), compression).as_deref(), Some(&raw[..]));
            }
            assert!(compression == Compression::None || pack(&[0; 65_536], compression, None).len() < 1000);
        }
    }

    #[test]
    fn a_slice_has_the_size_that_it_declares() {
        for compression in [Compression::Zstd, Compression::Deflate] {
            let packed = pack(&[0; 50_000], compression, None);
            assert_eq!(unpack(&packed, 49_999, compression), None);
            assert_eq!(unpack(&packed, 50_001, compression), None);
            assert_eq!(unpack(b"no frame at all", 50_000, compression), None);
        }
    }

    #[test]
    fn a_packer_that_answers_nonsense_costs_nothing() {
        let raw = [3; 1000];
        assert_eq!(pack(&raw, Compression::Zstd, Some(&|_| Some(vec![1, 2, 3]))), raw);
        assert_eq!(pack(&raw, Compression::Zstd, Some(&|_| None)), raw);
    }

    /// Tests frames that declare a window of 2^41 bytes, and a content size of 2^63.
    #[test]
    fn no_frame_asks_for_more_than_its_slice() {
        for frame in [
            &[0x28, 0xB5, 0x2F, 0xFD, 0, 0xF8, 0, 0][..],
            &[0x28, 0xB5, 0x2F, 0xFD, 0xE0, 0, 0, 0, 0, 0, 0, 0, 0x80],
        ] {
            assert_eq!(unpack(frame, 4096, Compression::Zstd), None);
        }
    }
}

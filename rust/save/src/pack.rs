//! Compresses slices and decompresses them again.
//!
//! A decompressed slice has the size that the slice declares, and no more memory than that is ever used.

use std::io::{Read, Write};

use ruzstd::decoding::FrameDecoder;

use crate::head::Compression;

/// Compresses one slice by other means, such as the engine's own Zstandard; returns `None` if it cannot.
pub type Packer<'p> = &'p dyn Fn(&[u8]) -> Option<Vec<u8>>;

/// Decompresses a Zstandard frame of so many raw bytes, at least one, by other means, such as the engine's own; returns
/// `None` if it cannot.
pub type Unpack = fn(&[u8], usize) -> Option<Vec<u8>>;

/// The first bytes of a Zstandard frame.
const ZSTD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

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
        .filter(|packed| Unpacker::new(None).unpack(packed, raw.len(), compression).as_deref() == Some(raw))
        .unwrap_or_else(|| raw.to_vec())
}

fn deflate(raw: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(raw).ok()?;
    encoder.finish().ok()
}

/// Decompresses slices. Its decoder keeps its memory from one slice to the next.
pub(crate) struct Unpacker {
    zstd: FrameDecoder,
    by: Option<Unpack>,
}

impl Unpacker {
    /// Returns one that asks `by` first for Zstandard.
    pub(crate) fn new(by: Option<Unpack>) -> Unpacker {
        Unpacker { zstd: FrameDecoder::new(), by }
    }

    /// Decompresses a slice of `size` raw bytes; returns `None` if it has another size.
    pub(crate) fn unpack(&mut self, packed: &[u8], size: usize, compression: Compression) -> Option<Vec<u8>> {
        if packed.len() == size {
            return Some(packed.to_vec());
        }
        match compression {
            Compression::None => None,
            Compression::Deflate => read(flate2::read::ZlibDecoder::new(packed), size),
            Compression::Zstd => self.zstd(packed, size),
        }
    }

    /// Decompresses exactly one frame. Bytes that other means cannot decompress are tried here, so that no verdict depends on
    /// them.
    fn zstd(&mut self, packed: &[u8], size: usize) -> Option<Vec<u8>> {
        if zstd_window(packed)? > MOST_WINDOW || zstd_end(packed)? != packed.len() {
            return None;
        }
        let by = self.by.filter(|_| size > 0);
        let by_other_means = by.and_then(|by| by(packed, size)).filter(|raw| raw.len() == size);
        by_other_means.or_else(|| {
            let mut raw = vec![0; size];
            let read = self.zstd.decode_all(packed, &mut raw).ok()?;
            (read == size).then_some(raw)
        })
    }
}

/// Returns where the Zstandard frame ends that the bytes begin with (RFC 8878, section 3.1.1).
fn zstd_end(packed: &[u8]) -> Option<usize> {
    let descriptor = *packed.get(4).filter(|_| packed.starts_with(&ZSTD))?;
    let is_single = descriptor & 0x20 != 0;
    let dictionary = [0, 1, 2, 4].get(usize::from(descriptor & 3))?;
    let size = [usize::from(is_single), 2, 4, 8];
    let size = size.get(usize::from(descriptor >> 6))?;
    let mut at =
        5_usize.checked_add(usize::from(!is_single))?.checked_add(*dictionary)?.checked_add(*size)?;
    loop {
        let [one, two, three] = *packed.get(at..)?.first_chunk()?;
        let header = u32::from_le_bytes([one, two, three, 0]);
        let body = match header >> 1 & 3 {
            1 => 1,
            0 | 2 => usize::try_from(header >> 3).ok()?,
            _ => return None,
        };
        at = at.checked_add(3)?.checked_add(body)?;
        if header & 1 == 1 {
            return at.checked_add(if descriptor & 4 == 0 { 0 } else { 4 });
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
                assert_eq!(
                    Unpacker::new(None).unpack(&packed, raw.len(), compression).as_deref(),
                    Some(&raw[..])
                );
            }
            assert!(compression == Compression::None || pack(&[0; 65_536], compression, None).len() < 1000);
        }
    }

    #[test]
    fn a_slice_has_the_size_that_it_declares() {
        for compression in [Compression::Zstd, Compression::Deflate] {
            let packed = pack(&[0; 50_000], compression, None);
            assert_eq!(Unpacker::new(None).unpack(&packed, 49_999, compression), None);
            assert_eq!(Unpacker::new(None).unpack(&packed, 50_001, compression), None);
            assert_eq!(Unpacker::new(None).unpack(b"no frame at all", 50_000, compression), None);
        }
    }

    #[test]
    fn a_packer_that_answers_nonsense_costs_nothing() {
        let raw = [3; 1000];
        assert_eq!(pack(&raw, Compression::Zstd, Some(&|_| Some(vec![1, 2, 3]))), raw);
        assert_eq!(pack(&raw, Compression::Zstd, Some(&|_| None)), raw);
    }

    #[test]
    fn a_slice_is_one_frame() {
        let raw = [3; 1000];
        let packed = pack(&raw, Compression::Zstd, None);
        let unpack = |packed: &[u8], by: Option<Unpack>| {
            Unpacker::new(by).unpack(packed, raw.len(), Compression::Zstd)
        };
        assert_eq!(zstd_end(&packed), Some(packed.len()));
        assert_eq!(unpack(&packed, None).as_deref(), Some(&raw[..]));
        assert_eq!(unpack(&[&packed[..], &[0]].concat(), None), None, "a byte behind it");
        assert_eq!(unpack(&[&packed[..], &packed].concat(), None), None, "a second one");
        assert_eq!(
            unpack(&[&[0x50, 0x2A, 0x4D, 0x18, 0, 0, 0, 0], &packed[..]].concat(), None),
            None,
            "a skipped one"
        );
        for end in 0..packed.len() {
            assert_eq!(unpack(&packed[..end], None), None, "{end}");
        }
    }

    /// Tests that other means are asked for whole frames alone, and that their failure changes nothing.
    #[test]
    fn other_means_change_no_verdict() {
        let raw = [3; 1000];
        let packed = pack(&raw, Compression::Zstd, None);
        let with =
            |packed: &[u8], by: Unpack| Unpacker::new(Some(by)).unpack(packed, 1000, Compression::Zstd);
        assert_eq!(
            with(&packed, |_, size| Some(vec![4; size])).as_deref(),
            Some(&[4; 1000][..]),
            "it is asked"
        );
        assert_eq!(with(&packed, |_, _| None).as_deref(), Some(&raw[..]));
        assert_eq!(with(&packed, |_, size| Some(vec![3; size - 1])).as_deref(), Some(&raw[..]), "too short");
        let longer = [&packed[..], &[0]].concat();
        assert_eq!(with(&longer, |_, _| panic!("this is no frame")), None);
    }

    /// Tests frames that declare a window of 2^41 bytes, and a content size of 2^63.
    #[test]
    fn no_frame_asks_for_more_than_its_slice() {
        for frame in [
            &[0x28, 0xB5, 0x2F, 0xFD, 0, 0xF8, 0, 0][..],
            &[0x28, 0xB5, 0x2F, 0xFD, 0xE0, 0, 0, 0, 0, 0, 0, 0, 0x80],
        ] {
            assert_eq!(Unpacker::new(None).unpack(frame, 4096, Compression::Zstd), None);
        }
    }
}

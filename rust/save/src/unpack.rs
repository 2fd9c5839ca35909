//! Decompresses the slices of saves and the blocks of files that the engine compressed.
//!
//! The result has the size that was declared, and no more memory than that is ever used. Decoders are kept from one to the
//! next: files of thousands of small blocks would spend their time on making them otherwise.

use flate2::{Crc, Decompress, FlushDecompress, Status};
use ruzstd::decoding::FrameDecoder;

use crate::head::Compression;

/// Decompresses a Zstandard frame of so many raw bytes, at least one, by other means, such as the engine's own; returns
/// `None` if it cannot.
pub type Unpack = fn(&[u8], usize) -> Option<Vec<u8>>;

/// The first bytes of a Zstandard frame.
const ZSTD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
/// The largest window that the frame of a slice may declare: that of the largest slice, because writers do not fit it to
/// the data.
const MOST_WINDOW: u64 = 1 << 20;
/// The number of bytes by which the output of a block grows: its size is only claimed.
const STEP: usize = 64 << 10;
/// The sizes of the header of gzip without any of its options, as engines write it, and of the trailer.
const GZIP_HEADER: usize = 10;
const GZIP_TRAILER: usize = 8;

/// Decompresses one slice or block after another.
pub(crate) struct Unpacker {
    deflate: Option<Decompress>,
    zstd: FrameDecoder,
    by: Option<Unpack>,
}

impl Unpacker {
    /// Returns one that asks `by` first for Zstandard.
    pub(crate) fn new(by: Option<Unpack>) -> Unpacker {
        Unpacker { deflate: None, zstd: FrameDecoder::new(), by }
    }

    /// Decompresses a slice of `size` raw bytes; returns `None` if it has another size.
    pub(crate) fn slice(&mut self, packed: &[u8], size: usize, compression: Compression) -> Option<Vec<u8>> {
        if packed.len() == size {
            return Some(packed.to_vec());
        }
        match compression {
            Compression::None => None,
            Compression::Deflate => self.deflate(packed, size, true),
            Compression::Zstd => self.zstd(packed, size, MOST_WINDOW),
        }
    }

    /// Decompresses exactly one frame, which declares no larger window than this. Bytes that other means cannot decompress are
    /// tried here, so that no verdict depends on them.
    pub(crate) fn zstd(&mut self, packed: &[u8], size: usize, most_window: u64) -> Option<Vec<u8>> {
        if ZstdHeader::read(packed)?.window > most_window || zstd_end(packed)? != packed.len() {
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

    /// Inflates exactly `raw` bytes, behind the header of zlib if there is one. Few more are ever inflated.
    pub(crate) fn deflate(&mut self, packed: &[u8], raw: usize, has_header: bool) -> Option<Vec<u8>> {
        let deflate = self.deflate.get_or_insert_with(|| Decompress::new(has_header));
        deflate.reset(has_header);
        let mut block = Vec::new();
        loop {
            let (taken, given) = (deflate.total_in(), block.len());
            let rest = packed.get(usize::try_from(taken).ok()?..)?;
            block.reserve(raw.saturating_sub(given).min(STEP).saturating_add(1));
            let status = deflate.decompress_vec(rest, &mut block, FlushDecompress::None).ok()?;
            if block.len() > raw {
                return None;
            }
            match status {
                Status::StreamEnd => return Some(block).filter(|block| block.len() == raw),
                _ if deflate.total_in() == taken && block.len() == given => return None,
                _ => {}
            }
        }
    }

    /// Inflates exactly `raw` bytes of gzip. Its header has no options: engines write none.
    pub(crate) fn gzip(&mut self, packed: &[u8], raw: usize) -> Option<Vec<u8>> {
        let packed = packed.strip_prefix(&[0x1F, 0x8B, 8, 0])?;
        let packed = packed.get(GZIP_HEADER.checked_sub(4)?..)?;
        let block = self.deflate(packed, raw, false)?;
        let end = usize::try_from(self.deflate.as_ref()?.total_in()).ok()?;
        let trailer: &[u8; GZIP_TRAILER] = packed.get(end..)?.first_chunk()?;
        let mut crc = Crc::new();
        crc.update(&block);
        let told = [crc.sum().to_le_bytes(), crc.amount().to_le_bytes()].concat();
        (told == trailer).then_some(block)
    }
}

/// The header of a Zstandard frame (RFC 8878, section 3.1.1.1), as far as it is read before the frame is decoded.
struct ZstdHeader {
    /// The memory that the frame declares. The decoder allocates it before the first byte comes out.
    window: u64,
    end: usize,
    has_checksum: bool,
}

impl ZstdHeader {
    fn read(packed: &[u8]) -> Option<ZstdHeader> {
        let descriptor = *packed.get(4).filter(|_| packed.starts_with(&ZSTD))?;
        let is_single = descriptor & 0x20 != 0;
        let dictionary = [0, 1, 2, 4_usize].get(usize::from(descriptor & 3)).copied()?;
        let size_bytes = [usize::from(is_single), 2, 4, 8].get(usize::from(descriptor >> 6)).copied()?;
        let size_at = dictionary.checked_add(if is_single { 5 } else { 6 })?;
        let end = size_at.checked_add(size_bytes)?;
        let window = if is_single {
            let mut size = [0; 8];
            size.iter_mut().zip(packed.get(size_at..end)?).for_each(|(to, from)| *to = *from);
            u64::from_le_bytes(size).saturating_add(if size_bytes == 2 { 256 } else { 0 })
        } else {
            let window = *packed.get(5)?;
            let base = 1_u64.checked_shl(u32::from(window >> 3).checked_add(10)?)?;
            base.checked_add((base >> 3).checked_mul(u64::from(window & 7))?)?
        };
        Some(ZstdHeader { window, end, has_checksum: descriptor & 4 != 0 })
    }
}

/// Returns where the Zstandard frame ends that the bytes begin with (RFC 8878, section 3.1.1).
fn zstd_end(packed: &[u8]) -> Option<usize> {
    let ZstdHeader { end: mut at, has_checksum, .. } = ZstdHeader::read(packed)?;
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
            return at.checked_add(if has_checksum { 4 } else { 0 });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    use crate::pack::pack;

    /// A byte as engines deflate it, by the fixed code, and in a stored block, which has no code.
    const CODED: &[u8] = &[0x78, 0x9C, 0x93, 5, 0, 0, 0x1E, 0, 0x1E];
    const STORED: &[u8] = &[0x78, 1, 1, 1, 0, 0xFE, 0xFF, 0x1D, 0, 0x1E, 0, 0x1E];

    fn fastest(packed: &[u8]) -> Duration {
        let mut unpacker = Unpacker::new(None);
        let mut run = || {
            let begun = Instant::now();
            for _ in 0..2_000 {
                assert_eq!(unpacker.deflate(packed, 1, true).unwrap(), [0x1D]);
            }
            begun.elapsed()
        };
        (0..9).map(|_| run()).min().unwrap()
    }

    #[test]
    fn a_block_of_one_byte_makes_no_table_of_codes() {
        let (coded, stored) = (fastest(CODED), fastest(STORED));
        assert!(coded < stored * 8, "{coded:?} against {stored:?}");
    }

    #[test]
    fn a_slice_is_one_frame() {
        let raw = [3; 1000];
        let packed = pack(&raw, Compression::Zstd, None);
        let unpack =
            |packed: &[u8], by: Option<Unpack>| Unpacker::new(by).slice(packed, raw.len(), Compression::Zstd);
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
        let with = |packed: &[u8], by: Unpack| Unpacker::new(Some(by)).slice(packed, 1000, Compression::Zstd);
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
            assert_eq!(Unpacker::new(None).slice(frame, 4096, Compression::Zstd), None);
        }
    }
}

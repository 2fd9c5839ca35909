//! Inflates one block of a compressed file after another. Decoders are kept between blocks: files of thousands of small
//! blocks would spend their time on making them otherwise.

use std::io::Read;

use flate2::{Crc, Decompress, FlushDecompress, Status};
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

use super::fastlz;
use super::gcpf::Mode;
use crate::chunk::to_u64;
use crate::pack::zstd_window;

/// The least number of bytes that the engine compresses with FastLZ: shorter blocks are filled up with zeros.
const LEAST_FASTLZ: usize = 16;
/// The least window of Zstandard.
const LEAST_WINDOW: u64 = 1 << 10;
/// The number of bytes by which the output of a block grows: its size is only claimed.
const STEP: usize = 64 << 10;
/// The sizes of the header of gzip without any of its options, as engines write it, and of the trailer.
const GZIP_HEADER: usize = 10;
const GZIP_TRAILER: usize = 8;

/// Holds the decoders of a file's blocks.
pub(super) struct Inflate {
    mode: Mode,
    deflate: Decompress,
    zstd: FrameDecoder,
}

impl Inflate {
    pub(super) fn new(mode: Mode) -> Inflate {
        Inflate { mode, deflate: Decompress::new(true), zstd: FrameDecoder::new() }
    }

    /// Returns exactly `raw` bytes, or nothing. Few more are ever inflated.
    pub(super) fn block(&mut self, packed: &[u8], raw: usize) -> Option<Vec<u8>> {
        match self.mode {
            Mode::FastLz => {
                let mut block = fastlz::decompress(packed, raw.max(LEAST_FASTLZ))?;
                if raw < LEAST_FASTLZ && block.len() == LEAST_FASTLZ {
                    block.truncate(raw);
                }
                Some(block).filter(|block| block.len() == raw)
            }
            Mode::Deflate => self.deflated(packed, raw, true),
            Mode::Gzip => self.gzipped(packed, raw),
            Mode::Zstd if zstd_window(packed)? > to_u64(raw).max(LEAST_WINDOW) => None,
            Mode::Zstd => read(StreamingDecoder::new_with_decoder(packed, &mut self.zstd).ok()?, raw),
        }
    }

    fn deflated(&mut self, packed: &[u8], raw: usize, has_header: bool) -> Option<Vec<u8>> {
        self.deflate.reset(has_header);
        let mut block = Vec::new();
        loop {
            let (taken, given) = (self.deflate.total_in(), block.len());
            let rest = packed.get(usize::try_from(taken).ok()?..)?;
            block.reserve(raw.saturating_sub(given).min(STEP).saturating_add(1));
            let status = self.deflate.decompress_vec(rest, &mut block, FlushDecompress::None).ok()?;
            if block.len() > raw {
                return None;
            }
            match status {
                Status::StreamEnd => return Some(block).filter(|block| block.len() == raw),
                _ if self.deflate.total_in() == taken && block.len() == given => return None,
                _ => {}
            }
        }
    }

    fn gzipped(&mut self, packed: &[u8], raw: usize) -> Option<Vec<u8>> {
        if packed.get(..4) != Some(&[0x1F, 0x8B, 8, 0]) {
            return read(flate2::bufread::GzDecoder::new(packed), raw);
        }
        let block = self.deflated(packed.get(GZIP_HEADER..)?, raw, false)?;
        let end = GZIP_HEADER.checked_add(usize::try_from(self.deflate.total_in()).ok()?)?;
        let trailer: &[u8; GZIP_TRAILER] = packed.get(end..)?.first_chunk()?;
        let mut crc = Crc::new();
        crc.update(&block);
        let told = [crc.sum().to_le_bytes(), crc.amount().to_le_bytes()].concat();
        (told == trailer).then_some(block)
    }
}

fn read(reader: impl Read, raw: usize) -> Option<Vec<u8>> {
    let mut block = Vec::new();
    reader.take(to_u64(raw).saturating_add(1)).read_to_end(&mut block).ok()?;
    Some(block).filter(|block| block.len() == raw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    /// A byte as engines deflate it, by the fixed code, and in a stored block, which has no code.
    const CODED: &[u8] = &[0x78, 0x9C, 0x93, 5, 0, 0, 0x1E, 0, 0x1E];
    const STORED: &[u8] = &[0x78, 1, 1, 1, 0, 0xFE, 0xFF, 0x1D, 0, 0x1E, 0, 0x1E];

    fn fastest(packed: &[u8]) -> Duration {
        let mut inflate = Inflate::new(Mode::Deflate);
        let mut run = || {
            let begun = Instant::now();
            for _ in 0..2_000 {
                assert_eq!(inflate.block(packed, 1).unwrap(), [0x1D]);
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
}

//! Opens and makes `GCPF`: what `FileAccess.open_compressed` writes. It has blocks of one size, each compressed on its
//! own.
//!
//! ```text
//! "GCPF"  u32 mode  u32 block size  u32 size of all  u32 of each block's compressed size  blocks  "GCPF"
//! ```
//! A size in there is only believed as far as bytes are there for it, and what comes out is bounded while it
//! comes: by the limit on bytes, and by so many times the bytes that went in, of the file and of the layer. Facts:
//! core/io/file_access_compressed.cpp.

use std::borrow::Cow;
use std::io::Read;
use std::iter;

use super::{Budget, Refusal, fastlz, grown};
use crate::chunk::{to_u64, word};
use crate::unpack::Unpacker;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GcpfForm {
    mode: GcpfMode,
    block: u32,
}

impl GcpfForm {
    pub(super) fn name(self) -> &'static str {
        self.mode.entry().2
    }

    pub(super) const fn deflated(self) -> Option<GcpfForm> {
        match self.mode {
            GcpfMode::Zstd => Some(GcpfForm { mode: GcpfMode::Deflate, ..self }),
            _ => None,
        }
    }
}

/// Compresses other bytes in a form; `None` for more than it can hold.
pub(super) fn pack(raw: &[u8], GcpfForm { mode, block }: GcpfForm) -> Option<Vec<u8>> {
    let total = u32::try_from(raw.len()).ok()?;
    let size = usize::try_from(block).ok()?;
    let rest = raw.len().checked_rem(size)?;
    let (whole, rest) = raw.split_at_checked(raw.len().checked_sub(rest)?)?;
    let blocks: Vec<Vec<u8>> = whole.chunks(size).chain([rest]).map(|raw| mode.deflate(raw)).collect();
    let sizes = blocks.iter().map(|block| u32::try_from(block.len()).ok()).collect::<Option<Vec<u32>>>()?;
    let words = [mode.entry().0, block, total].into_iter().chain(sizes).flat_map(u32::to_le_bytes);
    let head: Vec<u8> = b"GCPF".iter().copied().chain(words).collect();
    Some([head, blocks.concat(), b"GCPF".to_vec()].concat())
}

pub(super) fn open(bytes: &[u8], budget: &mut Budget) -> Result<(Vec<u8>, GcpfForm), Refusal> {
    let max_ratio = budget.bounds.max_ratio;
    let too_much = || Refusal::GrowsTooMuch { max_ratio };
    let (GcpfForm { mode, block }, total, blocks) = header(bytes, budget.bounds.most_bytes)?;
    let start = blocks.checked_mul(4).and_then(|table| table.checked_add(HEADER_BYTES));
    let start = start.filter(|start| *start <= bytes.len());
    let start = start.ok_or_else(|| corrupt("no whole table of blocks"))?;
    let (table, mut rest) = bytes.split_at_checked(start).unwrap_or_default();
    budget.left = budget.left.checked_sub(u64::from(total)).ok_or_else(too_much)?;
    let mut output: Vec<u8> = Vec::new();
    let mut unpacker = Unpacker::new(None);
    let mut taken = 0_u64;
    let mut left = total;
    for at in 0..blocks {
        let size = at.checked_mul(4).and_then(|at| word(table, at.checked_add(HEADER_BYTES)?));
        let size = size.and_then(|size| usize::try_from(size).ok()).unwrap_or(usize::MAX);
        let Some((packed, next)) = rest.split_at_checked(size) else {
            return Err(corrupt("a block is cut off"));
        };
        rest = next;
        let raw = left.min(block);
        left = left.saturating_sub(raw);
        taken = taken.saturating_add(to_u64(packed.len())).saturating_add(4);
        if to_u64(output.len()).saturating_add(u64::from(raw)) > grown(taken, max_ratio) {
            return Err(too_much());
        }
        let inflated = mode.inflate(&mut unpacker, packed, usize::try_from(raw).unwrap_or(usize::MAX));
        let wrong = || corrupt(&format!("block {at} is no {} of its size", mode.entry().1));
        output.extend(inflated.ok_or_else(wrong)?);
    }
    Ok((output, GcpfForm { mode, block }))
}

/// The least number of bytes that the engine compresses with FastLZ: shorter blocks are filled up with zeros.
const LEAST_FASTLZ: usize = 16;
/// The least window of Zstandard.
const LEAST_WINDOW: u64 = 1 << 10;
const HEADER_BYTES: usize = 16;

/// Reads the form, the size of all and the number of blocks.
fn header(bytes: &[u8], most_bytes: u64) -> Result<(GcpfForm, u32, usize), Refusal> {
    let head = word(bytes, 4).zip(word(bytes, 8)).zip(word(bytes, 12));
    let Some(((mode, block), total)) = head else { return Err(corrupt("no whole header")) };
    let mode = GcpfMode::of(mode).ok_or_else(|| corrupt("a mode that no engine writes"))?;
    let Some(whole) = total.checked_div(block) else { return Err(corrupt("blocks of no size")) };
    if u64::from(total) > most_bytes {
        let words =
            format!("compressed file (GCPF): it says it holds {total} bytes, {most_bytes} are allowed");
        return Err(Refusal::TooLarge(Cow::Owned(words)));
    }
    // Behind whole blocks alone an empty one follows.
    let blocks = usize::try_from(whole).unwrap_or(usize::MAX).saturating_add(1);
    Ok((GcpfForm { mode, block }, total, blocks))
}

fn corrupt(what: &str) -> Refusal {
    Refusal::Damaged(Cow::Owned(format!("compressed file (GCPF): {what}")))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GcpfMode {
    FastLz,
    Deflate,
    Zstd,
    Gzip,
}

/// The modes by their numbers, each with its name and that of a layer of it.
const MODES: [(GcpfMode, &str, &str); 4] = [
    (GcpfMode::FastLz, "FastLZ", "compressed (FastLZ)"),
    (GcpfMode::Deflate, "Deflate", "compressed (Deflate)"),
    (GcpfMode::Zstd, "Zstandard", "compressed (Zstandard)"),
    (GcpfMode::Gzip, "GZip", "compressed (GZip)"),
];

impl GcpfMode {
    fn of(number: u32) -> Option<GcpfMode> {
        MODES.get(usize::try_from(number).ok()?).map(|(mode, ..)| *mode)
    }

    /// Returns its number, its name, and the name of a layer of it.
    fn entry(self) -> (u32, &'static str, &'static str) {
        let entries = (0..).zip(MODES).find(|(_, (mode, ..))| *mode == self);
        entries.map_or((0, "", ""), |(number, (_, name, layer))| (number, name, layer))
    }

    /// Compresses one block, as the engine reads it.
    fn deflate(self, raw: &[u8]) -> Vec<u8> {
        let level = flate2::Compression::default();
        let mut block = Vec::new();
        // A Vec takes everything.
        match self {
            GcpfMode::FastLz => return fastlz::compress(raw),
            GcpfMode::Zstd => return zstd(raw),
            GcpfMode::Deflate => drop(flate2::bufread::ZlibEncoder::new(raw, level).read_to_end(&mut block)),
            GcpfMode::Gzip => drop(flate2::bufread::GzEncoder::new(raw, level).read_to_end(&mut block)),
        }
        block
    }

    /// Returns exactly `raw` bytes of one block, or nothing.
    fn inflate(self, unpacker: &mut Unpacker, packed: &[u8], raw: usize) -> Option<Vec<u8>> {
        match self {
            GcpfMode::FastLz => {
                let mut block = fastlz::decompress(packed, raw.max(LEAST_FASTLZ))?;
                if raw < LEAST_FASTLZ && block.len() == LEAST_FASTLZ {
                    block.truncate(raw);
                }
                Some(block).filter(|block| block.len() == raw)
            }
            GcpfMode::Deflate => unpacker.deflate(packed, raw, true),
            GcpfMode::Gzip => unpacker.gzip(packed, raw),
            GcpfMode::Zstd => unpacker.zstd(packed, raw, to_u64(raw).max(LEAST_WINDOW)),
        }
    }
}

/// A frame of Zstandard whose window is its content, which no reader has to trust: the encoder's asks for more.
fn zstd(raw: &[u8]) -> Vec<u8> {
    const MAGIC: usize = 4;
    const CHECKSUM: u8 = 4;
    const SINGLE_SEGMENT: u8 = 1 << 5;
    const SIZE_OF_FOUR_BYTES: u8 = 2 << 6;
    let mut frame = Vec::new();
    ruzstd::encoding::compress(raw, &mut frame, ruzstd::encoding::CompressionLevel::Fastest);
    match (frame.get(MAGIC), u32::try_from(raw.len())) {
        // Behind the descriptor stands the window alone.
        (Some(descriptor), Ok(size)) if descriptor & !CHECKSUM == 0 => {
            let descriptor = descriptor | SINGLE_SEGMENT | SIZE_OF_FOUR_BYTES;
            frame.splice(MAGIC..=MAGIC + 1, iter::once(descriptor).chain(size.to_le_bytes()));
        }
        _ => {}
    }
    frame
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn deflated(raw: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(raw).unwrap();
        encoder.finish().unwrap()
    }

    fn file(mode: u32, block: u32, total: u32, blocks: &[Vec<u8>]) -> Vec<u8> {
        let words = [mode, block, total].map(u32::to_le_bytes).concat();
        let sizes: Vec<u8> = blocks.iter().flat_map(|block| (block.len() as u32).to_le_bytes()).collect();
        [b"GCPF".to_vec(), words, sizes, blocks.concat(), b"GCPF".to_vec()].concat()
    }

    fn opened(bytes: &[u8], most_bytes: u64, max_ratio: u64) -> Result<(Vec<u8>, &'static str), Refusal> {
        let opened =
            open(bytes, &mut Budget::of(bytes.len(), super::super::Bounds { most_bytes, max_ratio }));
        opened.map(|(bytes, form)| (bytes, form.name()))
    }

    #[track_caller]
    fn refused(bytes: &[u8], words: &str) {
        let error = opened(bytes, 1 << 20, 100).expect_err(words).to_string();
        assert!(error.contains(words), "{error}");
    }

    #[test]
    fn blocks_come_together() {
        let bytes = file(1, 4, 10, &[deflated(b"abcd"), deflated(b"efgh"), deflated(b"ij")]);
        assert_eq!(opened(&bytes, 10, 100).unwrap(), (b"abcdefghij".to_vec(), "compressed (Deflate)"));
        let bytes = file(1, 4, 4, &[deflated(b"abcd"), deflated(b"")]);
        assert_eq!(opened(&bytes, 10, 100).unwrap().0, b"abcd");
    }

    #[test]
    fn a_bomb_is_refused_before_it_grows() {
        let zeros = vec![0; 900_000];
        let bomb = file(1, 1 << 20, 900_000, &[deflated(&zeros)]);
        assert!(bomb.len() < 2000);
        refused(&bomb, "more than 100 times");
        assert_eq!(opened(&bomb, 1 << 20, 10_000).unwrap().0, zeros);
        refused(&file(1, 1 << 20, 2_000_000, &[deflated(&zeros)]), "1048576 are allowed");
        // It says that it holds little, and holds much.
        refused(&file(1, 1 << 20, 10, &[deflated(&zeros)]), "no Deflate of its size");
    }

    #[test]
    fn sizes_without_bytes_are_refused() {
        refused(b"GCPF", "no whole header");
        refused(&file(9, 4096, 1, &[]), "a mode");
        refused(&file(1, 0, 1, &[]), "no size");
        refused(&file(1, 1, 1 << 20, &[]), "table of blocks");
        let mut cut = file(1, 4096, 4, &[deflated(b"abcd")]);
        cut.truncate(24);
        refused(&cut, "cut off");
    }

    #[test]
    fn a_frame_may_not_ask_for_more_than_its_block() {
        // Single segment with a content size of 2^63; a window of 2^41 bytes.
        let frames = [
            vec![0x28, 0xB5, 0x2F, 0xFD, 0xE0, 0, 0, 0, 0, 0, 0, 0, 0x80],
            vec![0x28, 0xB5, 0x2F, 0xFD, 0, 0xF8, 0, 0],
        ];
        for frame in frames {
            refused(&file(2, 4096, 100, &[frame]), "no Zstandard");
        }
    }
}

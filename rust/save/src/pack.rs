//! Compresses slices.

use crate::head::Compression;
use crate::unpack::Unpacker;

/// Compresses one slice by other means, such as the engine's own Zstandard; returns `None` if it cannot.
pub type Packer<'p> = &'p dyn Fn(&[u8]) -> Option<Vec<u8>>;

/// Compresses a slice. A slice that does not become smaller is stored as it is, which its length shows.
pub(crate) fn pack(raw: &[u8], compression: Compression, packer: Option<Packer<'_>>) -> Vec<u8> {
    let packed = match (compression, packer) {
        (Compression::None, _) => None,
        (_, Some(packer)) => packer(raw),
        (_, None) => own(raw, compression),
    };
    // Another program's packer is not trusted: a result that does not decompress again is dropped.
    let packed = packed.filter(|packed| packed.len() < raw.len());
    packed
        .filter(|packed| Unpacker::new(None).slice(packed, raw.len(), compression).as_deref() == Some(raw))
        .unwrap_or_else(|| raw.to_vec())
}

#[cfg(feature = "compression")]
fn own(raw: &[u8], compression: Compression) -> Option<Vec<u8>> {
    use std::io::Write;

    match compression {
        Compression::None => None,
        Compression::Zstd => {
            Some(ruzstd::encoding::compress_to_vec(raw, ruzstd::encoding::CompressionLevel::Fastest))
        }
        Compression::Deflate => {
            let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(raw).ok()?;
            encoder.finish().ok()
        }
    }
}

/// This build has no means of its own.
#[cfg(not(feature = "compression"))]
const fn own(_: &[u8], _: Compression) -> Option<Vec<u8>> {
    None
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
                    Unpacker::new(None).slice(&packed, raw.len(), compression).as_deref(),
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
            assert_eq!(Unpacker::new(None).slice(&packed, 49_999, compression), None);
            assert_eq!(Unpacker::new(None).slice(&packed, 50_001, compression), None);
            assert_eq!(Unpacker::new(None).slice(b"no frame at all", 50_000, compression), None);
        }
    }

    #[test]
    fn a_packer_that_answers_nonsense_costs_nothing() {
        let raw = [3; 1000];
        assert_eq!(pack(&raw, Compression::Zstd, Some(&|_| Some(vec![1, 2, 3]))), raw);
        assert_eq!(pack(&raw, Compression::Zstd, Some(&|_| None)), raw);
    }
}

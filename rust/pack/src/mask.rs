//! Packs which of `all` places are taken: a bit for each, or the distances between those that are, whichever is shorter.

use variant_core::ErrorKind;

use crate::bits::{BitReader, BitWriter, varint_bits};
use crate::fault::Outcome;
use crate::text::{length, size};

/// The least bits of a varint.
pub(crate) const LEAST: u64 = 6;

fn sparse_bits(places: &[u64]) -> u64 {
    let gaps = gaps(places).map(varint_bits).map(u64::from);
    gaps.fold(u64::from(varint_bits(length(places.len()))), u64::saturating_add)
}

/// Places that are left out before each.
fn gaps(places: &[u64]) -> impl Iterator<Item = u64> {
    let before = std::iter::once(None).chain(places.iter().copied().map(Some));
    places.iter().zip(before).map(|(place, before)| match before {
        Some(before) => place.saturating_sub(before).saturating_sub(1),
        None => *place,
    })
}

/// Writes ascending places, each below `all`.
pub(crate) fn write(places: &[u64], all: u64, bits: &mut BitWriter) {
    let is_sparse = sparse_bits(places) < all;
    bits.bit(is_sparse);
    if is_sparse {
        return write_places(places, bits);
    }
    let mut places = places.iter().peekable();
    for place in 0..all {
        bits.bit(places.next_if(|next| **next == place).is_some());
    }
}

pub(crate) fn write_places(places: &[u64], bits: &mut BitWriter) {
    bits.varint(length(places.len()));
    gaps(places).for_each(|gap| bits.varint(gap));
}

/// Reads them. `most` bounds how many there are, before any is kept.
pub(crate) fn read(
    bits: &mut BitReader<'_>,
    all: u64,
    most: impl Fn(u64) -> Result<(), ErrorKind>,
) -> Outcome<Vec<u64>> {
    let start = bits.at();
    let is_sparse = bits.bit()?;
    let mut places = Vec::new();
    if is_sparse {
        let count = bits.varint()?.ok_or(ErrorKind::WrongSize)?;
        most(count)?;
        if count > all {
            return Err(ErrorKind::WrongSize.into());
        }
        places = read_places(bits, count, all.saturating_sub(1))?;
    } else {
        bits.needs(all)?;
        for place in 0..all {
            if bits.bit()? {
                most(length(places.len()).saturating_add(1))?;
                places.push(place);
            }
        }
    }
    // Distances were as many bits as those that were read behind the first.
    let distances =
        if is_sparse { bits.at().saturating_sub(start).saturating_sub(1) } else { sparse_bits(&places) };
    if is_sparse == (distances < all) { Ok(places) } else { Err(ErrorKind::NotCanonical.into()) }
}

/// Reads so many places up to `last` by what is left out before each.
pub(crate) fn read_places(bits: &mut BitReader<'_>, count: u64, last: u64) -> Outcome<Vec<u64>> {
    bits.needs(count.saturating_mul(LEAST))?;
    let mut next = 0_u64;
    let mut places = Vec::with_capacity(size(count));
    for _ in 0..count {
        let gap = bits.varint()?.ok_or(ErrorKind::OutOfRange)?;
        let place = next.checked_add(gap).filter(|place| *place <= last).ok_or(ErrorKind::OutOfRange)?;
        places.push(place);
        next = place.saturating_add(1);
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(places: &[u64], all: u64) -> (Vec<u8>, u64) {
        let mut bits = BitWriter::default();
        write(places, all, &mut bits);
        let count = bits.len();
        (bits.finish().to_vec(), count)
    }

    #[test]
    fn the_shorter_form_is_the_only_one() {
        for (places, all, bits) in [
            (&[][..], 0, 1),
            (&[], 6, 7),
            (&[], 7, 7),
            (&[0, 2], 3, 4),
            (&[5], 1000, 13),
            (&[5, 999], 1000, 26),
        ] {
            let (bytes, count) = packed(places, all);
            assert_eq!(count, bits, "{places:?} of {all}");
            let mut reader = BitReader::new(&bytes, 0);
            assert_eq!(read(&mut reader, all, |_| Ok(())), Ok(places.to_vec()));
            assert_eq!(reader.at(), count);
        }
        // A bit for each of 20, though there is only one of them.
        let mut bits = BitWriter::default();
        bits.bit(false);
        bits.put(1, 20);
        let read = |bytes: &[u8], all| read(&mut BitReader::new(bytes, 0), all, |_| Ok(()));
        assert_eq!(read(bits.finish(), 20), Err(ErrorKind::NotCanonical.into()));
        // Distances, where bits are shorter.
        bits.start(&[]);
        bits.bit(true);
        bits.varint(0);
        assert_eq!(read(bits.finish(), 3), Err(ErrorKind::NotCanonical.into()));
    }

    #[test]
    fn claims_cost_nothing() {
        let mut bits = BitWriter::default();
        bits.bit(true);
        bits.varint(1 << 31);
        let bytes = bits.finish().to_vec();
        let limited = read(&mut BitReader::new(&bytes, 0), 1 << 32, |count| {
            if count > 9 { Err(ErrorKind::TooLong) } else { Ok(()) }
        });
        assert_eq!(limited, Err(ErrorKind::TooLong.into()));
        assert!(matches!(
            read(&mut BitReader::new(&bytes, 0), 1 << 32, |_| Ok(())),
            Err(ref fault) if matches!(fault.kind, ErrorKind::Incomplete { .. })
        ));
        assert!(matches!(
            read(&mut BitReader::new(&[0; 9], 0), 1 << 32, |_| Ok(())),
            Err(ref fault) if matches!(fault.kind, ErrorKind::Incomplete { .. })
        ));
    }
}

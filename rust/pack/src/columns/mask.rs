//! Packs which of all entries are marked: a bit for each, the distances between them, or between those that are not.

use variant_core::ErrorKind;

use crate::bits::{BitReader, BitWriter, varint_bits};
use crate::fault::Outcome;
use crate::mask::{LEAST, read_places, write_places};
use crate::text::{length, size};

/// The bits of the distances, if they are fewer than so many.
fn sparse(marks: &[bool], is_marked: bool, most: u64) -> Option<u64> {
    let count = length(marks.iter().filter(|mark| **mark == is_marked).count());
    if count.saturating_add(1).saturating_mul(LEAST) >= most {
        return None;
    }
    let (mut bits, mut gap) = (varint_bits(count), 0);
    for mark in marks {
        if *mark == is_marked {
            bits = bits.saturating_add(varint_bits(gap));
            gap = 0;
        } else {
            gap = gap.saturating_add(1);
        }
    }
    Some(u64::from(bits)).filter(|bits| *bits < most)
}

/// Writes the shortest form, the first of equals.
pub(crate) fn write(marks: &[bool], bits: &mut BitWriter) {
    if marks.is_empty() {
        return;
    }
    // The other forms have one bit more in front.
    let most = length(marks.len()).saturating_sub(1);
    let marked = sparse(marks, true, most);
    let is_of_others = sparse(marks, false, marked.unwrap_or(most)).is_some();
    if !is_of_others && marked.is_none() {
        bits.bit(false);
        return marks.iter().for_each(|mark| bits.bit(*mark));
    }
    let sparse = (0..).zip(marks).filter(|(_, mark)| **mark != is_of_others);
    let places: Vec<u64> = sparse.map(|(at, _)| at).collect();
    bits.put(if is_of_others { 0b11 } else { 0b01 }, 2);
    write_places(&places, bits);
}

/// The bits that [`write`] takes.
pub(crate) fn bits_of(marks: &[bool]) -> u64 {
    let Some(most) = length(marks.len()).checked_sub(1) else { return 0 };
    let marked = sparse(marks, true, most).unwrap_or(most);
    let shortest = sparse(marks, false, marked).unwrap_or(marked);
    shortest.saturating_add(2)
}

/// Reads the marks of so many entries, which are there already: none is kept that bits only claim.
pub(crate) fn read(bits: &mut BitReader<'_>, all: usize) -> Outcome<Vec<bool>> {
    if all == 0 {
        return Ok(Vec::new());
    }
    if !bits.bit()? {
        bits.needs(length(all))?;
        return (0..all).map(|_| Ok(bits.bit()?)).collect();
    }
    let is_of_others = bits.bit()?;
    let count = bits.varint()?.ok_or(ErrorKind::WrongSize)?;
    if count > length(all) {
        return Err(ErrorKind::WrongSize.into());
    }
    let mut marks = vec![is_of_others; all];
    for place in read_places(bits, count, length(all).saturating_sub(1))? {
        marks.get_mut(size(place)).into_iter().for_each(|mark| *mark = !is_of_others);
    }
    Ok(marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_form_is_written() {
        let few = |count: usize, step: usize| (0..count).map(|at| at % step == 0).collect::<Vec<bool>>();
        let others = |marks: Vec<bool>| marks.into_iter().map(|mark| !mark).collect::<Vec<bool>>();
        for (marks, head, most) in [
            (vec![], 0, 0),
            (vec![true], 0b0, 2),
            (few(5, 2), 0b0, 6),
            (few(7, 9), 0b0, 8),
            (vec![false; 8], 0b01, 8),
            (vec![true; 8], 0b11, 8),
            (few(100, 60), 0b01, 23),
            (others(few(100, 60)), 0b11, 23),
            (few(100, 2), 0b0, 101),
        ] {
            let mut bits = BitWriter::default();
            write(&marks, &mut bits);
            let count = bits.len();
            assert!(count <= most, "{count} bits for {marks:?}");
            assert_eq!(bits_of(&marks), count);
            let bytes = bits.finish().to_vec();
            if !marks.is_empty() {
                let first = u64::from(bytes[0]);
                assert_eq!(if first & 1 == 0 { 0 } else { first & 3 }, head, "{marks:?}");
            }
            let mut reader = BitReader::new(&bytes, 0);
            assert_eq!(read(&mut reader, marks.len()), Ok(marks));
            assert_eq!(reader.at(), count);
        }
    }

    #[test]
    fn claims_cost_nothing() {
        for head in [0b01, 0b11] {
            let mut bits = BitWriter::default();
            bits.put(head, 2);
            bits.varint(1 << 31);
            let bytes = bits.finish().to_vec();
            let read = |all| read(&mut BitReader::new(&bytes, 0), all);
            assert_eq!(read(9), Err(ErrorKind::WrongSize.into()));
            bits.start(&[]);
            bits.put(head, 2);
            bits.varint(5000);
            let bytes = bits.finish().to_vec();
            let refused = super::read(&mut BitReader::new(&bytes, 0), 5000);
            assert!(
                matches!(refused, Err(ref fault) if matches!(fault.kind, ErrorKind::Incomplete { .. })),
                "{refused:?}"
            );
        }
        assert!(
            matches!(read(&mut BitReader::new(&[0; 9], 0), 1 << 20), Err(ref fault) if matches!(fault.kind, ErrorKind::Incomplete { .. }))
        );
    }
}

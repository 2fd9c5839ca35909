//! Holds the tables of the kernel that decodes characters of any lengths, made by the compiler.
//!
//! They say which bytes the next four characters have.

/// Describes the next step at a position of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct NextQuads {
    /// The row of [`ORDERS`].
    pub(super) order: u8,
    /// The number of bytes that are then done.
    pub(super) bytes: u8,
    /// The number of characters that are then done: four, or three where the fourth does not end within 12
    /// bytes.
    pub(super) characters: u8,
}

/// The next step, by the 12 bits that say which of the next 12 bytes end a character.
pub(super) static NEXT: [NextQuads; 4096] = {
    let mut table = [NextQuads { order: 0, bytes: 12, characters: 3 }; 4096];
    let mut ends = 0;
    while ends < table.len() {
        table[ends] = next(ends);
        ends += 1;
    }
    table
};

/// The order of bytes in four lanes, the last byte of each character first and zeros above its first; indexed
/// by the lengths of four characters, two bits each.
pub(super) static ORDERS: [[u8; 16]; 256] = {
    let mut table = [[0x80; 16]; 256];
    let mut lengths = 0;
    while lengths < table.len() {
        let (mut lane, mut start) = (0, 0);
        while lane < 4 {
            let length = (lengths >> (lane * 2) & 3) + 1;
            let mut at = 0;
            while at < length {
                table[lengths][lane * 4 + at] = (start + length - 1 - at) as u8;
                at += 1;
            }
            start += length;
            lane += 1;
        }
        lengths += 1;
    }
    table
};

const fn next(ends: usize) -> NextQuads {
    let (mut order, mut start, mut found, mut at) = (0, 0, 0, 0);
    while at < 12 && found < 4 {
        if ends >> at & 1 == 1 {
            // A text has no character of more than four bytes, so such an index is never used.
            let length = if at + 1 - start > 4 { 4 } else { at + 1 - start };
            order |= (length - 1) << (found * 2);
            start = at + 1;
            found += 1;
        }
        at += 1;
    }
    let is_text = found >= 3;
    NextQuads {
        order: order as u8,
        bytes: if is_text { start as u8 } else { 12 },
        characters: if is_text { found as u8 } else { 3 },
    }
}

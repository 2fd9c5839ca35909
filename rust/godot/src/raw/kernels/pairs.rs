//! Holds the shuffle tables of the kernels that compact eight lanes at a time, made by the compiler.
//!
//! They select which bytes, or which lanes of two bytes, are kept.

/// The bytes that are text, of eight lanes of two bytes; indexed by a bit for each lane that has one byte.
pub(super) static BYTES: [[u8; 16]; 256] = {
    let mut table = [[0x80; 16]; 256];
    let mut single = 0;
    while single < table.len() {
        let (mut lane, mut used) = (0, 0);
        while lane < 8 {
            table[single][used] = (lane * 2) as u8;
            used += 1;
            if single >> lane & 1 == 0 {
                table[single][used] = (lane * 2 + 1) as u8;
                used += 1;
            }
            lane += 1;
        }
        single += 1;
    }
    table
};

/// The lanes of two bytes that are kept, moved together; indexed by a bit for each lane that is kept.
pub(super) static LANES: [[u8; 16]; 256] = {
    let mut table = [[0x80; 16]; 256];
    let mut kept = 0;
    while kept < table.len() {
        let (mut lane, mut used) = (0, 0);
        while lane < 8 {
            if kept >> lane & 1 == 1 {
                table[kept][used] = (lane * 2) as u8;
                table[kept][used + 1] = (lane * 2 + 1) as u8;
                used += 2;
            }
            lane += 1;
        }
        kept += 1;
    }
    table
};

//! The tables of the kernels that take eight places at a time: which bytes, or which lanes of two, stay. Made by the
//! compiler; knows of no text.

/// By the places that are one byte long, one bit each: of eight lanes of two bytes, the bytes that are text.
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

/// By the lanes that stay, one bit each: the lanes of two bytes, moved together.
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

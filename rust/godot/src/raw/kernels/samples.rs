//! Makes the texts that kernels are tested on: runs of characters of every length, of every kind, in every
//! order.

/// Calls `each` with every text. The texts are the same in every run.
pub(super) fn for_each_text(mut each: impl FnMut(&[char])) {
    let mut random = 1_u64;
    let mut below = move |end: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % end
    };
    for _ in 0..20_000 {
        let mut text = Vec::new();
        let length = below(400) as usize;
        while text.len() < length {
            let kind = below(5);
            for _ in 0..below(40) {
                text.push(character(kind, below(0x10_0000) as u32));
            }
        }
        each(&text);
    }
}

/// Makes a character of one, two, three or four bytes by its kind; the fifth kind has all of these.
fn character(kind: u64, number: u32) -> char {
    let code = match kind {
        0 => 1 + number % 0x7F,
        1 => 0x80 + number % 0x780,
        2 => 0x800 + number % 0xF800,
        3 => 0x1_0000 + number % 0x10_0000,
        _ => return character(u64::from(number % 4), number / 4),
    };
    // Surrogates are no characters.
    char::from_u32(code).unwrap_or('\u{FFFF}')
}

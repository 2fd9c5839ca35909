//! Tests that each processor's registers do what the plain implementation does byte by byte.

use super::*;

/// Returns the result of every method for these operands, as bytes and numbers.
fn answers<V: Vector>(a: [u64; 2], b: [u64; 2], order: [u64; 2]) -> Vec<[u64; 2]> {
    let (a, b, order) = (V::words(a), V::words(b), V::words(order));
    let (byte, lane) = (a.low() as u8, a.low() as u32);
    let mask = a.equals(b).or(a.bytes_above(byte.cast_signed()));
    let numbers = |number: u64| V::words([number, 0]);
    let truth = |is_so: bool| numbers(u64::from(is_so));
    let mut made = vec![
        V::bytes(byte),
        V::lanes(lane),
        V::words([a.high(), b.low()]),
        a.and(b),
        a.or(b),
        a.xor(b),
        mask.choose(a, b),
        a.plus(b),
        a.minus(b),
        a.up::<8>(),
        a.down::<1>(),
        a.down::<18>(),
        a.above(lane.cast_signed()),
        a.above(0x7F),
        a.equals(b),
        a.bytes_less(byte),
        a.bytes_less(0x60),
        a.bytes_above(byte.cast_signed()),
        a.bytes_above(-0x41),
        a.upper_halves(),
        numbers(mask.mask().into()),
        numbers(V::masks([mask, a.bytes_above(0), b.bytes_above(0), a.equals(a)])),
        truth(mask.is_full()),
        truth(a.is_zero()),
        truth(a.has_zero()),
        V::narrowed([a, b, a.down::<24>(), b.down::<16>()]),
    ];
    // SAFETY: the caller has checked that the processor can shuffle.
    unsafe {
        made.extend([a.picked(order), a.behind::<13>(b), a.behind::<14>(b), a.behind::<15>(b)]);
        made.extend([a.and(V::lanes(0x073F_3F3F)).sixes(), a.and(V::lanes(0x7F)).sixes()]);
    }
    let mut all: Vec<[u64; 2]> = made.iter().map(|vector| [vector.low(), vector.high()]).collect();
    all.push(stored(a));
    all
}

/// Returns a vector that was stored to memory and loaded again, in two steps.
fn stored<V: Vector>(vector: V) -> [u64; 2] {
    let (mut bytes, mut half) = ([0_u8; WIDTH + 2], [0xAA_u8; WIDTH]);
    // SAFETY: there is room for each.
    let loaded = unsafe {
        vector.store(bytes.as_mut_ptr().add(1));
        vector.store_low(half.as_mut_ptr());
        V::load(bytes.as_ptr().add(1))
    };
    assert_eq!((bytes[0], bytes[WIDTH + 1]), (0, 0), "written beside it");
    assert_eq!(half[..8], bytes[1..9]);
    assert_eq!(half[8..], [0xAA; 8], "written behind it");
    [loaded.low(), loaded.high()]
}

#[test]
fn it_does_what_the_plain_twin_does() {
    if !Wide::can_pick() {
        return assert_eq!(Wide::IS_WIDE, cfg!(target_arch = "x86_64"), "registers that nothing uses");
    }
    let mut random = 1_u64;
    let mut word = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        random ^ random >> 32
    };
    let few =
        |word: u64| [0, u64::MAX, 0x8080_8080_8080_8080, 0x0000_00FF_7FFF_FFFF, word][word as usize % 5];
    for round in 0..20_000 {
        let mut two = || match round % 2 {
            0 => [word(), word()],
            _ => [few(word()), few(word())],
        };
        let (a, b) = (two(), two());
        let b = if round % 3 == 0 { [a[0], b[1]] } else { b };
        let order = two().map(|places| places & 0x8F8F_8F8F_8F8F_8F8F);
        let (ours, plain) = (answers::<Wide>(a, b, order), answers::<Plain>(a, b, order));
        for (number, (ours, plain)) in ours.iter().zip(&plain).enumerate() {
            assert_eq!(ours, plain, "answer {number} for {a:x?}, {b:x?}, {order:x?}");
        }
    }
}

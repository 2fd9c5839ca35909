//! Counts allocations: claimed sizes allocate nothing, nor does a warm walker, and a push decoder holds only
//! what it was fed. They are counted for the test's own thread.

use allocation_counter::{AllocationInfo, measure};
use variant_core::{Encoder, ErrorLocation, Limits, Progress, PushDecoder, Rules, Skip, ToValue, Walker};
use variant_testkit::hex::bytes;

/// Lists blobs of at most 20 bytes that claim about 2^31 children.
const CLAIMS: [(&str, &str); 13] = [
    ("Array", "1c000000 ffffff7f 00000000 00000000"),
    ("Array of int", "1c000100 02000000 ffffff7f 02000000 01000000"),
    ("Dictionary", "1b000000 ffffffff 00000000 00000000"),
    ("Object", "18000000 01000000 61000000 ffffff7f"),
    ("NodePath", "16000000 ffffffff 00000000 00000000"),
    ("NodePath's sub-names", "16000000 00000080 ffffff7f 00000000"),
    ("String", "04000000 ffffff7f 61626364"),
    ("PackedStringArray", "22000000 ffffff7f 01000000 00000000"),
    ("PackedByteArray", "1d000000 ffffff7f 00000000"),
    ("PackedInt64Array", "1f000000 ffffff0f 00000000"),
    ("PackedVector4Array", "26000100 ffffff03 00000000"),
    ("arrays in arrays", "1c000000 ffffff7f 1c000000 ffffff7f"),
    ("Signal", "1a000000 ffffff7f 61626364"),
];

fn rules() -> [Rules; 3] {
    let objects = Rules { full_objects: true, ..Rules::engine() };
    [objects, Rules { full_objects: true, ..Rules::safe(Limits::engine()) }, Rules::default()]
}

fn decoding(claim: &[u8], rules: &Rules) -> [(&'static str, AllocationInfo); 3] {
    let refused = |is_err: bool| assert!(is_err, "a claim is not a value");
    let skip = measure(|| refused(Walker::new().decode(claim, rules, &mut Skip).is_err()));
    let value = measure(|| refused(Walker::new().decode(claim, rules, &mut ToValue).is_err()));
    let encoder = measure(|| {
        let mut output = Vec::new();
        let mut encoder = Encoder::new(&mut output, &Limits::engine());
        refused(Walker::new().decode(claim, rules, &mut encoder).is_err());
    });
    [("Skip", skip), ("ToValue", value), ("Encoder", encoder)]
}

#[test]
fn a_claim_allocates_next_to_nothing() {
    for (name, hex) in CLAIMS {
        let claim = bytes(hex);
        assert!(claim.len() <= 20, "{name}");
        for rules in rules() {
            for (sink, info) in decoding(&claim, &rules) {
                assert!(info.bytes_total < 4096, "{name} into {sink}: {info:?}");
            }
        }
    }
}

/// Makes `{"hp": 80, "pos": Vector2(1, 2), "items": [{"id": 1}, {"id": 2}], 7: PackedStringArray(["a",
/// "b"])}` with 20 more int keys, so that the key set needs its index.
fn save() -> Vec<u8> {
    let mut save = bytes("1b000000 18000000 04000000 02000000 68700000 02000000 50000000");
    save.extend(bytes("04000000 03000000 706f7300 05000000 0000803f 00000040"));
    save.extend(bytes("04000000 05000000 6974656d 73000000 1c000000 02000000"));
    save.extend(bytes("1b000000 01000000 04000000 02000000 69640000 02000000 01000000"));
    save.extend(bytes("1b000000 01000000 04000000 02000000 69640000 02000000 02000000"));
    save.extend(bytes("02000000 07000000 22000000 02000000 02000000 61000000 02000000 62000000"));
    for key in 100..120u32 {
        save.extend([2, 0, 0, 0]);
        save.extend(key.to_le_bytes());
        save.extend([0; 4]);
    }
    save
}

/// Tests that a walker which is kept gives up the tables that it needed for a dictionary or path of 100 000
/// keys.
#[test]
fn a_giant_value_leaves_no_giant_tables() {
    for key in [2_u32, 21] {
        let mut value = [27_u32, 100_000].map(u32::to_le_bytes).concat();
        for number in 0..100_000_u32 {
            let text = format!("{number:08}");
            value.extend(key.to_le_bytes());
            match key {
                2 => value.extend(number.to_le_bytes()),
                _ => value.extend([&[8, 0, 0, 0], text.as_bytes()].concat()),
            }
            value.extend([0; 4]);
        }
        let mut walker = Walker::new();
        let mut decode = || walker.decode(&value, &Rules::default(), &mut Skip).map(|((), _)| ());
        let info = measure(|| assert_eq!(decode(), Ok(())));
        assert!(info.bytes_max > 1 << 20, "{info:?}");
        assert!(info.bytes_current < 1 << 17, "kept: {info:?}");
    }
}

#[test]
fn a_warm_walker_allocates_nothing() {
    let (save, rules) = (save(), Rules::default());
    let mut walker = Walker::new();
    let mut run = || measure(|| assert!(walker.decode(&save, &rules, &mut Skip).is_ok()));
    assert!(run().count_total > 0, "the counter counts");
    assert_eq!(run().count_total, 0);
    assert_eq!(run().count_total, 0);
}

/// A dictionary whose key is a dictionary with a value of an unknown type: it is refused in the middle of a
/// key.
const REFUSED_IN_A_KEY: &str = "1b000000 01000000 1b000000 01000000 02000000 05000000 63000000";

#[test]
fn what_was_refused_leaves_nothing_behind() {
    let (save, refused, rules) = (save(), bytes(REFUSED_IN_A_KEY), Rules::default());
    let mut walker = Walker::new();
    assert!(walker.decode(&save, &rules, &mut Skip).is_ok(), "warm");
    for _ in 0..200 {
        assert!(walker.decode(&refused, &rules, &mut Skip).is_err());
        let info = measure(|| assert!(walker.decode(&save, &rules, &mut Skip).is_ok()));
        assert_eq!(info.count_total, 0);
    }
}

/// Tests every prefix of a value, and claims: refusing them into the same spot again and again allocates
/// nothing, and gives the error that a new walker gives.
#[test]
fn a_warm_walker_refuses_for_nothing() {
    let (save, rules) = (save(), Rules::default());
    let claims = CLAIMS.map(|(_, hex)| bytes(hex));
    let mut refused: Vec<&[u8]> = claims.iter().map(Vec::as_slice).collect();
    refused.extend((0..save.len()).map(|end| &save[..end]));
    let (in_a_key, long_key) = (bytes(REFUSED_IN_A_KEY), bytes("1b000000 01000000 04000000 c8000000"));
    let long_key = [long_key, vec![b'k'; 200], bytes("63000000")].concat();
    refused.extend([in_a_key.as_slice(), long_key.as_slice()]);
    let (mut walker, mut spot) = (Walker::new(), ErrorLocation::default());
    for turn in 0..2 {
        for bytes in &refused {
            let judge = || assert!(walker.judged(bytes, &rules, &mut Skip, &mut spot).is_none());
            let info = measure(judge);
            assert!(turn == 0 || info.count_total == 0, "{info:?}");
            let error = Walker::new().decode(bytes, &rules, &mut Skip).map(|((), _)| ()).unwrap_err();
            assert_eq!(spot.error(), error);
            assert_eq!((spot.kind(), spot.offset()), (error.kind(), error.offset()));
        }
    }
}

/// The number of bytes that a push decoder may hold beyond those that it was given.
const SLACK: i64 = 1 << 16;

/// Feeds pieces, checks after each how much is held, and returns the most that was held beyond the bytes that
/// had come.
fn held_beyond(bytes: &[u8], piece: usize) -> i64 {
    let mut decoder = PushDecoder::new(Skip, Rules { full_objects: true, ..Rules::engine() });
    let (mut held, mut given, mut most) = (0, 0, 0);
    for piece in bytes.chunks(piece) {
        let mut progress = None;
        let info = measure(|| progress = Some(decoder.feed(piece)));
        held += info.bytes_current;
        given += i64::try_from(piece.len()).unwrap();
        most = most.max(held - given);
        assert!(held <= given + SLACK, "{held} bytes are held for {given}");
        if matches!(progress, Some(Ok(Progress::Done { .. }) | Err(_))) {
            break;
        }
    }
    most
}

#[test]
fn a_push_decoder_holds_what_came_and_64_kib() {
    for (_, hex) in CLAIMS {
        held_beyond(&bytes(hex), 1);
    }
    let claimed = |header: &str, length: usize| [bytes(header), vec![b'x'; length]].concat();
    for length in [100, 5_000, 60_000, 1 << 20, (1 << 21) + 7] {
        // The lengths claim all that an i32 can say, or as much as is there. A Signal's text is read twice.
        for header in ["04000000 ffffff7f", "1d000000 ffffff7f", "1f000000 ffffff0f", "1a000000 00002000"] {
            for piece in [1400, 65_536, 1 << 20] {
                held_beyond(&claimed(header, length), piece);
            }
        }
    }
    let name = [bytes("18000000 00001000"), vec![b'n'; 1 << 20], bytes("ffffff7f")].concat();
    assert!(held_beyond(&name, 1400) > 0, "a class name is carried, with some room");
}

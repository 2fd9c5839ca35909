//! Feeds large values in small pieces. `cargo xtask instructions` counts the cost of that, without a clock.

use variant_core::{Limits, Progress, PushDecoder, Rules, ToValue, Value};

/// The size of a piece in bytes: as much as fits a network packet.
const PIECE: usize = 1400;

/// Tests 8 MB, and 64 in the long form: what matters is that no piece costs what came before it.
#[test]
fn megabytes_come_in_packets() {
    let megabytes = if std::env::var_os("VARIANT_LONG").is_some() { 64 } else { 8 };
    let length: u32 = megabytes << 20;
    let body = (0..length).map(|at| u8::try_from(at % 251).unwrap());
    let bytes: Vec<u8> = [29, length].into_iter().flat_map(u32::to_le_bytes).chain(body).collect();
    let rules = Rules::safe(Limits { max_bytes: u64::MAX, ..Limits::save_file() });
    let mut decoder = PushDecoder::new(ToValue, rules);
    let (last, first) =
        bytes.chunks(PIECE).collect::<Vec<_>>().split_last().map(|(l, f)| (*l, f.to_vec())).unwrap();
    for piece in first {
        assert!(matches!(decoder.feed(piece), Ok(Progress::NeedMore { .. })));
    }
    let Ok(Progress::Done { output, unused: 0 }) = decoder.feed(last) else {
        panic!("the last piece ends it")
    };
    assert!(matches!(output, Value::PackedByteArray(body) if body == bytes[8..]), "the same bytes");
}

//! Measures the workloads of the baseline: values as games have them, once in each direction.

use std::hint::black_box;

use variant_core::{Limits, PushDecoder, Rules, ToValue, Value, Walker, decode};

use crate::shapes::{ASCII, CYRILLIC, ints, keyed, packed, packet, save, text, texts};
use crate::{case, check, claim, push, walk};

pub(crate) fn count() {
    let rules = Rules::default();
    let engine = Rules { limits: Limits::engine(), ..Rules::engine() };
    workload("ints", &ints(50_000), &rules);
    workload("ints, ENGINE", &ints(50_000), &engine);
    workload("save", &save(2_000), &rules);
    workload("save, ENGINE", &save(2_000), &engine);
    workload("packet", &packet(), &Rules::safe(Limits::network()));
    workload("text, ASCII", &texts(4_000, ASCII), &rules);
    workload("text, Cyrillic", &texts(4_000, CYRILLIC), &rules);
    workload("text, one of 1 MB", &text(ASCII.repeat(24_000)), &rules);
    workload("packed", &packed(20_000), &rules);
    workload("5000 int keys", &keyed(5_000, Value::Int), &rules);
    workload("5000 int keys, ENGINE", &keyed(5_000, Value::Int), &engine);
    workload("5000 text keys", &keyed(5_000, |n| text(format!("item_{n:04}"))), &rules);
    workload("5000 text keys, ENGINE", &keyed(5_000, |n| text(format!("item_{n:04}"))), &engine);
    for what in ["ints", "save", "packet"] {
        claim("1.1", &format!("push {what}"), &format!("decode {what}"));
    }
    // These claims compare `variant_core::decode`, which uses the fast path where it can, with the walk.
    for (factor, what) in [("0.8", "save"), ("0.9", "packet"), ("1.02", "text, Cyrillic"), ("1.2", "ints")] {
        claim(factor, &format!("tree of {what}"), &format!("decode {what}"));
    }
}

fn workload(what: &str, value: &Value, rules: &Rules) {
    let bytes = value.encode().unwrap_or_else(|error| panic!("{error}"));
    let mut walker = Walker::new();
    case(&format!("validate {what}"), || assert!(check(&mut walker, &bytes, rules)));
    let mut walker = Walker::new();
    case(&format!("decode {what}"), || assert!(walk(&mut walker, &bytes, rules, &mut ToValue)));
    case(&format!("tree of {what}"), || assert!(black_box(decode(black_box(&bytes), rules)).is_ok()));
    let mut decoder = PushDecoder::new(ToValue, *rules);
    case(&format!("push {what}"), || push(&mut decoder, &bytes));
    let mut output = Vec::new();
    case(&format!("encode {what}"), || {
        output.clear();
        let written = black_box(value).encode_into(&mut output, &Limits::engine());
        assert!(black_box(written).is_ok());
    });
}

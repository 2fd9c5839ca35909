//! Puts hostile packed bits, `tests/attacks/packed/bits.txt`, to unpacking and to differences: each gets the answer due, in
//! little memory.

use std::sync::Arc;

use allocation_counter::measure;
use serde_json::Value as Json;
use variant_core::{Limits, Rules};
use variant_pack::{Layout, Packer};
use variant_schema::Schema;
use variant_testkit::hex;

const FILE: &str = include_str!("../attacks/packed/bits.txt");
/// The number of lines of the file.
const LINES: usize = 65;
/// The memory that a refusal may take: codes are eight bytes for a value of at least four, and lists grow by doubling.
const MOST: u64 = 6 << 20;

/// A row of bits that grows.
#[derive(Default)]
struct Bits(Vec<bool>);

impl Bits {
    fn put(&mut self, number: u64, width: u32) {
        self.0.extend((0..width).map(|at| number >> at & 1 == 1));
    }

    fn varint(&mut self, number: u64) {
        let begins = [0, 8, 72, 1096, 33864, 2_131_016, 4_297_098_312, 281_479_273_808_968_u64];
        let widths = [3, 6, 10, 15, 21, 32, 48, 64];
        let at = begins.iter().rposition(|begin| *begin <= number).expect("the first is 0");
        self.put(at as u64, 3);
        self.put(number - begins[at], widths[at]);
    }

    /// Appends words such as `5/3`, `v7`, `xff` and `(...)*9`.
    fn words(&mut self, text: &str) {
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            if let Some(inside) = rest.strip_prefix('(') {
                let (inside, after) = inside.split_once(")*").expect("it ends");
                let (times, after) = after.split_once(' ').unwrap_or((after, ""));
                (0..times.trim().parse().expect("a number")).for_each(|_| self.words(inside));
                rest = after.trim_start();
                continue;
            }
            let (word, after) = rest.split_once(' ').unwrap_or((rest, ""));
            match word.split_at(1) {
                ("v", number) => self.varint(number.parse().expect("a number")),
                ("x", digits) => hex::bytes(digits).iter().for_each(|byte| self.put(u64::from(*byte), 8)),
                _ => {
                    let (number, width) = word.split_once('/').expect("a number and its width");
                    self.put(number.parse().expect("a number"), width.parse().expect("a number"));
                }
            }
            rest = after.trim_start();
        }
    }

    fn bytes(&self) -> Vec<u8> {
        self.0
            .chunks(8)
            .map(|bits| bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit)))
            .collect()
    }
}

fn schema(text: &str) -> Schema {
    let mut json: Json = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    json["schema_version"] = 1.into();
    Schema::from_json(&json.to_string()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn hostile_bits_get_the_answer_due() {
    let rules = Rules::safe(Limits::network());
    let mut lines = 0;
    let mut wrong = Vec::new();
    for line in FILE.lines().filter(|line| !line.starts_with('#')) {
        let [name, given, bits, due, _] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
            panic!("five columns: {line}");
        };
        lines += 1;
        let (base, given) =
            given.split_once(" ~ ").map_or((None, given), |(base, given)| (Some(base), given));
        let layout =
            Layout::compile(Arc::new(schema(given).compile().expect("no mistake"))).expect("packable");
        let mut row = Bits::default();
        row.words(bits);
        let bytes = row.bytes();
        let mut packer = Packer::new();
        let base = base.map(|base| {
            let value =
                variant_text::json::from_json(base, &rules.limits).expect("a value").encode().expect("short");
            packer.pack(&layout, &value, &rules).expect("it fits").to_vec()
        });
        let mut answer = None;
        let peak = measure(|| {
            let outcome = match &base {
                Some(base) => packer.apply(&layout, base, &bytes, &rules),
                None => packer.unpack(&layout, &bytes, &rules),
            };
            answer = Some(outcome.map(drop).map_err(|problem| problem.kind.name()));
        });
        let found = answer.expect("it was asked").err().unwrap_or("ok");
        if found != due {
            wrong.push(format!("{name}: {found}, not {due}"));
        }
        assert!(peak.bytes_max <= MOST, "{name}: {} bytes at once", peak.bytes_max);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(lines, LINES);
}

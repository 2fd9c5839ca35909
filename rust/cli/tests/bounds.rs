//! Makes vectors of what bounds alone refuse: elements without bits, and levels of a value. Modules in other languages are held to
//! them.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value as Json, json};
use variant_core::{ErrorKind, Limits, Rules, Value};
use variant_pack::{Layout, Packer};
use variant_protocol::Spec;
use variant_text::json::JsonForm;

pub(crate) const PROTOCOL: &str = "protocol/bounds.json";
/// The bytes of `pad` where they pay for elements.
const PAD: usize = 100;

fn rules() -> Rules {
    Rules::safe(Limits::network())
}

struct Message {
    layout: Layout,
    accepted: Vec<Json>,
}

impl Message {
    fn pack(&self, value: &Value) -> Vec<u8> {
        Packer::new().pack(&self.layout, &value.encode().unwrap(), &rules()).unwrap().to_vec()
    }

    fn accept(&mut self, value: &Value) {
        let mut text = Vec::new();
        let form = JsonForm { plain: false, compact: true, tags_floats: false };
        let bytes = value.encode().unwrap();
        variant_text::json::write(&bytes, &Rules::engine(), form, &mut text).unwrap().unwrap();
        let value_as_json: Json = serde_json::from_slice(&text).unwrap();
        self.accepted.push(json!({ "value": value_as_json, "packed": hex(&self.pack(value)) }));
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn free(list: usize, pad: usize, extra: Option<usize>) -> Value {
    let nulls = |count| Value::from(vec![Value::Nil; count]);
    let extra = extra.map(|count| ("extra", nulls(count)));
    let bytes = Value::PackedByteArray(vec![7; pad]);
    let keys: Vec<_> = extra.into_iter().chain([("list", nulls(list)), ("pad", bytes)]).collect();
    Value::Dictionary(Box::new(keys.into_iter().map(|(key, value)| (Value::from(key), value)).collect()))
}

/// The bits of so many elements, nothing beside them: whether there is more, a count of 10 bits above 72, and none of `pad`.
fn bits_of(count: u32) -> Vec<u8> {
    let bits: u32 = (2 << 1) | ((count - 72) << 4);
    bits.to_le_bytes()[..3].to_vec()
}

fn deep(levels: usize) -> Value {
    (0..levels).fold(Value::Int(7), |inner, _| Value::from(vec![inner, Value::Int(1)]))
}

/// Returns the document of vectors.
pub(crate) fn vectors() -> Json {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(PROTOCOL);
    let spec = Spec::from_json(&std::fs::read_to_string(path).unwrap()).unwrap();
    let table = spec.table(|schema| variant_protocol::Form::of(schema, &rules())).unwrap();
    let [mut free_of, mut deep_of] = [0, 1].map(|at: usize| {
        let program = spec.messages[at].schema.compile().unwrap();
        Message { layout: Layout::compile(Arc::new(program)).unwrap(), accepted: Vec::new() }
    });
    for count in [0, 1, 80, 100, 200, 255, 256] {
        free_of.accept(&free(count, 0, None));
    }
    for levels in [0, 1, 2, 20, 32, 40, 60, 63] {
        deep_of.accept(&deep(levels));
    }
    // Three bytes pay for 64 elements and 64 for each of them.
    assert_eq!(free_of.pack(&free(256, 0, None)), bits_of(256));
    let refused = Packer::new().unpack(&free_of.layout, &bits_of(257), &rules()).map(drop).unwrap_err();
    assert!(matches!(refused.kind, ErrorKind::WrongSize), "{refused}");
    let (base, bare) = (free_of.pack(&free(80, PAD, None)), free_of.pack(&free(80, 0, None)));
    let (mut deltas, mut refused_deltas) = (Vec::new(), Vec::new());
    for value in [free(6000, PAD, None), free(80, PAD, Some(6000))] {
        let new = free_of.pack(&value);
        let mut packer = Packer::new();
        let delta = packer.delta(&free_of.layout, &base, &new, &rules()).unwrap().to_vec();
        packer.apply(&free_of.layout, &bare, &delta, &rules()).map(drop).unwrap_err();
        deltas.push(json!({ "base": hex(&base), "new": hex(&new), "delta": hex(&delta) }));
        refused_deltas.push(json!({ "base": hex(&bare), "delta": hex(&delta) }));
    }
    let empty: [Json; 0] = [];
    json!({
        "protocol_hash": format!("{:016x}", table.hash()),
        "hello": hex(&table.hello(0, 0)),
        "messages": [
            {
                "name": "free", "id": 1, "accepted": free_of.accepted, "deltas": deltas, "deltas_from_two": empty,
                "refused": [{ "packed": hex(&bits_of(257)), "error": { "kind": "WRONG_SIZE", "path": "list" } }], "refused_deltas": refused_deltas,
            },
            {
                "name": "deep", "id": 2, "accepted": deep_of.accepted, "deltas": empty, "deltas_from_two": empty, "refused": empty,
            },
        ],
    })
}

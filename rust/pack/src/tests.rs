//! Tests packing as users see it: sizes, what is refused and where, deltas.

mod bounded;
mod cases;
mod columns;
mod deal;
mod deltas;
mod followed;
mod golden;
mod measures;
mod random;
mod refusals;
mod samples;
mod sizes;
mod slots;
mod spots;
mod traps;
mod twins;
mod workloads;

use std::sync::Arc;

use variant_core::{Limits, Rejection, Rules, Value};
use variant_schema::Schema;

use crate::{Layout, Packer};

pub(crate) fn layout(schema: &Schema) -> Layout {
    Layout::compile(Arc::new(schema.compile().unwrap())).unwrap()
}

pub(crate) fn rules() -> Rules {
    Rules::safe(Limits::network())
}

pub(crate) fn pack(layout: &Layout, value: &Value) -> Result<Vec<u8>, Box<Rejection>> {
    Packer::new().pack(layout, &value.encode().unwrap(), &rules()).map(<[u8]>::to_vec)
}

pub(crate) fn unpack(layout: &Layout, packed: &[u8]) -> Result<Value, Box<Rejection>> {
    let made = Packer::new().unpack(layout, packed, &rules()).map(<[u8]>::to_vec)?;
    Ok(variant_core::decode(&made, &rules()).unwrap())
}

/// Packs, unpacks and packs again: the value that comes out, and the bytes.
pub(crate) fn round(schema: &Schema, value: &Value) -> (Value, Vec<u8>) {
    let layout = layout(schema);
    let packed = pack(&layout, value).unwrap_or_else(|problem| panic!("{problem} of {}", schema.to_json()));
    let back = unpack(&layout, &packed).unwrap_or_else(|problem| panic!("{problem} of {}", schema.to_json()));
    assert_eq!(pack(&layout, &back).as_deref(), Ok(&*packed), "{back:?} of {}", schema.to_json());
    let bits = u64::try_from(packed.len()).unwrap() * 8;
    let size = layout.size();
    assert!(
        bits >= size.min_bits && size.max_bits.is_none_or(|most| bits < most + 8),
        "{bits} bits, {size:?}"
    );
    (back, packed)
}

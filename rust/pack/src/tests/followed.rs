//! Tests values that other bytes follow: where they end, and that it has to be asked for.

use super::layout;
use crate::{Packer, Tagging};
use variant_core::Rules;
use variant_schema::Schema;

#[test]
fn a_value_ends_where_its_bytes_do() {
    let layout = layout(&Schema::int().min(0).max(100));
    let rules = Rules::default();
    for (tagging, base) in [(Tagging::Bare, 0), (Tagging::Short, 2), (Tagging::Long, 9)] {
        let mut packer = Packer::tagged(tagging);
        let [one, two] = [7, 8].map(|int| packer.pack(&layout, &bytes(int), &rules).unwrap().to_vec());
        let delta = packer.delta(&layout, &one, &two, &rules).unwrap().to_vec();
        let stream = [one.as_slice(), &[0xFF; 3]].concat();
        assert!(packer.transcode(&layout, &stream, &rules).is_err(), "nothing may follow");
        packer.is_followed = true;
        assert_eq!(packer.transcode(&layout, &stream, &rules).unwrap(), bytes(7));
        assert_eq!(packer.consumed(), base + 1);
        let stream = [delta.as_slice(), &[0xFF; 3]].concat();
        assert_eq!(packer.transcode_delta(&layout, &one, &stream, &rules).unwrap(), bytes(8));
        assert_eq!(packer.consumed(), u64::try_from(delta.len()).unwrap());
        assert_eq!(packer.made(), bytes(8));
        // A base is all of its bytes: the delta is made of them.
        let longer = [one.as_slice(), &[0]].concat();
        assert!(packer.transcode_delta(&layout, &longer, &delta, &rules).is_err());
        // Padding is zero all the same.
        let mut dirty = [one.as_slice(), &[0xFF]].concat();
        dirty[base as usize] |= 0x80;
        assert!(packer.transcode(&layout, &dirty, &rules).is_err());
    }
}

fn bytes(int: i64) -> Vec<u8> {
    variant_core::Value::Int(int).encode().unwrap()
}

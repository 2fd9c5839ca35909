//! Compares the core's hashes of keys with those that a running engine recorded. `probes.rs` of the core
//! tests how the engine's table is probed.

use std::collections::{BTreeMap, BTreeSet};

use variant_core::{Rules, key_hash};
use variant_testkit::golden;

#[test]
fn hashes_are_the_engines() {
    let text = std::fs::read_to_string(golden::folder().join("hashes.txt")).unwrap();
    let rows: BTreeMap<&str, u32> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.rsplit_once(" | "))
        .map(|(name, hash)| (name, hash.parse().unwrap()))
        .collect();
    let mut types = BTreeSet::new();
    for case in golden::file("godot4_6").cases {
        let Some(hash) = rows.get(case.name.as_str()) else { continue };
        assert_eq!(key_hash(&case.bytes, &Rules::engine()).unwrap(), *hash, "{}", case.name);
        types.insert(case.type_name);
    }
    assert!(rows.len() > 400, "{} rows", rows.len());
    assert_eq!(types.len(), 39, "{types:?}");
}

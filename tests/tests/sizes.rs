//! Checks that `sizes` counts each value, with its key, at the place that its path names. It is compared with
//! a view that spells every path out.

use std::collections::BTreeMap;
use std::io;

use proptest::prelude::*;
use variant_core::token::{Container, Leaf, Text};
use variant_core::{Path, Rules, Step};
use variant_testkit::hex::Hex;
use variant_testkit::nest::{Level, nested};
use variant_testkit::{arbitrary, golden, malformed};
use variant_text::{Trail, View, looking, sizes, view};

/// Counts values by place.
#[derive(Default)]
struct Spelled {
    values: BTreeMap<String, u64>,
    of_key: u64,
}

impl Spelled {
    fn count(&mut self, trail: &Trail, values: u64) -> io::Result<()> {
        let path = trail.path();
        if path.0.iter().any(|step| matches!(step, Step::KeyOf(_))) {
            self.of_key += values;
        } else {
            *self.values.entry(name(path)).or_default() += values + std::mem::take(&mut self.of_key);
        }
        Ok(())
    }
}

impl View for Spelled {
    fn leaf(&mut self, trail: &Trail, _: u64, _: &Leaf<'_>) -> io::Result<()> {
        self.count(trail, 1)
    }

    fn open(&mut self, trail: &Trail, _: u64, _: &Container<'_>) -> io::Result<()> {
        self.count(trail, 1)
    }

    fn text(&mut self, trail: &Trail, _: Text<'_>) -> io::Result<()> {
        self.count(trail, 0)
    }
}

/// Spells the path with every number as `[]`.
fn name(path: &Path) -> String {
    let mut name = String::new();
    for (at, step) in path.0.iter().enumerate() {
        let piece = match step {
            Step::Key(_) | Step::Property(_) => Path(vec![step.clone()]).to_string(),
            _ => "[]".to_owned(),
        };
        name.push_str(if at > 0 && !piece.starts_with('[') { "." } else { "" });
        name.push_str(&piece);
    }
    if name.is_empty() { path.to_string() } else { name }
}

fn check(bytes: &[u8], rules: &Rules) -> bool {
    let Ok(report) = sizes(bytes, rules) else { return false };
    let mut spelled = Spelled::default();
    view(bytes, rules, &mut spelled).unwrap().unwrap();
    let told: BTreeMap<String, u64> =
        report.places.into_iter().map(|(name, tally)| (name, tally.values)).collect();
    assert_eq!(told, spelled.values, "{}", Hex(bytes));
    true
}

#[test]
fn recorded_values_count_to_their_places() {
    let rules = looking();
    let inputs = malformed::rows().into_iter().map(|row| row.bytes).chain(golden::seeds());
    let counted = inputs.filter(|bytes| check(bytes, &rules)).count();
    assert!(counted > 500, "{counted}");
}

#[test]
fn deep_values_count_to_their_places() {
    for level in Level::ALL {
        for containers in [1, 2, 40] {
            assert!(check(&nested(&[level], containers), &looking()), "{level:?} {containers}");
        }
    }
}

proptest! {
    #[test]
    fn any_value_counts_to_its_places(value in arbitrary::value()) {
        prop_assert!(check(&value.encode().unwrap(), &looking()));
    }
}

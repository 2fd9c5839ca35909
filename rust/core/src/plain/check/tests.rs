//! Shows when the plain reader asks a walk, for a maker that finds equal keys, and that the walk takes what it takes then.

use crate::Walker;
use crate::fault::ErrorKind;
use crate::plain::limits::dearest;
use crate::plain::*;
use crate::sink::BuildCheck;
use crate::sink::Skip;
use crate::tests::words;
use crate::token::{Leaf, Text, Token};
use crate::wire::{Limits, TypeSet};

/// Makes nothing, as `()` does, and says that it finds equal keys.
struct Finder;

impl Make for Finder {
    type Place<'p> = ();
    type Items<'p> = ();
    type Entries<'p> = ();
    type Key = ();
    type Template<'p> = ();

    const FINDS_DUPLICATES: bool = true;

    fn plain(&mut self, (): (), leaf: PlainLeaf<'_>) -> Option<()> {
        ().plain((), leaf)
    }

    fn string<'b>(&mut self, (): (), bytes: &'b [u8], rules: &Rules) -> Option<&'b [u8]> {
        ().string((), bytes, rules)
    }

    fn name<'b>(&mut self, (): (), field: &'b [u8], text: impl FnOnce() -> Option<Text<'b>>) -> Option<()> {
        ().name((), field, text)
    }

    fn numbers(&mut self, (): (), leaf: Leaf<'_>) -> Option<()> {
        ().numbers((), leaf)
    }

    fn other_leaf(&mut self, (): (), _: Leaf<'_>) -> Option<()> {
        Some(())
    }

    fn strings<'b>(&mut self, (): (), bytes: &'b [u8], rules: &Rules) -> Option<&'b [u8]> {
        ().strings((), bytes, rules)
    }

    fn path(&mut self, (): (), field: &[u8], rules: &Rules, is_valid: impl FnOnce() -> bool) -> Option<()> {
        ().path((), field, rules, is_valid)
    }

    fn array<'p>(&mut self, (): Self::Place<'p>, _: u32, _: u32) -> Option<Self::Items<'p>> {
        Some(())
    }

    fn item<'p>(&mut self, (): &mut Self::Items<'p>) -> Option<Self::Place<'p>> {
        Some(())
    }

    fn run(&mut self, (): &mut (), declared: u32, bytes: &[u8], most: u32) -> Option<(usize, u32)> {
        ().run(&mut (), declared, bytes, most)
    }

    fn dictionary<'p>(&mut self, (): Self::Place<'p>, _: EntryTypes, _: u32) -> Option<Self::Entries<'p>> {
        Some(())
    }

    fn array_of<'p>(&mut self, (): Self::Place<'p>, _: Token<'_>, _: u32) -> Option<Self::Items<'p>> {
        Some(())
    }

    fn dictionary_of<'p>(&mut self, (): Self::Place<'p>, _: Token<'_>, _: u32) -> Option<Self::Entries<'p>> {
        Some(())
    }

    fn key<'p>(&mut self, (): &mut Self::Entries<'p>, _: &[u8]) -> Option<Self::Place<'p>> {
        Some(())
    }

    fn key_place((): &mut ()) -> Option<()> {
        Some(())
    }

    fn other_key<'p>(&mut self, (): &mut Self::Entries<'p>, (): ()) -> Option<Self::Place<'p>> {
        Some(())
    }
}

/// Tells whether all of the bytes are taken, and how often a walk was asked. The walk takes what is taken, but for equal keys.
#[track_caller]
fn taken(bytes: &[u8], rules: &Rules) -> (bool, u32) {
    let mut asked = 0;
    let mut is_accepted = || {
        asked += 1;
        Walker::new().decode(bytes, rules, &mut BuildCheck).is_ok()
    };
    let levels = free_levels(length(bytes), rules);
    let check = CheckBy::Walk { levels, is_accepted: &mut is_accepted };
    let is_taken = make_first(bytes, rules, Finder, (), check) == Some(&[][..]);
    if is_taken && let Err(error) = Walker::new().decode(bytes, rules, &mut Skip) {
        assert_eq!(error.kind(), ErrorKind::DuplicateKey, "{} bytes, {rules:?}", bytes.len());
    }
    assert!(asked < 2, "{asked} times");
    (is_taken, asked)
}

fn rules() -> Rules {
    Rules::safe(Limits {
        allowed_types: TypeSet::ALL,
        allowed_key_types: TypeSet::ALL,
        ..Limits::save_file()
    })
}

fn name(at: u32) -> Vec<u8> {
    [words(&[21, 4]), format!("{at:04}").into_bytes()].concat()
}

fn dictionary(count: u32, key: impl Fn(u32) -> Vec<u8>) -> Vec<u8> {
    let entries: Vec<u8> = (0..count).flat_map(|at| [key(at), words(&[0])].concat()).collect();
    [words(&[27, count]), entries].concat()
}

fn values() -> Vec<(Vec<u8>, u32)> {
    let names = |count: u32| [words(&[28, count]), (0..count).flat_map(name).collect()].concat();
    let int = |at| words(&[2, at]);
    let array = |at| words(&[28, 1, 2, at]);
    let path = |names: u32| [words(&[22, names | 1 << 31, 0, 0]), words(&[1, 0x61]).repeat(names as usize)];
    let text =
        |at| words(&[4, 72, 0x6161_6161 + at].into_iter().chain([0x6161_6161; 17]).collect::<Vec<_>>());
    vec![
        (names(12), 0),
        (names(13), 1),
        (names(300), 1),
        (dictionary(64, int), 0),
        (dictionary(65, int), 1),
        (dictionary(2, text), 0),
        (dictionary(17, text), 1),
        (dictionary(16, array), 0),
        (dictionary(17, array), 1),
        (dictionary(2, |at| words(&[22, 1 << 31 | 1, 0, 0, 1, 0x61 + at])), 0),
        (dictionary(20, |at| dictionary(at + 1, int)), 1),
        ([words(&[28, 1]), path(2).concat()].concat(), 0),
        ([words(&[28, 1]), path(20).concat()].concat(), 1),
        (words(&[28, 2, 26, 1, 0x61, 0, 0, 23, 1, 0]), 1),
        (words(&[28, 1, 0x2_001C, 1, 0x41, 2, 24 | 1 << 16, 0, 0, 0]), 0),
        (words(&[28, 1, 0x8_001B, 1, 0x42, 1, 2, 7, 0]), 0),
        (words(&[28, 1, 0x1_001C, 27, 2, 27, 0, 0x1_001B, 2, 1, 2, 7, 28, 0]), 0),
    ]
}

#[test]
fn a_walk_is_asked_once_and_only_where_something_is_counted() {
    for (at, (bytes, asked)) in values().iter().enumerate() {
        assert_eq!(taken(bytes, &rules()), (true, *asked), "{at}");
        assert!(Walker::new().decode(bytes, &rules(), &mut Skip).is_ok(), "{at}");
        let nobody = make_first(bytes, &rules(), Finder, (), CheckBy::Nobody);
        assert_eq!(nobody.is_some(), *asked == 0, "{at}: nobody checks");
        let twice = [words(&[28, 2]), bytes.clone(), bytes.clone()].concat();
        assert!(taken(&twice, &rules()).0, "{at}: twice");
    }
}

/// Cut anywhere, or with any byte another, a value is taken only if the walk takes it.
#[test]
fn what_is_spoiled_is_taken_only_where_it_is_accepted() {
    let (mut taken_ones, mut left) = (0, 0);
    let mut count = |is_taken: bool| *(if is_taken { &mut taken_ones } else { &mut left }) += 1;
    let network = Rules::safe(Limits { max_path_segments: 10, ..Limits::network() });
    for bytes in
        values().into_iter().map(|(bytes, _)| bytes).chain(dearest()).filter(|bytes| bytes.len() < 400)
    {
        for rules in [rules(), network] {
            (0..bytes.len()).step_by(4).for_each(|at| count(taken(&bytes[..at], &rules).0));
            for at in 0..bytes.len() {
                for byte in [bytes[at] ^ 1, bytes[at] ^ 4, 0, 0xFF] {
                    let mut spoiled = bytes.clone();
                    spoiled[at] = byte;
                    count(taken(&spoiled, &rules).0);
                }
            }
        }
    }
    assert!(taken_ones > 5000 && left > 5000, "{taken_ones} taken, {left} left to the walk");
}

//! Measures that refused input costs no more than accepted input, wherever the fault stands.

use variant_core::{Limits, Rules, Skip, ToValue, Value, Walker, wire::hash};

use crate::shapes::{array, keyed, save, text};
use crate::{case, check, claim, is_tried, walk};

/// The number of keys of a hash flood.
const FLOOD: i64 = 16_000;

/// Names each fault and the bytes that take the place of a value's last word, which is an `int`'s payload.
const ENDINGS: [(&str, &[u8]); 11] = [
    ("cut short", &[]),
    ("followed by more", b"\x01\0\0\0\0\0\0\0"),
    ("an unknown type", b"\0\0\0\0\x63\0\0\0"),
    ("unknown flags", b"\0\0\0\0\0\xff\0\0"),
    ("a bad bool", b"\0\0\0\0\x01\0\0\0\x02\0\0\0"),
    ("a negative length", b"\0\0\0\0\x04\0\0\0\xff\xff\xff\xff"),
    // At the start of a save this length must be beyond the end as well, although the whole save follows.
    ("a length beyond the end", b"\0\0\0\0\x04\0\0\0\xff\xff\xff\0"),
    ("bad UTF-8", b"\0\0\0\0\x04\0\0\0\x04\0\0\0\xff\xff\xff\xff"),
    ("a count beyond all limits", b"\0\0\0\0\x1c\0\0\0\xff\xff\xff\x7f"),
    ("a type that is not allowed", b"\0\0\0\0\x17\0\0\0\0\0\0\0\0\0\0\0"),
    ("an element of another type", b"\0\0\0\0\x1c\0\x01\0\x02\0\0\0\x01\0\0\0\0\0\0\0"),
];

/// Names the case in which the fast path reads everything but the last word before the walk starts anew: it
/// may cost one more pass and no more.
const AFTER_A_LOOK: &str = "an unknown type, at the end, after a look";

pub(crate) fn count() {
    let rules = Rules::default();
    let whole = save(1_000).encode().unwrap_or_else(|error| panic!("{error}"));
    let accepted = "an accepted save of 1000";
    verdict(accepted, &whole, &rules, true);
    let mut walker = Walker::new();
    // The fast path reads all but the last word, and then the walk does.
    let late = [&whole[..4], &1001u32.to_le_bytes(), &whole[8..], b"\x63\0\0\0"].concat();
    case(AFTER_A_LOOK, || assert!(!check(&mut walker, &late, &rules)));
    claim("1.6", AFTER_A_LOOK, &format!("validate {accepted}"));
    let body = &whole[..whole.len() - 4];
    // The header declares one more value, so that the ending is read as that value.
    let longer = [&whole[..4], &1001u32.to_le_bytes(), &whole[8..whole.len() - 4]].concat();
    for (what, ending) in ENDINGS {
        if !is_tried(what, ["cut short", "an unknown type", "bad UTF-8"]) {
            continue;
        }
        let spoiled = if ending.len() < 5 || ending[0] == 1 {
            [body, ending].concat()
        } else {
            [&longer[..], ending].concat()
        };
        let name = format!("{what}, at the end");
        verdict(&name, &spoiled, &rules, false);
        both_claim("1.01", &name, accepted);
        let at_the_start =
            [&28u32.to_le_bytes()[..], &2u32.to_le_bytes(), ending.get(4..).unwrap_or_default(), &whole];
        let name = format!("{what}, at the start");
        if ending.len() > 4 && ending[0] != 1 {
            verdict(&name, &at_the_start.concat(), &rules, false);
            both_claim("0.01", &name, accepted);
        }
    }
    floods(&rules);
}

/// Measures dictionaries whose keys all have one hash, and paths whose names do: they are refused early,
/// whatever their number.
fn floods(rules: &Rules) {
    // These two hash alike in base 33, and so do all texts of equal length that are spelled with them.
    let pieces = ["aB", "b!"];
    assert_eq!(hash::text(pieces[0]), hash::text(pieces[1]), "two texts of one hash");
    let ordinary = keyed(FLOOD, |n| text(format!("ordinary key number {n:08}")));
    let spell = |n: i64| (0..14).map(|bit| ["aB", "b!"][usize::from(n >> bit & 1 == 1)]).collect::<String>();
    let flood = crate::shapes::dictionary((0..FLOOD).map(|n| (text(spell(n)), Value::Int(n))));
    let limits = Limits { max_key_probes: 16, ..Limits::save_file() };
    let bytes = |value: &Value| value.encode().unwrap_or_else(|error| panic!("{error}"));
    for (mode, rules) in
        [("SAFE", Rules { limits, ..*rules }), ("ENGINE", Rules { limits, ..Rules::engine() })]
    {
        let wide = Rules { limits: Limits::save_file(), ..rules };
        let (flooded, accepted) = (format!("a key flood, {mode}"), format!("ordinary keys, {mode}"));
        verdict(&accepted, &bytes(&ordinary), &wide, true);
        verdict(&flooded, &bytes(&flood), &rules, false);
        both_claim("0.1", &flooded, &accepted);
        let named =
            |spell: &dyn Fn(i64) -> String| bytes(&array((0..FLOOD).map(|n| Value::StringName(spell(n)))));
        let (flooded, accepted) = (format!("a flood of names, {mode}"), format!("ordinary names, {mode}"));
        verdict(&accepted, &named(&|n| format!("ordinary name number {n:08}")), &wide, true);
        verdict(&flooded, &named(&spell), &rules, false);
        both_claim("0.1", &flooded, &accepted);
    }
}

fn verdict(name: &str, bytes: &[u8], rules: &Rules, is_accepted: bool) {
    let mut walker = Walker::new();
    let skipped = || assert_eq!(walk(&mut walker, bytes, rules, &mut Skip), is_accepted, "{name}");
    case(&format!("validate {name}"), skipped);
    let mut walker = Walker::new();
    let built = || assert_eq!(walk(&mut walker, bytes, rules, &mut ToValue), is_accepted, "{name}");
    case(&format!("decode {name}"), built);
}

fn both_claim(factor: &str, name: &str, other: &str) {
    for verb in ["validate", "decode"] {
        claim(factor, &format!("{verb} {name}"), &format!("{verb} {other}"));
    }
}

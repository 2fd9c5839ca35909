//! Checks that each line of `tests/attacks/objects` gives its answer under every preset, and what is made of every line
//! with a bit or its end missing.

use std::collections::HashSet;

use variant_core::{Rejection, Rules};
use variant_testkit::attack::{self, ObjectRow};
use variant_testkit::objects::{check_document, check_engine, judge_document, judge_engine};

/// The numbers of lines of the corpus.
const ROWS: [(&str, usize); 2] = [("documents", 91), ("engine", 54)];

/// The length in bytes up to which a line is spoiled.
const LONGEST: usize = 700;

fn answer(verdict: &Result<u32, Rejection>, due: &str) -> String {
    match verdict {
        Ok(_) => "ok".to_owned(),
        Err(refusal) if due.contains('@') => format!("{}@{}", refusal.kind.name(), refusal.offset()),
        Err(refusal) => refusal.kind.name().to_owned(),
    }
}

#[test]
fn every_line_gives_its_answers() {
    let mut faults = Vec::new();
    for (file, count) in ROWS {
        let rows = attack::object_rows(file);
        let names: HashSet<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!((rows.len(), names.len()), (count, count), "lines of {file}");
        for ObjectRow { name, bytes, answers } in &rows {
            for (preset, due) in answers {
                let rules = Rules::safe(preset.limits());
                let verdict = match file {
                    "engine" => judge_engine(bytes, &rules),
                    _ => judge_document(bytes, &rules),
                };
                let told = answer(&verdict, due);
                if told != *due {
                    faults.push(format!("{file}: {name} ({preset:?}): {told}, not {due}: {verdict:?}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn lines_that_are_spoiled_hold_the_properties() {
    for (file, _) in ROWS {
        let check = if file == "engine" { check_engine } else { check_document };
        for row in attack::object_rows(file).iter().filter(|row| row.bytes.len() <= LONGEST) {
            check(&row.bytes);
            (0..row.bytes.len()).step_by(7).for_each(|cut| check(&row.bytes[..cut]));
            attack::flips(&row.bytes).step_by(5).for_each(|spoiled| check(&spoiled));
        }
    }
}

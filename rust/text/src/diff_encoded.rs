//! Diff of encoded values: no two that differ in a byte come out as the same.

use std::io;

use variant_core::token::{Container, Leaf, Text};
use variant_core::{Error, Rules, decode};

use crate::diff::{Change, Difference, diff};
use crate::trail::{Trail, View, view};

/// Bytes shown from the first one that differs.
const SHOWN_BYTES: usize = 16;

/// Tells every difference between two encoded values. Where the values are the same and the bytes are not, that is
/// told as [`Change::Rewritten`], at the place of the first byte that differs. The inner result is the verdict on the
/// bytes; the first that is refused is named.
///
/// # Errors
/// That of `found`.
pub fn diff_encoded<E>(
    before: &[u8],
    after: &[u8],
    rules: &Rules,
    found: &mut dyn FnMut(Difference) -> Result<(), E>,
) -> Result<Result<(), (Side, Error)>, E> {
    let decoded = decode(before, rules)
        .map_err(|error| (Side::Before, error))
        .and_then(|a| Ok((a, decode(after, rules).map_err(|error| (Side::After, error))?)));
    let (a, b) = match decoded {
        Ok(both) => both,
        Err(refused) => return Ok(Err(refused)),
    };
    let mut is_same = true;
    diff(&a, &b, &mut |difference| {
        is_same = false;
        found(difference)
    })?;
    if is_same && before != after {
        found(rewritten(before, after, rules))?;
    }
    Ok(Ok(()))
}

/// Which of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first.
    Before,
    /// The second.
    After,
}

fn rewritten(before: &[u8], after: &[u8], rules: &Rules) -> Difference {
    let at = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let mut locate = Locate { at: at as u64, path: String::new() };
    // It was decoded already, and nothing is written.
    let _ = view(before, rules, &mut locate);
    let shown = |bytes: &[u8]| {
        let rest = bytes.get(at..).unwrap_or_default();
        let digits: String = rest.iter().take(SHOWN_BYTES).map(|byte| format!("{byte:02x}")).collect();
        Some(format!("{{\"byte_offset\":{at},\"bytes\":\"{digits}\"}}"))
    };
    Difference { path: locate.path, change: Change::Rewritten, before: shown(before), after: shown(after) }
}

/// Finds the value that a byte belongs to.
struct Locate {
    at: u64,
    path: String,
}

impl Locate {
    fn pass(&mut self, trail: &Trail, at: u64) {
        if at <= self.at {
            self.path = trail.path().to_string();
        }
    }
}

impl View for Locate {
    fn leaf(&mut self, trail: &Trail, at: u64, _: &Leaf<'_>) -> io::Result<()> {
        self.pass(trail, at);
        Ok(())
    }

    fn open(&mut self, trail: &Trail, at: u64, _: &Container<'_>) -> io::Result<()> {
        self.pass(trail, at);
        Ok(())
    }

    fn text(&mut self, _: &Trail, _: Text<'_>) -> io::Result<()> {
        Ok(())
    }

    fn close(&mut self, _: &Trail) -> io::Result<()> {
        Ok(())
    }
}

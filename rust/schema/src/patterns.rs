//! Patterns: the regular expressions of a schema, each compiled once, and all of them within a bound.

use std::collections::HashMap;

use regex::{Regex, RegexBuilder};

use crate::describe;

/// Memory of one compiled pattern, in bytes: refuses what is only made to be large, such as `(a{1000}){1000}`. A pattern
/// counts as the first of these that it fits.
const SIZES: [usize; 3] = [16 << 10, 128 << 10, 1 << 20];
/// Memory of all that differ: a JSON text of some megabytes could ask for gigabytes.
const MOST_BYTES: usize = 64 << 20;

#[derive(Debug, Default)]
pub(crate) struct Patterns {
    known: HashMap<String, Regex>,
    bytes: usize,
}

impl Patterns {
    /// The pattern, ready to be matched in time linear in the text.
    pub(crate) fn compile(&mut self, pattern: &str) -> Result<Regex, String> {
        if let Some(known) = self.known.get(pattern) {
            return Ok(known.clone());
        }
        let (size, regex) = sized(pattern)?;
        self.bytes = self.bytes.saturating_add(size);
        if self.bytes > MOST_BYTES {
            return Err("the patterns of this schema would take too much memory together".to_owned());
        }
        self.known.insert(pattern.to_owned(), regex.clone());
        Ok(regex)
    }
}

fn sized(pattern: &str) -> Result<(usize, Regex), String> {
    for size in SIZES {
        match RegexBuilder::new(pattern).size_limit(size).build() {
            Ok(regex) => return Ok((size, regex)),
            Err(regex::Error::CompiledTooBig(_)) => {}
            Err(other) => {
                let text = other.to_string();
                let reason = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
                return Err(format!("pattern {} does not compile: {reason}", describe::quoted(pattern)));
            }
        }
    }
    Err("pattern: it would take too much memory".to_owned())
}

//! What people see of failures and warnings: on the standard error, in colour where that is wanted.
//!
//! anstream takes the colours away where there is no terminal, and where NO_COLOR says so.

use std::io::{self, Write};

use variant_core::Escaped;

use crate::failure::Failure;

const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const CYAN: &str = "\x1b[1;36m";
const PLAIN: &str = "\x1b[0m";

/// Writes on the standard error. When it is closed, nobody reads it.
pub(crate) fn told(text: &[u8]) {
    let _ = anstream::stderr().lock().write_all(text);
}

/// A failure, with the bytes around its place. What could not be used has its name in the message already.
pub(crate) fn failure(output: &mut Vec<u8>, name: Option<&str>, failure: &Failure) {
    // A Vec takes everything.
    let _ = write_failure(output, name.filter(|_| !matches!(failure, Failure::File(..))), failure);
}

fn write_failure(output: &mut Vec<u8>, name: Option<&str>, failure: &Failure) -> io::Result<()> {
    write!(output, "{RED}error{PLAIN}: ")?;
    if let Some(name) = name {
        write!(output, "{}: ", shown(name))?;
    }
    writeln!(output, "{}", shown_lines(&failure.to_string()))?;
    let Failure::Data(data) = failure else { return Ok(()) };
    if let Some(excerpt) = &data.excerpt {
        variant_text::excerpt(&excerpt.bytes, excerpt.start, excerpt.at, output)?;
    }
    match &data.hint {
        Some(hint) => writeln!(output, "{CYAN}hint{PLAIN}: {}", shown(hint)),
        None => Ok(()),
    }
}

/// What a user should know and what stopped nothing.
pub(crate) fn warning(output: &mut Vec<u8>, name: &str, message: &str) {
    let _ = writeln!(output, "{YELLOW}warning{PLAIN}: {}: {}", shown(name), shown(message));
}

/// Names of files may hold anything, a terminal's commands too: those are shown, not obeyed.
pub(crate) fn shown(name: &str) -> String {
    Escaped(name).to_string()
}

/// The same of a text that has lines of its own, which stay lines.
pub(crate) fn shown_lines(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(shown).collect();
    lines.join("\n")
}

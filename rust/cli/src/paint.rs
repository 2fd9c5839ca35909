//! What people see of failures and warnings: on the standard error, in colour where that is wanted.
//!
//! anstream takes the colours away where there is no terminal, and where NO_COLOR says so.

use std::io::{self, Write};

use crate::failure::Failure;

const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const PLAIN: &str = "\x1b[0m";

/// Tells a failure, with the bytes around its place.
pub(crate) fn failure(name: Option<&str>, failure: &Failure) {
    let mut text = Vec::new();
    // A Vec takes everything; and when the standard error is closed, nobody reads it.
    let _ = write_failure(&mut text, name, failure);
    let _ = anstream::stderr().lock().write_all(&text);
}

fn write_failure(output: &mut Vec<u8>, name: Option<&str>, failure: &Failure) -> io::Result<()> {
    write!(output, "{RED}error{PLAIN}: ")?;
    if let Some(name) = name {
        write!(output, "{name}: ")?;
    }
    writeln!(output, "{failure}")?;
    if let Failure::Data(data) = failure
        && let Some(excerpt) = &data.excerpt
    {
        variant_text::excerpt(&excerpt.bytes, excerpt.start, excerpt.at, output)?;
    }
    Ok(())
}

/// Tells what a user should know and what stopped nothing.
pub(crate) fn warning(name: &str, message: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{YELLOW}warning{PLAIN}: {name}: {message}");
}

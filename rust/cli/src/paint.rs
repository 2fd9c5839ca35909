//! Writes failures and warnings for people: on the standard error, in colour where that is wanted.
//!
//! anstream takes the colours away where there is no terminal, and where NO_COLOR says so.

use std::io::{self, Write};
use std::path::Path;

use variant_core::EscapedText;

use crate::arguments::Format;
use crate::failure::{Failure, Outcome};
use crate::input_name;

const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const CYAN: &str = "\x1b[1;36m";
const PLAIN: &str = "\x1b[0m";

/// Writes on the standard error. A failure is ignored: nobody reads it when it is closed.
pub(crate) fn told(text: &[u8]) {
    let _ = anstream::stderr().lock().write_all(text);
}

/// Writes a failure, with the bytes around its place. The name is left out of a `Failure::File`, whose
/// message has it already.
pub(crate) fn failure(output: &mut Vec<u8>, name: Option<&str>, failure: &Failure) {
    // Writing into a Vec cannot fail.
    let _ = write_failure(output, name.filter(|_| !matches!(failure, Failure::File(..))), failure);
}

/// Ends a command about one file: bad data is told with the file's name, as a line of JSON if the call asked for that.
pub(crate) fn verdict(file: &Path, format: Format, done: Result<(), Failure>) -> Result<Outcome, Failure> {
    match done {
        Ok(()) => return Ok(Outcome::Good),
        Err(failure @ Failure::Data(_)) if format.is_json() => {
            let line = failure.for_scripts(&input_name::name(file));
            writeln!(anstream::stdout().lock(), "{}", shown(&line.to_string()))?;
        }
        Err(bad @ Failure::Data(_)) => tell(Some(file), &bad),
        Err(failure) => return Err(failure),
    }
    Ok(Outcome::Bad)
}

pub(crate) fn tell(file: Option<&Path>, failed: &Failure) {
    let mut text = Vec::new();
    failure(&mut text, file.map(input_name::name).as_deref(), failed);
    told(&text);
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

/// Writes a warning: something that a user should know and that stopped nothing.
pub(crate) fn warning(output: &mut Vec<u8>, name: &str, message: &str) {
    let _ = writeln!(output, "{YELLOW}warning{PLAIN}: {}: {}", shown(name), shown(message));
}

/// Escapes a name. Names of files may hold anything, a terminal's commands, too: those are shown, not obeyed.
pub(crate) fn shown(name: &str) -> String {
    EscapedText(name).to_string()
}

/// Escapes a text as [`shown`] does, line by line, so that its line ends stay.
pub(crate) fn shown_lines(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(shown).collect();
    lines.join("\n")
}

//! Names an input in messages: the path of a file, or the standard input.

use std::path::Path;

use variant_core::EscapedText;

pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Returns the name of an input.
pub(crate) fn name(path: &Path) -> String {
    if is_stdin(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// Returns the name of an input with its control characters escaped.
pub(crate) fn shown(path: &Path) -> String {
    EscapedText(&name(path)).to_string()
}

//! Names an input in messages: the path of a file, or the standard input.

use std::path::Path;

use variant_core::EscapedText;

pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

pub(crate) fn name(path: &Path) -> String {
    if is_stdin(path) { "standard input".to_owned() } else { path.display().to_string() }
}

pub(crate) fn shown(path: &Path) -> String {
    EscapedText(&name(path)).to_string()
}

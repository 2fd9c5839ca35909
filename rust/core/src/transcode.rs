//! Transcodes bytes of one dialect to another without a tree, and guesses which dialects bytes may be in.
//!
//! A value without a counterpart is refused with its path. No value is changed to fit, but for what the
//! encoder leaves out (types of containers, the width of numbers in vectors and matrices).

use crate::encode::Encoder;
use crate::error::Error;
use crate::path::Path;
use crate::walk::{Walker, validate};
use crate::wire::{Dialect, Limits, Rules, Target};

/// Reads one value by `rules`, whose dialect is that of the bytes, and writes it for `target`.
///
/// # Errors
/// Fails as decoding does, and with `NotInDialect` at the byte and path of a value that the target cannot read. An object's script is refused whenever the dialects differ: Godot 3 keeps its source in the bytes, Godot 4 its path.
pub fn transcode(bytes: &[u8], rules: &Rules, target: Target) -> Result<Vec<u8>, Error> {
    let mut output = Vec::new();
    let mut encoder = Encoder::new(&mut output, &rules.limits).for_target(target);
    if rules.dialect != target.dialect() {
        encoder = encoder.without_scripts();
    }
    Walker::new().decode(bytes, rules, &mut encoder)?;
    encoder.finish().map_err(|fault| Error::new(fault, Path::default()))?;
    Ok(output)
}

/// Returns the dialects in which `bytes` are one whole value that SAFE accepts, within the engine's own
/// limits. Ids 0 to 5 are equal in all of them, so small values are often valid in all.
#[must_use]
pub fn guess_dialect(bytes: &[u8]) -> Vec<Dialect> {
    let valid = |dialect: &Dialect| {
        let rules = Rules { full_objects: true, dialect: *dialect, ..Rules::safe(Limits::engine()) };
        validate(bytes, &rules).is_ok()
    };
    Dialect::ALL.into_iter().filter(valid).collect()
}

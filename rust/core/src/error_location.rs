//! Notes what is wrong and where without an allocation, and makes an error of it on demand. A server that is
//! flooded with bad bytes reads no messages.
//!
//! The caller keeps the [`ErrorLocation`] and the next refusal overwrites it, so that its memory is reused.

use crate::error::Error;
use crate::fault::{ErrorKind, Fault};
use crate::path::{Label, Path, Step, shown};

/// Holds a fault with the path to it.
#[derive(Clone, Debug)]
pub struct ErrorLocation {
    pub(crate) fault: Fault,
    /// Each text is the number of its bytes in `names`.
    steps: Vec<Step<usize>>,
    /// All names of the path, one after another.
    names: Vec<u8>,
}

impl Default for ErrorLocation {
    fn default() -> ErrorLocation {
        ErrorLocation {
            fault: Fault { kind: ErrorKind::Refused, at: 0 },
            steps: Vec::new(),
            names: Vec::new(),
        }
    }
}

impl ErrorLocation {
    /// Returns the kind of the fault.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.fault.kind
    }

    /// Returns the byte offset in the input.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.fault.at
    }

    /// Makes a lasting error of it.
    #[must_use]
    pub fn error(&self) -> Error {
        let mut rest = self.names.as_slice();
        let mut name = |length: &usize| {
            let (name, behind) = rest.split_at_checked(*length).unwrap_or((rest, &[]));
            rest = behind;
            String::from_utf8_lossy(name).into_owned()
        };
        let steps = self.steps.iter().map(|step| step.map(&mut name));
        Error::new(self.fault, Path(steps.collect()))
    }

    pub(crate) fn clear(&mut self) {
        self.steps.clear();
        self.names.clear();
    }

    pub(crate) fn step(&mut self, step: Step<usize>) {
        self.steps.push(step);
    }

    /// Adds a step to the value under this name, or under entry `at` where there is none.
    pub(crate) fn named(&mut self, name: Option<Label<'_>>, at: u64) {
        let step = name.map_or(Step::Entry(at), |name| name.map(|text| self.keep(text)));
        self.steps.push(step);
    }

    /// Keeps as much of a text as a path shows, and returns its length.
    fn keep(&mut self, text: &[u8]) -> usize {
        let text = shown(text);
        self.names.extend_from_slice(text);
        text.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rules, Skip, Walker};

    /// Tests that a spot gives the error that a decode gives, though it held another refusal before.
    #[test]
    fn what_is_noted_is_what_an_error_says() {
        let bytes = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let blobs = [
            bytes(&[27, 1, 4, 2, 0x7068, 28, 2, 0, 27, 1, 2, 7, 99]),
            bytes(&[99]),
            bytes(&[27, 1, 3, 0, 99]),
            bytes(&[27, 1, 99]),
            bytes(&[28, 0x7FFF_FFFF]),
        ];
        let mut spot = ErrorLocation::default();
        for bytes in blobs.iter().chain(blobs.iter().rev()) {
            let error = Walker::new().decode(bytes, &Rules::default(), &mut Skip).unwrap_err();
            let outcome = Walker::new().judged(bytes, &Rules::default(), &mut Skip, &mut spot);
            assert!(outcome.is_none());
            assert_eq!((spot.kind(), spot.offset(), spot.error()), (error.kind(), error.offset(), error));
        }
        assert_eq!(spot.error().path().to_string(), "hp[1][7]");
        assert_eq!(spot.offset(), 48);
        spot.clear();
        assert_eq!(spot.error().path().to_string(), "(root)");
    }
}

//! Checks values that follow each other and come in pieces, and keeps none of them. `values` reads the
//! pieces.

use std::io;

use variant_core::{Error, ErrorKind, Fault, Path, Progress, PushDecoder, Rules, Skip};

use crate::arguments::Framing;
use crate::values::NULL_BYTES;

/// Checks a run of values with nothing before and between them.
pub(crate) struct PieceRun {
    decoder: PushDecoder<Skip>,
    /// Whether the framing was not named by the call. Then zeros are no nulls, and bytes that are no value
    /// are left over.
    is_guessed: bool,
    pub(crate) count: u64,
    taken: u64,
    /// The offsets at which the last complete value began and ended.
    last: (u64, u64),
    refused: Option<Error>,
    /// Whether a text or packed array is larger than the memory there is.
    is_out_of_memory: bool,
}

/// The least bytes missing from a value for which it is checked that there is memory for them: a failed
/// allocation would end the program.
const LOOKED_FOR: u64 = 1 << 20;

pub(crate) enum RunEnd {
    Whole,
    /// The run ends at bytes that begin there and are no value.
    Refused {
        began: u64,
        error: Error,
    },
    /// The run ends behind its last value, which began and ended there: the bytes behind it are no value.
    LeftOver {
        began: u64,
        ended: u64,
    },
}

impl PieceRun {
    pub(crate) fn new(framing: Framing, rules: Rules) -> PieceRun {
        let is_guessed = framing == Framing::Auto;
        PieceRun {
            decoder: PushDecoder::new(Skip, rules),
            is_guessed,
            count: 0,
            taken: 0,
            last: (0, 0),
            refused: None,
            is_out_of_memory: false,
        }
    }

    /// Takes a piece, and returns whether another one is of use.
    pub(crate) fn feed(&mut self, piece: &[u8]) -> bool {
        let mut rest = piece;
        while self.refused.is_none() && !rest.is_empty() {
            match self.decoder.feed(rest) {
                Ok(Progress::Done { unused, .. }) => {
                    self.taken += (rest.len() - unused) as u64;
                    rest = &rest[rest.len() - unused..];
                    self.is_complete();
                }
                Ok(Progress::NeedMore { at_least }) => {
                    self.taken += rest.len() as u64;
                    self.is_out_of_memory = at_least > LOOKED_FOR && !is_there(at_least);
                    return !self.is_out_of_memory;
                }
                Err(error) => self.refused = Some(error),
            }
        }
        self.refused.is_none()
    }

    /// Fails if the machine has too little memory for a value, which is no fault of the bytes.
    pub(crate) fn memory(&self) -> io::Result<()> {
        if self.is_out_of_memory { Err(io::ErrorKind::OutOfMemory.into()) } else { Ok(()) }
    }

    /// Returns the number of bytes up to the place where the run was refused, or of all that were taken.
    pub(crate) fn reached(&self) -> u64 {
        self.refused.as_ref().map_or(self.taken, |error| self.last.1 + error.offset())
    }

    /// Ends the run: no more bytes will come.
    pub(crate) fn finish(&mut self) -> RunEnd {
        if self.refused.is_none() && (self.count == 0 || self.taken > self.last.1) {
            match self.decoder.finish() {
                Ok(()) => self.is_complete(),
                Err(error) => self.refused = Some(error),
            }
        }
        let (began, ended) = self.last;
        match self.refused.take() {
            None => RunEnd::Whole,
            Some(error) if self.count == 0 || !self.is_guessed => RunEnd::Refused { began: ended, error },
            Some(_) => RunEnd::LeftOver { began, ended },
        }
    }

    fn is_complete(&mut self) {
        let (began, ended) = (self.last.1, self.taken);
        if self.is_guessed && self.count > 0 && ended - began <= NULL_BYTES as u64 {
            let count = ended - began;
            self.refused =
                Some(Error::new(Fault::new(ErrorKind::TrailingBytes { count }, began), Path::default()));
            return;
        }
        self.count += 1;
        self.last = (began, ended);
    }
}

/// Whether there is so much memory. It is given back at once: a value is never allocated before its bytes
/// come.
fn is_there(bytes: u64) -> bool {
    usize::try_from(bytes).is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(bytes: &[u8], size: usize) -> (u64, RunEnd) {
        ran_in(Framing::Auto, bytes, size)
    }

    fn ran_in(framing: Framing, bytes: &[u8], size: usize) -> (u64, RunEnd) {
        let mut run = PieceRun::new(framing, Rules::engine());
        let _ = bytes.chunks(size).all(|piece| run.feed(piece));
        let ended = run.finish();
        (run.count, ended)
    }

    /// Tests that a run ends at the same place, however its bytes are cut into pieces.
    #[test]
    fn runs_end_with_their_last_value() {
        let ints = [2, 0, 0, 0, 7, 0, 0, 0].repeat(3);
        for size in 1..=30 {
            assert!(matches!(ran(&ints, size), (3, RunEnd::Whole)), "{size}");
            assert!(
                matches!(ran(&ints[..21], size), (2, RunEnd::LeftOver { began: 8, ended: 16 })),
                "{size}"
            );
            let spoiled = [&ints[..8], &[99, 0, 0, 0]].concat();
            assert!(matches!(ran(&spoiled, size), (1, RunEnd::LeftOver { began: 0, ended: 8 })), "{size}");
            assert!(matches!(ran(&ints[..5], size), (0, RunEnd::Refused { began: 0, .. })), "{size}");
        }
        assert!(matches!(ran_in(Framing::None, &ints[..21], 3), (2, RunEnd::Refused { began: 16, .. })));
        assert!(matches!(ran_in(Framing::None, &[0; 12], 5), (3, RunEnd::Whole)));
        assert!(matches!(ran(&[0; 12], 5), (1, RunEnd::LeftOver { began: 0, ended: 4 })), "zeros");
        assert!(matches!(ran(&[], 1), (0, RunEnd::Refused { began: 0, .. })));
    }
}

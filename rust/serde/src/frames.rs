//! Reads a stream of values into a type, however the stream is cut, and writes values into a stream.

use std::fmt::{self, Debug};
use std::marker::PhantomData;

use serde::de::DeserializeOwned;
use serde::ser::Serialize;
use variant_core::{ErrorKind, Framing, Path, Rules, Skip};

use crate::error::{Cause, Error};
use crate::{Reader, Writing};

/// Reads a stream of values of one type. It does no input and output: the caller brings pieces.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use variant_serde::{FrameReader, Framing, Rules, Stop, Writing};
///
/// #[derive(Serialize, Deserialize, PartialEq, Debug)]
/// struct Move { seq: u32 }
///
/// let mut wire = Vec::new();
/// for seq in 0..3 {
///     variant_serde::write_framed(Framing::U32, &Move { seq }, &mut wire, &Writing::default())?;
/// }
/// let mut reader = FrameReader::<Move>::new(Framing::U32, Rules::default());
/// let mut got = Vec::new();
/// for mut piece in wire.chunks(5) {
///     loop {
///         match reader.next(&mut piece) {
///             Ok(step) => got.push(step.seq),
///             Err(Stop::NeedMore { .. }) => break,
///             Err(Stop::Rejected(error)) => eprintln!("{error}"), // that message alone
///             Err(other) => return Err(other.into()),             // disconnect
///         }
///     }
/// }
/// assert_eq!(got, [0, 1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FrameReader<T> {
    frames: variant_core::FrameReader<Skip>,
    reader: Reader,
    is_framed: bool,
    ty: PhantomData<fn() -> T>,
}

/// Why there is no value: the codec or the type refuses it, or more is to come. A reader enters no container, so that nothing is
/// `Misplaced` here.
pub type Stop = variant_core::Stop<Error>;

fn refused(stop: variant_core::Stop) -> Stop {
    stop.map(|error| Error::of_format(&error))
}

impl<T: DeserializeOwned> FrameReader<T> {
    /// Makes a reader at the start of a stream. It holds no more of a message than came of it, at most
    /// `max_bytes`.
    #[must_use]
    pub fn new(framing: Framing, rules: Rules) -> FrameReader<T> {
        let frames = variant_core::FrameReader::new(Skip, framing, rules);
        FrameReader {
            frames,
            reader: Reader::new(rules),
            is_framed: framing != Framing::None,
            ty: PhantomData,
        }
    }

    /// The next value. Takes from the front of `input` what it reads.
    ///
    /// # Errors
    /// Why there is none; see [`Stop`].
    pub fn next(&mut self, input: &mut &[u8]) -> Result<T, Stop> {
        if self.is_framed
            && !self.frames.is_begun()
            && let Some(whole) = self.frames.whole(input).map_err(refused)?
        {
            let read = self.reader.read(whole);
            self.frames.pass_whole(input);
            return read.map_err(Stop::Rejected);
        }
        let bytes = self.frames.next_bytes(input).map_err(refused)?;
        self.reader.read(&bytes).map_err(Stop::Rejected)
    }

    /// No more will come after the next piece.
    pub const fn close(&mut self) {
        self.frames.close();
    }

    /// Whether nothing was taken of a next value yet.
    #[must_use]
    pub const fn is_between(&self) -> bool {
        self.frames.is_between()
    }

    /// Where in the stream the value begins that was given, refused or begun last.
    #[must_use]
    pub const fn value_at(&self) -> u64 {
        self.frames.value_at()
    }
}

impl<T> Debug for FrameReader<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FrameReader").field(&self.frames).finish()
    }
}

/// Appends a value to a stream, behind its length where the framing has lengths: what
/// `StreamPeer.get_var()` reads.
///
/// # Errors
/// The errors are those of [`append`](crate::append); `output` is then what it was before.
pub fn write_framed<T: Serialize + ?Sized>(
    framing: Framing,
    value: &T,
    output: &mut Vec<u8>,
    writing: &Writing,
) -> Result<(), Error> {
    let head = output.len();
    if framing == Framing::None {
        return crate::append(value, output, writing);
    }
    output.resize(head.saturating_add(framing.least_length()), 0);
    let start = output.len();
    let written = crate::append(value, output, writing).and_then(|()| {
        let length = output.len().saturating_sub(start);
        let limit = u64::from(u32::MAX);
        let kind = Cause::Format(ErrorKind::TooManyBytes { limit, declared: 0 });
        u32::try_from(length).map_err(|_| Error::with_path(kind, limit, Path::default()))
    });
    let length = written.inspect_err(|_| output.truncate(head))?;
    let mut bytes = Vec::new();
    framing.write_length(length, &mut bytes);
    output.splice(head..start, bytes);
    Ok(())
}

//! Reads and writes a stream of values over tokio, in messages as `StreamPeer.put_var()` sends them.

use std::fmt::{self, Debug, Display};
use std::marker::PhantomData;

use bytes::{Buf, BytesMut};
use serde::de::DeserializeOwned;
use serde::ser::Serialize;
use tokio_util::codec::{Decoder, Encoder};

use crate::error::Error;
use crate::{FrameReader, Framing, Limits, Rules, Stop, Writing, write_framed};

/// Reads messages of type `T`, and writes whatever serializes, for `tokio_util::codec::Framed`.
///
/// A message that is refused is an item too, so that it ends no connection: what ends one is for the server
/// to say. Only what makes the rest of the stream unreadable is an error.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use tokio_util::codec::{Decoder, Encoder};
/// use variant_serde::{Codec, Limits, Rules};
///
/// #[derive(Serialize, Deserialize, PartialEq, Debug)]
/// struct Move { seq: u32 }
///
/// let mut codec = Codec::<Move>::new(Rules::safe(Limits::network()));
/// let mut wire = bytes::BytesMut::new();
/// codec.encode(&Move { seq: 7 }, &mut wire)?;
/// assert_eq!(codec.decode(&mut wire)?, Some(Ok(Move { seq: 7 })));
/// assert_eq!(codec.decode(&mut wire)?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Codec<T> {
    reader: FrameReader<T>,
    framing: Framing,
    writing: Writing,
    output: Vec<u8>,
    ty: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> Codec<T> {
    /// A codec for messages behind their lengths, which goes by these rules. Its output is bounded by the
    /// same limits.
    #[must_use]
    pub fn new(rules: Rules) -> Codec<T> {
        let limits = Limits { max_output_bytes: rules.limits.max_bytes, ..Limits::engine() };
        Codec::with(Framing::U32, rules, Writing { limits, ..Writing::default() })
    }

    /// Makes a codec with another framing, or other bounds on its output.
    #[must_use]
    pub fn with(framing: Framing, rules: Rules, writing: Writing) -> Codec<T> {
        let reader = FrameReader::new(framing, rules);
        Codec { reader, framing, writing, output: Vec::new(), ty: PhantomData }
    }
}

impl<T> Debug for Codec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Codec").field("framing", &self.framing).finish_non_exhaustive()
    }
}

/// Why a stream of messages is over.
#[derive(Debug)]
#[non_exhaustive]
pub enum TransportError {
    /// The connection failed.
    Io(std::io::Error),
    /// Nobody can say where the next message begins.
    Stream(Error),
    /// The connection ended within a message.
    CutOff,
    /// The message cannot be written. Nothing of it was.
    Unwritable(Error),
}

impl Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TransportError::Io(error) => write!(f, "{error}"),
            TransportError::Stream(error) => write!(f, "the stream cannot be read on: {error}"),
            TransportError::CutOff => f.write_str("the connection ended within a message"),
            TransportError::Unwritable(error) => write!(f, "not sent: {error}"),
        }
    }
}

impl std::error::Error for TransportError {}

impl From<std::io::Error> for TransportError {
    fn from(error: std::io::Error) -> TransportError {
        TransportError::Io(error)
    }
}

impl<T: DeserializeOwned> Decoder for Codec<T> {
    type Item = Result<T, Error>;
    type Error = TransportError;

    fn decode(&mut self, input: &mut BytesMut) -> Result<Option<Self::Item>, TransportError> {
        let mut rest: &[u8] = input;
        let outcome = self.reader.next(&mut rest);
        let taken = input.len().saturating_sub(rest.len());
        input.advance(taken);
        match outcome {
            Ok(value) => Ok(Some(Ok(value))),
            Err(Stop::Rejected(error)) => Ok(Some(Err(error))),
            Err(Stop::Broken(error)) => Err(TransportError::Stream(error)),
            Err(Stop::NeedMore { .. } | Stop::End) => Ok(None),
            Err(other) => Err(std::io::Error::other(other).into()),
        }
    }

    fn decode_eof(&mut self, input: &mut BytesMut) -> Result<Option<Self::Item>, TransportError> {
        match self.decode(input)? {
            Some(item) => Ok(Some(item)),
            None if self.reader.is_between() => Ok(None),
            None => Err(TransportError::CutOff),
        }
    }
}

impl<T, M: Serialize + ?Sized> Encoder<&M> for Codec<T> {
    type Error = TransportError;

    fn encode(&mut self, message: &M, output: &mut BytesMut) -> Result<(), TransportError> {
        self.output.clear();
        write_framed(self.framing, message, &mut self.output, &self.writing)
            .map_err(TransportError::Unwritable)?;
        output.extend_from_slice(&self.output);
        Ok(())
    }
}

//! Returns the encoded values of an input one after another. A stream may be of any size, since only one of
//! its values is held at a time.

use std::io::{BufRead, Read};

use variant_core::{
    Dialect, Error, ErrorKind, Extent, Fault, Progress, PushDecoder, Rules, Skip, Strictness, validate,
};
use variant_text::sniff::InputHead;

use crate::arguments::Framing;
use crate::failure::{BadData, Excerpt, Failure};
use crate::{hint, source};

pub(crate) enum Input {
    Held(Vec<u8>),
    /// The bytes are in a large file of this length, or come from a pipe, whose length is not known before its end.
    Read(Box<dyn BufRead + Send>, Option<u64>),
}

/// The bytes of a null. No other value is so short.
pub(crate) const NULL_BYTES: usize = 4;

pub(crate) struct ValueStream {
    pub(crate) name: String,
    /// The names of the layers it was packed in, outermost first.
    pub(crate) layers: Vec<&'static str>,
    /// The framing; `Auto` if none was named and no lengths were found.
    pub(crate) framing: Framing,
    dialect: Dialect,
    pub(crate) input: Input,
    /// The current value of a stream, or all values where no lengths stand between them.
    record: Vec<u8>,
    /// Finds the ends of values that have no length before them.
    ends: PushDecoder<Skip>,
    /// The length of the next value, if it was found already while reading the current one.
    ahead: Option<usize>,
    most_held: u64,
    /// The number of bytes before the input that `--skip` left out.
    pub(crate) skipped: u64,
    /// The number of bytes so far, lengths included.
    pub(crate) position: u64,
    /// The number of values; a caller of [`ValueStream::pieces`] sets it.
    pub(crate) count: u64,
}

#[derive(Clone, Copy)]
pub(crate) struct EncodedValue<'v> {
    pub(crate) bytes: &'v [u8],
    pub(crate) at: u64,
    /// The offset of its first byte in the input, behind its length. Skipped bytes count.
    pub(crate) start: u64,
    pub(crate) is_only: bool,
    dialect: Dialect,
    /// All bytes of the input, if no framing was named, and no lengths were found.
    unframed: Option<&'v [u8]>,
}

impl EncodedValue<'_> {
    /// Returns the name of the input, with the number of the value where there are more.
    pub(crate) fn name(&self, input: &str) -> String {
        if self.is_only { input.to_owned() } else { format!("{input} value {}", self.at) }
    }

    /// Returns the failure for a refused value, with a hint that may help.
    pub(crate) fn refused(&self, error: &Error) -> Failure {
        let mut refused = BadData::refusal(error, Excerpt::around(self.bytes, error.offset()));
        let head = InputHead::of(self.unframed.unwrap_or(self.bytes));
        refused.hint = hint::on(&head, self.dialect, error.kind(), self.unframed.is_some());
        self.numbered(Failure::Data(Box::new(refused)))
    }

    /// Refuses what is no value, or has bytes behind it.
    pub(crate) fn check(&self, rules: &Rules) -> Result<(), Failure> {
        let extent = validate(self.bytes, rules).map_err(|error| self.refused(&error))?;
        self.left_over(&extent).map_or(Ok(()), Err)
    }

    /// Returns a failure if there are bytes behind the value: an engine ignores them without a message.
    pub(crate) fn left_over(&self, extent: &Extent) -> Option<Failure> {
        let fault = Fault::new(ErrorKind::TrailingBytes { count: extent.trailing }, extent.consumed);
        (extent.trailing > 0).then(|| self.refused(&Error::new(fault, variant_core::Path::default())))
    }

    pub(crate) fn numbered(&self, failure: Failure) -> Failure {
        numbered(failure, self.at, self.is_only)
    }
}

/// Adds the number of a value to a failure; to the message for people only where there are more values.
pub(crate) fn numbered(failure: Failure, at: u64, is_only: bool) -> Failure {
    let mut failure = if is_only { failure } else { failure.at(format_args!("value {at}")) };
    if let Failure::Data(data) = &mut failure {
        data.value = Some(at);
    }
    failure
}

impl ValueStream {
    pub(crate) fn new(
        name: String,
        input: Input,
        layers: Vec<&'static str>,
        framing: Framing,
        rules: &Rules,
    ) -> ValueStream {
        // The end of a value is found by the loosest rules; the commands check what the value may be.
        let rules = Rules { strictness: Strictness::Engine, full_objects: true, ..*rules };
        ValueStream {
            name,
            layers,
            framing,
            dialect: rules.dialect,
            input,
            record: Vec::new(),
            ends: PushDecoder::new(Skip, rules),
            ahead: None,
            most_held: rules.limits.max_bytes,
            skipped: 0,
            position: 0,
            count: 0,
        }
    }

    /// Reads the next value. Returns `None` behind the last.
    /// Fails at a length that is more than the input has, or at a value that is too large to be held. No
    /// value comes after that.
    pub(crate) fn next(&mut self) -> Result<Option<EncodedValue<'_>>, Failure> {
        let length = match self.framing {
            Framing::Auto | Framing::None => return self.next_unframed(),
            Framing::U32 | Framing::U32be | Framing::Varint => self.take_length()?,
        };
        let Some(length) = length else { return Ok(None) };
        let start = self.position;
        self.take(Some(length))?;
        let is_only = self.count == 0 && self.is_at_end();
        let at = self.count;
        self.count += 1;
        let bytes = match &self.input {
            Input::Held(bytes) => &bytes[index(start)..index(self.position)],
            _ => &self.record,
        };
        let start = self.skipped + start;
        Ok(Some(EncodedValue { bytes, at, start, is_only, dialect: self.dialect, unframed: None }))
    }

    /// Reads the next of values that have no lengths before them. If the call does not name the framing,
    /// bytes that are no value belong to the value before them.
    fn next_unframed(&mut self) -> Result<Option<EncodedValue<'_>>, Failure> {
        if self.count == 0 {
            self.take(None)?;
            self.position = 0;
        }
        let all = match &self.input {
            Input::Held(bytes) => bytes,
            _ => &self.record,
        };
        let start = self.position;
        let rest = all.get(index(start)..).unwrap_or_default();
        if rest.is_empty() && self.count > 0 {
            return Ok(None);
        }
        let mut length = self.ahead.take().or_else(|| end(&mut self.ends, rest)).unwrap_or(rest.len());
        // Unless the call says that values follow each other, zeros are no nulls, and bytes that another
        // dialect reads as one value are not several values of this one.
        if length < rest.len() && self.framing == Framing::Auto {
            let is_of_another = self.count == 0 && hint::dialect(rest, self.dialect).is_some();
            let next = if is_of_another { None } else { end(&mut self.ends, &rest[length..]) };
            self.ahead = next.filter(|next| *next > NULL_BYTES);
            length = if self.ahead.is_some() { length } else { rest.len() };
        }
        self.position += length as u64;
        let at = self.count;
        self.count += 1;
        let is_only = at == 0 && length == rest.len();
        let unframed = (self.framing == Framing::Auto).then_some(&all[..]);
        let start = self.skipped + start;
        Ok(Some(EncodedValue { bytes: &rest[..length], at, start, is_only, dialect: self.dialect, unframed }))
    }

    pub(crate) fn size(&self) -> Option<u64> {
        match &self.input {
            Input::Held(bytes) => Some(bytes.len() as u64),
            Input::Read(_, size) => *size,
        }
    }

    /// Reads the rest in pieces, for a caller that needs no whole value, and that counts the values itself.
    pub(crate) fn pieces(&mut self, mut take: impl FnMut(&[u8]) -> bool) -> Result<(), Failure> {
        loop {
            let piece = match &mut self.input {
                Input::Held(bytes) => &bytes[index(self.position)..],
                Input::Read(reader, _) => {
                    reader.fill_buf().map_err(|error| Failure::File(self.name.clone(), error))?
                }
            };
            let length = piece.len();
            if length == 0 || !take(piece) {
                return Ok(());
            }
            self.position += length as u64;
            if let Input::Read(reader, _) = &mut self.input {
                reader.consume(length);
            }
        }
    }

    /// Whether the values come from a pipe, each when it is there.
    pub(crate) const fn is_live(&self) -> bool {
        matches!(self.input, Input::Read(_, None))
    }

    /// Whether the values have no lengths before them and are not in memory.
    pub(crate) const fn is_large_whole(&self) -> bool {
        matches!(self.framing, Framing::Auto | Framing::None) && !matches!(self.input, Input::Held(_))
    }

    /// Reads the length of the next value. Returns `None` at the end. The input has so many bytes, or is a
    /// pipe.
    fn take_length(&mut self) -> Result<Option<u64>, Failure> {
        let at = self.position;
        let framing = self.framing.core();
        let mut length = Vec::new();
        let declared = loop {
            if let Some((declared, _)) = framing.read_length(&length) {
                break Some(declared);
            }
            // A longer one comes byte by byte.
            let missing = framing.least_length().saturating_sub(length.len()).max(1);
            let before = length.len();
            match &mut self.input {
                Input::Held(bytes) => {
                    length.extend(bytes[index(at) + before..].iter().take(missing));
                }
                Input::Read(reader, _) => {
                    let taken = reader.by_ref().take(missing as u64).read_to_end(&mut length);
                    taken.map_err(|error| Failure::File(self.name.clone(), error))?;
                }
            }
            if length.len() == before {
                break None;
            }
        };
        if length.is_empty() {
            return Ok(None);
        }
        self.position += length.len() as u64;
        let end = declared.and_then(|declared| self.position.checked_add(declared));
        match end {
            Some(end) if self.size().is_none_or(|size| end <= size) => Ok(declared),
            _ => Err(self.no_such_length(at, &length, self.position)),
        }
    }

    /// Reads the next bytes into memory: so many, or all.
    fn take(&mut self, length: Option<u64>) -> Result<(), Failure> {
        let (reader, size) = match &mut self.input {
            Input::Held(bytes) => {
                let rest = bytes.len() as u64 - self.position;
                self.position += length.unwrap_or(rest);
                return Ok(());
            }
            Input::Read(reader, size) => (reader, *size),
        };
        let most = self.most_held;
        if length.or(size).is_some_and(|length| length > most) {
            return Err(source::too_large(most));
        }
        self.record.clear();
        // The buffer grows with the bytes that come, whatever the length says.
        let taken = reader.by_ref().take(length.unwrap_or(most.saturating_add(1)));
        let taken = { taken }.read_to_end(&mut self.record);
        taken.map_err(|error| Failure::File(self.name.clone(), error))?;
        let taken = self.record.len() as u64;
        match length {
            Some(length) if taken < length => {
                let declared = self.framing.length(u32::try_from(length).unwrap_or(u32::MAX));
                let at = self.position - declared.len() as u64;
                return Err(self.no_such_length(at, &declared, self.position + taken));
            }
            None if taken > most => return Err(source::too_large(most)),
            _ => {}
        }
        self.position += taken;
        Ok(())
    }

    /// Whether more comes out of a pipe is not known before it does, and who reads the answers waits for none of it.
    fn is_at_end(&self) -> bool {
        self.size().is_some_and(|size| self.position >= size)
    }

    /// Returns the failure for a length that is more than the input has. `read` stands for the size of an
    /// input whose size is not known.
    fn no_such_length(&self, at: u64, word: &[u8], read: u64) -> Failure {
        let (excerpt, first) = match &self.input {
            Input::Held(bytes) => (Excerpt::around(bytes, at), bytes.as_slice()),
            _ => (Excerpt { bytes: word.to_vec(), start: at, at }, word),
        };
        let size = self.size().unwrap_or(read);
        let place = self.skipped + at;
        let message = match self.framing.core().read_length(word) {
            Some((u64::MAX, _)) => format!("a length is longer than it has to be (byte {place})"),
            Some((declared, taken)) => {
                let there = size.saturating_sub(at + taken as u64);
                format!("the value is cut off: {declared} bytes declared, {there} there (byte {place})")
            }
            None => {
                let (needed, there) = (self.framing.core().least_length().max(word.len() + 1), word.len());
                format!("a length is cut off: {needed} bytes needed, {there} there (byte {place})")
            }
        };
        let hint = || hint::on_length(&InputHead::new(first, size), self.framing.core(), self.dialect);
        Failure::Data(Box::new(BadData {
            message,
            excerpt: Some(excerpt),
            hint: if at == 0 { hint() } else { None },
            ..BadData::default()
        }))
    }
}

pub(crate) fn counted(count: u64) -> String {
    if count == 1 { "1 value".to_owned() } else { format!("{count} values") }
}

/// Returns the length of the value that bytes begin with, if they begin with one.
fn end(ends: &mut PushDecoder<Skip>, bytes: &[u8]) -> Option<usize> {
    let end = match ends.feed(bytes) {
        Ok(Progress::Done { unused, .. }) => Some(bytes.len() - unused),
        Ok(Progress::NeedMore { .. }) => ends.finish().is_ok().then_some(bytes.len()),
        Err(_) => None,
    };
    ends.reset();
    end
}

fn index(at: u64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

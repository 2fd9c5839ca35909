//! The values of one input, one after another: of a stream no more than one is held, so that its size does not
//! matter. What the bytes of a value mean is not looked at here.

use std::io::{self, BufRead, Read};

use variant_core::{
    Dialect, Error, ErrorKind, Extent, Fault, Progress, PushDecoder, Rules, Skip, Strictness,
};
use variant_text::looks::Head;

use crate::arguments::Framing;
use crate::failure::{BadData, Excerpt, Failure};
use crate::{hint, source};

/// Where the bytes come from.
pub(crate) enum Input {
    /// They are there.
    Held(Vec<u8>),
    /// A large file, and its length.
    File(Box<dyn BufRead + Send>, u64),
    /// A pipe: how long it is shows when it ends.
    Pipe(Box<dyn BufRead + Send>),
}

/// Bytes of a null. No other value is so short.
pub(crate) const NULL_BYTES: usize = 4;

/// One input, unpacked, and where in it the next value begins.
pub(crate) struct Values {
    pub(crate) name: String,
    /// What it was packed in, outermost first.
    pub(crate) layers: Vec<&'static str>,
    /// Auto: none was named, and no lengths were found.
    pub(crate) framing: Framing,
    /// That of the values, for hints.
    dialect: Dialect,
    input: Input,
    /// The value that is looked at, of a stream; all of them where nothing stands between them.
    record: Vec<u8>,
    /// Finds where values end that have no length before them.
    ends: PushDecoder<Skip>,
    /// The length of the value behind the one that is looked at, where that was asked for already.
    ahead: Option<usize>,
    most_held: u64,
    /// Bytes before the input that were left out.
    pub(crate) skipped: u64,
    /// Bytes read.
    position: u64,
    count: u64,
}

/// A value.
#[derive(Clone, Copy)]
pub(crate) struct One<'v> {
    pub(crate) bytes: &'v [u8],
    /// Its number in the input.
    pub(crate) at: u64,
    /// Its first byte there, behind its length, those that were left out included.
    pub(crate) start: u64,
    /// There is no other.
    pub(crate) is_only: bool,
    /// That it is taken for.
    dialect: Dialect,
    /// It begins the input, of which nobody said how it is framed and no lengths were found: all that is there.
    unframed: Option<&'v [u8]>,
}

impl One<'_> {
    /// What it is called: as the input, and by its number where there are more.
    pub(crate) fn name(&self, input: &str) -> String {
        if self.is_only { input.to_owned() } else { format!("{input} value {}", self.at) }
    }

    /// What was refused of it, and what may help.
    pub(crate) fn refused(&self, error: &Error) -> Failure {
        let mut refused = BadData::refusal(error, Excerpt::around(self.bytes, error.offset()));
        let head = Head::of(self.unframed.unwrap_or(self.bytes));
        refused.hint = hint::on(&head, self.dialect, error.kind(), self.unframed.is_some());
        self.numbered(Failure::Data(Box::new(refused)))
    }

    /// What there is to say of bytes behind the value, where there are any: an engine drops them without a word.
    pub(crate) fn left_over(&self, extent: &Extent) -> Option<Failure> {
        let fault = Fault::new(ErrorKind::TrailingBytes { count: extent.trailing }, extent.consumed);
        (extent.trailing > 0).then(|| self.refused(&Error::new(fault, variant_core::Path::default())))
    }

    /// The same for a failure that names no value.
    pub(crate) fn numbered(&self, failure: Failure) -> Failure {
        numbered(failure, self.at, self.is_only)
    }
}

/// A failure says which value it was: to people where there are more.
pub(crate) fn numbered(failure: Failure, at: u64, is_only: bool) -> Failure {
    let Failure::Data(mut data) = failure else { return failure };
    data.value = Some(at);
    if !is_only {
        data.message = format!("value {at}: {}", data.message);
    }
    Failure::Data(data)
}

impl Values {
    pub(crate) fn new(
        name: String,
        input: Input,
        layers: Vec<&'static str>,
        framing: Framing,
        rules: &Rules,
    ) -> Values {
        // Where a value ends is no matter of what it may be: that, the commands say.
        let rules = Rules { strictness: Strictness::Engine, full_objects: true, ..*rules };
        Values {
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

    /// The same behind so many bytes that were left out.
    pub(crate) fn behind(self, skipped: u64) -> Values {
        Values { skipped, ..self }
    }

    /// What it was made of, for who begins anew.
    pub(crate) fn into_input(self) -> Input {
        self.input
    }

    /// Values so far.
    pub(crate) const fn count(&self) -> u64 {
        self.count
    }

    /// Bytes so far, lengths included.
    pub(crate) const fn bytes(&self) -> u64 {
        self.position
    }

    /// How many values, in words.
    pub(crate) fn counted(&self) -> String {
        counted(self.count)
    }

    /// The next value; `None` behind the last.
    ///
    /// # Errors
    /// A length that the input does not have, or a value that is too large to be held. Nothing comes after that.
    pub(crate) fn next(&mut self) -> Result<Option<One<'_>>, Failure> {
        let length = match self.framing {
            Framing::Auto | Framing::None => return self.next_unframed(),
            Framing::U32 | Framing::U32be => match self.take_length()? {
                None => return Ok(None),
                length => length,
            },
        };
        let start = self.position;
        self.take(length)?;
        let is_only = self.count == 0 && self.is_at_end()?;
        let at = self.count;
        self.count += 1;
        let bytes = match &self.input {
            Input::Held(bytes) => &bytes[index(start)..index(self.position)],
            _ => &self.record,
        };
        let start = self.skipped + start;
        Ok(Some(One { bytes, at, start, is_only, dialect: self.dialect, unframed: None }))
    }

    /// The next of values that follow each other with nothing in between. Where that was found out, what is no value
    /// belongs to the one before.
    fn next_unframed(&mut self) -> Result<Option<One<'_>>, Failure> {
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
        // What another dialect takes for one value is not several of this one by chance, and zeros are no nulls, unless
        // somebody said that values stand there.
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
        let unframed = (at == 0 && self.framing == Framing::Auto).then_some(rest);
        let start = self.skipped + start;
        Ok(Some(One { bytes: &rest[..length], at, start, is_only, dialect: self.dialect, unframed }))
    }

    /// Bytes of the input, where that is known.
    pub(crate) fn size(&self) -> Option<u64> {
        match &self.input {
            Input::Held(bytes) => Some(bytes.len() as u64),
            Input::File(_, size) => Some(*size),
            Input::Pipe(_) => None,
        }
    }

    /// So many values were found in the pieces.
    pub(crate) const fn are_counted(&mut self, count: u64) {
        self.count = count;
    }

    /// The rest in pieces; for who can work on it without having it whole, and counts what is in it.
    pub(crate) fn pieces(&mut self, mut take: impl FnMut(&[u8]) -> bool) -> Result<(), Failure> {
        loop {
            let piece = match &mut self.input {
                Input::Held(bytes) => &bytes[index(self.position)..],
                Input::File(reader, _) | Input::Pipe(reader) => {
                    reader.fill_buf().map_err(|error| Failure::File(self.name.clone(), error))?
                }
            };
            let length = piece.len();
            if length == 0 || !take(piece) {
                return Ok(());
            }
            self.position += length as u64;
            if let Input::File(reader, _) | Input::Pipe(reader) = &mut self.input {
                reader.consume(length);
            }
        }
    }

    /// Whether values without their lengths are not in memory.
    pub(crate) const fn is_large_whole(&self) -> bool {
        matches!(self.framing, Framing::Auto | Framing::None) && !matches!(self.input, Input::Held(_))
    }

    /// The length of the next value; `None` at the end. Behind it are so many bytes, or it is a pipe.
    fn take_length(&mut self) -> Result<Option<u64>, Failure> {
        let at = self.position;
        let mut word = [0; 4];
        let mut taken = 0;
        match &mut self.input {
            Input::Held(bytes) => {
                let rest = &bytes[index(at)..];
                taken = rest.len().min(4);
                word[..taken].copy_from_slice(&rest[..taken]);
            }
            Input::File(reader, _) | Input::Pipe(reader) => {
                while taken < 4 {
                    match reader.read(&mut word[taken..]) {
                        Ok(0) => break,
                        Ok(count) => taken += count,
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                        Err(error) => return Err(Failure::File(self.name.clone(), error)),
                    }
                }
            }
        }
        if taken == 0 {
            return Ok(None);
        }
        self.position += taken as u64;
        let length = self.framing.length(word);
        let is_there = self.size().is_none_or(|size| self.position + u64::from(length) <= size);
        if taken < 4 || !is_there {
            return Err(self.no_such_length(at, &word[..taken], self.position));
        }
        Ok(Some(u64::from(length)))
    }

    /// Brings the next bytes there: so many, or all.
    fn take(&mut self, length: Option<u64>) -> Result<(), Failure> {
        let (reader, size) = match &mut self.input {
            Input::Held(bytes) => {
                let rest = bytes.len() as u64 - self.position;
                self.position += length.unwrap_or(rest);
                return Ok(());
            }
            Input::File(reader, size) => (reader, Some(*size)),
            Input::Pipe(reader) => (reader, None),
        };
        let most = self.most_held;
        if length.or(size).is_some_and(|length| length > most) {
            return Err(source::too_large(most));
        }
        self.record.clear();
        // It grows by bytes that come, whatever the length says.
        let taken = reader.by_ref().take(length.unwrap_or(most.saturating_add(1)));
        let taken = { taken }.read_to_end(&mut self.record);
        taken.map_err(|error| Failure::File(self.name.clone(), error))?;
        let taken = self.record.len() as u64;
        match length {
            Some(length) if taken < length => {
                let word = match self.framing {
                    Framing::U32be => u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes(),
                    _ => u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes(),
                };
                return Err(self.no_such_length(self.position - 4, &word, self.position + taken));
            }
            None if taken > most => return Err(source::too_large(most)),
            _ => {}
        }
        self.position += taken;
        Ok(())
    }

    fn is_at_end(&mut self) -> Result<bool, Failure> {
        let failed = |error: io::Error| Failure::File(self.name.clone(), error);
        match &mut self.input {
            Input::Held(bytes) => Ok(self.position >= bytes.len() as u64),
            Input::File(_, size) => Ok(self.position >= *size),
            Input::Pipe(reader) => Ok(reader.fill_buf().map_err(failed)?.is_empty()),
        }
    }

    /// `read`: as far as it is known, where that is all that is known of the input's size.
    fn no_such_length(&self, at: u64, word: &[u8], read: u64) -> Failure {
        let (excerpt, first) = match &self.input {
            Input::Held(bytes) => (Excerpt::around(bytes, at), bytes.as_slice()),
            _ => (Excerpt { bytes: word.to_vec(), start: at, at }, word),
        };
        let size = self.size().unwrap_or(read);
        let place = self.skipped + at;
        let message = match word.first_chunk() {
            Some(word) => {
                let (declared, there) = (self.framing.length(*word), size.saturating_sub(at + 4));
                format!("the value is cut off: {declared} bytes declared, {there} there (byte {place})")
            }
            None => format!("a length is cut off: 4 bytes needed, {} there (byte {place})", word.len()),
        };
        let hint = || hint::on_length(&Head::new(first, size), self.framing.core(), self.dialect);
        Failure::Data(Box::new(BadData {
            message,
            excerpt: Some(excerpt),
            hint: if at == 0 { hint() } else { None },
            ..BadData::default()
        }))
    }
}

/// So many values, in words.
pub(crate) fn counted(count: u64) -> String {
    if count == 1 { "1 value".to_owned() } else { format!("{count} values") }
}

/// The length of the value that bytes begin with, where it is one.
fn end(ends: &mut PushDecoder<Skip>, bytes: &[u8]) -> Option<usize> {
    let end = match ends.feed(bytes) {
        Ok(Progress::Done { unused, .. }) => Some(bytes.len() - unused),
        Ok(Progress::NeedMore { .. }) => ends.finish().is_ok().then_some(bytes.len()),
        Err(_) => None,
    };
    ends.reset();
    end
}

/// A place in bytes that are there.
fn index(at: u64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

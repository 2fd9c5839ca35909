//! Writes values into a stream that `FrameReader` reads.

use super::Framing;
use crate::error::Error;
use crate::fault::Fault;
use crate::path::Path;
use crate::value::Value;
use crate::wire::Limits;

impl Framing {
    /// Appends the bytes that Godot writes for a value, behind their length where there are lengths.
    ///
    /// ```
    /// use variant_core::{Framing, Limits, Value};
    ///
    /// let mut answers = Vec::new();
    /// Framing::U32.write(&Value::Int(7), &mut answers, &Limits::network())?;
    /// assert_eq!(answers, [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]);
    /// # Ok::<(), variant_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails as [`Value::encode_into`] does, but leaves `output` as it was; and with `TooManyBytes` for a size that no length can say.
    pub fn write(self, value: &Value, output: &mut Vec<u8>, limits: &Limits) -> Result<(), Error> {
        let before = output.len();
        let written = self.append(value, output, limits);
        if written.is_err() {
            output.truncate(before);
        }
        written
    }

    fn append(self, value: &Value, output: &mut Vec<u8>, limits: &Limits) -> Result<(), Error> {
        let head = output.len();
        output.resize(head.saturating_add(self.least_length()), 0);
        let start = output.len();
        value.encode_into(output, limits)?;
        let length = u32::try_from(output.len().saturating_sub(start))
            .map_err(|_| Error::new(Fault::too_many_bytes(u64::from(u32::MAX), None), Path::default()))?;
        let mut bytes = Vec::new();
        self.write_length(length, &mut bytes);
        output.splice(head..start, bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FrameReader, Rules, ToValue};

    /// Tests that values which are written into a stream are read from it, and that nothing of a refused
    /// value stays.
    #[test]
    fn values_go_into_a_stream_and_come_out() {
        let values = [Value::Int(7), Value::Nil, Value::from("text")];
        for framing in [Framing::None, Framing::U32, Framing::U32Be, Framing::Varint] {
            let mut stream = Vec::new();
            for value in &values {
                framing.write(value, &mut stream, &Limits::network()).unwrap();
            }
            let before = stream.clone();
            let few = Limits { max_depth: 1, ..Limits::network() };
            let deep = Value::from(vec![Value::from(vec![Value::from(vec![Value::Nil])])]);
            assert!(framing.write(&deep, &mut stream, &few).is_err());
            assert_eq!(stream, before);
            let mut reader = FrameReader::new(ToValue, framing, Rules::default());
            let mut rest = stream.as_slice();
            for value in &values {
                assert_eq!(reader.next(&mut rest).as_ref(), Ok(value), "{framing:?}");
            }
            assert!(rest.is_empty());
        }
    }
}

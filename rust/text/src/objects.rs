//! Transcodes without objects: each becomes null, and its place is reported. Nothing of an object is written.

use variant_core::token::{Container, Leaf, Text, TextForm};
use variant_core::{Encoder, Error, Path, Refusal, Rules, Sink, Target, Walker};

/// Describes an object that became null.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NulledObject {
    /// The byte of its header.
    pub offset: u64,
    /// Its class; empty for one that was only an instance id.
    pub class: String,
}

/// Does what [`variant_core::transcode`] does, with null for every object.
///
/// # Errors
/// Fails as that does. The rules have to allow full objects for them to be read at all.
pub fn transcode_without_objects(
    bytes: &[u8],
    rules: &Rules,
    target: Target,
) -> Result<(Vec<u8>, Vec<NulledObject>), Error> {
    let mut output = Vec::new();
    let encoder = Encoder::new(&mut output, &rules.limits).for_target(target);
    let mut sink = WithoutObjects { encoder, within: 0, nulled: Vec::new() };
    Walker::new().decode(bytes, rules, &mut sink)?;
    let WithoutObjects { encoder, nulled, .. } = sink;
    encoder.finish().map_err(|fault| Error::new(fault, Path::default()))?;
    Ok((output, nulled))
}

struct WithoutObjects<'o> {
    encoder: Encoder<'o>,
    /// The containers open from the outermost object on.
    within: u32,
    nulled: Vec<NulledObject>,
}

impl WithoutObjects<'_> {
    fn null(&mut self, offset: u64, class: &str) -> Result<(), Refusal> {
        self.nulled.push(NulledObject { offset, class: class.to_owned() });
        Sink::leaf(&mut self.encoder, offset, Leaf::Nil)
    }
}

impl Sink for WithoutObjects<'_> {
    type Output = ();
    /// The frame of the encoder; `None` inside an object.
    type Frame = Option<TextForm>;

    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<(), Refusal> {
        match leaf {
            _ if self.within > 0 => Ok(()),
            Leaf::ObjectId(id) if id != 0 => self.null(at, ""),
            other => Sink::leaf(&mut self.encoder, at, other),
        }
    }

    fn open(&mut self, at: u64, container: Container<'_>, reserve: usize) -> Result<Self::Frame, Refusal> {
        if self.within == 0 {
            let Container::Object { class, .. } = container else {
                return Sink::open(&mut self.encoder, at, container, reserve).map(Some);
            };
            self.null(at, class.as_str())?;
        }
        self.within += 1;
        Ok(None)
    }

    fn text(&mut self, frame: &mut Self::Frame, text: Text<'_>) -> Result<(), Refusal> {
        frame.as_mut().map_or(Ok(()), |form| Sink::text(&mut self.encoder, form, text))
    }

    fn close(&mut self, frame: Self::Frame) -> Result<(), Refusal> {
        match frame {
            Some(form) => Sink::close(&mut self.encoder, form),
            None => {
                self.within -= 1;
                Ok(())
            }
        }
    }
}

//! Met: what a straight way has learnt of the values on it that comes again: dictionaries whose keys stood in the order
//! of the schema, texts that the schema lists. Whoever builds them needs not look at what is known. It reads no bytes.

use variant_core::token::{Container, ContainerType, Writer};
use variant_core::{Target, Value};

use super::Straight;
use crate::program::{Dict, Program, What};

/// Values that are noted; those after them are built like any other.
const MOST: usize = 1 << 15;

/// A value of which something is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Where its header stands in the bytes that the value is built of.
    pub at: usize,
    form: Form,
}

/// What is known of a value, the same for all that share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Form {
    /// Of the program.
    node: u32,
    what: Learnt,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Learnt {
    /// Nothing: a Dictionary that is not complete yet, or has its keys in another order.
    Nothing,
    /// A Dictionary with these keys, a bit each, in the order of the schema; behind them what is filled in.
    Keys(u64),
    /// This one of the texts that are listed.
    Text(u32),
}

impl Known {
    /// What is known, if it turned out to be anything.
    #[must_use]
    pub fn form(&self) -> Option<Form> {
        (self.form.what != Learnt::Nothing).then_some(self.form)
    }
}

impl Form {
    /// A number that forms of one program seldom share.
    #[must_use]
    pub fn number(self) -> u64 {
        let learnt = match self.what {
            Learnt::Nothing => 0,
            Learnt::Keys(keys) => keys,
            Learnt::Text(number) => u64::from(!number),
        };
        learnt.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ u64::from(self.node)
    }
}

impl Program {
    /// The bytes of a value of this form: the text, or a Dictionary with these keys in their order and 0 under each.
    #[must_use]
    pub fn mould(&self, form: Form) -> Vec<u8> {
        let node = self.node(usize::try_from(form.node).unwrap_or(usize::MAX));
        match (form.what, &node.what) {
            (Learnt::Keys(keys), What::Dict(dict)) => dictionary(dict, keys),
            (Learnt::Text(number), What::Enum(listed)) => {
                let text = usize::try_from(number).ok().and_then(|number| listed.all().get(number));
                text.map_or(Vec::new(), |text| text.encoded.bytes().to_vec())
            }
            _ => Vec::new(),
        }
    }
}

fn dictionary(dict: &Dict, keys: u64) -> Vec<u8> {
    let is_there = |at: usize| keys.wrapping_shr(u32::try_from(at).unwrap_or(0)) & 1 == 1;
    let there = dict.keys.iter().enumerate().filter(|(at, _)| is_there(*at));
    let missing = dict.keys.iter().enumerate().filter(|(at, key)| !is_there(*at) && key.filled_in.is_some());
    let fields: Vec<&[u8]> = there.chain(missing).map(|(_, key)| key.encoded.bytes()).collect();
    let (mut bytes, zero) = (Vec::new(), Value::Int(0).encode().unwrap_or_default());
    let count = u32::try_from(fields.len()).unwrap_or(u32::MAX);
    let opening = Container::Dictionary { key: ContainerType::None, value: ContainerType::None, count };
    Writer::new(&mut bytes, Target::default()).open(&opening);
    fields.iter().for_each(|key| bytes.extend([*key, &zero].concat()));
    bytes
}

/// What is known of the values of one way, in the order of the bytes.
#[derive(Debug, Default)]
pub(super) struct Met(Vec<Known>);

impl Met {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Notes a value; the number that it has here.
    #[inline]
    fn push(&mut self, at: usize, node: usize, what: Learnt) -> Option<usize> {
        let number = self.0.len();
        let node = u32::try_from(node).ok().filter(|_| number < MOST)?;
        self.0.push(Known { at, form: Form { node, what } });
        Some(number)
    }

    /// Bytes were added: at these places, and so many up to each.
    pub(super) fn shift(&mut self, places: &[(usize, usize)]) {
        let (mut places, mut added) = (places.iter().peekable(), 0_usize);
        for known in &mut self.0 {
            while let Some((_, end)) = places.next_if(|(at, _)| *at <= known.at) {
                added = *end;
            }
            known.at = known.at.saturating_add(added);
        }
    }

    pub(super) fn all(&self) -> &[Known] {
        &self.0
    }
}

impl Straight<'_> {
    /// Notes the Dictionary whose count has just been read.
    #[inline]
    pub(super) fn note_open(&mut self, node: usize) -> Option<usize> {
        let at = self.at().saturating_sub(8);
        self.into.as_mut()?.met.push(at, node, Learnt::Nothing)
    }

    /// It is complete, and had these keys in the order of the schema.
    #[inline]
    pub(super) fn note_keys(&mut self, noted: Option<usize>, keys: u64) {
        let (Some(into), Some(number)) = (&mut self.into, noted) else { return };
        if let Some(known) = into.met.0.get_mut(number).filter(|_| keys != 0) {
            known.form.what = Learnt::Keys(keys);
        }
    }

    /// Notes the text that comes next: that one of those listed.
    #[inline]
    pub(super) fn note_text(&mut self, node: usize, number: usize) {
        let (at, number) = (self.at(), u32::try_from(number).unwrap_or(u32::MAX));
        if let Some(into) = &mut self.into {
            into.met.push(at, node, Learnt::Text(number));
        }
    }
}

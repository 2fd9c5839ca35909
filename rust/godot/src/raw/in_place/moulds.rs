//! Moulds: values of which a schema's verdict knows beforehand what they are: dictionaries with keys that come again in
//! the same order, to be copied as a whole (`shapes.rs`), and texts that the schema lists, to be shared. The plain twins
//! are `Builder::entries`, which finds a place for one key after another, and `strings::string`.
//!
//! Direct-mapped and bounded, and a form has to come twice before it gets a mould: whoever sends another one each time
//! gets what there would be without.

use godot::builtin::Variant;
use godot::sys;
use variant_schema::{Form, Known, Program};

use super::bits::DICTIONARY;
use super::builder::{BuildOne, build};
use super::keys::KeyCache;
use crate::raw::layout::{PAYLOAD, word_at};

/// A power of two. A mould of six keys takes less than 1 KiB.
const ENTRIES: usize = 64;

/// The moulds. Empty until one is wanted.
#[derive(Debug, Default)]
pub(crate) struct Moulds(Vec<Mould>);

#[derive(Debug, Default)]
struct Mould {
    /// Which program's form it is of.
    of: Option<(u64, Form)>,
    /// There is none until the form has come twice.
    value: Option<Variant>,
}

/// What is known of the values of some bytes, as a schema's verdict has told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foreseen<'p> {
    pub(crate) program: &'p Program,
    /// Of this program alone, for as long as the process lives.
    pub(crate) number: u64,
    pub(crate) known: &'p [Known],
}

impl Foreseen<'_> {
    /// What is known of the value that begins at this byte. Bytes are asked for in their order.
    #[inline]
    fn form_at(&mut self, at: usize) -> Option<Form> {
        while let [first, rest @ ..] = self.known {
            if first.at > at {
                return None;
            }
            self.known = rest;
            if first.at == at {
                return first.form();
            }
        }
        None
    }
}

impl Moulds {
    /// The mould of the value that begins at this byte, if what is known of it has come twice.
    #[inline]
    pub(super) fn at(
        &mut self,
        at: usize,
        foreseen: &mut Foreseen<'_>,
        (keys, build_one): (&mut KeyCache, BuildOne),
    ) -> Option<&Variant> {
        let form = foreseen.form_at(at)?;
        if self.0.is_empty() {
            self.0.resize_with(ENTRIES, Mould::default);
        }
        let mould = &mut self.0[place(foreseen.number, form)];
        let of = Some((foreseen.number, form));
        if mould.of != of {
            *mould = Mould { of, value: None };
            return None;
        }
        if mould.value.is_none() {
            mould.value = build(&foreseen.program.mould(form), keys, build_one);
        }
        mould.value.as_ref()
    }
}

/// The handle of a mould's Dictionary, if it holds one.
pub(super) fn handle(mould: &Variant) -> Option<sys::GDExtensionConstTypePtr> {
    let at = mould.var_sys().cast::<u8>();
    // SAFETY: a living Variant; its payload is within it.
    unsafe { (word_at(at) == DICTIONARY).then(|| at.add(PAYLOAD).cast()) }
}

fn place(program: u64, form: Form) -> usize {
    let mixed = form.number() ^ program.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed.wrapping_mul(0xC2B2_AE3D_27D4_EB4F) >> 40) as usize % ENTRIES
}

//! The classes that GDScript sees, one file each: convert, call, convert.
//!
//! No format and no policy in here; those are the core's. No `unsafe` either; that is `raw/`'s.

mod changes;
mod class_set;
mod codec;
mod error;
mod guarded;
mod job;
mod limits;
mod method_rows;
mod number;
mod offset;
mod options;
mod outline;
mod packed_form;
mod property_argument;
mod protocol;
mod protocol_facts;
mod protocol_receiving;
mod protocol_sending;
mod protocol_wires;
mod reader;
mod reader_call;
mod reader_outcome;
mod reader_state;
mod save;
mod save_arguments;
mod save_facts;
mod save_files;
mod save_mistakes;
mod save_properties;
mod schema;
mod state;
mod stream;
mod stream_codec;
mod tap;
mod text;
mod writer;
mod writer_state;

pub use class_set::VariantClassSet;
pub use codec::VariantCodec;
pub use job::VariantJob;
pub use limits::VariantLimits;
pub use outline::VariantOutline;
pub use protocol::VariantProtocol;
pub use reader::VariantReader;
pub use save::VariantSave;
pub use schema::VariantSchema;
pub use stream::VariantStream;
pub use writer::VariantWriter;

use godot::obj::GodotClass;
use godot::register::private::constant::{ConstantKind, ExportConstant, IntegerConstant};
use variant_core::{Dialect, Strictness};
use variant_pack::Tagging;
use variant_protocol::Role;
use variant_save::Compression;

use self::number::Choice;
use crate::raw::instance;
use crate::raw::layout::{self, Trust};
use crate::raw::register::methods;
use crate::saves::Fallback;
use crate::{engine::fallbacks, proof};

/// Adds to our classes what gdext's macros cannot: hot methods, properties and enums.
///
/// Only to be called once, at the scene stage, when gdext has made the classes known to the engine.
pub(crate) fn register() {
    let trust = Trust::asked_for();
    layout::probe(trust);
    proof::make();
    if trust == Trust::All && !fallbacks::told().is_empty() {
        let told = fallbacks::told().join("; ");
        godot::global::godot_warn!("VariantStream is slower in this engine than it could be: {told}");
    }
    if trust != Trust::Nothing {
        crate::engine::utf8::lend();
    }
    methods::<VariantStream>();
    methods::<VariantCodec>();
    methods::<VariantReader>();
    methods::<VariantWriter>();
    methods::<VariantSchema>();
    methods::<VariantProtocol>();
    class_set::register_properties();
    codec::register_properties();
    limits::register_properties();
    reader::register_properties();
    writer::register_properties();
    job::register_properties();
    protocol_facts::register_properties();
    schema::register_properties();
    save_properties::register_properties();
    register_enums();
}

/// Makes everything ready that has to be there before the first call.
pub(crate) fn settle() {
    stream::settle();
    crate::stream::job::settle();
}

/// Lets go of everything that outlives single calls, before the engine shuts down.
pub(crate) fn release() {
    crate::stream::job::release();
    stream::release();
    instance::release();
}

/// Registers the enums of all classes.
fn register_enums() {
    register_choice::<VariantStream, Dialect>();
    register_enum::<VariantClassSet>("Properties", &class_set::PROPERTIES);
    register_choice::<VariantCodec, Strictness>();
    register_choice::<VariantCodec, packed_form::PackedForm>();
    register_enum::<VariantCodec>("ErrorKind", &error::error_kinds());
    register_choice::<VariantReader, number::ReadFraming>();
    register_choice::<VariantReader, reader_outcome::Status>();
    register_choice::<VariantProtocol, Role>();
    register_enum::<VariantProtocol>("LeaveReason", &protocol_facts::LEAVE_REASONS);
    register_enum::<VariantProtocol>("Sender", &protocol_facts::SENDERS);
    register_enum::<VariantProtocol>("Mode", &protocol_facts::MODES);
    register_choice::<VariantSchema, Tagging>();
    register_choice::<VariantSave, Fallback>();
    register_choice::<VariantSave, Compression>();
    register_enum::<VariantSave>("Order", &save_facts::ORDERS);
}

fn register_choice<T: GodotClass, C: Choice>() {
    register_enum::<T>(C::ENUM.rsplit('.').next().unwrap_or_default(), &C::constants());
}

fn register_enum<T: GodotClass>(name: &str, values: &[(&str, i64)]) {
    let enumerators = values.iter().map(|&(name, value)| IntegerConstant::new(name, value)).collect();
    ExportConstant::new(T::class_id(), ConstantKind::Enum { name: name.into(), enumerators }).register();
}

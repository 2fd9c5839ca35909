//! The classes that GDScript sees, one file each: convert, call, convert.
//!
//! No format and no policy in here; those are the core's. No `unsafe` either; that is `raw/`'s.

mod argument;
mod changes;
mod class_set;
mod codec;
mod dialect;
mod error;
mod guarded;
mod job;
mod limits;
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
mod refused_bytes;
mod save;
mod save_arguments;
mod save_facts;
mod save_files;
mod save_mistakes;
mod save_paths;
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

use crate::raw::instance;
use crate::raw::layout::{self, Trust};
use crate::raw::register::methods;
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
    register_enum::<VariantStream>("Dialect", &dialect::DIALECTS);
    register_enum::<VariantClassSet>("Properties", &class_set::PROPERTIES);
    register_enum::<VariantCodec>("Strictness", &codec::STRICTNESS);
    register_enum::<VariantCodec>("Form", &packed_form::FORMS);
    register_enum::<VariantCodec>("ErrorKind", &error::error_kinds());
    register_enum::<VariantReader>("Framing", &number::FRAMINGS);
    register_enum::<VariantReader>("Status", &number::STATUSES);
    register_enum::<VariantProtocol>("Role", &protocol_facts::ROLES);
    register_enum::<VariantProtocol>("LeaveReason", &protocol_facts::LEAVE_REASONS);
    register_enum::<VariantProtocol>("Sender", &protocol_facts::SENDERS);
    register_enum::<VariantProtocol>("Mode", &protocol_facts::MODES);
    register_enum::<VariantSchema>("Tagging", &packed_form::TAGGINGS);
    register_enum::<VariantSave>("Fallback", save_facts::FALLBACKS);
    register_enum::<VariantSave>("Compression", save_facts::COMPRESSIONS);
    register_enum::<VariantSave>("Order", &save_facts::ORDERS);
}

fn register_enum<T: GodotClass>(name: &str, values: &[(&str, i64)]) {
    let enumerators = values.iter().map(|&(name, value)| IntegerConstant::new(name, value)).collect();
    ExportConstant::new(T::class_id(), ConstantKind::Enum { name: name.into(), enumerators }).register();
}

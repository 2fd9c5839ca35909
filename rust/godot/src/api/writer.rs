//! `VariantWriter`: values into buffers, files and peers, whole or container by container.
//!
//! The state of such an object, and the lock around it, is in `writer_state.rs`.

use godot::classes::{IRefCounted, RefCounted};
use godot::obj::{Base, Gd, GodotClass};
use godot::register::{GodotClass, godot_api};
use variant_save::OldFile;

use super::codec::VariantCodec;
use super::method_rows::methods;
use super::number::saturated;
use super::property_argument::{PropertyArgument, properties};
use super::stream_codec::codec_info;
use super::writer_state::{Options, WriterState};
use crate::call::problem::Problem;
use crate::raw::instance::Anchor;
use crate::raw::method::{HandRegistered, Method, Receiver};
use crate::raw::register::property;
use crate::stream::open_container::OpenKind::{Array, Dictionary};

const FRAMING: &str = "framing: VariantReader.Framing = 0";
const COUNT: &str = "count: int = -1";

/// Writes values into a stream.
#[derive(GodotClass)]
#[class(tool, base = RefCounted)]
pub struct VariantWriter {
    state: Anchor<WriterState>,
}

#[godot_api]
impl IRefCounted for VariantWriter {
    fn init(_base: Base<RefCounted>) -> Self {
        Self { state: Anchor::new(WriterState::default()) }
    }
}

impl HandRegistered for VariantWriter {
    type State = WriterState;
    const RECEIVER: Receiver<Self, WriterState> = Receiver::Object(|writer| &writer.state);
    const METHODS: &'static [Method<WriterState>] = methods! {
        open_file("file"; FRAMING) Code |writer, given| writer.open_file(given[0], given[1]);
        open_peer("peer: StreamPeer"; FRAMING) Code |writer, given| writer.open_peer(given[0], given[1]);
        open_packet_peer("peer: PacketPeer") Code |writer, given| writer.open_packet_peer(given[0]);
        open_buffer(; FRAMING) Code |writer, given| writer.open_buffer(given[0]);
        write("value") Code |writer, given| writer.write(given[0]);
        write_key("key") Code |writer, given| writer.write_key(given[0]);
        write_entry("key", "value") Code |writer, given| writer.write_entry(given[0], given[1]);
        begin_array(; COUNT) Code |writer, given| writer.begin(Array, given[0]);
        begin_dictionary(; COUNT) Code |writer, given| writer.begin(Dictionary, given[0]);
        end() Code |writer, _| writer.end();
        flush() Code |writer, _| writer.flush();
        close() Code |writer, _| writer.close();
        discard() Code |writer, _| writer.discard();
        get_buffer() Bytes |writer, _| writer.buffer();
    };
    const QUESTIONS: &'static [Method<WriterState>] = methods! {
        is_open() Truth |writer, _| writer.writing(|_| ()).is_some();
        get_pending_bytes() Number
            |writer, _| saturated(writer.writing(|writing| writing.pending()).unwrap_or(0));
        get_error() Details |writer, _| writer.problem(Problem::to_dictionary).unwrap_or_default();
        get_error_message() Text |writer, _| writer.problem(Problem::to_text).unwrap_or_default();
    };
}

// Every method takes `&self`: the state has its own locks, and gdext then never needs to bind exclusively.
#[godot_api]
impl VariantWriter {
    #[func]
    fn get_position(&self) -> i64 {
        saturated(self.state.state().writing(|writing| writing.position()).unwrap_or(0))
    }

    #[func]
    fn get_depth(&self) -> i64 {
        saturated(self.state.state().writing(|writing| writing.depth()).unwrap_or(0))
    }

    #[func]
    fn get_codec(&self) -> Gd<VariantCodec> {
        self.state.state().codec.object()
    }

    #[func]
    fn set_codec(&self, codec: PropertyArgument<Option<Gd<VariantCodec>>>) {
        codec.put("VariantWriter.codec", |codec| self.state.state().codec.set(codec));
    }
}

impl VariantWriter {
    fn options<R>(&self, change: impl FnOnce(&mut Options) -> R) -> R {
        self.state.state().options(change)
    }
}

properties! {
    VariantWriter;
    options, options {
        get_keep_backup, set_keep_backup, "keep_backup": bool = bool, |options| options.old == OldFile::Keep,
            |options, value| options.old = if value { OldFile::Keep } else { OldFile::Drop };
        get_max_pending_bytes, set_max_pending_bytes, "max_pending_bytes": i64 = i64,
            |options| saturated(options.most_pending),
            |options, value| options.most_pending = u64::try_from(value).unwrap_or(0);
    }
}

/// The properties, in the order the documentation lists them.
pub(super) fn register_properties() {
    VariantWriter::register_table();
    property(VariantWriter::class_id(), &codec_info(), "set_codec", "get_codec");
}

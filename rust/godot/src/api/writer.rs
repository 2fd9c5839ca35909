//! `VariantWriter`: values into buffers, files and peers, whole or container by container.
//!
//! The state of such an object, and the lock around it, is in `writer_state.rs`.

use godot::builtin::Variant;
use godot::classes::{IRefCounted, RefCounted};
use godot::obj::{Base, Gd, GodotClass};
use godot::register::{GodotClass, godot_api};
use variant_save::OldFile;

use super::codec::{VariantCodec, question};
use super::number::saturated;
use super::property_argument::{PropertyArgument, properties};
use super::stream_codec::codec_info;
use super::writer_state::{Options, WriterState};
use crate::call::problem::Problem;
use crate::raw::instance::Anchor;
use crate::raw::method::{Answer, HandRegistered, Method, Receiver, Returns};
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
    const METHODS: &'static [Method<WriterState>] = &[
        code("open_file", &["file", FRAMING], 1, |writer, given| {
            Answer::Code(writer.open_file(given[0], given[1]))
        }),
        code("open_peer", &["peer: StreamPeer", FRAMING], 1, |writer, given| {
            Answer::Code(writer.open_peer(given[0], given[1]))
        }),
        code("open_packet_peer", &["peer: PacketPeer"], 0, |writer, given| {
            Answer::Code(writer.open_packet_peer(given[0]))
        }),
        code("open_buffer", &[FRAMING], 1, |writer, given| Answer::Code(writer.open_buffer(given[0]))),
        code("write", &["value"], 0, |writer, given| Answer::Code(writer.write(given[0]))),
        code("write_key", &["key"], 0, |writer, given| Answer::Code(writer.write_key(given[0]))),
        code("write_entry", &["key", "value"], 0, |writer, given| {
            Answer::Code(writer.write_entry(given[0], given[1]))
        }),
        code("begin_array", &[COUNT], 1, |writer, given| Answer::Code(writer.begin(Array, given[0]))),
        code("begin_dictionary", &[COUNT], 1, |writer, given| {
            Answer::Code(writer.begin(Dictionary, given[0]))
        }),
        code("end", &[], 0, |writer, _| Answer::Code(writer.end())),
        code("flush", &[], 0, |writer, _| Answer::Code(writer.flush())),
        code("close", &[], 0, |writer, _| Answer::Code(writer.close())),
        code("discard", &[], 0, |writer, _| Answer::Code(writer.discard())),
        Method {
            name: "get_buffer",
            arguments: &[],
            optional: 0,
            returns: Returns::Bytes,
            run: |writer, _| Answer::Bytes(writer.buffer()),
        },
    ];
    const QUESTIONS: &'static [Method<WriterState>] = &[
        question("is_open", Returns::Truth, |writer, _| Answer::Truth(writer.writing(|_| ()).is_some())),
        question("get_pending_bytes", Returns::Number, |writer, _| {
            Answer::Number(saturated(writer.writing(|writing| writing.pending()).unwrap_or(0)))
        }),
        question("get_error", Returns::Details, |writer, _| {
            Answer::Details(writer.problem(Problem::to_dictionary).unwrap_or_default())
        }),
        question("get_error_message", Returns::Text, |writer, _| {
            Answer::Text(writer.problem(Problem::to_text).unwrap_or_default())
        }),
    ];
}

/// A method that answers with an Error code.
const fn code(
    name: &'static str,
    arguments: &'static [&'static str],
    optional: usize,
    run: fn(&WriterState, &[&Variant]) -> Answer,
) -> Method<WriterState> {
    Method { name, arguments, optional, returns: Returns::Code, run }
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
    VariantWriter, options, options;
    get_keep_backup, set_keep_backup, "keep_backup": bool = bool, |options| options.old == OldFile::Keep,
        |options, value| options.old = if value { OldFile::Keep } else { OldFile::Drop };
    get_max_pending_bytes, set_max_pending_bytes, "max_pending_bytes": i64 = i64,
        |options| saturated(options.most_pending),
        |options, value| options.most_pending = u64::try_from(value).unwrap_or(0);
}

/// The properties, in the order the documentation lists them.
pub(super) fn register_properties() {
    VariantWriter::register_table();
    property(VariantWriter::class_id(), &codec_info(), "set_codec", "get_codec");
}

//! `VariantWriter`: values into buffers, files and peers, whole or container by container.
//!
//! The state of such an object, and the lock around it, is in `writer_state.rs`.

use godot::builtin::{GString, Variant, VariantType};
use godot::classes::{IRefCounted, RefCounted};
use godot::obj::{Base, Gd, GodotClass};
use godot::register::{GodotClass, godot_api};

use variant_pack::Tagging;

use super::class_set::VariantClassSet;
use super::codec::{classes_info, limits_info, question, schema_info};
use super::limits::VariantLimits;
use super::number::{Choice, EnumNumber, saturated};
use super::packed_form::Form;
use super::property_argument::Wanted;
use super::schema::VariantSchema;
use super::writer_state::WriterState;
use crate::codec::Problem;
use crate::raw::instance::Anchor;
use crate::raw::method::{Answer, HandRegistered, Method, Receiver, Returns};
use crate::raw::register::{plain_info, property};

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
        code("open_file", &["file", "framing"], 1, |writer, given| {
            Answer::Code(writer.open_file(given[0], given[1]))
        }),
        code("open_peer", &["peer", "framing"], 1, |writer, given| {
            Answer::Code(writer.open_peer(given[0], given[1]))
        }),
        code("open_packet_peer", &["peer"], 0, |writer, given| {
            Answer::Code(writer.open_packet_peer(given[0]))
        }),
        code("open_buffer", &["framing"], 1, |writer, given| Answer::Code(writer.open_buffer(given[0]))),
        code("write", &["value"], 0, |writer, given| Answer::Code(writer.write(given[0]))),
        code("write_key", &["key"], 0, |writer, given| Answer::Code(writer.write_key(given[0]))),
        code("write_entry", &["key", "value"], 0, |writer, given| {
            Answer::Code(writer.write_entry(given[0], given[1]))
        }),
        code("begin_array", &["count"], 1, |writer, given| Answer::Code(writer.begin(false, given[0]))),
        code("begin_dictionary", &["count"], 1, |writer, given| Answer::Code(writer.begin(true, given[0]))),
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
    fn get_keep_backup(&self) -> bool {
        self.state.state().options(|options| options.keeps_backup)
    }

    #[func]
    fn set_keep_backup(&self, enabled: Wanted<bool>) {
        enabled.put("VariantWriter.keep_backup", |enabled| {
            self.state.state().options(|options| options.keeps_backup = enabled)
        });
    }

    #[func]
    fn get_max_pending_bytes(&self) -> i64 {
        saturated(self.state.state().options(|options| options.most_pending))
    }

    #[func]
    fn set_max_pending_bytes(&self, bytes: Wanted<i64>) {
        bytes.put("VariantWriter.max_pending_bytes", |bytes| {
            self.state.state().options(|options| options.most_pending = u64::try_from(bytes).unwrap_or(0))
        });
    }

    #[func]
    fn get_full_objects(&self) -> bool {
        self.state.state().codec.options(|options| options.full_objects)
    }

    #[func]
    fn set_full_objects(&self, enabled: Wanted<bool>) {
        enabled.put("VariantWriter.full_objects", |enabled| {
            self.state.state().codec.options(|options| options.full_objects = enabled)
        });
    }

    #[func]
    fn get_target(&self) -> GString {
        self.state.state().codec.options(|options| options.target.as_str().into())
    }

    #[func]
    fn set_target(&self, version: Wanted<GString>) {
        version.put("VariantWriter.target", |version| {
            self.state.state().codec.options(|options| options.target = version.to_string())
        });
    }

    #[func]
    fn get_classes(&self) -> Option<Gd<VariantClassSet>> {
        self.state.state().codec.classes()
    }

    #[func]
    fn set_classes(&self, classes: Wanted<Option<Gd<VariantClassSet>>>) {
        classes.put("VariantWriter.classes", |classes| self.state.state().codec.set_classes(classes));
    }

    #[func]
    fn get_schema(&self) -> Option<Gd<VariantSchema>> {
        self.state.state().codec.schema()
    }

    #[func]
    fn set_schema(&self, schema: Wanted<Option<Gd<VariantSchema>>>) {
        schema.put("VariantWriter.schema", |schema| self.state.state().codec.set_schema(schema));
    }

    #[func]
    fn get_form(&self) -> EnumNumber<Form> {
        EnumNumber(self.state.state().codec.options(|options| options.form))
    }

    #[func]
    fn set_form(&self, form: Wanted<Form>) {
        form.put("VariantWriter.form", |form| {
            self.state.state().codec.options(|options| options.form = form)
        });
    }

    #[func]
    fn get_tagging(&self) -> EnumNumber<Tagging> {
        EnumNumber(self.state.state().codec.options(|options| options.tagging))
    }

    #[func]
    fn set_tagging(&self, tagging: Wanted<Tagging>) {
        tagging.put("VariantWriter.tagging", |tagging| {
            self.state.state().codec.options(|options| options.tagging = tagging)
        });
    }

    #[func]
    fn get_limits(&self) -> Option<Gd<VariantLimits>> {
        self.state.state().codec.limits()
    }

    #[func]
    fn set_limits(&self, limits: Wanted<Option<Gd<VariantLimits>>>) {
        limits.put("VariantWriter.limits", |limits| self.state.state().codec.set_limits(limits));
    }
}

/// The properties, in the order the documentation lists them.
pub(super) fn register_properties() {
    let class = VariantWriter::class_id();
    property(class, &plain_info("keep_backup", VariantType::BOOL), "set_keep_backup", "get_keep_backup");
    property(
        class,
        &plain_info("max_pending_bytes", VariantType::INT),
        "set_max_pending_bytes",
        "get_max_pending_bytes",
    );
    property(class, &plain_info("target", VariantType::STRING), "set_target", "get_target");
    property(class, &plain_info("full_objects", VariantType::BOOL), "set_full_objects", "get_full_objects");
    property(class, &Form::info("form"), "set_form", "get_form");
    property(class, &Tagging::info("tagging"), "set_tagging", "get_tagging");
    property(class, &limits_info(), "set_limits", "get_limits");
    property(class, &schema_info(), "set_schema", "get_schema");
    property(class, &classes_info(), "set_classes", "get_classes");
}

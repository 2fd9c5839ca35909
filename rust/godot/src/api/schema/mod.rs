//! `VariantSchema`: a resource that says what a value must look like. This file holds the class and its document
//! forms; builders, modifiers and checks stand beside it. None of them knows what a schema means.

pub(super) mod arguments;
mod builders;
pub(super) mod declared;
mod measures;
mod modifiers;
pub(super) mod named;
mod packs;
pub(super) mod script;
mod uses;

use std::sync::{Arc, Mutex, PoisonError};

use godot::builtin::{Array, GString, VarDictionary, Variant, VariantType};
use godot::classes::{Engine, IResource, Resource};
use godot::global::push_error;
use godot::obj::{Base, Gd, GodotClass, Singleton};
use godot::register::info::{PropertyHint, PropertyHintInfo, PropertyInfo};
use godot::register::{GodotClass, godot_api};
use variant_schema::Schema;

use super::error::build_errors;
use super::property_argument::PropertyArgument;
use crate::call::schema::BoundSchema;
use crate::raw::instance::{Anchor, State};
use crate::raw::register::{plain_info, property};

/// Describes how a value must look.
#[derive(GodotClass)]
#[class(tool, base = Resource)]
pub struct VariantSchema {
    state: Anchor<SchemaState>,
}

/// The state of a schema object; shared by its hot methods and its plain ones.
pub(crate) struct SchemaState {
    /// Replaced as a whole when the property `json` is set; never changed.
    held: Mutex<Arc<BoundSchema>>,
}

impl State for SchemaState {
    /// A check works on what [`SchemaState::held`] gave it.
    fn is_at_work(&self) -> bool {
        false
    }
}

impl SchemaState {
    /// The schema at this moment, and its program once there is one.
    pub(super) fn held(&self) -> Arc<BoundSchema> {
        Arc::clone(&self.held.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[godot_api]
impl IResource for VariantSchema {
    fn init(_base: Base<Resource>) -> Self {
        Self::holding(Schema::any())
    }
}

impl VariantSchema {
    fn holding(schema: Schema) -> Self {
        Self { state: Anchor::new(SchemaState { held: Mutex::new(Arc::new(BoundSchema::new(schema))) }) }
    }

    pub(super) fn of(schema: Schema) -> Gd<Self> {
        Gd::from_init_fn(|_base| Self::holding(schema))
    }

    pub(crate) fn held(&self) -> Arc<BoundSchema> {
        self.state.state().held()
    }

    fn schema(&self) -> Schema {
        self.held().schema.clone()
    }
}

#[godot_api]
impl VariantSchema {
    #[func]
    fn to_json(&self) -> GString {
        self.schema().to_json().as_str().into()
    }

    #[func]
    fn to_markdown(&self) -> GString {
        self.schema().to_markdown().as_str().into()
    }

    #[func]
    fn get_hash(&self) -> i64 {
        self.schema().hash().cast_signed()
    }

    #[func]
    fn is_well_formed(&self) -> bool {
        self.held().mistakes().is_none()
    }

    #[func]
    fn get_build_errors(&self) -> Array<VarDictionary> {
        build_errors(self.held().mistakes())
    }

    #[func]
    fn get_json(&self) -> GString {
        let held = self.held();
        match &held.text {
            Some(text) => text.as_str().into(),
            // Nothing is saved of a schema that says nothing.
            None if held.schema == Schema::any() => GString::new(),
            None => held.schema.to_json().as_str().into(),
        }
    }

    #[func]
    fn set_json(&self, json: PropertyArgument<GString>) {
        json.put("VariantSchema.json", |json| self.become_json(json.to_string()));
    }
}

impl VariantSchema {
    fn become_json(&self, json: String) {
        let before = self.held();
        let made = if json.is_empty() { Ok(Schema::any()) } else { Schema::from_json(&json) };
        if made.as_ref().is_ok_and(|schema| *schema == before.schema) && before.text.is_none() {
            return;
        }
        // In the editor nothing is at stake, and people try things out.
        if before.is_used() && !Engine::singleton().is_editor_hint() {
            let message = "VariantSchema: a schema that was used cannot change: make a new one, or a copy by from_json(schema.to_json())";
            push_error(&[Variant::from(message)]);
            return;
        }
        let held = match made {
            Ok(schema) => BoundSchema::new(schema),
            Err(mistakes) => BoundSchema::mistaken(json, mistakes),
        };
        *self.state.state().held.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(held);
    }
}

/// The one property: what a `.tres` file holds and the inspector shows.
pub(super) fn register_properties() {
    let json = PropertyInfo {
        hint_info: PropertyHintInfo { hint: PropertyHint::MULTILINE_TEXT, hint_string: Default::default() },
        ..plain_info("json", VariantType::STRING)
    };
    property(VariantSchema::class_id(), &json, "set_json", "get_json");
}

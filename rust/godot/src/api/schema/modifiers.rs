//! The modifiers of `VariantSchema`: each returns a new schema and leaves this one as it is.

use godot::builtin::Variant;
use godot::obj::Gd;
use godot::register::godot_api;
use variant_schema::Schema;

use super::VariantSchema;
use super::arguments::{self, Given, or_mistake};
use crate::checks;
use crate::raw::optional::Optional;

/// From one line a modifier with one argument: how the argument is read, and what is done with it.
macro_rules! modifiers {
    ($($name:ident($argument:ident: $read:ident) $change:ident;)*) => {
        #[godot_api(secondary)]
        impl VariantSchema {
            $(
                #[func]
                fn $name(&self, $argument: Variant) -> Gd<Self> {
                    let place = concat!(stringify!($name), ": ", stringify!($argument));
                    self.modified(|schema| Ok(schema.$change(arguments::$read(place, &$argument)?)))
                }
            )*
        }
    };
}

modifiers! {
    min_size(count: count) min_size;
    max_size(count: count) max_size;
    min_chars(count: count) min_chars;
    max_chars(count: count) max_chars;
    pattern(regex: text) pattern;
    min_length(length: real) min_length;
    max_length(length: real) max_length;
    within(region: region) within;
    multiple_of(step: number) multiple_of;
}

/// From one line a modifier without arguments.
macro_rules! plain_modifiers {
    ($($name:ident $change:expr;)*) => {
        #[godot_api(secondary)]
        impl VariantSchema {
            $(
                #[func]
                fn $name(&self) -> Gd<Self> {
                    let change: fn(&Schema) -> Schema = $change;
                    Self::of(change(&self.schema()))
                }
            )*
        }
    };
}

plain_modifiers! {
    nullable Schema::nullable;
    required Schema::required;
    normalized Schema::normalized;
    allow_non_finite Schema::allow_non_finite;
    unique Schema::unique;
    typed Schema::typed;
    open |schema| schema.open(true);
    closed |schema| schema.open(false);
}

#[godot_api(secondary)]
impl VariantSchema {
    #[func]
    fn optional(&self, #[opt(default = Optional::null())] default: Optional) -> Gd<Self> {
        self.modified(|schema| {
            if default.0.is_nil() {
                return Ok(schema.optional());
            }
            Ok(schema.default_value(arguments::value("optional: default", &default.0)?))
        })
    }

    #[func]
    fn check_with(&self, callable: Variant) -> Gd<Self> {
        self.modified(|schema| {
            let callable = arguments::callable("check_with: callable", &callable)?;
            Ok(schema.check_with(checks::kept(schema.check(), callable)))
        })
    }

    #[func]
    fn describe(&self, description: Variant) -> Gd<Self> {
        self.modified(|schema| Ok(schema.describe(&arguments::text("describe: description", &description)?)))
    }

    #[func]
    fn define(&self, name: Variant, schema: Variant) -> Gd<Self> {
        self.modified(|this| {
            let name = arguments::text("define: name", &name)?;
            Ok(this.define(&name, arguments::schema("define: schema", &schema)?))
        })
    }
}

impl VariantSchema {
    pub(super) fn modified(&self, change: impl FnOnce(&Schema) -> Given<Schema>) -> Gd<Self> {
        Self::of(or_mistake(change(&self.schema())))
    }
}

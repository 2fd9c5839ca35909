//! The modifiers of `VariantSchema`: each returns a new schema and leaves this one as it is.

use godot::builtin::{AnyDictionary, Callable, GString, Variant};
use godot::obj::Gd;
use godot::register::godot_api;
use variant_schema::Schema;

use super::VariantSchema;
use super::arguments::{self, ArgumentResult, or_mistake};
use crate::call::checks;
use crate::raw::optional::Optional;

/// From one line a modifier with one argument: its type, and how it is read.
macro_rules! modifiers {
    ($($name:ident($argument:ident: $ty:ty) $read:expr;)*) => {
        #[godot_api(secondary)]
        impl VariantSchema {
            $(
                #[func]
                fn $name(&self, $argument: $ty) -> Gd<Self> {
                    let place = concat!(stringify!($name), ": ", stringify!($argument));
                    let read: fn(&str, $ty) -> ArgumentResult<_> = $read;
                    self.modified(|schema| Ok(schema.$name(read(place, $argument)?)))
                }
            )*
        }
    };
}

modifiers! {
    min_size(count: i64) arguments::count;
    max_size(count: i64) arguments::count;
    min_chars(count: i64) arguments::count;
    max_chars(count: i64) arguments::count;
    room_for(count: i64) arguments::count;
    pattern(regex: GString) |_, regex| Ok(regex.to_string());
    min_length(length: f64) |_, length| Ok(length);
    max_length(length: f64) |_, length| Ok(length);
    within(region: Variant) |place, region| arguments::region(place, &region);
    multiple_of(step: Variant) |place, step| arguments::number(place, &step);
    elements(schema: Option<Gd<VariantSchema>>) |place, schema| arguments::given(place, schema.as_ref());
    growing(keys: AnyDictionary) |place, keys| arguments::keys(place, &keys);
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
    fn check_with(&self, callable: Callable) -> Gd<Self> {
        self.modified(|schema| {
            let callable = arguments::callable("check_with: callable", callable)?;
            Ok(schema.check_with(checks::kept(schema.check(), callable)))
        })
    }

    #[func]
    fn describe(&self, description: GString) -> Gd<Self> {
        Self::of(self.schema().describe(&description.to_string()))
    }

    #[func]
    fn define(&self, name: GString, schema: Option<Gd<Self>>) -> Gd<Self> {
        self.modified(|this| {
            Ok(this.define(&name.to_string(), arguments::given("define: schema", schema.as_ref())?))
        })
    }
}

impl VariantSchema {
    pub(super) fn modified(&self, change: impl FnOnce(&Schema) -> ArgumentResult<Schema>) -> Gd<Self> {
        Self::of(or_mistake(change(&self.schema())))
    }
}

//! PropertyArgument: what a script sets a property to. Untyped scripts can give anything: what is of another type than the property is
//! a mistake in code and logged as one, in plain words, and the property stays as it is.

use godot::builtin::{Callable, GString, PackedByteArray, StringName, VarDictionary, Variant, VariantType};
use godot::classes::{Object, Resource};
use godot::global::push_error;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::meta::{FromGodot, GodotConvert, ToGodot};
use godot::obj::{Gd, GodotClass, Inherits};
use godot::register::info::{PropertyHint, PropertyHintInfo, PropertyInfo};

use super::number::{Choice, EnumNumber};
use crate::raw::register::{plain_info, variant_info};

/// A type of values that a property can be set to.
pub(super) trait PropertyValue: Sized {
    /// # Errors
    /// Says which type there was instead of which.
    fn of(value: &Variant) -> Result<Self, String>;
}

/// A type that a property is read as.
pub(super) trait PropertyKind {
    /// Returns what a property of this name is registered as.
    fn info(name: &str) -> PropertyInfo;
}

macro_rules! kinds {
    ($($ty:ty: $kind:ident;)*) => {
        $(impl PropertyKind for $ty {
            fn info(name: &str) -> PropertyInfo {
                plain_info(name, VariantType::$kind)
            }
        })*
    };
}
kinds! { bool: BOOL; i64: INT; GString: STRING; StringName: STRING_NAME; VarDictionary: DICTIONARY; Callable: CALLABLE; }

impl<T: GodotClass> PropertyKind for Option<Gd<T>> {
    fn info(name: &str) -> PropertyInfo {
        let class = T::class_id();
        let plain =
            PropertyInfo { class_name: class.to_string_name(), ..plain_info(name, VariantType::OBJECT) };
        if !T::inherits::<Resource>() {
            return plain;
        }
        let hint = PropertyHintInfo { hint: PropertyHint::RESOURCE_TYPE, hint_string: class.to_gstring() };
        PropertyInfo { hint_info: hint, ..plain }
    }
}

impl PropertyKind for Variant {
    fn info(name: &str) -> PropertyInfo {
        variant_info(name)
    }
}

impl<T: Choice> PropertyKind for EnumNumber<T> {
    fn info(name: &str) -> PropertyInfo {
        T::info(name)
    }
}

/// The value that a property is to be set to. gdext is told of a Variant, since it would refuse others in its
/// own words.
#[derive(Debug)]
pub(super) struct PropertyArgument<T>(Result<T, String>);

impl<T> PropertyArgument<T> {
    /// Puts it there, or logs why not.
    pub(super) fn put(self, property: &str, put: impl FnOnce(T)) {
        match self.0 {
            Ok(value) => put(value),
            Err(why) => push_error(&[format!("{property}: {why}; it stays as it is").to_variant()]),
        }
    }
}

/// Defines properties in groups, which are read in what `$reading` of the class lends, and set in what `$setting` does;
/// `register_table` registers them in this order.
macro_rules! properties {
    ($class:ident; $($reading:ident, $setting:ident {
        $($get:ident, $set:ident, $name:literal: $shown:ty = $ty:ty,
            |$from:ident| $read:expr, |$into:ident, $value:ident| $write:expr;)*
    })*) => {
        #[godot_api(secondary)]
        impl $class {
            $($(
                #[func]
                fn $get(&self) -> $shown {
                    self.$reading(|$from| $read)
                }

                #[func]
                fn $set(&self, value: PropertyArgument<$ty>) {
                    let name = concat!(stringify!($class), ".", $name);
                    value.put(name, |$value| self.$setting(|$into| $write));
                }
            )*)*
        }

        impl $class {
            fn register_table() {
                $($(
                    let info = <$shown as crate::api::property_argument::PropertyKind>::info($name);
                    let class = <$class as godot::obj::GodotClass>::class_id();
                    crate::raw::register::property(class, &info, stringify!($set), stringify!($get));
                )*)*
            }
        }
    };
}
pub(super) use properties;

impl<T> GodotConvert for PropertyArgument<T> {
    type Via = Variant;

    fn godot_shape() -> GodotShape {
        Variant::godot_shape()
    }
}

impl<T: PropertyValue> FromGodot for PropertyArgument<T> {
    fn try_from_godot(value: Variant) -> Result<Self, ConvertError> {
        Ok(Self(T::of(&value)))
    }
}

macro_rules! values {
    ($($ty:ty: $name:literal;)*) => {
        $(impl PropertyValue for $ty {
            fn of(value: &Variant) -> Result<Self, String> {
                relaxed(value, $name)
            }
        })*
    };
}
values! { bool: "bool"; i64: "int"; GString: "String"; PackedByteArray: "PackedByteArray"; }

impl<T: GodotClass + Inherits<Object>> PropertyValue for Option<Gd<T>> {
    fn of(value: &Variant) -> Result<Self, String> {
        relaxed(value, &format!("{} or null", T::class_id()))
    }
}

impl<T: Choice> PropertyValue for T {
    fn of(value: &Variant) -> Result<Self, String> {
        let number = relaxed(value, "int")?;
        T::of(number).ok_or_else(|| {
            let name = |(_, number, name): &(T, i64, &str)| format!("{name} ({number})");
            let names: Vec<String> = T::VALUES.iter().map(name).collect();
            format!("{number} is none of {}", names.join(", "))
        })
    }
}

/// As the engine takes it for a property of this type.
fn relaxed<T: FromGodot>(value: &Variant, expected: &str) -> Result<T, String> {
    value.try_to_relaxed().map_err(|_| format!("expected {expected}, got {}", name_of(value)))
}

#[cold]
fn name_of(value: &Variant) -> String {
    match value.get_type() {
        VariantType::NIL => "null".to_owned(),
        // One that is gone has no class any more.
        VariantType::OBJECT => value
            .try_to::<Gd<Object>>()
            .map_or_else(|_| "an Object that was freed".to_owned(), |object| object.get_class().to_string()),
        other => other.godot_type_name().to_owned(),
    }
}

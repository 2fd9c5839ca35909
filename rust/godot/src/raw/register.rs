//! Registers methods and properties in the engine's ClassDB, and help pages in its editor.
//!
//! The folder `api/` lists what is registered; `method.rs` handles the calls.

use std::ptr;

use godot::builtin::{StringName, Variant, VariantType};
use godot::meta::ClassId;
use godot::obj::EngineBitfield;
use godot::register::info::{MethodFlags, PropertyHint, PropertyHintInfo, PropertyInfo, PropertyUsageFlags};
use godot::sys::{self, SysPtr, interface_fn};

use super::method::{
    self, HandRegistered, MAX_ARGUMENTS, Receiver, Returns, Row, Runs, argument_class, argument_default,
    argument_name, argument_type,
};

/// Registers every method of `T`'s tables. The engine must know the class already.
pub(crate) fn methods<T: HandRegistered>() {
    for row in T::METHODS {
        register_method::<T, _>(row, MethodFlags::DEFAULT);
    }
    for row in T::QUESTIONS {
        register_method::<T, _>(row, MethodFlags::DEFAULT | MethodFlags::CONST);
    }
    for row in T::MAKERS {
        register_method::<T, _>(row, MethodFlags::DEFAULT);
    }
}

fn register_method<T: HandRegistered, R: Runs<T::State>>(row: &'static Row<R>, flags: MethodFlags) {
    assert!(row.arguments.len() <= MAX_ARGUMENTS && row.optional <= row.arguments.len(), "{}", row.name);
    let name = StringName::from(row.name);
    let class = T::class_id().to_string_name();
    let arguments: Vec<PropertyInfo> = row.arguments.iter().map(|argument| argument_info(argument)).collect();
    let is_typed = row.arguments.iter().any(|argument| argument_type(argument) != VariantType::NIL);
    let mut arguments_sys: Vec<_> = arguments.iter().map(PropertyInfo::property_sys).collect();
    let mut metadata = vec![sys::GDEXTENSION_METHOD_ARGUMENT_METADATA_NONE; arguments.len()];
    let optional = row.arguments.iter().skip(row.arguments.len() - row.optional);
    let defaults: Vec<Variant> = optional.map(|argument| argument_default(argument)).collect();
    let mut defaults_sys: Vec<_> = defaults.iter().map(|value| SysPtr::force_mut(value.var_sys())).collect();
    let returns = return_info(row.returns);
    let mut returns_sys = returns.property_sys();
    let flags = match T::RECEIVER {
        Receiver::Static(_) => flags | MethodFlags::STATIC,
        Receiver::Object(_) => flags,
    };
    let info = sys::GDExtensionClassMethodInfo {
        name: SysPtr::force_mut(name.string_sys()),
        method_userdata: ptr::from_ref(row).cast_mut().cast(),
        call_func: Some(method::call::<T, R>),
        ptrcall_func: Some(if is_typed { method::ptrcall_typed::<T, R> } else { method::ptrcall::<T, R> }),
        method_flags: flags.ord() as u32,
        has_return_value: 1,
        return_value_info: &raw mut returns_sys,
        return_value_metadata: sys::GDEXTENSION_METHOD_ARGUMENT_METADATA_NONE,
        argument_count: arguments.len() as u32,
        arguments_info: arguments_sys.as_mut_ptr(),
        arguments_metadata: metadata.as_mut_ptr(),
        default_argument_count: defaults.len() as u32,
        default_arguments: defaults_sys.as_mut_ptr(),
    };
    // SAFETY: Engine contract: it copies all of `info` before it returns. The row is 'static, and its
    // functions are those of the very class that it is registered for.
    unsafe {
        let register = interface_fn!(classdb_register_extension_class_method);
        register(sys::get_library(), class.string_sys(), &raw const info);
    }
}

/// Registers a property of `class`; an empty `setter` makes it read only.
pub(crate) fn property(class: ClassId, info: &PropertyInfo, setter: &str, getter: &str) {
    let (class, setter, getter) =
        (class.to_string_name(), StringName::from(setter), StringName::from(getter));
    let info = info.property_sys();
    // SAFETY: Engine contract: it copies the info and the names before it returns.
    unsafe {
        let register = interface_fn!(classdb_register_extension_class_property);
        register(
            sys::get_library(),
            class.string_sys(),
            &raw const info,
            setter.string_sys(),
            getter.string_sys(),
        );
    }
}

/// Adds a class page to the editor's help.
pub(crate) fn help_page(xml: &str) {
    // SAFETY: Engine contract: it reads this many bytes of UTF-8 before it returns.
    unsafe {
        interface_fn!(editor_help_load_xml_from_utf8_chars_and_len)(xml.as_ptr().cast(), xml.len() as i64)
    };
}

/// Describes an argument, a return value or a property that may hold any type.
pub(crate) fn variant_info(name: &str) -> PropertyInfo {
    PropertyInfo {
        usage: PropertyUsageFlags::DEFAULT | PropertyUsageFlags::NIL_IS_VARIANT,
        ..plain_info(name, VariantType::NIL)
    }
}

/// Describes an argument, a return value or a property of one built-in type.
pub(crate) fn plain_info(name: &str, variant_type: VariantType) -> PropertyInfo {
    PropertyInfo {
        variant_type,
        class_name: StringName::default(),
        property_name: StringName::from(name),
        hint_info: PropertyHintInfo { hint: PropertyHint::NONE, hint_string: Default::default() },
        usage: PropertyUsageFlags::DEFAULT,
    }
}

/// Describes an argument, a return value or a property of an enum: an int with a name that scripts and the
/// help know.
pub(crate) fn enum_info(name: &str, enum_name: &str) -> PropertyInfo {
    PropertyInfo {
        class_name: StringName::from(enum_name),
        usage: PropertyUsageFlags::DEFAULT | PropertyUsageFlags::CLASS_IS_ENUM,
        ..plain_info(name, VariantType::INT)
    }
}

fn argument_info(argument: &str) -> PropertyInfo {
    match argument_type(argument) {
        VariantType::NIL => variant_info(argument_name(argument)),
        VariantType::INT if argument_class(argument) != "int" => {
            enum_info(argument_name(argument), argument_class(argument))
        }
        VariantType::OBJECT => PropertyInfo {
            class_name: StringName::from(argument_class(argument)),
            ..plain_info(argument_name(argument), VariantType::OBJECT)
        },
        variant_type => plain_info(argument_name(argument), variant_type),
    }
}

fn return_info(returns: Returns) -> PropertyInfo {
    match returns {
        Returns::Bytes => plain_info("", VariantType::PACKED_BYTE_ARRAY),
        Returns::Value => variant_info(""),
        Returns::Code => enum_info("", "Error"),
        Returns::Truth => plain_info("", VariantType::BOOL),
        Returns::Number => plain_info("", VariantType::INT),
        Returns::Choice(of) => enum_info("", of),
        Returns::Text => plain_info("", VariantType::STRING),
        Returns::Details => plain_info("", VariantType::DICTIONARY),
    }
}

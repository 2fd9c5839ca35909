//! Starts the library, and lets gdext fetch the methods of those classes alone that it uses. gdext asks for all methods of some
//! forty classes when it is loaded, and gives up where one is missing: an engine that is built without 3D has no Node3D.

use std::ffi::{CStr, c_char};
use std::mem;

use godot::builtin::StringName;
use godot::sys;
use once_cell::sync::OnceCell;

use super::pretend::lacks;

/// The classes whose methods the library calls, or gdext for it. Every build of the engine has them.
const USED: [&str; 10] = [
    "ClassDB",
    "Engine",
    "FileAccess",
    "OS",
    "Object",
    "RefCounted",
    "Resource",
    "ResourceLoader",
    "Script",
    "Time",
];

type Find = sys::GDExtensionInterfaceClassdbGetMethodBind;
type Call = sys::GDExtensionInterfaceObjectMethodBindCall;
type PointerCall = sys::GDExtensionInterfaceObjectMethodBindPtrcall;
type Function = unsafe extern "C" fn();

static FIND: OnceCell<Find> = OnceCell::new();
static CALL: OnceCell<Call> = OnceCell::new();
static POINTER_CALL: OnceCell<PointerCall> = OnceCell::new();

/// Its address stands for every method that was not fetched; nothing reads what is there.
static NOT_FETCHED: u8 = 0;

/// The engine's function that finds all others.
static FIND_FUNCTION: OnceCell<sys::GDExtensionInterfaceGetProcAddress> = OnceCell::new();

unsafe extern "C" {
    /// The entry point that gdext makes for `lib.rs`.
    fn variant_stream_init_by_gdext(
        find: sys::GDExtensionInterfaceGetProcAddress,
        library: sys::GDExtensionClassLibraryPtr,
        init: *mut sys::GDExtensionInitialization,
    ) -> sys::GDExtensionBool;
}

/// Starts the library: it calls gdext's own entry point, with our functions among the engine's. A process has
/// one engine, so a library that is loaded again finds the same functions.
///
/// # Safety
/// Only the engine calls it.
#[unsafe(no_mangle)]
unsafe extern "C" fn variant_stream_init(
    find: sys::GDExtensionInterfaceGetProcAddress,
    library: sys::GDExtensionClassLibraryPtr,
    init: *mut sys::GDExtensionInitialization,
) -> sys::GDExtensionBool {
    #[cfg(feature = "ablate")]
    crate::ablation::read();
    FIND_FUNCTION.get_or_init(|| find);
    // SAFETY: the caller's promise; `found` returns the functions that the engine's own `find` returns, or ours in their place.
    unsafe { variant_stream_init_by_gdext(Some(found), library, init) }
}

/// # Safety
/// Only gdext calls it, with the name of a function.
unsafe extern "C" fn found(name: *const c_char) -> sys::GDExtensionInterfaceFunctionPtr {
    let find = (*FIND_FUNCTION.get()?)?;
    // SAFETY: the caller's promise; the engine returns the function of this name and no other.
    unsafe { Some(in_place_of(CStr::from_ptr(name), find(name)?)) }
}

/// Returns what gdext gets for a function of the engine's.
///
/// # Safety
/// `function` is the engine's of this name.
unsafe fn in_place_of(name: &CStr, function: Function) -> Function {
    // SAFETY: the caller's promise: of these names the functions are of these types, and ours are alike.
    unsafe {
        match name.to_bytes() {
            b"classdb_get_method_bind" => {
                FIND.get_or_init(|| mem::transmute::<Function, Find>(function));
                mem::transmute::<Find, Function>(find)
            }
            b"object_method_bind_call" => {
                CALL.get_or_init(|| mem::transmute::<Function, Call>(function));
                mem::transmute::<Call, Function>(call)
            }
            b"object_method_bind_ptrcall" => {
                POINTER_CALL.get_or_init(|| mem::transmute::<Function, PointerCall>(function));
                mem::transmute::<PointerCall, Function>(pointer_call)
            }
            _ => function,
        }
    }
}

fn not_fetched() -> sys::GDExtensionMethodBindPtr {
    (&raw const NOT_FETCHED).cast()
}

/// # Safety
/// The caller's promise is that of the engine's function.
unsafe extern "C" fn find(
    class: sys::GDExtensionConstStringNamePtr,
    method: sys::GDExtensionConstStringNamePtr,
    hash: sys::GDExtensionInt,
) -> sys::GDExtensionMethodBindPtr {
    // SAFETY: by the caller's promise a living StringName lies there, which is what gdext's type is.
    let name = unsafe { &*class.cast::<StringName>() }.to_string();
    if !USED.contains(&name.as_str()) {
        return not_fetched();
    }
    match FIND.get() {
        // SAFETY: the caller's promise.
        Some(find) if !lacks(&name) => unsafe { find(class, method, hash) },
        _ => std::ptr::null(),
    }
}

/// # Safety
/// The caller's promise is that of the engine's function.
unsafe extern "C" fn call(
    method: sys::GDExtensionMethodBindPtr,
    object: sys::GDExtensionObjectPtr,
    arguments: *const sys::GDExtensionConstVariantPtr,
    count: sys::GDExtensionInt,
    answer: sys::GDExtensionUninitializedVariantPtr,
    error: *mut sys::GDExtensionCallError,
) {
    match CALL.get() {
        // SAFETY: the caller's promise.
        Some(call) if method != not_fetched() => unsafe {
            call(method, object, arguments, count, answer, error);
        },
        _ => refuse(),
    }
}

/// # Safety
/// The caller's promise is that of the engine's function.
unsafe extern "C" fn pointer_call(
    method: sys::GDExtensionMethodBindPtr,
    object: sys::GDExtensionObjectPtr,
    arguments: *const sys::GDExtensionConstTypePtr,
    answer: sys::GDExtensionTypePtr,
) {
    match POINTER_CALL.get() {
        // SAFETY: the caller's promise.
        Some(call) if method != not_fetched() => unsafe { call(method, object, arguments, answer) },
        _ => refuse(),
    }
}

/// Ends the process: a class is missing in `USED`, and there is no method to call.
#[cold]
fn refuse() {
    panic!("a method is called of a class that raw/class_methods.rs does not name");
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// Collects the names of classes that a source imports from gdext.
    fn imported(text: &str, found: &mut Vec<String>) {
        for import in text.split("godot::classes::").skip(1) {
            let end = import.find(';').unwrap_or(import.len());
            let names = import[..end].split(|c: char| !c.is_alphanumeric() && c != '_');
            let is_class =
                |name: &&str| name.starts_with(|c: char| c.is_ascii_uppercase()) && !name.starts_with("IRe");
            // Enums stand in modules of their own.
            if import.starts_with(|c: char| c.is_ascii_uppercase() || c == '{') {
                found.extend(names.filter(is_class).map(str::to_owned));
            }
        }
    }

    fn sources(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|end| end == "rs")
                && !path.ends_with(file!().rsplit('/').next().unwrap())
            {
                imported(&fs::read_to_string(&path).unwrap(), found);
            }
        }
    }

    #[test]
    fn every_class_that_the_library_names_is_fetched() {
        let mut found = Vec::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
        found.sort_unstable();
        found.dedup();
        assert!(found.len() > 5, "{found:?}");
        // gdext spells two of them in its own way.
        let engines = |name: &str| match name {
            "ClassDb" => "ClassDB".to_owned(),
            "Os" => "OS".to_owned(),
            other => other.to_owned(),
        };
        let missing: Vec<_> =
            found.iter().map(|name| engines(name)).filter(|name| !USED.contains(&name.as_str())).collect();
        assert!(missing.is_empty(), "not in USED: {missing:?}");
    }

    #[test]
    fn only_three_functions_are_replaced() {
        unsafe extern "C" fn engines() {}
        // SAFETY: it is not called.
        let given = |name: &CStr| unsafe { in_place_of(name, engines) } as usize;
        assert_eq!(given(c"classdb_get_class_tag"), engines as *const () as usize);
        for name in [c"classdb_get_method_bind", c"object_method_bind_call", c"object_method_bind_ptrcall"] {
            assert_ne!(given(name), engines as *const () as usize, "{name:?}");
        }
    }
}

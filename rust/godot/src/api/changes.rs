//! Tables of methods that change what an object describes, a line each.

/// From one line a method: its arguments, and what it makes of what is described, or why not.
macro_rules! changes {
    ($class:ident, $with:ident, $returns:ty;
     $($name:ident($($argument:ident: $ty:ty),*) |$it:ident| $change:expr;)*) => {
        #[godot::register::godot_api(secondary)]
        impl $class {
            $(
                #[func]
                fn $name(&self, $($argument: $ty),*) -> $returns {
                    self.$with(|$it| $change)
                }
            )*
        }
    };
}
pub(super) use changes;

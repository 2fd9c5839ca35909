//! Defines enums whose values have names that programs read.

/// Defines the enum, and a name for each value. `[COUNT, VISIBILITY]` behind its name adds a list of all values in their order.
macro_rules! named {
    ($(#[$of:meta])* pub enum $Type:ident { $(#[doc = $doc:literal] $value:ident = $name:literal,)* }) => {
        $(#[$of])*
        pub enum $Type {
            $(#[doc = $doc] $value,)*
        }

        impl $Type {
            /// Returns the name that programs read.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $($Type::$value => $name,)*
                }
            }
        }
    };
    ($(#[$of:meta])* pub enum $Type:ident [$count:expr, $seen:vis] {
        $(#[doc = $doc:literal] $value:ident = $name:literal,)*
    }) => {
        named! { $(#[$of])* pub enum $Type { $(#[doc = $doc] $value = $name,)* } }

        impl $Type {
            /// All of them, in their order.
            $seen const ALL: [$Type; $count] = [$($Type::$value),*];
        }
    };
}

pub(crate) use named;

//! Defines enums whose values have names that programs read.

/// Defines the enum, with a list of all values in their order and a name for each.
macro_rules! named {
    ($(#[$of:meta])* pub enum $Type:ident [$count:expr] { $(#[doc = $doc:literal] $value:ident = $name:literal,)* }) => {
        $(#[$of])*
        pub enum $Type {
            $(#[doc = $doc] $value,)*
        }

        impl $Type {
            /// All of them, in their order.
            pub const ALL: [$Type; $count] = [$($Type::$value),*];

            /// Returns the name that programs read.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $($Type::$value => $name,)*
                }
            }
        }
    };
}

pub(crate) use named;

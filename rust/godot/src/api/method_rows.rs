//! Writes the tables of hand-registered methods: a row has the method's name, its arguments, behind a semicolon those that may be left
//! out, what it returns, and what it does.

/// Makes rows that return their result, of the kind that the row names: `next() Code |reader, given| reader.next();`. In brackets
/// behind that kind stands what scripts see where it is something else.
macro_rules! methods {
    ($($name:ident($($argument:expr),* $(; $($optional:expr),+)?) $answer:ident $(($returns:expr))?
        |$state:pat_param, $given:pat_param| $run:expr;)*) => {
        &[$(crate::raw::method::Method {
            name: stringify!($name),
            arguments: &[$($argument,)* $($($optional,)+)?],
            optional: <[&str]>::len(&[$($($optional,)+)?]),
            returns: {
                use crate::raw::method::Returns;
                [Returns::$answer, $($returns)?][<[Returns]>::len(&[$($returns)?])]
            },
            run: |$state, $given| crate::raw::method::Answer::$answer($run),
        },)*]
    };
}
pub(super) use methods;

/// Makes rows that make their result in its final place.
macro_rules! makers {
    ($($name:ident($($argument:expr),* $(; $($optional:expr),+)?) $returns:ident
        |$state:pat_param, $given:pat_param, $answer:pat_param| $run:expr;)*) => {
        &[$(crate::raw::method::Maker {
            name: stringify!($name),
            arguments: &[$($argument,)* $($($optional,)+)?],
            optional: <[&str]>::len(&[$($($optional,)+)?]),
            returns: crate::raw::method::Returns::$returns,
            run: |$state, $given, $answer| $run,
        },)*]
    };
}
pub(super) use makers;

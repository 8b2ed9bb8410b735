//! A macro for enums whose variants have names in SQL.

/// Declares an enum with `ALL`, `NAMES`, `name`, `FromStr`, and a method that returns the value given for each variant.
///
/// The literal after the enum's name is the `kind` in [`Error::UnknownName`](crate::Error).
macro_rules! named {
    (
        $(#[$meta:meta])*
        pub enum $Enum:ident, $kind:literal;

        $(#[$method_meta:meta])*
        $visibility:vis const fn $method:ident -> $Value:ty {
            $($(#[$variant_meta:meta])* $Variant:ident = $name:literal => $value:expr,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $Enum {
            $($(#[$variant_meta])* $Variant,)+
        }

        impl $Enum {
            /// All variants.
            pub const ALL: &'static [$Enum] = &[$($Enum::$Variant),+];

            /// The names of all variants, in the order of `ALL`.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// Returns the name, in lower case.
            pub const fn name(self) -> &'static str {
                match self {
                    $($Enum::$Variant => $name,)+
                }
            }

            $(#[$method_meta])*
            $visibility const fn $method(self) -> $Value {
                match self {
                    $($Enum::$Variant => const { $value },)+
                }
            }
        }

        /// Parses a name, ignoring case, as PostgreSQL's `encode` does with format names.
        impl core::str::FromStr for $Enum {
            type Err = $crate::Error;

            fn from_str(name: &str) -> Result<$Enum, $crate::Error> {
                let found = $Enum::ALL.iter().find(|one| one.name().eq_ignore_ascii_case(name));
                found.copied().ok_or($crate::Error::UnknownName { kind: $kind, known: $Enum::NAMES })
            }
        }
    };
}

pub(crate) use named;

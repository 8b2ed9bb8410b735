//! Enums with variants that SQL and people know by name: each is one list.

/// Declares such an enum, with its `ALL`, its `NAMES`, a variant's `name` and the way back from a name.
///
/// The text after the enum's name says what a variant is, in [`Error::UnknownName`](crate::Error).
macro_rules! named {
    (
        $(#[$meta:meta])*
        pub enum $Enum:ident, $kind:literal {
            $($(#[$variant_meta:meta])* $Variant:ident = $name:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $Enum {
            $($(#[$variant_meta])* $Variant,)+
        }

        impl $Enum {
            /// All of them.
            pub const ALL: &'static [$Enum] = &[$($Enum::$Variant),+];

            /// Their names, in the order of `ALL`.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// The name, in lower case.
            pub const fn name(self) -> &'static str {
                match self {
                    $($Enum::$Variant => $name,)+
                }
            }
        }

        /// Reads a name in upper or lower case, as PostgreSQL's `encode` reads names of formats.
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

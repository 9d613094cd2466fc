//! A list of what can be noticed about an engine: one line for each kind.

/// An enum whose kinds have a stable name, a severity and a sentence for people.
macro_rules! kinds {
    (
        $(#[$about:meta])* $list:ident:
        $($(#[$doc:meta])* $name:ident, $code:literal, $severity:ident, $sentence:literal;)+
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $list {
            $($(#[$doc])* $name,)+
        }

        impl $list {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The stable name, in kebab case.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code,)+ }
            }

            /// How bad it is.
            pub const fn severity(self) -> quadrille_protocol::Severity {
                match self { $(Self::$name => quadrille_protocol::Severity::$severity,)+ }
            }

            /// What is wrong, for people.
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$name => $sentence,)+ }
            }
        }
    };
}

pub(crate) use kinds;

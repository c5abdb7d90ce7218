//! The options: one table, from which listing, parsing, range errors and the session's values come.

use crate::notation::shown;
use crate::variant::{DEFAULT, VARIANTS, Variant, find};
use thiserror::Error;

/// Which option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Name {
    Variant,
    Chess960,
    Strict,
}

/// What values an option takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `true` or `false`, with the default.
    Check(bool),
    /// The name of a variant.
    Variant,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Which option.
    pub name: Name,
    /// As the host writes it; the case of letters means nothing.
    pub text: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// What it does, in one line.
    pub effect: &'static str,
}

/// Every option.
pub static OPTIONS: [OptionSpec; 3] = [
    OptionSpec {
        name: Name::Variant,
        text: "UCI_Variant",
        kind: Kind::Variant,
        effect: "the game; choosing another one sets up its start",
    },
    OptionSpec {
        name: Name::Chess960,
        text: "UCI_Chess960",
        kind: Kind::Check(false),
        effect: "castling is written king takes rook, and rights may name any rook (dicechess, burmese, chess)",
    },
    OptionSpec {
        name: Name::Strict,
        text: "Strict",
        kind: Kind::Check(false),
        effect: "what could be mended in a DFEN is an error",
    },
];

/// A value that an option was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Of a check.
    Check(bool),
    /// Of a variant.
    Variant(&'static Variant),
}

/// What is wrong with a `setoption`.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum OptionError {
    /// No such option.
    #[error("unknown option '{0}'")]
    Unknown(String),
    /// A value is missing.
    #[error("option {0} needs a value")]
    NoValue(&'static str),
    /// A value that the option does not take.
    #[error("option {option} takes {wanted}, not '{given}'")]
    Value {
        /// The option.
        option: &'static str,
        /// What it takes.
        wanted: String,
        /// What was given.
        given: String,
    },
}

/// Finds an option and reads its value.
pub fn read(name: &str, value: Option<&str>) -> Result<(Name, Value), OptionError> {
    let spec = OPTIONS
        .iter()
        .find(|spec| spec.text.eq_ignore_ascii_case(name))
        .ok_or_else(|| OptionError::Unknown(shown(name)))?;
    let given = value.ok_or(OptionError::NoValue(spec.text))?.trim();
    let wrong = |wanted: String| OptionError::Value { option: spec.text, wanted, given: shown(given) };
    let value = match spec.kind {
        Kind::Check(_) if given.eq_ignore_ascii_case("true") => Value::Check(true),
        Kind::Check(_) if given.eq_ignore_ascii_case("false") => Value::Check(false),
        Kind::Check(_) => return Err(wrong("true or false".to_string())),
        Kind::Variant => {
            let names = || VARIANTS.iter().map(|variant| variant.name).collect::<Vec<_>>().join(", ");
            Value::Variant(find(given).ok_or_else(|| wrong(format!("one of {}", names())))?)
        }
    };
    Ok((spec.name, value))
}

/// The rest of an `option` line.
pub fn listing(spec: &OptionSpec) -> String {
    match spec.kind {
        Kind::Check(default) => format!("name {} type check default {default}", spec.text),
        Kind::Variant => {
            let vars: String = VARIANTS.iter().map(|variant| format!(" var {}", variant.name)).collect();
            format!("name {} type combo default {}{vars}", spec.text, DEFAULT.name)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked() {
        assert!(matches!(read("uci_chess960", Some("TRUE")), Ok((Name::Chess960, Value::Check(true)))));
        assert!(matches!(read("Strict", None), Err(OptionError::NoValue("Strict"))));
        assert!(matches!(read("Strict", Some("yes")), Err(OptionError::Value { .. })));
        assert!(matches!(read("UCI_Variant", Some("shogi")), Err(OptionError::Value { .. })));
        assert!(matches!(read("Style", Some("1")), Err(OptionError::Unknown(_))));
        assert!(listing(&OPTIONS[0]).starts_with("name UCI_Variant type combo default dicechess var dicechess var "));
    }
}

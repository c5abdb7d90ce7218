//! The options: one table, from which listing, parsing, range errors and the session's values come.

use crate::notation::shown;
use crate::variant::{DEFAULT, VARIANTS};
use thiserror::Error;

/// Which option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Name {
    Variant,
    Chess960,
    Hash,
    ClearHash,
    Threads,
    MultiPv,
    Ponder,
    MoveOverhead,
    ShowWdl,
    AnalyseMode,
    DiceSeed,
    Turns,
    Strict,
    EvalFile,
    LimitStrength,
    Elo,
}

/// What values an option takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `true` or `false`, with the default.
    Check(bool),
    /// A whole number.
    Spin {
        /// Until it is set.
        default: u64,
        /// The least that is taken.
        least: u64,
        /// The most that is taken.
        most: u64,
    },
    /// One of these words, the first being the default.
    Combo(&'static [&'static str]),
    /// The name of a variant.
    Variant,
    /// Any text, empty by default.
    Text,
    /// No value: it acts when it is set.
    Button,
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

const fn spec(name: Name, text: &'static str, kind: Kind, effect: &'static str) -> OptionSpec {
    OptionSpec { name, text, kind, effect }
}

/// What a host writes for a text that is empty.
const EMPTY: &str = "<empty>";

/// Every option.
pub static OPTIONS: [OptionSpec; 16] = [
    spec(Name::Variant, "UCI_Variant", Kind::Variant, "the game; choosing another one sets up its start"),
    spec(
        Name::Chess960,
        "UCI_Chess960",
        Kind::Check(false),
        "castling is written king takes rook, and rights may name any rook (dicechess, burmese, chess)",
    ),
    spec(Name::Hash, "Hash", Kind::Spin { default: 16, least: 1, most: 65_536 }, "MiB of the transposition table"),
    spec(Name::ClearHash, "Clear Hash", Kind::Button, "empties the table"),
    spec(
        Name::Threads,
        "Threads",
        Kind::Spin { default: 1, least: 1, most: 256 },
        "search threads; a search limited by depth gives the same result with any number of them",
    ),
    spec(
        Name::MultiPv,
        "MultiPV",
        Kind::Spin { default: 1, least: 1, most: 256 },
        "how many turns are reported with their values; before the roll, above 1, the best turn of each roll is",
    ),
    spec(Name::Ponder, "Ponder", Kind::Check(false), "whether the host may send `go ponder`; nothing else changes"),
    spec(
        Name::MoveOverhead,
        "Move Overhead",
        Kind::Spin { default: 10, least: 0, most: 5_000 },
        "milliseconds kept back from every time limit",
    ),
    spec(Name::ShowWdl, "UCI_ShowWDL", Kind::Check(false), "info lines carry `wdl`, per mille"),
    spec(Name::AnalyseMode, "UCI_AnalyseMode", Kind::Check(false), "accepted; play and analysis do not differ"),
    spec(
        Name::DiceSeed,
        "DiceSeed",
        Kind::Text,
        "where no roll is given, the dice are derived from this text by the turn's number",
    ),
    spec(
        Name::Turns,
        "Turns",
        Kind::Combo(&["full", "single"]),
        "`bestmove` names the whole turn, or its first single move only",
    ),
    spec(Name::Strict, "Strict", Kind::Check(false), "what could be mended in a DFEN is an error"),
    spec(
        Name::EvalFile,
        "EvalFile",
        Kind::Text,
        "a file with a network for the game; without it, or in another game, the engine's own evaluation is used",
    ),
    spec(
        Name::LimitStrength,
        "UCI_LimitStrength",
        Kind::Check(false),
        "plays at the level of UCI_Elo, one turn deep, whatever the limits",
    ),
    spec(
        Name::Elo,
        "UCI_Elo",
        Kind::Spin { default: 1_000, least: 400, most: 1_300 },
        "the level: 400 a beginner who moves almost at random, 1000 the reference player greedy, 1300 one turn deep in earnest",
    ),
];

/// A value that an option was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Of a check.
    Check(bool),
    /// Of a spin.
    Number(u64),
    /// Of a combo (in the table's spelling), a variant, or a text.
    Text(String),
    /// Of a button.
    Pressed,
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
    /// A value for a button.
    #[error("option {0} takes no value")]
    Surplus(&'static str),
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

/// The values of all options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    values: Vec<(Name, Value)>,
}

impl Default for Options {
    fn default() -> Options {
        let value = |spec: &OptionSpec| match spec.kind {
            Kind::Check(default) => Value::Check(default),
            Kind::Spin { default, .. } => Value::Number(default),
            Kind::Combo(words) => Value::Text(words.first().copied().unwrap_or_default().to_string()),
            Kind::Variant => Value::Text(DEFAULT.name.to_string()),
            Kind::Text => Value::Text(String::new()),
            Kind::Button => Value::Pressed,
        };
        Options { values: OPTIONS.iter().map(|spec| (spec.name, value(spec))).collect() }
    }
}

impl Options {
    fn get(&self, name: Name) -> Option<&Value> {
        self.values.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Whether a check is set.
    pub fn is_on(&self, name: Name) -> bool {
        self.get(name) == Some(&Value::Check(true))
    }

    /// The number of a spin.
    pub fn number(&self, name: Name) -> u64 {
        match self.get(name) {
            Some(Value::Number(number)) => *number,
            _ => 0,
        }
    }

    /// The text of a combo, variant or text.
    pub fn text(&self, name: Name) -> &str {
        match self.get(name) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }

    /// Takes a text back to what it was, where it turned out to be of no use.
    pub fn restore(&mut self, name: Name, text: &str) {
        if let Some((_, known)) = self.values.iter_mut().find(|(known, _)| *known == name) {
            *known = Value::Text(text.to_string());
        }
    }

    /// Sets an option from what the host wrote and says which; on an error nothing changes.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Name, OptionError> {
        let (name, value) = read(name, value)?;
        if let Some((_, known)) = self.values.iter_mut().find(|(known, _)| *known == name) {
            *known = value;
        }
        Ok(name)
    }
}

/// Finds an option and reads its value.
fn read(name: &str, value: Option<&str>) -> Result<(Name, Value), OptionError> {
    let spec = OPTIONS
        .iter()
        .find(|spec| spec.text.eq_ignore_ascii_case(name))
        .ok_or_else(|| OptionError::Unknown(shown(name)))?;
    if spec.kind == Kind::Button {
        return value.map_or(Ok((spec.name, Value::Pressed)), |_| Err(OptionError::Surplus(spec.text)));
    }
    let given = value.ok_or(OptionError::NoValue(spec.text))?.trim();
    let wrong = |wanted: String| OptionError::Value { option: spec.text, wanted, given: shown(given) };
    let word = |words: &[&'static str]| {
        let found = words.iter().find(|word| word.eq_ignore_ascii_case(given));
        found.map(|word| Value::Text(word.to_string())).ok_or_else(|| wrong(format!("one of {}", words.join(", "))))
    };
    let value = match spec.kind {
        Kind::Check(_) if given.eq_ignore_ascii_case("true") => Value::Check(true),
        Kind::Check(_) if given.eq_ignore_ascii_case("false") => Value::Check(false),
        Kind::Check(_) => return Err(wrong("true or false".to_string())),
        Kind::Spin { least, most, .. } => {
            let digits = !given.is_empty() && given.bytes().all(|byte| byte.is_ascii_digit());
            let number = given.parse().ok().filter(|number| digits && (least..=most).contains(number));
            Value::Number(number.ok_or_else(|| wrong(format!("a number from {least} to {most}")))?)
        }
        Kind::Combo(words) => word(words)?,
        Kind::Variant => word(&VARIANTS.iter().map(|variant| variant.name).collect::<Vec<_>>())?,
        Kind::Text if given == EMPTY => Value::Text(String::new()),
        Kind::Text => Value::Text(given.to_string()),
        Kind::Button => Value::Pressed,
    };
    Ok((spec.name, value))
}

/// The rest of an `option` line.
pub fn listing(spec: &OptionSpec) -> String {
    let vars = |words: &[&str]| words.iter().map(|word| format!(" var {word}")).collect::<String>();
    let kind = match spec.kind {
        Kind::Check(default) => format!("check default {default}"),
        Kind::Spin { default, least, most } => format!("spin default {default} min {least} max {most}"),
        Kind::Combo(words) => format!("combo default {}{}", words.first().unwrap_or(&""), vars(words)),
        Kind::Variant => {
            let names: Vec<&str> = VARIANTS.iter().map(|variant| variant.name).collect();
            format!("combo default {}{}", DEFAULT.name, vars(&names))
        }
        Kind::Text => format!("string default {EMPTY}"),
        Kind::Button => "button".to_string(),
    };
    format!("name {} type {kind}", spec.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked() {
        let mut options = Options::default();
        assert_eq!(options.set("uci_chess960", Some("TRUE")), Ok(Name::Chess960));
        assert!(options.is_on(Name::Chess960));
        assert_eq!(options.set("hash", Some("65536")), Ok(Name::Hash));
        assert_eq!(options.number(Name::Hash), 65_536);
        assert_eq!(options.set("DiceSeed", Some("a b")), Ok(Name::DiceSeed));
        assert_eq!(options.text(Name::DiceSeed), "a b");
        assert_eq!(options.set("DiceSeed", Some("<empty>")), Ok(Name::DiceSeed));
        assert_eq!(options.text(Name::DiceSeed), "");
        assert_eq!(options.set("Turns", Some("SINGLE")), Ok(Name::Turns));
        assert_eq!(options.text(Name::Turns), "single");
        let before = options.clone();
        for (name, value, wanted) in [
            ("Strict", None, "option Strict needs a value"),
            ("Strict", Some("yes"), "option Strict takes true or false, not 'yes'"),
            ("Hash", Some("0"), "option Hash takes a number from 1 to 65536, not '0'"),
            ("Hash", Some("65537"), "option Hash takes a number from 1 to 65536, not '65537'"),
            ("Hash", Some("+5"), "option Hash takes a number from 1 to 65536, not '+5'"),
            (
                "Hash",
                Some("99999999999999999999"),
                "option Hash takes a number from 1 to 65536, not '99999999999999999999'",
            ),
            ("Turns", Some("half"), "option Turns takes one of full, single, not 'half'"),
            ("Clear Hash", Some("1"), "option Clear Hash takes no value"),
            ("Style", Some("1"), "unknown option 'Style'"),
        ] {
            assert_eq!(options.set(name, value).unwrap_err().to_string(), wanted);
        }
        assert!(matches!(options.set("UCI_Variant", Some("shogi")), Err(OptionError::Value { .. })));
        assert_eq!(options, before);
        assert!(listing(&OPTIONS[0]).starts_with("name UCI_Variant type combo default dicechess var dicechess var "));
    }

    /// Hosts hide options that begin with `UCI_`, and split values at spaces.
    #[test]
    fn names_and_words_suit_hosts() {
        for spec in &OPTIONS {
            assert!(!spec.text.contains("name") && !spec.text.contains("value"));
            if let Kind::Combo(words) = spec.kind {
                assert!(words.iter().all(|word| !word.contains(' ')));
            }
        }
        assert!(VARIANTS.iter().all(|variant| !variant.name.contains(' ')));
    }
}

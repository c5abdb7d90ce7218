//! What the tests share: data files, positions, random play, the engine as a process.

mod engine;
mod random;

pub use engine::Engine;
pub use random::{reachable, scattered, shuffled, sparse};

use hazard::notation::{Style, from_dfen, turn_text};
use hazard::position::{Position, Rigour, SingleMove};
use hazard::turns::Rules;
use hazard::variant::find;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// A file of the package.
pub fn file(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text of a file in `tests/data`.
pub fn data(name: &str) -> String {
    file(&format!("tests/data/{name}"))
}

/// The rules of a variant by name.
pub fn rules(name: &str) -> Rules {
    Rules::new(find(name).unwrap_or_else(|| panic!("no variant {name}")))
}

/// The position of a DFEN.
pub fn position(rules: &Rules, dfen: &str) -> Position {
    from_dfen(rules, dfen, false, Rigour::Strict).unwrap_or_else(|error| panic!("{dfen}: {error}")).position
}

/// Every legal turn as text, sorted as `legal` sorts.
pub fn turn_texts(rules: &Rules, position: &Position) -> Vec<String> {
    turn_texts_in(rules, position, Style::Orthodox)
}

/// The same with castling written in a style.
pub fn turn_texts_in(rules: &Rules, position: &Position, style: Style) -> Vec<String> {
    let mut texts = Vec::new();
    let order = |mv: SingleMove| turn_text(&[mv], style, ",");
    let _ = rules.each_turn(position, &order, &mut |line| {
        texts.push(turn_text(line, style, ","));
        ControlFlow::Continue(())
    });
    texts
}

/// The path of a file of the package.
pub fn path(name: &str) -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name).display().to_string()
}

/// A folder of its own for a test, gone with it.
pub struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    pub fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("hazard-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Scratch { folder }
    }

    /// The path of a file in it.
    pub fn path(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

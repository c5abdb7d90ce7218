//! The order of the house: a module imports only from rows above its own, and only in `use` lines of its own.

use crate::support::file;
use std::path::{Path, PathBuf};

const ROWS: [(&str, u32); 17] = [
    ("board", 1),
    ("dice", 2),
    ("variant", 3),
    ("position", 4),
    ("turns", 5),
    ("notation", 6),
    ("eval", 6),
    ("limits", 6),
    ("info", 7),
    ("search", 8),
    ("protocol", 8),
    ("analysis", 9),
    ("arena", 9),
    ("train", 9),
    ("bench", 9),
    ("session", 10),
    ("cli", 11),
];

fn row(module: &str) -> Option<u32> {
    ROWS.iter().find(|(name, _)| *name == module).map(|&(_, row)| row)
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The code of a file without its tests and comments.
fn code(text: &str) -> Vec<&str> {
    let end = text.find("#[cfg(test)]\nmod tests").unwrap_or(text.len());
    text[..end].lines().filter(|line| !line.trim_start().starts_with("//")).collect()
}

/// What is wrong with one file of a module.
fn faults(module: &str, text: &str) -> Vec<String> {
    let own = row(module);
    let mut faults = Vec::new();
    for line in code(text) {
        if line.contains("super::super") {
            faults.push(format!("climbs two rooms: {line}"));
        }
        if line.contains("use crate::{") {
            faults.push(format!("bundles modules: {line}"));
        }
        for after in line.split("crate::").skip(1) {
            let name: String = after.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
            match (row(&name), own) {
                (Some(theirs), Some(ours)) if theirs < ours => {}
                _ => faults.push(format!("imports {name}: {line}")),
            }
            if !line.trim_start().starts_with("use ") && !line.trim_start().starts_with("pub use ") {
                faults.push(format!("a path outside a use line: {line}"));
            }
        }
    }
    faults
}

#[test]
fn modules_import_downward_only() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 30);
    let mut found = Vec::new();
    for path in files {
        let inside = path.strip_prefix(&root).unwrap();
        let first = inside.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
        let module = first.trim_end_matches(".rs");
        if matches!(module, "lib" | "main") {
            continue;
        }
        assert!(row(module).is_some(), "{module} has no row");
        let text = std::fs::read_to_string(&path).unwrap();
        found.extend(faults(module, &text).into_iter().map(|fault| format!("{}: {fault}", inside.display())));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_scan_finds_what_it_should() {
    assert_eq!(faults("turns", "use crate::board::Square;\n").len(), 0);
    assert_eq!(faults("board", "use crate::turns::Rules;\n").len(), 1);
    assert_eq!(faults("eval", "use crate::notation::shown;\n").len(), 1);
    assert_eq!(faults("session", "let x = crate::board::Square;\n").len(), 1);
    assert_eq!(faults("session", "use crate::{board, dice};\n").len(), 2);
    assert_eq!(faults("turns", "use super::super::board;\n").len(), 1);
    assert_eq!(faults("board", "#[cfg(test)]\nmod tests {\n use crate::turns::Rules;\n}").len(), 0);
}

#[test]
fn the_top_level_stays_as_it_is() {
    let allowed =
        ["Cargo.toml", "Cargo.lock", "LICENSE", "README.md", "protocol.md", "src", "tests", "benches", "target"];
    for entry in std::fs::read_dir(env!("CARGO_MANIFEST_DIR")).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        assert!(name.starts_with('.') || allowed.contains(&name.as_str()), "{name} needs another room");
    }
}

#[test]
fn modules_that_read_the_world_cannot_panic() {
    for name in [
        "src/notation/mod.rs",
        "src/protocol/mod.rs",
        "src/session/mod.rs",
        "src/cli/mod.rs",
        "src/arena/mod.rs",
        "src/position/setup.rs",
    ] {
        let text = file(name);
        assert!(
            text.contains(
                "#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]"
            ),
            "{name}"
        );
    }
    assert!(file("Cargo.toml").contains("unsafe_code = \"deny\""));
}

//! What the package is made of: only crates of the public registry, under licences that allow everything, each of them
//! explained in the README.

use crate::support::file;
use serde_json::Value;
use std::process::Command;

/// Licences under which a crate may be used by anybody for anything.
const FREE: [&str; 7] =
    ["MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "Zlib", "Unlicense", "Apache-2.0 WITH LLVM-exception"];
/// Of which data in a crate may be besides.
const DATA: [&str; 1] = ["Unicode-3.0"];

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--format-version", "1", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .output()
        .expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Whether one of the alternatives of every part of a licence expression is free.
fn is_free(licence: &str) -> bool {
    licence.split(" AND ").all(|part| {
        let part = part.trim_matches(|letter| matches!(letter, '(' | ')'));
        part.split(" OR ")
            .flat_map(|one| one.split('/'))
            .any(|one| FREE.contains(&one.trim()) || DATA.contains(&one.trim()))
    })
}

#[test]
fn licences_and_sources_are_free() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    assert!(packages.len() > 20);
    for package in packages {
        let name = package["name"].as_str().expect("a name");
        let licence = package["license"].as_str().unwrap_or_default();
        assert!(is_free(licence), "{name}: '{licence}'");
        let source = package["source"].as_str();
        let own = name == "hazard" && source.is_none();
        assert!(own || source == Some("registry+https://github.com/rust-lang/crates.io-index"), "{name}: {source:?}");
    }
    assert!(!is_free("GPL-3.0-only") && !is_free("MIT AND GPL-3.0-only") && !is_free(""));
    assert!(is_free("(MIT OR Apache-2.0) AND Unicode-3.0") && is_free("GPL-2.0-only OR MIT"));
}

#[test]
fn every_dependency_is_explained() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let own = packages.iter().find(|package| package["name"] == "hazard").expect("the package");
    let readme = file("README.md");
    let (_, section) = readme.split_once("## Dependencies").expect("a section");
    let section = section.split("\n## ").next().expect("a section");
    let rows = section.lines().filter_map(|line| line.strip_prefix("| "));
    let named: Vec<&str> = rows.filter_map(|row| row.split(" | ").next()).flat_map(|names| names.split(", ")).collect();
    let used: Vec<&str> =
        own["dependencies"].as_array().expect("dependencies").iter().filter_map(|one| one["name"].as_str()).collect();
    for name in &used {
        assert!(named.contains(name), "{name} is not explained in the README");
    }
    for name in named.iter().filter(|name| **name != "crate" && !name.starts_with('-')) {
        assert!(used.contains(name), "{name} is explained, but not used");
    }
}

//! Hostile input: what the fuzz targets in `tests/fuzz` start from and have found is replayed.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use std::path::Path;

#[test]
fn the_seeds_do_no_harm() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/seeds");
    for (name, target) in targets::TARGETS {
        let mut seeds: Vec<_> = std::fs::read_dir(root.join(name)).unwrap().map(|seed| seed.unwrap().path()).collect();
        seeds.sort();
        assert!(seeds.len() > 3, "{name}");
        for seed in seeds {
            println!("{}", seed.display());
            target(&std::fs::read(&seed).unwrap());
        }
    }
}

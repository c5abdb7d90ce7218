//! The distinct turns of all 56 rolls of a `dicechess` position: the generator against the plain recursion.

use criterion::{Criterion, criterion_group, criterion_main};
use hazard::notation::from_dfen;
use hazard::position::{Position, Rigour};
use hazard::turns::{Rules, oracle};
use hazard::variant::DEFAULT;
use std::collections::HashSet;
use std::hint::black_box;

const POSITIONS: [(&str, &str); 2] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
];

fn rolled(rules: &Rules, dfen: &str) -> Vec<Position> {
    let position = from_dfen(rules, dfen, false, Rigour::Strict).expect("a position").position;
    rules.outcomes(&position).outcomes.into_iter().map(|outcome| outcome.position).collect()
}

fn generated(rules: &Rules, rolls: &[Position]) -> u64 {
    rolls.iter().map(|position| rules.survey(position).ends).sum()
}

fn plain(rules: &Rules, rolls: &[Position]) -> u64 {
    let ends = |position: &Position| {
        let lines = oracle::turns(rules, position);
        let keys: HashSet<u64> = lines
            .into_iter()
            .map(|line| {
                let mut after = line.position;
                after.end_turn(rules.variant, rules.sliders);
                after.afterstate_key()
            })
            .collect();
        keys.len().max(1) as u64
    };
    rolls.iter().map(ends).sum()
}

fn turns(criterion: &mut Criterion) {
    let rules = Rules::new(DEFAULT);
    for (name, dfen) in POSITIONS {
        let rolls = rolled(&rules, dfen);
        assert_eq!(generated(&rules, &rolls), plain(&rules, &rolls), "{name}");
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);
        group.bench_function("generator", |bencher| bencher.iter(|| generated(&rules, black_box(&rolls))));
        group.bench_function("oracle", |bencher| bencher.iter(|| plain(&rules, black_box(&rolls))));
        group.finish();
    }
}

criterion_group!(benches, turns);
criterion_main!(benches);

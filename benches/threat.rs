//! The exact odds of a king's capture against generating all turns: `cargo bench --bench threat`.
//!
//! Both generations stop a roll at its first capture: the generator of all rolls in one pass, and the layered one that
//! takes roll by roll.

mod positions;

use criterion::{Criterion, criterion_group, criterion_main};
use hazard::notation::from_dfen;
use hazard::position::{Position, Rigour};
use hazard::turns::{Effort, Fan, Odds, Rules, Threat};
use hazard::variant::DEFAULT;
use positions::POSITIONS;
use std::hint::black_box;
use std::time::{Duration, Instant};

fn by_sight(rules: &Rules, position: &Position) -> u32 {
    match rules.threat(position) {
        Threat::Mover(odds) => odds.favourable,
        _ => 0,
    }
}

fn by_fan(fan: &mut Fan, weights: &[u32], position: &Position) -> u32 {
    let mut won = 0u64;
    fan.walk(position, (), Fan::ALL, &mut |leaf| {
        won |= if leaf.wins { leaf.rolls } else { 0 };
        if leaf.wins { leaf.rolls } else { 0 }
    });
    weights.iter().enumerate().filter(|(roll, _)| won >> roll & 1 != 0).map(|(_, weight)| weight).sum()
}

fn by_layers(rules: &Rules, position: &Position) -> u32 {
    let wins = |rolled: &Position| {
        rules.afterstates(rolled, Effort::FULL).0.iter().any(|after| after.position.decided(rules.variant).is_some())
    };
    let outcomes = rules.outcomes(position).outcomes;
    outcomes.iter().filter(|outcome| wins(&outcome.position)).map(|outcome| outcome.weight).sum()
}

fn threat(criterion: &mut Criterion) {
    let rules = Rules::new(DEFAULT);
    let mut fan = Fan::new(rules).expect("three dice");
    let weights: Vec<u32> = rules.variant.dice.rolls().into_iter().map(|(_, weight)| weight).collect();
    let mut table = Vec::new();
    for (name, dfen) in POSITIONS {
        let position = from_dfen(&rules, dfen, false, Rigour::Strict).expect("a position").position;
        let favourable = by_sight(&rules, &position);
        assert_eq!(by_fan(&mut fan, &weights, &position), favourable, "{name}");
        assert_eq!(by_layers(&rules, &position), favourable, "{name}");
        criterion.bench_function(&format!("threat {name}"), |bencher| {
            bencher.iter(|| by_sight(&rules, black_box(&position)));
        });
        let mut least = [Duration::MAX; 3];
        let time = |least: &mut Duration, run: &mut dyn FnMut() -> u32| {
            let start = Instant::now();
            black_box(run());
            *least = start.elapsed().min(*least);
        };
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(1) {
            for _ in 0..20 {
                time(&mut least[0], &mut || by_sight(&rules, black_box(&position)));
            }
            time(&mut least[1], &mut || by_fan(&mut fan, &weights, black_box(&position)));
            time(&mut least[2], &mut || by_layers(&rules, black_box(&position)));
        }
        table.push((name, Odds { favourable, total: 216 }, least.map(|least| least.as_nanos() as f64 / 1000.0)));
    }
    println!("\n| position | odds | by sight µs | all rolls in one pass µs | roll by roll µs | ratios |");
    println!("|---|---|---|---|---|---|");
    let mut logs = [0.0; 2];
    for (name, odds, [sight, fan, layers]) in &table {
        let ratios = [fan / sight, layers / sight];
        println!("| {name} | {odds} | {sight:.2} | {fan:.1} | {layers:.0} | {:.1}, {:.0} |", ratios[0], ratios[1]);
        logs.iter_mut().zip(ratios).for_each(|(log, ratio)| *log += ratio.ln());
    }
    let [fan, layers] = logs.map(|log| (log / table.len() as f64).exp());
    println!("\ngeometric means of the ratios: {fan:.1}, {layers:.0}");
}

criterion_group!(benches, threat);
criterion_main!(benches);

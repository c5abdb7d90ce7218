//! What the network costs, part by part, against a pass from nothing: `cargo bench --bench eval`.
//!
//! Instructions are counted by `perf stat`, where the machine lets it, else by callgrind: the program runs itself once
//! with one part's work and once without, so that nothing else counts.

use criterion::{Criterion, criterion_group};
use hazard::board::Color;
use hazard::eval::threats::threats;
use hazard::eval::{Accumulator, Choice, Head, Network};
use hazard::notation::from_dfen;
use hazard::position::{Position, Rigour, SingleMove};
use hazard::turns::Rules;
use hazard::variant::find;
use std::hint::black_box;
use std::process::Command;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

const PARTS: [&str; 5] = ["attacks on kings", "update", "output", "all attacks", "from nothing"];

struct Scene {
    rules: Rules,
    position: Position,
    mv: SingleMove,
    choice: Choice,
}

fn scene() -> Scene {
    let rules = Rules::new(find("dicechess").expect("the game"));
    let position = from_dfen(&rules, &format!("{KIWIPETE} -"), false, Rigour::Strict).expect("kiwipete").position;
    let square = |text| hazard::board::Square::parse(text).expect("a square");
    // A quiet move of the queen.
    let mv = SingleMove::new(square("f3"), square("g3"));
    Scene { rules, position, mv, choice: Choice::Own("dicechess") }
}

/// One part, once.
fn work(part: &str, scene: &Scene, network: &Network, accumulator: &Accumulator) -> i32 {
    let Scene { rules, position, mv, .. } = scene;
    match part {
        "attacks on kings" => {
            let roles = [Color::White, Color::Black].map(|side| rules.attacking_roles(black_box(position), side));
            i32::from(roles[0] | roles[1])
        }
        "update" => {
            let (mut next, mut followed) = (*position, *accumulator);
            next.displace(rules.variant, black_box(*mv), &mut followed);
            i32::from(followed.units(Color::White).0[0])
        }
        "output" => accumulator.logit(Color::White, black_box([0, 0]), 32, Head::Full),
        "all attacks" => i32::from(threats(rules, black_box(position), Color::White, true)[0]),
        _ => network.logit_of(rules, black_box(position), Head::Full),
    }
}

const RUNS: u64 = 200_000;

/// Instructions of a run of this program, none where they cannot be counted.
fn counted(part: &str) -> Option<f64> {
    let count = |part: &str| -> Option<f64> {
        let program = std::env::current_exe().ok()?;
        let run = |command: &str, words: &[&str]| {
            let output = Command::new(command).args(words).arg(&program).env("HAZARD_PART", part).output().ok()?;
            Some(String::from_utf8_lossy(&output.stderr).into_owned())
        };
        let by_perf = run("perf", &["stat", "-x,", "-e", "instructions:u"])
            .and_then(|text| text.split(',').next()?.trim().parse().ok());
        // The last line of callgrind: `==1== Collected : 123`.
        let by_callgrind = || {
            let text = run("valgrind", &["--tool=callgrind", "--callgrind-out-file=/dev/null"])?;
            text.lines().find_map(|line| line.split("Collected :").nth(1)?.trim().parse().ok())
        };
        by_perf.or_else(by_callgrind)
    };
    Some((count(part)? - count("nothing")?) / RUNS as f64)
}

fn eval(criterion: &mut Criterion) {
    let scene = scene();
    let network = scene.choice.get().network().expect("a network");
    let accumulator = Accumulator::new(network, &scene.position);
    for part in PARTS {
        criterion.bench_function(part, |bencher| bencher.iter(|| work(part, &scene, network, &accumulator)));
    }
    for part in PARTS {
        match counted(part) {
            Some(instructions) => println!("{part}: {instructions:.0} instructions"),
            None => println!("{part}: instructions cannot be counted here"),
        }
    }
}

criterion_group!(benches, eval);

fn main() {
    if let Ok(part) = std::env::var("HAZARD_PART") {
        let scene = scene();
        let network = scene.choice.get().network().expect("a network");
        let accumulator = Accumulator::new(network, &scene.position);
        let runs = if part == "nothing" { 0 } else { RUNS };
        (0..runs).for_each(|_| {
            black_box(work(&part, &scene, network, &accumulator));
        });
        return;
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
}

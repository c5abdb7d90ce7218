//! Chess, counted to a depth with bulk counting, beside the crate cozy-chess: `cargo bench --bench perft`.

use criterion::{Criterion, criterion_group, criterion_main};
use hazard::notation::from_dfen;
use hazard::position::{Position, Rigour};
use hazard::turns::Rules;
use hazard::variant::find;
use std::hint::black_box;
use std::time::Instant;

const POSITIONS: [(&str, &str, u32, u64); 3] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119_060_324),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193_690_690),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
];

fn ours(rules: &Rules, position: &Position, depth: u32) -> u64 {
    rules.perft(position, depth, &|| false).nodes
}

fn theirs(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
            return false;
        }
        for mv in moves {
            let mut next = board.clone();
            next.play_unchecked(mv);
            nodes += theirs(&next, depth - 1);
        }
        false
    });
    nodes
}

fn perft(criterion: &mut Criterion) {
    let rules = Rules::new(find("chess").expect("a variant"));
    let mut table = Vec::new();
    for (name, fen, depth, nodes) in POSITIONS {
        let position = from_dfen(&rules, fen, false, Rigour::Strict).expect("a position").position;
        let board: cozy_chess::Board = fen.parse().expect("a board");
        let mut group = criterion.benchmark_group(format!("perft {name}"));
        group.sample_size(10);
        group.bench_function("hazard", |bencher| bencher.iter(|| ours(&rules, black_box(&position), depth - 2)));
        group.bench_function("cozy-chess", |bencher| bencher.iter(|| theirs(black_box(&board), depth - 2)));
        group.finish();
        let mut least = [f64::MAX; 2];
        for _ in 0..5 {
            let start = Instant::now();
            assert_eq!(ours(&rules, black_box(&position), depth), nodes, "{name}");
            least[0] = least[0].min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            assert_eq!(theirs(black_box(&board), depth), nodes, "{name}");
            least[1] = least[1].min(start.elapsed().as_secs_f64());
        }
        table.push((name, depth, nodes, least));
    }
    println!("\n| position | depth | nodes | million a second | cozy-chess | ratio |");
    println!("|---|---|---|---|---|---|");
    for (name, depth, nodes, [ours, theirs]) in table {
        let speed = |seconds: f64| nodes as f64 / seconds / 1e6;
        println!(
            "| {name} | {depth} | {nodes} | {:.0} | {:.0} | {:.2} |",
            speed(ours),
            speed(theirs),
            speed(ours) / speed(theirs)
        );
    }
}

criterion_group!(benches, perft);
criterion_main!(benches);

//! What pruning saves, what a second thread gains, and how far a search oversteps its time: `cargo bench --bench search`.

use criterion::{Criterion, criterion_group, criterion_main};
use hazard::eval::{Choice, Material};
use hazard::limits::Limits;
use hazard::notation::from_dfen;
use hazard::position::{Position, Rigour};
use hazard::search::plain::Plain;
use hazard::search::{Request, Table, Width, think};
use hazard::turns::Rules;
use hazard::variant::find;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Decisions of every kind of game, each with the depth to which both are counted.
const POSITIONS: [(&str, &str, u32); 20] = [
    ("dicechess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB", 2),
    ("dicechess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNR", 2),
    ("dicechess", "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 3 pnk", 2),
    ("dicechess", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 RRK", 2),
    ("dicechess", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1 nbk", 2),
    ("dicechess", "1rNk2nr/1ppp1ppp/4q3/2b5/1n1Pp3/5N2/PPPQPPPP/1RBK1B1R b - d3 2 4 nrk", 2),
    ("dicechess", "8/1q3pk1/6p1/8/3Q4/6P1/5PK1/8 w - - 0 40 PPK", 2),
    ("dicechess", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10 PRK", 2),
    ("dicechess", "4k2r/2p3p1/8/PpPpPpP1/7P/8/5P2/R3K2R w KQk b6d6f6 0 20 PPK", 2),
    ("dicechess", "2b1k2n/1P1P1PP1/8/8/8/8/1ppp2p1/R3K2N w Q - 0 30 NRK", 2),
    ("dicehard", "r1b1k1nr/ppqppppp/8/P1p5/1nP4P/R4N2/1PQPPPP1/1NB1KB1R b - - 0 1 *", 3),
    ("diceultimate", "r1b1kbnr/pppp3p/2n2q2/4ppp1/3N4/N7/PPPPPPPP/1RBQKB1R w - - 0 1 N>p", 2),
    ("dicecheckmate", "1rb1kbnr/pp2pp2/n4qpp/2pp4/8/P1P5/1P1PPPPP/RNBQKBR1 w Qk - 0 1 [PN]", 3),
    ("brainking", "1nb1kbnr/1pppqpB1/2r4p/p3p3/8/1P3N1P/P1PPPPPR/RNQK1B2 b k - 0 1 p", 4),
    ("vegas", "rnbqkbnr/1ppp1ppp/p7/4p3/P7/3P4/1PPKPPPP/RNBQ1BNR b kq - 0 1 [pn]", 3),
    ("anydice", "rnq2bnr/ppp1pppp/3pk3/5b2/4P3/NPPB4/P2P1PPP/R1B1K1NR b KQ - 0 1 n", 4),
    ("gollon-count", "8/5k2/8/3n4/8/2B5/4K3/8 w - - 0 1 **", 2),
    ("gollon-piececount", "rnbqkbnr/pppp1p1p/4p3/8/1P1BP1p1/6P1/P1PP1P1P/RN1QKBNR w KQkq - 0 1 PPP", 2),
    ("chess", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 -", 4),
    ("chess", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 -", 5),
];

fn parse(variant: &str, dfen: &str) -> (Rules, Position) {
    let rules = Rules::new(find(variant).expect("a variant"));
    let position = from_dfen(&rules, dfen, false, Rigour::Strict).expect("a position").position;
    (rules, position)
}

/// Nodes, value and time of a search in full width.
fn full(rules: &Rules, position: &Position, depth: u32, threads: usize, table: &Table) -> (u64, i32, Duration) {
    table.clear();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let request = Request { threads, width: Width::Full, ..Request::new(rules, position, &Material, table, &limits) };
    let start = Instant::now();
    let info = think(&request, &AtomicBool::new(false), &mut |_| {}).info.expect("a value");
    (info.nodes, info.score.0, start.elapsed())
}

fn pruning() {
    println!("\n| game | position | depth | plain nodes | nodes | saving |");
    println!("|---|---|---|---|---|---|");
    let mut logs: Vec<f64> = Vec::new();
    for (variant, dfen, depth) in POSITIONS {
        let (rules, position) = parse(variant, dfen);
        let mut plain = Plain::new(rules, &Material);
        let wanted = plain.best(&position, depth).expect("a turn").1;
        let (nodes, score, _) = full(&rules, &position, depth, 1, &Table::new(16));
        assert_eq!(score, wanted.0, "{variant} {dfen}");
        let saving = plain.nodes as f64 / nodes as f64;
        println!("| {variant} | `{dfen}` | {depth} | {} | {nodes} | {saving:.1} |", plain.nodes);
        logs.push(saving.ln());
    }
    println!("\ngeometric mean of the savings: {:.1}", (logs.iter().sum::<f64>() / logs.len() as f64).exp());
}

/// The saving grows with depth.
fn by_depth() {
    println!("\n| game | position | saving at depth 2 | 3 | 4 | 5 |");
    println!("|---|---|---|---|---|---|");
    for (variant, dfen, deepest) in [
        ("dicechess", "8/3k4/3p4/8/8/8/8/K6N w - - 0 1 NKK", 3),
        ("dicehard", "8/5k2/8/3n4/8/2B5/4KP2/8 w - - 0 1 *", 4),
        ("brainking", "8/5k2/8/3n1p2/8/2B5/4KP2/8 w - - 0 1 B", 5),
        ("anydice", "8/5k2/8/3n1p2/8/2B5/4KP2/8 w - - 0 1 B", 5),
        ("chess", "8/5k2/8/3n1p2/8/2B5/4KP2/8 w - - 0 1 -", 5),
    ] {
        let (rules, position) = parse(variant, dfen);
        let savings = (2..=5).map(|depth| {
            if depth > deepest {
                return String::new();
            }
            let mut plain = Plain::new(rules, &Material);
            let wanted = plain.best(&position, depth).expect("a turn").1;
            let (nodes, score, _) = full(&rules, &position, depth, 1, &Table::new(16));
            assert_eq!(score, wanted.0, "{variant} {dfen}");
            format!("{:.1}", plain.nodes as f64 / nodes as f64)
        });
        println!("| {variant} | `{dfen}` | {} |", savings.collect::<Vec<_>>().join(" | "));
    }
}

/// A whole two-turn search on one thread and on two, against two searches side by side that know nothing of each other.
fn threads() {
    let dfen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 PNB";
    let (rules, position) = parse("dicechess", dfen);
    let tables = [Table::new(16), Table::new(16)];
    let run = |threads: usize, table: usize| full(&rules, &position, 2, threads, &tables[table]).2.as_secs_f64();
    let mut least = [f64::MAX; 3];
    for _ in 0..20 {
        least[0] = least[0].min(run(1, 0));
        least[1] = least[1].min(run(2, 0));
        // Two at once do twice the work in this time.
        let both = thread::scope(|scope| {
            let other = scope.spawn(|| run(1, 1));
            run(1, 0).max(other.join().unwrap_or(f64::MAX))
        });
        least[2] = least[2].min(both);
    }
    let [one, two, both] = least;
    let nodes = [1, 2].map(|threads| full(&rules, &position, 2, threads, &tables[0]).0);
    println!("\nnodes on one thread and on two: {nodes:?}");
    println!("\nkiwipete 123, two turns in full width: {:.0} ms on one thread, {:.0} ms on two", one * 1e3, two * 1e3);
    println!(
        "speed-up {:.2}; of two searches side by side {:.2}; share {:.3}",
        one / two,
        2.0 * one / both,
        both / 2.0 / two
    );
}

fn overshoot() {
    let (limit, games) = (Duration::from_millis(20), POSITIONS.len());
    let mut over: Vec<f64> = Vec::new();
    for number in 0..1000 {
        let (variant, dfen, _) = POSITIONS[number % games];
        let (rules, position) = parse(variant, dfen);
        let (table, choice) = (Table::new(1), Choice::Own(rules.variant.name));
        let limits = Limits { movetime: Some(limit), ..Limits::default() };
        let request =
            Request { threads: 1 + number % 2, ..Request::new(&rules, &position, choice.get(), &table, &limits) };
        let start = Instant::now();
        think(&request, &AtomicBool::new(false), &mut |_| {});
        if start.elapsed() > limit + Duration::from_millis(3) && std::env::var("WHO").is_ok() {
            println!("{variant} {dfen} {:?}", start.elapsed());
        }
        over.push((start.elapsed().as_secs_f64() - limit.as_secs_f64()) * 1e3);
    }
    over.sort_by(f64::total_cmp);
    println!(
        "\n1,000 searches at 20 ms: over by {:.2} ms in the 99th percentile, {:.2} ms at most",
        over[989], over[999]
    );
    let mut latest = Vec::new();
    for number in 0..100 {
        let (variant, dfen, _) = POSITIONS[number % games];
        let (rules, position) = parse(variant, dfen);
        let stop = AtomicBool::new(false);
        let latency = thread::scope(|scope| {
            let search = scope.spawn(|| {
                let (table, choice) = (Table::new(1), Choice::Own(rules.variant.name));
                let limits = Limits { infinite: true, ..Limits::default() };
                let request = Request { threads: 2, ..Request::new(&rules, &position, choice.get(), &table, &limits) };
                think(&request, &stop, &mut |_| {});
                Instant::now()
            });
            thread::sleep(Duration::from_millis(10 + number as u64 % 17));
            let told = Instant::now();
            stop.store(true, Ordering::Relaxed);
            search.join().map_or(0.0, |end| end.saturating_duration_since(told).as_secs_f64() * 1e3)
        });
        if latency > 3.0 && std::env::var("WHO").is_ok() {
            println!("stop {variant} {dfen} {latency}ms");
        }
        latest.push(latency);
    }
    latest.sort_by(f64::total_cmp);
    println!("stop: {:.2} ms in the median, {:.2} ms at most of 100", latest[50], latest[99]);
}

fn search(criterion: &mut Criterion) {
    let dfen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 RRK";
    let ((rules, position), table) = (parse("dicechess", dfen), Table::new(16));
    criterion
        .bench_function("two turns", |bencher| bencher.iter(|| full(&rules, black_box(&position), 2, 1, &table).0));
    threads();
    overshoot();
    pruning();
    by_depth();
}

criterion_group!(benches, search);
criterion_main!(benches);

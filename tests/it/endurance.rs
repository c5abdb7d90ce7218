//! What long use and large demands do to memory and to the time until an answer.

use crate::support::{Engine, Scratch};
use hazard::variant::VARIANTS;
use std::collections::BTreeSet;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const HAZARD: &str = env!("CARGO_BIN_EXE_hazard");

/// A number of KiB from the state of a process, none where it has gone.
fn kib(process: u32, field: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.trim_start_matches(':').split_whitespace().next()?.parse().ok()
}

/// The processes that another has started, with whether they are dead and not yet buried.
fn children(parent: u32) -> Vec<(u32, bool)> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let child = |process: u32| {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        let dead = fields.next()? == "Z";
        (fields.next()?.parse() == Ok(parent)).then_some((process, dead))
    };
    numbers.filter_map(child).collect()
}

/// What was seen of a match while it was going on.
#[derive(Default)]
struct Watch {
    /// KiB of the referee, of its smallest engine and of its largest, look by look.
    looks: Vec<[u64; 3]>,
}

impl Watch {
    /// Looks until the match is over. A dead engine may be seen once, before it is buried; not twice.
    fn over(child: &mut Child) -> Watch {
        let mut watch = Watch::default();
        let mut dead_before = BTreeSet::new();
        while child.try_wait().unwrap().is_none() {
            let engines = children(child.id());
            let dead: BTreeSet<u32> = engines.iter().filter(|(_, dead)| *dead).map(|(process, _)| *process).collect();
            assert_eq!(dead.intersection(&dead_before).next(), None, "an engine is dead and not buried");
            dead_before = dead;
            let sizes: Vec<u64> = engines.iter().filter_map(|(process, _)| kib(*process, "VmRSS")).collect();
            if let (Some(own), Some(least), Some(most)) =
                (kib(child.id(), "VmRSS"), sizes.iter().min(), sizes.iter().max())
            {
                watch.looks.push([own, *least, *most]);
            }
            std::thread::sleep(Duration::from_millis(250));
        }
        watch
    }

    /// The largest numbers of the second third of the time and of the last.
    fn thirds(&self) -> [[u64; 3]; 2] {
        let third = self.looks.len() / 3;
        let largest = |looks: &[[u64; 3]]| [0, 1, 2].map(|at| looks.iter().map(|look| look[at]).max().unwrap_or(0));
        [largest(&self.looks[third..2 * third]), largest(&self.looks[2 * third..])]
    }
}

/// Engines in processes of their own play many fast games of every kind.
fn soak(rounds: u32) {
    let scratch = Scratch::new("soak");
    for variant in &VARIANTS {
        let (engine, out, errors) = (format!("cmd={HAZARD}"), scratch.path("out"), scratch.path("errors"));
        let rounds = rounds.to_string();
        let start = Instant::now();
        let mut words =
            vec!["match", "-variant", variant.name, "-engine", &engine, "name=A", "-engine", &engine, "name=B"];
        words.extend(["-each", "tc=60+1", "nodes=100", "option.Hash=1", "-rounds", &rounds, "-concurrency", "2"]);
        words.extend(["-ratinginterval", "0"]);
        let mut child = Command::new(HAZARD)
            .args(&words)
            .stdin(Stdio::null())
            .stdout(fs::File::create(&out).unwrap())
            .stderr(fs::File::create(&errors).unwrap())
            .spawn()
            .unwrap();
        let watch = Watch::over(&mut child);
        assert!(child.wait().unwrap().success(), "{}: {}", variant.name, fs::read_to_string(&errors).unwrap());
        let report = fs::read_to_string(&out).unwrap();
        let endings = report.lines().find_map(|line| line.strip_prefix("Ended by: ")).unwrap();
        for fault in ["illegal", "time forfeit", "abandoned", "stalled", "disconnect", "adjudication"] {
            assert!(!endings.contains(fault), "{}: {endings}", variant.name);
        }
        let [middle, last] = watch.thirds();
        let seconds = start.elapsed().as_secs();
        println!("{}: {rounds} pairs in {seconds} s, KiB {middle:?} then {last:?}; {endings}", variant.name);
        // A crowded board makes an engine larger for good, one sooner than another: what leaks shows in the smallest. A few
        // looks say nothing.
        for at in [0, 1].into_iter().filter(|_| watch.looks.len() > 60) {
            assert!(last[at] <= middle[at] + middle[at] / 10 + 4096, "{}: {middle:?} grew to {last:?}", variant.name);
        }
        assert!(last[2] < 96 * 1024, "{}: {last:?}", variant.name);
    }
}

#[test]
#[ignore = "long: 20,020 games of real processes"]
fn many_fast_games() {
    soak(770);
}

/// Memory of an engine, in MiB: now, and the most there was.
fn mib(engine: &Engine) -> [u64; 2] {
    ["VmRSS", "VmHWM"].map(|field| kib(engine.process(), field).expect("it runs") / 1024)
}

#[test]
fn new_games_leave_nothing_behind() {
    let mut engine = Engine::new();
    engine.send("setoption name Hash value 64");
    let mut after = Vec::new();
    for game in 0..200 {
        engine.send("ucinewgame");
        engine.send("position startpos moves 124");
        engine.send("go nodes 2000");
        engine.until("bestmove");
        if game % 50 == 49 {
            after.push(mib(&engine)[0]);
        }
    }
    println!("MiB after 50, 100, 150 and 200 games: {after:?}");
    assert!(after[3] <= after[0] + 8, "{after:?}");
}

/// The most that the options allow is more than there is: the engine takes what it gets and uses what it needs.
#[test]
fn options_at_their_limits() {
    let mut engine = Engine::new();
    engine.send("setoption name Hash value 65536");
    engine.send("setoption name Threads value 256");
    engine.send("position startpos moves 124");
    let start = Instant::now();
    engine.send("go movetime 500");
    engine.until("bestmove");
    println!("answered after {:?} with {:?} MiB", start.elapsed(), mib(&engine));
    assert!(mib(&engine)[1] < 4096, "{:?}", mib(&engine));
    engine.send("ucinewgame");
    engine.send("setoption name Hash value 1");
    engine.send("setoption name Threads value 1");
    assert_eq!(engine.ask("position startpos"), Vec::<String>::new());
    engine.send("go depth 1");
    engine.until("bestmove");
}

/// Positions with more turns than any game will see.
const CROWDED: [(&str, &str); 4] = [
    ("dicechess", "k7/7Q/2Q5/4Q3/1Q5Q/3Q4/Q4Q2/2Q1K3 w - - 0 1 QQQ"),
    ("dicechess", "krb5/ppb4Q/4Q3/7Q/1Q6/3Q4/Q4Q2/2Q1K2Q w - - 0 1 QQQ"),
    ("pawnhunt", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1 *****"),
    ("gollon-piececount", "k7/p6Q/2Q5/4Q3/1Q5Q/3Q4/Q4Q2/2Q1K3 w - - 0 1 QQQQQQ"),
];

#[test]
fn crowded_boards_are_counted_and_searched() {
    for (variant, dfen) in CROWDED {
        let mut engine = Engine::of(variant);
        assert_eq!(engine.ask(&format!("position fen {dfen}")), Vec::<String>::new(), "{dfen}");
        let start = Instant::now();
        engine.send("go movetime 10");
        engine.until("bestmove");
        let searched = start.elapsed();
        let start = Instant::now();
        let closing = engine.legal().pop().unwrap();
        println!(
            "{variant} {dfen}: searched in {searched:?}, {closing} in {:?}, {:?} MiB",
            start.elapsed(),
            mib(&engine)
        );
        assert!(mib(&engine)[1] < 256, "{variant} {dfen}: {:?}", mib(&engine));
    }
}

#[test]
#[ignore = "long: ten minutes"]
fn ten_minutes_of_thought() {
    let mut engine = Engine::new();
    engine.send("setoption name Threads value 2");
    engine.send("position startpos moves 124");
    engine.send("go infinite");
    let mut looks = Vec::new();
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(600) {
        std::thread::sleep(Duration::from_secs(60));
        looks.push(mib(&engine)[0]);
    }
    let start = Instant::now();
    engine.send("stop");
    engine.until("bestmove");
    println!("MiB after each minute: {looks:?}; answered after {:?}", start.elapsed());
    assert!(looks[9] <= looks[1] + 8, "{looks:?}");
}

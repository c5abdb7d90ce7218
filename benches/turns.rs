//! The distinct turns of all 56 rolls of a `dicechess` position: the generator against a plain recursion.
//!
//! `cargo bench --bench turns` runs both under criterion and then prints the table of ratios, measured in turns in one
//! run. The baseline is the plain recursion over copy-make boards with magic sliders, an incremental key and a hash set
//! (foldhash), roll by roll; it shares nothing with the generator but the attack tables and the hash keys.

mod positions;

use criterion::{Criterion, criterion_group, criterion_main};
use foldhash::fast::RandomState;
use hazard::board::{Bitboard, Color, Piece, Role, Sliders, Square, zobrist};
use hazard::board::{between, king_attacks, knight_attacks, pawn_attacks};
use hazard::dice::DiceKind;
use hazard::notation::from_dfen;
use hazard::position::{Position, Rigour, Wing};
use hazard::turns::{Audience, Fan, FanLeaf, FanSet, Rules};
use hazard::variant::DEFAULT;

use positions::POSITIONS;
use std::collections::HashSet;
use std::hash::Hash;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The plain recursion.
mod baseline {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Board<K> {
        roles: [Bitboard; 6],
        colors: [Bitboard; 2],
        targets: Bitboard,
        /// Homes of the rooks with which one may castle.
        homes: Bitboard,
        key: K,
    }

    /// What a board is known by in the set, and what has to be kept for it.
    pub trait Known: Copy + Default {
        type Name: Hash + Eq;
        fn toggle(&mut self, key: impl FnOnce() -> u64);
        fn name(board: &Board<Self>) -> Self::Name;
    }

    /// Itself.
    impl Known for () {
        type Name = Board<()>;
        fn toggle(&mut self, _: impl FnOnce() -> u64) {}
        fn name(board: &Board<()>) -> Board<()> {
            *board
        }
    }

    /// A key of 64 bits, changed with every man moved.
    impl Known for u64 {
        type Name = u64;
        fn toggle(&mut self, key: impl FnOnce() -> u64) {
            *self ^= key();
        }
        fn name(board: &Board<u64>) -> u64 {
            board.key
        }
    }

    pub struct Plain<K: Known> {
        sliders: &'static Sliders,
        side: Color,
        rolls: Vec<[u8; 6]>,
        quiet: HashSet<K::Name, RandomState>,
        wins: HashSet<K::Name, RandomState>,
        most: Option<u32>,
        pub sequences: u64,
    }

    impl<K: Known> Plain<K> {
        pub fn new(side: Color) -> Self {
            let counts = |dice: &[hazard::dice::Face]| {
                let mut counts = [0; 6];
                dice.iter().for_each(|die| counts[die.role().index()] += 1);
                counts
            };
            Plain {
                sliders: Sliders::get(),
                side,
                rolls: DiceKind::Three.rolls().iter().map(|(roll, _)| counts(roll.dice())).collect(),
                quiet: HashSet::default(),
                wins: HashSet::default(),
                most: None,
                sequences: 0,
            }
        }

        /// The distinct afterstates of all rolls, roll by roll.
        pub fn ends(&mut self, position: &Position) -> u64 {
            let board = Board::new(position);
            self.sequences = 0;
            let mut ends = 0;
            for roll in self.rolls.clone() {
                self.quiet.clear();
                self.wins.clear();
                self.most = None;
                self.turn(&board, roll, 0);
                ends += (self.quiet.len() + self.wins.len()) as u64;
            }
            ends
        }

        fn turn(&mut self, board: &Board<K>, pool: [u8; 6], spent: u32) {
            let mut moved = false;
            for role in Role::ALL {
                if pool[role.index()] == 0 {
                    continue;
                }
                let mut rest = pool;
                rest[role.index()] -= 1;
                for from in board.colors[self.side.index()] & board.roles[role.index()] {
                    for to in self.targets(board, role, from) {
                        moved = true;
                        self.moved(board, role, from, to, rest, spent + 1);
                    }
                }
            }
            if pool[Role::King.index()] > 0 && pool[Role::Rook.index()] > 0 {
                let mut rest = pool;
                rest[Role::King.index()] -= 1;
                rest[Role::Rook.index()] -= 1;
                for wing in Wing::ALL {
                    if let Some(next) = board.castled(self.side, wing) {
                        moved = true;
                        self.turn(&next, rest, spent + 2);
                    }
                }
            }
            if !moved {
                self.sequences += 1;
                if self.most < Some(spent) {
                    self.most = Some(spent);
                    self.quiet.clear();
                }
                if self.most == Some(spent) {
                    self.quiet.insert(board.end(self.side));
                }
            }
        }

        fn moved(&mut self, board: &Board<K>, role: Role, from: Square, to: Square, rest: [u8; 6], spent: u32) {
            let takes_king = board.roles[Role::King.index()].has(to);
            if takes_king {
                self.sequences += 1;
                self.wins.insert(board.after(self.side, role, from, to, role).end(self.side));
            } else if role == Role::Pawn && to.rank() == self.side.relative_rank(7) {
                for promotion in Role::PROMOTIONS {
                    self.turn(&board.after(self.side, role, from, to, promotion), rest, spent);
                }
            } else {
                self.turn(&board.after(self.side, role, from, to, role), rest, spent);
            }
        }

        fn targets(&self, board: &Board<K>, role: Role, from: Square) -> Bitboard {
            let occupied = board.colors[0] | board.colors[1];
            let reached = match role {
                Role::Pawn => {
                    let step = |square: Square| square.offset(0, self.side.forward());
                    let free = |square: &Square| !occupied.has(*square);
                    let usable = board.targets & Bitboard::rank(self.side.relative_rank(5));
                    let enemies = board.colors[self.side.other().index()];
                    let mut reached = pawn_attacks(self.side, from) & (enemies | usable);
                    if let Some(one) = step(from).filter(free) {
                        reached |= one.bit();
                        if from.rank() == self.side.relative_rank(1) {
                            reached |= step(one).filter(free).map_or(Bitboard::EMPTY, Square::bit);
                        }
                    }
                    reached
                }
                Role::Knight => knight_attacks(from),
                Role::Bishop => self.sliders.bishop(from, occupied),
                Role::Rook => self.sliders.rook(from, occupied),
                Role::Queen => self.sliders.queen(from, occupied),
                Role::King => king_attacks(from),
            };
            reached & !board.colors[self.side.index()]
        }
    }

    impl<K: Known> Board<K> {
        fn new(position: &Position) -> Self {
            let homes = Color::ALL
                .into_iter()
                .flat_map(|color| Wing::ALL.into_iter().filter_map(move |wing| position.castling_rook(color, wing)));
            Board {
                roles: Role::ALL.map(|role| position.role(role)),
                colors: Color::ALL.map(|color| position.of(color)),
                targets: position.targets(),
                homes: homes.collect(),
                key: K::default(),
            }
        }

        fn toggle(&mut self, color: Color, role: Role, square: Square) {
            self.roles[role.index()] ^= square.bit();
            self.colors[color.index()] ^= square.bit();
            self.key.toggle(|| zobrist::man(Piece::new(color, role), square));
        }

        fn forget(&mut self, targets: Bitboard) {
            for target in self.targets & targets {
                self.targets ^= target.bit();
                self.key.toggle(|| zobrist::target(target));
            }
        }

        fn lose(&mut self, homes: Bitboard) {
            for home in self.homes & homes {
                self.homes ^= home.bit();
                self.key.toggle(|| zobrist::home(home));
            }
        }

        /// The man on a square is gone, and with it the target that it left behind as a pawn.
        fn gone(&mut self, square: Square) {
            match square.rank() {
                3 => self.forget(Square::on(square.file(), 2).bit()),
                4 => self.forget(Square::on(square.file(), 5).bit()),
                _ => {}
            }
        }

        fn after(&self, side: Color, role: Role, from: Square, to: Square, arrives: Role) -> Self {
            let mut next = *self;
            let enemy = side.other();
            let passes = role == Role::Pawn && from.file() != to.file() && self.targets.has(to);
            let victim = if passes { Square::on(to.file(), from.rank()) } else { to };
            if self.colors[enemy.index()].has(victim) {
                let taken = Role::ALL.into_iter().find(|taken| self.roles[taken.index()].has(victim));
                let taken = taken.unwrap_or(Role::Pawn);
                next.toggle(enemy, taken, victim);
                next.gone(victim);
                next.lose(victim.bit());
                if taken == Role::King {
                    next.lose(Bitboard::rank(enemy.relative_rank(0)));
                }
            }
            next.toggle(side, role, from);
            next.toggle(side, arrives, to);
            next.gone(from);
            next.forget(to.bit());
            match role {
                Role::King => next.lose(Bitboard::rank(side.relative_rank(0))),
                Role::Rook => next.lose(from.bit()),
                Role::Pawn if from.rank().abs_diff(to.rank()) == 2 => {
                    let target = Square::on(to.file(), side.relative_rank(2));
                    next.targets |= target.bit();
                    next.key.toggle(|| zobrist::target(target));
                }
                _ => {}
            }
            next
        }

        fn castled(&self, side: Color, wing: Wing) -> Option<Self> {
            let king = (self.colors[side.index()] & self.roles[Role::King.index()]).first()?;
            let own_homes = self.homes & Bitboard::rank(side.relative_rank(0));
            let rook = { own_homes }.find(|rook| (rook.file() > king.file()) == (wing == Wing::King))?;
            let (king_file, rook_file) = wing.files();
            let (king_to, rook_to) = (Square::on(king_file, king.rank()), Square::on(rook_file, king.rank()));
            let path = between(king, king_to) | king_to.bit() | between(rook, rook_to) | rook_to.bit();
            if path.intersects((self.colors[0] | self.colors[1]).without(king).without(rook)) {
                return None;
            }
            let mut next = *self;
            next.toggle(side, Role::King, king);
            next.toggle(side, Role::Rook, rook);
            next.toggle(side, Role::King, king_to);
            next.toggle(side, Role::Rook, rook_to);
            next.lose(Bitboard::rank(side.relative_rank(0)));
            Some(next)
        }

        fn end(&self, side: Color) -> K::Name {
            let mut ended = *self;
            ended.forget(Bitboard::rank(side.relative_rank(5)));
            K::name(&ended)
        }
    }
}

use baseline::Plain;

fn parse(dfen: &str) -> Position {
    from_dfen(&Rules::new(DEFAULT), dfen, false, Rigour::Strict).expect("a position").position
}

/// Counts what it is shown: one by one, or sets at once.
struct Count<const SETS: bool>(u64, u64);

impl<const SETS: bool> Audience<()> for Count<SETS> {
    #[inline(always)]
    fn leaf(&mut self, leaf: &FanLeaf<()>) -> u64 {
        self.0 += u64::from(leaf.rolls.count_ones());
        self.1 ^= leaf.key;
        0
    }

    #[inline(always)]
    fn set(&mut self, set: &FanSet<()>) -> u64 {
        if SETS {
            self.0 += u64::from(set.targets.count());
            0
        } else {
            set.each(|leaf| self.leaf(leaf))
        }
    }
}

/// The distinct afterstates of all rolls by the generator.
fn fan_ends<const SETS: bool>(fan: &mut Fan, position: &Position) -> u64 {
    let mut count = Count::<SETS>(0, 0);
    fan.walk_sets(position, (), Fan::ALL, &mut count);
    black_box(count.1);
    count.0
}

/// The four that are compared, and how often each runs in a round.
struct Rivals {
    fan: Fan,
    boards: Plain<()>,
    keys: Plain<u64>,
}

impl Rivals {
    /// The shortest of several runs of each, in microseconds, all taking turns.
    fn compare(&mut self, position: &Position) -> [f64; 4] {
        let time = |least: &mut f64, run: &mut dyn FnMut() -> u64| {
            let start = Instant::now();
            black_box(run());
            *least = least.min(start.elapsed().as_nanos() as f64 / 1000.0);
        };
        let mut least = [f64::MAX; 4];
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(3) {
            time(&mut least[0], &mut || self.boards.ends(black_box(position)));
            time(&mut least[1], &mut || self.keys.ends(black_box(position)));
            for _ in 0..10 {
                time(&mut least[2], &mut || fan_ends::<false>(&mut self.fan, black_box(position)));
                time(&mut least[3], &mut || fan_ends::<true>(&mut self.fan, black_box(position)));
            }
        }
        least
    }
}

fn turns(criterion: &mut Criterion) {
    let mut table = Vec::new();
    for (name, dfen) in POSITIONS {
        let position = parse(dfen);
        let side = position.side().expect("a side");
        let fan = Fan::new(Rules::new(DEFAULT)).expect("three dice");
        let mut all = Rivals { fan, boards: Plain::new(side), keys: Plain::new(side) };
        let ends = all.boards.ends(&position);
        assert_eq!(all.keys.ends(&position), ends, "{name}");
        assert_eq!(fan_ends::<false>(&mut all.fan, &position), ends, "{name}");
        assert_eq!(fan_ends::<true>(&mut all.fan, &position), ends, "{name}");
        let mut group = criterion.benchmark_group(name);
        group.sample_size(20).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
        group.bench_function("fan", |bencher| bencher.iter(|| fan_ends::<true>(&mut all.fan, black_box(&position))));
        group.bench_function("baseline", |bencher| bencher.iter(|| all.boards.ends(black_box(&position))));
        group.finish();
        table.push((name, ends, all.boards.sequences, all.compare(&position)));
    }
    report(&table);
}

fn report(table: &[(&str, u64, u64, [f64; 4])]) {
    println!(
        "\n| position | ends | boards µs | ns a sequence | keys µs | fan, each µs | fan, sets µs | boards : sets | keys : each |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (name, ends, sequences, [boards, keys, each, sets]) in table {
        println!(
            "| {name} | {ends} | {boards:.1} | {:.1} | {keys:.1} | {each:.1} | {sets:.1} | {:.1} | {:.1} |",
            boards * 1000.0 / *sequences as f64,
            boards / sets,
            keys / each
        );
    }
    let mean = |ratio: &dyn Fn(&[f64; 4]) -> f64| {
        (table.iter().map(|(_, _, _, times)| ratio(times).ln()).sum::<f64>() / table.len() as f64).exp()
    };
    println!(
        "\ngeometric means: boards : sets {:.1}, boards : each {:.1}, keys : sets {:.1}, keys : each {:.1}",
        mean(&|[boards, _, _, sets]| boards / sets),
        mean(&|[boards, _, each, _]| boards / each),
        mean(&|[_, keys, _, sets]| keys / sets),
        mean(&|[_, keys, each, _]| keys / each)
    );
}

criterion_group!(benches, turns);
criterion_main!(benches);

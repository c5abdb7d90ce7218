//! Endgames of `dicechess` solved by value iteration: what search and rollouts must come to.
//!
//! King against king, and king and one man against king: every position with either side to roll. A value is that of the
//! side to roll, 1 a certain win, -1 a certain loss; nobody's win for ever is 0. Positions that are mirrored from wing to
//! wing share a value. The draw after a hundred quiet moves is left out of the rules, or a value would depend on how many
//! have been made: where a lone king keeps to the squares that a bishop never sees, games are long enough for it to count.

use crate::support::rules;
use hazard::analysis::{Plan, Rollout, Tally};
use hazard::board::{Color, Piece, Role, Square};
use hazard::eval::{Evaluator, Score};
use hazard::limits::Limits;
use hazard::position::{Pool, Position, Rigour, Setup};
use hazard::search::{Request, Table, Width, think};
use hazard::turns::{Fan, Game, Rules, Threat};
use hazard::variant::{Draws, Variant};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// White's king, Black's king, White's man if he has one, and who rolls.
type Place = (usize, usize, Option<usize>, Color);

fn mirrored(square: usize) -> usize {
    square ^ 7
}

/// A place as it is kept: White's king on the files a to d.
fn kept((white, black, man, side): Place) -> Place {
    if white % 8 < 4 { (white, black, man, side) } else { (mirrored(white), mirrored(black), man.map(mirrored), side) }
}

fn index(place: Place) -> usize {
    let (white, black, man, side) = kept(place);
    ((man.unwrap_or(0) * 64 + black) * 64 + white) * 2 + side as usize
}

/// How many places one kind of endgame may have.
const PLACES: usize = 64 * 64 * 64 * 2;

/// The kind of an endgame: 0 for bare kings, else by the man.
fn kind(role: Option<Role>) -> usize {
    role.map_or(0, |role| 1 + role.index())
}

/// Where the value of a position is kept.
fn slot(position: &Position) -> usize {
    let side = position.side().expect("a side");
    let (white, black) = (position.king(Color::White), position.king(Color::Black));
    let kings = (white.expect("a king").usize(), black.expect("a king").usize());
    let men = |color: Color| position.of(color).into_iter().find(|&square| Some(square) != position.king(color));
    let (own, other) = (men(Color::White), men(Color::Black));
    // The man is always White's: else colours are changed.
    if other.is_some() {
        return slot(&position.flipped());
    }
    let role = own.map(|square| position.man(square).expect("a man").role());
    kind(role) * PLACES + index((kings.0, kings.1, own.map(Square::usize), side))
}

/// The values of all endgames that are solved.
struct Library {
    values: Vec<f32>,
}

impl Library {
    fn new() -> Library {
        Library { values: vec![0.0; 7 * PLACES] }
    }

    /// The value of a position for the side to roll.
    fn value(&self, position: &Position) -> f32 {
        self.values[slot(position)]
    }
}

fn position(rules: &Rules, role: Option<Role>, (white, black, man, side): Place) -> Position {
    let mut men = [None; 64];
    men[white] = Some(Piece::new(Color::White, Role::King));
    men[black] = Some(Piece::new(Color::Black, Role::King));
    if let (Some(role), Some(man)) = (role, man) {
        men[man] = Some(Piece::new(Color::White, role));
    }
    let setup = Setup {
        men,
        side: Some(side),
        rights: Vec::new(),
        targets: Vec::new(),
        halfmove: 0,
        fullmove: 1,
        pool: Pool::EMPTY,
        chess960: false,
    };
    setup.position(rules.variant, Rigour::Lenient).expect("a position").0
}

fn places(role: Option<Role>) -> Vec<Place> {
    let squares: Vec<Option<usize>> = match role {
        None => vec![None],
        Some(Role::Pawn) => (8..56).map(Some).collect(),
        Some(_) => (0..64).map(Some).collect(),
    };
    let mut places = Vec::new();
    for white in (0..64).filter(|white| white % 8 < 4) {
        for black in (0..64).filter(|&black| black != white) {
            for &man in squares.iter().filter(|man| **man != Some(white) && **man != Some(black)) {
                places.extend(Color::ALL.map(|side| (white, black, man, side)));
            }
        }
    }
    places
}

/// Where each position leads: the rolls that win at once, and for each set of rolls the slots that its turns reach.
#[derive(Default)]
struct Ways {
    /// Per position the rolls that win and the end of its part of `groups`.
    positions: Vec<(u64, usize)>,
    /// Per set of rolls the end of its part of `slots`.
    groups: Vec<(u64, usize)>,
    slots: Vec<u32>,
}

impl Ways {
    fn of(rules: &Rules, positions: &[Position]) -> Ways {
        let mut ways = Ways::default();
        let mut fan = Fan::new(*rules).expect("three dice");
        for position in positions {
            let (mut wins, mut groups) = (0u64, BTreeMap::<u64, Vec<u32>>::new());
            fan.walk(position, (), Fan::ALL, &mut |leaf| {
                if leaf.wins {
                    wins |= leaf.rolls;
                    return leaf.rolls;
                }
                groups.entry(leaf.rolls).or_default().push(slot(&leaf.position()) as u32);
                0
            });
            for (rolls, slots) in groups.into_iter().filter(|(rolls, _)| rolls & !wins != 0) {
                ways.slots.extend(slots);
                ways.groups.push((rolls & !wins, ways.slots.len()));
            }
            ways.positions.push((wins, ways.groups.len()));
        }
        ways
    }

    /// For each position the mean over all rolls of the best turn, by the values known so far.
    fn backed_up(&self, weights: &[f32], values: &[f32]) -> Vec<f32> {
        let (mut group, mut leaf) = (0, 0);
        let mut means = Vec::with_capacity(self.positions.len());
        for &(wins, groups) in &self.positions {
            let mut best = [f32::MIN; 56];
            (0..56).filter(|roll| wins >> roll & 1 == 1).for_each(|roll| best[roll] = 1.0);
            for &(mut rolls, leaves) in &self.groups[group..groups] {
                let worst = self.slots[leaf..leaves].iter().map(|&slot| values[slot as usize]).fold(f32::MAX, f32::min);
                while rolls != 0 {
                    let roll = rolls.trailing_zeros() as usize;
                    best[roll] = best[roll].max(-worst);
                    rolls &= rolls - 1;
                }
                leaf = leaves;
            }
            group = groups;
            means.push(best.iter().zip(weights).map(|(value, weight)| value * weight).sum());
        }
        means
    }
}

/// Does a share of the work on each core, and puts the parts together in order.
fn shared<T: Sync, R: Send>(items: &[T], work: impl Fn(&[T]) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let share = items.len().div_ceil(threads);
    std::thread::scope(|scope| {
        let workers: Vec<_> = items.chunks(share).map(|chunk| scope.spawn(|| work(chunk))).collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker")).collect()
    })
}

/// Solves an endgame whose simpler ones are known, until no value changes by more than a millionth; how many rounds it
/// took.
fn solve(rules: &Rules, library: &mut Library, role: Option<Role>) -> usize {
    let places = places(role);
    let ways = shared(&places, |places| {
        let positions: Vec<Position> = places.iter().map(|&place| position(rules, role, place)).collect();
        Ways::of(rules, &positions)
    });
    let weights: Vec<f32> = rules.variant.dice.rolls().iter().map(|(_, weight)| *weight as f32 / 216.0).collect();
    for round in 1..1000 {
        let next = shared(&ways, |ways| ways[0].backed_up(&weights, &library.values));
        let mut change = 0.0f32;
        for (&place, value) in places.iter().zip(next.into_iter().flatten()) {
            let known = &mut library.values[kind(role) * PLACES + index(place)];
            change = change.max((value - *known).abs());
            *known = value;
        }
        if change < 1e-6 {
            return round;
        }
    }
    panic!("no end in sight");
}

fn score(value: f64, position: &Position, view: Color) -> Score {
    let value = if position.side() == Some(view) { value } else { -value };
    Score((value * f64::from(Score::WIN.0)).round() as i32)
}

impl Evaluator for Library {
    fn evaluate(&self, _: &Rules, position: &Position, view: Color) -> Score {
        score(f64::from(self.value(position)), position, view)
    }

    fn quiet(&self, rules: &Rules, position: &Position, view: Color) -> Score {
        let Threat::Mover(odds) = rules.threat(position) else { panic!("a mover's odds") };
        let part = f64::from(odds.favourable) / f64::from(odds.total);
        let rest = (f64::from(self.value(position)) - part) / (1.0 - part).max(1e-9);
        score(rest.clamp(-1.0, 1.0), position, view)
    }

    fn has_quiet(&self) -> bool {
        true
    }
}

/// What search of some depth makes of a position: the expectation of the side to roll.
fn searched(rules: &Rules, library: &Library, at: &Position, table: &Table, depth: u32) -> f64 {
    let (stop, limits) = (AtomicBool::new(false), Limits { depth: Some(depth), ..Limits::default() });
    let request = Request { width: Width::Full, ..Request::new(rules, at, library, table, &limits) };
    think(&request, &stop, &mut |_| {}).info.expect("a value").score.expectation()
}

fn exact(library: &Library, at: &Position) -> f64 {
    (1.0 + f64::from(library.value(at))) / 2.0
}

/// Asks search one turn deep about every position: the largest distance from the solution.
fn compare_all(rules: &Rules, library: &Library, role: Option<Role>) -> f64 {
    let far = |places: &[Place]| {
        let table = Table::new(1);
        let distance = |&place: &Place| {
            let at = position(rules, role, place);
            table.clear();
            (searched(rules, library, &at, &table, 1) - exact(library, &at)).abs()
        };
        places.iter().map(distance).fold(0.0, f64::max)
    };
    shared(&places(role), far).into_iter().fold(0.0, f64::max)
}

/// Asks deeper searches and rollouts about some positions; the largest distances from the solution.
fn compare(rules: &Rules, library: &Library, role: Option<Role>, every: usize) -> (f64, f64) {
    let stop = AtomicBool::new(false);
    let (mut of_search, mut of_rollouts) = (0.0f64, 0.0f64);
    for place in places(role).into_iter().step_by(every) {
        let at = position(rules, role, place);
        let exact = exact(library, &at);
        for depth in 2..=3 {
            of_search = of_search.max((searched(rules, library, &at, &Table::new(1), depth) - exact).abs());
        }
        let plan = Plan { games: 216, ..Plan::default() };
        let rollout = Rollout { evaluator: library, plan, threads: 2, stop: &stop };
        let tally = rollout.run(&Game::new(*rules, at), Tally::default(), &mut |_| {});
        of_rollouts = of_rollouts.max((tally.mean_for(place.3) - exact).abs());
    }
    (of_search, of_rollouts)
}

fn check(roles: &[Option<Role>], every: usize) {
    let with_draws = rules("dicechess").variant;
    let draws = Draws { quiet_limit: None, ..with_draws.draws };
    let rules = Rules::new(Box::leak(Box::new(Variant { draws, ..*with_draws })));
    let mut library = Library::new();
    for &role in roles {
        let rounds = solve(&rules, &mut library, role);
        let all = compare_all(&rules, &library, role);
        let (search, rollouts) = compare(&rules, &library, role, every);
        println!(
            "{role:?}: {rounds} rounds, one turn everywhere within {all:.6}, deeper within {search:.6}, rollouts within \
             {rollouts:.6}"
        );
        assert!(all < 1e-4 && search < 1e-4 && rollouts < 1e-4, "{role:?}: {all} {search} {rollouts}");
    }
}

/// King against king, every position.
#[test]
fn king_against_king() {
    check(&[None], 997);
}

#[test]
#[ignore = "long: minutes; king and any one man against king"]
fn king_and_a_man_against_king() {
    use Role::{Bishop, Knight, Pawn, Queen, Rook};
    check(&[None, Some(Knight), Some(Bishop), Some(Rook), Some(Queen), Some(Pawn)], 9_973);
}

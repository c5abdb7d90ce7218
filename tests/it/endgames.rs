//! Endgames of `dicechess` solved by value iteration: what search and rollouts must come to.
//!
//! King against king, and king and one man against king: every position with either side to roll. A value is that of the
//! side to roll, 1 a certain win, -1 a certain loss; nobody's win for ever is 0. Positions that are mirrored from wing to
//! wing share a value.

use crate::support::rules;
use hazard::analysis::{Plan, Rollout, Tally};
use hazard::board::{Color, Piece, Role, Square};
use hazard::eval::{Evaluator, Score};
use hazard::limits::Limits;
use hazard::position::{Pool, Position, Rigour, Setup};
use hazard::search::{Request, Table, Width, think};
use hazard::turns::{Fan, Game, Rules, Threat};
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

/// The values of one kind of endgame.
struct Solved {
    role: Option<Role>,
    values: Vec<f32>,
}

/// All that are solved, by the man.
#[derive(Default)]
struct Library {
    endgames: BTreeMap<Option<usize>, Solved>,
}

impl Library {
    /// The value of a position for the side to roll.
    fn value(&self, position: &Position) -> f32 {
        let side = position.side().expect("a side");
        let (white, black) = (position.king(Color::White), position.king(Color::Black));
        let kings = (white.expect("a king").usize(), black.expect("a king").usize());
        let men = |color: Color| position.of(color).into_iter().find(|&square| Some(square) != position.king(color));
        let (own, other) = (men(Color::White), men(Color::Black));
        // The man is always White's: else colours are changed.
        if other.is_some() {
            return self.value(&position.flipped());
        }
        let role = own.map(|square| position.man(square).expect("a man").role().index());
        let endgame = self.endgames.get(&role).expect("a solved endgame");
        endgame.values[index((kings.0, kings.1, own.map(Square::usize), side))]
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

/// The mean over all rolls of the best turn, by the values known so far.
fn backed_up(fan: &mut Fan, weights: &[f32], library: &Library, position: &Position) -> f32 {
    let mut best = [f32::MIN; 56];
    fan.walk(position, (), Fan::ALL, &mut |leaf| {
        let value = if leaf.wins { 1.0 } else { -library.value(&leaf.position()) };
        let mut rolls = leaf.rolls;
        while rolls != 0 {
            let roll = rolls.trailing_zeros() as usize;
            best[roll] = best[roll].max(value);
            rolls &= rolls - 1;
        }
        if leaf.wins { leaf.rolls } else { 0 }
    });
    best.iter().zip(weights).map(|(value, weight)| value * weight).sum()
}

/// Solves an endgame whose simpler ones are known, until no value changes by more than a hundred-thousandth; how many
/// rounds it took.
fn solve(rules: &Rules, library: &mut Library, role: Option<Role>) -> usize {
    let places = places(role);
    let positions: Vec<Position> = places.iter().map(|&place| position(rules, role, place)).collect();
    let weights: Vec<f32> = rules.variant.dice.rolls().iter().map(|(_, weight)| *weight as f32 / 216.0).collect();
    let key = role.map(Role::index);
    library.endgames.insert(key, Solved { role, values: vec![0.0; 64 * 64 * 64 * 2] });
    for round in 1..400 {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let share = positions.len().div_ceil(threads);
        let known = &*library;
        let next: Vec<f32> = std::thread::scope(|scope| {
            let work = |chunk: &[Position]| -> Vec<f32> {
                let mut fan = Fan::new(*rules).expect("three dice");
                chunk.iter().map(|position| backed_up(&mut fan, &weights, known, position)).collect()
            };
            let workers: Vec<_> = positions.chunks(share).map(|chunk| scope.spawn(move || work(chunk))).collect();
            workers.into_iter().flat_map(|worker| worker.join().expect("a worker")).collect()
        });
        let values = &mut library.endgames.get_mut(&key).expect("the endgame").values;
        let mut change = 0.0f32;
        for (&place, value) in places.iter().zip(next) {
            let slot = &mut values[index(place)];
            change = change.max((value - *slot).abs());
            *slot = value;
        }
        if change < 1e-5 {
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

/// Asks search and rollouts about some positions; the largest distances from the solution.
fn compare(rules: &Rules, library: &Library, role: Option<Role>, every: usize) -> (f64, f64) {
    let stop = AtomicBool::new(false);
    let (mut of_search, mut of_rollouts) = (0.0f64, 0.0f64);
    for place in places(role).into_iter().step_by(every) {
        let at = position(rules, role, place);
        let exact = (1.0 + f64::from(library.value(&at))) / 2.0;
        for depth in 1..=3 {
            let (table, limits) = (Table::new(1), Limits { depth: Some(depth), ..Limits::default() });
            let request = Request { width: Width::Full, ..Request::new(rules, &at, library, &table, &limits) };
            let found = think(&request, &stop, &mut |_| {}).info.expect("a value").score.expectation();
            of_search = of_search.max((found - exact).abs());
        }
        let plan = Plan { games: 216, ..Plan::default() };
        let rollout = Rollout { evaluator: library, plan, threads: 2, stop: &stop };
        let tally = rollout.run(&Game::new(*rules, at), Tally::default(), &mut |_| {});
        of_rollouts = of_rollouts.max((tally.mean_for(place.3) - exact).abs());
    }
    (of_search, of_rollouts)
}

fn check(roles: &[Option<Role>], every: usize) {
    let rules = rules("dicechess");
    let mut library = Library::default();
    for &role in roles {
        let rounds = solve(&rules, &mut library, role);
        let endgame = &library.endgames[&role.map(Role::index)];
        let (search, rollouts) = compare(&rules, &library, role, every);
        println!("{:?}: {rounds} rounds, search within {search:.6}, rollouts within {rollouts:.6}", endgame.role);
        assert!(search < 1e-4 && rollouts < 1e-4, "{role:?}: {search} {rollouts}");
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

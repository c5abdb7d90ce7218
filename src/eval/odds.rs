//! In how many rolls of three dice each man can be taken, told by sight.
//!
//! Three ways are seen: a man takes at once; one takes with the second of two dice of his role; one uncovers a slider that
//! takes. What needs three moves, two men that make way, or a promotion is not seen, nor whether the man on the way is
//! taken himself. Exact odds of every man would take forty times as long (see [`Rules::threat`] for the kings').

use crate::board::{Bitboard, Color, Piece, Role, Square, king_attacks, knight_attacks, pawn_attacks};
use crate::dice::DiceKind;
use crate::position::Position;
use crate::turns::Rules;
use once_cell::sync::Lazy;

/// What is told for each side: for its men of five roles the odds summed, the same of those that nobody defends, the
/// odds of the one most in danger, and the odds that one of these is the best that can be taken; and its king's odds.
const EACH: usize = 4 * 5 + 1;
/// All that is told, for the side about to roll first.
pub const ODDS: usize = 2 * EACH;
/// Odds are told in this part of 1: as many as four rolls of 216.
pub const ODDS_ONE: u32 = 54;

/// From the best to the least.
const VICTIMS: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
const SLIDERS: [Role; 3] = [Role::Bishop, Role::Rook, Role::Queen];

/// Sets of the 56 rolls, as bits.
struct Rolls {
    /// Those of weight 1, 3 and 6.
    by_weight: [u64; 3],
    /// Those with one die of a role at least.
    one: [u64; 6],
    /// Those with two different roles, or with two dice of one.
    two: [[u64; 6]; 6],
}

static ROLLS: Lazy<Rolls> = Lazy::new(|| {
    let rolls: Vec<([usize; 6], u32)> = DiceKind::Three
        .rolls()
        .into_iter()
        .map(|(roll, weight)| {
            let of = |role: Role| roll.dice().iter().filter(|die| die.role() == role).count();
            (Role::ALL.map(of), weight)
        })
        .collect();
    let set = |wanted: &dyn Fn(&[usize; 6], u32) -> bool| {
        let found = rolls.iter().enumerate().filter(|(_, (roll, weight))| wanted(roll, *weight));
        found.fold(0u64, |set, (place, _)| set | 1 << place)
    };
    let with = |first: Role, second: Role| {
        set(&|roll, _| {
            let [one, other] = [roll[first.index()], roll[second.index()]];
            if first == second { one >= 2 } else { one >= 1 && other >= 1 }
        })
    };
    Rolls {
        by_weight: [1, 3, 6].map(|wanted| set(&|_, weight| weight == wanted)),
        one: Role::ALL.map(|role| set(&|roll, _| roll[role.index()] >= 1)),
        two: Role::ALL.map(|first| Role::ALL.map(|second| with(first, second))),
    }
});

impl Rolls {
    /// Out of 216.
    fn odds(&self, rolls: u64) -> u32 {
        let [one, three, six] = self.by_weight.map(|set| (rolls & set).count_ones());
        one + 3 * three + 6 * six
    }
}

/// The squares on which a side takes with the same rolls, and these rolls.
type Grasp = (Bitboard, u64);

/// Where a side takes, with which rolls, as far as it is seen.
struct Grasps {
    list: [Grasp; 6 + 6 + 18],
    count: usize,
    /// The squares that it attacks at once.
    attacked: Bitboard,
}

impl Grasps {
    fn of(rules: &Rules, position: &Position, side: Color) -> Grasps {
        let mut grasps = Grasps { list: [(Bitboard::EMPTY, 0); 30], count: 0, attacked: Bitboard::EMPTY };
        let (occupied, own) = (position.occupied(), position.of(side));
        for role in Role::ALL {
            let mut direct = Bitboard::EMPTY;
            let mut uncovered = [Bitboard::EMPTY; 6];
            for from in position.men(side, role) {
                let attacks = match role {
                    Role::Pawn => pawn_attacks(side, from),
                    _ => rules.sliders.man(role, from, occupied),
                };
                direct |= attacks;
                if SLIDERS.contains(&role) {
                    for before in attacks & own {
                        let Some(man) = position.man(before).filter(|man| makes_way(position, *man, before, from))
                        else {
                            continue;
                        };
                        let more = rules.sliders.man(role, from, occupied.without(before)) & !attacks;
                        uncovered[man.role().index()] |= more;
                    }
                }
            }
            grasps.attacked |= direct;
            grasps.add(direct, ROLLS.one[role.index()]);
            let twice = twice(position, side, role, direct);
            grasps.add(twice & !direct, ROLLS.two[role.index()][role.index()]);
            for (squares, first) in uncovered.into_iter().zip(Role::ALL) {
                grasps.add(squares, ROLLS.two[first.index()][role.index()]);
            }
        }
        grasps
    }

    fn add(&mut self, squares: Bitboard, rolls: u64) {
        if let Some(slot) = self.list.get_mut(self.count).filter(|_| !squares.is_empty()) {
            *slot = (squares, rolls);
            self.count += 1;
        }
    }

    /// The rolls with which a man on a square is taken.
    fn on(&self, square: Square) -> u64 {
        let grasps = self.list.iter().take(self.count).filter(|(squares, _)| squares.has(square));
        grasps.fold(0, |set, (_, rolls)| set | rolls)
    }
}

/// Whether a man can leave the line of a slider of his side behind him: only a pawn may be unable to.
fn makes_way(position: &Position, man: Piece, square: Square, slider: Square) -> bool {
    if man.role() != Role::Pawn {
        return true;
    }
    let takes = pawn_attacks(man.color(), square).intersects(position.of(man.color().other()));
    let steps = || square.offset(0, man.color().forward()).is_some_and(|ahead| !position.occupied().has(ahead));
    takes || square.file() != slider.file() && steps()
}

/// The squares that a man of a role attacks once another of them, or he himself, has moved, where `direct` are those that
/// they attack now.
fn twice(position: &Position, side: Color, role: Role, direct: Bitboard) -> Bitboard {
    let (occupied, own) = (position.occupied(), position.of(side));
    let landed = direct & !own;
    let each = |attacks: fn(Square) -> Bitboard| landed.fold(Bitboard::EMPTY, |all, square| all | attacks(square));
    match role {
        Role::Pawn => {
            let steps = pawn_steps(position.men(side, Role::Pawn), side, !occupied);
            let last = Bitboard::rank(side.relative_rank(7));
            pawn_takes((steps | landed & occupied) & !last, side)
        }
        Role::Knight => each(knight_attacks),
        Role::King => each(king_attacks),
        Role::Bishop => slides(landed, !occupied, &DIAGONALS),
        Role::Rook => slides(landed, !occupied, &LINES),
        Role::Queen => slides(landed, !occupied, &LINES) | slides(landed, !occupied, &DIAGONALS),
    }
}

fn pawn_steps(pawns: Bitboard, side: Color, empty: Bitboard) -> Bitboard {
    let ahead = |from: Bitboard| match side {
        Color::White => Bitboard(from.0 << 8) & empty,
        Color::Black => Bitboard(from.0 >> 8) & empty,
    };
    let once = ahead(pawns);
    once | ahead(once & Bitboard::rank(side.relative_rank(2)))
}

fn pawn_takes(pawns: Bitboard, side: Color) -> Bitboard {
    let [left, right] = match side {
        Color::White => [(pawns.0 << 7, FILE_H), (pawns.0 << 9, FILE_A)],
        Color::Black => [(pawns.0 >> 9, FILE_H), (pawns.0 >> 7, FILE_A)],
    };
    Bitboard(left.0 & !left.1 | right.0 & !right.1)
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// A direction: how far a bit moves, to the left where that is positive, and the files that no step enters.
type Direction = (i32, u64);
const LINES: [Direction; 4] = [(8, 0), (-8, 0), (1, FILE_A), (-1, FILE_H)];
const DIAGONALS: [Direction; 4] = [(9, FILE_A), (7, FILE_H), (-7, FILE_A), (-9, FILE_H)];

/// The squares that sliders on any of these squares attack: all at once, by doubling (Kogge and Stone 1973).
fn slides(from: Bitboard, empty: Bitboard, directions: &[Direction; 4]) -> Bitboard {
    let along = |&(by, barred): &Direction| {
        let shift = |bits: u64, times: i32| if by > 0 { bits << (by * times) } else { bits >> (-by * times) };
        let (mut reached, mut open) = (from.0, empty.0 & !barred);
        reached |= open & shift(reached, 1);
        open &= shift(open, 1);
        reached |= open & shift(reached, 2);
        open &= shift(open, 2);
        reached |= open & shift(reached, 4);
        shift(reached, 1) & !barred
    };
    Bitboard(directions.iter().map(along).fold(0, |all, one| all | one))
}

/// The odds of a position, as a side about to roll sees them.
pub fn odds(rules: &Rules, position: &Position, roller: Color) -> [u8; ODDS] {
    let sides = [roller, roller.other()];
    let grasps = sides.map(|side| Grasps::of(rules, position, side));
    let mut told = [0; ODDS];
    let [ours, theirs] = &grasps;
    for ((side, (own, enemy)), told) in
        sides.into_iter().zip([(ours, theirs), (theirs, ours)]).zip(told.chunks_mut(EACH))
    {
        let king = position.king(side).map_or(0, |king| enemy.on(king));
        // Where the king is taken nothing else is.
        let mut better = king;
        for (place, victim) in VICTIMS.into_iter().enumerate() {
            let (mut sum, mut loose, mut most, mut any) = (0, 0, 0, 0);
            for square in position.men(side, victim) {
                let rolls = enemy.on(square) & !king;
                let odds = ROLLS.odds(rolls);
                sum += odds;
                loose += if own.attacked.has(square) { 0 } else { odds };
                most = most.max(odds);
                any |= rolls;
            }
            let best = ROLLS.odds(any & !better);
            better |= any;
            for (slot, odds) in told.iter_mut().skip(place).step_by(5).zip([sum, loose, most, best]) {
                *slot = part(odds);
            }
        }
        if let Some(slot) = told.last_mut() {
            *slot = part(ROLLS.odds(king));
        }
    }
    told
}

/// Odds out of 216 in parts of [`ODDS_ONE`], rounded.
fn part(odds: u32) -> u8 {
    ((odds * ODDS_ONE + 108) / 216).min(255) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::from_dfen;
    use crate::position::{Pool, Rigour, Ticket};
    use crate::variant::find;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn position(placement: &str) -> (Rules, Position) {
        let rules = Rules::new(find("dicechess").unwrap());
        let dfen = format!("{placement} w - - 0 1 -");
        let position = from_dfen(&rules, &dfen, false, Rigour::Lenient).unwrap().position;
        (rules, position)
    }

    fn of(placement: &str) -> [u8; ODDS] {
        let (rules, position) = position(placement);
        odds(&rules, &position, Color::White)
    }

    #[test]
    fn ways_to_take_are_told() {
        let enemy = |odds: [u8; ODDS], place: usize| u32::from(odds[EACH + place]);
        // A rook attacks a loose queen: any roll with a rook, 91 of 216, but for the 16 with two, which take the king.
        let told = of("4k3/8/8/3q4/8/8/8/K2R4");
        assert_eq!([0, 5, 10, 15].map(|place| enemy(told, place)), [19; 4]);
        assert_eq!(enemy(told, 20), 4);
        // Behind its own bishop, or by him in two moves: a bishop and a rook, or two bishops, 43 of 216.
        assert_eq!(enemy(of("7k/6pp/8/3q4/8/3B4/8/K2R4"), 0), 11);
        // Behind its own pawn on the file: by no roll.
        assert_eq!(enemy(of("7k/6pp/8/3q4/8/3P4/8/K2R4"), 0), 0);
        // With two leaps of a knight, or two steps of a pawn: 16 of 216 each.
        assert_eq!(enemy(of("7k/6pp/8/3q4/8/8/8/KN6"), 0), 4);
        assert_eq!(enemy(of("7k/6pp/8/3q4/8/4P3/8/K7"), 0), 4);
        // A loose pawn, 91 of 216, and two rooks that guard each other: the same, and 16 for the one behind.
        let told = of("3r3k/3r2pp/8/8/8/8/3R2p1/K7");
        assert_eq!([1, 6, 11, 9].map(|place| enemy(told, place)), [27, 0, 23, 23]);
        // The king first: what is taken along with him does not count.
        let told = of("3k4/8/8/8/8/8/3R2p1/K7");
        assert_eq!((enemy(told, 20), enemy(told, 4)), (23, 0));
    }

    /// What is seen is there but for oddities, and most of what there is is seen: told by the kings, whose odds are known.
    #[test]
    fn odds_of_kings_are_near_the_exact_ones() {
        let rules = Rules::new(find("dicechess").unwrap());
        let mut chance = ChaCha8Rng::seed_from_u64(5);
        let [mut all, mut seen, mut wrong] = [0; 3];
        let mut moves = Vec::new();
        for _ in 0..60 {
            let mut at = Position::start(rules.variant);
            for ply in 0..60 {
                let side = if ply % 2 == 0 { Color::White } else { Color::Black };
                for view in Color::ALL {
                    let exact = rules.king_captures(&at, view);
                    let told = at.king(view.other()).map_or(0, |king| Grasps::of(&rules, &at, view).on(king));
                    all += ROLLS.odds(exact);
                    seen += ROLLS.odds(told & exact);
                    wrong += ROLLS.odds(told & !exact);
                }
                at.set_allowance(side, Pool::repeat(Ticket::ANY, 1));
                rules.single_moves(&at, &mut moves);
                moves.retain(|mv| at.man(mv.to).is_none_or(|man| man.role() != Role::King));
                let Some(&mv) = moves.get(chance.random_range(0..moves.len().max(1))) else { break };
                at = rules.after_single(&at, mv);
            }
        }
        assert!(
            all > 100_000 && seen * 10 > all * 9 && wrong * 100 < all,
            "{seen} of {all}, {wrong} that are not there"
        );
    }
}

//! What a glance at the attacks tells beyond the network's inputs: which men are attacked by whom, which of them nobody
//! defends, how close the attacks come to the kings, how far the men reach, and in how many rolls men are taken.
//!
//! These are too dear for every end of a turn. They count where few positions are looked at closely, with the exact odds
//! of the next roll.

use super::odds::{ODDS, ODDS_ONE, odds};
use crate::board::{Bitboard, Color, Role, king_attacks, pawn_attacks};
use crate::dice::DiceKind;
use crate::position::Position;
use crate::turns::Rules;

/// What is counted for each side: its men of five roles by the roles that attack them, those of each role that are
/// attacked and not defended, the squares around its king by the roles that attack them, the squares its roles attack.
const EACH: usize = 5 * 6 + 5 + 6 + 6;
/// What is counted of the attacks.
pub const ATTACKS: usize = 2 * EACH;
/// All that is counted, for the side about to roll first in each part: attacks, then odds.
pub const THREATS: usize = ATTACKS + ODDS;
/// From here on a side's counts are of squares attacked: larger numbers, which a learner takes in other units.
const REACH: usize = EACH - 6;

const VICTIMS: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// The part of a count that is one to a learner.
pub fn unit(count: usize) -> f32 {
    if count >= ATTACKS {
        1.0 / ODDS_ONE as f32
    } else if count % EACH >= REACH {
        0.125
    } else {
        1.0
    }
}

/// The squares that each role of a side attacks, and how many its men attack one by one.
fn reach(rules: &Rules, position: &Position, side: Color) -> ([Bitboard; 6], [u32; 6]) {
    let occupied = position.occupied();
    let (mut squares, mut counts) = ([Bitboard::default(); 6], [0; 6]);
    for ((role, squares), count) in Role::ALL.into_iter().zip(&mut squares).zip(&mut counts) {
        for from in position.men(side, role) {
            let attacked = match role {
                Role::Pawn => pawn_attacks(side, from),
                _ => rules.sliders.man(role, from, occupied),
            };
            *squares |= attacked;
            *count += attacked.count();
        }
    }
    (squares, counts)
}

/// The counts of a position, as a side about to roll sees it; the odds are left out where they are not wanted, and in
/// games of other dice.
pub fn threats(rules: &Rules, position: &Position, roller: Color, with_odds: bool) -> [u8; THREATS] {
    let sides = [roller, roller.other()];
    let reaches = sides.map(|side| reach(rules, position, side));
    let all = |squares: &[Bitboard; 6]| squares.iter().fold(Bitboard::default(), |all, &one| all | one);
    let mut counts = [0; THREATS];
    let mut slots = counts.iter_mut();
    let mut tell = |count: u32| slots.next().into_iter().for_each(|slot| *slot = count.min(255) as u8);
    let [(ours, _), (theirs, _)] = &reaches;
    for ((side, (own, reached)), enemy) in sides.into_iter().zip(&reaches).zip([theirs, ours]) {
        let loose = all(enemy) & !all(own);
        for victim in VICTIMS {
            let men = position.men(side, victim);
            enemy.iter().for_each(|&attacked| tell((attacked & men).count()));
            tell((loose & men).count());
        }
        let around = position.king(side).map(king_attacks).unwrap_or_default();
        enemy.iter().for_each(|&attacked| tell((attacked & around).count()));
        reached.iter().for_each(|&count| tell(count));
    }
    if with_odds && rules.variant.dice == DiceKind::Three {
        let (_, told) = counts.split_at_mut(ATTACKS);
        told.copy_from_slice(&odds(rules, position, roller));
    }
    counts
}

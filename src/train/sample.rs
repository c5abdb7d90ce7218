//! A position to learn from, packed.

use crate::board::{Bitboard, Color, Role, Square};
use crate::eval::features::{attack, man, stage_of};
use crate::eval::threats::{THREATS, threats};
use crate::position::Position;
use crate::turns::Rules;

/// The men of a position as the side about to roll sees them, and what it is worth to that side.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    occupied: Bitboard,
    /// The kinds of the men in ascending order of their squares, four bits each; own ones 0 to 5, by role.
    men: [u8; 16],
    /// The roles by which the enemy king and the own king are attacked.
    attacks: [u8; 2],
    /// The counts of [`threats`].
    pub threats: [u8; THREATS],
    /// The expected result, and that where the next roll takes no king; 0 to 1.
    pub targets: [f32; 2],
    /// How much each of them counts.
    pub weights: [f32; 2],
}

/// What is active in a sample: the inputs of both views, that of the side about to roll first.
#[derive(Clone, Debug, Default)]
pub struct Active {
    /// The inputs of each view.
    pub inputs: [Vec<usize>; 2],
    /// Which output is meant.
    pub stage: usize,
}

impl Sample {
    /// Packs a position, seen by the side about to roll or by White. None with more than 32 men.
    pub fn new(rules: &Rules, position: &Position, targets: [f32; 2], weights: [f32; 2]) -> Option<Sample> {
        let roller = position.side().unwrap_or(Color::White);
        let seen = if roller == Color::White { *position } else { position.flipped() };
        let occupied = seen.occupied();
        let mut men = [0; 16];
        for (place, square) in occupied.into_iter().enumerate() {
            let piece = seen.man(square)?;
            let kind = usize::from(piece.color() != Color::White) * 6 + piece.role().index();
            *men.get_mut(place / 2)? |= (kind as u8) << (place % 2 * 4);
        }
        let attacks = [Color::White, Color::Black].map(|side| rules.attacking_roles(&seen, side));
        let threats = threats(rules, position, roller, true);
        Some(Sample { occupied, men, attacks, threats, targets, weights })
    }

    /// Tells what is active.
    pub fn active(&self, active: &mut Active) {
        active.inputs.iter_mut().for_each(Vec::clear);
        active.stage = stage_of(self.occupied.count());
        let men = || {
            let kind = |place: usize| usize::from(self.men[place / 2] >> (place % 2 * 4) & 15);
            self.occupied.into_iter().enumerate().map(move |(place, square)| (kind(place), square))
        };
        let king = |wanted: usize| men().find(|(kind, _)| *kind == wanted).map(|(_, square)| square);
        let own_king = king(Role::King.index());
        let enemy_king = king(6 + Role::King.index()).map(Square::flip);
        for (kind, square) in men() {
            let role = Role::ALL[kind % 6];
            for (view, inputs) in active.inputs.iter_mut().enumerate() {
                let is_own = (kind < 6) == (view == 0);
                let (square, king) = if view == 0 { (square, own_king) } else { (square.flip(), enemy_king) };
                let (place, steps) = man(is_own, role, square, king);
                inputs.push(place);
                inputs.extend(steps);
            }
        }
        let [theirs, ours] = self.attacks;
        for (inputs, sets) in active.inputs.iter_mut().zip([[theirs, ours], [ours, theirs]]) {
            inputs.extend(attack(false, sets[0]));
            inputs.extend(attack(true, sets[1]));
        }
    }
}

//! The network: what a position is worth, learned from games. Integers throughout.
//!
//! Two views of the inputs (see [`features`](super::features)), the same weights for both, one layer of hidden units with
//! squared clipped activation, one logit for each stage of the game and each [`Head`]: an efficiently updatable network
//! (Nasu 2018) for the side about to roll.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use super::bytes::{Reader, checksum};
use super::features::{ATTACKS, MEN, STAGES, STEPS, attack, kind_of, man, stage, turned};
use super::glance::{self, Glance};
use super::simd::{Change, HIDDEN, ONE, Row, add, output};
use super::threats::threats;
use super::{Evaluator, Score};
use crate::board::{Color, Piece, Role, Square};
use crate::position::Position;
use crate::turns::Rules;
use once_cell::sync::Lazy;
use sha2::{Digest, Sha256};
use thiserror::Error;

/// What an output tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Head {
    /// The value for the side about to roll.
    Full = 0,
    /// Its value where the next roll takes no king.
    Quiet = 1,
}

/// The number of heads.
pub const HEADS: usize = 2;
/// Output weights are multiples of this part of 1.
pub const OUTPUT_ONE: i32 = 64;
/// Logits are told in this part of 1.
pub const LOGIT_ONE: i32 = 1024;
/// The largest logit that is told apart.
const MOST_LOGIT: i32 = 8 * LOGIT_ONE;

const MAGIC: &[u8; 8] = b"HAZRDNET";
const VERSION: u32 = 1;
/// The inputs of [`features`](super::features), and the counts and units of the closer look.
const FEATURE_SET: u32 = 3;
const NAME: usize = 24;
const HEADER: usize = 8 + 4 + NAME + 6 * 4 + 4 + 8;

/// The bytes of the numbers of a network with so many units.
const fn payload(units: usize) -> usize {
    (MEN + STEPS) * units + (ATTACKS + 1) * units * 2 + STAGES * HEADS * (2 * units + 4) + glance::BYTES
}

/// What is wrong with the file of a network.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum NetError {
    /// It is something else.
    #[error("not a network of Hazard")]
    Magic,
    /// Another version, other inputs or another shape.
    #[error("the network's {what} is {found}, not {wanted}")]
    Shape {
        /// What differs.
        what: &'static str,
        /// What the file has.
        found: u32,
        /// What is needed.
        wanted: u32,
    },
    /// It was cut off or has something after its end.
    #[error("the network has {found} bytes, not {wanted}")]
    Length {
        /// Bytes there.
        found: usize,
        /// Bytes needed.
        wanted: usize,
    },
    /// Damaged.
    #[error("the network is damaged: its checksum does not fit")]
    Checksum,
    /// For another game.
    #[error("the network is for {found}, not for {wanted}")]
    Variant {
        /// The game it was trained for.
        found: String,
        /// The game being played.
        wanted: String,
    },
}

/// The numbers of a network as they are kept in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// The game, by name.
    pub variant: String,
    /// How many hidden units are in use; the numbers of the others are zero, and not in the file.
    pub units: usize,
    /// A row for each man on a square and for each step, in units of 1/255.
    pub men: Vec<[i8; HIDDEN]>,
    /// A row for each set of attackers.
    pub attacks: Vec<[i16; HIDDEN]>,
    /// What each unit begins with.
    pub bias: [i16; HIDDEN],
    /// Of each stage and head the weights of both views, at most 127 either way, in units of 1/64.
    pub outputs: [[[[i8; HIDDEN]; 2]; HEADS]; STAGES],
    /// And what the logit begins with, in units of 1/1024.
    pub output_bias: [[i32; HEADS]; STAGES],
    /// What a closer look adds to the quiet head's logit.
    pub glance: Glance,
}

impl Weights {
    /// A network that finds every position even.
    pub fn zero(variant: &str) -> Weights {
        Weights {
            variant: variant.to_string(),
            units: HIDDEN,
            men: vec![[0; HIDDEN]; MEN + STEPS],
            attacks: vec![[0; HIDDEN]; ATTACKS],
            bias: [0; HIDDEN],
            outputs: [[[[0; HIDDEN]; 2]; HEADS]; STAGES],
            output_bias: [[0; HEADS]; STAGES],
            glance: Glance::zero(),
        }
    }

    /// The file: a header with version, game, shape, scales, length and checksum, and the numbers, little-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        let units = self.units.min(HIDDEN);
        let mut payload = Vec::with_capacity(payload(units));
        let narrow = |row: &[i8; HIDDEN]| row.map(|weight| weight as u8).into_iter().take(units);
        let wide = |row: &[i16; HIDDEN]| row.map(i16::to_le_bytes).into_iter().take(units).flatten();
        payload.extend(self.men.iter().flat_map(narrow));
        payload.extend(self.attacks.iter().chain([&self.bias]).flat_map(wide));
        payload.extend(self.outputs.iter().flatten().flatten().flat_map(narrow));
        payload.extend(self.output_bias.iter().flatten().flat_map(|bias| bias.to_le_bytes()));
        payload.extend(self.glance.to_bytes());
        let mut name = self.variant.clone().into_bytes();
        name.resize(NAME, 0);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(name);
        shape(units).iter().for_each(|(_, number)| bytes.extend(number.to_le_bytes()));
        bytes.extend((payload.len() as u32).to_le_bytes());
        bytes.extend(checksum(&payload));
        bytes.extend(payload);
        bytes
    }

    /// Reads the file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Weights, NetError> {
        let mut reader = Reader { rest: bytes };
        if reader.take(MAGIC.len()) != Some(MAGIC) {
            return Err(NetError::Magic);
        }
        let cut = |_| NetError::Length { found: bytes.len(), wanted: HEADER + payload(HIDDEN) };
        let version = reader.u32().ok_or(()).map_err(cut)?;
        same("version", version, VERSION)?;
        let name = reader.text(NAME).ok_or(()).map_err(cut)?;
        let mut units = HIDDEN;
        for (place, (what, wanted)) in shape(HIDDEN).into_iter().enumerate() {
            let found = reader.u32().ok_or(()).map_err(cut)?;
            if place == UNITS && (1..=wanted).contains(&found) {
                units = found as usize;
            } else {
                same(what, found, wanted)?;
            }
        }
        let stated = reader.u32().ok_or(()).map_err(cut)?;
        same("length", stated, payload(units) as u32)?;
        let sum = reader.take(8).ok_or(()).map_err(cut)?;
        if reader.rest.len() != payload(units) {
            return Err(NetError::Length { found: bytes.len(), wanted: HEADER + payload(units) });
        }
        if checksum(reader.rest) != sum {
            return Err(NetError::Checksum);
        }
        let mut weights = Weights { units, ..Weights::zero(&name) };
        let men = weights.men.iter_mut().flat_map(|row| row.iter_mut().take(units));
        men.for_each(|weight| *weight = reader.u8().unwrap_or(0) as i8);
        let Weights { attacks, bias, .. } = &mut weights;
        for row in attacks.iter_mut().chain([bias]) {
            row.iter_mut().take(units).for_each(|weight| *weight = reader.u16().unwrap_or(0) as i16);
        }
        // -128 would not fit the sums of the inner loop.
        let outputs = weights.outputs.iter_mut().flatten().flatten().flat_map(|row| row.iter_mut().take(units));
        outputs.for_each(|weight| *weight = (reader.u8().unwrap_or(0) as i8).max(-127));
        let biases = weights.output_bias.iter_mut().flatten();
        biases.for_each(|bias| *bias = (reader.u32().unwrap_or(0) as i32).clamp(-MOST_LOGIT, MOST_LOGIT));
        weights.glance = Glance::read(&mut reader);
        Ok(weights)
    }
}

/// The place of the number of units in the shape.
const UNITS: usize = 1;

/// The shape and the scales of this program's networks.
fn shape(units: usize) -> [(&'static str, u32); 6] {
    [
        ("feature set", FEATURE_SET),
        ("number of hidden units", units as u32),
        ("number of stages", STAGES as u32),
        ("number of heads", HEADS as u32),
        ("scale of units", ONE as u32),
        ("scale of outputs", OUTPUT_ONE as u32),
    ]
}

fn same(what: &'static str, found: u32, wanted: u32) -> Result<(), NetError> {
    if found == wanted { Ok(()) } else { Err(NetError::Shape { what, found, wanted }) }
}

/// Kings' squares as seen by a side; the last stands for none.
const KINGS: usize = 65;
const NO_KING: usize = 64;

/// A network ready for use.
pub struct Network {
    /// For each square of the own king the rows of all men, what stands where and how it stands to the king in one.
    men: Vec<Row>,
    attacks: Vec<Row>,
    bias: Row,
    outputs: [[[Row; 2]; HEADS]; STAGES],
    output_bias: [[i32; HEADS]; STAGES],
    glance: Glance,
    /// Whether the closer look has use for the odds and a hidden layer.
    sees_odds: bool,
    variant: String,
    checksum: String,
}

impl Network {
    /// Prepares a network: some 6 MiB.
    pub fn new(weights: &Weights) -> Network {
        let wide = |row: &[i8; HIDDEN]| Row(row.map(i16::from));
        let row_of = |index: usize| weights.men.get(index).map_or(Row::ZERO, wide);
        let mut men = Vec::with_capacity(KINGS * MEN);
        for king in 0..KINGS {
            let king = Square::new(king as u8);
            for kind in 0..12 {
                let role = Role::ALL.get(kind % 6).copied().unwrap_or(Role::Pawn);
                for square in (0..64).filter_map(Square::new) {
                    let (place, steps) = man(kind < 6, role, square, king);
                    let mut row = row_of(place);
                    if let Some(steps) = steps {
                        add(&mut row, &row_of(steps));
                    }
                    men.push(row);
                }
            }
        }
        Network {
            men,
            attacks: weights.attacks.iter().map(|row| Row(*row)).collect(),
            bias: Row(weights.bias),
            outputs: weights.outputs.map(|heads| heads.map(|views| views.map(|row| wide(&row)))),
            output_bias: weights.output_bias,
            glance: weights.glance.clone(),
            sees_odds: !weights.glance.is_plain(),
            variant: weights.variant.clone(),
            checksum: hex::encode(Sha256::digest(weights.to_bytes())),
        }
    }

    /// The SHA-256 of its file.
    pub fn checksum(&self) -> &str {
        &self.checksum
    }

    /// The game for which it was trained.
    pub fn variant(&self) -> &str {
        &self.variant
    }

    /// Where the rows of a side's view begin, by its king.
    #[inline]
    pub(super) fn base_of(king: Option<Square>, view: Color) -> usize {
        king.map_or(NO_KING, |king| turned(king, view).usize()) * MEN
    }

    /// The row of a man in a side's view.
    #[inline]
    pub(super) fn man(&self, base: usize, piece: Piece, square: Square, view: Color) -> &Row {
        let place = base + kind_of(piece, view) * 64 + turned(square, view).usize();
        self.men.get(place).unwrap_or(&Row::ZERO)
    }

    /// The row of a set of roles that attack the enemy king, or by which the own king is attacked.
    #[inline]
    pub(super) fn attack(&self, on_own_king: bool, roles: u8) -> &Row {
        // Inputs of sets come after those of men, and have rows of their own.
        let place = attack(on_own_king, roles).map(|input| input - MEN - STEPS);
        place.and_then(|place| self.attacks.get(place)).unwrap_or(&Row::ZERO)
    }

    /// The units of a view with no inputs but the men.
    pub(super) fn men_of(&self, position: &Position, view: Color) -> Row {
        self.men_around(position, Network::base_of(position.king(view), view), view)
    }

    /// The same as if its king stood elsewhere.
    pub(super) fn men_around(&self, position: &Position, base: usize, view: Color) -> Row {
        let mut units = self.bias;
        for square in position.occupied() {
            if let Some(piece) = position.man(square) {
                add(&mut units, self.man(base, piece, square, view));
            }
        }
        units
    }

    /// The units of a view without any input.
    pub(super) fn bias(&self) -> &Row {
        &self.bias
    }

    /// The logit for the side about to roll of units complete but for one change, its own view first.
    #[inline]
    pub(super) fn logit(&self, units: [&Row; 2], change: &Change, stage: usize, head: Head) -> i32 {
        let outputs = self.outputs.get(stage).and_then(|heads| heads.get(head as usize));
        let bias = self.bias_of(stage, head);
        let Some(weights) = outputs else { return bias };
        bias + scaled(output(units, change, weights).into_iter().map(i64::from).sum())
    }

    /// What a logit begins with.
    fn bias_of(&self, stage: usize, head: Head) -> i32 {
        self.output_bias.get(stage).and_then(|heads| heads.get(head as usize)).copied().unwrap_or(0)
    }

    /// The units of a view with all inputs.
    fn complete(&self, rules: &Rules, position: &Position, view: Color) -> Row {
        let mut units = self.men_of(position, view);
        add(&mut units, self.attack(false, rules.attacking_roles(position, view)));
        add(&mut units, self.attack(true, rules.attacking_roles(position, view.other())));
        units
    }

    /// The logit of a position for the side about to roll, for White where nobody is, from nothing.
    pub fn logit_of(&self, rules: &Rules, position: &Position, head: Head) -> i32 {
        let roller = position.side().unwrap_or(Color::White);
        let units = [roller, roller.other()].map(|view| self.complete(rules, position, view));
        let stage = stage(position);
        let none = Change { more: [&Row::ZERO; 2], less: [&Row::ZERO; 2] };
        let Some(weights) = self.outputs.get(stage).and_then(|heads| heads.get(head as usize)) else { return 0 };
        let parts = output(units.each_ref(), &none, weights).map(i64::from);
        let logit = self.bias_of(stage, head) + scaled(parts.iter().sum());
        match head {
            Head::Full => logit,
            Head::Quiet => {
                logit + self.glance.logit(&threats(rules, position, roller, self.sees_odds), parts.map(scaled), stage)
            }
        }
    }
}

/// A sum of squared units times weights as a logit.
#[inline]
fn scaled(sum: i64) -> i32 {
    let scale = i64::from(OUTPUT_ONE) * i64::from(ONE) * i64::from(ONE);
    (sum * i64::from(LOGIT_ONE) / scale) as i32
}

impl Evaluator for Network {
    fn evaluate(&self, rules: &Rules, position: &Position, view: Color) -> Score {
        squash(self.units(rules, position, view))
    }

    fn quiet(&self, rules: &Rules, position: &Position, view: Color) -> Score {
        squash(seen(position, view, self.logit_of(rules, position, Head::Quiet)))
    }

    fn has_quiet(&self) -> bool {
        true
    }

    fn network(&self) -> Option<&Network> {
        Some(self)
    }

    fn units(&self, rules: &Rules, position: &Position, view: Color) -> i32 {
        seen(position, view, self.logit_of(rules, position, Head::Full))
    }
}

/// What is told for the side about to roll, or for White, from the view of a side.
fn seen(position: &Position, view: Color, logit: i32) -> i32 {
    if position.side().unwrap_or(Color::White) == view { logit } else { -logit }
}

/// The scores of logits from 0 up.
static SCORES: Lazy<Vec<i32>> = Lazy::new(|| (0..=MOST_LOGIT).map(score_of).collect());

/// Twice the logistic function less one, as a score. By sums and products alone, which are the same on every processor.
fn score_of(logit: i32) -> i32 {
    let mut power = 1.0 + f64::from(logit) / f64::from(LOGIT_ONE) / f64::from(1 << 20);
    for _ in 0..20 {
        power *= power;
    }
    let score = (power - 1.0) / (power + 1.0) * f64::from(Score::WIN.0);
    (score.round() as i32).min(Score::WIN.0 - 1)
}

/// The expected result of a logit; never a certain one.
#[inline]
pub fn squash(logit: i32) -> Score {
    let size = SCORES.get(logit.unsigned_abs().min(MOST_LOGIT as u32) as usize).copied().unwrap_or(0);
    Score(if logit < 0 { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Weights {
        let mut weights = Weights::zero("dicechess");
        let mut next = 1u32;
        let mut draw = || {
            next = next.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (next >> 24) as i8
        };
        weights.men.iter_mut().flatten().for_each(|weight| *weight = draw());
        weights.outputs.iter_mut().flatten().flatten().flatten().for_each(|weight| *weight = draw().max(-127));
        weights.bias = [-300; HIDDEN];
        weights.glance.linear.iter_mut().flatten().for_each(|weight| *weight = i16::from(draw()) * 7);
        weights.glance.rows.iter_mut().flatten().for_each(|weight| *weight = i16::from(draw()) * 7);
        weights.glance.outputs.iter_mut().flatten().for_each(|weight| *weight = i16::from(draw()) * 7);
        weights
    }

    #[test]
    fn files_are_read_back() {
        let mut weights = some();
        assert_eq!(Weights::from_bytes(&weights.to_bytes()).as_ref(), Ok(&weights));
        // Of fewer units the others are zero.
        weights.units = 64;
        let bytes = weights.to_bytes();
        assert_eq!(bytes.len(), HEADER + payload(64));
        let read = Weights::from_bytes(&bytes).unwrap();
        assert_eq!(read.to_bytes(), bytes);
        assert!(read.men.iter().zip(&weights.men).all(|(row, whole)| row[..64] == whole[..64] && row[64..] == [0; 64]));
    }

    #[test]
    fn bad_files_are_named() {
        let good = some().to_bytes();
        assert_eq!(good.len(), HEADER + payload(HIDDEN));
        let changed = |at: usize| {
            let mut bytes = good.clone();
            bytes[at] ^= 1;
            Weights::from_bytes(&bytes).map_err(|error| error.to_string())
        };
        let told = |at, text: &str| {
            let error = changed(at).expect_err("a fault");
            assert!(error.contains(text), "{error}");
        };
        told(0, "not a network");
        told(8, "version");
        told(8 + 4 + NAME, "feature set");
        told(8 + 4 + NAME + 4, "hidden units");
        told(HEADER - 12, "length");
        told(HEADER - 1, "checksum");
        told(good.len() - 1, "checksum");
        for cut in [0, 7, 11, 30, HEADER, good.len() - 1] {
            assert!(Weights::from_bytes(&good[..cut]).is_err());
        }
        assert!(Weights::from_bytes(&[good.clone(), vec![0]].concat()).is_err());
    }

    #[test]
    fn scores_rise_from_loss_to_win() {
        assert_eq!(squash(0), Score::DRAW);
        assert!((squash(LOGIT_ONE).expectation() - 1.0 / (1.0 + (-1.0f64).exp())).abs() < 1e-5);
        assert!((-9_000..9_000).all(|logit| squash(logit) <= squash(logit + 1) && squash(logit) == -squash(-logit)));
        assert!(squash(100_000) < Score::WIN && squash(-100_000) > Score::LOSS);
    }
}

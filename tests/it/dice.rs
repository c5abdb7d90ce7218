//! Dice against published vectors.

use crate::support::data;
use hazard::dice::{DiceKind, DiceStream, FairDice, Roll};
use serde::Deserialize;

#[derive(Deserialize)]
struct Fair {
    seed_hex: String,
    commit: String,
    vectors: Vec<Vector>,
    single_rolls: Vec<Single>,
}

#[derive(Deserialize)]
struct Vector {
    white: String,
    black: String,
    rolls: Vec<String>,
}

#[derive(Deserialize)]
struct Single {
    white: String,
    black: String,
    ply: u64,
    roll: String,
}

#[test]
fn fair_vectors() {
    let fair: Fair = serde_json::from_str(&data("fair_dice.json")).unwrap();
    assert!(fair.vectors.len() >= 3 && fair.single_rolls.len() >= 3);
    for vector in &fair.vectors {
        let mut dice = FairDice::from_hex(&fair.seed_hex, &vector.white, &vector.black).unwrap();
        assert_eq!(dice.commit(), fair.commit);
        assert_eq!(dice.reveal(), fair.seed_hex);
        let rolls: Vec<(u64, u32, Roll)> =
            (0..).zip(&vector.rolls).map(|(ply, roll)| (ply, 0, Roll::parse(roll).unwrap())).collect();
        for &(ply, attempt, roll) in &rolls {
            assert_eq!(dice.roll(DiceKind::Three, ply, attempt), Some(roll), "{} {ply}", vector.white);
        }
        assert_eq!(dice.verify(&fair.commit, &rolls), Ok(()));
    }
    for single in &fair.single_rolls {
        let dice = FairDice::from_hex(&fair.seed_hex, &single.white, &single.black).unwrap();
        assert_eq!(dice.derive(single.ply, 3, 0).unwrap().to_string(), single.roll, "ply {}", single.ply);
    }
}

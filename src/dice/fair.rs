//! Provably fair dice: commit, derive, reveal, verify.
//!
//! The published procedure of the source site (rules.md section 13): a secret seed is committed to by its SHA-256,
//! each roll is read off HMAC-SHA256 blocks keyed by the seed over both client seeds and the turn's number, and
//! whoever is shown the seed afterwards can recompute every roll.

use super::model::DiceKind;
use super::roll::{Face, Roll};
use super::stream::DiceStream;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// What can be wrong with revealed dice.
#[derive(Error, Debug, PartialEq, Eq)]
pub enum FairError {
    /// The seed is not 64 hexadecimal digits.
    #[error("a fair seed is 64 hexadecimal digits, not '{0}'")]
    Seed(String),
    /// The seed is not the one that was committed to.
    #[error("the revealed seed does not match the commitment {0}")]
    Commitment(String),
    /// A roll is not the one that the seed gives.
    #[error("roll {recorded} of ply {ply} should be {derived}")]
    Roll {
        /// The turn's absolute number.
        ply: u64,
        /// What the record says.
        recorded: Roll,
        /// What the seed says.
        derived: Roll,
    },
}

/// The fair dice of one game: the secret seed and both players' client seeds.
#[derive(Clone)]
pub struct FairDice {
    seed: [u8; 32],
    /// Everything of the message before the turn's number.
    prefix: Vec<u8>,
}

impl FairDice {
    /// The dice of a secret seed and the client seeds of the White and the Black seat.
    pub fn new(seed: [u8; 32], white: &str, black: &str) -> FairDice {
        let mut prefix = Vec::with_capacity(8 + white.len() + black.len());
        for client in [white, black] {
            prefix.extend_from_slice(&(client.len() as u32).to_be_bytes());
            prefix.extend_from_slice(client.as_bytes());
        }
        FairDice { seed, prefix }
    }

    /// The dice of the engine option `DiceSeed`: the seed is the text's SHA-256, the client seeds are empty.
    pub fn from_text(text: &str) -> FairDice {
        FairDice::new(Sha256::digest(text.as_bytes()).into(), "", "")
    }

    /// Reads a revealed seed.
    pub fn from_hex(seed: &str, white: &str, black: &str) -> Result<FairDice, FairError> {
        let bytes = hex::decode(seed).map_err(|_| FairError::Seed(seed.to_string()))?;
        let seed = <[u8; 32]>::try_from(bytes).map_err(|_| FairError::Seed(seed.to_string()))?;
        Ok(FairDice::new(seed, white, black))
    }

    /// The commitment to publish before the game: the seed's SHA-256 in lower-case hexadecimal.
    pub fn commit(&self) -> String {
        hex::encode(Sha256::digest(self.seed))
    }

    /// The seed to publish after the game, in lower-case hexadecimal.
    pub fn reveal(&self) -> String {
        hex::encode(self.seed)
    }

    /// The roll of `count` dice for turn number `ply`, after `attempt` rerolls; none for a count outside 1–3.
    pub fn derive(&self, ply: u64, count: usize, attempt: u32) -> Option<Roll> {
        let skip = count * attempt as usize;
        let dice: Vec<Face> = self.dice(ply).skip(skip).take(count).collect();
        Roll::new(&dice)
    }

    /// Checks a revealed game: the commitment, then every (ply, attempt, roll).
    pub fn verify<'a>(
        &self,
        commitment: &str,
        rolls: impl IntoIterator<Item = &'a (u64, u32, Roll)>,
    ) -> Result<(), FairError> {
        if self.commit() != commitment {
            return Err(FairError::Commitment(commitment.to_string()));
        }
        for &(ply, attempt, recorded) in rolls {
            match self.derive(ply, recorded.dice().len(), attempt) {
                Some(derived) if derived == recorded => {}
                Some(derived) => return Err(FairError::Roll { ply, recorded, derived }),
                None => {}
            }
        }
        Ok(())
    }

    /// The endless dice of one turn.
    fn dice(&self, ply: u64) -> impl Iterator<Item = Face> {
        (0i32..).flat_map(move |index| self.block(ply, index)).filter(|byte| *byte < 252).map(|byte| {
            let [one, ..] = Face::ALL;
            Face::new(byte % 6 + 1).unwrap_or(one)
        })
    }

    fn block(&self, ply: u64, index: i32) -> [u8; 32] {
        // `new` takes an array of the block's size and cannot fail: SHA-256 hashes 64-byte blocks.
        let mut key = [0u8; 64];
        key[..32].copy_from_slice(&self.seed);
        let mut mac = Hmac::<Sha256>::new(&key.into());
        mac.update(&self.prefix);
        mac.update(&(ply as i64).to_be_bytes());
        mac.update(&index.to_be_bytes());
        mac.finalize().into_bytes().into()
    }
}

impl DiceStream for FairDice {
    fn roll(&mut self, kind: DiceKind, ply: u64, attempt: u32) -> Option<Roll> {
        self.derive(ply, kind.count(), attempt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_die_seed_or_commitment_is_named() {
        let dice = FairDice::from_text("hazard");
        let mut rolls: Vec<(u64, u32, Roll)> = (0..20).map(|ply| (ply, 0, dice.derive(ply, 3, 0).unwrap())).collect();
        rolls.push((20, 1, dice.derive(20, 3, 1).unwrap()));
        assert_eq!(dice.verify(&dice.commit(), &rolls), Ok(()));
        let again = FairDice::from_hex(&dice.reveal(), "", "").unwrap();
        assert_eq!(again.verify(&dice.commit(), &rolls), Ok(()));
        let other = FairDice::from_text("hazarD");
        assert_eq!(other.verify(&dice.commit(), &rolls), Err(FairError::Commitment(dice.commit())));
        let derived = rolls[4].2;
        rolls[4].2 = Roll::parse(if derived.to_string() == "111" { "112" } else { "111" }).unwrap();
        assert!(matches!(dice.verify(&dice.commit(), &rolls), Err(FairError::Roll { ply: 4, .. })));
    }

    #[test]
    fn rerolls_take_the_next_dice_of_the_same_ply() {
        let dice = FairDice::from_text("x");
        let first: String = (0..2).map(|attempt| dice.derive(9, 1, attempt).unwrap().to_string()).collect();
        assert_eq!(first, dice.derive(9, 2, 0).unwrap().to_string());
    }

    #[test]
    fn seeds_are_checked() {
        for bad in ["", "00", "zz", &"0".repeat(63), &"g".repeat(64)] {
            assert!(matches!(FairDice::from_hex(bad, "", ""), Err(FairError::Seed(_))), "{bad}");
        }
    }
}

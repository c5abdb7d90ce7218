//! The secrets from which the dice of a match follow: one for each pair of games, committed to before the first of them.

use crate::dice::FairDice;
use sha2::{Digest, Sha256};

/// What the secrets of all pairs follow from.
#[derive(Clone, PartialEq, Eq)]
enum Root {
    /// A number that everybody may know, so that a match can be played again.
    Seed(u64),
    /// What nobody knows before the match is over.
    Random([u8; 32]),
}

/// The dice of a match.
#[derive(Clone)]
pub struct Secrets {
    root: Root,
    clients: [String; 2],
}

impl Secrets {
    /// The secrets of a seed. The client seeds belong to the seats, White's and Black's, whoever sits there.
    pub fn from_seed(seed: u64, clients: [String; 2]) -> Secrets {
        Secrets { root: Root::Seed(seed), clients }
    }

    /// The secrets of random bytes.
    pub fn from_random(bytes: [u8; 32], clients: [String; 2]) -> Secrets {
        Secrets { root: Root::Random(bytes), clients }
    }

    /// The client seeds, White's first.
    pub fn clients(&self) -> &[String; 2] {
        &self.clients
    }

    /// The dice of a pair, counted from 0: each roll follows from its turn's number, so that both games see the same with
    /// colours swapped, however differently they go.
    pub fn dice(&self, pair: u64) -> FairDice {
        let secret: [u8; 32] = match &self.root {
            Root::Seed(seed) => Sha256::digest(format!("hazard match {seed} pair {pair}")).into(),
            Root::Random(bytes) => Sha256::new().chain_update(bytes).chain_update(pair.to_be_bytes()).finalize().into(),
        };
        let [white, black] = &self.clients;
        FairDice::new(secret, white, black)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{DiceKind, DiceStream};

    fn rolls(mut dice: FairDice) -> Vec<String> {
        (0..20).filter_map(|ply| dice.roll(DiceKind::Three, ply, 0)).map(|roll| roll.to_string()).collect()
    }

    #[test]
    fn a_pair_has_its_own_dice() {
        let clients = || ["a".to_string(), "b".to_string()];
        let secrets = Secrets::from_seed(7, clients());
        assert_eq!(rolls(secrets.dice(0)), rolls(Secrets::from_seed(7, clients()).dice(0)));
        let others = [
            secrets.dice(1),
            Secrets::from_seed(8, clients()).dice(0),
            Secrets::from_seed(7, ["a".to_string(), "c".to_string()]).dice(0),
            Secrets::from_random([7; 32], clients()).dice(0),
            Secrets::from_random([8; 32], clients()).dice(0),
        ];
        let all: std::collections::BTreeSet<Vec<String>> =
            others.into_iter().chain([secrets.dice(0)]).map(rolls).collect();
        assert_eq!(all.len(), 6);
        assert_ne!(secrets.dice(0).commit(), secrets.dice(1).commit());
    }
}

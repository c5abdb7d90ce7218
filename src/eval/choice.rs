//! Which evaluation is used: the network of a file, the one in the program, or the evaluation by hand.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use super::network::{NetError, Network, Weights};
use super::{Evaluator, Hand};
use crate::variant::find;
use once_cell::sync::Lazy;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use thiserror::Error;

/// An evaluation to share.
#[derive(Clone)]
pub enum Choice {
    /// The program's own of the game of this name.
    Own(&'static str),
    /// A network that was loaded.
    Loaded(Arc<Network>),
    /// Any other.
    Plain(&'static dyn Evaluator),
}

/// Why a network cannot be loaded.
#[derive(Error, Debug)]
pub enum LoadError {
    /// The file cannot be read.
    #[error("{0}")]
    File(#[from] io::Error),
    /// It holds no network for the game.
    #[error("{0}")]
    Network(#[from] NetError),
}

/// No file of a network is longer.
const MOST_BYTES: u64 = 16 << 20;

type Embedded = Lazy<Option<Network>>;

/// A game and the network for it that is in the program.
macro_rules! embedded {
    ($($name:literal),*) => { [$(($name, Lazy::new(|| ready(include_bytes!(concat!("nets/", $name, ".bin")))))),*] };
}

/// The networks in the program, each made ready when it is first asked for.
static NETWORKS: [(&str, Embedded); 10] = embedded![
    "dicechess",
    "dicehard",
    "diceultimate",
    "pawnhunt",
    "dicecheckmate",
    "brainking",
    "vegas",
    "anydice",
    "gollon-count",
    "gollon-piececount"
];

fn ready(bytes: &[u8]) -> Option<Network> {
    Weights::from_bytes(bytes).ok().map(|weights| Network::new(&weights))
}

/// The game whose network values a game.
fn school(name: &str) -> &str {
    find(name).map_or(name, |variant| variant.network)
}

/// Whether a network of one game may value another.
fn values(trained: &str, variant: &str) -> bool {
    trained == variant || trained == school(variant)
}

impl Choice {
    /// The network of a file for a game.
    pub fn load(path: &str, variant: &str) -> Result<Choice, LoadError> {
        let mut bytes = Vec::new();
        File::open(path)?.take(MOST_BYTES).read_to_end(&mut bytes)?;
        Ok(Choice::read(&bytes, variant)?)
    }

    /// The network of a file's bytes for a game.
    pub fn read(bytes: &[u8], variant: &str) -> Result<Choice, NetError> {
        let weights = Weights::from_bytes(bytes)?;
        if !values(&weights.variant, variant) {
            return Err(NetError::Variant { found: weights.variant, wanted: variant.to_string() });
        }
        Ok(Choice::Loaded(Arc::new(Network::new(&weights))))
    }

    /// Whether it is for a game.
    pub fn suits(&self, variant: &str) -> bool {
        match self {
            Choice::Own(name) => *name == variant,
            Choice::Loaded(network) => values(network.variant(), variant),
            Choice::Plain(_) => true,
        }
    }

    /// The evaluation.
    pub fn get(&self) -> &dyn Evaluator {
        match self {
            Choice::Own(variant) => {
                let school = school(variant);
                let known = NETWORKS.iter().find(|(name, _)| *name == school);
                known.and_then(|(_, network)| network.as_ref()).map_or(&Hand, |network| network)
            }
            Choice::Loaded(network) => network.as_ref(),
            Choice::Plain(evaluator) => *evaluator,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_networks_are_those_of_their_games() {
        for (name, network) in &NETWORKS {
            assert_eq!(network.as_ref().map(Network::variant), Some(*name));
            assert!(Choice::Own(name).get().network().is_some());
        }
        assert!(Choice::Own("chess").get().network().is_none());
        // An alias plays by the network of the game that it is.
        assert_eq!(Choice::Own("burmese").get().network().map(Network::variant), Some("dicechess"));
        let bytes = Weights::zero("dicechess").to_bytes();
        assert!(
            Choice::read(&bytes, "burmese").is_ok_and(|choice| choice.suits("burmese") && choice.suits("dicechess"))
        );
    }

    #[test]
    fn a_network_of_another_game_is_refused() {
        let bytes = Weights::zero("pawnhunt").to_bytes();
        let error = Choice::read(&bytes, "dicechess").err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some("the network is for pawnhunt, not for dicechess"));
        assert!(Choice::read(&bytes, "pawnhunt").is_ok_and(|choice| choice.suits("pawnhunt")));
        assert!(Choice::load("/nowhere/net.bin", "dicechess").is_err());
    }
}

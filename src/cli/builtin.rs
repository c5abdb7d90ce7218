//! The players that are built in, as the arena takes them.

use crate::arena::Player;
use crate::eval::Reference;
use crate::turns::{Game, Turn};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// A reference player with its own chances.
pub struct Builtin {
    player: Reference,
    chance: ChaCha8Rng,
}

impl Builtin {
    /// The player with chances from a seed.
    pub fn new(player: Reference, seed: u64) -> Builtin {
        Builtin { player, chance: ChaCha8Rng::seed_from_u64(seed) }
    }
}

impl Player for Builtin {
    fn turn(&mut self, game: &Game) -> Turn {
        self.player.choose(game.rules(), game.position(), &mut self.chance)
    }
}

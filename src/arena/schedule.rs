//! Who plays whom, when, from where and with which dice.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// How engines are paired.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pairing {
    /// Each plays every other.
    #[default]
    RoundRobin,
    /// The first so many play all others.
    Gauntlet(usize),
}

/// The games of a match.
#[derive(Clone, Debug)]
pub struct Schedule {
    encounters: Vec<(usize, usize)>,
    rounds: u64,
    games: u64,
    /// The order in which openings are taken; empty where there are none.
    openings: Vec<usize>,
    seed: u64,
    /// Of so many parts of the match this one is played.
    shard: (u64, u64),
}

/// A game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scheduled {
    /// Its number, from 1.
    pub number: u64,
    /// The round, from 1.
    pub round: u64,
    /// The pair of games it belongs to, from 0.
    pub pair: u64,
    /// Which of the pair, from 0.
    pub of_pair: u64,
    /// Who has White.
    pub white: usize,
    /// Who has Black.
    pub black: usize,
    /// The opening's number in its file, from 0.
    pub opening: Option<usize>,
}

impl Scheduled {
    /// Whether the encounter's first engine has White.
    pub fn first_is_white(&self, encounter: (usize, usize)) -> bool {
        self.white == encounter.0
    }
}

impl Schedule {
    /// A schedule for so many engines: in each round every encounter plays a pair of `games` games, one or two.
    pub fn new(engines: usize, pairing: Pairing, rounds: u64, games: u64, seed: u64) -> Schedule {
        let first = match pairing {
            Pairing::RoundRobin => engines,
            Pairing::Gauntlet(seeds) => seeds,
        };
        let encounters = (0..first.min(engines))
            .flat_map(|one| (one + 1..engines).map(move |other| (one, other)))
            .filter(|&(_, other)| pairing == Pairing::RoundRobin || other >= first)
            .collect();
        Schedule { encounters, rounds, games: games.clamp(1, 2), openings: Vec::new(), seed, shard: (0, 1) }
    }

    /// Takes openings in their order from one on (`start`, from 0), or in an order drawn by the seed.
    #[must_use]
    pub fn with_openings(mut self, count: usize, random: bool, start: usize) -> Schedule {
        self.openings = (0..count).collect();
        if random {
            self.openings.shuffle(&mut ChaCha8Rng::seed_from_u64(self.seed));
        }
        if count > 0 {
            self.openings.rotate_left(start % count);
        }
        self
    }

    /// Only every `parts`-th pair, beginning with one (`part`, from 0): a part of the match.
    #[must_use]
    pub fn with_shard(mut self, part: u64, parts: u64) -> Schedule {
        self.shard = (part.min(parts.max(1) - 1), parts.max(1));
        self
    }

    /// Whether a game is played in this part of the match.
    pub fn has(&self, game: &Scheduled) -> bool {
        game.pair % self.shard.1 == self.shard.0
    }

    /// Who meets whom.
    pub fn encounters(&self) -> &[(usize, usize)] {
        &self.encounters
    }

    /// How many games a pair has.
    pub fn games_each(&self) -> u64 {
        self.games
    }

    /// How many games the whole match has.
    pub fn whole(&self) -> u64 {
        self.rounds * self.games * self.encounters.len() as u64
    }

    /// How many games are played in this part of the match.
    pub fn len(&self) -> u64 {
        let (part, parts) = self.shard;
        let pairs = self.whole() / self.games;
        (pairs + parts - 1 - part) / parts * self.games
    }

    /// Whether there is nothing to play.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A game of the whole match by its index from 0.
    pub fn game(&self, index: u64) -> Option<Scheduled> {
        if index >= self.whole() {
            return None;
        }
        let (pair, of_pair) = (index / self.games, index % self.games);
        let encounters = self.encounters.len() as u64;
        let round = pair / encounters;
        let &(one, other) = self.encounters.get((pair % encounters) as usize)?;
        // Where rounds have one game each, colours change from round to round.
        let swapped = if self.games == 1 { round % 2 == 1 } else { of_pair == 1 };
        let (white, black) = if swapped { (other, one) } else { (one, other) };
        let opening = self.openings.get(pair as usize % self.openings.len().max(1)).copied();
        Some(Scheduled { number: index + 1, round: round + 1, pair, of_pair, white, black, opening })
    }

    /// A seed for the chances of a game's players.
    pub fn player_seed(&self, game: &Scheduled, side: u64) -> u64 {
        // Seeds of neighbouring games must not be neighbours in the players' streams.
        (self.seed ^ game.number << 1 ^ side).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32) ^ game.pair
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_everybody_with_both_colours() {
        let schedule = Schedule::new(3, Pairing::RoundRobin, 2, 2, 1).with_openings(5, false, 1);
        assert_eq!((schedule.len(), schedule.encounters()), (12, &[(0, 1), (0, 2), (1, 2)][..]));
        let games: Vec<Scheduled> = (0..12).filter_map(|index| schedule.game(index)).collect();
        assert_eq!(schedule.game(12), None);
        for pair in games.chunks(2) {
            let [a, b] = pair else { panic!("a pair") };
            assert_eq!((a.white, a.black, a.opening), (b.black, b.white, b.opening));
            assert_eq!((a.pair, a.round), (b.pair, b.round));
        }
        assert_eq!(games.iter().map(|game| game.opening.unwrap()).step_by(2).collect::<Vec<_>>(), [1, 2, 3, 4, 0, 1]);
        let gauntlet = Schedule::new(4, Pairing::Gauntlet(1), 1, 2, 1);
        assert_eq!(gauntlet.encounters(), [(0, 1), (0, 2), (0, 3)]);
        let single = Schedule::new(2, Pairing::RoundRobin, 4, 1, 1);
        assert_eq!((0..4).map(|index| single.game(index).unwrap().white).collect::<Vec<_>>(), [0, 1, 0, 1]);
    }

    #[test]
    fn shards_share_all_games() {
        let schedule = Schedule::new(3, Pairing::RoundRobin, 7, 2, 1);
        let shards: Vec<Schedule> = (0..4).map(|part| schedule.clone().with_shard(part, 4)).collect();
        assert_eq!(shards.iter().map(Schedule::len).sum::<u64>(), schedule.len());
        for index in 0..schedule.len() {
            let game = schedule.game(index).unwrap();
            assert_eq!(shards.iter().filter(|shard| shard.has(&game)).count(), 1);
        }
        let one = Schedule::new(2, Pairing::RoundRobin, 7, 1, 1);
        assert_eq!((0..3).map(|part| one.clone().with_shard(part, 3).len()).sum::<u64>(), 7);
    }

    #[test]
    fn openings_come_in_an_order_of_the_seed() {
        let random = Schedule::new(2, Pairing::RoundRobin, 50, 2, 7).with_openings(50, true, 0);
        let mut order: Vec<usize> =
            (0..100).step_by(2).map(|index| random.game(index).unwrap().opening.unwrap()).collect();
        assert_ne!(order, (0..50).collect::<Vec<_>>());
        order.sort_unstable();
        assert_eq!(order, (0..50).collect::<Vec<_>>());
    }
}

//! The network: what is told from changes equals what is told from nothing.

use crate::support::{reachable, rules, scattered};
use hazard::board::Color;
use hazard::eval::network::Head;
use hazard::eval::{Accumulator, HIDDEN, Judge, Network, Weights};
use hazard::position::{Observer, Position};
use hazard::turns::{Audience, Fan, FanLeaf, FanSet};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A network of random numbers, in which every input matters.
fn noise(seed: u64) -> Network {
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let mut weights = Weights::zero("dicechess");
    weights.men.iter_mut().flatten().for_each(|weight| *weight = chance.random_range(-60..=60));
    weights.attacks.iter_mut().flatten().for_each(|weight| *weight = chance.random_range(-90..=90));
    weights
        .outputs
        .iter_mut()
        .flatten()
        .flatten()
        .flatten()
        .for_each(|weight| *weight = chance.random_range(-127..=127));
    weights.bias = [100; HIDDEN];
    Network::new(&weights)
}

struct Compare<'a, 'n> {
    judge: Judge<'n>,
    network: &'n Network,
    rules: &'a hazard::turns::Rules,
    heard: usize,
}

impl Compare<'_, '_> {
    fn check(&mut self, position: &Position, told: i32) {
        assert_eq!(told, -self.network.logit_of(self.rules, position, Head::Full));
        self.heard += 1;
    }
}

impl<'n> Audience<Accumulator<'n>> for Compare<'_, 'n> {
    fn leaf(&mut self, leaf: &FanLeaf<Accumulator<'n>>) -> u64 {
        if !leaf.wins {
            let told = self.judge.leaf(leaf);
            self.check(&leaf.position(), told);
        }
        0
    }

    fn set(&mut self, set: &FanSet<Accumulator<'n>>) -> u64 {
        let mut told = Vec::new();
        self.judge.set(set, |mv, logit| told.push((mv, logit)));
        let mut ends = Vec::new();
        set.each(|leaf| {
            ends.push((leaf.turn(), leaf.position()));
            0
        });
        assert_eq!(told.len(), ends.len());
        for ((mv, logit), (turn, position)) in told.into_iter().zip(ends) {
            assert_eq!(turn.moves().last(), Some(&mv));
            self.check(&position, logit);
        }
        0
    }
}

fn compare(position: &Position, seed: u64) {
    let rules = rules("dicechess");
    let network = noise(seed);
    let Some(side) = position.side() else { return };
    let mut audience = Compare { judge: Judge::new(rules, &network, side), network: &network, rules: &rules, heard: 0 };
    let accumulator = Accumulator::new(&network, position);
    Fan::new(rules).expect("three dice").walk_sets(position, accumulator, Fan::ALL, &mut audience);
    assert!(audience.heard > 0 || rules.king_captures(position, side) != 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn ends_of_turns_are_valued_as_from_nothing(seed in any::<u64>(), moves in 0..60u32, few in any::<bool>()) {
        let rules = rules("dicechess");
        let game = if few { scattered(rules, seed, 6) } else { None };
        let game = game.unwrap_or_else(|| reachable(rules, seed, moves));
        compare(game.position(), seed);
    }

    #[test]
    fn a_change_of_colours_changes_nothing(seed in any::<u64>(), moves in 0..60u32) {
        let rules = rules("dicechess");
        let network = noise(seed);
        let game = reachable(rules, seed, moves);
        let position = game.position();
        for head in [Head::Full, Head::Quiet] {
            let (one, other) = (network.logit_of(&rules, position, head), network.logit_of(&rules, &position.flipped(), head));
            prop_assert_eq!(one, other);
        }
    }
}

#[test]
fn an_observer_follows_the_men() {
    let rules = rules("dicechess");
    let network = noise(3);
    let game = reachable(rules, 11, 0);
    let (mut position, mut accumulator) = (*game.position(), Accumulator::new(&network, game.position()));
    let mut moves = Vec::new();
    position.set_allowance(Color::White, hazard::position::Pool::new(&[hazard::position::Ticket::ANY]));
    rules.single_moves(&position, &mut moves);
    let mv = moves[0];
    position.displace(rules.variant, mv, &mut accumulator);
    for view in Color::ALL {
        assert_eq!(accumulator.units(view), Accumulator::new(&network, &position).units(view));
    }
    fn is_observer(_: &impl Observer) {}
    is_observer(&accumulator);
}

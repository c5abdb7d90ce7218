//! The doubling cube in money play: whether to double, whether to take.
//!
//! Every game counts single. With the probability of winning alone the equities are known for a cube that is of no use (a
//! dead one: none is turned any more) and for one of perfect use (live: each double comes exactly where taking and
//! passing are the same, which needs an expectation that moves without jumps; Keeler and Spencer 1975). What is between
//! them is interpolated by the cube's efficiency (Janowski 1993).

use super::rollout::Stakes;
use crate::board::Color;
use crate::search::Outlook;
use crate::turns::Game;
use serde::Serialize;

/// Who may double next, seen from a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holder {
    /// Either.
    Centre,
    /// The side itself.
    Own,
    /// Its opponent.
    Other,
}

/// The highest cube.
pub const CAP: u32 = 64;
/// How much of a perfect cube's use a real one has, where nothing else is said: what fits rollouts best, see the README.
pub const EFFICIENCY: f64 = 0.7;

/// A live cube is doubled and passed from here on.
const LIVE_CASH: f64 = 0.8;

/// The equity of a side with so many chances to win for a cube of 1, between -1 and 1.
pub fn equity(chance: f64, holder: Holder, efficiency: f64) -> f64 {
    let dead = 2.0 * chance - 1.0;
    // From the opponent's last cash, or a certain loss, up to one's own, or a certain win.
    let (low, high) = match holder {
        Holder::Centre => (1.0 - LIVE_CASH, LIVE_CASH),
        Holder::Own => (0.0, LIVE_CASH),
        Holder::Other => (1.0 - LIVE_CASH, 1.0),
    };
    let live = ((chance - low) / (high - low) * 2.0 - 1.0).clamp(-1.0, 1.0);
    efficiency * live + (1.0 - efficiency) * dead
}

/// What to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// Do not double; the opponent would take.
    NoDouble,
    /// Double; the opponent should take.
    DoubleTake,
    /// Double; the opponent should pass.
    DoublePass,
    /// Do not double, since playing on brings more than the opponent's pass would.
    TooGood,
    /// The cube is the opponent's, or as high as it goes.
    Unavailable,
}

impl Decision {
    /// By the equities of playing on without a double, of a double that is taken, and of one that is passed.
    pub fn of(no_double: f64, take: f64) -> Decision {
        const PASS: f64 = 1.0;
        match take.min(PASS) {
            doubled if doubled < no_double && take >= PASS => Decision::TooGood,
            doubled if doubled < no_double => Decision::NoDouble,
            _ if take >= PASS => Decision::DoublePass,
            _ => Decision::DoubleTake,
        }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Decision::NoDouble => "no double, take",
            Decision::DoubleTake => "double, take",
            Decision::DoublePass => "double, pass",
            Decision::TooGood => "too good to double, pass",
            Decision::Unavailable => "the cube cannot be turned",
        }
    }
}

/// The state of the cube.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cube {
    /// What the game is about.
    pub value: u32,
    /// Whose it is; none where it is in the middle.
    pub owner: Option<Color>,
}

impl Cube {
    /// The cube as a side sees it.
    pub fn holder(self, side: Color) -> Holder {
        match self.owner {
            None => Holder::Centre,
            Some(owner) if owner == side => Holder::Own,
            Some(_) => Holder::Other,
        }
    }

    /// Whether a side may double.
    pub fn is_free(self, side: Color) -> bool {
        self.value * 2 <= CAP && self.holder(side) != Holder::Other
    }
}

/// What a side that could double is told.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Advice {
    /// The chance to win.
    pub chance: f64,
    /// The equity without a double, for a cube of 1.
    pub no_double: f64,
    /// With one that is taken.
    pub take: f64,
    /// What to do.
    pub decision: Decision,
    /// The opponent takes with chances of his own from here on.
    pub take_point: f64,
    /// From here on a double is right.
    pub double_point: f64,
    /// From here on it is passed.
    pub cash_point: f64,
}

/// The chance from which on a double is passed: where the opponent has the same with two at stake and the cube as by
/// losing one.
pub fn cash_point(efficiency: f64) -> f64 {
    (1.5 + 0.5 * efficiency) / (2.0 + 0.5 * efficiency)
}

/// The efficiency by which the formula gives a double that is taken the equity that it was found to have, between 0 and 1:
/// what rollouts of one position say about the points of all others like it.
pub fn implied_efficiency(chance: f64, take: f64) -> f64 {
    let [dead, live] = [0.0, 1.0].map(|efficiency| 2.0 * equity(chance, Holder::Other, efficiency));
    let difference = live - dead;
    // Without chances to win or to lose the cube is of no use to anybody.
    if difference.abs() < 1e-9 { EFFICIENCY } else { ((take - dead) / difference).clamp(0.0, 1.0) }
}

/// What a side with so many chances should do.
pub fn advise(chance: f64, cube: Cube, side: Color, efficiency: f64) -> Advice {
    let holder = cube.holder(side);
    // The last double leaves a cube that nobody can turn.
    let after = if cube.value * 4 > CAP { 0.0 } else { efficiency };
    let taken = |chance: f64| 2.0 * equity(chance, Holder::Other, after);
    let kept = |chance: f64| equity(chance, holder, if cube.value * 2 > CAP { 0.0 } else { efficiency });
    let cash_point = cash_point(after);
    let is_right =
        |chance: f64| matches!(Decision::of(kept(chance), taken(chance)), Decision::DoubleTake | Decision::DoublePass);
    let steps = (0..=1_000).map(|step| f64::from(step) / 1_000.0);
    let double_point = steps.into_iter().find(|&chance| is_right(chance) && chance >= 0.5).unwrap_or(1.0);
    let (no_double, take) = (kept(chance), taken(chance));
    let decision = if cube.is_free(side) { Decision::of(no_double, take) } else { Decision::Unavailable };
    Advice { chance, no_double, take, decision, take_point: 1.0 - cash_point, double_point, cash_point }
}

/// A game about a cube, in which both sides double and take by the formula; equities are for what it stood at first.
#[derive(Clone, Copy, Debug)]
pub struct CubeStakes {
    /// The cube at the beginning.
    pub first: u32,
    /// The cube now.
    pub cube: Cube,
    /// The efficiency by which both decide.
    pub efficiency: f64,
    /// How many throws must pass before the next double.
    pub rest: u32,
}

impl CubeStakes {
    fn stake(&self) -> f64 {
        f64::from(self.cube.value) / f64::from(self.first)
    }
}

impl Stakes for CubeStakes {
    fn offer(&mut self, outlook: &Outlook, game: &Game) -> Option<f64> {
        let side = game.position().side()?;
        if self.rest > 0 {
            self.rest -= 1;
            return None;
        }
        if !self.cube.is_free(side) {
            return None;
        }
        let chance = outlook.value(game.position(), side).expectation();
        match advise(chance, self.cube, side, self.efficiency).decision {
            Decision::DoubleTake => {
                self.cube = Cube { value: self.cube.value * 2, owner: Some(side.other()) };
                None
            }
            Decision::DoublePass => Some(if side == Color::White { self.stake() } else { -self.stake() }),
            _ => None,
        }
    }

    fn worth(&self, white: f64) -> f64 {
        let efficiency = if self.cube.value * 2 > CAP { 0.0 } else { self.efficiency };
        self.stake() * equity(white, self.cube.holder(Color::White), efficiency)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_points_of_backgammon_money_play() {
        assert!((cash_point(0.0) - 0.75).abs() < 1e-12 && (cash_point(1.0) - 0.8).abs() < 1e-12);
        for efficiency in [0.0, 0.3, 0.6, 1.0] {
            // At the cash point taking and passing are the same.
            let cash = cash_point(efficiency);
            assert!((2.0 * equity(cash, Holder::Other, efficiency) - 1.0).abs() < 1e-12, "{efficiency}");
            for holder in [Holder::Centre, Holder::Own, Holder::Other] {
                assert_eq!((equity(0.0, holder, efficiency), equity(1.0, holder, efficiency)), (-1.0, 1.0));
            }
            // What is good for one side is as bad for the other.
            for chance in [0.1, 0.35, 0.5, 0.77] {
                let (own, other) =
                    (equity(chance, Holder::Own, efficiency), equity(1.0 - chance, Holder::Other, efficiency));
                assert!((own + other).abs() < 1e-12);
                assert!(own >= equity(chance, Holder::Centre, efficiency) - 1e-12);
            }
        }
    }

    #[test]
    fn advice_follows_the_chances() {
        let centred = Cube { value: 1, owner: None };
        let at = |chance| advise(chance, centred, Color::White, 0.6);
        assert_eq!(at(0.5).decision, Decision::NoDouble);
        assert_eq!(at(0.75).decision, Decision::DoubleTake);
        assert_eq!(at(0.9).decision, Decision::DoublePass);
        let advice = at(0.75);
        assert!(advice.double_point < advice.cash_point && advice.double_point > 0.5);
        assert!((advice.take_point + advice.cash_point - 1.0).abs() < 1e-12);
        // A dead cube is doubled from an even game on.
        assert!(advise(0.51, centred, Color::White, 0.0).decision == Decision::DoubleTake);
        let theirs = Cube { value: 2, owner: Some(Color::Black) };
        assert_eq!(advise(0.9, theirs, Color::White, 0.6).decision, Decision::Unavailable);
        let last = Cube { value: 64, owner: Some(Color::White) };
        assert_eq!(advise(0.9, last, Color::White, 0.6).decision, Decision::Unavailable);
        // The last double leaves a dead cube, so that it is taken with a quarter.
        assert!((advise(0.7, Cube { value: 32, ..last }, Color::White, 0.6).take_point - 0.25).abs() < 1e-12);
    }

    #[test]
    fn an_efficiency_is_found_again() {
        for (chance, efficiency) in [(0.3, 0.2), (0.6, 0.7), (0.8, 1.0), (0.1, 0.5)] {
            let take = 2.0 * equity(chance, Holder::Other, efficiency);
            assert!((implied_efficiency(chance, take) - efficiency).abs() < 1e-9);
        }
        assert_eq!(implied_efficiency(0.6, 9.0), 0.0);
        assert_eq!(implied_efficiency(1.0, 2.0), EFFICIENCY);
    }

    #[test]
    fn too_good_is_where_playing_on_brings_more_than_the_pass() {
        assert_eq!(Decision::of(1.2, 1.5), Decision::TooGood);
        assert_eq!(Decision::of(0.9, 1.5), Decision::DoublePass);
        assert_eq!(Decision::of(0.4, 0.3), Decision::NoDouble);
        assert_eq!(Decision::of(0.4, 0.6), Decision::DoubleTake);
    }
}

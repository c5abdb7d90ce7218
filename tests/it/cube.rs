//! The cube's formula beside an exact solution: a race in which each side has so many points to go and takes off what one
//! die shows, whoever is first wins, and the cube may be turned as often as one likes.

use hazard::analysis::{Cube, Decision, advise};
use hazard::board::Color;

const LONGEST: usize = 60;

type Grid = Vec<Vec<f64>>;

/// Exact chances and equities of the side to roll, by what it and the other side have to go: with the cube in the middle,
/// its own, the other's.
struct Race {
    chance: Grid,
    centre: Grid,
    own: Grid,
    other: Grid,
    no_double: Grid,
    take: Grid,
}

fn solve() -> Race {
    let grid = || vec![vec![0.0; LONGEST + 1]; LONGEST + 1];
    let mut race = Race { chance: grid(), centre: grid(), own: grid(), other: grid(), no_double: grid(), take: grid() };
    for sum in 2..=2 * LONGEST {
        for a in 1..sum.min(LONGEST + 1) {
            let b = sum - a;
            if b > LONGEST {
                continue;
            }
            let mean = |won: f64, other: &Grid| -> f64 {
                (1..=6).map(|die| if die >= a { won } else { other[b][a - die] }).sum::<f64>() / 6.0
            };
            let chance = 1.0 - mean(0.0, &race.chance);
            let other = -mean(-1.0, &race.own);
            let kept = -mean(-1.0, &race.other);
            let centred = -mean(-1.0, &race.centre);
            let doubled = (2.0 * other).min(1.0);
            race.chance[a][b] = chance;
            race.other[a][b] = other;
            race.own[a][b] = kept.max(doubled);
            race.centre[a][b] = centred.max(doubled);
            race.no_double[a][b] = centred;
            race.take[a][b] = 2.0 * other;
        }
    }
    race
}

/// How often the formula decides as the solution does, and what its other decisions cost in the mean, over all positions
/// of a race that is not over soon.
fn agreement(race: &Race, efficiency: f64) -> (f64, f64) {
    let (mut same, mut all, mut cost) = (0u32, 0u32, 0.0);
    for a in 8..=LONGEST {
        for b in 8..=LONGEST {
            let (no_double, take) = (race.no_double[a][b], race.take[a][b]);
            let exact = Decision::of(no_double, take);
            let told = advise(race.chance[a][b], Cube { value: 1, owner: None }, Color::White, efficiency).decision;
            let worth = |decision: Decision| match decision {
                Decision::NoDouble | Decision::TooGood | Decision::Unavailable => no_double,
                Decision::DoubleTake => take,
                Decision::DoublePass => 1.0,
            };
            all += 1;
            same += u32::from(told == exact);
            cost += (worth(exact) - worth(told)).abs();
        }
    }
    (f64::from(same) / f64::from(all), cost / f64::from(all))
}

#[test]
fn the_formula_decides_a_race_as_its_solution_does() {
    let race = solve();
    let (mut best, mut found) = (0.0, 0.0);
    for tenths in 0..=10 {
        let efficiency = f64::from(tenths) / 10.0;
        let (same, cost) = agreement(&race, efficiency);
        println!("efficiency {efficiency:.1}: {:.1} % the same, {cost:.5} lost", same * 100.0);
        if same > found {
            (best, found) = (efficiency, same);
        }
    }
    // A long race moves in small steps, in which a cube is nearly live; a dead cube's doubles come far too early.
    assert!(found > 0.97 && best >= 0.5, "{best} {found}");
    assert!(agreement(&race, best).1 < 0.002);
    assert!(agreement(&race, 0.0).0 < found - 0.03);
    // Both ends of the solution: a race that ends with this throw, and one in which all is far.
    assert!((race.chance[1][40] - 1.0).abs() < 1e-12 && race.take[6][1] <= 2.0);
    let (level, ahead) = (race.chance[60][60], race.chance[40][60]);
    assert!(level > 0.5 && level < 0.65 && ahead > 0.9);
}

//! Random positions: by play from the start, and by scattering a few men.

use hazard::board::{Color, Piece, Role, Square};
use hazard::dice::{DiceStream, Seeded};
use hazard::position::{Pool, Position, Right, Rigour, Setup};
use hazard::turns::{Game, Rules, Status};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Plays single moves at random until so many were made, and stops there, inside a turn or between turns.
pub fn reachable(rules: Rules, seed: u64, moves: u32) -> Game {
    play_on(Game::new(rules, Position::start(rules.variant)), seed, moves)
}

fn play_on(mut game: Game, seed: u64, moves: u32) -> Game {
    let mut chooser = ChaCha8Rng::seed_from_u64(seed);
    let mut dice = Seeded::new(seed ^ 0x5eed);
    let rules = *game.rules();
    let mut made = 0;
    loop {
        match game.status() {
            Status::Over(_) => return game,
            Status::Roll => {
                if made >= moves && chooser.random_bool(0.2) {
                    return game;
                }
                let roll = dice.roll(rules.variant.dice, 0, 0).expect("seeded dice never end");
                game.roll(roll).expect("a roll is due");
            }
            Status::Pass(_) => game.pass().expect("a pass is due"),
            Status::Decide(_) => {
                if made >= moves {
                    return game;
                }
                made += 1;
                let steps = rules.steps(game.position());
                let optional = game.position().pool().is_optional();
                let pick = chooser.random_range(0..steps.len() + usize::from(optional));
                match steps.get(pick) {
                    Some(&(mv, _)) => game.play(mv).expect("a legal move"),
                    None => game.pass().expect("a pass may be made"),
                }
            }
        }
    }
}

/// A Chess960 start with the back ranks of both sides shuffled apart, then moves at random.
pub fn shuffled(rules: Rules, seed: u64, moves: u32) -> Game {
    let mut chooser = ChaCha8Rng::seed_from_u64(seed ^ 0x960);
    let mut men = [None; 64];
    let mut rights = Vec::new();
    for color in Color::ALL {
        let mut back =
            [Role::Knight, Role::Bishop, Role::Bishop, Role::Queen, Role::Knight, Role::Rook, Role::King, Role::Rook];
        for last in (1..8).rev() {
            back.swap(last, chooser.random_range(0..=last));
        }
        // The king goes between the rooks.
        let mut homes: Vec<usize> = (0..8).filter(|&at| matches!(back[at], Role::Rook | Role::King)).collect();
        homes.sort_unstable();
        (back[homes[0]], back[homes[1]], back[homes[2]]) = (Role::Rook, Role::King, Role::Rook);
        for (file, role) in (0u8..).zip(back) {
            men[Square::on(file, color.relative_rank(0)).usize()] = Some(Piece::new(color, role));
            men[Square::on(file, color.relative_rank(1)).usize()] =
                Some(Piece::new(color, Role::Pawn)).filter(|_| chooser.random_bool(0.6));
            if role == Role::Rook {
                rights.push((color, Right::File(file)));
            } else if role != Role::King && chooser.random_bool(0.5) {
                men[Square::on(file, color.relative_rank(0)).usize()] = None;
            }
        }
    }
    let side = if chooser.random_bool(0.5) { Color::White } else { Color::Black };
    let setup = Setup {
        men,
        side: Some(side),
        rights,
        targets: Vec::new(),
        halfmove: 0,
        fullmove: 1,
        pool: Pool::EMPTY,
        chess960: true,
    };
    match setup.position(rules.variant, Rigour::Strict) {
        Ok((position, _)) => play_on(Game::new(rules, position), seed, moves),
        // The side not to move may stand in check where that is forbidden.
        Err(_) => reachable(rules, seed, moves),
    }
}

/// A few men of each side on random squares, then some moves at random: where blocked and spoilt turns are common.
pub fn sparse(rules: Rules, seed: u64) -> Option<Game> {
    scattered(rules, seed, 8)
}

/// The same on the lower left corner of the board, so many squares wide, where kings are taken at every turn.
pub fn scattered(rules: Rules, seed: u64, wide: u8) -> Option<Game> {
    let mut chooser = ChaCha8Rng::seed_from_u64(seed);
    let mut men = [None; 64];
    let mut put = |piece: Piece, chooser: &mut ChaCha8Rng| {
        for _ in 0..20 {
            let square = Square::on(chooser.random_range(0..wide), chooser.random_range(0..wide));
            let pawn_rank = piece.role() != Role::Pawn || (1..7).contains(&square.rank());
            if men[square.usize()].is_none() && pawn_rank {
                men[square.usize()] = Some(piece);
                return;
            }
        }
    };
    for color in Color::ALL {
        put(Piece::new(color, Role::King), &mut chooser);
        put(Piece::new(color, Role::Pawn), &mut chooser);
        for _ in 0..chooser.random_range(0..4) {
            let role = Role::ALL[chooser.random_range(0..5)];
            put(Piece::new(color, role), &mut chooser);
        }
    }
    let side = if chooser.random_bool(0.5) { Color::White } else { Color::Black };
    let setup = Setup {
        men,
        side: rules.variant.has_mover().then_some(side),
        rights: Vec::new(),
        targets: Vec::new(),
        halfmove: chooser.random_range(0..100),
        fullmove: 1,
        pool: Pool::EMPTY,
        chess960: false,
    };
    let (position, _) = setup.position(rules.variant, Rigour::Strict).ok()?;
    Some(play_on(Game::new(rules, position), seed, chooser.random_range(0..4)))
}

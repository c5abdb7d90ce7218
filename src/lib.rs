//! Hazard, an engine for chess with dice.
//!
//! A map of the house; a module imports only from rows above its own.
//!
//! | row | module | what lives there |
//! |---|---|---|
//! | 1 | [`board`] | squares, men, bitboards, magic sliders, hash keys |
//! | 2 | [`dice`] | faces, rolls, weights, seeded, scripted and fair streams |
//! | 3 | [`variant`] | the rules of every game as data, and a checker of that data |
//! | 4 | [`position`] | a position, making a single move, ending a turn, setting up |
//! | 5 | [`turns`] | single moves, all distinct turns of a roll, chance nodes, outcomes, threats, the oracle |
//! | 6 | [`notation`] | DFEN, turn text, roll tokens |
//! | 6 | [`eval`] | scores and evaluations |
//! | 6 | [`limits`] | what a search is asked, and the clock |
//! | 7 | [`info`] | what a search says |
//! | 8 | [`search`] | decision and chance nodes |
//! | 8 | [`protocol`] | commands, replies, the options table |
//! | 9 | [`analysis`] | rollouts, luck and error, the cube |
//! | 9 | [`arena`] | the referee and games between players |
//! | 9 | [`mod@bench`] | fixed positions, whose node count is the engine's signature |
//! | 9 | [`train`] | games of the engine with itself, networks learned from them, how true they are |
//! | 10 | [`session`] | the loop between host and engine |
//! | 11 | [`cli`] | the command line |
//!
//! `board` to `notation` are the library for others to use.
//!
//! ```
//! use hazard::notation::{Style, apply};
//! use hazard::position::Position;
//! use hazard::turns::{Game, Rules};
//! use hazard::variant::find;
//!
//! let rules = Rules::new(find("dicechess").expect("a variant"));
//! let mut game = Game::new(rules, Position::start(rules.variant));
//! apply(&mut game, "124", Style::Orthodox).expect("a roll is due");
//! assert_eq!(rules.survey(game.position()).sequences, 234);
//! apply(&mut game, "h2h3,b1c3,h1h2", Style::Orthodox).expect("a legal turn");
//! ```

pub mod analysis;
pub mod arena;
pub mod bench;
pub mod board;
pub mod cli;
pub mod dice;
pub mod eval;
pub mod info;
pub mod limits;
pub mod notation;
pub mod position;
pub mod protocol;
pub mod search;
pub mod session;
pub mod train;
pub mod turns;
pub mod variant;

//! Learning from games of the engine with itself.

pub mod calibration;
mod checkpoint;
mod data;
mod game;
mod live;
mod model;
pub mod plot;
pub mod portrait;
mod sample;

pub use checkpoint::write_whole;
pub use data::{DataError, Games, Origin, Writer};
pub use game::{Happening, Moment, Play, Played, Player, play_many};
pub use live::{Event, Settings, Trainer};
pub use model::Model;
pub use sample::Sample;

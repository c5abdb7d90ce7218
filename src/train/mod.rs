//! Learning from games of the engine with itself.

mod checkpoint;
mod game;
mod live;
mod model;
mod sample;

pub use checkpoint::write_whole;
pub use game::{Moment, Play, Played, Player};
pub use live::{Event, Settings, Trainer};
pub use model::Model;
pub use sample::Sample;

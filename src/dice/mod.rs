//! Dice: what they can show, with which weights, and where rolls come from.

pub mod fair;
pub mod model;
pub mod roll;
pub mod stream;

pub use fair::{FairDice, FairError};
pub use model::DiceKind;
pub use roll::{Face, Roll};
pub use stream::{DiceStream, Scripted, Seeded};

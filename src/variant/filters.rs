//! How widely each game is searched where a network values: what pays depends on the rules.

/// gnubg's move filters, as data. Chosen by paired matches: see `src/train/EXPERIMENTS.md`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filters {
    /// How many candidates of the first turn are looked at two turns deep, three, and deeper.
    pub candidates: [usize; 3],
    /// How many positions of each length of a long series are carried on: in the first turn, and in later ones.
    pub beams: [usize; 2],
}

impl Filters {
    /// Everything is looked at.
    pub const WIDE: Filters = Filters { candidates: [usize::MAX; 3], beams: [300, 24] };
}

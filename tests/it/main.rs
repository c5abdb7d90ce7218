//! The integration tests: one binary, a module for each subject.

mod analysis;
mod architecture;
mod arena;
mod bad_input;
mod cecp;
mod clients;
mod cube;
mod dependencies;
mod dice;
mod endgames;
mod hostile;
mod laws;
mod network;
mod perft;
mod play;
mod protocol_doc;
mod readme;
mod records;
mod reproducibility;
mod rules;
mod search;
mod session;
mod support;
mod train;
mod ugi;
mod verify;

//! The integration tests: one binary, a module for each subject.

mod architecture;
mod dice;
mod laws;
mod perft;
mod protocol_doc;
mod readme;
mod rules;
mod support;

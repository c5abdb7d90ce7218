//! Fixed positions searched to a fixed depth: the node count is the engine's signature.

use crate::eval::Choice;
use crate::limits::Limits;
use crate::notation::{DfenError, from_dfen};
use crate::position::Rigour;
use crate::search::{Request, Table, think};
use crate::turns::Rules;
use crate::variant::{DEFAULT, find};
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A position of the bench and what searching it took.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    variant: &'static str,
    dfen: &'static str,
    /// Positions looked at.
    pub nodes: u64,
}

impl fmt::Display for Bench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bench {} {} nodes {}", self.variant, self.dfen, self.nodes)
    }
}

/// Decisions and throws of every game, early and late.
const POSITIONS: [(&str, &str); 24] = [
    ("dicechess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB"),
    ("dicechess", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 PNQ"),
    ("dicechess", "1rNk2nr/1ppp1ppp/4q3/2b5/1n1Pp3/5N2/PPPQPPPP/1RBK1B1R b - d3 2 4 pnr"),
    ("dicechess", "5n2/2n3P1/8/8/5k2/4K3/q7/8 b - - 18 53 qqq"),
    ("dicechess", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 -"),
    ("dicechess", "8/P1B5/1k6/8/8/8/7P/4K3 w - - 0 1 -"),
    ("dicehard", "r1bqkbr1/pppppppp/n7/8/4nP1P/N7/PPPP2P1/R1BQKBNR - - - 0 1 -"),
    ("dicehard", "r1b1k1nr/ppqppppp/8/P1p5/1nP4P/R4N2/1PQPPPP1/1NB1KB1R b - - 0 1 *"),
    ("diceultimate", "1rbqk1nr/pp1pbppp/n7/2p1p3/4N1P1/8/PPPPPPBP/1RBQK1NR - - - 0 1 -"),
    ("diceultimate", "r1b1kbnr/pppp3p/2n2q2/4ppp1/3N4/N7/PPPPPPPP/1RBQKB1R w - - 0 1 N>p"),
    ("pawnhunt", "1n2kbnr/1p4pp/2pp1p2/4pb1P/rp1PPB1R/5NP1/2P3B1/RNQ1K3 w - - 0 1 ***"),
    ("pawnhunt", "1n2kbnr/1p4pp/2pp1p2/4pb1P/rp1PPB1R/5NP1/2P3B1/RNQ1K3 w - - 0 1 !"),
    ("dicecheckmate", "1rbqkbnr/pppppBpp/2n5/8/4P3/8/PPPP1PPP/RNBQK1NR w KQk - 1 4 [PQ]"),
    ("dicecheckmate", "1rb1kbnr/pp2pp2/n4qpp/2pp4/8/P1P5/1P1PPPPP/RNBQKBR1 w Qk - 0 1 -"),
    ("brainking", "1nb1kbnr/1pppqpB1/2r4p/p3p3/8/1P3N1P/P1PPPPPR/RNQK1B2 b k - 0 1 -"),
    ("brainking", "1k6/P7/8/8/8/8/8/K7 w - - 0 1 N"),
    ("vegas", "rnbqkbnr/1ppp1ppp/p7/4p3/P7/3P4/1PPKPPPP/RNBQ1BNR b kq - 0 1 -"),
    ("vegas", "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ?"),
    ("anydice", "rnq2bnr/ppp1pppp/3pk3/5b2/4P3/NPPB4/P2P1PPP/R1B1K1NR b KQ - 0 1 -"),
    ("gollon-count", "1nbqk2r/rp1p4/p1p5/2b1ppp1/1P2P1P1/N6p/P1QP2PP/R1B1KBNR w KQk f6 0 1 ***"),
    ("gollon-count", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -"),
    ("gollon-piececount", "rnbqkbnr/pppp1p1p/4p3/8/1P1BP1p1/6P1/P1PP1P1P/RN1QKBNR w KQkq - 0 1 -"),
    ("chess", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 -"),
    ("chess", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 -"),
];

/// Searches every position, shows each, and gives the sum of nodes.
pub fn run(stop: &AtomicBool, show: &mut dyn FnMut(&Bench)) -> u64 {
    let mut sum = 0;
    for (variant, dfen) in POSITIONS {
        let nodes = search(variant, dfen, stop).unwrap_or(0);
        show(&Bench { variant, dfen, nodes });
        sum += nodes;
    }
    sum
}

fn search(variant: &str, dfen: &str, stop: &AtomicBool) -> Result<u64, DfenError> {
    let rules = Rules::new(find(variant).unwrap_or(DEFAULT));
    let position = from_dfen(&rules, dfen, false, Rigour::Strict)?.position;
    // A throw looks at every roll, and each turn deeper at all of them again.
    let depth = if position.awaits_roll() { 1 } else { 2 };
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let table = Table::new(1);
    let choice = Choice::Own(rules.variant.name);
    let request = Request::new(&rules, &position, choice.get(), &table, &limits);
    Ok(think(&request, stop, &mut |_| {}).info.map_or(0, |info| info.nodes))
}

/// The lines that sum a bench up; the last holds the signature.
pub fn closing_lines(nodes: u64, time: Duration) -> [String; 2] {
    let nps = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
    [format!("bench time {} nps {nps}", time.as_millis()), format!("Bench: {nodes}")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_searched() {
        for (variant, dfen) in POSITIONS {
            let stop = AtomicBool::new(false);
            assert!(search(variant, dfen, &stop).is_ok_and(|nodes| nodes > 0), "{variant} {dfen}");
        }
    }
}

//! What the engine says: printed, and parsed again where a referee must understand it.

use crate::info::Info;
use crate::notation::{Style, turn_text};
use std::fmt;

/// A line to the host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// `id name …`
    Name(String),
    /// `id author …`
    Author(String),
    /// `option …`
    Option(String),
    /// `uciok`
    UciOk,
    /// `ugiok`
    UgiOk,
    /// `response …`, to UGI's `query`.
    Response(String),
    /// `readyok`
    ReadyOk,
    /// `info …`, what a search says.
    Info(String),
    /// `info string …`, for people.
    Note(String),
    /// `info string error: …`
    Error(String),
    /// `info error …`, as UGI has it.
    UgiError(String),
    /// `bestmove …`: the single moves of a turn, `0000` for a pass, `(none)` where there is nothing to play.
    BestMove(String),
    /// A line of one of the extra commands, which has its own form.
    Extra(String),
}

impl Reply {
    /// Reads a line of an engine.
    pub fn parse(line: &str) -> Reply {
        let line = line.trim();
        let after = |prefix: &str| line.strip_prefix(prefix).map(|rest| rest.trim().to_string());
        match line {
            "uciok" => return Reply::UciOk,
            "ugiok" => return Reply::UgiOk,
            "readyok" => return Reply::ReadyOk,
            "bestmove" => return Reply::BestMove(String::new()),
            _ => {}
        }
        after("id name ")
            .map(Reply::Name)
            .or_else(|| after("id author ").map(Reply::Author))
            .or_else(|| after("option ").map(Reply::Option))
            .or_else(|| after("response ").map(Reply::Response))
            .or_else(|| after("info error ").map(Reply::UgiError))
            .or_else(|| after("info string error: ").map(Reply::Error))
            .or_else(|| after("info string ").map(Reply::Note))
            .or_else(|| after("info ").map(Reply::Info))
            .or_else(|| after("bestmove ").map(Reply::BestMove))
            .unwrap_or_else(|| Reply::Extra(line.to_string()))
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Name(name) => write!(f, "id name {name}"),
            Reply::Author(author) => write!(f, "id author {author}"),
            Reply::Option(option) => write!(f, "option {option}"),
            Reply::UciOk => f.write_str("uciok"),
            Reply::UgiOk => f.write_str("ugiok"),
            Reply::Response(answer) => write!(f, "response {answer}"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info(info) => write!(f, "info {info}"),
            Reply::Note(note) => write!(f, "info string {note}"),
            Reply::Error(error) => write!(f, "info string error: {error}"),
            Reply::UgiError(error) => write!(f, "info error {error}"),
            Reply::BestMove(turn) => write!(f, "bestmove {turn}"),
            Reply::Extra(line) => f.write_str(line),
        }
    }
}

/// The info line of an iteration and the line with its expectation. `wdl` adds win, draw and loss in per mille.
pub fn info_lines(info: &Info, style: Style, wdl: bool) -> [Reply; 2] {
    let millis = info.time.as_millis();
    let nps = u128::from(info.nodes) * 1_000_000 / info.time.as_micros().max(1);
    let mut score = if info.wins { "mate 1".to_string() } else { format!("cp {}", info.score.centipawns()) };
    if wdl {
        // Draws are so rare that the expectation is taken to be all wins and losses.
        let wins = (info.score.expectation() * 1000.0).round() as u32;
        score.push_str(&format!(" wdl {wins} 0 {}", 1000 - wins));
    }
    let rank = info.rank.map(|rank| format!("multipv {rank} ")).unwrap_or_default();
    let Info { depth, nodes, hashfull, .. } = info;
    let mut line =
        format!("depth {depth} {rank}score {score} nodes {nodes} nps {nps} hashfull {hashfull} time {millis}");
    if let Some(turn) = &info.turn {
        line.push_str(" pv ");
        line.push_str(&turn_text(turn.moves(), style, " "));
    }
    [Reply::Info(line), Reply::Note(format!("expectation {:.4}", info.score.expectation()))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_round_trip() {
        for line in [
            "id name Hazard",
            "uciok",
            "readyok",
            "ugiok",
            "response p1win",
            "info error unknown command 'x'",
            "info depth 1 score cp 12 pv e2e4",
            "info string expectation 0.5000",
            "info string error: unknown command 'x'",
            "bestmove e2e4 g1f3 f1c4",
            "bestmove (none)",
            "legal pass mover w",
        ] {
            assert_eq!(Reply::parse(line).to_string(), line);
        }
        assert_eq!(Reply::parse("bestmove 0000"), Reply::BestMove("0000".to_string()));
    }
}

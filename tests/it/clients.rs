//! Programs of others that talk to the engine, where they are installed.

use std::process::Command;

/// The python-chess client plays whole games, the engine being both sides, to the capture of a king.
#[test]
fn python_chess_plays_whole_games() {
    let python = |arguments: &[&str]| Command::new("python3").args(arguments).output();
    if !python(&["-c", "import chess.engine"]).is_ok_and(|output| output.status.success()) {
        eprintln!("python-chess is not installed: its client is not tested");
        return;
    }
    for seed in ["1", "2"] {
        let output = python(&["tests/clients/play_a_game.py", env!("CARGO_BIN_EXE_hazard"), seed]).unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}{complaint}");
        let last = said.lines().last().unwrap_or_default();
        assert!(last == "result 1-0" || last == "result 0-1", "{said}{complaint}");
    }
}

//! Positions that several benches look at, by name.

pub const POSITIONS: [(&str, &str); 6] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    ("middlegame", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"),
    ("queen endgame", "8/1q3pk1/6p1/8/3Q4/6P1/5PK1/8 w - - 0 40"),
    ("promotions", "2b1k2n/1P1P1PP1/8/8/8/8/1ppp2p1/R3K2N w Q - 0 30"),
    ("en passant", "4k2r/2p3p1/8/PpPpPpP1/7P/8/5P2/R3K2R w KQk b6d6f6 0 20"),
];

//! What is done with hostile input, one function a kind: hosts, positions, records, networks, files of games.
//!
//! Each takes any bytes at all and must come back soon, without a panic and without much memory. `cargo fuzz` looks for
//! bytes that it does not come back from; the tests of the engine replay what is in `seeds/`.

use hazard::arena::records::Form;
use hazard::arena::{Thought, read_openings};
use hazard::eval::bytes::checksum;
use hazard::eval::{Choice, Score, Weights};
use hazard::notation::{GameRecord, Style, from_dfen, to_dfen, tokens};
use hazard::position::{Position, Rigour};
use hazard::protocol::Reply;
use hazard::session::{Patience, Session, read_lines};
use hazard::train::Games;
use hazard::turns::{Effort, Game, Rules, Status, oracle};
use hazard::variant::{VARIANTS, Variant};
use std::io::Cursor;
use std::time::Duration;

/// What is done with some bytes.
pub type Target = fn(&[u8]);

/// The function of each kind, by the name of its target.
pub const TARGETS: [(&str, Target); 5] =
    [("protocol", protocol), ("dfen", dfen), ("records", records), ("nets", nets), ("games", games)];

/// Longer input is not looked at: all that is checked by length is checked at far shorter ones.
const LONGEST: usize = 1 << 16;

fn variant(byte: u8) -> &'static Variant {
    &VARIANTS[usize::from(byte & 0x3F) % VARIANTS.len()]
}

/// A host, in any dialect: its first line says which. Nothing printed may break a line or hold what a terminal obeys.
pub fn protocol(data: &[u8]) {
    // What asks for gigabytes, many threads or any file of the machine is no question of parsing.
    let modest = |line: &&[u8]| {
        let text = String::from_utf8_lossy(line).to_lowercase();
        let large = ["hash", "threads", "memory", "cores"].iter().any(|word| text.contains(word));
        let numbers = text.chars().filter(char::is_ascii_digit).count();
        !(text.contains("evalfile") || large && numbers > 1)
    };
    let lines: Vec<&[u8]> = data.split(|&byte| byte == b'\n').filter(modest).collect();
    if data.len() > LONGEST || lines.len() > 200 {
        return;
    }
    for line in &lines {
        // An engine's answers come from elsewhere too.
        let reply = Reply::parse(&String::from_utf8_lossy(line));
        assert_eq!(Reply::parse(&reply.to_string()), reply);
        if let Reply::Info(info) = reply {
            Thought::default().hear(&info);
        }
    }
    let inputs = read_lines(Cursor::new(lines.join(&b'\n')));
    let mut out = Vec::new();
    Session::new(&mut out, Patience::Brief(Duration::from_millis(1))).run(&inputs).unwrap();
    let text = String::from_utf8(out).unwrap();
    let foul = text.lines().find(|line| line.chars().any(|letter| letter.is_control() && letter != '\t'));
    assert_eq!(foul, None);
}

/// A position of any game: the first byte says which. What is accepted is written and read again as the same, has the
/// keys it should have, a value, and the turns that the oracle finds.
pub fn dfen(data: &[u8]) {
    let Some((&head, text)) = data.split_first().filter(|_| data.len() < LONGEST) else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let rules = Rules::new(variant(head));
    let rigour = if head & 0x40 == 0 { Rigour::Lenient } else { Rigour::Strict };
    let chess960 = head & 0x80 != 0 && rules.variant.chess960;
    let Ok(parsed) = from_dfen(&rules, text, chess960, rigour) else { return };
    let written = to_dfen(&rules, &parsed.position);
    // Castling rooks that are not in the corners are written by their files.
    let again = from_dfen(&rules, &written, rules.variant.chess960, rigour).expect(&written);
    assert_eq!(again.position, parsed.position, "{written}");
    assert!(again.warnings.is_empty(), "{written}");
    assert_eq!(parsed.position.key(), parsed.position.key_from_scratch(), "{written}");
    let mut game = Game::new(rules, parsed.position);
    examine(&game);
    if game.status() == Status::Roll {
        let rolls = rules.variant.dice.rolls();
        let pick = text.bytes().fold(0, |sum: usize, byte| sum.wrapping_mul(31) + usize::from(byte));
        if game.roll(rolls[pick % rolls.len()].0).is_ok() {
            examine(&game);
        }
    }
}

fn examine(game: &Game) {
    let (rules, position) = (game.rules(), game.position());
    let side = position.side().unwrap_or(hazard::board::Color::White);
    let score = Choice::Own(rules.variant.name).get().evaluate(rules, position, side);
    assert!((Score::LOSS..=Score::WIN).contains(&score));
    match game.status() {
        Status::Roll => {
            rules.threat(position);
        }
        Status::Decide(_) if oracle::is_affordable(rules, position) => {
            let (ends, survey) = rules.afterstates(position, Effort { nodes: 2_000, ..Effort::FULL });
            if survey.truncated || survey.sequences > 20_000 {
                return;
            }
            let lines = oracle::turns(rules, position);
            let dfen = to_dfen(rules, position);
            assert_eq!((survey.sequences, survey.ends), (lines.len() as u64, ends.len() as u64), "{dfen}");
            for end in ends {
                assert_eq!(end.position.key(), end.position.key_from_scratch(), "{dfen}");
            }
        }
        _ => {}
    }
}

/// Records, of the form that the first byte says. A game that is accepted is written and read again as the same.
pub fn records(data: &[u8]) {
    let Some((&head, text)) = data.split_first().filter(|_| data.len() < LONGEST) else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let variant = variant(head);
    match head >> 6 {
        0 => GameRecord::read_all(text).filter_map(Result::ok).for_each(|record| keep(&record)),
        1 => {
            let (entries, _) = Form::Json.read(text);
            for entry in entries.into_iter().filter_map(Result::ok) {
                entry.end();
                entry.line().expect("an entry that was read");
                if let Ok(record) = entry.record() {
                    keep(&record);
                }
            }
        }
        2 => text.lines().filter_map(|line| GameRecord::from_list(line, variant).ok()).for_each(|record| keep(&record)),
        _ => {
            let _ = read_openings(text, &Rules::new(variant), variant.chess960);
        }
    }
}

/// The record as PGN is read as the same game.
fn keep(record: &GameRecord) {
    let text = record.to_pgn();
    assert!(!text.chars().any(|letter| letter.is_control() && letter != '\n'), "{text:?}");
    let read: Vec<GameRecord> = GameRecord::read_all(&text).map(|read| read.expect(&text)).collect();
    let [read] = &read[..] else { panic!("{} games in {text:?}", read.len()) };
    assert_eq!((read.variant, read.start, &read.result), (record.variant, record.start, &record.result), "{text}");
    assert_eq!(tokens(read, Style::Orthodox), tokens(record, Style::Orthodox), "{text}");
}

/// The file of a network. After an even first byte its length and checksum are made to fit, so that the numbers are
/// reached; what is accepted values positions within bounds.
pub fn nets(data: &[u8]) {
    const HEADER: usize = 8 + 4 + 24 + 6 * 4 + 4 + 8;
    let Some((&head, bytes)) = data.split_first().filter(|_| data.len() < LONGEST) else { return };
    let mut file = bytes.to_vec();
    if head & 1 == 0 {
        let zero = Weights { units: 1 + usize::from(head >> 1 & 1), ..Weights::zero("dicechess") }.to_bytes();
        let (payload, start) = (bytes.get(..zero.len() - HEADER).unwrap_or(bytes), zero[..HEADER - 8].to_vec());
        let mut payload = payload.to_vec();
        payload.resize(zero.len() - HEADER, head);
        file = start;
        file.extend(checksum(&payload));
        file.extend(payload);
    }
    let rules = Rules::new(&VARIANTS[0]);
    let Ok(choice) = Choice::read(&file, rules.variant.name) else { return };
    let start = Position::start(rules.variant);
    for (roll, _) in rules.variant.dice.rolls().iter().step_by(11) {
        let mut game = Game::new(rules, start);
        game.roll(*roll).expect("a roll is due");
        let (ends, _) = rules.afterstates(game.position(), Effort { nodes: 5, ..Effort::FULL });
        for end in ends.iter().step_by(7) {
            for view in hazard::board::Color::ALL {
                let score = choice.get().evaluate(&rules, &end.position, view);
                assert!((Score::LOSS..=Score::WIN).contains(&score));
            }
        }
    }
}

/// A file of games for training. After an even first byte its checksums and lengths are made to fit.
pub fn games(data: &[u8]) {
    const HEADER: usize = 8 + 4 + 24 + 8 + 8;
    let Some((&head, bytes)) = data.split_first().filter(|_| data.len() < LONGEST) else { return };
    let mut file = bytes.to_vec();
    if head & 1 == 0 && bytes.len() > HEADER + 8 {
        let sum = checksum(&file[..HEADER]);
        file[HEADER..HEADER + 8].copy_from_slice(&sum);
        let mut at = HEADER + 8;
        while at + 16 <= file.len() {
            let rest = file.len() - at - 16;
            let stated = u32::from_le_bytes([file[at + 4], file[at + 5], file[at + 6], file[at + 7]]) as usize;
            let length = stated.min(rest);
            file[at + 4..at + 8].copy_from_slice(&(length as u32).to_le_bytes());
            let sum = checksum(&file[at + 16..at + 16 + length]);
            file[at + 8..at + 16].copy_from_slice(&sum);
            at += 16 + length;
        }
    }
    let Ok(games) = Games::read(Cursor::new(file)) else { return };
    for game in games.map_while(Result::ok) {
        for moment in &game.moments {
            assert_eq!(moment.position.key(), moment.position.key_from_scratch());
        }
    }
}

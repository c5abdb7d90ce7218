//! The host's lines, read on a thread of their own so that the session hears `stop` at any moment.

use crossbeam_channel::{Receiver, Sender, bounded};
use std::io::{BufRead, BufReader, Read};
use thiserror::Error;

/// What the reader hands to the session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// A line without its end.
    Line(String),
    /// A line that could not be read.
    Fault(InputFault),
    /// The end of input.
    End,
}

/// Why a line could not be read.
#[derive(Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputFault {
    /// Too long.
    #[error("the line is longer than 1 MiB and is dropped")]
    TooLong,
    /// Not UTF-8.
    #[error("the line is not valid UTF-8 and is dropped")]
    NotUtf8,
}

/// The longest line that is read.
const LONGEST: usize = 1 << 20;
/// How many lines wait between the reader and the session.
const WAITING: usize = 64;

/// Reads lines on a thread until the input ends or nobody listens.
pub fn read_lines(source: impl Read + Send + 'static) -> Receiver<Input> {
    let (sender, receiver) = bounded(WAITING);
    std::thread::spawn(move || {
        let mut reader = BufReader::new(source);
        while let Some(input) = next_line(&mut reader) {
            if sender.send(input).is_err() {
                return;
            }
        }
        send_end(&sender);
    });
    receiver
}

fn send_end(sender: &Sender<Input>) {
    // Nobody listening any more is no fault: the session has ended.
    let _ = sender.send(Input::End);
}

/// The next line, none at the end of input; a line that is too long is read to its end and dropped.
fn next_line(reader: &mut impl BufRead) -> Option<Input> {
    let mut line: Vec<u8> = Vec::new();
    let mut too_long = false;
    loop {
        let Ok(chunk) = reader.fill_buf() else { return None };
        if chunk.is_empty() {
            if line.is_empty() && !too_long {
                return None;
            }
            break;
        }
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let taken = end.unwrap_or(chunk.len());
        if line.len() + taken > LONGEST {
            too_long = true;
            line = Vec::new();
        } else if !too_long {
            line.extend_from_slice(chunk.get(..taken).unwrap_or_default());
        }
        reader.consume(taken + usize::from(end.is_some()));
        if end.is_some() {
            break;
        }
    }
    if too_long {
        return Some(Input::Fault(InputFault::TooLong));
    }
    Some(String::from_utf8(line).map_or(Input::Fault(InputFault::NotUtf8), Input::Line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_long_and_broken() {
        let mut bytes = b"uci\r\n".to_vec();
        bytes.extend(std::iter::repeat_n(b'x', LONGEST + 1));
        bytes.extend(b"\n\xff\xfe\n\nlast");
        let mut reader = BufReader::with_capacity(1000, &bytes[..]);
        let mut inputs = Vec::new();
        while let Some(input) = next_line(&mut reader) {
            inputs.push(input);
        }
        let line = |text: &str| Input::Line(text.to_string());
        assert_eq!(
            inputs,
            [
                line("uci\r"),
                Input::Fault(InputFault::TooLong),
                Input::Fault(InputFault::NotUtf8),
                line(""),
                line("last")
            ]
        );
    }
}

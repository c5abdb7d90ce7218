//! The binary as a host meets it: spawn, send, expect with a deadline, transcript on failure, kill on drop.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long an answer may take: far longer than any does, so that a loaded machine fails no test.
const DEADLINE: Duration = Duration::from_secs(60);

pub struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    transcript: Vec<String>,
}

impl Engine {
    pub fn new() -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hazard"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let stdout = child.stdout.take().expect("piped");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
                if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    return;
                }
            }
        });
        let stdin = child.stdin.take();
        Engine { child, stdin, lines, transcript: Vec::new() }
    }

    /// An engine set to a variant.
    pub fn of(variant: &str) -> Engine {
        let mut engine = Engine::new();
        engine.send(&format!("setoption name UCI_Variant value {variant}"));
        engine
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(300)]).trim_end().to_string();
        self.transcript.push(format!("> {shown}"));
        let stdin = self.stdin.as_mut().expect("input is open");
        if let Err(error) = stdin.write_all(bytes).and_then(|()| stdin.flush()) {
            self.fail(&format!("cannot write: {error}"));
        }
    }

    /// Ends the input.
    pub fn close(&mut self) {
        self.stdin = None;
    }

    /// The next line, none at the end of output.
    pub fn line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(DEADLINE) {
            Ok(line) => {
                self.transcript.push(format!("< {line}"));
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => self.fail("no answer in time"),
        }
    }

    /// The lines up to and including the first that begins so.
    pub fn until(&mut self, beginning: &str) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            match self.line() {
                Some(line) => {
                    let found = line.starts_with(beginning);
                    seen.push(line);
                    if found {
                        return seen;
                    }
                }
                None => self.fail(&format!("output ended before '{beginning}'")),
            }
        }
    }

    /// What a command says up to the answer of a following `isready`, which must be there.
    pub fn ask(&mut self, command: &str) -> Vec<String> {
        self.send(command);
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// The answer of `legal`: everything it says, the closing line last.
    pub fn legal(&mut self) -> Vec<String> {
        self.send("legal");
        let mut seen = Vec::new();
        loop {
            let mut lines = self.until("legal ");
            let last = lines.pop().unwrap_or_default();
            seen.append(&mut lines);
            let listed = last.starts_with("legal turn ");
            seen.push(last);
            if !listed {
                return seen;
            }
        }
    }

    /// The number of the process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the process to end by itself and gives its exit code.
    pub fn wait(&mut self) -> i32 {
        let start = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return status.code().unwrap_or(-1),
                Ok(None) if start.elapsed() < DEADLINE => std::thread::sleep(Duration::from_millis(2)),
                _ => self.fail("the process does not end"),
            }
        }
    }

    pub fn fail(&self, reason: &str) -> ! {
        panic!("{reason}\n{}", self.transcript.join("\n"))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

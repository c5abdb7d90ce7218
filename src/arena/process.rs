//! An engine as a child process: lines in, lines out, and nothing that it does can hang or outlive us.
//!
//! The child leads a process group of its own, so that what it spawns can be ended with it. Its output is read on a
//! thread into a short queue of lines of bounded length: a child that floods is made to wait. Its input is written on
//! another thread: a child that does not read makes nobody wait.

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};
use rustix::process::{Pid, Signal, kill_process_group};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The longest line that is read; more of it is dropped.
const LONGEST_LINE: u64 = 1 << 16;
/// How many lines wait to be looked at.
const QUEUE: usize = 256;
/// How long a child may take to leave after `quit`.
const PARTING: Duration = Duration::from_millis(500);
/// How often the order to halt is looked for.
const LOOK: Duration = Duration::from_millis(50);

/// How a child is started.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// The command: a path, or a name to be found.
    pub command: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Where it runs; none for here.
    pub directory: Option<PathBuf>,
}

/// A running child.
pub struct Process {
    child: Child,
    to: Sender<String>,
    lines: Receiver<String>,
}

/// Why no line came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoLine {
    /// The deadline passed.
    Late,
    /// The output has ended.
    Ended,
    /// The match is to end.
    Halted,
}

impl Process {
    /// Starts the program, without a shell.
    pub fn start(program: &Program) -> std::io::Result<Process> {
        let mut command = Command::new(&program.command);
        command.args(&program.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        command.process_group(0);
        if let Some(directory) = &program.directory {
            command.current_dir(directory);
        }
        let mut child = command.spawn()?;
        let (to, orders) = unbounded::<String>();
        let (sender, lines) = bounded(QUEUE);
        if let Some(stdin) = child.stdin.take() {
            thread::spawn(move || write_lines(stdin, &orders));
        }
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || read_lines(stdout, &sender));
        }
        Ok(Process { child, to, lines })
    }

    /// Sends a line. Where the child has gone the loss shows at the next line that is waited for.
    pub fn send(&self, line: &str) {
        let _ = self.to.send(line.to_string());
    }

    /// The next line, waited for until a deadline.
    pub fn line(&mut self, deadline: Instant, halt: &AtomicBool) -> Result<String, NoLine> {
        loop {
            if halt.load(Ordering::Relaxed) {
                return Err(NoLine::Halted);
            }
            let slice = deadline.min(Instant::now() + LOOK);
            match self.lines.recv_deadline(slice) {
                // A flood must not keep the deadline from being seen.
                Ok(line) if Instant::now() <= deadline => return Ok(line),
                Ok(_) => return Err(NoLine::Late),
                Err(RecvTimeoutError::Disconnected) => return Err(NoLine::Ended),
                Err(RecvTimeoutError::Timeout) if Instant::now() >= deadline => return Err(NoLine::Late),
                // It may be gone while something that it has started keeps its output open.
                Err(RecvTimeoutError::Timeout) if matches!(self.child.try_wait(), Ok(Some(_))) => {
                    return self.lines.try_recv().map_err(|_| NoLine::Ended);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Forgets the lines that have come and were not asked for; of a flood no more than wait now.
    pub fn forget_lines(&self) {
        for _ in 0..2 * QUEUE {
            if self.lines.try_recv().is_err() {
                return;
            }
        }
    }

    /// How the child ended, where it has.
    pub fn exit(&mut self) -> Option<String> {
        // Its output may end a moment before the process itself has gone.
        for _ in 0..20 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status.to_string());
            }
            thread::sleep(Duration::from_millis(5));
        }
        None
    }

    /// Asks the child to leave, and makes it leave.
    fn end(&mut self) {
        self.send("quit");
        let start = Instant::now();
        while start.elapsed() < PARTING {
            if !matches!(self.child.try_wait(), Ok(None)) {
                break;
            }
            thread::sleep(Duration::from_millis(2));
        }
        self.kill();
    }

    /// Ends the child and everything of its group at once.
    pub fn kill(&mut self) {
        // The group may live on without its leader: what the engine started must end with it. While a process of it lives
        // nobody else is given its number.
        if let Some(group) = Pid::from_raw(self.child.id() as i32) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

fn write_lines(mut stdin: ChildStdin, orders: &Receiver<String>) {
    for line in orders {
        if stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: impl Read, lines: &Sender<String>) {
    let mut reader = BufReader::new(stdout);
    let mut line = Vec::new();
    loop {
        line.clear();
        match reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let whole = line.last() == Some(&b'\n');
        if lines.send(String::from_utf8_lossy(&line).trim_end().to_string()).is_err() {
            return;
        }
        if !whole && line.len() as u64 == LONGEST_LINE && skip_line(&mut reader).is_none() {
            return;
        }
    }
}

/// Drops the rest of a line; none where the output ends before.
fn skip_line(reader: &mut impl BufRead) -> Option<()> {
    loop {
        let buffer = reader.fill_buf().ok().filter(|buffer| !buffer.is_empty())?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let length = buffer.len();
        reader.consume(end.map_or(length, |end| end + 1));
        if end.is_some() {
            return Some(());
        }
    }
}

//! [`Engine`]: a program that speaks USI.

use std::collections::VecDeque;
use std::env::consts::EXE_SUFFIX;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::error::{EngineFault, RescoreError};
use super::reply::{Reply, Scores};
use crate::escape::Escaped;

/// The longest line that is kept of what an engine prints.
const LONGEST_LINE: u64 = 1 << 16;
/// The number of lines that are kept for messages.
const KEPT_LINES: usize = 10;
/// The time that an engine has to end after `quit`.
const LEAVE: Duration = Duration::from_millis(500);

/// How to start and ask an engine.
#[derive(Clone, Debug)]
pub struct EngineCommand {
    /// The program. It is started directly, without a shell.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The options to set, in order: names and values.
    pub options: Vec<(String, String)>,
    /// What follows `go`: `nodes 20000`.
    pub go: String,
    /// The time for each answer, and for the engine to start.
    pub timeout: Duration,
    /// Whether every position begins a new game, for which the options are set again. Then the answer of an engine with one thread
    /// depends on its position alone, if the engine forgets the games before.
    pub new_game_each: bool,
}

impl EngineCommand {
    /// Checks that a program given by a path is there. Others are looked for only when they are started.
    pub(super) fn check(&self) -> Result<(), RescoreError> {
        let is_path = self.program.parent().is_some_and(|parent| !parent.as_os_str().is_empty());
        // `.exe` may be left out, also after the dot of a version.
        let mut whole = self.program.clone().into_os_string();
        whole.push(EXE_SUFFIX);
        if !is_path || self.program.exists() || Path::new(&whole).exists() {
            return Ok(());
        }
        let missing = Arc::new(io::ErrorKind::NotFound.into());
        Err(RescoreError::Engine(EngineFault::Start(self.program.clone(), missing)))
    }
}

/// A running engine.
pub(super) struct Engine {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
    /// The last lines that it printed, on either stream.
    last: LastLines,
    /// Closed when its standard error ends.
    errors_end: Receiver<()>,
}

/// The last lines of an engine.
#[derive(Clone, Default)]
struct LastLines(Arc<Mutex<VecDeque<String>>>);

impl LastLines {
    fn add(&self, line: &str) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == KEPT_LINES {
            lines.pop_front();
        }
        lines.push_back(line.to_owned());
    }

    fn to_text(&self) -> String {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().fold(String::new(), |text, line| text + "\n  " + &Escaped(line).to_string())
    }
}

impl Engine {
    /// Starts an engine and sets its options.
    pub fn start(command: &EngineCommand) -> Result<Engine, EngineFault> {
        let mut child = Command::new(&command.program)
            .args(&command.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| EngineFault::Start(command.program.clone(), Arc::new(error)))?;
        let last = LastLines::default();
        let (sender, lines) = mpsc::channel();
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("all three are piped")
        };
        let kept = last.clone();
        read_lines(stdout, move |line| {
            kept.add(&line);
            sender.send(line).is_ok()
        });
        let kept = last.clone();
        let (open, errors_end) = mpsc::channel::<()>();
        read_lines(stderr, move |line| {
            let _open = &open;
            kept.add(&line);
            true
        });
        let mut engine = Engine { child, stdin, lines, last, errors_end };
        engine.set_up(command)?;
        Ok(engine)
    }

    fn set_up(&mut self, command: &EngineCommand) -> Result<(), EngineFault> {
        self.send("usi")?;
        let deadline = Instant::now() + command.timeout;
        let mut offered = Vec::new();
        loop {
            let line = self.line(deadline)?;
            if line == "usiok" {
                break;
            }
            if let Some(option) = line.strip_prefix("option name ") {
                let name = option.split(" type ").next().unwrap_or(option);
                offered.push(name.to_owned());
            }
        }
        for (name, _) in &command.options {
            // Engines ignore what they do not know, so a misspelt option would change nothing without a word. Those of the
            // protocol itself need not be listed.
            let is_known =
                name.starts_with("USI_") || offered.iter().any(|known| known.eq_ignore_ascii_case(name));
            if !is_known {
                return Err(EngineFault::Option { name: name.clone(), offered });
            }
        }
        self.begin_game(command)
    }

    /// Sets the options and begins a game.
    fn begin_game(&mut self, command: &EngineCommand) -> Result<(), EngineFault> {
        for (name, value) in &command.options {
            self.send(&format!("setoption name {name} value {value}"))?;
        }
        self.send("isready")?;
        let deadline = Instant::now() + command.timeout;
        while self.line(deadline)? != "readyok" {}
        self.send("usinewgame")
    }

    /// Asks for a position, an SFEN with the number of the move.
    pub fn ask(&mut self, command: &EngineCommand, sfen: &str) -> Result<Reply, EngineFault> {
        if command.new_game_each {
            // The options too: Fairy-Stockfish keeps tables over a new game, but not over `Threads`.
            self.begin_game(command)?;
        }
        self.send(&format!("position sfen {sfen}\ngo {}", command.go))?;
        let deadline = Instant::now() + command.timeout;
        let mut scores = Scores::default();
        loop {
            let line = self.line(deadline)?;
            if line.starts_with("info ") {
                scores.add_info(&line);
            } else if let Some(answer) = line.strip_prefix("bestmove ") {
                let best_move = answer.split_ascii_whitespace().next().unwrap_or_default();
                return scores
                    .into_reply(best_move)
                    .ok_or_else(|| EngineFault::Nonsense(self.last.to_text()));
            }
        }
    }

    /// The last lines that the engine printed.
    pub fn last_lines(&self) -> String {
        self.last.to_text()
    }

    fn send(&mut self, command: &str) -> Result<(), EngineFault> {
        let written = self.stdin.write_all(command.as_bytes()).and_then(|()| self.stdin.write_all(b"\n"));
        written.and_then(|()| self.stdin.flush()).map_err(|_| self.died())
    }

    /// The fault of an engine that has ended, after what it said last on standard error.
    fn died(&self) -> EngineFault {
        let _ = self.errors_end.recv_timeout(LEAVE);
        EngineFault::Died(self.last.to_text())
    }

    fn line(&mut self, deadline: Instant) -> Result<String, EngineFault> {
        let left = deadline.saturating_duration_since(Instant::now());
        self.lines.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => EngineFault::Silent(self.last.to_text()),
            RecvTimeoutError::Disconnected => self.died(),
        })
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // An engine that does not end by itself is ended: it must not outlive the job.
        let _ = self.send("quit");
        let deadline = Instant::now() + LEAVE;
        while Instant::now() < deadline {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Passes the lines of a stream on, on a thread of its own, until the stream ends or `take` wants no more. Bytes that are not UTF-8 are
/// replaced, and the rest of a line that is too long is a line of its own.
fn read_lines(stream: impl Read + Send + 'static, take: impl Fn(String) -> bool + Send + 'static) {
    // Without the thread the stream counts as ended.
    let _ = thread::Builder::new().spawn(move || {
        let mut stream = BufReader::new(stream);
        let mut line = Vec::new();
        loop {
            line.clear();
            match stream.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            if !take(String::from_utf8_lossy(&line).trim_end().to_owned()) {
                return;
            }
        }
    });
}

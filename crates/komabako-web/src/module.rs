//! [`Module`]: requests by name, and their answers.

use komabako::messages::Phrase;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::{certificate, check, game, job, moves, perft, position, record, solve, text, word};

/// The version of the contract; it changes with every change that older pages would not understand.
const PROTOCOL: u32 = 1;

/// The object that the page calls, with the state kept between calls.
#[derive(Default)]
pub struct Module {
    perft: Option<perft::Count>,
    search: Option<solve::Search>,
    job: Option<job::Job>,
    /// The raw bytes of the current answer.
    raw: Vec<u8>,
}

/// The answer to a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// `{"ok": …}` or `{"error": …}`.
    pub json: Vec<u8>,
    /// The raw bytes that belong to it; most calls have none.
    pub raw: Vec<u8>,
}

/// A request or an answer without members: `{}`.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

macro_rules! calls {
    ($($(#[$doc:meta])* $name:ident($request:ty) => |$module:pat_param, $argument:pat_param, $raw:pat_param| $call:expr;)*) => {
        /// The requests. The only member of the JSON names the request.
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        enum Request {
            $($(#[$doc])* $name($request),)*
        }

        /// The names of all calls.
        const CALLS: &[&str] = &[$(stringify!($name)),*];

        impl Module {
            fn answer(&mut self, request: Request, raw: &[u8]) -> Result<Answer, Failure> {
                match request {
                    $(Request::$name(request) => {
                        // A browser compiles a function at its first call: in one function, the first request would compile
                        // all of them.
                        #[inline(never)]
                        fn answer($module: &mut Module, $argument: $request, $raw: &[u8]) -> Result<Answer, Failure> {
                            $call.and_then(|answer| Answer::ok(&answer))
                        }
                        answer(self, request, raw)
                    })*
                }
            }
        }
    };
}

calls! {
    /// The version of the program and of the contract.
    Version(Nothing) => |_, _, _| Ok::<_, Failure>(Version::current());
    /// Text in any format.
    Parse(text::Parse) => |_, request, raw| text::parse(&request, raw);
    /// A description of a position.
    Position(position::Request) => |_, request, _| position::describe(&request);
    /// The named start positions.
    Handicaps(Nothing) => |_, _, _| Ok::<_, Failure>(position::handicaps());
    /// The position as a board diagram.
    Bod(position::Request) => |_, request, _| position::bod(&request);
    /// A position in every format.
    Words(word::Words) => |_, request, _| word::words(&request);
    /// The position of a word.
    Decode(word::Decode) => |_, request, _| word::decode(&request);
    /// The legal moves.
    Moves(moves::Played) => |_, request, _| moves::legal(&request);
    /// The texts and positions of played moves.
    Play(moves::Played) => |_, request, _| moves::play(&request);
    /// A move from text in any notation.
    ReadMove(moves::ReadMove) => |_, request, _| moves::read(&request);
    /// The text of a game.
    WriteGame(game::WriteGame) => |_, request, _| game::write(&request);
    /// Starts a perft count.
    Perft(perft::Start) => |module, request, _| perft::Count::start(&request).map(|(count, started)| {
        module.perft = Some(count);
        started
    });
    /// Continues the count.
    PerftStep(perft::Step) => |module, request, _| match &mut module.perft {
        Some(count) => Ok(count.step(&request)),
        None => Err(Failure::new("NOT_COUNTING", &NOT_COUNTING)),
    };
    /// Starts a mate search.
    Solve(solve::Start) => |module, request, _| {
        let previous = module.search.take();
        solve::Search::start(&request, previous).map(|(search, started)| {
            module.search = Some(search);
            started
        })
    };
    /// Continues the search.
    SolveStep(solve::Continue) => |module, request, _| module.search()?.step(&request);
    /// Ends the search.
    SolveStop(solve::Stop) => |module, request, _| module.search()?.stop(&request);
    /// The tree below a move of the answer.
    SolveChildren(solve::Children) => |module, request, _| module.search()?.children(&request);
    /// Checks the problem of the last search.
    SolveCheck(check::Check) => |module, request, _| module.search()?.check(&request);
    /// Checks the certificates of a file.
    Certificates(Nothing) => |_, _, raw| Ok::<_, Failure>(certificate::check(raw));
    /// The formats of files of records.
    FileFormats(Nothing) => |_, _, _| Ok::<_, Failure>(record::formats());
    /// The format of a file.
    Detect(record::Detect) => |_, request, raw| record::detect(&request, raw);
    /// The records in a chunk of a file.
    Records(record::Chunk) => |_, request, raw| record::read(&request, raw);
    /// Starts a job on a whole file.
    Job(job::Start) => |module, request, _| job::Job::start(&request).map(|job| {
        module.job = Some(job);
        Nothing {}
    });
    /// Passes the next chunk of the file.
    JobPush(job::Push) => |module, request, raw| match &mut module.job {
        Some(job) => Ok(job.push(&request, raw)),
        None => Err(job::no_job()),
    };
    /// The result of the job.
    JobFinish(Nothing) => |module, _, _| module.job.take().ok_or_else(job::no_job).map(|job| {
        let mut finished = job.finish();
        module.raw = std::mem::take(&mut finished.file);
        finished
    });
}

/// The version and the calls of the module.
#[derive(Serialize)]
struct Version {
    version: &'static str,
    protocol: u32,
    calls: Vec<String>,
}

impl Version {
    fn current() -> Self {
        let camel = |name: &&str| name[..1].to_ascii_lowercase() + &name[1..];
        let calls = CALLS.iter().map(camel).collect();
        Self { version: env!("CARGO_PKG_VERSION"), protocol: PROTOCOL, calls }
    }
}

const NOT_COUNTING: Phrase = Phrase::new("no count is running", "数えていません");

/// An error of a request or an answer, which only a program sees.
fn foreign(error: &serde_json::Error) -> String {
    error.to_string()
}

/// The member of an answer.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Member<T> {
    Ok(T),
    Error(Box<Failure>),
}

impl Answer {
    fn ok<T: Serialize>(value: &T) -> Result<Answer, Failure> {
        match serde_json::to_vec(&Member::Ok(value)) {
            Ok(json) => Ok(Answer { json, raw: Vec::new() }),
            Err(error) => Err(Failure::new("ANSWER", &foreign(&error))),
        }
    }
}

impl Module {
    fn search(&mut self) -> Result<&mut solve::Search, Failure> {
        self.search.as_mut().ok_or_else(solve::not_solving)
    }

    /// Answers a request: `json` is the call, `raw` its raw bytes. Any bytes get an answer.
    pub fn call(&mut self, json: &[u8], raw: &[u8]) -> Answer {
        let request = serde_json::from_slice(json).map_err(|error| Failure::new("REQUEST", &foreign(&error)));
        let answer = request.and_then(|request| self.answer(request, raw));
        let raw = std::mem::take(&mut self.raw);
        answer.map(|answer| Answer { raw, ..answer }).unwrap_or_else(|failure| {
            let json = serde_json::to_vec(&Member::<()>::Error(Box::new(failure))).unwrap_or_default();
            Answer { json, raw: Vec::new() }
        })
    }
}

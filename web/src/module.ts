/**
 * The contract with the WASM module (`crates/komabako-web`): every call, what it takes and what it answers, and the loader.
 *
 * The module has one buffer in each direction. A call writes JSON, and raw bytes behind it where they are large, into the
 * argument buffer, and reads the answer in the same form:
 *
 *     argument(length) -> pointer     room for an argument of this length
 *     call(json) -> length            the first `json` bytes are the request; gives the length of the answer's JSON
 *     result() -> pointer             where the answer lies; valid until the next call
 *     result_bytes() -> length        how many raw bytes follow its JSON
 *
 * A request is `{"name": {…}}`, an answer `{"ok": …}` or `{"error": {"name": …, …}}`. Squares are written as in USI (`7g`),
 * pieces as in SFEN (`P`, `+R`, lower case for White), kinds as upper-case letters, moves in USI.
 *
 * The module keeps no clock and starts no threads. It keeps state for one search and one perft at a time; everything else is a
 * function of its request. `cargo xtask web` puts it beside this file as `komabako.wasm`.
 */

export type Color = 'black' | 'white';
/** `1a` … `9i`. */
export type Square = string;
/** `P L N S G B R K`. */
export type Kind = 'P' | 'L' | 'N' | 'S' | 'G' | 'B' | 'R' | 'K';
/** A move in USI: `7g7f`, `8h2b+`, `G*5b`. */
export type Usi = string;

/** The formats of one packed position, in the order in which they are listed. */
export type WordFormat = 'sspfv1' | 'psv' | 'hcp' | 'nshogi' | 'sspfv1-ext' | 'c250' | 'r238';
export const WORD_FORMATS: readonly WordFormat[] = ['sspfv1', 'psv', 'hcp', 'nshogi', 'sspfv1-ext', 'c250', 'r238'];

/** The formats of game records. `csa3` is version 3 of CSA. */
export type GameFormat = 'kif' | 'ki2' | 'csa' | 'csa3' | 'jkf' | 'usi';

/**
 * Why a call failed: a name that does not change, and the fields that a sentence needs. `sentence` is English, for a name
 * that the dictionary does not know.
 */
export interface ModuleError {
  name: string;
  sentence: string;
  /** In text: line and column from 1, in characters, and the word that is wrong. */
  line?: number;
  column?: number;
  quoted?: string;
  /** Of an SFEN, the fault: `BOARD`, `RANK_TOO_LONG`, `SECOND_KING`, … */
  fault?: string;
  /** In a word: the field and the first bit at which the fault shows. */
  field?: string;
  bit?: number;
  /** What else the sentence is about. */
  color?: Color;
  kind?: Kind;
  square?: Square;
  count?: number;
  /** The index of a move in a list. */
  index?: number;
  usi?: Usi;
  moves?: Usi[];
}

// ---------------------------------------------------------------------------------------------------------------- positions

/**
 * Text or bytes of a paste or a file (raw): SFEN, a USI game, KIF, KI2, CSA, JKF or BOD, a link to lishogi, or the hex digits
 * of one word. `extension` is that of the file's name, without its dot.
 */
export interface ParseRequest {
  extension?: string;
  /** The raw bytes are the text, as UTF-8, of a file in CP932. Bytes in CP932 are refused by the error `CP932`: see `parseFile`. */
  cp932?: boolean;
}
export type Parsed =
  | { kind: 'position'; sfen: string }
  | { kind: 'games'; format: GameFormat; encoding: 'utf-8' | 'cp932'; games: Game[] }
  | { kind: 'words'; words: ReadWord[] };
/** A word as one format reads it. Hex that no format reads strictly is an error of the call. */
export interface ReadWord {
  format: WordFormat;
  hex: string;
  sfen: string | null;
  error: ModuleError | null;
}

export interface PositionRequest {
  sfen: string;
}
/** What there is to say about a position by itself. */
export interface PositionInfo {
  /** The canonical SFEN, with the ply if the text has one. */
  sfen: string;
  side: Color;
  ply: number | null;
  /** How many of each kind are neither on the board nor in a hand; `K` counts missing kings. */
  box: Record<Kind, number>;
  /** Why no game can be played from it; empty if one can. Of a problem with one king the missing one is listed, and it can. */
  faults: PositionFault[];
  playable: boolean;
  /** Whether the side to move is in check, and by which pieces; nothing if it is not playable. */
  checkers: Square[];
  /** The name of the handicap in KIF files, if it is one: `平手`, `香落ち`, … */
  handicap: string | null;
}
export type PositionFault =
  | { name: 'KING_MISSING'; color: Color; sentence: string }
  | { name: 'NIFU'; color: Color; squares: Square[]; sentence: string }
  | { name: 'DEAD_END'; square: Square; piece: string; sentence: string }
  | { name: 'OPPONENT_IN_CHECK'; color: Color; sentence: string };

/** The named start positions of KIF files: the even game and the handicaps. */
export interface Handicap {
  name: string;
  preset: string;
  sfen: string;
}

// --------------------------------------------------------------------------------------------------------------------- words

export interface WordsRequest {
  sfen: string;
  /** The payload of the C250 word, 0 to 63. */
  payload?: number;
}
/** A position in one format: the word, or why the format cannot hold it. */
export interface Word {
  format: WordFormat;
  /** 32, or 30 of `r238`. */
  bytes: number;
  hex: string | null;
  error: ModuleError | null;
  /** The fields in the order of their bits. */
  fields: Field[];
  /** The codes of a format that is made of codes, in the order of the stream; empty for fixed fields. */
  symbols: Code[];
  /** The owner of every bit: runs that cover all bits once, in order. Empty for `r238`, where no bit has an owner. */
  owners: OwnedBits[];
  /** Squares that bits of a king or a pair speak of too: where these stand. A square lights its own bits and those. */
  places: { owner: Owner; square: Square }[];
  /** The payload of `c250`. */
  payload: number | null;
  /** The class and the number of `r238`. */
  rank: { class: string; number: string } | null;
}
export interface Field {
  field: string;
  /** The first bit, and how many. */
  offset: number;
  len: number;
  /** In English, for people. */
  meaning: string;
}
export interface Code extends Field {
  owner: Owner;
}
/** What a bit speaks of. */
export type Owner =
  | { of: 'side' }
  | { of: 'king'; color: Color }
  /** Both kings, bishops or rooks, whose places are one number (`c250`), and what squares it tells besides: see `places`. */
  | { of: 'pair'; kind: Kind }
  | { of: 'square'; square: Square }
  | { of: 'hand'; color: Color; kind: Kind }
  | { of: 'box'; kind: Kind }
  | { of: 'payload' }
  /** Bits that hold nothing, or nothing that can be read. */
  | { of: 'padding' };
export interface OwnedBits {
  offset: number;
  len: number;
  owner: Owner;
}

/** Reads a word that was edited. */
export interface DecodeRequest {
  format: WordFormat;
  hex: string;
  /** What older programs meant: of `psv` and `sspfv1-ext`. */
  lenient?: boolean;
}
export interface Decoded {
  /** The position, or null if the word is refused. */
  sfen: string | null;
  /** The fault, with its field and bit. */
  error: ModuleError | null;
  /** The word explained as far as it can be read. */
  word: Word;
}

// --------------------------------------------------------------------------------------------------------------------- moves

/** A position and the moves that were played from it. */
export interface GameRequest {
  sfen: string;
  moves?: Usi[];
}
/** A legal move or one that was played. */
export interface MoveText {
  usi: Usi;
  csa: string;
  /** `▲7六歩`; 同 where the move before went to the same square. */
  japanese: string;
}
export interface LegalMove extends MoveText {
  /** null for a drop. */
  from: Square | null;
  to: Square;
  /** The kind that is dropped. */
  drop: Kind | null;
  promotes: boolean;
  captures: boolean;
  check: boolean;
}
export interface Legal {
  /** The position after the moves. */
  sfen: string;
  moves: LegalMove[];
  standing: Standing;
}
/** How the game stands, as `komabako play` says it. */
export interface Standing {
  side: Color;
  check: boolean;
  checkers: Square[];
  /** No legal move: in check it is mate, else the side to move loses too. */
  over: 'checkmate' | 'stalemate' | null;
  /** How often the position has occurred. */
  occurrences: number;
  repetition: { draw: true } | { draw: false; loser: Color } | null;
  /** The points that the side to move may declare a win with, if it may (27 points rule). */
  declaration: number | null;
}
export interface Played {
  /** The position after each move. */
  moves: (MoveText & { sfen: string })[];
  /** The position after all. */
  sfen: string;
  standing: Standing;
}
/** A move as text in any notation: USI, CSA, KIF or Japanese. */
export interface ReadMoveRequest extends GameRequest {
  text: string;
}

// --------------------------------------------------------------------------------------------------------------------- games

/** A game record. Every move is legal. */
export interface Game {
  /** Keys as KIF names them (`先手`, `開始日時`), in the order of the file. */
  header: [string, string][];
  initial: string;
  /** The number of the first move, usually 1. */
  firstPly: number;
  /** The nodes of the tree; the first is the start. A node stands behind its parent; children are in order, the main one first. */
  nodes: GameNode[];
  /** What was read, but not as it stands. */
  notices?: Notice[];
}
export interface GameNode {
  /** The index of the node before; null for the start. */
  parent: number | null;
  usi?: Usi;
  /** The texts of a move; not needed when a game is written. */
  csa?: string;
  japanese?: string;
  /** How the line ends, by its word in KIF files: `投了`, `詰み`, `千日手`, … A node has either this or `usi`. */
  end?: string;
  comments?: string[];
  bookmark?: string;
  /** The time that the move took, in milliseconds. */
  time?: number;
  /** A score in a comment, in the view of Black. */
  score?: { about: 'before' | 'after'; number?: number; mate?: { winner: Color; plies: number } };
}
export interface Notice {
  line: number;
  name: string;
  text: string;
  sentence: string;
}
export interface WriteGameRequest {
  game: Game;
  format: GameFormat;
}
export interface WrittenGame {
  text: string;
  /** What the format did not hold: `variation_nodes`, `comments`, `times`, … without what is 0. */
  losses: Record<string, number>;
}
/** The position as a board diagram (BOD). */
export interface BodRequest {
  sfen: string;
}

// --------------------------------------------------------------------------------------------------------------------- perft

export interface PerftRequest {
  sfen: string;
  depth: number;
}
export interface PerftStarted {
  roots: MoveText[];
  /** Leaves at this depth, guessed from what lies at smaller ones. Above 10^10 the request is refused: `PERFT_TOO_DEEP`. */
  estimate: number;
}
/** Counts below some more positions two plies down: at least one, then until `nodes` were counted. */
export interface PerftStepRequest {
  nodes: number;
}
export interface PerftStep {
  done: boolean;
  /** The leaves counted so far. */
  nodes: number;
  /** The root moves in the order of `roots` whose count is complete. */
  counts: number[];
}

// --------------------------------------------------------------------------------------------------------------------- tsume

export interface SolveRequest {
  sfen: string;
  /** `any`: the first mate found. `shortest`: exact length and the determined line. */
  goal: 'any' | 'shortest';
  /** Whether useless interpositions (無駄合) do not count: the length of a problem. */
  hideUseless: boolean;
  /** The size of the table in MiB. */
  memory: number;
}
export interface SolveStarted {
  attacker: Color;
  /** The position that is solved; the defender holds the complement if the attacker has no king. */
  sfen: string;
  complement: boolean;
}
/** Searches this many nodes more. */
export interface SolveStepRequest {
  nodes: number;
}
export type SolveStep = { state: 'running'; progress: SolveProgress } | { state: 'done'; outcome: SolveOutcome };
export interface SolveProgress {
  nodes: number;
  proof: number;
  disproof: number;
  depth: number;
  /** How full the table is, in thousandths. */
  hashfull: number;
  /** The path that is searched at present. */
  line: Usi[];
  /** The length of the shortest mate found so far. */
  shortest: number | null;
}
export interface SolveOutcome {
  nodes: number;
  verdict:
    | {
        is: 'mate';
        length: number;
        /** Whether no shorter mate exists. */
        exact: boolean;
        line: (MoveText & { sfen: string })[];
        /** What the attacker holds at its end (駒余り), by kind. */
        left: Partial<Record<Kind, number>>;
      }
    | { is: 'no-mate'; why: 'no-check' | 'escapes' | 'longer'; replies: { check: MoveText; reply: Usi }[]; escape: Usi | null }
    | { is: 'unknown'; reason: 'nodes' | 'time' | 'depth' | 'memory' | 'cancelled'; excluded: number | null };
}
/** Ends the search: what is known so far. */
export interface SolveStopRequest {
  reason: 'time' | 'cancelled';
}
/**
 * What follows a position of the tree: below an attacker's turn the checks, below a defender's the replies, with the lengths of
 * their mates. `path` is the moves from the root. Each child is searched by `nodes` nodes at most.
 */
export interface SolveChildrenRequest {
  path: Usi[];
  nodes: number;
}
export interface SolveChild extends MoveText {
  status: 'mate' | 'no-mate' | 'unknown';
  /** The plies of the mate from the root of this child on, the move itself counted. */
  length: number | null;
}

// ------------------------------------------------------------------------------------------------------------------- records

/** A format of files of records. */
export interface FileFormat {
  name: string;
  description: string;
  extensions: string[];
  /** The size of a record in bytes; null if records differ. */
  recordSize: number | null;
  text: boolean;
  /** Records are positions of games: they are read from the start only. */
  games: boolean;
  /** The line with which a file starts, of `csv` and `tsv`. */
  header: string;
  /** What it holds beside the position: `score`, `move`, `result`, `ply`, … */
  fields: string[];
}
/** Finds out what a file is by its first bytes (raw; 256 KiB are enough), decompressed. */
export interface DetectRequest {
  /** The file's name. */
  file: string;
  /** The size of the whole content; null if it is not known. */
  size: number | null;
}
export interface Detected {
  format: string;
  /** Why: the file's name, and how many of the first records decode in a format. */
  why: { name: 'EXTENSION' | 'DECODED'; sentence: string; format: string; good?: number; sampled?: number }[];
}
/** Decodes the records in a piece of a file (raw), which starts with a record. */
export interface RecordsRequest {
  format: string;
  /** Give at most this many. */
  limit: number;
  /** Whether the piece is the start of the file, and whether it is its end: a last line may lack its line end. */
  first?: boolean;
  last?: boolean;
}
export interface Records {
  records: FileRecord[];
  /** How many bytes they took. */
  bytes: number;
}
export interface FileRecord {
  /** In the piece. */
  offset: number;
  len: number;
  hex: string | null;
  /** The word with which the record begins, if it does with one. */
  word: { format: WordFormat; hex: string } | null;
  sfen: string | null;
  error: ModuleError | null;
  score: number | null;
  move: MoveText | { special: string } | null;
  /** Why the move is not legal, or the position none of a game. */
  moveError: ModuleError | null;
  /** Who won. */
  result: 'black' | 'white' | 'draw' | null;
  ply: number | null;
  /** The place in its game, of formats that hold games. */
  game: { number: number; move: number } | null;
}
/**
 * Starts to count (`stats`), to look for faults (`validate`) or to choose records (`sample`). The pieces come by `jobPush`.
 */
export type JobRequest =
  | { job: 'stats'; format: string }
  | { job: 'validate'; format: string; findings: number }
  | { job: 'sample'; format: string; records: number; count: number; seed: string };
/** The next piece (raw). What is left of an unfinished record is kept for the next. */
export interface JobPushRequest {
  last: boolean;
}
export interface JobProgress {
  records: number;
  bad: number;
}
/** `stats`: the members `stats` and `bad` of `komabako stats --json`. `validate`: findings. `sample`: raw bytes. */
export interface JobFinished {
  records: number;
  bad: Record<string, number>;
  stats?: unknown;
  findings?: Finding[];
}
/** A fault, the number of its record from 0, and the byte at which that, or its game, starts. */
export interface Finding {
  record: number;
  offset: number;
  error: ModuleError;
}

// --------------------------------------------------------------------------------------------------------------------- calls

/** Every call: its request and its answer. Those that take or give raw bytes say so above. */
export interface Calls {
  version: [Record<string, never>, { version: string; protocol: number; calls: string[] }];
  parse: [ParseRequest, Parsed];
  position: [PositionRequest, PositionInfo];
  handicaps: [Record<string, never>, Handicap[]];
  words: [WordsRequest, Word[]];
  decode: [DecodeRequest, Decoded];
  moves: [GameRequest, Legal];
  play: [GameRequest, Played];
  readMove: [ReadMoveRequest, MoveText];
  writeGame: [WriteGameRequest, WrittenGame];
  bod: [BodRequest, { text: string }];
  perft: [PerftRequest, PerftStarted];
  perftStep: [PerftStepRequest, PerftStep];
  solve: [SolveRequest, SolveStarted];
  solveStep: [SolveStepRequest, SolveStep];
  solveStop: [SolveStopRequest, SolveOutcome];
  solveChildren: [SolveChildrenRequest, SolveChild[]];
  fileFormats: [Record<string, never>, FileFormat[]];
  detect: [DetectRequest, Detected];
  records: [RecordsRequest, Records];
  job: [JobRequest, Record<string, never>];
  jobPush: [JobPushRequest, JobProgress];
  jobFinish: [Record<string, never>, JobFinished];
}
export type CallName = keyof Calls;
export type Request<K extends CallName> = Calls[K][0];
export type Answer<K extends CallName> = Calls[K][1];
export type Result<T> = { ok: T; error?: undefined } | { ok?: undefined; error: ModuleError };

/** The functions that the module exports. */
interface Exports {
  memory: WebAssembly.Memory;
  argument(length: number): number;
  call(json: number): number;
  result(): number;
  result_bytes(): number;
}

/** The module, ready to be called. Not more than one call at a time: it has one buffer. */
export class Module {
  readonly #exports: Exports;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();

  private constructor(exports: Exports) {
    this.#exports = exports;
  }

  /** Compiles the module; the compiled form can be given to workers. The module imports nothing. */
  static async instantiate(source: WebAssembly.Module | BufferSource): Promise<Module> {
    const compiled = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
    const instance = await WebAssembly.instantiate(compiled, {});
    return new Module(instance.exports as unknown as Exports);
  }

  /** Calls by name; `raw` goes behind the request. A fault is an answer, not an exception. */
  call<K extends CallName>(name: K, request: Request<K>, raw?: Uint8Array): Result<Answer<K>> {
    return this.callRaw(name, request, raw).answer;
  }

  /** Parses the bytes of a file in UTF-8 or CP932. The tables of CP932 are the browser's: they would be a fifth of the module. */
  parseFile(request: ParseRequest, bytes: Uint8Array): Result<Parsed> {
    const answer = this.call('parse', request, bytes);
    if (answer.error?.name !== 'CP932') return answer;
    // What is not CP932 becomes U+FFFD, which the module finds and names with its place.
    return this.call('parse', { ...request, cp932: true }, this.#encoder.encode(new TextDecoder('shift_jis').decode(bytes)));
  }

  /** The same with the raw bytes of the answer, which are a copy. */
  callRaw<K extends CallName>(
    name: K,
    request: Request<K>,
    raw: Uint8Array = new Uint8Array(),
  ): { answer: Result<Answer<K>>; raw: Uint8Array } {
    const json = this.#encoder.encode(JSON.stringify({ [name]: request }));
    const length = json.length + raw.length;
    // `memory.buffer` is read after every call into the module: memory that grows detaches the old buffer.
    const argument = this.#exports.argument(length);
    const into = new Uint8Array(this.#exports.memory.buffer, argument, length);
    into.set(json);
    into.set(raw, json.length);
    const answerLength = this.#exports.call(json.length);
    const [start, rawLength] = [this.#exports.result(), this.#exports.result_bytes()];
    const from = new Uint8Array(this.#exports.memory.buffer, start, answerLength + rawLength);
    const answer = JSON.parse(this.#decoder.decode(from.subarray(0, answerLength))) as Result<Answer<K>>;
    return { answer, raw: from.slice(answerLength) };
  }
}

/**
 * The contract with the WASM module (`crates/komabako-web`): every call with its request and answer, and the loader.
 *
 * The module has one buffer in each direction. A call writes JSON, followed by raw bytes for large data, into the argument
 * buffer, and reads the answer in the same form:
 *
 *     argument(length) -> pointer     room for an argument of this length
 *     call(json) -> length            the first `json` bytes are the request; returns the length of the answer's JSON
 *     result() -> pointer             the address of the answer; valid until the next call
 *     result_bytes() -> length        the number of raw bytes after its JSON
 *
 * A request is `{"name": {…}}`, an answer `{"ok": …}` or `{"error": {"name": …, …}}`. Squares are written as in USI (`7g`),
 * pieces as in SFEN (`P`, `+R`, lower case for White), kinds as upper-case letters, moves in USI.
 *
 * The module has no clock and no threads. It keeps the state of one search, one perft and one job at a time; everything else
 * is a function of its request. `cargo xtask web` puts it beside this file as `komabako.wasm`.
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

/** A sentence in both languages of the page. */
export interface Sentence {
  en: string;
  ja: string;
}

/** Why a call failed: a stable name, the sentence, which names the place, and the place. */
export interface ModuleError {
  name: string;
  sentence: Sentence;
  /** The number of the game in its text, if there are several. */
  game?: number;
  /** For text: line and column from 1, in characters. */
  line?: number;
  column?: number;
  /** For a word: the first bit of the fault. */
  bit?: number;
  /** The index of a move in a list, and the move. */
  index?: number;
  usi?: Usi;
}

// ---------------------------------------------------------------------------------------------------------------- positions

/**
 * Text or bytes of a paste or a file (raw): SFEN, a USI game, KIF, KI2, CSA, JKF or BOD, a link to lishogi, or the hex digits
 * of one word. `extension` is the file's extension without the dot.
 */
export interface ParseRequest {
  extension?: string;
  /** The lines of the raw bytes as text in CP932 and in EUC-JP. Bytes that are not UTF-8 are refused without them, with the error
   * `UNDECODED`: see `parseFile`. */
  cp932?: string[];
  eucJp?: string[];
  /** The number of games after which reading ends, and of faults that are named. */
  limit?: number;
}
export type Parsed =
  | { kind: 'position'; sfen: string }
  /** A fault loses its own game. */
  | { kind: 'games'; format: GameFormat; encoding: 'utf-8' | 'cp932' | 'euc-jp'; games: Game[]; faults: ModuleError[] }
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
/** A description of a single position. */
export interface PositionInfo {
  /** The canonical SFEN, with the ply if the text has one. */
  sfen: string;
  side: Color;
  ply: number | null;
  /** The number of pieces of each kind that are neither on the board nor in a hand; `K` counts missing kings. */
  box: Record<Kind, number>;
  /** Why no game can be played from it; empty if one can. For a problem with one king the missing king is listed, although
   * it is playable. */
  faults: PositionFault[];
  playable: boolean;
  /** The squares of the pieces that give check to the side to move; empty if the position is not playable. */
  checkers: Square[];
  /** The name of the handicap in KIF files, if it is one: `平手`, `香落ち`, … */
  handicap: string | null;
}
export interface PositionFault {
  name: 'KING_MISSING' | 'NIFU' | 'DEAD_END' | 'OPPONENT_IN_CHECK';
  sentence: Sentence;
}

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
/** A position in one format: the word, or the reason why the format cannot hold it. */
export interface Word {
  format: WordFormat;
  /** 32, or 30 for `r238`. */
  bytes: number;
  hex: string | null;
  error: ModuleError | null;
  /** The fields in the order of their bits. */
  fields: Field[];
  /** For a format of variable-length codes, the codes in the order of the stream; empty for fixed fields. */
  symbols: Code[];
  /** The owner of every bit: runs that cover all bits once, in order. Empty for `r238`, where no bit has an owner. */
  owners: OwnedBits[];
  /** The squares described by the bits of a king or a pair. Such a square highlights these bits besides its own. */
  places: { owner: Owner; square: Square }[];
  /** The payload of `c250`. */
  payload: number | null;
  /** The class and the number of `r238`. */
  rank: { class: string; number: string } | null;
}
export interface Field {
  field: string;
  /** The first bit; `len` is the number of bits. */
  offset: number;
  len: number;
  /** An English description. */
  meaning: string;
}
export interface Code extends Field {
  owner: Owner;
}
/** The part of a position that a bit describes. */
export type Owner =
  | { of: 'side' }
  | { of: 'king'; color: Color }
  /** Both kings, bishops or rooks, whose squares are encoded in one number (`c250`): see `places`. */
  | { of: 'pair'; kind: Kind }
  | { of: 'square'; square: Square }
  | { of: 'hand'; color: Color; kind: Kind }
  | { of: 'box'; kind: Kind }
  | { of: 'payload' }
  /** Bits without content, or whose content cannot be read. */
  | { of: 'padding' };
export interface OwnedBits {
  offset: number;
  len: number;
  owner: Owner;
}

/** Decodes an edited word. */
export interface DecodeRequest {
  format: WordFormat;
  hex: string;
  /** Accept words of older programs, for `psv` and `sspfv1-ext`. */
  lenient?: boolean;
}
export interface Decoded {
  /** The position, or null if the word is refused. */
  sfen: string | null;
  /** The fault, with its field and bit. */
  error: ModuleError | null;
  /** The explanation of the word, as far as it can be read. */
  word: Word;
}

// --------------------------------------------------------------------------------------------------------------------- moves

/** A position and the moves played from it. */
export interface GameRequest {
  sfen: string;
  moves?: Usi[];
}
/** A legal or played move. */
export interface MoveText {
  usi: Usi;
  csa: string;
  /** `▲7六歩`; 同 if the previous move went to the same square. */
  japanese: string;
}
/** A played move and the position after it. */
export interface PlayedMove extends MoveText {
  sfen: string;
}
export interface LegalMove extends MoveText {
  /** The source square; null for a drop. */
  from: Square | null;
  to: Square;
  /** The dropped kind. */
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
/** The state of the game, as reported by `komabako play`. */
export interface Standing {
  side: Color;
  check: boolean;
  checkers: Square[];
  /** Set if there is no legal move: checkmate, or stalemate, in which the side to move also loses. */
  over: 'checkmate' | 'stalemate' | null;
  /** The number of occurrences of the position. */
  occurrences: number;
  repetition: { draw: true } | { draw: false; loser: Color } | null;
  /** The points of the side to move, if it may declare a win (27-point rule). */
  declaration: number | null;
}
export interface Played {
  /** The position after each move. */
  moves: PlayedMove[];
  /** The position after all moves. */
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
  /** Keys with KIF's names (`先手`, `開始日時`), in the order of the file. */
  header: [string, string][];
  initial: string;
  /** The number of the first move, usually 1. */
  firstPly: number;
  /** The nodes of the tree; the first is the start. A node follows its parent; children are in order, the main one first. */
  nodes: GameNode[];
  /** Tolerated deviations of the file. */
  notices?: Notice[];
}
export interface GameNode {
  /** The index of the parent node; null for the start. */
  parent: number | null;
  usi?: Usi;
  /** The texts of a move; not needed when a game is written. */
  csa?: string;
  japanese?: string;
  /** The end of the line, by its word in KIF files: `投了`, `詰み`, `千日手`, … A node has either this or `usi`. */
  end?: string;
  comments?: string[];
  bookmark?: string;
  /** The time spent on the move, in milliseconds. */
  time?: number;
  /** A score in a comment, from Black's view. */
  score?: { about: 'before' | 'after'; number?: number; mate?: { winner: Color; plies: number } };
}
export interface Notice {
  line: number;
  name: string;
  text: string;
  sentence: Sentence;
}
export interface WriteGameRequest {
  game: Game;
  format: GameFormat;
}
export interface WrittenGame {
  text: string;
  /** The losses of the format: `variation_nodes`, `comments`, `times`, … Zero counts are omitted. */
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
  /** The number of leaves, estimated from smaller depths. Above 10^10 the request is refused: `PERFT_TOO_DEEP`. */
  estimate: number;
}
/** Counts below further positions two plies down: at least one, then until `nodes` leaves were counted. */
export interface PerftStepRequest {
  nodes: number;
}
export interface PerftStep {
  done: boolean;
  /** The leaves counted so far. */
  nodes: number;
  /** The complete counts of root moves, in the order of `roots`. */
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
  /** The position to solve; the defender holds the complement if the attacker has no king. */
  sfen: string;
  complement: boolean;
}
/** Searches this many more nodes. */
export interface SolveStepRequest {
  nodes: number;
}
export type SolveStep = { state: 'running'; progress: SolveProgress } | { state: 'done'; outcome: SolveOutcome };
export interface SolveProgress {
  nodes: number;
  proof: number;
  disproof: number;
  depth: number;
  /** The load of the table, in thousandths. */
  hashfull: number;
  /** The path that is currently searched. */
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
        line: PlayedMove[];
        /** Whether the line ends in the mate. If not, the search ended before the whole line was found. */
        lineComplete: boolean;
        /** The attacker's hand at the end of the line (駒余り, if the line is complete), by kind. */
        left: Partial<Record<Kind, number>>;
      }
    | { is: 'no-mate'; why: 'no-check' | 'escapes' | 'longer'; replies: { check: MoveText; reply: Usi }[]; escape: Usi | null }
    | { is: 'unknown'; reason: 'nodes' | 'time' | 'depth' | 'memory' | 'cancelled'; excluded: number | null };
}
/** Stops the search and returns the result so far. */
export interface SolveStopRequest {
  reason: 'time' | 'cancelled';
}
/**
 * The children of a position of the tree: checks if the attacker is to move, replies if the defender is, with the lengths of
 * their mates. `path` has the moves from the root. Each child is searched for at most `nodes` nodes.
 */
export interface SolveChildrenRequest {
  path: Usi[];
  nodes: number;
}
export interface SolveChild extends MoveText {
  status: 'mate' | 'no-mate' | 'unknown';
  /** The plies of the mate, counted from this move, inclusive. */
  length: number | null;
}

/** Checks the problem of the last search, with at most so many nodes for each question and for all of them. */
export interface SolveCheckRequest {
  nodes: number;
  report_nodes: number;
}
export interface CheckReport {
  soundness: 'sound' | 'defective' | 'undecided';
  length: number | null;
  line: PlayedMove[];
  findings: CheckFinding[];
  nodes: number;
}
export type FindingKind =
  | 'no-mate' | 'sooner' | 'dual' | 'rejoin' | 'unspecified' | 'last-move' | 'equal-defence' | 'longer-defence' | 'left-over'
  | 'useless-interposition' | 'returning-interposition' | 'undecided';
/** A finding; its line follows the first `ply - 1` moves of the main line. */
export interface CheckFinding {
  kind: FindingKind;
  ply: number;
  length: number | null;
  line: PlayedMove[];
  isDefect: boolean;
  reason: 'nodes' | 'time' | 'depth' | 'memory' | 'cancelled' | null;
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
  /** Whether records are positions of games, which can only be read from the start. */
  games: boolean;
  /** The header line of a file, for `csv` and `tsv`. */
  header: string;
  /** The fields besides the position: `score`, `move`, `result`, `ply`, … */
  fields: string[];
}
/** Detects the format of a file from its first bytes (raw; 256 KiB suffice), decompressed. */
export interface DetectRequest {
  /** The file's name. */
  file: string;
  /** The size of the whole content; null if unknown. */
  size: number | null;
}
export interface Detected {
  format: string;
  /** The evidence, as in the program: the file's name, the number of first records that decode in a format, the size, damage. */
  why: {
    name: 'EMPTY' | 'EXTENSION' | 'SIZE' | 'DECODED' | 'DAMAGED' | 'NAME_IGNORED' | 'OTHER_CODEC';
    sentence: Sentence;
    format: string;
    good?: number;
    sampled?: number;
  }[];
}
/** Decodes the records in a chunk of a file (raw), which starts with a record. */
export interface RecordsRequest {
  format: string;
  /** The maximum number of records to return. */
  limit: number;
  /** Whether the chunk is the start of the file (`first`), or its end (`last`), where the last line may lack its line end. */
  first?: boolean;
  last?: boolean;
}
export interface Records {
  records: FileRecord[];
  /** The number of bytes consumed. */
  bytes: number;
}
export interface FileRecord {
  /** The offset in the chunk. */
  offset: number;
  len: number;
  hex: string | null;
  /** The word at the start of the record, if it has one. */
  word: { format: WordFormat; hex: string } | null;
  sfen: string | null;
  error: ModuleError | null;
  score: number | null;
  move: MoveText | { special: string } | null;
  /** Why the move is illegal, or why no game can be played from the position. */
  moveError: ModuleError | null;
  /** The winner, or a draw. */
  result: 'black' | 'white' | 'draw' | null;
  ply: number | null;
  /** The place in its game, for formats of games. */
  game: { number: number; move: number } | null;
}
/**
 * Starts to compute statistics (`stats`), to find faults (`validate`) or to draw records (`sample`). `jobPush` passes the
 * chunks.
 */
export type JobRequest =
  | { job: 'stats'; format: string }
  | { job: 'validate'; format: string; findings: number }
  | { job: 'sample'; format: string; records: number; count: number; seed: string };
/** Passes the next chunk (raw). An incomplete record at its end is kept for the next one. */
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
/** A fault, the number of its record from 0, and the byte at which the record, or its game, starts. */
export interface Finding {
  record: number;
  offset: number;
  error: ModuleError;
}

// --------------------------------------------------------------------------------------------------------------------- calls

/** Every call with its request and answer. Raw bytes are described above. */
// --------------------------------------------------------------------------------------------------------------- certificates

/** A certificate of a file, whose bytes are passed beside the request. Either it shows its claim or there is an error. */
export interface CheckedCertificate {
  claim: Sentence | null;
  sfen: string | null;
  nodes: number | null;
  error: ModuleError | null;
}

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
  solveCheck: [SolveCheckRequest, CheckReport];
  certificates: [Record<string, never>, CheckedCertificate[]];
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

/** The module, ready to be called. Only one call at a time, since it has one buffer. */
export class Module {
  readonly #exports: Exports;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();

  private constructor(exports: Exports) {
    this.#exports = exports;
  }

  /** Compiles the module if necessary and instantiates it; a compiled module can be passed to workers. The module imports
   * nothing. */
  static async instantiate(source: WebAssembly.Module | ArrayBuffer | ArrayBufferView): Promise<Module> {
    const compiled = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source as BufferSource);
    const instance = await WebAssembly.instantiate(compiled, {});
    return new Module(instance.exports as unknown as Exports);
  }

  /** Makes a call by name; `raw` follows the request. A fault is an answer, not an exception. */
  call<K extends CallName>(name: K, request: Request<K>, raw?: Uint8Array): Result<Answer<K>> {
    return this.callRaw(name, request, raw).answer;
  }

  /** Parses the bytes of a file in UTF-8, CP932 or EUC-JP. The browser decodes the latter, whose tables would be a fifth of the
   * module. */
  parseFile(request: ParseRequest, bytes: Uint8Array): Result<Parsed> {
    const answer = this.call('parse', request, bytes);
    if (answer.error?.name !== 'UNDECODED') return answer;
    // Invalid bytes become U+FFFD, which the module finds and reports with its place.
    const lines = (label: string) => new TextDecoder(label).decode(bytes).split(/\r\n|\r|\n/);
    return this.call('parse', { ...request, cp932: lines('shift_jis'), eucJp: lines('euc-jp') }, bytes);
  }

  /** Like `call`, with a copy of the answer's raw bytes. */
  callRaw<K extends CallName>(
    name: K,
    request: Request<K>,
    raw: Uint8Array = new Uint8Array(),
  ): { answer: Result<Answer<K>>; raw: Uint8Array } {
    const json = this.#encoder.encode(JSON.stringify({ [name]: request }));
    const length = json.length + raw.length;
    // `memory.buffer` is read again after every call into the module, because growing memory detaches the old buffer.
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

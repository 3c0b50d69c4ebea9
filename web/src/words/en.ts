/** The page's English. `Words` is its type, so a key that is missing in another language does not compile. */

import type { Color, Kind, Piece } from '../model/piece.js';
import type { Score } from '../model/game.js';
import { signed } from '../model/notation.js';
import { grouped } from '../model/number.js';
import { colorOf, isPromoted, kindOf } from '../model/piece.js';
import type { Refusal } from '../model/setup.js';
import type { HandicapName } from '../model/presets.js';
import type { FindingKind, OwnedBits, Owner, Sentence, WordFormat } from '../module.js';

const PIECES: Readonly<Record<Kind, string>> = {
  K: 'king', R: 'rook', B: 'bishop', G: 'gold', S: 'silver', N: 'knight', L: 'lance', P: 'pawn',
};
const PROMOTED: Partial<Record<Kind, string>> = {
  R: 'dragon', B: 'horse', S: 'promoted silver', N: 'promoted knight', L: 'promoted lance', P: 'tokin',
};
const HANDICAPS: Readonly<Record<HandicapName, string>> = {
  平手: 'Even game', 香落ち: 'Left lance', 右香落ち: 'Right lance', 角落ち: 'Bishop', 飛車落ち: 'Rook', 飛香落ち: 'Rook and lance',
  二枚落ち: '2 pieces', 三枚落ち: '3 pieces', 四枚落ち: '4 pieces', 五枚落ち: '5 pieces', 左五枚落ち: '5 pieces, left', 六枚落ち: '6 pieces',
  左七枚落ち: '7 pieces, left', 右七枚落ち: '7 pieces, right', 八枚落ち: '8 pieces', 十枚落ち: '10 pieces',
};
const FORMATS: Readonly<Record<WordFormat, string>> = {
  sspfv1: 'SSPFv1', psv: 'PackedSfen (PSV)', hcp: 'HuffmanCodedPos (HCP)', nshogi: 'nshogi', 'sspfv1-ext': 'SSPFv1, extended', c250: 'C250', r238: 'R238',
};
const COLORS: Readonly<Record<Color, string>> = { black: 'Black', white: 'White' };
const ENDINGS: Readonly<Record<string, string>> = {
  投了: 'resigns', 中断: 'adjourned', 封じ手: 'sealed move', 千日手: 'fourfold repetition', 持将棋: 'impasse', 入玉勝ち: 'wins by declaration',
  詰み: 'mate', 詰: 'mate', 不詰: 'no mate', 切れ負け: 'loses on time', 反則負け: 'loses by an illegal move', 反則勝ち: 'wins by an illegal move',
  不戦勝: 'wins by default', 不戦敗: 'loses by default', 引き分け: 'draw', 最大手数: 'limit of moves',
};
const HEADER: Readonly<Record<string, string>> = {
  先手: 'Black', 後手: 'White', 下手: 'Black (handicap)', 上手: 'White (gives the handicap)', 開始日時: 'Start', 終了日時: 'End', 棋戦: 'Event', 棋戦名: 'Event',
  場所: 'Place', 表題: 'Title', 持ち時間: 'Time control', 消費時間: 'Time used', 手合割: 'Handicap', 戦型: 'Opening', 備考: 'Remarks', 先手省略名: 'Black, short',
  後手省略名: 'White, short', 作者: 'Author', 作品名: 'Work', 作品番号: 'Number', 発表誌: 'Published in', 発表年月: 'Published', 出典: 'Source', 手数: 'Moves',
  完全性: 'Soundness', 分類: 'Class', 受賞: 'Award', 秒読み: 'Byoyomi', 記録係: 'Recorder', 立会人: 'Witness', 最大手数: 'Limit of moves', 結末: 'Outcome',
};
const LOSSES: Readonly<Record<string, string>> = {
  variation_nodes: 'variation move', bookmarks: 'bookmark', times: 'time', comments: 'comment line', header: 'header line', endings: 'ending',
  first_plies: 'first move number', characters: 'character',
};

const counted = (count: number, word: string) => `${grouped(count)} ${word}${count === 1 ? '' : 's'}`;

function pieceName(piece: Piece): string {
  const kind = kindOf(piece);
  return (isPromoted(piece) && PROMOTED[kind]) || PIECES[kind];
}

const squareText = (file: number, rank: number) => `${file}${'abcdefghi'[rank - 1]}`;

/** A label of one to four letters; White's pieces are lower-case letters or have a mark. */
export function shortLabel(owner: Owner, piece: (kind: Kind, color: Color) => string, side: string, square: (name: string) => string): string {
  switch (owner.of) {
    case 'side':
      return side;
    case 'king':
      return piece('K', owner.color);
    case 'pair':
      return `${piece(owner.kind, 'black')}${piece(owner.kind, 'white')}`;
    case 'square':
      return square(owner.square);
    case 'hand':
      return `+${piece(owner.kind, owner.color)}`;
    case 'box':
      return `−${piece(owner.kind, 'black')}`;
    default:
      return '';
  }
}

export const en = {
  // The board
  ranks: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'] as readonly string[],
  boardName: 'Shogi board',
  color: (color: Color) => COLORS[color],
  pieceKind: (kind: Kind) => PIECES[kind],
  squareText,
  squareName: (file: number, rank: number, piece: Piece | null): string =>
    `${squareText(file, rank)} ${piece ? `${COLORS[colorOf(piece)]} ${pieceName(piece)}` : 'empty'}`,
  handName: (color: Color): string => `${COLORS[color]}'s hand`,
  ownerMark: (color: Color): string => (color === 'black' ? '☗ Black' : '☖ White'),
  stackName: (kind: Kind, count: number): string => `${PIECES[kind]}, ${count}`,
  box: 'Box',
  boxName: 'Box: pieces that are not in play',
  nothing: 'nothing',
  promote: 'Promote',
  stay: 'Do not promote',
  promoteQuestion: 'Promote?',
  moveSaid: (color: Color, file: number, rank: number, piece: Piece, promotes: boolean, dropped: boolean, taken: Piece | null): string =>
    `${COLORS[color]} ${pieceName(piece)} ${dropped ? 'dropped on' : 'to'} ${squareText(file, rank)}${taken ? `, takes the ${pieceName(taken)}` : ''}${promotes ? ', promotes' : ''}`,
  illegal: 'Not a legal move',
  check: 'Check',
  refusal: {
    'none-left': 'The set has no more of this piece.',
    'second-king': 'This side has a king.',
    'king-in-hand': 'A king cannot be in a hand.',
    'nothing-there': 'There is nothing to move.',
  } satisfies Record<Refusal, string> as Readonly<Record<Refusal, string>>,

  // The frame
  documentTitle: 'Komabako: shogi board, bits, mates and files',
  modePlay: 'Play',
  modeSetup: 'Set up',
  modeName: 'Mode',
  tabs: { board: 'Game', moves: 'Moves', bits: 'Bits', solve: 'Mate', files: 'Files' } as Readonly<Record<string, string>>,
  tabsName: 'Tools',
  undo: 'Undo',
  redo: 'Redo',
  flip: 'Flip',
  open: 'Paste or open',
  copy: 'Copy',
  help: 'Keys',
  display: {
    title: 'Display',
    language: 'Language',
    theme: 'Theme',
    themes: { auto: 'as the system', light: 'light', dark: 'dark' } as Readonly<Record<'auto' | 'light' | 'dark', string>>,
    faces: 'Pieces',
    faceNames: { one: 'one kanji', two: 'two kanji', letters: 'letters' } as Readonly<Record<'one' | 'two' | 'letters', string>>,
    coordinates: 'Coordinates',
    sound: 'Sound',
  },
  keys: [
    ['← ↑ → ↓', 'Move on the board'],
    ['Home End PgUp PgDn', 'To the edges'],
    ['7 g', 'Jump to a square: file, then rank'],
    ['Enter Space', 'Pick up and put down'],
    ['Esc', 'Let go'],
    ['P L N S G B R K', 'Put a piece (Shift: White); in play, drop it'],
    ['+', 'Promote (set up)'],
    ['/', 'Change the side (set up)'],
    ['Delete', 'Into the box (set up)'],
    ['[ ] ← →', 'Previous, next move (← → outside the board); also the wheel on the board'],
    ['F', 'Flip the board'],
    ['M', 'Play or set up'],
    ['Ctrl+Z Ctrl+Y', 'Undo, redo'],
  ] as readonly (readonly [string, string])[],
  close: 'Close',
  cancel: 'Cancel',
  loading: 'Loading the rules …',
  offlineReady: 'Works offline.',
  staysHere: 'Nothing leaves this computer.',
  newVersion: 'A new version is ready.',
  reload: 'Reload',
  moduleMissing: 'The rules could not be loaded: only the board can be edited. Reload, or use a browser of 2023 or later.',
  damagedLink: 'The game in the link is damaged: only its moves are shown.',
  noPosition: 'This record has no position.',
  badAddress: (text: string): string => `The address cannot be read: ${text}`,

  // Game tab
  setupHint: 'Drag pieces, or tap one and then where it goes. Tap it again to turn it.',
  playHint: 'Drag a piece, or tap it and then one of the dots.',
  welcome: {
    title: 'Try it',
    text: 'A shogi board that solves mates, shows every bit of a position, and opens training data.',
    solve: 'Solve this problem',
    solveText: 'The mate is found and proven in the browser.',
    bits: 'See its bits',
    bitsText: 'What every bit of a position says, in seven formats.',
    files: 'Open training data',
    filesText: '300 positions with their statistics.',
  },
  turnOf: (color: Color): string => `${COLORS[color]} to move`,
  startPosition: 'Start position',
  gameMoves: 'Moves of the game',
  first: 'First',
  previous: 'Previous move',
  next: 'Next move',
  last: 'Last',
  variations: 'Variations',
  scoreName: 'Score, in the view of Black',
  scoreText: (score: Score): string => ('number' in score ? signed(score.number) : `${score.winner === 'black' ? '+' : '−'}mate ${score.plies}`),
  removeBranch: 'Delete from here',
  promoteBranch: 'Make this the main line',
  foldName: (move: string): string => `Moves after ${move}`,
  timeUsed: 'Time used',
  editNotes: 'Edit names and comment',
  commentOfStart: 'Comment on the start',
  commentOfMove: 'Comment on this move',
  saveGame: 'Save the game:',
  continueGame: (title: string, plies: number): string => `Continue the last game (${title ? `${title}, ` : ''}${counted(plies, 'move')})`,
  /** The end of a game, from its word in KIF files. */
  ending: (word: string): string => ENDINGS[word] ?? word,
  /** A key of a game's header, from its word in KIF files. */
  headerKey: (key: string): string => HEADER[key] ?? key,
  standing: {
    checkmate: 'Checkmate.', stalemate: 'No legal moves: the side to move loses.', check: 'Check.',
    repetition: 'Fourfold repetition: a draw.', perpetual: (color: Color): string => `Perpetual check: ${COLORS[color]} loses.`,
    declaration: (points: number): string => `May declare a win with ${points} points.`,
  },
  cannotPlay: 'No game can be played from this position:',
  preset: 'Begin from',
  presetStart: 'Start position',
  presetTsume: 'Mate problem',
  presetEmpty: 'Empty board',
  presetHandicap: 'Handicap',
  handicap: (name: HandicapName): string => HANDICAPS[name],
  arrange: 'Arrange',
  restToWhite: "Rest to White's hand",
  mirror: 'Mirror',
  turnRound: 'Turn round',
  clear: 'Clear',
  sideToMove: 'Side to move',
  ply: 'Move number',
  hands: 'Pieces in hand',
  more: (name: string): string => `One more: ${name}`,
  fewer: (name: string): string => `One fewer: ${name}`,

  // Moves
  nodes: 'positions',
  positions: (count: number): string => counted(count, 'position'),
  legalMoves: (count: number): string => counted(count, 'legal move'),
  perftDepth: 'Depth',
  perftStart: 'Count positions (perft)',

  // Bits
  bits: {
    hint: 'Point at a square to see its bits, or at a bit to see what it means.',
    edit: 'Edit bits',
    lenient: 'Read as older programs did',
    changed: 'Changed bits:',
    format: 'Format',
    /** The label of a field at its first bit. */
    short: ({ owner }: OwnedBits): string => shortLabel(owner, (kind, color) => (color === 'black' ? kind : kind.toLowerCase()), 'side', (name) => name),
    size: (bits: number): string => `${bits} bits`,
    formatName: (format: WordFormat): string => FORMATS[format],
    gridName: (format: WordFormat): string => `Bits of ${format}`,
    hex: 'Hex',
    decode: {
      title: 'How to decode',
      hint: 'With both files in a folder, this prints the position:',
      specification: 'The specification',
      save: (file: string): string => `Save ${file}`,
      missing: 'The programs could not be loaded.',
    },
    fields: (count: number): string => counted(count, 'field'),
    rank: (className: string, number: string): string => `Class ${className}, number ${number}. No bit belongs to one square.`,
    bitsColumn: 'Bits',
    fieldColumn: 'Field',
    codeColumn: 'Value',
    meaningColumn: 'Meaning',
    bit: (bit: number, set: boolean): string => `bit ${bit} = ${set ? 1 : 0}:`,
    owners: {
      side: 'side to move', king: 'king', square: 'square', hand: 'hand', box: 'box', payload: 'payload', padding: 'unused',
      kingOf: (color: Color): string => `${COLORS[color]}'s king`,
      pairOf: (kind: Kind): string => `both ${PIECES[kind]}s`,
    },
  },

  // Mate
  solve: {
    hint: (color: Color): string => `Looks for a forced mate (tsume) by ${COLORS[color]}, who is to move.`,
    start: 'Solve',
    options: 'Options',
    answer: 'Answer',
    subject: 'The position of this answer',
    otherPosition: 'The board shows another position.',
    backToLine: 'Back to the line',
    goal: 'Find',
    shortest: 'the shortest mate',
    first: 'any mate, quickly',
    limit: 'Stop after',
    seconds: (seconds: number): string => `${seconds} s`,
    noLimit: 'never',
    table: 'Memory',
    hideUseless: 'Leave out useless interpositions',
    searching: 'Searching …',
    numbers: (proof: string, disproof: string): string => `proof ${proof} · disproof ${disproof}`,
    soFar: (length: number): string => `· mate in ${length} found so far`,
    mate: (length: number): string => `Mate in ${length}`,
    exact: 'Proven: there is no shorter one.',
    notExact: 'A mate; a shorter one may exist.',
    lineUnfinished: 'Only the beginning of the line was found.',
    left: (pieces: string): string => `Left in hand: ${pieces}.`,
    noMate: 'No mate',
    why: { 'no-check': 'There is no check to give.', escapes: 'Every check has an escape.', longer: 'No mate within the length asked for.' } as Readonly<Record<'no-check' | 'escapes' | 'longer', string>>,
    unknown: {
      nodes: 'Not decided: limit of positions reached', time: 'Time is up: not decided', depth: 'Not decided: too deep',
      memory: 'Not decided: out of memory', cancelled: 'Cancelled',
    } as Readonly<Record<'nodes' | 'time' | 'depth' | 'memory' | 'cancelled', string>>,
    excluded: (plies: number): string => `Mates of up to ${plies} moves are ruled out.`,
    check: 'Check',
    escape: 'Escape',
    line: 'Best line',
    play: 'Play the line',
    stop: 'Stop',
    exportKif: 'Save as KIF',
    reader: {
      title: 'Solve it yourself',
      begin: (color: string, length: number): string => `${color} mates in ${length}. Play the first check on the board.`,
      noMate: 'No mate was found within a minute.',
      said: {
        begin: '', good: 'Right. Now?', solved: 'Mate. Well done!', 'no-check': 'Every move must give check. Take it back.',
        escapes: 'This reply escapes. Take it back.', undecided: 'Not decided. Take it back, or ask for a hint.',
      } as Readonly<Record<'begin' | 'good' | 'solved' | 'no-check' | 'escapes' | 'undecided', string>>,
      hint: 'Hint',
      hintFrom: (piece: string, isDrop: boolean): string => (isDrop ? `Drop the ${piece}.` : `Move the piece on ${piece}.`),
      noHint: 'No mate from here. Take it back.',
      takeBack: 'Take back',
      again: 'From the start',
      giveUp: 'Show the solver',
    },
    list: { check: 'also check for duals', start: 'Solve all as mate problems', save: 'Save the results (TSV)' },
    soundness: {
      start: 'Check the problem',
      running: 'Looking for duals …',
      verdicts: { sound: 'Sound: one solution.', defective: 'Not sound.', undecided: 'No defect found, but not all was decided.' } as Readonly<Record<'sound' | 'defective' | 'undecided', string>>,
      kinds: {
        'no-mate': 'no mate', sooner: 'a shorter mate', dual: 'a dual', rejoin: 'mates by way of the main line', unspecified: 'the same mate (promotion or distance)',
        'last-move': 'mates at the last ply too', 'equal-defence': 'a reply of the same length', 'longer-defence': 'a longer reply', 'left-over': 'pieces are left over',
        'useless-interposition': 'a useless interposition', 'returning-interposition': 'an interposition whose capture brings the position back', undecided: 'undecided',
      } as Readonly<Record<FindingKind, string>>,
      finding: (ply: number, move: string | null, kind: string, length: number | null): string =>
        `Move ${ply}${move ? `, ${move}` : ''}: ${kind}${length === null ? '' : ` (mate in ${length})`}`,
    },
    tree: 'All moves',
    length: (plies: number): string => `mate in ${plies}`,
    status: { 'no-mate': 'no mate', unknown: 'not decided' } as Readonly<Record<'no-mate' | 'unknown', string>>,
  },

  // Files
  files: {
    hint: 'Drop a file of training records (psv, hcpe, sfen, …), games (kif, csa, …) or certificates of mates (kmc) anywhere.',
    choose: 'Choose a file',
    bytes: (bytes: number): string => (bytes < 10_000 ? `${bytes} bytes` : bytes < 1e7 ? `${(bytes / 1e3).toFixed(0)} kB` : bytes < 1e10 ? `${(bytes / 1e6).toFixed(0)} MB` : `${(bytes / 1e9).toFixed(1)} GB`),
    recordCount: (count: number): string => counted(count, 'record'),
    certificates: 'Certificates of mates',
    shown: (claim: string, nodes: number): string => `Shown: ${claim} (${counted(nodes, 'node')})`,
    notShown: (why: string): string => `Not shown: ${why}`,
    why: 'Why this format',
    record: 'Record',
    previousRecord: 'Previous record',
    nextRecord: 'Next record',
    offset: 'Byte offset',
    score: 'Score',
    move: 'Move',
    result: 'Result',
    resultName: (result: 'black' | 'white' | 'draw'): string => ({ black: 'Black won', white: 'White won', draw: 'draw' })[result],
    ply: 'Ply',
    game: 'Game, move',
    hex: 'Bytes',
    showBits: 'Show its bits',
    jobs: 'The whole file',
    stats: 'Statistics',
    validate: 'Look for faults',
    sample: 'Save a sample',
    sampleSize: 'Records',
    seed: 'Seed',
    noBad: 'no bad records',
    lost: (name: string): string => `${name} was open, and could not be kept: choose it again.`,
    cutShort: (bytes: number, size: number): string => `The file seems cut short: ${counted(bytes, 'byte')} more after its last whole record (of ${size}).`,
    damaged: (bytes: string): string => `The compressed data is damaged or cut short after ${bytes} bytes.`,
    unchecked: 'The checksum is not checked here.',
    unpacking: (bytes: string): string => `${bytes} bytes unpacked …`,
    finding: 'Fault',
    results: 'Results', blackWins: 'Black wins', draws: 'Draws', whiteWins: 'White wins',
    plies: 'Plies', scores: 'Scores', winRate: 'Win rate by score', kings: 'Where kings stand', inCheck: 'In check',
    pieces: 'Pieces in a position, on average', places: { unpromoted: 'board', promoted: 'promoted', hand: 'hand' },
    moves: 'Moves',
    moveKinds: {
      board: 'on the board', drops: 'drops', captures: 'captures', promotions: 'promotions', special: 'special',
      ill_formed: 'ill-formed', unmatched: 'of missing pieces',
    },
    mean: 'mean', fitted: (a: string): string => `fit: 1 / (1 + exp(−score / ${a}))`,
  },

  // Opening and copying
  paste: {
    title: 'Paste or open',
    hint: 'SFEN (one or several), USI, KIF, KI2, CSA, JKF, BOD, a link of this page or lishogi, or the hex of a packed position. Files can be dropped on the page.',
    label: 'Text',
    open: 'Open',
    games: (count: number, isCut: boolean): string => (isCut ? `the first ${count}; the others are not in this list` : `${count} in this list`),
    game: (number: number): string => `Game ${number}`,
    noGames: 'No files in this archive',
    unread: (files: readonly { readonly name: string; readonly why: Sentence | null }[]): string =>
      `${files.length} ${files.length === 1 ? 'file was' : 'files were'} not read completely: ${files.map(({ name, why }) => `${name} (${why?.en ?? 'larger than the limit when unpacked'})`).join('; ')}`,
    whichFormat: 'Several formats read this:',
  },
  copyMenu: {
    title: 'Copy or save',
    link: 'Link to this page',
    text: 'Text',
    picture: 'Picture',
    styles: { board: 'Board', book: 'Diagram, as in books' } as Readonly<Record<'board' | 'book', string>>,
    svg: 'Save SVG',
    png: 'Save PNG',
    copyPicture: 'Copy picture',
    noPicture: 'The browser does not let this page copy pictures. Save it instead.',
    packed: 'Packed position (hex)',
    saved: (name: string): string => `Saved: ${name}.`,
    copied: (what: string): string => `Copied: ${what}`,
    lost: (losses: string): string => `Not held by this format: ${losses}.`,
    loss: (what: string, count: number): string => counted(count, LOSSES[what] ?? what),
    comma: ', ',
    positionOnly: 'The game is too long for a link, which only holds this line of moves.',
    show: 'The browser does not let this page copy. Select the text.',
  },
  /** The sentence of an error, a fault or a reason. */
  sentenceOf: (what: { readonly sentence: Sentence }): string => what.sentence.en,
};

export type Words = typeof en;

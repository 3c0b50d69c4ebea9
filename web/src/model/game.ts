/** A game as a tree of moves with a current node. Trees are immutable: playing a move copies the path to it and shares the
 * rest, so an undo step costs only a few objects. */

import { COLORS, type Color, type HandKind, canPromote, isHandKind, kindOf, makePiece, opponent, isPromoted } from './piece.js';
import { type Setup, changeHand, withSquare } from './setup.js';
import { parseSquare } from './square.js';

export type Score = { readonly number: number } | { readonly winner: Color; readonly plies: number };

/** What a record says about a step of a game. */
export interface Notes {
  readonly comments: readonly string[];
  readonly bookmark: string | null;
  /** The time spent on it, in milliseconds. */
  readonly time: number | null;
}

/** An end of the game, in the place of a move. */
export interface Ending extends Notes {
  /** KIF's word (投了). */
  readonly word: string;
  /** The number of the moves that come before it at the same place: the first of all is the main line. */
  readonly after: number;
}

export interface GameNode extends Notes {
  /** The move in USI. */
  readonly usi: string;
  /** The move in Japanese notation from the rules module; null until the module was called. */
  readonly japanese: string | null;
  /** The score of the position from a program or a comment, from Black's view. */
  readonly score: Score | null;
  readonly ends: readonly Ending[];
  readonly children: readonly GameNode[];
}

/** Child indices from the start of the game to the current node. */
export type Path = readonly number[];

export interface Game {
  readonly start: Setup;
  /** Keys with KIF's names (先手, 開始日時), and values. */
  readonly header: readonly (readonly [string, string])[];
  readonly comments: readonly string[];
  readonly bookmark: string | null;
  readonly ends: readonly Ending[];
  readonly children: readonly GameNode[];
  readonly path: Path;
  /** The number of the item of a list that it is, as it is or edited: see `Collection`. */
  readonly item?: number | undefined;
}

export function newGame(start: Setup): Game {
  return { start, header: [], comments: [], bookmark: null, ends: [], children: [], path: [] };
}

/** Whether two games are the same record, perhaps at different places. Games are immutable, so this compares objects. */
export function isSameRecord(one: Game, other: Game): boolean {
  return one.start === other.start && one.header === other.header && one.comments === other.comments && one.children === other.children;
}

/** Whether a game is no more than one line of moves, without variations, comments, names, times or an end. */
export function isPlain(game: Game): boolean {
  if (game.header.length > 0 || game.comments.length > 0 || game.ends.length > 0 || game.bookmark !== null) return false;
  for (let { children } = game; children.length > 0; ) {
    const [node, other] = children;
    if (other || !node || node.comments.length > 0 || node.bookmark !== null || node.time !== null || node.ends.length > 0) return false;
    children = node.children;
  }
  return true;
}

/** The keys of the players' names: in a handicap game they are 下手 and 上手. */
const NAME_KEYS: Readonly<Record<Color, readonly string[]>> = { black: ['先手', '下手'], white: ['後手', '上手'] };

export function playerName(game: Game, color: Color): string | null {
  return game.header.find(([key, value]) => NAME_KEYS[color].includes(key) && value !== '')?.[1] ?? null;
}

export function playerNames(game: Game): Partial<Record<Color, string>> {
  const names: Partial<Record<Color, string>> = {};
  for (const color of COLORS) {
    const name = playerName(game, color);
    if (name !== null) names[color] = name;
  }
  return names;
}

/** Changes or adds a player's name. */
export function withName(game: Game, color: Color, name: string): Game {
  const keys = NAME_KEYS[color];
  const at = game.header.findIndex(([key]) => keys.includes(key));
  const entry = [game.header[at]?.[0] ?? keys[0]!, name] as const;
  return { ...game, header: at < 0 ? [...game.header, entry] : game.header.with(at, entry) };
}

/** The time that each player has used up to the current node, in milliseconds; null if the record has no times. */
export function timesUsed(game: Game): Readonly<Record<Color, number>> | null {
  const used = { black: 0, white: 0 };
  let { side } = game.start;
  let isTimed = false;
  for (const { time } of nodesAlong(game)) {
    if (time !== null) isTimed = true;
    used[side] += time ?? 0;
    side = opponent(side);
  }
  return isTimed ? used : null;
}

type Parent = Pick<GameNode, 'children' | 'ends' | 'comments'> & { readonly score?: Score | null };

/** The nodes along a path, without the start of the game. */
export function nodesAlong(game: Game, path: Path = game.path): GameNode[] {
  const nodes: GameNode[] = [];
  let parent: Parent = game;
  for (const index of path) {
    const node: GameNode | undefined = parent.children[index];
    if (!node) break;
    nodes.push(node);
    parent = node;
  }
  return nodes;
}

export function currentNode(game: Game): GameNode | null {
  return nodesAlong(game).at(-1) ?? null;
}

/** The moves up to the current node. */
export function movesPlayed(game: Game): string[] {
  return nodesAlong(game).map((node) => node.usi);
}

/** The path extended from `path` along first children to the end, as shown in a move list. */
export function lineThrough(game: Game, path: Path = game.path): Path {
  const line = [...path];
  let parent: Parent | null = nodesAlong(game, path).at(-1) ?? (path.length === 0 ? game : null);
  while (parent && parent.children.length > 0) {
    line.push(0);
    parent = parent.children[0]!;
  }
  return line;
}

export function positionAt(game: Game, path: Path = game.path): Setup {
  return nodesAlong(game, path).reduce((setup, node) => applyMove(setup, node.usi) ?? setup, game.start);
}

/** Plays a move after the current node: see `playMoves`. */
export function playMove(game: Game, usi: string, japanese: string | null = null): Game {
  return playMoves(game, [{ usi, japanese }]);
}

/** Plays moves one after the other. Existing moves are followed; a new one is added, as a variation if others exist. The path
 * is copied once for all moves. */
export function playMoves(game: Game, moves: readonly { readonly usi: string; readonly japanese?: string | null }[]): Game {
  const path = [...game.path];
  let { children } = currentNode(game) ?? game;
  for (const { usi } of moves) {
    const known = children.findIndex((node) => node.usi === usi);
    if (known < 0) break;
    path.push(known);
    children = children[known]!.children;
  }
  const fresh = moves.slice(path.length - game.path.length);
  // The same record, which is not written again.
  if (fresh.length === 0) return { ...game, path };
  const added = fresh.reduceRight<GameNode[]>(
    (after, { usi, japanese = null }) => [{ usi, japanese, comments: [], bookmark: null, time: null, score: null, ends: [], children: after }],
    [],
  );
  const grown = replaceAt(game, path, (parent) => ({ ...parent, children: [...parent.children, ...added] }));
  return { ...grown, path: [...path, ...fresh.map((_, index) => (index === 0 ? children.length : 0))] };
}

/** Removes the current node and its descendants; its parent becomes the current node. */
export function removeBranch(game: Game): Game {
  const index = game.path.at(-1);
  if (index === undefined) return game;
  const parent = game.path.slice(0, -1);
  const cut = replaceAt(game, parent, (node) => ({
    ...node,
    children: node.children.filter((_, i) => i !== index),
    ends: node.ends.map((end) => (end.after > index ? { ...end, after: end.after - 1 } : end)),
  }));
  return { ...cut, path: parent };
}

/** The depth at which the innermost variation that contains the current node begins; -1 in the main line, which may be an
 * end. */
export function variationDepth(game: Game): number {
  const parents = [game, ...nodesAlong(game)];
  return game.path.findLastIndex((index, depth) => index > 0 || parents[depth]!.ends.some(({ after }) => after === 0));
}

/** Makes the innermost variation that contains the current node the main one of its siblings. */
export function promoteBranch(game: Game): Game {
  const depth = variationDepth(game);
  if (depth < 0) return game;
  const index = game.path[depth]!;
  const promoted = replaceAt(game, game.path.slice(0, depth), (node) => ({
    ...node,
    children: [node.children[index]!, ...node.children.filter((_, at) => at !== index)],
    ends: node.ends.map((end) => (end.after <= index ? { ...end, after: end.after + 1 } : end)),
  }));
  return { ...promoted, path: game.path.with(depth, 0) };
}

/** Replaces the comments of the current node, or of the start, and the score that one of them states. */
export function withComments(game: Game, comments: readonly string[], score: Score | null): Game {
  if (game.path.length === 0) return { ...game, comments };
  return replaceAt(game, game.path, (node) => ({ ...node, comments, score }));
}

export function goTo(game: Game, path: Path): Game {
  return { ...game, path: path.slice(0, nodesAlong(game, path).length) };
}

export function goToPly(game: Game, ply: number): Game {
  return goTo(game, lineThrough(game).slice(0, Math.max(0, ply)));
}

/** The game with another node at a path, which it has: the nodes above are copied once each. */
function replaceAt(game: Game, path: Path, change: (node: Parent) => Parent): Game {
  const parents: Parent[] = [game, ...nodesAlong(game, path)];
  let changed = change(parents[path.length]!);
  for (let depth = path.length - 1; depth >= 0; depth -= 1) {
    const parent = parents[depth]!;
    changed = { ...parent, children: parent.children.with(path[depth]!, changed as GameNode) };
  }
  return changed as Game;
}

export interface Squares {
  /** The source square; null for a drop. */
  readonly from: number | null;
  readonly to: number;
  readonly promotes: boolean;
  readonly dropped: HandKind | null;
}

export function parseMove(usi: string): Squares | null {
  const match = /^(?:([1-9][a-i])|([RBGSNLP])\*)([1-9][a-i])(\+?)$/.exec(usi);
  if (!match) return null;
  const dropped = (match[2] as HandKind | undefined) ?? null;
  const promotes = match[4] === '+';
  if (dropped && promotes) return null;
  return { from: match[1] ? parseSquare(match[1]) : null, to: parseSquare(match[3]!)!, promotes, dropped };
}

/** The setup after a move that the rules module found legal, or null if the move does not even fit the board. A captured
 * piece goes to the hand; a captured king, which is possible only in a set-up position, goes to the box. */
export function applyMove(setup: Setup, usi: string): Setup | null {
  const move = parseMove(usi);
  if (!move) return null;
  const after = move.dropped ? drop(setup, move.dropped, move.to) : step(setup, move);
  return after && { ...after, side: opponent(setup.side), ply: setup.ply + 1 };
}

function drop(setup: Setup, kind: HandKind, to: number): Setup | null {
  if (setup.board[to]) return null;
  if (setup.hands[setup.side][kind] < 1) return null;
  // The piece first moves from the hand to the box, from which `withSquare` takes it.
  const edit = changeHand(setup, setup.side, kind, -1);
  return 'setup' in edit ? withSquare(edit.setup, to, makePiece(kind, setup.side)) : null;
}

function step(setup: Setup, move: Squares): Setup | null {
  const piece = move.from === null ? null : setup.board[move.from];
  if (!piece || move.from === null) return null;
  const kind = kindOf(piece);
  if (move.promotes && (!canPromote(kind) || isPromoted(piece))) return null;
  const captured = setup.board[move.to];
  const moved = move.promotes ? makePiece(kind, setup.side, true) : piece;
  const after = withSquare(withSquare(setup, move.from, null), move.to, moved);
  if (!captured) return after;
  const taken = kindOf(captured);
  if (!isHandKind(taken)) return after;
  const edit = changeHand(after, setup.side, taken, 1);
  return 'setup' in edit ? edit.setup : null;
}

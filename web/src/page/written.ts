/** Games as text, as the rules module writes and reads them. */

import { type Game, type Score, currentNode, isPlain, isSameRecord, newGame, playMove, playerName, positionAt, withComments } from '../model/game.js';
import { LONGEST, pack } from '../model/packed.js';
import { COLORS } from '../model/piece.js';
import { fromModule, toModule } from '../model/record.js';
import type { GameFormat, Module, WrittenGame } from '../module.js';
import type { Words } from '../words/index.js';
import { download } from './download.js';
import type { Session } from './session.js';

export const GAME_FORMATS = ['kif', 'ki2', 'csa', 'jkf'] as const;
/** The extensions of files in UTF-8. */
const EXTENSIONS: Readonly<Record<(typeof GAME_FORMATS)[number], string>> = { kif: 'kifu', ki2: 'ki2u', csa: 'csa', jkf: 'jkf' };

/** The game in a format, with a sentence about what the format does not hold; or why it cannot be written. */
export function writtenGame({ module, game, words }: Session, format: GameFormat): { readonly text: string; readonly lack: string } | { readonly why: string } {
  const answer = module!.call('writeGame', { game: toModule(game), format });
  if (answer.error) return { why: words.sentenceOf(answer.error) };
  return { text: answer.ok!.text, lack: lackOf(words, answer.ok!.losses) };
}

/** A sentence about what a format does not hold; empty if it holds all. */
export function lackOf({ copyMenu }: Words, losses: WrittenGame['losses']): string {
  const lost = Object.entries(losses).map(([what, count]) => copyMenu.loss(what, count)).join(copyMenu.comma);
  return lost && copyMenu.lost(lost);
}

/** Saves the game as a file with the names of its players. Returns a sentence about it. */
export function saveGame(session: Session, format: (typeof GAME_FORMATS)[number]): string {
  const written = writtenGame(session, format);
  if ('why' in written) return written.why;
  const players = COLORS.map((color) => playerName(session.game, color)).filter((name) => name !== null).join('-');
  const name = `${players.replace(/[\\/:*?"<>|\s.]+/g, ' ').trim() || 'game'}.${EXTENSIONS[format]}`;
  download(name, new Blob([written.text], { type: 'text/plain' }));
  return [session.words.copyMenu.saved(name), written.lack].filter(Boolean).join(' ');
}

/** The first game of a text in KIF. */
export function readKif(module: Module, text: string): Game | null {
  const parsed = module.parseFile({ extension: 'kif' }, new TextEncoder().encode(text)).ok;
  return parsed?.kind === 'games' && parsed.games[0] ? fromModule(parsed.games[0]) : null;
}

/** The score that comments on the current node state. */
export function scoreIn(module: Module | null, game: Game, comments: readonly string[]): Score | null {
  const node = currentNode(game);
  if (!module || !node || comments.length === 0) return null;
  const step = withComments(playMove(newGame(positionAt(game, game.path.slice(0, -1))), node.usi), comments, null);
  const text = module.call('writeGame', { game: toModule(step), format: 'kif' }).ok?.text;
  return (text && readKif(module, text)?.children[0]?.score) || null;
}

/** A game for the address, and what it lacks. */
interface Packed {
  readonly text: string;
  readonly losses: WrittenGame['losses'];
}

async function packedKif(module: Module, game: Game): Promise<Packed | null> {
  const { ok } = module.call('writeGame', { game: toModule(game), format: 'kif' });
  const text = ok && (await pack(ok.text));
  return text && text.length <= LONGEST ? { text, losses: ok.losses } : null;
}

/** The packed form of the game, for the address. It is made once for each record. */
export class Packer {
  #last: { readonly game: Game; readonly packed: Promise<Packed | null>; done: Packed | null } | null = null;

  /** Null if a line of moves is all of the game, or if it is too long. */
  pack(module: Module | null, game: Game): Promise<Packed | null> {
    if (!module || isPlain(game)) return Promise.resolve(null);
    if (!this.#last || !isSameRecord(this.#last.game, game)) {
      const packed = packedKif(module, game);
      const last = { game, packed, done: null as Packed | null };
      void packed.then((one) => (last.done = one));
      this.#last = last;
    }
    return this.#last.packed;
  }

  /** The form of a game if it is made already. */
  packedForm(game: Game): string | null {
    return this.#last && isSameRecord(this.#last.game, game) ? (this.#last.done?.text ?? null) : null;
  }
}

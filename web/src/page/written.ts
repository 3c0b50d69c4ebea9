/** Games as text, as the rules module writes and reads them. */

import { type Game, type Score, currentNode, isPlain, isSameRecord, newGame, playMove, playerName, positionAt, withComments } from '../model/game.js';
import { LONGEST, pack } from '../model/packed.js';
import { COLORS } from '../model/piece.js';
import { fromModule, toModule } from '../model/record.js';
import type { GameFormat, Module } from '../module.js';
import { download } from './download.js';
import type { Session } from './session.js';

export const GAME_FORMATS = ['kif', 'ki2', 'csa', 'jkf'] as const;
/** The extensions of files in UTF-8. */
const EXTENSIONS: Readonly<Record<(typeof GAME_FORMATS)[number], string>> = { kif: 'kifu', ki2: 'ki2u', csa: 'csa', jkf: 'jkf' };

/** The game in a format, with a sentence about what the format does not hold; or why it cannot be written. */
export function writtenGame({ module, game, words }: Session, format: GameFormat): { readonly text: string; readonly lack: string } | { readonly why: string } {
  const answer = module!.call('writeGame', { game: toModule(game), format });
  if (answer.error) return { why: words.sentenceOf(answer.error) };
  const { copyMenu } = words;
  const losses = Object.entries(answer.ok!.losses).map(([what, count]) => copyMenu.loss(what, count)).join(copyMenu.comma);
  return { text: answer.ok!.text, lack: losses && copyMenu.lost(losses) };
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

/** The packed form of the game, for the address. It is made once for each record. */
export class Packer {
  #last: { readonly game: Game; readonly packed: Promise<string | null>; done: string | null } | null = null;

  /** Null if a line of moves is all of the game, or if it is too long. */
  pack(module: Module | null, game: Game): Promise<string | null> {
    if (!module || isPlain(game)) return Promise.resolve(null);
    if (!this.#last || !isSameRecord(this.#last.game, game)) {
      const text = module.call('writeGame', { game: toModule(game), format: 'kif' }).ok?.text ?? null;
      const packed = text === null ? Promise.resolve(null) : pack(text).then((one) => (one.length > LONGEST ? null : one));
      const last = { game, packed, done: null as string | null };
      void packed.then((one) => (last.done = one));
      this.#last = last;
    }
    return this.#last.packed;
  }

  /** The form of a game if it is made already. */
  packedForm(game: Game): string | null {
    return this.#last && isSameRecord(this.#last.game, game) ? this.#last.done : null;
  }
}

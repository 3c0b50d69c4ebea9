/** What a paste or a file is, before any of it is shown. */

import { type Address, readAddress, readForeignLink } from '../model/address.js';
import type { Game } from '../model/game.js';
import { decodeText, readPaste } from '../model/paste.js';
import { fromModule } from '../model/record.js';
import { parseSfen } from '../model/sfen.js';
import type { Setup } from '../model/setup.js';
import type { Module, ModuleError, Parsed, ReadWord, Result } from '../module.js';
import { type Collection, LARGEST_GAME, type Unread, archiveOf, collectionOf, entryOf, extensionOf, isGameFile, listOf, parse, positionsOf } from './collection.js';
import type { Session } from './session.js';

/** A file, several files, or a pasted text. */
export type Source = File | readonly File[] | string;

/** A paste that failed, with the faulty line, or that several formats can read. */
export type Opening =
  | { readonly error: ModuleError; readonly line: string | null }
  | { readonly words: readonly ReadWord[] };

export type Content =
  | { readonly position: Setup }
  | { readonly game: Game; readonly fault: ModuleError | null }
  | { readonly address: Address }
  /** Null if nothing of an archive could be read. */
  | { readonly list: Collection | null; readonly unread: readonly Unread[]; readonly fault: ModuleError | null }
  | { readonly words: readonly ReadWord[] }
  | { readonly records: File }
  | { readonly refused: Opening };

export async function readSource(module: Module, source: Source, session: Session): Promise<Content> {
  if (typeof source === 'string') return readText(module, source, session);
  if (!(source instanceof File)) return { ...(await listOf(module, null, source.map(entryOf), session)), fault: null };
  const extension = extensionOf(source.name);
  if (extension === 'zip') return { ...(await archiveOf(module, source, session)), fault: null };
  const isText = extension === 'txt';
  if ((!isText && !isGameFile(source.name)) || source.size > LARGEST_GAME) return { records: source };
  const raw = new Uint8Array(await source.arrayBuffer());
  const answer = parse(module, raw, isText ? {} : { extension });
  // A text can also be a file of records.
  return answer.error && isText ? { records: source } : contentOf(answer, raw, source.name, session);
}

function readText(module: Module, text: string, session: Session): Content {
  const foreign = readForeignLink(text);
  if (foreign) return { position: foreign };
  const paste = readPaste(text);
  if ('query' in paste) return { address: readAddress(paste.query, paste.fragment) };
  if ('setups' in paste) return { list: positionsOf(paste.setups, session), unread: [], fault: null };
  const raw = new TextEncoder().encode(paste.text);
  return contentOf(parse(module, raw), raw, null, session);
}

function contentOf({ ok, error }: Result<Parsed>, raw: Uint8Array, name: string | null, session: Session): Content {
  if (error) return { refused: { error, line: decodeText(raw).split(/\r\n|\r|\n/)[(error.line ?? 0) - 1] ?? null } };
  switch (ok.kind) {
    case 'position':
      return { position: parseSfen(ok.sfen)! };
    case 'words':
      return { words: ok.words.filter((word) => word.sfen !== null) };
    case 'games': {
      const games = ok.games.map(fromModule).filter((game) => game !== null);
      const fault = ok.faults[0] ?? null;
      const [game] = games;
      return games.length === 1 && game ? { game, fault } : { list: games.length ? collectionOf(games, name, session) : null, unread: [], fault };
    }
  }
}

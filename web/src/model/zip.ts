/** Reads the files of a zip archive from its directory; the browser decompresses them. */

import { readUpTo } from './packed.js';

export interface Entry {
  readonly name: string;
  /** The size of its content in bytes, as the archive states it: not to be relied on. */
  readonly size: number;
  /** Its content; null if it is longer than `limit`, whatever the archive states. Fails if it is damaged. */
  read(limit: number): Promise<Uint8Array<ArrayBuffer> | null>;
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
/** The sizes of the end record of the directory, and of the longest comment that may follow it. */
const END_SIZE = 22;
const LONGEST_COMMENT = 0xffff;
const STORED = 0;
const DEFLATED = 8;
/** Marks a number stored in a zip64 field, which archives of game records do not need. */
const ELSEWHERE = 0xffffffff;

/** The files of an archive in order, without folders and files that are encrypted or use a rare compression; null if it is
 * not a zip archive. */
export async function entries(archive: Blob): Promise<Entry[] | null> {
  const tail = new DataView(await archive.slice(-END_SIZE - LONGEST_COMMENT).arrayBuffer());
  let end = tail.byteLength - END_SIZE;
  while (end >= 0 && tail.getUint32(end, true) !== END) end -= 1;
  if (end < 0) return null;
  const [size, start] = [tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)];
  const directory = await archive.slice(start, start + size).arrayBuffer();
  const view = new DataView(directory);
  const found: Entry[] = [];
  for (let at = 0; at + 46 <= view.byteLength && view.getUint32(at, true) === CENTRAL; ) {
    const [flags, method, packed, whole, offset] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true), view.getUint32(at + 20, true), view.getUint32(at + 24, true), view.getUint32(at + 42, true)];
    const nameLength = view.getUint16(at + 28, true);
    const name = decodeName(new Uint8Array(directory, at + 46, Math.min(nameLength, view.byteLength - at - 46)));
    const isReadable = (flags & 1) === 0 && (method === STORED || method === DEFLATED) && packed !== ELSEWHERE && offset !== ELSEWHERE;
    if (isReadable && !name.endsWith('/')) found.push({ name, size: whole, read: (limit) => read(archive, offset, packed, method, limit) });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return found;
}

/** Archives from Japanese Windows have names in CP932 without marking them; CP932 is rarely valid UTF-8 by accident, so
 * UTF-8 is tried first. */
function decodeName(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('shift_jis').decode(bytes);
  }
}

async function read(archive: Blob, offset: number, packed: number, method: number, limit: number): Promise<Uint8Array<ArrayBuffer> | null> {
  // The file's local header repeats the name, and its extra fields may be longer than in the directory.
  const header = new DataView(await archive.slice(offset, offset + 30).arrayBuffer());
  const start = offset + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  const content = archive.slice(start, start + packed).stream();
  return readUpTo(method === STORED ? content : content.pipeThrough(new DecompressionStream('deflate-raw')), limit);
}

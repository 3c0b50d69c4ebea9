/** Reads the files of a zip archive from its directory; the browser decompresses them. */

import { readUpTo } from './packed.js';

export interface Entry {
  readonly name: string;
  /** The file itself, if it is in no archive. */
  readonly file?: File;
  /** Its content; null if it is longer than `limit`, whatever the archive states. Fails if it cannot be read. */
  read(limit: number): Promise<Uint8Array<ArrayBuffer> | null>;
}

/** The content of a file that is encrypted, or compressed in a way that browsers do not have. */
export class Unsupported extends Error {}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
/** The sizes of the end record of the directory, and of the longest comment that may follow it. */
const END_SIZE = 22;
const LONGEST_COMMENT = 0xffff;
const STORED = 0;
const DEFLATED = 8;
/** Marks a number stored in a zip64 field, which archives of game records do not need. */
const ELSEWHERE = 0xffffffff;

/** A file as the directory describes it. */
interface Listed {
  readonly flags: number;
  readonly method: number;
  readonly checksum: number;
  readonly packed: number;
  readonly offset: number;
}

/** The files of an archive in order, without folders; null if its directory is missing or damaged. */
export async function entries(archive: Blob): Promise<Entry[] | null> {
  const tail = new DataView(await archive.slice(-END_SIZE - LONGEST_COMMENT).arrayBuffer());
  // The last record whose comment ends with the file: a comment may look like a record.
  let end = tail.byteLength - END_SIZE;
  while (end >= 0 && (tail.getUint32(end, true) !== END || end + END_SIZE + tail.getUint16(end + 20, true) !== tail.byteLength)) end -= 1;
  if (end < 0) return null;
  const size = tail.getUint32(end + 12, true);
  // The directory is before its end record. In a program that unpacks itself all offsets are less than they are in the file.
  const start = archive.size - tail.byteLength + end - size;
  const shift = start - tail.getUint32(end + 16, true);
  if (shift < 0) return null;
  const directory = await archive.slice(start, start + size).arrayBuffer();
  const view = new DataView(directory);
  const found: Entry[] = [];
  let at = 0;
  for (; at + 46 <= view.byteLength && view.getUint32(at, true) === CENTRAL; ) {
    const listed = {
      flags: view.getUint16(at + 8, true), method: view.getUint16(at + 10, true), checksum: view.getUint32(at + 16, true),
      packed: view.getUint32(at + 20, true), offset: view.getUint32(at + 42, true) + shift,
    };
    const nameLength = view.getUint16(at + 28, true);
    const name = decodeName(new Uint8Array(directory, at + 46, Math.min(nameLength, view.byteLength - at - 46)));
    if (!name.endsWith('/')) found.push({ name, read: (limit) => read(archive, listed, limit) });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return at < size ? null : found;
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

async function read(archive: Blob, { flags, method, checksum, packed, offset }: Listed, limit: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (flags & 1 || (method !== STORED && method !== DEFLATED) || packed === ELSEWHERE) throw new Unsupported();
  // The file's local header repeats the name, and its extra fields may be longer than in the directory.
  const header = new DataView(await archive.slice(offset, offset + 30).arrayBuffer());
  const start = offset + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  const stream = archive.slice(start, start + packed).stream();
  const content = await readUpTo(method === STORED ? stream : stream.pipeThrough(new DecompressionStream('deflate-raw')), limit);
  if (content && crc32(content) !== checksum) throw new Error();
  return content;
}

function crc32(bytes: Uint8Array): number {
  const table = Int32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 && 0xedb88320);
    return value;
  });
  let sum = -1;
  for (const byte of bytes) sum = (sum >>> 8) ^ table[(sum ^ byte) & 0xff]!;
  return ~sum >>> 0;
}

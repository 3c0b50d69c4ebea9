/** Decompresses files. The browser supports gzip, and fzstd Zstandard with a few kilobytes of script. This file imports nothing
 * else, so that it is the same file for the page and for its worker. */

import { Decompress } from 'fzstd';
import type { Compression } from './compression.js';

export function decompress(file: Blob, compression: Compression): AsyncGenerator<Uint8Array, undefined> {
  return compression === 'gzip' ? gunzipped(file) : unpackedZstd(file);
}

/** The pieces of a stream, which Safari cannot iterate over. */
async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

async function* unpackedZstd(file: Blob): AsyncGenerator<Uint8Array, undefined> {
  let pieces: Uint8Array[] = [];
  // The decoder reuses its output buffer for the next block.
  const decoder = new Decompress((data) => pieces.push(data.slice()));
  for await (const chunk of piecesOf(file.stream())) {
    decoder.push(chunk);
    yield* pieces;
    pieces = [];
  }
  decoder.push(new Uint8Array(), true);
  yield* pieces;
}

/** A gzip file may have several members (`cat a.gz b.gz`). The browser takes the second for damage, and does not say where
 * the first one ends: it is before bytes that can start a member, and with the first such end the member is whole. */
async function* gunzipped(file: Blob): AsyncGenerator<Uint8Array, undefined> {
  let ends: number[] | null = null;
  for (let start = 0, end = file.size, given = 0, read = 0; start < file.size; ) {
    const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (chunk, controller) => {
        read += chunk.length;
        controller.enqueue(chunk);
      },
    });
    let at = 0;
    try {
      for await (const piece of piecesOf(file.slice(start, end).stream().pipeThrough(counted).pipeThrough(new DecompressionStream('gzip')))) {
        at += piece.length;
        // Whatever the end is, the start of the content is the same.
        if (at > given) yield piece.subarray(Math.max(0, given - at + piece.length));
        given = Math.max(given, at);
      }
      [start, end, given, ends] = [end, file.size, given - at, null];
    } catch (damage) {
      // Only a little more is read than the bytes that turned out not to be of the member.
      ends ??= await startsOfMembers(file, Math.max(start, start + read - (4 << 20)), start + read);
      const next = ends.shift();
      if (next === undefined) throw damage;
      end = next;
    }
    read = 0;
  }
}

/** The offsets after `from` at which a member of a gzip file can start. */
async function startsOfMembers(file: Blob, from: number, to: number): Promise<number[]> {
  const bytes = new Uint8Array(await file.slice(from, to).arrayBuffer());
  const starts: number[] = [];
  for (let at = bytes.indexOf(0x1f, 1); at > 0; at = bytes.indexOf(0x1f, at + 1)) {
    if (bytes[at + 1] === 0x8b && bytes[at + 2] === 8) starts.push(from + at);
  }
  return starts;
}

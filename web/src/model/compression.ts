/** Files that are compressed as a whole. The browser supports gzip; fzstd decompresses Zstandard with a few kilobytes of
 * script. */

import { Decompress } from 'fzstd';

export type Compression = 'gzip' | 'zstd';

/** The compression of a file with these first bytes; null if it is not compressed. */
export function compressionOf(head: Uint8Array): Compression | null {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  // Skippable frames may come first: pzstd stores the sizes of the following frames in them.
  const number = ((head[0] ?? 0) | ((head[1] ?? 0) << 8) | ((head[2] ?? 0) << 16) | ((head[3] ?? 0) << 24)) >>> 0;
  return number === 0xfd2fb528 || number >>> 4 === 0x184d2a5 ? 'zstd' : null;
}

/** The name without the extension of the compression. */
export function plainName(name: string): string {
  return name.replace(/\.(gz|zst|zstd)$/i, '');
}

/** The content of a file. The stream fails if the data is damaged or truncated. */
export function decompressed(file: Blob, compression: Compression): ReadableStream<Uint8Array> {
  if (compression === 'gzip') return file.stream().pipeThrough(new DecompressionStream('gzip'));
  let decoder: Decompress;
  return file.stream().pipeThrough(new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => {
      // The decoder reuses its output buffer for the next block.
      decoder = new Decompress((data) => controller.enqueue(data.slice()));
    },
    transform: (chunk) => decoder.push(chunk),
    flush: () => decoder.push(new Uint8Array(), true),
  }));
}

/** The first `length` bytes of a compressed file's content, or fewer. */
export async function headOf(file: Blob, compression: Compression, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = decompressed(file, compression).getReader();
  const head = new Uint8Array(length);
  let at = 0;
  while (at < length) {
    const read = await reader.read();
    if (read.done) break;
    head.set(read.value.subarray(0, length - at), at);
    at = Math.min(length, at + read.value.length);
  }
  await reader.cancel();
  return head.slice(0, at);
}

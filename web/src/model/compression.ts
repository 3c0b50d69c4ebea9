/** Files that are compressed as a whole. What decompresses them is a script of its own: the page and its worker share it. */

export type Compression = 'gzip' | 'zstd';

/** Loads the script. The page calls it when it is idle, so that there are no later requests. */
export const loadDecompress = () => import('./decompress.js');

/** The decompressed bytes kept before the last offset, for steps back. */
const KEPT = 4 << 20;

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

/** The content of a file in pieces. It fails if the data is damaged or truncated. */
export async function* decompressed(file: Blob, compression: Compression): AsyncGenerator<Uint8Array, undefined> {
  const { decompress } = await loadDecompress();
  yield* decompress(file, compression);
}

/** The content of a compressed file at any offset. It is decompressed forwards in pieces, of which only those near the last
 * offset are kept; an earlier offset starts again. */
export class Unpacked {
  readonly #file: Blob;
  readonly compression: Compression;
  #content: AsyncGenerator<Uint8Array, undefined>;
  #pieces: Uint8Array[] = [];
  /** The offsets of the first kept byte and of the next byte to be decompressed. */
  #start = 0;
  #end = 0;
  #turn = 0;
  /** The size of the content, once its end was reached. */
  size: number | null = null;
  /** Whether the content ends at damage, or at the end of a file that was cut short. */
  isDamaged = false;

  constructor(file: Blob, compression: Compression) {
    this.#file = file;
    this.compression = compression;
    this.#content = decompressed(file, compression);
  }

  /** The content from `offset`: fewer bytes at its end, and none if another call came meanwhile. `report` is called with
   * the number of bytes decompressed so far. */
  async read(offset: number, length: number, report: (bytes: number) => void = () => undefined): Promise<Uint8Array<ArrayBuffer>> {
    this.#turn += 1;
    const turn = this.#turn;
    if (offset < this.#start) this.#restart();
    while (this.#end < offset + length && !(await this.#readPiece())) {
      if (turn !== this.#turn) return new Uint8Array();
      report(this.#end);
      this.#forgetBefore(offset);
    }
    if (turn !== this.#turn) return new Uint8Array();
    return this.#kept(offset, Math.min(length, Math.max(0, this.#end - offset)));
  }

  /** Appends the next piece. Returns whether the content has ended. */
  async #readPiece(): Promise<boolean> {
    const content = this.#content;
    let piece: Uint8Array | undefined;
    try {
      piece = (await content.next()).value;
    } catch {
      if (content === this.#content) this.isDamaged = true;
    }
    if (content !== this.#content) return false;
    if (!piece) {
      this.size = this.#end;
      return true;
    }
    this.#pieces.push(piece);
    this.#end += piece.length;
    return false;
  }

  #forgetBefore(offset: number): void {
    for (let first = this.#pieces[0]; first && this.#pieces.length > 1 && this.#start + first.length <= offset - KEPT; first = this.#pieces[0]) {
      this.#start += first.length;
      this.#pieces.shift();
    }
  }

  #restart(): void {
    void this.#content.return(undefined).catch(() => undefined);
    this.#content = decompressed(this.#file, this.compression);
    [this.#pieces, this.#start, this.#end] = [[], 0, 0];
  }

  #kept(offset: number, length: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length);
    let at = this.#start;
    for (const piece of this.#pieces) {
      const from = Math.max(0, offset - at);
      const to = Math.min(piece.length, offset + length - at);
      if (from < to) bytes.set(piece.subarray(from, to), at + from - offset);
      at += piece.length;
    }
    return bytes;
  }
}

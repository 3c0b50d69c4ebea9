/** A text as a part of an address: deflated, in the base64 of addresses. */

/** The longest packed text in an address: longer links are cut off by mail programs and chats. */
export const LONGEST = 12_000;
/** The longest text that is unpacked from an address. */
const LONGEST_TEXT = 4 << 20;

export async function pack(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let raw = '';
  for (const byte of bytes) raw += String.fromCharCode(byte);
  return btoa(raw).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The text, or null if it is damaged or too long. */
export async function unpack(packed: string): Promise<string | null> {
  try {
    const raw = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(raw, (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    const inflated = await readUpTo(stream, LONGEST_TEXT);
    return inflated && new TextDecoder().decode(inflated);
  } catch {
    return null;
  }
}

/** The whole content of a stream; null if it is longer than a limit. */
export async function readUpTo(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = stream.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    pieces.push(read.value);
    length += read.value.length;
    if (length > limit) {
      void reader.cancel().catch(() => undefined);
      return null;
    }
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Builds a zip archive of some files, every second one compressed. */

import { crc32, deflateRawSync } from 'node:zlib';

export function zipOf(files: Readonly<Record<string, Buffer>>): Buffer<ArrayBuffer> {
  const [contents, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [index, [name, content]] of Object.entries(files).entries()) {
    const isPacked = index % 2 === 0;
    const packed = isPacked ? deflateRawSync(content) : content;
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(Buffer.byteLength(name), 26);
    // The extra field is longer than in the directory, as in files of common archivers.
    const extra = Buffer.from([1, 0, 0, 0]);
    header.writeUInt16LE(extra.length, 28);
    contents.push(header, Buffer.from(name), extra, packed);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(isPacked ? 8 : 0, 10);
    entry.writeUInt32LE(crc32(content), 16);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(content.length, 24);
    entry.writeUInt16LE(Buffer.byteLength(name), 28);
    entry.writeUInt32LE(offset, 42);
    directory.push(entry, Buffer.from(name));
    offset += header.length + Buffer.byteLength(name) + extra.length + packed.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...contents, entries, end]);
}

// Prints a line for each file of a directory: its size, compressed as web servers do, and its path.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const root = process.argv[2];
for (const name of readdirSync(root, { recursive: true })) {
  const path = join(root, name);
  if (statSync(path).isFile()) {
    console.log(`${brotliCompressSync(readFileSync(path)).length}\t${relative(root, path)}`);
  }
}

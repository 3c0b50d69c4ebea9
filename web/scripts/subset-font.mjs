// Makes the subset of Noto Serif JP 700 that the pieces need: node scripts/subset-font.mjs NotoSerifJP_700Bold.ttf The
// font is from the npm package @expo-google-fonts/noto-serif-jp 0.4.3 (OFL-1.1). Run once; the result is committed.
import { readFile, writeFile } from 'node:fs/promises';
import subsetFont from 'subset-font';

/** The characters of pieces, ranks, files and the names of the hands and the box. */
const CHARACTERS = '歩香桂銀金角飛玉王と杏圭全馬龍一二三四五六七八九先後手駒箱';

const [source] = process.argv.slice(2);
if (!source) throw new Error('usage: node scripts/subset-font.mjs FONT.ttf');
const subset = await subsetFont(await readFile(source), CHARACTERS, { targetFormat: 'woff2', noLayoutClosure: true });
await writeFile(new URL('../src/fonts/pieces.woff2', import.meta.url), subset);
console.log(`${subset.length} bytes`);

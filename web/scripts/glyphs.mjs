// Writes the outlines of the characters on the board, for the page and the program (crates/komabako-picture/src/glyphs.rs):
// node scripts/glyphs.mjs JAPANESE.woff2 LATIN.woff2; then cargo fmt.
// The fonts are files/noto-serif-jp-{japanese,latin}-700-normal.woff2 of the npm package @fontsource/noto-serif-jp 5.3.0
// (OFL-1.1). Run once; the result is committed.
import { readFile, writeFile } from 'node:fs/promises';
import * as fontverter from 'fontverter';
import * as hb from 'harfbuzzjs';

/** The characters of pieces, then those of ranks, files and counts. */
const KANJI = '歩兵香車桂馬銀将金角行飛玉王と杏圭全龍成一二三四五六七八九';
const LATIN = 'PLNSGBRK+0123456789abcdefghi';
/** The units of an em in the result: fine enough for a square of 200 pixels. */
const EM = 160;
/** The middle of a character above its base line, in ems: of kanji, and of capital letters and figures. */
const MIDDLE = { kanji: 0.38, latin: 0.35 };

async function fontOf(file) {
  const sfnt = await fontverter.convert(await readFile(file), 'sfnt');
  const face = new hb.Face(new hb.Blob(sfnt.buffer.slice(sfnt.byteOffset, sfnt.byteOffset + sfnt.byteLength)));
  return { font: new hb.Font(face), upem: face.upem };
}

/** The glyph of a character, and its advance. */
function shaped(font, character) {
  const buffer = new hb.Buffer();
  buffer.addText(character);
  buffer.guessSegmentProperties();
  hb.shape(font, buffer);
  return { id: buffer.getGlyphInfos()[0].codepoint, advance: buffer.getGlyphPositions()[0].xAdvance };
}

/** The path around the middle of the character, in whole units, with relative commands. */
function outline({ font, upem }, character, middle) {
  const { id, advance } = shaped(font, character);
  const place = (x, y) => [Math.round(((x - advance / 2) / upem) * EM), Math.round((middle - y / upem) * EM)];
  let text = '';
  let previous = '';
  const add = (command, ...deltas) => {
    // A repeated command needs its letter only once.
    text += `${command === previous ? ' ' : command}${deltas.join(' ')}`;
    previous = command;
  };
  let [from, start] = [[0, 0], [0, 0]];
  const commands = [...font.glyphToPath(id).matchAll(/([MLCQZ])([^MLCQZ]*)/g)];
  for (const [index, [, command, rest]] of commands.entries()) {
    const numbers = rest.match(/-?[\d.]+/g)?.map(Number) ?? [];
    const points = [];
    for (let at = 0; at < numbers.length; at += 2) points.push(place(numbers[at], numbers[at + 1]));
    if (command === 'Z') {
      add('z');
      from = start;
      continue;
    }
    const end = points.at(-1);
    const deltas = points.map(([x, y]) => [x - from[0], y - from[1]]);
    // The end of a contour draws its last line.
    const isLast = commands[index + 1]?.[1] === 'Z' && String(end) === String(start);
    if (command === 'M') add('M', ...end);
    else if (command === 'L' && (isLast || String(end) === String(from))) continue;
    else if (command === 'L' && deltas[0][1] === 0) add('h', deltas[0][0]);
    else if (command === 'L' && deltas[0][0] === 0) add('v', deltas[0][1]);
    else add(command.toLowerCase(), ...deltas.flat());
    if (command === 'M') start = end;
    from = end;
  }
  return text.replaceAll(' -', '-');
}

const [japanese, latin] = process.argv.slice(2);
if (!latin) throw new Error('usage: node scripts/glyphs.mjs JAPANESE.woff2 LATIN.woff2');
const [kanji, letters] = [await fontOf(japanese), await fontOf(latin)];
const glyphs = [
  ...[...KANJI].map((one) => [one, outline(kanji, one, MIDDLE.kanji)]),
  ...[...LATIN].map((one) => [one, outline(letters, one, MIDDLE.latin)]),
];
await writeFile(new URL('../src/board/glyphs.ts', import.meta.url), `/** The outlines of the characters on the board, around their middle: made by scripts/glyphs.mjs from Noto Serif JP 700. */

/** The units of an em. */
export const EM = ${EM};

export const GLYPHS: Readonly<Record<string, string>> = {
${glyphs.map(([one, path]) => `  '${one}': '${path}',`).join('\n')}
};
`);
await writeFile(new URL('../../crates/komabako-picture/src/glyphs.rs', import.meta.url), `//! The outlines of the characters on a board, around their middle: made by \`web/scripts/glyphs.mjs\` from Noto Serif JP 700.

/// The units of an em.
pub const EM: i32 = ${EM};

/// The path of a character; empty for one that no board shows.
pub fn glyph(character: char) -> &'static str {
    match character {
${glyphs.map(([one, path]) => `        '${one}' => "${path}",`).join('\n')}
        _ => "",
    }
}
`);

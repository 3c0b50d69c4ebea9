// Reads records with other programs: one JSON object { format, text } per input line, one line of moves per output line.
const path = require("path");
const modules = process.argv[2];
const tsshogi = require(path.join(modules, "tsshogi"));
const { JKFPlayer } = require(path.join(modules, "json-kifu-format")).Players
  ? require(path.join(modules, "json-kifu-format")).Players
  : require(path.join(modules, "json-kifu-format"));

const readers = { kif: "importKIF", ki2: "importKI2", csa: "importCSA", csa3: "importCSA", jkf: "importJKFString" };

// Every node in the order of a file: its ply, and its move in USI or an empty text for an end.
function ofTsshogi({ format, text }) {
  const record = tsshogi[readers[format]](text);
  if (record instanceof Error) throw record;
  const nodes = [];
  record.forEach((node) => {
    if (node.ply > 0) nodes.push([node.ply, node.move instanceof tsshogi.Move ? node.move.usi : ""]);
  });
  return nodes;
}

const letters = { FU: "P", KY: "L", KE: "N", GI: "S", KI: "G", KA: "B", HI: "R" };
const square = ({ x, y }) => `${x}${"abcdefghi"[y - 1]}`;

// The main line.
function ofJsonKifuFormat({ format, text }) {
  const parse = { kif: "parseKIF", ki2: "parseKI2", csa: "parseCSA", csa3: "parseCSA", jkf: "parseJKF" }[format];
  const player = JKFPlayer[parse](text);
  return player.kifu.moves.filter((entry) => entry.move).map(({ move }) =>
    move.from ? square(move.from) + square(move.to) + (move.promote ? "+" : "") : `${letters[move.piece]}*${square(move.to)}`);
}

const attempt = (read, input) => {
  try {
    return read(input);
  } catch (error) {
    return String(error.message || error).slice(0, 200);
  }
};

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const input = JSON.parse(line);
  console.log(JSON.stringify({ tsshogi: attempt(ofTsshogi, input), jkf: attempt(ofJsonKifuFormat, input) }));
});

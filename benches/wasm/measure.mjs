// Times the rows of `measure.rs` under Node: `node measure.mjs MODULE.wasm [REPETITIONS]`. Prints one line
// `komabako,format,operation,nanoseconds per position` per row, the median over the repetitions. All rows run in turn in each.
import { readFileSync } from 'node:fs';

const [path, repetitions = '9'] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(path), {});
const { memory, rows, name, name_length: nameLength, run } = instance.exports;
const count = rows();
const names = Array.from({ length: count }, (_, row) =>
  new TextDecoder().decode(new Uint8Array(memory.buffer, name(row), nameLength(row))),
);
const times = names.map(() => []);
// Warm up until Node has compiled the module with all optimisations.
for (let row = 0; row < count; row += 1) for (let again = 0; again < 20; again += 1) run(row);
for (let repetition = 0; repetition < Number(repetitions); repetition += 1) {
  for (let row = 0; row < count; row += 1) {
    const start = process.hrtime.bigint();
    const positions = run(row);
    times[row].push(Number(process.hrtime.bigint() - start) / positions);
  }
}
for (const [row, measured] of times.entries()) {
  measured.sort((a, b) => a - b);
  console.log(`komabako,${names[row]},${measured[measured.length >> 1].toFixed(2)}`);
}

// The module for browsers, under Node: like `web/src/module.ts`, but without types.
import { readFileSync } from 'node:fs';

const path = new URL('../../../../web/src/komabako.wasm', import.meta.url);
const compiled = new WebAssembly.Module(readFileSync(path));

/** A new module: `call(name, request, raw)` returns the answer, or throws its error. */
export function instantiate() {
  const { exports } = new WebAssembly.Instance(compiled, {});
  return {
    exports,
    call(name, request, raw = new Uint8Array()) {
      const json = new TextEncoder().encode(JSON.stringify({ [name]: request }));
      // Get the pointer first: the call may grow the memory, which detaches its old buffer.
      const argument = exports.argument(json.length + raw.length);
      const into = new Uint8Array(exports.memory.buffer, argument, json.length + raw.length);
      into.set(json);
      into.set(raw, json.length);
      const length = exports.call(json.length);
      const bytes = new Uint8Array(exports.memory.buffer, exports.result(), length);
      const answer = JSON.parse(new TextDecoder().decode(bytes));
      if (answer.error) throw Object.assign(new Error(`${name}: ${answer.error.sentence.en}`), answer.error);
      return answer.ok;
    },
  };
}

/** The rows of a table with a header, as objects. */
export function table(name) {
  const [header, ...rows] = readFileSync(new URL(`../../../../${name}`, import.meta.url), 'utf8').trimEnd().split('\n');
  const keys = header.split('\t');
  return rows.map((row) => Object.fromEntries(row.split('\t').map((cell, index) => [keys[index], cell])));
}

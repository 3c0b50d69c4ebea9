// Runs the function `main` of a module for wasm32-unknown-unknown, which takes nothing from outside: a panic traps.
import { readFile } from "node:fs/promises";

const { instance } = await WebAssembly.instantiate(await readFile(process.argv[2]), {});
instance.exports.main(0, 0);

// Runs the function `main` of a module for wasm32-unknown-unknown that has no imports; a panic traps.
import { readFile } from "node:fs/promises";

const { instance } = await WebAssembly.instantiate(await readFile(process.argv[2]), {});
instance.exports.main(0, 0);

// Runs a WebAssembly program with WASI under Node: `node wasi.mjs PROGRAM.wasm [ARGUMENT...]`.
import { readFile } from "node:fs/promises";
import { argv, cwd, env, exit } from "node:process";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1", args: argv.slice(2), env, preopens: { "/": "/", ".": cwd() }, returnOnExit: true });
const program = await WebAssembly.compile(await readFile(argv[2]));
const instance = await WebAssembly.instantiate(program, wasi.getImportObject());
exit(wasi.start(instance));

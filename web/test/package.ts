/** The npm package, packed once and installed in projects of its users. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const WEB = fileURLToPath(new URL('../../', import.meta.url));

/** The reason why it cannot be packed here, or false. */
export const unpackable: string | false = existsSync(join(WEB, 'src/komabako.wasm')) ? false : 'no module: cargo xtask web --module';

let archive: string | null = null;

/** The archive of the package: each file of tests packs its own, since they run at the same time. */
function packed(): string {
  if (archive === null) {
    const folder = mkdtempSync(join(tmpdir(), 'komabako-npm-'));
    process.on('exit', () => rmSync(folder, { recursive: true }));
    execFileSync('node', [join(WEB, 'scripts/package.mjs'), folder], { cwd: WEB });
    archive = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!);
  }
  return archive;
}

/** A fresh project outside the repository, with the package installed from its archive and a few files. */
export class Project {
  readonly folder = mkdtempSync(join(tmpdir(), 'komabako-'));

  constructor(files: Readonly<Record<string, string>>) {
    this.write({ 'package.json': '{ "private": true, "type": "module" }', ...files });
    this.run('npm', 'install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', packed());
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.folder, name), text);
  }

  /** Runs a program in the project; its error has what it printed. */
  run(program: string, ...options: string[]): string {
    return execFileSync(program, options, { cwd: this.folder, encoding: 'utf8' });
  }

  /** Runs a tool of this repository's in the project. */
  runTool(name: 'tsc' | 'vite', ...options: string[]): string {
    return this.run(join(WEB, 'node_modules/.bin', name), ...options);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

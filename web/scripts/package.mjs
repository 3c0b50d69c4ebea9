// Packs the npm package `komabako`: npm run package [FOLDER]. Leaves its archive in FOLDER or `build`, and its files there in `npm`.
// Needs src/komabako.wasm, which `cargo xtask web --module` builds.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const WEB = fileURLToPath(new URL('..', import.meta.url));
const ROOT = join(WEB, '..');
const FOLDER = resolve(process.argv[2] ?? join(WEB, 'build'));
const PLACE = join(FOLDER, 'npm');
const run = (program, ...options) => execFileSync(program, options, { cwd: WEB, encoding: 'utf8', maxBuffer: 1 << 28 });
const bin = (name) => join(WEB, 'node_modules/.bin', name);

/** The licences of the third-party crates in the module, with their texts. Macros only write code. */
function notices() {
  const listed = run(
    'cargo',
    'tree',
    '--locked',
    '-p',
    'komabako-web',
    '--target',
    'wasm32-unknown-unknown',
    '-e',
    'normal,no-proc-macro',
    '--prefix',
    'none',
    '-f',
    '{p}',
  );
  const names = new Set(listed.split('\n').map((line) => line.split(' ').slice(0, 2).join(' v').replace('vv', 'v')));
  const { packages } = JSON.parse(run('cargo', 'metadata', '--locked', '--format-version', '1'));
  const parts = ['# Third-party crates in komabako.wasm\n'];
  for (const { name, version, license, repository, manifest_path, source } of packages) {
    if (source === null || !names.has(`${name} v${version}`)) continue;
    parts.push(`## ${name} ${version}: ${license}\n\n${repository ?? ''}\n`);
    const folder = dirname(manifest_path);
    const texts = readdirSync(folder).filter((file) => /^(LICEN[SC]E|COPYING|NOTICE)/i.test(file) && !/APACHE/i.test(file));
    for (const text of texts) parts.push(`${readFileSync(join(folder, text), 'utf8').trim()}\n`);
  }
  return parts.join('\n');
}

rmSync(PLACE, { recursive: true, force: true });
mkdirSync(join(PLACE, 'dist'), { recursive: true });
run(bin('tsc'), '-p', 'tsconfig.npm.json', '--outDir', join(PLACE, 'dist'));
run(bin('vite'), 'build', '--logLevel', 'warn', '--config', 'vite.elements.config.ts', '--outDir', join(PLACE, 'dist'));
if (!existsSync(join(PLACE, 'dist/komabako.wasm'))) throw new Error('no module: run `cargo xtask web --module` first');
cpSync(join(WEB, 'npm/elements.d.ts'), join(PLACE, 'dist/elements.d.ts'));
cpSync(join(WEB, 'npm/README.md'), join(PLACE, 'README.md'));
for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) cpSync(join(ROOT, name), join(PLACE, name));
cpSync(join(WEB, 'THIRD-PARTY'), join(PLACE, 'THIRD-PARTY'), { recursive: true });
writeFileSync(join(PLACE, 'THIRD-PARTY/crates.md'), notices());
const version = /^version = "(.*)"$/m.exec(readFileSync(join(ROOT, 'Cargo.toml'), 'utf8'))[1];
const manifest = JSON.parse(readFileSync(join(WEB, 'npm/package.json'), 'utf8'));
writeFileSync(join(PLACE, 'package.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
const [packed] = JSON.parse(run('npm', 'pack', PLACE, '--json', '--pack-destination', FOLDER));
console.log(`npm: ${join(FOLDER, packed.filename)}: ${packed.size} bytes, ${packed.entryCount} files`);

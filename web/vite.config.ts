import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { minify as minifyAgain } from 'terser';
import { type Plugin, defineConfig, minify } from 'vite';

/** The programs of docs/decode as one file, and its name for the page, which loads it when a reader asks for one. */
function decoders(): Plugin {
  const folder = new URL('../docs/decode/', import.meta.url);
  const names = readdirSync(folder).filter((name) => /\.(rs|[ch]pp|py)$/.test(name));
  const source = JSON.stringify(Object.fromEntries(names.map((name) => [name, readFileSync(new URL(name, folder), 'utf8')])));
  const fileName = `assets/decode-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.json`;
  return {
    name: 'komabako-decoders',
    config: () => ({ define: { DECODERS: JSON.stringify(`./${fileName}`) } }),
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

/** Writes sw.js with the names of all files, so that one visit is enough to work offline. */
function serviceWorker(): Plugin {
  return {
    name: 'komabako-service-worker',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_, bundle) {
      const files = [
        './',
        './icon.svg',
        './icon-192.png',
        './icon-512.png',
        './manifest.webmanifest',
        ...Object.keys(bundle)
          .filter((name) => name.startsWith('assets/'))
          .map((name) => `./${name}`),
      ];
      const version = createHash('sha256').update(files.join()).digest('hex').slice(0, 12);
      const source = (await readFile(new URL('./sw/sw.js', import.meta.url), 'utf8'))
        .replace('/* files */ []', JSON.stringify(files))
        .replace("/* version */ 'dev'", `'${version}'`);
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: (await minify('sw.js', source, { mangle: { toplevel: true } })).code });
    },
  };
}

/** Comments of the page, and the indentation of its templates, are not sent. */
const withoutComments: Plugin = {
  name: 'komabako-comments',
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) =>
    /\/src\/.*\.ts$/.test(id)
      ? code
          .replace(/css`[^`]*`/g, (style) => style.replace(/\s*([{};,])\s*/g, '$1').replaceAll(': ', ':'))
          .replace(/\n\s+(?=[<$])/g, ' ')
          .replace(/\n\s+/g, '\n')
      : null,
  transformIndexHtml: (html) => html.replace(/^\s*<!--.*-->\n/gm, '').replace(/^\s+/gm, ''),
};

/** Vite's loader of scripts preloads style sheets, which no script of ours has: it would be 2 kB. */
const withoutPreload: Plugin = {
  name: 'komabako-preload',
  apply: 'build',
  transform: (_, id) => (id.includes('vite/preload-helper') ? 'export const __vitePreload = (load) => load();' : null),
};

/** Terser's passes over what Vite's minifier wrote: 0.5 kB less, with these options, which were tried one by one. Other chunks would grow. */
const minifiedAgain: Plugin = {
  name: 'komabako-minified-again',
  apply: 'build',
  enforce: 'post',
  async generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk' && file.isEntry) {
        const { code } = await minifyAgain(file.code, {
          ecma: 2020,
          module: true,
          compress: { passes: 3, unsafe_arrows: true, if_return: false, conditionals: false, hoist_funs: true },
        });
        file.code = code ?? file.code;
      }
    }
  },
};

export default defineConfig({
  // A relative base, so that the built page works in any folder of any host.
  base: './',
  plugins: [decoders(), withoutComments, withoutPreload, minifiedAgain, serviceWorker()],
  build: {
    target: 'es2022',
    // The CSP allows only images to be inlined as `data:`.
    assetsInlineLimit: 0,
    modulePreload: false,
  },
  // Without comments a file that the page and the worker import is the same in both builds, and so one file.
  worker: { format: 'es', rolldownOptions: { output: { comments: false } } },
});

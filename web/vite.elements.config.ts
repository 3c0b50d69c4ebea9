import { defineConfig } from 'vite';

/** The elements for other pages, in one script with the module beside it. */
export default defineConfig({
  base: './',
  publicDir: false,
  build: {
    target: 'es2022',
    emptyOutDir: false,
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      input: 'src/embed/elements.ts',
      preserveEntrySignatures: 'strict',
      output: { entryFileNames: 'elements.js', assetFileNames: '[name][extname]' },
    },
  },
});

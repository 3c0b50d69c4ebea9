import { defineConfig } from 'vite';

export default defineConfig({
  // Relative, so that the built page works in any folder of any host.
  base: './',
  build: {
    target: 'es2022',
    // Under the CSP nothing may be inlined as `data:` but images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: 'es' },
});

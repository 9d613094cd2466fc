import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// Addresses are relative, so that the page also works from a folder or a sub-path.
// Nothing is inlined: the page is served under `default-src 'self'`.
export default defineConfig({
  base: './',
  plugins: [svelte()],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
  worker: { format: 'es' },
});

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const beside = /src\/(library|engines|tournaments|check|learn|settings|editor|jobs)\/(?!words\.ts)/;

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
    // Two files compress better than twenty: what everyone needs, and the rooms beside.
    rollupOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'page', test: (id: string) => !beside.test(id), priority: 2 },
            { name: 'rooms', test: beside, priority: 1 },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
});

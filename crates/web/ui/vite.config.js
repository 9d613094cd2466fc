import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import process from 'node:process';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const beside = /src\/(library|engines|tournaments|check|learn|settings|editor|jobs)\/(?!words\.ts)/;

/** Kinds of files that are text; pictures and fonts are compressed already. */
const text = /\.(js|css|html|json|svg|txt|webmanifest)$/;
/** Bytes under which the headers weigh more than what is saved. */
const SMALL = 1024;

/**
 * Writes each text compressed as well, beside it: servers send `x.js.br` or `x.js.gz` to browsers
 * that can read it. Without it where the environment has `QUADRILLE_PLAIN`.
 *
 * @returns {import('vite').Plugin}
 */
function compress() {
  let out = '';
  return {
    name: 'quadrille-compress',
    apply: 'build',
    configResolved: (config) => void (out = resolve(config.root, config.build.outDir)),
    closeBundle() {
      if (process.env.QUADRILLE_PLAIN) return;
      for (const name of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
        if (!text.test(name)) continue;
        const path = join(out, name);
        const bytes = readFileSync(path);
        if (bytes.length < SMALL) continue;
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
      }
    },
  };
}

// Addresses are relative, so that the page also works from a folder or a sub-path.
// Nothing is inlined: the page is served under `default-src 'self'`.
export default defineConfig({
  base: './',
  plugins: [svelte(), compress()],
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
            { name: 'page', test: (id) => !beside.test(id), priority: 2 },
            { name: 'rooms', test: beside, priority: 1 },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
});

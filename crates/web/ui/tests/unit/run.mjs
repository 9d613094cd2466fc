// Compiles the unit tests as the page is compiled (Svelte's runes included) and runs them with Node.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build } from 'vite';

const here = dirname(fileURLToPath(import.meta.url));
const names = readdirSync(here).filter((name) => name.endsWith('.test.ts'));
// Everything is bundled, so the result can lie anywhere.
const out = mkdtempSync(join(tmpdir(), 'quadrille-unit-'));
let status = 1;
try {
  await build({
    root: join(here, '../..'),
    // Not the page's own settings: those put modules together, and every file would run all tests.
    configFile: false,
    plugins: [svelte()],
    logLevel: 'error',
    build: {
      ssr: true,
      outDir: out,
      emptyOutDir: true,
      rollupOptions: { input: Object.fromEntries(names.map((name) => [name.replace('.ts', ''), join(here, name)])) },
    },
    ssr: { noExternal: true },
  });
  const files = names.map((name) => join(out, name.replace('.ts', '.js')));
  // Every file is tested in a process of its own, which hears of this only so.
  const env = { ...process.env, NODE_OPTIONS: `--import=${pathToFileURL(join(here, 'browser.mjs'))}` };
  status = spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit', env }).status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
process.exit(status);

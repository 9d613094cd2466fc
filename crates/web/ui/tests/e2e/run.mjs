// Runs the browser tests: `npm run e2e [-- name ...]`. The page is the one in the program, or that of
// QUADRILLE_PAGE; QUADRILLE names the program and CHROMIUM the browser.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { browserPath, program } from '../where.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const wanted = process.argv.slice(2);
// Long ones first, so that no processor waits for the last.
const LONG = ['axe', 'lines', 'alone', 'engines', 'tournaments', 'onboard'];
const place = (name) => (LONG.findIndex((part) => name.includes(part)) + LONG.length + 1) % (LONG.length + 1);
const files = readdirSync(here)
  .filter((name) => name.endsWith('.test.mjs') && (wanted.length === 0 || wanted.some((part) => name.includes(part))))
  .toSorted((a, b) => place(a) - place(b))
  .map((name) => join(here, name));
console.log(`testing ${program()} with ${browserPath()}`);
const { status } = spawnSync(process.execPath, ['--test', '--test-concurrency=2', '--test-timeout=300000', '--test-reporter=spec', ...files], { stdio: 'inherit' });
process.exit(status ?? 1);

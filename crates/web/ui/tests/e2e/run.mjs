// Runs the browser tests: `npm run e2e [-- name ...]`. The page is the one in the program, or that of
// QUADRILLE_PAGE; QUADRILLE names the program and CHROMIUM the browser.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
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

/** Runs test files, so many at once; those in which something failed. */
function run(tests, atOnce) {
  const folder = mkdtempSync(join(tmpdir(), 'quadrille-e2e-'));
  const list = join(folder, 'failed');
  const reporters = ['--test-reporter=spec', '--test-reporter-destination=stdout',
    `--test-reporter=${pathToFileURL(join(here, 'failed.mjs'))}`, `--test-reporter-destination=${list}`];
  const { status } = spawnSync(process.execPath, ['--test', `--test-concurrency=${atOnce}`, '--test-timeout=300000', ...reporters, ...tests], { stdio: 'inherit' });
  const named = existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean) : [];
  // Some tests are written in a file that several others use.
  const users = (file) => (file.endsWith('.test.mjs') ? [file] : tests.filter((test) => readFileSync(test, 'utf8').includes(`/${basename(file)}'`)));
  const failed = [...new Set(named.flatMap(users))];
  rmSync(folder, { recursive: true, force: true });
  return { passed: status === 0, failed };
}

const first = run(files, 2);
if (first.passed) process.exit(0);
if (first.failed.length === 0) process.exit(1);
// A machine that does much else can be too slow for a browser. What fails twice is broken, and what
// fails once is named.
const names = first.failed.map((file) => basename(file)).join(', ');
console.log(`\nfailed, and tried once more by themselves: ${names}\n`);
const second = run(first.failed, 1);
console.log(second.passed ? `\nPASSED ONLY AT THE SECOND TRY: ${names}` : `\nfailed twice: ${second.failed.map((file) => basename(file)).join(', ')}`);
process.exit(second.passed ? 0 : 1);

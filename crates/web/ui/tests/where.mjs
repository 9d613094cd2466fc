// Where the program and the browser are that the tests use.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
export const ui = join(here, '..');
const root = join(ui, '../../..');

/** The program under test: `QUADRILLE`, or what cargo built last. */
export function program() {
  const built = ['debug', 'release'].map((kind) => join(root, 'target', kind, 'quadrille'));
  const found = [process.env.QUADRILLE, ...built].find((path) => path && existsSync(path));
  if (!found) throw new Error('there is no quadrille to test: build it with `cargo build -p quadrille`, or name it in QUADRILLE');
  return found;
}

/** The browser: `CHROMIUM`, or where systems put it. */
export function browserPath() {
  const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const found = places.find((path) => path && existsSync(path));
  if (!found) throw new Error('there is no Chromium: install it (`apt-get install chromium`), or name it in CHROMIUM');
  return found;
}

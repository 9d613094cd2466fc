// What the tests of the analysis share.
import { join } from 'node:path';
import { asker, open, ui, visit } from './driver.mjs';

const odd = join(ui, 'tests/e2e/engines/odd.mjs');
const added = new Map();

/** The number of the odd engine of a kind; added once. */
export async function oddEngine(ask, kind) {
  if (!added.has(kind)) {
    const engine = { command: process.execPath, args: [odd, kind], folder: null, game: 'chess', name: `Odd ${kind}` };
    added.set(kind, (await ask({ ask: 'add-engine', engine })).of);
  }
  return added.get(kind);
}

/**
 * A page that looks at a study. `engines` are kinds of the odd engine, or `builtin`; none
 * where nothing is searched. `text` is a record or a position; the usual start otherwise.
 */
export async function study({ text, game = 'chess', position = '', engines = [], lines = 3, seconds = 0, ...options } = {}) {
  const page = await open('/settings', options);
  const ask = await asker(page);
  const ids = [];
  for (const kind of engines) ids.push(kind === 'builtin' ? { chess: 1, liberty: 2, leiser: 3, gyges: 4 }[game] : await oddEngine(ask, kind));
  const value = { engines: ids.length ? { [game]: ids } : {}, lines, seconds, on: ids.length > 0 };
  await ask({ ask: 'remember', name: 'analysis', value: JSON.stringify(value) });
  const id = text
    ? (await ask({ ask: 'paste', text, game })).of.study
    : (await ask({ ask: 'new-study', start: { game, rules: '', position }, title: null })).of;
  await visit(page, `/analyse/${id}`);
  await page.getByRole('grid').first().waitFor();
  return { page, ask, id, ids };
}

/** The lines of an engine, from the top. */
export const rows = (page) => page.locator('section.engine li:not(.blank)');

/** The moves of the tree, in the order of the page. */
export const moves = (page) => page.locator('.tree [data-node]');

/** Where the page looks: the text of the move, or nothing at the start. */
export const here = async (page) => ((await page.locator('.tree [aria-current]').count()) ? (await page.locator('.tree [aria-current]').innerText()).trim() : '');

/** Until the move that is looked at has this text; nothing at the start, once there are moves to look at. */
export async function at(page, text) {
  await page.waitForFunction((wanted) => {
    const tree = document.querySelector('.tree');
    return tree !== null && (tree.querySelector('[aria-current]')?.textContent.trim() ?? '') === wanted;
  }, text);
}

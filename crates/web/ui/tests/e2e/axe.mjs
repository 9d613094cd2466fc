// axe finds nothing: every room, every dialog, light and dark.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { news } from '../server.mjs';
import { asker, open, visit } from './driver.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const ROOMS = [
  '/', '/play', '/library', '/library/openings', '/engines', '/engines/1', '/tournaments', '/tournaments/new', '/check', '/online',
  '/learn/chess', '/learn/liberty', '/learn/leiser', '/learn/gyges', '/settings', '/editor/chess', '/editor/liberty', '/editor/leiser', '/editor/gyges',
];
/** Only these rules look at colours; the others see the same page in the dark. */
const COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** What axe complains about, in a line each. */
async function complaints(page, runOnly) {
  // Fonts, and what comes with the first news.
  await page.waitForTimeout(100);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const found = await page.evaluate((only) => window.axe.run(document, { resultTypes: ['violations'], ...(only ? { runOnly: only } : {}) }), runOnly);
  return found.violations.flatMap((v) => v.nodes.map((node) => `${v.id}: ${node.target.join(' ')}: ${node.failureSummary?.split('\n')[1]?.trim()}`));
}

/** Something to look at in every room: a study, a game, a tournament, the log of an engine. */
async function furnish(page) {
  const ask = await asker(page);
  const start = (game) => ({ game, rules: '', position: '' });
  const { of: study } = await ask({ ask: 'paste', text: '1. e4 e5 (1... c5 {comment} 2. Nf3) 2. Nf3! Nc6 *', game: 'chess' });
  const seats = [{ seat: 'person', name: '' }, { seat: 'person', name: '' }];
  const { of: table } = await ask({ ask: 'new-table', table: { start: start('chess'), seats, time: { time: 'unlimited', engine: 100 } } });
  await ask({ ask: 'change-engine', engine: 4, change: { change: 'duplicate' } });
  const { engines } = (await news(page, { topic: 'engines' })).of;
  const players = engines.filter((engine) => engine.games.includes('gyges')).map((engine) => engine.id);
  const event = { name: 'axe', start: start('gyges'), engines: players, format: 'round-robin', rounds: 1, games: 2, time: { time: 'per-move', each: 20 }, concurrency: 1, openings: '', sprt: null };
  const { of: cup } = await ask({ ask: 'new-event', event });
  return { study: study.study, table, cup };
}

/** What opens above a room: where, and how. */
const ABOVE = [
  ['the finder', '/settings', (page) => page.keyboard.press('/')],
  ['the keys', '/settings', (page) => page.keyboard.press('?')],
  ['loading games', '/library', (page) => page.locator('.room header button').first().click()],
  ['adding an engine', '/engines', (page) => page.locator('main header button.primary').click()],
  ['attaching a tournament', '/tournaments', (page) => page.locator('main header button').first().click()],
];

/** The tests of a language. */
export function everyRoom(language) {
  for (const dark of [false, true]) {
    test(`axe: every room and dialog, ${dark ? 'dark' : 'light'}, ${language}`, async () => {
      const page = await open('/', { dark, language });
      const made = await furnish(page);
      const found = [];
      const look = async (name) => {
        for (const line of await complaints(page, dark ? COLOURS : null)) found.push(`${name}: ${line}`);
      };
      for (const room of [...ROOMS, `/analyse/${made.study}`, '/analyse/list', `/play/${made.table}`, `/tournaments/${made.cup}`]) {
        await visit(page, room);
        await look(room);
      }
      for (const [name, room, show] of ABOVE) {
        await visit(page, room);
        await show(page);
        await page.locator('dialog[open]').waitFor();
        await look(name);
        await page.keyboard.press('Escape');
        await page.locator('dialog[open]').waitFor({ state: 'detached' });
      }
      await visit(page, '/engines/4');
      await page.getByRole('tab').nth(1).click();
      await look('the log');
      assert.deepEqual(found, []);
    });
  }
}

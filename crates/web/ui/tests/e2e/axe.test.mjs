// axe finds nothing on any page, light and dark, in both languages.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { asker, open, visit } from './driver.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const ROOMS = [
  '/', '/play', '/analyse', '/library', '/library/openings', '/engines', '/engines/1', '/tournaments', '/tournaments/new',
  '/learn/chess', '/learn/liberty', '/learn/leiser', '/learn/gyges', '/settings', '/editor/chess', '/editor/liberty', '/editor/leiser', '/editor/gyges',
];

/** What axe complains about, in a line each. */
async function complaints(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return found.violations.flatMap((v) => v.nodes.map((node) => `${v.id}: ${node.target.join(' ')}: ${node.failureSummary?.split('\n')[1]?.trim()}`));
}

for (const language of ['en', 'ru']) {
  for (const dark of [false, true]) {
    test(`axe: every room, ${dark ? 'dark' : 'light'}, ${language}`, async () => {
      const page = await open('/', { dark, language });
      const ask = await asker(page);
      const start = { game: 'chess', rules: '', position: '' };
      const { of: study } = await ask({ ask: 'new-study', start, title: 'axe' });
      const seats = [{ seat: 'person', name: '' }, { seat: 'person', name: '' }];
      const { of: table } = await ask({ ask: 'new-table', table: { start, seats, time: { time: 'unlimited', engine: 100 } } });
      const found = [];
      for (const room of [...ROOMS, `/analyse/${study}`, `/play/${table}`]) {
        await visit(page, room);
        await page.waitForTimeout(150);
        for (const line of await complaints(page)) found.push(`${room} ${line}`);
      }
      assert.deepEqual(found, []);
    });
  }
}

// What is larger than a message, or lies elsewhere on this machine.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { program } from '../where.mjs';
import { asker, open } from './driver.mjs';

const folder = mkdtempSync(join(tmpdir(), 'quadrille-e2e-large-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

/** Five megabytes of games, most of it in comments. */
function games() {
  const comment = 'a word of which there are many '.repeat(5000);
  const one = (n) => `[Event "Large"]\n[White "Player ${n}"]\n[Black "Other ${n}"]\n[Result "1-0"]\n\n1. e4 {${comment}} e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n`;
  return Array.from({ length: 36 }, (_, n) => one(n)).join('');
}

/** Until the library has so many games of the event. */
async function taken(ask, n) {
  for (let tries = 0; tries < 300; tries++) {
    const query = { game: null, player: 'Player', result: null, opening: null, position: null, source: null, skip: 0, most: 100 };
    const { of: found } = await ask({ ask: 'find-games', query });
    if (found.length >= n) return found.length;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`fewer than ${n} games`);
}

test('a file too large for a message is dropped on the page, and a job reads it', async () => {
  const page = await open('/settings');
  const text = games();
  assert.ok(text.length > 5 << 20);
  await page.evaluate((content) => {
    const data = new DataTransfer();
    data.items.add(new File([content], 'große.pgn'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, text);
  await page.getByText('Reading has begun').waitFor();
  const ask = await asker(page);
  assert.equal(await taken(ask, 36), 36);
  await page.getByRole('button', { name: 'Jobs' }).click();
  await page.getByRole('dialog', { name: 'Jobs' }).getByText('große.pgn').waitFor();
});

test('so does one that is chosen in the library', async () => {
  const page = await open('/library');
  const file = join(folder, 'chosen.pgn');
  writeFileSync(file, games());
  await page.getByRole('button', { name: 'Load games' }).click();
  await page.getByRole('dialog').locator('input[type=file]').setInputFiles(file);
  await page.getByText('Reading has begun').waitFor();
  assert.equal(await taken(await asker(page), 72), 72);
});

test('a tournament of the command line is attached by its path; a wrong path is told in words', async () => {
  const page = await open('/tournaments');
  const event = join(folder, 'evening.db');
  const engines = ['one', 'two'].flatMap((name) => ['-engine', 'cmd=builtin', `name=${name}`]);
  execFileSync(program(), ['match', ...engines, '-each', 'nodes=200', '-maxmoves', '10', '-rounds', '2', '-store', event], { stdio: 'ignore', cwd: folder, timeout: 120_000 });
  await page.getByRole('button', { name: 'Watch one from the terminal' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(join(folder, 'nothing.db'));
  await dialog.getByRole('button', { name: 'Watch' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'nothing.db' }).waitFor();
  await dialog.getByRole('textbox').fill(event);
  await dialog.getByRole('button', { name: 'Watch' }).click();
  await page.waitForURL(/#\/tournaments\/\d+/);
  await page.getByRole('region', { name: 'Table' }).waitFor();
  const done = page.getByRole('list', { name: 'Finished games' }).getByRole('listitem');
  await done.nth(1).waitFor();
});

// Tournaments: started from the form, watched, controlled, taken away.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { open, serve, visit } from './driver.mjs';

/** Fills the form with two engines of a game; the first is built in, the second its copy. */
async function begin(page, { game = 'chess', rounds = 3, format, seconds = '0.02' }) {
  await visit(page, '/tournaments/new');
  await page.getByLabel('Name', { exact: true }).fill(`Cup ${format ?? game}`);
  await page.getByRole('combobox', { name: 'Game', exact: true }).selectOption(game);
  const engines = page.getByRole('group', { name: 'Engines' }).getByRole('checkbox');
  await engines.nth(1).waitFor();
  await engines.nth(0).check();
  await engines.nth(1).check();
  if (format) await page.getByRole('combobox', { name: 'Format' }).selectOption(format);
  await page.getByLabel('Rounds').fill(String(rounds));
  await page.getByRole('combobox', { name: 'Time', exact: true }).selectOption('per-move');
  await page.getByLabel('Seconds for each move').fill(seconds);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/#\/tournaments\/\d+/);
}

/** A second engine of the game, so that two can play. */
async function twin(page, game) {
  await visit(page, '/engines');
  await page.locator('ol a', { hasText: game }).first().click();
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await page.locator('ol a', { hasText: game }).nth(1).waitFor();
}

test('the form says what is wrong before it asks', async () => {
  const page = await open('/tournaments/new');
  await page.getByLabel('Rounds').fill('0');
  await page.getByRole('button', { name: 'Start' }).click();
  const alert = page.getByRole('alert');
  await alert.getByText('Choose at least two engines.').waitFor();
  await alert.getByText(/whole numbers from 1/).waitFor();
});

test('a tournament is started, watched, and its games opened and saved', async () => {
  const page = await open('/');
  await twin(page, 'Gyges');
  await begin(page, { game: 'gyges', rounds: 2 });
  await page.getByRole('heading', { name: 'Cup gyges' }).waitFor();
  await page.getByRole('region', { name: 'Table' }).waitFor({ timeout: 60_000 });
  const done = page.getByRole('list', { name: 'Finished games' }).getByRole('listitem');
  await page.locator('.chip', { hasText: 'over' }).waitFor({ timeout: 60_000 });
  assert.equal(await done.count(), 4);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as PGN' }).click();
  const text = await readFile(await (await saved).path(), 'utf8');
  assert.equal(text.match(/\[Event /g).length, 4);
  await done.first().getByRole('button').click();
  await page.waitForURL(/#\/analyse\/\d+/);
});

test('a test shows both graphs; pause, go on and stop work', async () => {
  const page = await open('/');
  await twin(page, 'Leiser');
  await begin(page, { game: 'leiser', rounds: 2000, format: 'sprt' });
  // Of so many games some are always under way.
  await page.getByRole('img', { name: /^Game \d+:/ }).first().waitFor();
  // Elo is that of the engine that was entered first, whoever leads.
  await page.getByRole('heading', { name: /^Elo of Quadrille Leiserchess [\d.]+$/ }).waitFor();
  await page.getByRole('img', { name: /Log likelihood ratio/ }).waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.locator('.chip', { hasText: 'paused' }).waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.locator('.chip', { hasText: 'running' }).waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Break off now' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Break off now' }).click();
  await page.locator('.chip', { hasText: 'not finished' }).waitFor({ timeout: 30_000 });
});

test('a tournament goes on after the page is closed, and after the server was started again', async () => {
  const site = await serve();
  try {
    const page = await open('/', { from: site });
    await twin(page, 'Gyges');
    await begin(page, { game: 'gyges', rounds: 5, seconds: '0.05' });
    const address = await page.evaluate(() => location.hash);
    await page.getByRole('region', { name: 'Table' }).waitFor({ timeout: 60_000 });
    await page.context().close();
    await site.restart();
    const again = await open(address.slice(1), { from: site });
    await again.getByRole('heading', { name: 'Cup gyges' }).waitFor();
    await again.locator('.chip', { hasText: 'over' }).waitFor({ timeout: 90_000 });
    assert.equal(await again.getByRole('list', { name: 'Finished games' }).getByRole('listitem').count(), 10);
    await again.context().close();
  } finally {
    await site.stop();
  }
});

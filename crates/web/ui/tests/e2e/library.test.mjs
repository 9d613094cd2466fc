// The library: loading, searching, opening, deleting, the explorer; part of point 27.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { open, serve, visit } from './driver.mjs';

const game = (white, black, result, moves) =>
  `[Event "Club"]\n[Date "2024.05.0${1 + (white.length % 9)}"]\n[White "${white}"]\n[Black "${black}"]\n[Result "${result}"]\n\n${moves} ${result}\n\n`;
const PGN = [
  game('Ann', 'Bob', '1-0', '1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#'),
  game('Carl', 'Ann', '0-1', '1. f3 e5 2. g4 Qh4#'),
  game('Bob', 'Carl', '1/2-1/2', '1. d4 d5 2. c4 e6 3. Nc3 Nf6'),
  game('Dora', 'Emil', '1-0', '1. e4 c5 2. Nf3 d6 3. Nx9 a6'),
  game('<b>Eve</b>', '<img src=x onerror="document.title=\'broken in\'">', '0-1', '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6'),
  game('Dora', 'Bob', '1-0', '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6'),
].join('');

/** The games in the list. */
const rows = (page) => page.getByRole('list', { name: 'Games found' }).getByRole('listitem');

/** Until the list has so many games. */
const counted = (page, n) => page.waitForFunction((wanted) => document.querySelectorAll('[role=list] [role=listitem]').length === wanted, n);

test('a file of games is loaded, with what could not be read named by line', async () => {
  const page = await open('/library');
  const file = join(tmpdir(), `quadrille-e2e-${process.pid}.pgn`);
  await writeFile(file, PGN);
  await page.getByRole('button', { name: 'Load games' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles(file);
  await dialog.getByText(/\d games loaded/).waitFor();
  assert.match(await dialog.getByRole('list').last().innerText(), /line 3\d|Nx9/);
  await dialog.getByRole('button', { name: 'Show' }).click();
  await rows(page).filter({ hasText: 'Carl' }).first().waitFor();
  assert.ok((await rows(page).count()) >= 5);
});

test('a file of one game is loaded under its name, and the list shows it', async () => {
  const page = await open('/library');
  const file = join(tmpdir(), `quadrille-e2e-${process.pid} one.pgn`);
  await writeFile(file, game('Gil', 'Hana', '1-0', '1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#'));
  await page.getByRole('button', { name: 'Load games' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles(file);
  await dialog.getByText('1 game loaded').waitFor();
  await dialog.getByRole('button', { name: 'Show' }).click();
  await page.waitForURL(/#\/library\?source=/);
  await rows(page).filter({ hasText: 'Gil' }).waitFor();
  await counted(page, 1);
  const source = page.getByRole('combobox', { name: 'From' });
  assert.match(await source.evaluate((select) => select.selectedOptions[0].textContent), / one\.pgn \(1\)$/);
});

test('a large file without games ends with a cross and a notice', async () => {
  const page = await open('/library');
  await page.getByRole('button', { name: 'Load games' }).click();
  const buffer = Buffer.from('[This line] is not a game, and neither is any other.\n'.repeat(45_000));
  await page.getByRole('dialog').locator('input[type=file]').setInputFiles({ name: 'letters.pgn', mimeType: 'text/plain', buffer });
  await page.locator('.toast.bad', { hasText: 'there are no games in this text' }).waitFor();
  await page.getByRole('button', { name: 'Jobs: one has failed' }).click();
  const jobs = page.getByRole('dialog', { name: 'Jobs' });
  await jobs.getByText('failed', { exact: true }).waitFor();
  // It is news once, and the sign is there as long as the job.
  await page.reload();
  await page.getByRole('button', { name: 'Jobs: one has failed' }).click();
  assert.equal(await page.locator('.toast.bad').count(), 0);
  await jobs.getByRole('button', { name: /off the list/ }).click();
  await page.getByRole('button', { name: /^Jobs/ }).waitFor({ state: 'detached' });
});

test('hostile names are text', async () => {
  const page = await open('/library');
  await rows(page).filter({ hasText: '<b>Eve</b>' }).waitFor();
  assert.equal(await page.locator('img[src="x"]').count(), 0);
  assert.doesNotMatch(await page.title(), /broken in/);
});

test('games are found by player, result, opening and position, and the search is in the address', async () => {
  const page = await open('/library');
  await page.getByLabel('Player').fill('ann');
  await counted(page, 2);
  await page.getByRole('status').filter({ hasText: /^2 games found$/ }).waitFor();
  await page.getByRole('combobox', { name: 'Result' }).selectOption('0-1');
  await counted(page, 1);
  assert.match(page.url(), /player=ann/);
  await page.reload();
  await rows(page).first().waitFor();
  await counted(page, 1);
  await page.getByRole('button', { name: 'Clear search' }).click();
  await page.getByLabel('Opening or ECO code').fill('ruy');
  await rows(page).filter({ hasText: 'Ruy Lopez' }).nth(1).waitFor();
  await counted(page, 2);
  await page.getByLabel('Opening or ECO code').fill('C7');
  await page.waitForURL(/opening=C7/);
  await rows(page).first().waitFor();
  await page.getByLabel('Opening or ECO code').fill('');
  // A position belongs to the game it looks like.
  // Like every other box it acts while one types.
  await page.getByLabel('Position').fill('rnbqkbnr/ppp2ppp/4p3/3p4/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0');
  await page.getByLabel('Position').pressSequentially(' 3');
  await page.getByText('Looked for in the game').waitFor();
  await rows(page).filter({ hasText: 'Dora' }).first().waitFor({ state: 'detached' });
  assert.match(await rows(page).first().innerText(), /Bob – Carl/);
});

test('games are deleted, and that can be undone', async () => {
  const page = await open('/library');
  await page.getByLabel('Player').fill('carl');
  await rows(page).filter({ hasText: 'Dora' }).first().waitFor({ state: 'detached' });
  await page.getByRole('checkbox', { name: 'Select Carl – Ann' }).check();
  await page.getByRole('button', { name: 'Delete' }).click();
  await rows(page).filter({ hasText: 'Carl – Ann' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await rows(page).filter({ hasText: 'Carl – Ann' }).waitFor();
});

test('chosen games are saved as PGN', async () => {
  const page = await open('/library');
  await page.getByRole('checkbox', { name: 'Select Carl – Ann' }).check();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as PGN' }).click();
  const text = await readFile(await (await saved).path(), 'utf8');
  assert.match(text, /\[White "Carl"\]/);
  assert.match(text, /Qh4#/);
});

test('a game opens in analysis', async () => {
  const page = await open('/library');
  await rows(page).filter({ hasText: 'Carl – Ann' }).getByRole('button').click();
  await page.waitForURL(/#\/analyse\/\d+/);
});

test('the explorer names the opening and says what was played and how it scored', async () => {
  const page = await open('/library/openings');
  const explorer = page.getByRole('region', { name: 'Moves played from here' });
  await explorer.getByRole('button', { name: 'e4' }).click();
  await explorer.getByText(/King's Pawn/).first().waitFor();
  await explorer.getByRole('button', { name: 'e5' }).click();
  assert.match(page.url(), /line=e2e4(,|%2C)e7e5/);
  await explorer.getByRole('button', { name: 'Nf3' }).waitFor();
  const bar = explorer.getByRole('row', { name: /Nf3/ }).getByRole('img');
  assert.match(await bar.getAttribute('aria-label'), /White 50 %, draw 0 %, Black 50 %/);
  await page.getByRole('button', { name: 'One move back' }).click();
  await explorer.getByRole('button', { name: 'c5' }).waitFor();
});

test('an empty library leads on, junk is no game, and what is lost of one is told with its place', async () => {
  const site = await serve();
  try {
    const page = await open('/library', { from: site });
    await page.getByRole('link', { name: 'Play a game' }).waitFor();
    await page.locator('.empty').getByRole('button', { name: 'Choose a file' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('textarea').fill('Dear sir, this is no game.');
    await dialog.getByRole('button', { name: 'Load', exact: true }).click();
    await dialog.getByRole('alert').filter({ hasText: 'neither a position nor moves of a game' }).waitFor();
    await dialog.locator('textarea').fill('[White "Ann"]\n[Date "????.??.??"]\n\n1. e4 e5\n2. Nf3 {good Nc6 3. Bb5 *\n');
    await dialog.getByRole('button', { name: 'Load', exact: true }).click();
    await dialog.getByText('1 game loaded').waitFor();
    assert.match(await dialog.getByRole('listitem').innerText(), /line 5, column 8/);
    await page.keyboard.press('Escape');
    const row = await rows(page).first().innerText();
    assert.match(row, /Ann – unnamed/);
    assert.doesNotMatch(row, /\?/);
  } finally {
    await site.stop();
  }
});

test('27: a game pasted or dropped anywhere opens', async () => {
  const page = await open('/settings');
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData('text', '1. e4 e5 2. Nf3 Nc6 *');
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await page.waitForURL(/#\/analyse\/\d+/);
  await visit(page, '/engines');
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'], 'position.fen'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await page.waitForURL(/#\/analyse\/\d+/);
});

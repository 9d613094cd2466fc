// Points 21 to 27 and 30: moves, graph, report, and everything by key and ear.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, here, moves, rows, study } from './analyse.mjs';
import { boardOf, byMouse, tabTo } from './board.mjs';
import { visit } from './driver.mjs';

const BRANCHED = '1. e4 e5 (1... c5 2. Nf3 d6) (1... e6) 2. Nf3 Nc6 3. Bb5 a6 *';

test('21: keys step, pick among variations, jump to branches; ? lists them', async () => {
  const { page } = await study({ text: BRANCHED });
  await page.keyboard.press('Home');
  assert.equal(await here(page), '');
  for (const [key, text] of [
    ['ArrowRight', 'e4'], ['ArrowRight', 'e5'], ['ArrowDown', '1…c5'], ['ArrowDown', '1…e6'], ['ArrowUp', '1…c5'], ['ArrowUp', 'e5'],
    ['End', 'a6'], ['Shift+ArrowLeft', 'e4'], ['ArrowLeft', ''],
  ]) {
    await page.keyboard.press(key);
    await at(page, text);
  }
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('Previous branch').waitFor();
  // A command with two keys is listed once, with both.
  const redo = page.getByRole('dialog').locator('section', { hasText: 'Previous branch' }).locator('div', { has: page.locator('dt', { hasText: /^Redo$/ }) });
  assert.equal(await redo.locator('dt').count(), 1);
  assert.match((await redo.innerText()).replace(/\s+/g, ' '), /Ctrl Y or Ctrl ⇧ Z/);
  await page.keyboard.press('Escape');
});

test('22: Space plays the best move, F1 to F4 the first four choices', async () => {
  const { page } = await study({ engines: ['flood'], lines: 4 });
  await rows(page).nth(3).waitFor();
  await page.keyboard.press('F4');
  await at(page, 'Nf3');
  await page.keyboard.press('ArrowLeft');
  await at(page, '');
  await page.locator('li:not(.old) .score').first().waitFor();
  await page.keyboard.press('Space');
  // A variation beside the knight's move.
  await at(page, '1.e4');
});

test('23: the menu of a move promotes, makes the main line, copies and deletes', async () => {
  const { page } = await study({ text: BRANCHED });
  const menu = async (move, item) => {
    await moves(page).filter({ hasText: move }).first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: item }).click();
  };
  await menu('1…c5', 'Make it the main line');
  await page.waitForFunction(() => [...document.querySelectorAll('.tree .cell [data-node]')].map((e) => e.textContent.trim()).join(' ').startsWith('e4 c5 Nf3 d6'));
  await menu('1…e6', 'Copy the variation');
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^1\. e4 e6$/);
  await menu('1…e6', 'Promote the variation');
  await menu('1…e6', 'Delete from here');
  await moves(page).filter({ hasText: 'e6' }).first().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await moves(page).filter({ hasText: 'e6' }).first().waitFor();
});

test('24: keys 1 to 6 set glyphs, shown in the moves and on the square', async () => {
  const { page } = await study({ text: '1. e4 e5 *' });
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await at(page, 'e4');
  for (const [key, sign] of [['1', '!!'], ['2', '!'], ['3', '!?'], ['4', '?!'], ['5', '?'], ['6', '??']]) {
    await page.keyboard.press(key);
    await page.waitForFunction((s) => document.querySelector('.overlay .mark text')?.textContent === s, sign);
    assert.equal(await page.locator('.tree [aria-current] b').innerText(), sign);
  }
  await page.keyboard.press('0');
  await page.waitForFunction(() => !document.querySelector('.overlay .mark'));
});

test('the words of a comment are words, whatever had the focus; changes are undone and redone, never the wrong one', async () => {
  const { page } = await study({ text: BRANCHED });
  const words = page.getByRole('textbox', { name: 'Comment' });
  await moves(page).first().click();
  await page.keyboard.press('c');
  await page.keyboard.type('flat 2 fix');
  assert.equal(await words.inputValue(), 'flat 2 fix');
  await page.keyboard.press('Escape');
  await page.locator('.tree .words', { hasText: 'flat 2 fix' }).waitFor();
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  assert.ok(await words.evaluate((box) => box === document.activeElement));
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.tree b').count(), 0);
  // After another change the notice does not offer to undo that one.
  await moves(page).filter({ hasText: '1…e6' }).click();
  // The head names the opening of where one looks.
  await page.getByText(/French Defen[cs]e/).waitFor();
  await page.keyboard.press('Delete');
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.waitFor();
  await page.keyboard.press('1');
  await undo.waitFor({ state: 'detached' });
  await page.locator('.tree b').waitFor();
  await page.keyboard.press('Control+z');
  await page.locator('.tree b').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+Shift+Z');
  await page.locator('.tree b').waitFor();
});

test('where the game is over, that is said, and the bar shows the result', async () => {
  const { page } = await study({ text: '1. f3 e5 2. g4 Qh4# 0-1', engines: ['flood'] });
  await rows(page).first().waitFor();
  await page.keyboard.press('End');
  await page.locator('section.engine', { hasText: 'Black wins, by checkmate' }).waitFor();
  assert.equal(await page.getByText('The engine failed').count(), 0);
  const bar = page.getByRole('meter', { name: 'Evaluation' });
  assert.deepEqual([await bar.getAttribute('aria-valuenow'), (await bar.innerText()).trim()], ['0', '0–1']);
  await page.keyboard.press('ArrowLeft');
  await rows(page).first().waitFor();
});

test('all analyses are listed: found, renamed, deleted, brought back', async () => {
  const { page, ask } = await study({ text: '[White "Ann"]\n[Black "Bob"]\n\n1. e4 *' });
  for (let i = 0; i < 9; i++) await ask({ ask: 'new-study', start: { game: 'gyges', rules: '', position: '' }, title: `Later ${i}` });
  await page.getByRole('button', { name: 'Analyses' }).click();
  await page.getByRole('menuitem', { name: /All analyses/ }).click();
  const list = page.getByRole('list', { name: 'Analyses' }).getByRole('listitem');
  await list.nth(9).waitFor();
  await page.getByRole('searchbox').fill('ann chess');
  await list.nth(1).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Rename Ann – Bob' }).click();
  await page.getByRole('textbox', { name: 'Name of the analysis' }).fill('Annual');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Delete Annual' }).click();
  await page.getByText('No analysis is called that.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await list.filter({ hasText: 'Annual' }).getByRole('link').click();
  await page.waitForURL(/#\/analyse\/\d+/);
  await page.getByRole('button', { name: 'More', exact: true }).first().click();
  await page.getByRole('menuitem', { name: 'Names of the players' }).click();
  await page.getByRole('dialog').getByLabel('White').fill('Zoë');
  await page.keyboard.press('Enter');
  await page.locator('.tag', { hasText: 'Zoë' }).waitFor();
});

test('25, 26: a report fills the graph while it runs, can be cancelled, and counts lead to mistakes', async () => {
  const { page } = await study({ text: '1. f3 e5 2. g4 Qh4# 0-1' });
  await page.getByRole('tab', { name: 'Report' }).click();
  // One that takes long is cancelled.
  await page.getByLabel('Time for a move').selectOption('10');
  await page.getByRole('button', { name: 'Make a report' }).click();
  await page.getByText(/\d+ of \d+ positions/).waitFor();
  await page.locator('.report').getByRole('button', { name: 'Cancel' }).click();
  const again = page.getByRole('button', { name: /Make (a report|it again)/ });
  await again.waitFor();
  await page.getByLabel('Time for a move').selectOption('0.1');
  await again.click();
  const graph = page.getByRole('slider', { name: 'Win chance by move' });
  await graph.waitFor();
  await page.getByRole('cell', { name: 'Accuracy' }).waitFor();
  // A count leads to the next mistake of that side.
  const blunders = page.getByRole('row', { name: 'Blunders' }).getByRole('button').first();
  await page.waitForFunction(() => !document.querySelector('.report progress'));
  assert.ok(Number(await blunders.innerText()) >= 1);
  await page.keyboard.press('Home');
  await blunders.click();
  await page.waitForFunction(() => document.querySelectorAll('.tree [aria-current]').length === 1 || document.querySelector('.report'));
  // Click, drag, hover and keys on the graph.
  const box = await graph.boundingBox();
  await page.mouse.click(box.x + box.width - 2, box.y + box.height / 2);
  assert.equal(await graph.getAttribute('aria-valuenow'), '4');
  await page.mouse.move(box.x + box.width - 4, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 2, box.y + 20, { steps: 5 });
  await page.mouse.up();
  await page.waitForFunction(() => document.querySelector('.graph [role=slider]').getAttribute('aria-valuenow') === '0');
  await page.mouse.move(box.x + box.width / 2, box.y + 20);
  await page.locator('.tip', { hasText: /White \d+ %/ }).waitFor();
  assert.ok((await page.locator('.graph circle.bad, .graph circle.warn').count()) >= 1);
  await page.mouse.move(10, 10);
  await graph.focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.querySelector('.graph [role=slider]').getAttribute('aria-valuenow') === '1');
  // The moves have its glyphs.
  await page.getByRole('tab', { name: 'Moves' }).click();
  await page.locator('.tree b', { hasText: '??' }).first().waitFor();
});

test('27: keys copy position and game; a reload loses nothing', async () => {
  const { page } = await study({ text: BRANCHED });
  await page.keyboard.press('End');
  await at(page, 'a6');
  await page.keyboard.press('Control+c');
  await page.getByText('Copied').first().waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^r1bqkbnr\/1ppp1ppp\/p1n5\/1B2p3\/4P3\/5N2\/PPPP1PPP\/RNBQK2R w/);
  await page.keyboard.press('Control+Shift+C');
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes('1... c5'));
  await page.reload();
  await at(page, 'a6');
  assert.equal(await moves(page).count(), 10);
});

test('30: the board is a grid, moves are typed, the evaluation is read on demand, engine text is silent', async () => {
  const { page } = await study({ engines: ['flood'] });
  await rows(page).first().waitFor();
  const grid = boardOf(page);
  assert.equal(await grid.getByRole('row').count(), 8);
  assert.equal(await grid.getByRole('gridcell').count(), 64);
  assert.equal(await grid.getByRole('gridcell', { name: 'b1, white knight' }).count(), 1);
  assert.equal(await grid.locator('[tabindex="0"]').count(), 1);
  assert.equal(await page.locator('section.engine ul').getAttribute('aria-live'), 'off');
  await page.keyboard.press('v');
  await page.getByRole('status').filter({ hasText: /Evaluation .*, best e4, depth \d+/ }).first().waitFor();
  await page.keyboard.press('i');
  await page.keyboard.type('Nf3');
  await page.keyboard.press('Enter');
  await at(page, 'Nf3');
  // The move is told in the polite region of the board.
  await page.locator('[aria-live=polite]', { hasText: 'Nf3' }).first().waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
  await tabTo(page, () => document.activeElement?.hasAttribute('data-square'));
  await page.keyboard.press('l');
  await page.locator('[aria-live=polite]', { hasText: 'last move: Nf3' }).waitFor({ state: 'attached' });
});

test('an analysis goes on after the page was away', async () => {
  const { page, id } = await study({ engines: ['flood'] });
  await rows(page).first().waitFor();
  await byMouse(page, ['e2', 'e4']);
  await at(page, 'e4');
  await visit(page, '/settings');
  await visit(page, `/analyse/${id}`);
  await moves(page).first().waitFor();
  await page.keyboard.press('End');
  await at(page, 'e4');
  await page.reload();
  await at(page, 'e4');
  await rows(page).first().waitFor();
});

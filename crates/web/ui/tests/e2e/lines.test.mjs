// Points 1 to 10: engine lines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, moves, rows, study } from './analyse.mjs';
import { byMouse } from './board.mjs';
import { visit } from './driver.mjs';

const NUMBERS = /depth (\d+)\/(\d+) · .* nodes · .*\/s · hash \d+ %/;

test('1: lines change at most eight times a second, and stand still under the pointer', async () => {
  const { page } = await study({ engines: ['flood'], lines: 4 });
  await rows(page).nth(3).waitFor();
  const changes = await page.evaluate(
    () =>
      new Promise((done) => {
        let n = 0;
        const watch = new MutationObserver(() => (n += 1));
        watch.observe(document.querySelector('section.engine .numbers'), { characterData: true, childList: true, subtree: true });
        setTimeout(() => {
          watch.disconnect();
          done(n);
        }, 3000);
      }),
  );
  // The engine says 100 lines a second.
  assert.ok(changes >= 6 && changes <= 26, `${changes} changes in three seconds`);
  await page.locator('section.engine ul').hover();
  const before = await rows(page).allInnerTexts();
  const numbers = await page.locator('.numbers').innerText();
  await page.waitForFunction((old) => document.querySelector('.numbers').textContent !== old, numbers);
  assert.deepEqual(await rows(page).allInnerTexts(), before);
});

test('1: what the engine said last before bestmove is shown', async () => {
  const { page, ids } = await study({ engines: ['flood'], lines: 4, seconds: 1 });
  await page.locator('.progress.running').waitFor();
  await page.locator('.progress:not(.running)').waitFor();
  const told = await page.evaluate(async (id) => (await fetch(`./log/${id}.txt`)).text(), ids[0]);
  const last = [...told.matchAll(/< info depth (\d+)/g)].at(-1)[1];
  const [, shown] = NUMBERS.exec(await page.locator('.numbers').innerText());
  assert.equal(shown, last);
});

test('2: a small board shows where a move of a line leads; the wheel steps along it', async () => {
  const { page } = await study({ engines: ['builtin'] });
  const move = rows(page).first().locator('[data-i="1"]');
  await move.hover();
  const preview = page.locator('.preview svg').first();
  await preview.waitFor();
  const before = await page.locator('.preview').innerHTML();
  await page.mouse.wheel(0, 120);
  await page.waitForFunction((old) => document.querySelector('.preview')?.innerHTML !== old, before);
});

test('3: a click on a move of a line plays all moves up to it', async () => {
  const { page } = await study({ engines: ['flood'] });
  const line = rows(page).filter({ hasText: 'Nc6' }).first();
  await line.locator('[data-i="2"]').click();
  await moves(page).nth(2).waitFor();
  assert.deepEqual((await moves(page).allInnerTexts()).map((text) => text.trim()), ['e4', 'e5', 'Nf3']);
});

test('4: a line opens to its whole length, and can be copied with engine and score', async () => {
  const { page } = await study({ engines: ['flood'] });
  const line = rows(page).first();
  await line.hover();
  await line.getByRole('button', { name: 'Whole line' }).click();
  await line.getByRole('button', { name: 'Short line' }).waitFor();
  await line.getByRole('button', { name: 'Copy this line' }).click();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(text, /^Odd flood [+−]?\d+\.\d\d depth \d+: e4 e5 Nf3 Nc6/);
});

test('5: the score changes between centipawns and win, draw, loss; a setting says whose view', async () => {
  const { page, ask } = await study({ engines: ['bounds'], position: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' });
  const score = rows(page).first().locator('.score');
  await score.filter({ hasText: '+0.31' }).waitFor();
  await score.click();
  await score.filter({ hasText: /\d+ \/ \d+ \/ \d+/ }).waitFor();
  await score.click();
  await score.filter({ hasText: '+0.31' }).waitFor();
  await page.keyboard.press('ArrowRight');
  await byMouse(page, ['e2', 'e4']);
  await at(page, 'e4');
  // The engine says 31 for the side to move, which is Black now.
  await score.filter({ hasText: '−0.31' }).waitFor();
  await ask({ ask: 'remember', name: 'view', value: '"mover"' });
  await score.filter({ hasText: '+0.31' }).waitFor();
  await ask({ ask: 'remember', name: 'view', value: '"white"' });
});

test('6: lines of an older search are grey, bounds are never shown as scores', async () => {
  const { page } = await study({ engines: ['late'] });
  await rows(page).first().waitFor();
  await byMouse(page, ['e2', 'e4']);
  await at(page, 'e4');
  await page.locator('li.old').first().waitFor();
  await page.getByText('From the search before').waitFor();
  await page.locator('li.old').first().waitFor({ state: 'detached' });
  const { page: other } = await study({ engines: ['bounds'] });
  const score = rows(other).first().locator('.score');
  await score.waitFor();
  await other.waitForTimeout(600);
  assert.equal((await score.innerText()).trim(), '+0.31');
});

test('6: lines and bar belong to the position they were computed for', async () => {
  // In its first search it says lines, afterwards nothing.
  const { page, ask } = await study({ engines: ['once'], text: '1. d4 d5 *' });
  await page.keyboard.press('Home');
  await at(page, '');
  const line = rows(page).filter({ hasText: 'Nc6' }).first();
  await line.waitFor();
  const bar = page.getByRole('meter', { name: 'Evaluation' });
  await page.waitForFunction(() => /\d/.test(document.querySelector('[role=meter]').getAttribute('aria-valuetext')));
  await page.keyboard.press('ArrowRight');
  await at(page, 'd4');
  await page.locator('li.old').first().waitFor();
  assert.equal(await bar.getAttribute('aria-valuetext'), 'No evaluation yet');
  assert.equal((await bar.innerText()).trim(), '');
  // Where one looks is after the first move; the line begins with that move's number all the same.
  assert.match(await line.innerText(), /1\.\s*e4\s+e5/);
  await page.keyboard.press('ArrowLeft');
  await at(page, '');
  assert.match(await bar.getAttribute('aria-valuetext'), /\d/);
  await page.keyboard.press('ArrowRight');
  await at(page, 'd4');
  // A click plays it where it belongs.
  await line.locator('[data-i="1"]').click();
  await page.waitForFunction(() => document.querySelectorAll('.tree [data-node]').length === 4);
  assert.match(await page.locator('.tree .line').innerText(), /e4\s+e5/);
  const { of: other } = await ask({ ask: 'paste', text: '8/8/4k3/8/8/8/8/4K2R w - - 0 1', game: 'chess' });
  await visit(page, `/analyse/${other.study}`);
  await page.waitForFunction(() => document.querySelectorAll('[data-square=e6][aria-label*=king]').length === 1);
  await page.locator('.progress.running').waitFor();
  assert.equal(await rows(page).count(), 0);
  assert.equal(await bar.getAttribute('aria-valuetext'), 'No evaluation yet');
});

test('7: the header has depth, nodes, speed and hash; a bar runs; deeper goes on', async () => {
  const { page } = await study({ engines: ['flood'], seconds: 1 });
  await page.locator('.progress.running').waitFor();
  await rows(page).first().waitFor();
  assert.match(await page.locator('.numbers').innerText(), NUMBERS);
  const deeper = page.getByRole('button', { name: 'Go deeper' });
  await page.locator('.progress:not(.running)').waitFor();
  await deeper.click();
  await page.locator('.progress.running').waitFor();
  await page.waitForTimeout(1500);
  assert.equal(await page.locator('.progress.running').count(), 1);
});

test('8: several engines at once, each with its colour, in the order of the user', async () => {
  const { page } = await study({ engines: ['flood', 'late'] });
  const engines = page.locator('section.engine');
  await engines.nth(1).locator('li:not(.blank)').first().waitFor();
  const colour = (i) => engines.nth(i).locator('.colour').evaluate((e) => getComputedStyle(e).backgroundColor);
  assert.notEqual(await colour(0), await colour(1));
  await page.locator('.arrow.kind-1').first().waitFor({ state: 'attached' });
  await page.locator('.arrow.kind-2').first().waitFor({ state: 'attached' });
  const first = () => engines.nth(0).locator('strong').innerText();
  assert.equal(await first(), 'Odd flood');
  await engines.nth(1).locator('header').dragTo(engines.nth(0).locator('header'));
  await page.waitForFunction(() => document.querySelector('section.engine strong').textContent === 'Odd late');
  await engines.nth(1).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Move this engine to the front' }).click();
  await page.waitForFunction(() => document.querySelector('section.engine strong').textContent === 'Odd flood');
});

test('9: one click limits the search to a move, another takes that back', async () => {
  const { page, ids } = await study({ engines: ['flood'] });
  await rows(page).nth(1).waitFor();
  await rows(page).nth(1).hover();
  await rows(page).nth(1).getByRole('button', { name: 'Search only this move' }).click();
  // As people write it, not as engines do.
  await page.getByText(/^Only (?![a-h]\d[a-h]\d)\S/).waitFor();
  await page.waitForTimeout(500);
  const told = await page.evaluate(async (id) => (await fetch(`./log/${id}.txt`)).text(), ids[0]);
  assert.match(told, /> go .*searchmoves d2d4/);
  await page.getByRole('button', { name: 'Search all moves again' }).first().click();
  await page.getByText(/^Only /).waitFor({ state: 'detached' });
});

test('10: one key shows what the other side threatens, in games where one may ask', async () => {
  const { page } = await study({ engines: ['builtin'], position: '4k3/8/8/8/8/3q4/8/4K2R w - - 0 1' });
  await rows(page).first().waitFor();
  await page.keyboard.press('x');
  await page.getByText('What the other side threatens').waitFor();
  await page.locator('.arrow.kind-threat').first().waitFor({ state: 'attached' });
  await page.keyboard.press('x');
  await page.getByText('What the other side threatens').waitFor({ state: 'detached' });
  const { page: gyges } = await study({ engines: ['builtin'], game: 'gyges' });
  await gyges.keyboard.press('x');
  assert.equal(await gyges.getByText('What the other side threatens').count(), 0);
});

// Points 11 to 20: the board.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, here, moves, rows, study } from './analyse.mjs';
import { boardOf, byMouse, click, drag, gyges } from './board.mjs';

const arrows = (page) => page.locator('.overlay .arrow');
const THREE = '1. e4 e5 2. Nf3 Nc6 3. Bb5 *';

test('11: arrows for the best lines, the best one distinct, wide as they are good; a key', async () => {
  const { page } = await study({ engines: ['flood'], lines: 4 });
  await arrows(page).nth(2).waitFor({ state: 'attached' });
  assert.equal(await page.locator('.overlay .arrow.best').count(), 1);
  const width = (which) => page.locator(which).first().evaluate((e) => e.getBBox().width * e.getBBox().height);
  assert.ok((await width('.arrow.best path')) > 0);
  const look = (which) => page.locator(which).first().evaluate((e) => getComputedStyle(e).opacity);
  assert.notEqual(await look('.arrow.best'), await look('.arrow:not(.best)'));
  await page.keyboard.press('a');
  await page.waitForFunction(() => document.querySelectorAll('.overlay .arrow').length === 0);
  await page.keyboard.press('a');
  await arrows(page).first().waitFor({ state: 'attached' });
});

test('12: arrowheads can carry a number, and a click on a head plays the move', async () => {
  const { page, ask } = await study({ engines: ['flood'], lines: 2 });
  for (const [heads, pattern] of [['rank', /^1$/], ['win', /^\d+$/], ['score', /^[+−]\d\.\d\d$/]]) {
    await ask({ ask: 'remember', name: 'heads', value: JSON.stringify(heads) });
    await page.waitForFunction((source) => new RegExp(source).test(document.querySelector('.arrow.best .head text')?.textContent ?? ''), pattern.source);
  }
  await page.locator('.arrow.best .head').click();
  await at(page, 'e4');
  await ask({ ask: 'remember', name: 'heads', value: '"none"' });
});

test('13: a piece that is picked shows only its moves, with the engine’s view of each', async () => {
  const { page } = await study({ engines: ['flood'], lines: 4 });
  await arrows(page).nth(2).waitFor({ state: 'attached' });
  await click(page, 'g1');
  await page.waitForFunction(() => document.querySelectorAll('.overlay .arrow').length === 1);
  await page.locator('.arrow .head text').filter({ hasText: /\d\.\d\d/ }).waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
});

test('15: arrows and circles are drawn with the right button, coloured by keys, kept in the record', async () => {
  const { page, ask, id } = await study();
  await drag(page, 'e2', 'e4', { button: 'right' });
  await page.locator('.shape.green path').waitFor({ state: 'attached' });
  await page.keyboard.down('Shift');
  await drag(page, 'd7', 'd7', { button: 'right' });
  await page.keyboard.up('Shift');
  await page.waitForFunction(() => document.querySelectorAll('.shape').length === 2);
  const { of: text } = await ask({ ask: 'export', study: id, node: null });
  assert.match(text, /\[%cal G?e2e4|\[%cal Ge2e4/);
  assert.match(text, /\[%csl [RGBY]d7/);
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll('.shape').length === 2);
});

test('15: keys go on working after an arrow was drawn, or any button pressed on the board', async () => {
  const { page } = await study({ text: THREE });
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await at(page, 'e4');
  await drag(page, 'd2', 'd5', { button: 'right' });
  await page.locator('.shape path').waitFor({ state: 'attached' });
  await page.keyboard.press('3');
  await page.locator('.overlay .mark').waitFor({ state: 'attached' });
  await page.keyboard.press('ArrowLeft');
  await at(page, '');
  await drag(page, 'd2', 'd2', { button: 'middle' });
  await page.keyboard.press('ArrowRight');
  await at(page, 'e4!?');
  // One that is dragged off the board is not drawn, and does not stick to the pointer.
  const box = await boardOf(page).boundingBox();
  await page.mouse.move(box.x + box.width / 3, box.y + box.height / 3);
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(box.x - 30, box.y + box.height / 3, { steps: 4 });
  await page.mouse.up({ button: 'right' });
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  assert.equal(await page.locator('.shape').count(), 1);
});

test('16: the wheel over the board goes through the moves', async () => {
  const { page } = await study({ text: THREE });
  await page.keyboard.press('Home');
  const box = await boardOf(page).boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.wheel(0, 100);
  await at(page, 'e4');
  await page.mouse.wheel(0, 100);
  await at(page, 'e5');
  await page.mouse.wheel(0, -100);
  await at(page, 'e4');
});

test('17: F turns the board; the bar keeps its value while a new search begins', async () => {
  const { page } = await study({ engines: ['late'] });
  await rows(page).first().waitFor();
  const top = (square) => boardOf(page).locator(`[data-square=${square}]`).evaluate((e) => e.getBoundingClientRect().top);
  assert.ok((await top('a8')) < (await top('a1')));
  await page.keyboard.press('f');
  await page.waitForFunction(() => {
    const y = (square) => document.querySelector(`[data-square=${square}]`).getBoundingClientRect().top;
    return y('a8') > y('a1');
  });
  const bar = page.getByRole('meter', { name: 'Evaluation' });
  const before = await bar.getAttribute('aria-valuenow');
  assert.notEqual(before, '50');
  await byMouse(page, ['e2', 'e4']);
  await at(page, 'e4');
  await page.locator('li.old').first().waitFor();
  assert.equal(await bar.getAttribute('aria-valuenow'), before);
});

test('18: choices appear next to the piece, with keys', async () => {
  const { page } = await study({ position: '8/P6k/7p/8/8/8/6K1/8 w - - 0 1' });
  await byMouse(page, ['a7', 'a8']);
  const choice = page.getByRole('group', { name: 'Choose' });
  await choice.waitFor();
  assert.equal(await choice.getByRole('button').count(), 4);
  const [menu, square] = [await choice.boundingBox(), await boardOf(page).locator('[data-square=a8]').boundingBox()];
  assert.ok(Math.abs(menu.y - square.y) < 2 * square.height && Math.abs(menu.x - square.x) < 5 * square.width);
  await page.keyboard.press('n');
  await at(page, 'a8=N');
  // Leiserchess: turning; Gyges: where the piece that was there goes.
  const { page: laser } = await study({ game: 'leiser' });
  await byMouse(laser, ['h4']);
  await laser.getByRole('group', { name: 'Choose' }).getByRole('button', { name: 'Turn right' }).waitFor();
  await laser.keyboard.press('r');
  await moves(laser).first().waitFor();
  const { page: stones } = await study({ game: 'gyges' });
  await byMouse(stones, gyges('3|4|21'));
  await moves(stones).first().waitFor();
});

test('19: a laser is drawn along its whole path and the zapped piece marked', async () => {
  const { page } = await study({ game: 'leiser', position: '7ww/8/8/1SE3ne2/8/8/8/NN7 W', still: false });
  await byMouse(page, ['b4', 'a4']);
  await page.locator('path.shot').first().waitFor({ state: 'attached' });
  // From the King on a0 to a4, there to the east, to the Pawn on f4.
  const shot = await page.locator('path.shot').first().getAttribute('d');
  assert.equal(shot.match(/[ML]/g).length, 10);
  assert.ok((await page.locator('circle.burst').count()) >= 1);
  assert.match(await page.locator('path.shot').first().evaluate((e) => getComputedStyle(e).animationName), /fire/);
});

test('19: the bounces of Gyges are numbered and played in order', async () => {
  const { page } = await study({ game: 'gyges', position: '001000/103020/000001/300000/002000/120332', still: false });
  await byMouse(page, gyges('2|37'));
  await page.locator('.hop').nth(1).waitFor({ state: 'attached' });
  assert.deepEqual(await page.locator('.hop text').allTextContents(), ['1', '2']);
  await page.locator('path.way').waitFor({ state: 'attached' });
});

test('Gyges: a replaced piece asks for its place in words, and stays in sight; the way over others is shown', async () => {
  const { page } = await study({ game: 'gyges' });
  await byMouse(page, ['d1']);
  const over = async (square) => {
    const box = await boardOf(page).locator(`[data-square=${square}]`).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  };
  // One step, and two more over the piece it lands on.
  await over('e3');
  await page.locator('.hop').first().waitFor({ state: 'attached' });
  assert.deepEqual(await page.locator('.hop text').allTextContents(), ['1']);
  await byMouse(page, ['e1']);
  await page.locator('.prompt', { hasText: 'Place the piece with two rings from e1' }).waitFor();
  // What is said is what is drawn.
  assert.equal(await boardOf(page).getByRole('gridcell', { name: 'e1, piece with one ring' }).count(), 1);
  await page.locator('.status', { hasText: 'e1, piece with one ring' }).waitFor();
  const [held, square] = [await page.locator('.man.lifted').boundingBox(), await boardOf(page).locator('[data-square=e1]').boundingBox()];
  assert.ok(held.y < square.y - 2, 'the replaced piece is not under the other one');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.locator('.prompt').waitFor({ state: 'detached' });
  assert.equal(await boardOf(page).getByRole('gridcell', { name: 'e1, piece with two rings' }).count(), 1);
  await byMouse(page, ['d1', 'e1', 'd4']);
  await moves(page).first().waitFor();
});

test('20: a board of 20 by 20 stays readable: letters keep their size, zoom, the square is named', async () => {
  const pawns = 'p'.repeat(20);
  const back = `rnbq${'k'}bnr`.padEnd(20, 'n');
  const empty = Array(16).fill('20').join('/');
  const position = `${back}/${pawns}/${empty}/${pawns.toUpperCase()}/${back.toUpperCase()} w - - 0 1`;
  const { page } = await study({ game: 'liberty', position, width: 1100, height: 640 });
  await boardOf(page).locator('[data-square=t20]').waitFor();
  const letter = page.locator('svg text', { hasText: /^[a-t]$/ }).first();
  const height = (await letter.boundingBox()).height;
  assert.ok(height >= 9, `letters are ${height} pixels high`);
  await boardOf(page).locator('[data-square=t1]').hover();
  await page.locator('.status', { hasText: 't1, white knight' }).waitFor();
  const before = (await boardOf(page).locator('[data-square=j10]').boundingBox()).width;
  await page.getByRole('button', { name: 'Larger' }).click();
  await page.waitForFunction((old) => document.querySelector('[data-square=j10]').getBoundingClientRect().width > 1.3 * old, before);
  await page.getByRole('button', { name: 'Whole board' }).click();
  await page.waitForFunction((old) => Math.abs(document.querySelector('[data-square=j10]').getBoundingClientRect().width - old) < 1, before);
  assert.equal(await here(page), '');
});

// The acceptance points of moves, graph and report.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { game, nodes, now, paste } from './analysis.mjs';
import { boardOf, drag } from './board.mjs';
import { open, visit } from './driver.mjs';

test('15, 16, 17: drawing, the wheel, flipping', async () => {
  const page = await game();
  const draw = async (from, to, keys = []) => {
    for (const key of keys) await page.keyboard.down(key);
    if (to) await drag(page, from, to, { button: 'right' });
    else await page.locator(`[data-square="${from}"]`).click({ button: 'right' });
    for (const key of keys) await page.keyboard.up(key);
  };
  await draw('e2', 'e4');
  await draw('d5', null, ['Shift']);
  await page.locator('.shape.green path').waitFor({ state: 'attached' });
  await page.locator('.shape.red circle').waitFor({ state: 'attached' });
  await page.reload();
  await page.locator('.shape.red circle').waitFor({ state: 'attached' });
  await page.keyboard.press('Control+Shift+C');
  await page.waitForFunction(async () => /%cal Ge2e4/.test(await navigator.clipboard.readText()));
  await boardOf(page).hover();
  await page.mouse.wheel(0, 100);
  await now(page).waitFor();
  assert.equal(await now(page).innerText(), 'e4');
  await page.mouse.wheel(0, -100);
  await page.waitForFunction(() => !document.querySelector('.tree [aria-current]'));
  const top = () => page.locator('[data-square]').first().getAttribute('data-square');
  assert.equal(await top(), 'a8');
  await page.keyboard.press('f');
  assert.equal(await top(), 'h1');
});

test('20: a board of 20 by 20 is readable: it grows, its letters do not, the square is named', async () => {
  const rank = 'rnabqkbcnrmuehzlxiwo';
  const text = `${rank}/${'p'.repeat(20)}/${Array(16).fill('20').join('/')}/${'P'.repeat(20)}/${rank.toUpperCase()} w - - 0 1`;
  const page = await open('/', { width: 1000, height: 640 });
  await visit(page, `/analyse?game=liberty&position=${encodeURIComponent(text)}`);
  await boardOf(page).waitFor();
  const letters = () => page.locator('.board text').first().evaluate((e) => getComputedStyle(e).fontSize);
  const size = async () => (await page.locator('[data-square="j10"]').boundingBox()).width;
  const [was, letter] = [await size(), await letters()];
  await page.getByRole('button', { name: 'Larger' }).click();
  await page.waitForFunction((old) => document.querySelector('[data-square="j10"]').getBoundingClientRect().width > old * 1.3, was);
  assert.equal(await letters(), letter);
  await page.locator('[data-square="j10"]').hover();
  assert.equal((await page.locator('.status').innerText()).trim(), 'j10');
  await page.getByRole('button', { name: 'Whole board' }).click();
  await page.waitForFunction((old) => Math.abs(document.querySelector('[data-square="j10"]').getBoundingClientRect().width - old) < 1, was);
});

test('21: keys go through moves, variations and branches; "?" lists them', async () => {
  const page = await game();
  const at = async () => ((await now(page).count()) ? (await now(page).innerText()).replace(/^\d+(\.|…)\s*/, '') : '');
  const press = async (key, wanted) => {
    await page.keyboard.press(key);
    await page.waitForFunction((move) => (document.querySelector('.tree [aria-current]')?.textContent.replace(/^\d+(\.|…)\s*/, '') ?? '') === move, wanted);
    assert.equal(await at(), wanted);
  };
  await press('ArrowRight', 'e4');
  await press('End', 'Qe7');
  await press('Home', '');
  await press('Shift+ArrowRight', 'd4');
  await press('ArrowRight', 'Bg4');
  await press('ArrowDown', 'exd4');
  await press('ArrowUp', 'Bg4');
  await press('Shift+ArrowLeft', 'd4');
  await press('ArrowLeft', 'd6');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).getByText('One move back').waitFor();
  await page.keyboard.press('Escape');
});

test('23, 24: the menu of a move, glyphs by key on the board, deletion that can be undone', async () => {
  const page = await game();
  const side = page.locator('.tree .line [data-node]', { hasText: 'exd4' });
  await side.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy the variation' }).click();
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).endsWith('3. d4 exd4'));
  await side.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Make it the main line' }).click();
  await page.locator('.tree .cell [data-node]', { hasText: 'exd4' }).click();
  await page.keyboard.press('1');
  await page.locator('.mark.brilliant').waitFor({ state: 'attached' });
  await page.locator('.tree [aria-current] b', { hasText: '!!' }).waitFor();
  const before = await nodes(page).count();
  await page.keyboard.press('Delete');
  await page.waitForFunction((n) => document.querySelectorAll('.tree [data-node]').length < n, before);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction((n) => document.querySelectorAll('.tree [data-node]').length === n, before);
});

test('25, 26: a report fills the graph as it goes; its counts and its points lead to moves', async () => {
  const page = await game();
  await page.getByRole('tab', { name: 'Report' }).click();
  await page.locator('.report select').nth(1).selectOption({ index: 0 });
  await page.getByRole('button', { name: 'Make a report' }).click();
  const graph = page.getByRole('slider', { name: 'Win chance by move' });
  await graph.waitFor({ timeout: 60_000 });
  await page.locator('.report tr.main').waitFor({ timeout: 60_000 });
  const box = await graph.boundingBox();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 20);
  await page.mouse.down();
  await page.waitForURL(/\/n\d+/);
  const middle = page.url();
  await page.mouse.move(box.x + box.width - 2, box.y + 20, { steps: 5 });
  await page.waitForFunction((old) => location.href !== old, middle);
  await page.mouse.up();
  assert.match(await page.locator('.tip').innerText(), /7… Qe7: .*%/);
  await graph.focus();
  await page.keyboard.press('Home');
  await page.waitForFunction(() => !/\/n\d/.test(location.hash));
});

test('27: what is pasted is opened; position and game are copied by key; a reload loses nothing', async () => {
  const page = await game();
  assert.equal(await page.getByLabel('Name of the analysis').inputValue(), 'Morphy – Isouard');
  await page.keyboard.press('End');
  await page.locator('.tree [aria-current]', { hasText: 'Qe7' }).waitFor();
  await page.keyboard.press('c');
  await page.getByRole('textbox', { name: 'Comment' }).fill('Guards f7.');
  await page.keyboard.press('Escape');
  await page.locator('.tree .words', { hasText: 'Guards f7.' }).waitFor();
  await page.keyboard.press('Control+c');
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith('rn2kb1r/ppp1qppp'));
  await page.reload();
  await page.locator('.tree [aria-current]', { hasText: 'Qe7' }).waitFor();
  await page.keyboard.press('Control+Shift+C');
  await page.waitForFunction(async () => /Guards f7\./.test(await navigator.clipboard.readText()));
  await paste(page, '8/8/8/8/8/4k3/4p3/4K3 w - - 0 1');
  await page.waitForFunction(() => document.querySelectorAll('.men > .man').length === 3);
});

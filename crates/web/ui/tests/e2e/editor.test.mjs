// The position editor, for all four games.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { errors, open, visit } from './driver.mjs';

const cell = (page, square) => page.locator(`[data-square="${square}"]`);
const text = (page) => page.getByLabel('Position as text');

test('pieces are put, moved and taken away by mouse', async () => {
  const page = await open('/editor/chess');
  await cell(page, 'e2').waitFor();
  await page.getByRole('radio', { name: 'Take away' }).click();
  await cell(page, 'a2').click();
  await page.getByRole('radio', { name: 'white queen' }).click();
  await cell(page, 'a2').click();
  await page.waitForFunction(() => document.querySelector('[data-square=a2]').getAttribute('aria-label') === 'a2, white queen');
  await page.getByRole('radio', { name: 'Move pieces' }).click();
  await cell(page, 'a2').dragTo(cell(page, 'a4'));
  await page.waitForFunction(() => document.querySelector('textarea').value.startsWith('rnbqkbnr/pppppppp/8/8/Q7/8/1PPPPPPP/RNBQKBNR'));
  await page.getByRole('button', { name: 'Undo' }).click();
  await cell(page, 'a2').and(page.getByLabel('a2, white queen')).waitFor();
});

test('the keyboard does the same', async () => {
  const page = await open('/editor/chess');
  await cell(page, 'e2').waitFor();
  await cell(page, 'e2').focus();
  await page.keyboard.press('Delete');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Shift+P');
  await page.waitForFunction(() => document.querySelector('textarea').value.startsWith('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/'));
  // Pick up with Enter, put down with Enter.
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('textarea').value.startsWith('rnbqkbnr/pppppppp/8/4P3/8/8/PPPP1PPP/'));
});

test('every error is named at once', async () => {
  const page = await open('/editor/chess');
  await cell(page, 'e8').waitFor();
  await page.getByRole('radio', { name: 'Take away' }).click();
  await cell(page, 'e8').click();
  await page.getByRole('radio', { name: 'white pawn' }).click();
  await cell(page, 'e8').click();
  await page.getByText(/things are wrong/).waitFor();
  const errors = await page.locator('ul[lang=en]').innerText();
  assert.match(errors, /black kings/);
  assert.match(errors, /pawn stands on/);
  assert.equal(await page.getByRole('button', { name: 'Play from here' }).isDisabled(), true);
});

test('a text that cannot be is red and nothing is green; buttons act on what is shown', async () => {
  const page = await open('/editor/chess');
  await cell(page, 'e8').waitFor();
  const good = page.getByText('This position can be played.');
  const play = page.getByRole('button', { name: 'Play from here' });
  await good.waitFor();
  await text(page).fill('8/8/8/8/8/8/8/8 w - - 0 1');
  await page.getByText('not on the board yet').waitFor();
  await play.click();
  await page.getByText('The text was not put on the board').waitFor();
  assert.deepEqual([await good.count(), await play.isDisabled()], [0, true]);
  await text(page).fill('8/8/8/4k3/8/8/4K2R/8 w - - 0 1');
  await play.click();
  await page.waitForURL(/#\/play\?.*4k3/);
  await visit(page, '/editor/liberty');
  await cell(page, 'a1').waitFor();
  await page.getByRole('button', { name: 'Empty board' }).click();
  await page.getByText('The board is empty').waitFor();
  assert.deepEqual([await good.count(), await play.isDisabled()], [0, true]);
});

const POSITIONS = {
  chess: ['8/8/8/4k3/8/8/4K2R/8 w - - 0 1', 'black'],
  liberty: ['4k3/8/8/8/2BpB3/8/8/4K3 w - - 0 1', 'black'],
  leiser: ['7ww/8/8/8/8/8/8/EE6SW W', 'black'],
  gyges: ['001000/103020/000001/300000/002000/120332', 'black'],
};

for (const [game, [position]] of Object.entries(POSITIONS)) {
  test(`${game}: text in and out, the other side to move, a link that keeps it`, async () => {
    const page = await open(`/editor/${game}`);
    await cell(page, game === 'leiser' ? 'a0' : 'a1').waitFor();
    await text(page).fill(position);
    await page.getByRole('button', { name: 'Put it on the board' }).click();
    await page.getByText('This position can be played.').waitFor();
    await page.waitForFunction((p) => document.querySelector('textarea').value.startsWith(p.slice(0, 12)), position);
    await page.getByRole('radio', { name: /^(Black|Lavender|North)$/ }).check();
    await page.waitForFunction((p) => document.querySelector('textarea').value !== p && document.querySelector('textarea').value !== '', position);
    const told = await text(page).inputValue();
    const address = page.url();
    await visit(page, '/settings');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    assert.match(page.url(), /#\/settings$/);
    await page.goto(address);
    await page.waitForFunction((p) => document.querySelector('textarea')?.value === p, told);
    // And on to the analysis.
    await page.getByRole('button', { name: 'Analyse' }).click();
    await page.waitForURL(/#\/analyse\/\d+/);
  });
}

test('a Leiserchess piece is turned with R', async () => {
  const page = await open('/editor/leiser');
  await cell(page, 'h0').waitFor();
  await cell(page, 'h0').focus();
  await page.keyboard.press('r');
  await page.getByLabel('h0, tangerine king facing east').waitFor();
});

test('the board is saved as SVG and as PNG', async () => {
  const page = await open('/editor/leiser');
  await cell(page, 'h0').waitFor();
  const before = errors.length;
  const save = async (name) => {
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name }).click();
    return readFile(await (await saved).path());
  };
  const svg = (await save('Save as SVG')).toString();
  assert.match(svg, /^<svg[^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  assert.doesNotMatch(svg, /var\(--/);
  assert.doesNotMatch(svg, /class=/);
  const png = await save('Save as PNG');
  assert.deepEqual([...png.subarray(1, 4)], [...Buffer.from('PNG')]);
  assert.ok(png.length > 10_000);
  assert.deepEqual(errors.slice(before), []);
});

test('a larger Liberty board', async () => {
  const page = await open('/editor/liberty');
  await cell(page, 'a1').waitFor();
  await page.getByLabel('Board size').fill('12x10');
  await page.getByLabel('Board size').press('Enter');
  await cell(page, 'l10').waitFor();
});

test('rule sets have names of the language, and the box for moves has room at 1024 pixels', async () => {
  const page = await open('/editor/chess', { language: 'ru', width: 1024, height: 768 });
  const rules = page.getByRole('combobox', { name: 'Правила' });
  assert.equal(await rules.locator('option').first().innerText(), 'Шахматы');
  for (const room of ['/analyse?game=chess', '/play']) {
    await visit(page, room);
    if (room === '/play') {
      await page.locator('label.segment', { hasText: 'За одним экраном' }).click();
      await page.getByRole('button', { name: 'Играть', exact: true }).click();
    }
    const box = page.locator('.through input');
    await box.waitFor();
    const { seen, whole } = await box.evaluate((input) => {
      const probe = document.body.appendChild(Object.assign(document.createElement('span'), { textContent: input.placeholder }));
      probe.style.cssText = `position: absolute; white-space: nowrap; font: ${getComputedStyle(input).font}`;
      const whole = probe.offsetWidth;
      probe.remove();
      return { seen: input.clientWidth - 20, whole };
    });
    assert.ok(whole <= seen, `${room}: ${whole} of ${seen} pixels`);
  }
});

// The acceptance points of what engines show on the board and do by key.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analysis, arrows } from './analysis.mjs';
import { click } from './board.mjs';

test('9: the search can be limited to moves', async () => {
  const page = await analysis('chess', { engines: true });
  const second = page.locator('.engine li').nth(1);
  await second.hover();
  const move = await second.locator('.first').innerText();
  await second.getByRole('button', { name: 'Search only this move' }).click();
  await page.locator('.note', { hasText: 'Only' }).waitFor();
  await page.mouse.move(5, 5);
  await page.waitForFunction((wanted) => {
    const lines = document.querySelectorAll('.engine li:not(.blank, .old) .first');
    return lines.length === 1 && lines[0].textContent === wanted;
  }, move);
  await page.getByRole('button', { name: 'Search all moves again' }).first().click();
  await page.waitForFunction(() => document.querySelectorAll('.engine li:not(.blank, .old) .first').length === 3);
});

test('10: the threat is one key away, in games where one may ask', async () => {
  const page = await analysis('chess', { engines: true });
  await page.keyboard.press('x');
  await page.locator('.arrow.kind-threat').first().waitFor({ state: 'attached' });
  await page.keyboard.press('x');
  await page.locator('.arrow.kind-1').first().waitFor({ state: 'attached' });
  const gyges = await analysis('gyges', { engines: true });
  assert.equal(await gyges.getByRole('button', { name: 'Show the threat' }).count(), 0);
});

test('11, 12, 13: arrows by loss, with numbers, pressed to play; a picked piece shows its own', async () => {
  const page = await analysis('chess', { engines: true });
  await arrows(page).first().waitFor({ state: 'attached' });
  assert.equal(await page.locator('.arrow.best').count(), 1);
  await page.keyboard.press('a');
  assert.equal(await arrows(page).count(), 0);
  await page.keyboard.press('a');
  await arrows(page).first().waitFor({ state: 'attached' });
  const from = (await page.locator('.engine li .first').first().innerText()).replace(/^N/, '');
  const square = await page.evaluate(() => document.querySelector('.engine li .first').textContent);
  const origin = { e4: 'e2', d4: 'd2', Nf3: 'g1', c4: 'c2', e3: 'e2', d3: 'd2', Nc3: 'b1' }[square];
  if (origin) {
    await click(page, origin);
    await page.locator('.arrow .head text').first().waitFor({ state: 'attached' });
    assert.match(await page.locator('.arrow .head text').first().textContent(), /[+−\d#]/);
    await click(page, origin);
  }
  assert.ok(from);
  await page.locator('.arrow.best .head').dispatchEvent('click');
  await page.waitForFunction(() => document.querySelectorAll('.tree [data-node]').length === 1);
});

test('22: space plays the best move, F2 the second', async () => {
  const page = await analysis('chess', { engines: true });
  const second = await page.locator('.engine li .first').nth(1).innerText();
  await page.locator('.engine li').nth(1).hover();
  await page.keyboard.press('F2');
  await page.waitForFunction(() => document.querySelectorAll('.tree [data-node]').length === 1);
  assert.ok(second);
  await page.mouse.move(5, 5);
  await page.waitForFunction(() => document.querySelector('.engine li:not(.old) .first'));
  await page.keyboard.press('Space');
  await page.waitForFunction(() => document.querySelectorAll('.tree [data-node]').length === 2);
});

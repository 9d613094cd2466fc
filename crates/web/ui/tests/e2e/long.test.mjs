// A game of twelve thousand moves is read and stepped through like any other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, study } from './analyse.mjs';

/** Knights go out and home again. */
function knights(plies, words) {
  const cycle = ['Nf3', 'Nf6', 'Ng1', 'Ng8'];
  const moves = Array.from({ length: plies }, (_, i) => `${i % 2 === 0 ? `${i / 2 + 1}. ` : ''}${cycle[i % 4]}${words(i)}`);
  return `[White "Long"]\n\n${moves.join(' ')} *\n`;
}

const drawn = (page) => page.evaluate(() => document.querySelectorAll('.tree *').length);

test('of a long game only what is in view is drawn, and keys reach every move', async () => {
  // Words between the moves make rows of other heights.
  const text = knights(12_000, (i) => (i % 1000 === 501 ? ' {words between the moves, so many that they take two or three lines of the panel}' : ''));
  const { page } = await study({ text });
  await page.locator('.tree [data-node]').first().waitFor();
  assert.ok((await drawn(page)) < 900, `${await drawn(page)} elements`);
  await page.keyboard.press('End');
  await at(page, 'Ng8');
  const current = page.locator('.tree [aria-current]');
  await page.waitForFunction(() => {
    const [tree, now] = [document.querySelector('.tree'), document.querySelector('.tree [aria-current]')].map((e) => e?.getBoundingClientRect());
    return now && now.top >= tree.top && now.bottom <= tree.bottom;
  });
  assert.equal(await current.locator('xpath=../..').locator('.number').innerText(), '6000');
  for (const text of ['Ng1', 'Nf6', 'Nf3', 'Ng8']) {
    await page.keyboard.press('ArrowLeft');
    await at(page, text);
  }
  await page.keyboard.press('Home');
  await at(page, '');
  // In the middle, by the wheel.
  await page.locator('.tree').evaluate((tree) => (tree.scrollTop = tree.scrollHeight / 2));
  await page.locator('.tree .number', { hasText: /^29\d\d$|^30\d\d$/ }).first().waitFor();
  await page.locator('.tree [data-node]').nth(20).click();
  await current.waitFor();
  assert.ok((await drawn(page)) < 900, `${await drawn(page)} elements`);
});

test('so it is with a long variation', async () => {
  const text = `1. e4 (1. d4 d5 ${knights(3000, () => '').split('\n\n')[1].replace(/ \*\n/, '').replace(/\d+\. /g, '')}) e5 *`;
  const { page } = await study({ text });
  await page.locator('.tree .line').first().waitFor();
  assert.ok((await drawn(page)) < 2500, `${await drawn(page)} elements`);
});

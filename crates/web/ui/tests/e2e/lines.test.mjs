// The acceptance points of engines that look at a position; the numbers are those of the list.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analysis, nodes } from './analysis.mjs';
import { byMouse } from './board.mjs';
import { asker, visit } from './driver.mjs';

/** The number of the first engine that is shown. */
async function engineId(page) {
  await page.locator('.engine').first().getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Engine options' }).click();
  await page.waitForURL(/#\/engines\/\d+/);
  const id = Number(/engines\/(\d+)/.exec(page.url())[1]);
  await page.goBack();
  await page.locator('.engine').first().waitFor();
  return id;
}

test('1, 6, 7, 17: lines run, stand still under the pointer, turn grey when the position changes; numbers, progress and a bar that does not jump are shown', async () => {
  const page = await analysis('chess', { engines: true });
  assert.equal(await page.locator('.engine li:not(.blank)').count(), 3);
  await page.waitForFunction(() => /depth \d+/.test(document.querySelector('.engine .numbers')?.textContent ?? ''));
  const text = await page.locator('.engine .numbers').innerText();
  assert.match(text, /depth \d+.* nodes .*\/s/);
  assert.equal(await page.locator('.engine .progress.running').count(), 1);
  const line = page.locator('.engine li').first();
  await line.hover();
  const held = await line.locator('.moves').innerText();
  const before = await page.locator('.engine .numbers').innerText();
  await page.waitForFunction((old) => document.querySelector('.engine .numbers').textContent !== old, before);
  assert.equal(await line.locator('.moves').innerText(), held);
  // Old lines may be seen for a moment only; what must not be is old lines that look new.
  const stale = page.evaluate(
    () => new Promise((done) => {
      let bad = 0;
      const look = new MutationObserver(() => {
        const at = location.hash.split('/n')[1] ?? '0';
        const first = document.querySelector('.engine li:not(.old) .first')?.textContent;
        if (at !== '0' && first && /^(e4|d4|Nf3|c4)$/.test(first)) bad += 1;
      });
      look.observe(document.querySelector('.lines'), { subtree: true, childList: true, attributes: true, characterData: true });
      setTimeout(() => (look.disconnect(), done(bad)), 2500);
    }),
  );
  const bar = page.getByRole('meter', { name: 'Evaluation' });
  const value = await bar.getAttribute('aria-valuenow');
  await page.mouse.move(5, 5);
  await byMouse(page, ['e2', 'e4']);
  // No jump to the middle while the next search begins.
  assert.ok(Math.abs(Number(await bar.getAttribute('aria-valuenow')) - Number(value)) < 15);
  assert.match(await bar.getAttribute('aria-valuetext'), /\d/);
  assert.equal(await stale, 0);
});

test('2, 3, 4: a line is previewed under the pointer, along the wheel; a press plays it; it unfolds and can be copied', async () => {
  const page = await analysis('chess', { engines: true });
  const line = page.locator('.engine li').first();
  await page.waitForFunction(() => document.querySelectorAll('.engine li')[0].querySelectorAll('.move').length >= 3);
  await line.locator('.move').first().hover();
  await page.locator('.preview svg').waitFor();
  const picture = () => page.locator('.preview .man').evaluateAll((men) => men.map((m) => m.style.transform).join());
  const first = await picture();
  await page.mouse.wheel(0, 100);
  await page.waitForFunction((old) => [...document.querySelectorAll('.preview .man')].map((m) => m.style.transform).join() !== old, first);
  await line.getByRole('button', { name: 'Whole line' }).click();
  assert.equal(await line.getByRole('button', { name: 'Short line' }).getAttribute('aria-expanded'), 'true');
  await line.getByRole('button', { name: 'Copy this line' }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^Quadrille\S* .*(\d|#).* depth \d+: \S+ \S+/);
  const two = await line.locator('.first, .move').evaluateAll((all) => all.slice(0, 2).map((e) => e.textContent));
  await line.locator('.move').first().click();
  await page.waitForFunction(() => document.querySelectorAll('.tree [data-node]').length === 2);
  assert.deepEqual(await nodes(page).allInnerTexts(), two);
});

test('5: the score is centipawns, or win, draw and loss; the point of view is a setting', async () => {
  const page = await analysis('chess', { engines: true });
  // White is a Queen up, and Black moves.
  await visit(page, `/analyse?game=chess&position=${encodeURIComponent('4k3/8/8/8/8/8/4P3/3QK3 b - - 0 1')}`);
  const score = page.locator('.engine li:not(.old) .score').first();
  await score.waitFor();
  const reads = (pattern) => page.waitForFunction((source) => new RegExp(source).test(document.querySelector('.engine li:not(.old) .score')?.textContent.trim() ?? ''), pattern.source);
  await reads(/^(\+\d+\.\d+|#\d+)$/);
  await (await asker(page))({ ask: 'remember', name: 'view', value: '"mover"' });
  await reads(/^−(\d+\.\d+|#\d+)$/);
  await (await asker(page))({ ask: 'remember', name: 'view', value: '"white"' });
  await score.click();
  await reads(/^\d+ \/ \d+ \/ \d+$/);
});

test('8: several engines, each with its colour, in the order of the user', async () => {
  const page = await analysis('chess', { engines: true });
  const first = await page.locator('.engine').first().getAttribute('aria-label');
  const ask = await asker(page);
  await ask({ ask: 'change-engine', engine: await engineId(page), change: { change: 'duplicate' } });
  await page.getByRole('button', { name: 'Another engine' }).click();
  await page.getByRole('menuitem').first().click();
  await page.locator('.engine.place-2 li .first').first().waitFor({ timeout: 60_000 });
  await page.locator('.arrow.kind-2').first().waitFor({ state: 'attached' });
  const colour = (place) => page.locator(`.engine.place-${place} .colour`).evaluate((e) => getComputedStyle(e).backgroundColor);
  assert.notEqual(await colour(1), await colour(2));
  const second = await page.locator('.engine').nth(1).getAttribute('aria-label');
  await page.locator('.engine').nth(1).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Move this engine to the front' }).click();
  await page.waitForFunction((name) => document.querySelector('.engine').getAttribute('aria-label') === name, second);
  assert.equal(await page.locator('.engine').nth(1).getAttribute('aria-label'), first);
});

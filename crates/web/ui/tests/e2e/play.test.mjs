// All four games from the first click to the result, by mouse only and by keyboard only.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boardOf, byKeys, byMouse, drag, gyges, plies, tabTo } from './board.mjs';
import { open, visit } from './driver.mjs';

/** Whole games, short ones: the steps of every move, and how they end. */
const GAMES = {
  chess: { name: 'Chess', moves: [['f2', 'f3'], ['e7', 'e5'], ['g2', 'g4'], ['d8', 'h4']], result: ['0–1', 'Black wins', 'by checkmate'] },
  liberty: { name: 'Liberty Chess', moves: [['f2', 'f3'], ['e7', 'e5'], ['g2', 'g4'], ['d8', 'h4']], result: ['0–1', 'Black wins', 'by checkmate'] },
  leiser: {
    name: 'Leiserchess',
    moves: [['h4', '=R'], ['d6', 'e6'], ['e1', '=L'], ['e6', '=R'], ['e1', 'f0']],
    result: ['0–1', 'Lavender wins', 'the laser struck the King'],
  },
  gyges: { name: 'Gyges', moves: ['3|4|21', '35|34|9', '5|37'].map(gyges), result: ['1–0', 'South wins', 'a piece reached the goal'] },
};

async function ended(page, [score, who, why]) {
  const result = page.locator('.result');
  await result.waitFor();
  const text = await result.innerText();
  for (const part of [score, who, why]) assert.ok(text.includes(part), `${part} in ${text}`);
}

for (const [game, { name, moves, result }] of Object.entries(GAMES)) {
  test(`${game}: by mouse alone, from the first click to the result`, async () => {
    const page = await open('/');
    const card = page.locator('article', { has: page.getByRole('heading', { name, exact: true }) });
    await card.getByRole('link', { name: 'Play' }).click();
    await page.locator('label', { hasText: 'Same screen' }).click();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.waitForURL(/#\/play\/\d+/);
    await boardOf(page).waitFor();
    for (const [i, steps] of moves.entries()) {
      await byMouse(page, steps);
      await plies(page, i + 1);
    }
    await ended(page, result);
  });

  test(`${game}: by keyboard alone, from the first key to the result`, async () => {
    const page = await open('/');
    await page.keyboard.press('/');
    await page.keyboard.type(`new game of ${name}`);
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/play\?game=/);
    await tabTo(page, () => document.activeElement?.getAttribute('name') === 'against');
    for (let i = 0; i < 4 && !(await page.evaluate(() => document.activeElement.value === 'person')); i++) await page.keyboard.press('ArrowRight');
    await tabTo(page, () => document.activeElement?.matches('button.go'));
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/play\/\d+/);
    await boardOf(page).waitFor();
    await tabTo(page, () => document.activeElement?.hasAttribute('data-square'));
    for (const [i, steps] of moves.entries()) {
      await byKeys(page, steps);
      await plies(page, i + 1);
    }
    await ended(page, result);
  });
}

test('a weak engine is beaten from a position of the editor', async () => {
  const page = await open('/editor/chess?position=6k1%2F5ppp%2F8%2F8%2F8%2F8%2F8%2F4R1K1%20w%20-%20-%200%201');
  await page.getByRole('button', { name: 'Play from here' }).click();
  await page.waitForURL(/#\/play\?/);
  await page.locator('label.segment', { hasText: 'Engine' }).first().click();
  await page.getByRole('slider').first().fill('1');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForURL(/#\/play\/\d+/);
  await byMouse(page, ['e1', 'e8']);
  await ended(page, ['1–0', 'White wins', 'by checkmate']);
});

test('14: click-click and drag both work, a second click cancels, illegal does nothing', async () => {
  const page = await open('/play?game=chess');
  await page.locator('label', { hasText: 'Same screen' }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await boardOf(page).waitFor();
  await byMouse(page, ['e2']);
  assert.equal(await boardOf(page).locator('[aria-selected=true]').getAttribute('data-square'), 'e2');
  assert.equal(await boardOf(page).locator('.target').count(), 2);
  await byMouse(page, ['e2']);
  assert.equal(await boardOf(page).locator('[aria-selected=true]').count(), 0);
  await byMouse(page, ['e2', 'e5']);
  await drag(page, 'e2', 'e5');
  assert.equal(await page.locator('.toast').count(), 0);
  await drag(page, 'e2', 'e4');
  await plies(page, 1);
  await byMouse(page, ['e7', 'e5']);
  await plies(page, 2);
});

test('a reload in the middle of a game loses nothing', async () => {
  const page = await open('/play?game=leiser');
  await page.locator('label', { hasText: 'Same screen' }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await boardOf(page).waitFor();
  await byMouse(page, ['h4', '=R']);
  await plies(page, 1);
  await page.reload();
  await boardOf(page).waitFor();
  await plies(page, 1);
  await byMouse(page, ['d6', 'e6']);
  await plies(page, 2);
  await visit(page, '/');
  await page.goBack();
  await plies(page, 2);
});

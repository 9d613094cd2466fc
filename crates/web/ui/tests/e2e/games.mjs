// All four games from the first click to the result, by mouse only and by keyboard only: on the page
// of a server and on the page without one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boardOf, byKeys, byMouse, gyges, plies, tabTo } from './board.mjs';
import { open } from './driver.mjs';

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

/** Until the game is over, with this result. */
export async function ended(page, [score, who, why]) {
  const result = page.locator('.result');
  await result.waitFor();
  const text = await result.innerText();
  for (const part of [score, who, why]) assert.ok(text.includes(part), `${part} in ${text}`);
}

/** The tests of whole games; `options` are those of `test`. */
export function wholeGames(options = {}) {
  for (const [game, { name, moves, result }] of Object.entries(GAMES)) {
    test(`${game}: by mouse alone, from the first click to the result`, options, async () => {
      const page = await open('/');
      const card = page.locator('article', { has: page.getByRole('heading', { name, exact: true }) });
      await card.getByRole('link', { name: 'Play' }).click();
      await page.locator('label', { hasText: 'Same screen' }).click();
      // The card leads to the army that it shows; the game here is played on the ordinary board.
      if (game === 'liberty') {
        assert.equal(await page.getByRole('radio', { name: /Liberty Chess, 12/ }).isChecked(), true);
        await page.locator('label', { hasText: 'Ordinary chess' }).click();
      }
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await page.waitForURL(/#\/play\/\d+/);
      await boardOf(page).waitFor();
      for (const [i, steps] of moves.entries()) {
        await byMouse(page, steps);
        await plies(page, i + 1);
      }
      await ended(page, result);
    });

    test(`${game}: by keyboard alone, from the first key to the result`, options, async () => {
      const page = await open('/');
      await page.keyboard.press('/');
      await page.keyboard.type(`new game of ${name}`);
      await page.keyboard.press('Enter');
      await page.waitForURL(/#\/play\?game=/);
      await tabTo(page, () => document.activeElement?.getAttribute('name') === 'against');
      for (let i = 0; i < 4 && !(await page.evaluate(() => document.activeElement.value === 'person')); i++) await page.keyboard.press('ArrowRight');
      if (game === 'liberty') {
        await tabTo(page, () => document.activeElement?.getAttribute('name') === 'start');
        await page.waitForFunction(() => document.activeElement.value === 'Liberty chess');
        await page.keyboard.press('ArrowLeft');
        await page.waitForFunction(() => document.activeElement.value === 'usual');
      }
      // It cannot be pressed before there is a desk to play at.
      await page.locator('button.go:enabled').waitFor();
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
}

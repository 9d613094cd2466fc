// Notices: few at once, and never over a board.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { study } from './analyse.mjs';
import { boardOf } from './board.mjs';

/** Boxes of the notices and of the board. */
const boxes = (page) =>
  page.evaluate(() => {
    const box = (element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      return { left, top, right, bottom };
    };
    return { board: box(document.querySelector('[role=grid]')), notices: [...document.querySelectorAll('.toast')].map(box) };
  });

const words = 'a move that is written at such length that it cannot be one, and that takes more than one line';

for (const [width, height] of [[1440, 900], [1280, 720], [1024, 768], [768, 1024], [390, 844]]) {
  test(`errors do not pile up and leave the board free at ${width} by ${height}`, async () => {
    const { page } = await study({ text: '1. e4 e5 2. Nf3 *', width, height });
    const box = page.getByRole('textbox', { name: 'Move', exact: true });
    for (let n = 0; n < 5; n++) {
      await box.fill(`${words} ${n}`);
      await box.press('Enter');
      await page.locator('.toast.bad', { hasText: `${words} ${n}` }).waitFor();
    }
    assert.equal(await page.locator('.toast.bad').count(), 1);
    // Another kind of notice stands beside it.
    await page.getByRole('button', { name: 'More' }).first().focus();
    await page.keyboard.press('v');
    await page.locator('.toast:not(.bad)').waitFor();
    await page.waitForFunction(() => document.getAnimations().every((one) => one.playState !== 'running' || !one.effect?.target?.closest('.toasts')));
    const { board, notices } = await boxes(page);
    assert.equal(notices.length, 2);
    for (const notice of notices) {
      const over = notice.left < board.right && notice.right > board.left && notice.top < board.bottom && notice.bottom > board.top;
      assert.ok(!over, `${JSON.stringify(notice)} over ${JSON.stringify(board)}`);
      assert.ok(notice.left >= 0 && notice.right <= width && notice.top >= 0 && notice.bottom <= height, JSON.stringify(notice));
    }
    await boardOf(page).waitFor();
  });
}

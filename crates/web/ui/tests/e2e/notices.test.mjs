// Notices: few at once, and never over a board.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { study } from './analyse.mjs';
import { boardOf } from './board.mjs';
import { open } from './driver.mjs';

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

for (const [width, height] of [[390, 640], [360, 740], [320, 568]]) {
  test(`an error leaves the board free on a page that is scrolled, at ${width} by ${height}`, async () => {
    const page = await open('/play?game=chess', { width, height });
    await page.locator('label', { hasText: 'Same screen' }).click();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.waitForURL(/#\/play\/\d+/);
    await boardOf(page).waitFor();
    await page.evaluate(() => scrollTo(0, 38));
    await page.waitForFunction(() => scrollY > 0);
    const box = page.getByRole('textbox', { name: 'Move', exact: true });
    await box.fill('e5');
    await box.press('Enter');
    await page.locator('.toast.bad').waitFor();
    await page.waitForFunction(() => document.getAnimations().every((one) => one.playState !== 'running' || !one.effect?.target?.closest('.toasts')));
    const { board, notices } = await boxes(page);
    assert.equal(notices.length, 1);
    assert.ok(notices[0].top >= board.bottom || notices[0].bottom <= board.top, JSON.stringify({ board, notices }));
    assert.ok(notices[0].top >= 0 && notices[0].bottom <= height, JSON.stringify(notices));
    // Nor does it cover what is typed and pressed in the game.
    const foot = await page.locator('.foot').boundingBox();
    assert.ok(foot.y + foot.height <= notices[0].top, JSON.stringify({ foot, notices }));
  });
}

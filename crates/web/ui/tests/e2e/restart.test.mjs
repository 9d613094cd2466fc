// The server is started again in the middle of a game and of an analysis: nothing is lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boardOf, byMouse, plies } from './board.mjs';
import { rows } from './analyse.mjs';
import { asker, open, serve, settled } from './driver.mjs';

test('live analysis goes on by itself when the server is there again', async () => {
  const site = await serve();
  try {
    const page = await open('/analyse?game=chess', { from: site });
    await rows(page).first().waitFor();
    await page.locator('.progress.running').waitFor();
    const asks = (socket) => socket.waitForEvent('framesent', { predicate: ({ payload }) => /"ask":"analyse"/.test(payload), timeout: 30_000 });
    const asked = page.waitForEvent('websocket', { predicate: (socket) => asks(socket).then(() => true, () => false), timeout: 60_000 });
    await site.restart('SIGKILL');
    // The word of the new run lets this browser in again, in another tab.
    const other = await page.context().newPage();
    await other.goto(site.address);
    await settled(other);
    // The page has asked the new server, and shows what was said to that one.
    await asked;
    await page.locator('section.engine li:not(.blank, .old)').first().waitFor();
    await other.close();
  } finally {
    await site.stop();
  }
});

for (const signal of ['SIGTERM', 'SIGKILL']) {
  test(`a game and an analysis survive ${signal}`, async () => {
    const site = await serve();
    try {
      const page = await open('/play?game=chess', { from: site });
      await page.locator('label', { hasText: 'Same screen' }).click();
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await boardOf(page).waitFor();
      await byMouse(page, ['e2', 'e4']);
      await plies(page, 1);
      const ask = await asker(page);
      const { study } = (await ask({ ask: 'paste', text: '1. d4 d5 (1... f5 2. g3) 2. c4 {kept} *', game: 'chess' })).of;
      const hash = await page.evaluate(() => location.hash);
      await site.restart(signal);
      // A page of the run before is told what to do.
      await page.getByText('Open the address it printed').waitFor({ timeout: 30_000 });
      const again = await open(hash.slice(1), { from: site });
      await boardOf(again).waitFor();
      await plies(again, 1);
      await byMouse(again, ['e7', 'e5']);
      await plies(again, 2);
      const known = await asker(again);
      const { of: text } = await known({ ask: 'export', study, node: null });
      assert.match(text, /1\. d4 d5 \(\s*1\.\.\. f5 2\. g3\s*\) 2\. c4 \{\s*kept\s*\}/);
      await page.context().close();
      await again.context().close();
    } finally {
      await site.stop();
    }
  });
}

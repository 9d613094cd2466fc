// The server is started again in the middle of a game and of an analysis: nothing is lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boardOf, byMouse, plies } from './board.mjs';
import { asker, open, serve } from './driver.mjs';

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

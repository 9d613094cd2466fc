// The page without a server: engines in workers, everything kept in the browser. Runs where
// QUADRILLE_SITE names a folder of `cargo xtask site`; the tests of the board and of whole games run
// on it too (`QUADRILLE_SITE=... npm run e2e -- play tree`).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, rows } from './analyse.mjs';
import { boardOf, byMouse, plies } from './board.mjs';
import { errors, open, server, visit } from './driver.mjs';

const site = { skip: !process.env.QUADRILLE_SITE && 'QUADRILLE_SITE names no folder' };

for (const game of ['chess', 'liberty', 'leiser', 'gyges']) {
  test(`an engine in a worker answers in ${game}`, site, async () => {
    const page = await open(`/play?game=${game}`);
    await page.locator('label.segment', { hasText: 'Engine' }).first().click();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.waitForURL(/#\/play\/\d+/);
    await boardOf(page).waitFor();
    const first = { chess: ['e2', 'e4'], liberty: ['e2', 'e4'], leiser: ['h4', '=R'], gyges: ['d1', 'e1', 'd4'] }[game];
    if ((await page.locator('main [data-ply]').count()) === 0) await byMouse(page, first);
    await plies(page, 2);
    await page.reload();
    await boardOf(page).waitFor();
    await plies(page, 2);
  });
}

test('an engine in a worker analyses, and the study is there after a reload', site, async () => {
  const page = await open('/analyse');
  await boardOf(page).waitFor();
  await byMouse(page, ['e2', 'e4']);
  await at(page, 'e4');
  if (await page.getByText('The engines rest').count()) await page.keyboard.press('l');
  await rows(page).first().waitFor();
  await page.reload();
  await at(page, 'e4');
  await rows(page).first().waitFor();
});

test('after the first visit it works without a connection', site, async () => {
  const page = await open('/');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.context().setOffline(true);
  await (await server()).restart();
  await page.reload();
  await visit(page, '/play?game=chess');
  await page.locator('label', { hasText: 'Same screen' }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await boardOf(page).waitFor();
  await byMouse(page, ['e2', 'e4']);
  await plies(page, 1);
  await page.context().setOffline(false);
});

test('tabs share one desk, and another tab goes on when one is closed', site, async () => {
  const page = await open('/play?game=chess');
  await page.locator('label', { hasText: 'Same screen' }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await boardOf(page).waitFor();
  await byMouse(page, ['e2', 'e4']);
  await plies(page, 1);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await boardOf(other).waitFor();
  await plies(other, 1);
  await byMouse(other, ['e7', 'e5']);
  await plies(page, 2);
  await page.close();
  await byMouse(other, ['g1', 'f3']);
  await plies(other, 3);
  await other.reload();
  await boardOf(other).waitFor();
  await plies(other, 3);
});

test('nothing went wrong in the console', site, () => assert.deepEqual(errors, []));

// The page without a server: engines in workers, everything kept in the browser. QUADRILLE_SITE names
// a folder of `cargo xtask site`; `cargo xtask page` builds one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, moves, rows } from './analyse.mjs';
import { boardOf, byMouse, plies } from './board.mjs';
import { errors, open, server, visit, withoutServer } from './driver.mjs';
import { wholeGames } from './games.mjs';
import { sizes } from '../size.mjs';

const site = withoutServer();

test('the scripts of the page are less than 150 kB as they travel', site, () => {
  const { js } = sizes(process.env.QUADRILLE_SITE);
  assert.ok(js > 50_000 && js < 150_000, `${js} bytes`);
});

wholeGames(site);

for (const game of ['chess', 'liberty', 'leiser', 'gyges']) {
  test(`an engine in a worker answers in ${game}`, site, async () => {
    const page = await open(`/play?game=${game}`);
    await page.locator('label.segment', { hasText: 'Engine' }).first().click();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.waitForURL(/#\/play\/\d+/);
    await boardOf(page).waitFor();
    const first = { chess: ['e2', 'e4'], liberty: ['e3', 'e4'], leiser: ['h4', '=R'], gyges: ['d1', 'e1', 'd4'] }[game];
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

test('the first page speaks of no rooms that are not there', site, async () => {
  const page = await open('/');
  // Until it has been greeted nobody knows which rooms there are.
  await page.getByText('all in your browser').waitFor();
  const hints = page.getByRole('complementary', { name: 'Where to start' });
  await hints.getByText('Analyse: paste or drop').waitFor();
  assert.equal(await hints.getByText('Engines:').count(), 0);
  await visit(page, '/check');
  await page.getByText('This page runs without a server').waitFor();
});

test('the rail has the same rooms before and after the worker has greeted', site, async () => {
  const page = await open('/');
  const rooms = () => page.getByRole('navigation', { name: 'Rooms' }).locator('a.room').allInnerTexts();
  // Cards with boards need what the worker says.
  await page.locator('.cards svg').first().waitFor();
  const after = await rooms();
  let greet;
  const held = new Promise((done) => (greet = done));
  await page.context().route('**/desk/worker.js', async (way) => {
    await held;
    await way.continue();
  });
  await page.reload();
  await page.getByRole('complementary', { name: 'Where to start' }).getByText('Analyse: paste or drop').waitFor();
  assert.deepEqual(await rooms(), after);
  assert.ok(after.includes('Play') && !after.includes('Engines'), after.join());
  greet();
});

test('several games that are pasted are all in the library', site, async () => {
  const page = await open('/settings');
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData('text', '[White "Ann"]\n\n1. e4 e5 *\n\n[White "Bob"]\n\n1. d4 d5 *\n\n[White "Cid"]\n\n1. c4 *\n');
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await page.waitForURL(/#\/library\?source=/);
  const list = page.getByRole('list', { name: 'Games found' }).getByRole('listitem');
  await list.nth(2).waitFor();
  assert.equal(await list.count(), 3);
  await list.filter({ hasText: 'Bob' }).getByRole('button').click();
  await moves(page).first().waitFor();
  await page.keyboard.press('End');
  await at(page, 'd5');
});

test('what needs a server is not offered, and says so where an address leads there', site, async () => {
  const page = await open('/play');
  // Until it has been greeted nobody knows which rooms there are.
  for (const name of ['Engines', 'Tournaments', 'Check']) await page.getByRole('link', { name, exact: true }).waitFor({ state: 'detached' });
  await visit(page, '/analyse?game=chess');
  await boardOf(page).waitFor();
  await page.getByRole('tab', { name: 'Report' }).click();
  await page.getByText(/without a server/).first().waitFor();
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

test('nothing went wrong in the console', site, () => {
  // A browser looks for a newer worker now and then, without a connection too.
  const looked = /ERR_INTERNET_DISCONNECTED \S*\/sw\.js$/;
  assert.deepEqual(errors.filter((e) => !looked.test(e)), []);
});

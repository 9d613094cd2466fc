// No room scrolls sideways, whatever names and lines there are in it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { join } from 'node:path';
import { asker, open, ui, visit } from './driver.mjs';

const odd = join(ui, 'tests/e2e/engines/odd.mjs');
const long = (letter) => letter.repeat(300);

/** Everything that can have a name, each with one that cannot be broken. */
async function prepare() {
  const page = await open('/settings');
  const ask = async (question) => (await (await asker(page))(question)).of;
  const engine = await ask({ ask: 'add-engine', engine: { command: process.execPath, args: [odd, 'wide', long('p')], folder: null, game: 'chess', name: long('E') } });
  await ask({ ask: 'remember', name: 'name', value: JSON.stringify(long('I')) });
  await ask({ ask: 'remember', name: 'analysis', value: JSON.stringify({ engines: { chess: [engine, 1] }, lines: 4, seconds: 0, on: true }) });
  const tag = (name, letter) => `[${name} "${long(letter)}"]\n`;
  const head = tag('White', 'W') + tag('Black', 'B') + tag('Event', 'V') + tag('Site', 'S') + '[WhiteElo "3000"]\n[Date "1858.??.??"]\n';
  const game = `${head}\n1. e4 {${long('c')}} e5 (1... c5 {${long('v')}} 2. Nf3) 2. Nf3 *\n\n`;
  const { study } = await ask({ ask: 'paste', text: game, game: 'chess' });
  const { source } = await ask({ ask: 'paste', text: game + game.replace('2. Nf3', '2. Zz9') + game, game: 'chess', name: `${long('f')}.pgn`, library: true });
  const start = { game: 'chess', rules: '', position: '' };
  const person = (letter) => ({ seat: 'person', name: long(letter) });
  const table = await ask({ ask: 'new-table', table: { start, seats: [person('a'), person('b')], time: { time: 'clock', base: 36_000_000, increment: 0, moves: 0 } } });
  await ask({ ask: 'act', table, action: { do: 'move', text: 'e2e4', ply: 0 } });
  const link = await ask({ ask: 'new-table', table: { start, seats: [person('a'), { seat: 'guest', name: '' }], time: { time: 'unlimited', engine: 100 } } });
  const copy = await ask({ ask: 'change-engine', engine, change: { change: 'duplicate' } });
  const event = await ask({
    ask: 'new-event',
    event: { name: long('T'), start, engines: [engine, copy], format: 'round-robin', rounds: 1, games: 2, time: { time: 'per-move', each: 300 }, concurrency: 1, openings: '', sprt: null },
  });
  const check = await ask({ ask: 'check', engine, game: 'chess', only: ['handshake', 'bestmove'], thorough: false });
  // Until the engine has said its long lines in a game, and some of the check is done.
  await visit(page, `/tournaments/${event}`);
  await page.locator('li', { hasText: 'XXXXX' }).first().waitFor({ timeout: 90_000 });
  await visit(page, `/check/${check}`);
  await page.locator('details').first().waitFor({ timeout: 90_000 });
  await page.context().close();
  const tabs = ['Options', 'Log', 'Program', 'About'].map((tab) => [`/engines/${engine}`, tab]);
  return [
    ['/'], ['/play'], [`/play/${table}`], [`/play/${link}`], ['/analyse/list'], ...['Moves', 'Openings', 'Report'].map((tab) => [`/analyse/${study}/n2`, tab]),
    ['/library'], [`/library?source=${source}`], [`/library?player=${long('q')}&position=${long('x')}`], ['/library/openings'],
    ['/engines'], ...tabs, ['/tournaments'], ['/tournaments/new'], [`/tournaments/${event}`], ['/check'], [`/check/${check}`],
    ['/online'], ['/learn'], ['/learn/chess'], ['/settings'], ['/editor/chess'], ['/editor/liberty?position=Liberty%20chess'],
  ];
}

/** What is wider than the window: the page as a whole, and the outermost elements that stick out of it. */
const tooWide = (page) =>
  page.evaluate(() => {
    const width = document.documentElement.scrollWidth;
    if (width <= innerWidth) return '';
    const out = [...document.querySelectorAll('main *')].filter((element) => element.getBoundingClientRect().right > innerWidth + 1);
    const first = out.filter((element) => !out.includes(element.parentElement)).slice(0, 4);
    return `${width} > ${innerWidth}: ${first.map((element) => `${element.tagName}.${element.className} ${Math.round(element.getBoundingClientRect().right)}`).join(', ')}`;
  });

test('no room scrolls sideways with names and lines that cannot be broken', { timeout: 280_000 }, async () => {
  const rooms = await prepare();
  const wrong = [];
  for (const [width, height, language] of [[360, 740, 'en'], [1024, 768, 'en'], [360, 740, 'ru']]) {
    const page = await open('/', { width, height, language });
    for (const [path, tab] of rooms) {
      await visit(page, path);
      if (tab && language === 'en') await page.getByRole('tab', { name: tab }).click();
      await page.waitForTimeout(120);
      for (const details of await page.locator('main details:not([open]) > summary').all()) await details.click().catch(() => {});
      const found = await tooWide(page);
      if (found) wrong.push(`${width} ${language} ${path.slice(0, 60)} ${tab ?? ''}: ${found}`);
    }
    await page.context().close();
  }
  assert.deepEqual(wrong, []);
});

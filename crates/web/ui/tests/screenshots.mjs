// Pictures of the running program for README and docs: `npm run screenshots`. Each view is taken
// light and dark, on a desktop and on a phone, and written to docs/images. To look at other widths:
// `npm run screenshots -- FOLDER 1024`.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { ask as askServer, news, startServer } from './server.mjs';
import { browserPath, ui } from './where.mjs';

const [folder, ...widths] = process.argv.slice(2);
const out = folder ?? join(ui, '../../../docs/images');
const HEIGHTS = { 1440: 900, 1024: 768, 390: 844 };
const SIZES = (widths.length ? widths.map(Number) : [1440, 390]).map((width) => [width, HEIGHTS[width] ?? 900]);
const PGN = `[White "Morphy, Paul"]\n[Black "Duke of Brunswick and Count Isouard"]\n[Result "1-0"]\n[Date "1858.11.02"]\n[Event "Paris"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0`;

/** Games for the library, by made-up players. */
const OPENINGS = ['1. e4 c5 2. Nf3 d6 3. d4 cxd4', '1. d4 d5 2. c4 e6 3. Nc3 Nf6', '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6', '1. c4 e5 2. Nc3 Nf6', '1. e4 c6 2. d4 d5', '1. d4 Nf6 2. c4 g6 3. Nc3 Bg7', '1. e4 e6 2. d4 d5'];
const PLAYERS = ['Albin, Ada', 'Bruun, Bo', 'Castell, Cara', 'Dominguez, Dov', 'Ek, Elin', 'Ferro, Fabia'];
const RESULTS = ['1-0', '0-1', '1/2-1/2'];
const LIBRARY = Array.from({ length: 42 }, (_, i) => {
  const tag = (name, value) => `[${name} "${value}"]\n`;
  const [white, black] = [PLAYERS[i % 6], PLAYERS[(i + 1 + (i % 4)) % 6]];
  const head = tag('Event', 'Club evening') + tag('Date', `2026.0${1 + (i % 9)}.1${i % 9}`) + tag('White', white) + tag('Black', black) + tag('Result', RESULTS[i % 3]);
  return `${head}\n${OPENINGS[i % 7]} ${RESULTS[i % 3]}\n\n`;
}).join('');

async function prepare(page) {
  const ask = async (question) => (await askServer(page, question)).of;
  const person = { seat: 'person', name: '' };
  const table = async (game, moves) => {
    const start = { game, rules: '', position: '' };
    const id = await ask({ ask: 'new-table', table: { start, seats: [person, person], time: { time: 'clock', base: 600_000, increment: 5_000, moves: 0 } } });
    for (const [ply, text] of moves.entries()) await ask({ ask: 'act', table: id, action: { do: 'move', text, ply } });
    return id;
  };
  await ask({ ask: 'remember', name: 'hints', value: 'false' });
  await ask({ ask: 'paste', text: LIBRARY, game: 'chess' });
  const { study } = await ask({ ask: 'paste', text: PGN, game: 'chess' });
  const limits = { movetime: 60, depth: null, nodes: null };
  await ask({ ask: 'report', study, games: [], engine: 1, limits });
  await ask({ ask: 'change-engine', engine: 4, change: { change: 'duplicate' } });
  const { engines } = (await news(page, { topic: 'engines' })).of;
  const players = engines.filter((engine) => engine.games.includes('gyges')).map((engine) => engine.id);
  const start = { game: 'gyges', rules: '', position: '' };
  const time = { time: 'per-move', each: 40 };
  const event = await ask({
    ask: 'new-event',
    event: { name: 'Sunday cup', start, engines: players, format: 'round-robin', rounds: 60, games: 2, time, concurrency: 2, openings: '', sprt: null },
  });
  const mutant = { command: 'node', args: ['odd.mjs', 'twice'], folder: join(ui, 'tests/e2e/engines'), game: 'chess', name: 'Mutant' };
  const check = await ask({ ask: 'check', engine: await ask({ ask: 'add-engine', engine: mutant }), game: 'chess', only: ['bestmove', 'handshake', 'ready'], thorough: false });
  await page.waitForTimeout(20_000);
  return {
    study,
    event,
    check,
    chess: await table('chess', ['e2e4', 'c7c5', 'g1f3', 'd7d6', 'd2d4', 'c5d4', 'f3d4', 'g8f6', 'b1c3', 'a7a6']),
    leiser: await table('leiser', ['h4R', 'd6e6', 'e1L', 'e6R']),
    gyges: await table('gyges', ['3|4|21', '35|34|9']),
  };
}

/** The views: name, address, and what is done before the picture. */
const views = (made) => [
  ['home', '/'],
  ['play', `/play/${made.chess}`],
  ['play-leiser', `/play/${made.leiser}`],
  ['play-gyges', `/play/${made.gyges}`],
  ['analyse', `/analyse/${made.study}/n24`, 4000],
  ['library', '/library'],
  ['engines', '/engines/1'],
  ['tournaments', `/tournaments/${made.event}`],
  ['check', `/check/${made.check}`, 900, (tab) => tab.locator('summary').first().click()],
  ['learn', '/learn/leiser'],
  ['editor', '/editor/liberty?position=Liberty%20chess'],
  ['settings', '/settings'],
];

const server = await startServer();
let browser;
try {
  mkdirSync(out, { recursive: true });
  browser = await chromium.launch({ executablePath: browserPath(), args: ['--no-sandbox'] });
  let made = null;
  for (const [width, height] of SIZES) {
    for (const theme of ['light', 'dark']) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, locale: 'en-GB', deviceScaleFactor: width < 600 ? 2 : 1 });
      const tab = await context.newPage();
      await tab.goto(server.address);
      await tab.locator('main h1').first().waitFor();
      made ??= await prepare(tab);
      for (const [name, path, wait = 900, first] of views(made)) {
        await tab.evaluate((hash) => (location.hash = hash), `#${path}`);
        await tab.waitForTimeout(wait);
        if (first) await first(tab);
        await tab.screenshot({ path: join(out, `${name}-${width < 600 ? 'phone-' : width === 1440 ? '' : `${width}-`}${theme}.png`) });
      }
      await context.close();
    }
  }
  console.log(`pictures are in ${out}`);
} finally {
  await browser?.close();
  await server.stop();
}

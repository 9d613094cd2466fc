// What the page costs, with numbers: `npm run bench`. Nothing here passes or fails by time; look at
// the numbers on a machine that has nothing else to do.
//   1. bytes of the page, as they travel
//   2. from the printed address to a page that can be used
//   3. main thread while four engines say 100 lines a second each
//   4. lines that were shown as new and were of another position, while one steps back and forth
//   5. heap over time while an analysis without end runs (SECONDS=60)
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { ask, startServer } from './server.mjs';
import { sizes } from './size.mjs';
import { browserPath, ui } from './where.mjs';

const seconds = Number(process.env.SECONDS ?? 60);
const folder = process.env.QUADRILLE_PAGE;

function told() {
  if (!folder) return 'name the built page with QUADRILLE_PAGE to see its size';
  const { js, css } = sizes(folder);
  return `JavaScript ${(js / 1000).toFixed(1)} kB gzip, CSS ${(css / 1000).toFixed(1)} kB gzip`;
}

async function metrics(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

/** Four engines that say 100 lines a second, on one study. */
async function flood(page) {
  const odd = join(ui, 'tests/e2e/engines/odd.mjs');
  const ids = [];
  for (let n = 1; n <= 4; n += 1) {
    const engine = { command: process.execPath, args: [odd, 'flood'], folder: null, game: 'chess', name: `Flood ${n}` };
    ids.push((await ask(page, { ask: 'add-engine', engine })).of);
  }
  const value = JSON.stringify({ engines: { chess: ids }, lines: 4, seconds: 0, on: true });
  await ask(page, { ask: 'remember', name: 'analysis', value });
  const { of: study } = await ask(page, { ask: 'new-study', start: { game: 'chess', rules: '', position: '' }, title: null });
  await page.evaluate((hash) => (location.hash = hash), `#/analyse/${study}`);
  await page.locator('section.engine').nth(3).locator('li:not(.blank)').first().waitFor();
}

/** Steps between two positions, and counts what is shown as new in the wrong one, frame by frame. */
async function stale(page) {
  await page.keyboard.press('F1');
  await page.locator('.tree [aria-current]').waitFor();
  await page.evaluate(() => {
    const seen = (window.seen = { frames: 0, lines: 0, stale: 0 });
    const first = { '': ['e4', 'd4', 'c4', 'Nf3'], e4: ['e5', 'c5', 'e6', 'c6'] };
    const look = () => {
      const here = document.querySelector('.tree [aria-current]')?.textContent.trim() ?? '';
      for (const move of document.querySelectorAll('section.engine li:not(.blank, .old) [data-i="0"]')) {
        seen.lines += 1;
        const name = move.textContent.replace(/^\d+[.…]+/, '').trim();
        if (!first[here]?.includes(name)) seen.stale += 1;
      }
      seen.frames += 1;
      seen.next = requestAnimationFrame(look);
    };
    look();
  });
  for (let n = 0; n < 20; n += 1) {
    await page.keyboard.press(n % 2 ? 'ArrowRight' : 'ArrowLeft');
    await page.waitForTimeout(400);
  }
  return page.evaluate(() => (cancelAnimationFrame(window.seen.next), window.seen));
}

/** The slope of a line through points, by least squares. */
function slope(points) {
  const mean = (of) => points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean((p) => p[0]), mean((p) => p[1])];
  const up = points.reduce((sum, p) => sum + (p[0] - x) * (p[1] - y), 0);
  return up / points.reduce((sum, p) => sum + (p[0] - x) ** 2, 0);
}

const server = await startServer();
const browser = await chromium.launch({ executablePath: browserPath(), args: ['--no-sandbox', '--disable-dev-shm-usage', '--js-flags=--expose-gc'] });
try {
  console.log(told());
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const begun = performance.now();
  await page.goto(server.address);
  await page.getByRole('link', { name: /play/i }).first().waitFor();
  console.log(`usable ${(performance.now() - begun).toFixed(0)} ms after the address was opened`);

  await flood(page);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await metrics(session);
  const from = performance.now();
  await page.waitForTimeout(10_000);
  const after = await metrics(session);
  const share = (1000 * (after.TaskDuration - before.TaskDuration)) / (performance.now() - from);
  console.log(`four engines, 100 lines a second each: main thread ${(100 * share).toFixed(1)} % of a processor`);

  const { frames, lines, stale: wrong } = await stale(page);
  console.log(`${wrong} of ${lines} lines in ${frames} frames were of another position`);

  const points = [];
  for (let second = 0; second <= seconds; second += 5) {
    await session.send('HeapProfiler.collectGarbage');
    points.push([second, (await metrics(session)).JSHeapUsedSize]);
    await page.waitForTimeout(5000);
  }
  // The first points still warm up.
  const settled = points.slice(Math.min(3, points.length - 2));
  const growth = slope(settled) * 3600;
  console.log(`heap ${(settled.at(-1)[1] / 1e6).toFixed(2)} MB after ${seconds} s, slope ${(growth / 1e6).toFixed(2)} MB an hour`);
} finally {
  await browser.close();
  await server.stop();
}

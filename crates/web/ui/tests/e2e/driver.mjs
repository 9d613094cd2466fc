// Starts the program and a browser for a test, and ends both.
import { after, afterEach } from 'node:test';
import { chromium } from 'playwright-core';
import { serveFolder } from './static.mjs';
import { ask, startServer } from '../server.mjs';
import { browserPath } from '../where.mjs';

export { ui } from '../where.mjs';

let shared = null;
/** The folder with the page without a server, where this file tests that one. */
let site = null;

/**
 * Lets all tests of this file use the page without a server, from the folder that QUADRILLE_SITE
 * names. Gives the options for those tests: they are skipped where there is none.
 */
export function withoutServer() {
  site = process.env.QUADRILLE_SITE;
  return { skip: !site && 'QUADRILLE_SITE names no folder: cargo xtask page builds one' };
}

/** A server, see `startServer`; or what stands for one, see `withoutServer`. */
export async function serve(options) {
  return site ? serveFolder(site) : startServer(options);
}

let browser = null;

/** The server of this test file, started once. */
export async function server() {
  shared ??= serve();
  return shared;
}

async function chrome() {
  browser ??= chromium.launch({ executablePath: browserPath(), args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  return browser;
}

const contexts = new Set();

// A page that is left open would let its engines think on, at the cost of the next test.
afterEach(async () => {
  for (const context of contexts) await context.close();
  contexts.clear();
});

after(async () => {
  if (browser) await (await browser).close();
  if (shared) await (await shared).stop();
});

/** What the page says in the console that is an error; a test may allow some. */
export const errors = [];

/**
 * A page at an address such as `/engines`. Options: `width`, `height`, `dark`, `language`,
 * `touch`, `still` (no animation), `from` (another server).
 */
export async function open(path = '/', options = {}) {
  const site = options.from ?? (await server());
  const { width = 1280, height = 860, dark = false, language = 'en', still = true } = options;
  const context = await (await chrome()).newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    locale: language === 'ru' ? 'ru-RU' : 'en-GB',
    reducedMotion: still ? 'reduce' : 'no-preference',
    hasTouch: options.touch ?? false,
    permissions: ['clipboard-read', 'clipboard-write'],
    acceptDownloads: true,
  });
  context.setDefaultTimeout(15_000);
  contexts.add(context);
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && errors.push(`${message.text()} ${message.location().url}`));
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(site.address);
  await settled(page);
  if (path !== '/') await visit(page, path);
  return page;
}

/** Goes to another room of the same page. */
export async function visit(page, path) {
  const room = (text) => text.split(/[/?]/)[1] ?? '';
  const before = await page.evaluate(() => location.hash);
  // The notice about a full disk stands before every room.
  const shown = await page.evaluateHandle(() => document.querySelector('main > :not([role=alert])'));
  await page.evaluate((hash) => (location.hash = hash), `#${path}`);
  // Until the room before is gone, so that nothing is typed into it.
  if (room(before) !== room(path)) await page.waitForFunction((old) => !old?.isConnected, shown);
  await settled(page);
}

/** Until the page shows its room. */
export async function settled(page) {
  await page.locator('main h1, main [data-room], main .room, main svg').first().waitFor();
}

/** Asks the server through a socket of the test's own, as the page does. */
export async function asker(page) {
  return (question) => ask(page, question);
}

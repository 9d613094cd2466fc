// Starts the program and a browser for a test, and ends both.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, afterEach } from 'node:test';
import { chromium } from 'playwright-core';
import { serveFolder } from './static.mjs';
import { browserPath, program } from './where.mjs';

export { ui } from './where.mjs';

/** A server with a data folder of its own. `restart` keeps the folder and the port. With
 * QUADRILLE_SITE, the page without a server in that folder. */
export async function serve() {
  if (process.env.QUADRILLE_SITE) return serveFolder(process.env.QUADRILLE_SITE);
  const data = mkdtempSync(join(tmpdir(), 'quadrille-e2e-'));
  const page = process.env.QUADRILLE_PAGE;
  let child = null;
  const server = { address: '', data, stop, restart };

  async function start(port) {
    const args = ['gui', '--no-open', '--json', '--port', String(port), '--data', data, ...(page ? ['--page', page] : [])];
    child = spawn(program(), args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout });
    const line = await new Promise((done, fail) => {
      lines.once('line', done);
      child.once('exit', (code) => fail(new Error(`the server ended with ${code} before it said its address`)));
    });
    server.address = JSON.parse(line).address;
  }

  async function end(signal) {
    if (!child || child.exitCode !== null) return;
    const gone = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await gone;
  }

  async function stop() {
    await end('SIGTERM');
    rmSync(data, { recursive: true, force: true });
  }

  async function restart(signal = 'SIGTERM') {
    const port = new URL(server.address).port;
    await end(signal);
    await start(port);
  }

  await start(0);
  return server;
}

let shared = null;
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
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
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
  const shown = await page.evaluateHandle(() => document.querySelector('main')?.firstElementChild);
  await page.evaluate((hash) => (location.hash = hash), `#${path}`);
  // Until the room before is gone, so that nothing is typed into it.
  if (room(before) !== room(path)) await page.waitForFunction((old) => !old?.isConnected, shown);
  await settled(page);
}

/** Until the page is connected and shows its room. */
export async function settled(page) {
  await page.locator('main h1, main [data-room], main .room, main svg').first().waitFor();
}

/** Asks the server through a socket of the test's own, as the page does. */
export async function asker(page) {
  return async (ask) =>
    page.evaluate(async (question) => {
      const socket = new WebSocket(new URL('ws', location.href.split('#')[0]).href.replace(/^http/, 'ws'));
      try {
        return await new Promise((done, fail) => {
          socket.onopen = () => socket.send(JSON.stringify({ say: 'ask', id: 1, ask: question }));
          socket.onerror = () => fail(new Error('no socket'));
          socket.onmessage = (event) => {
            const heard = JSON.parse(event.data);
            if (heard.say === 'answer') done(heard.answer);
            if (heard.say === 'refused') fail(new Error(`${heard.refusal.code}: ${heard.refusal.words}`));
          };
        });
      } finally {
        socket.close();
      }
    }, ask);
}

// What a page without a server does not have, it does not speak of. Here the server is told apart only by
// what it says first, so that this is tried without a build of that page, too.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open } from './driver.mjs';

test('a page that lacks rooms speaks of none of them', async () => {
  const page = await open('/settings');
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      const told = JSON.parse(String(message));
      if (told.say === 'hello') Object.assign(told, { data: null, rooms: ['play', 'analyse', 'library', 'learn', 'settings'] });
      socket.send(JSON.stringify(told));
    });
  });
  await page.goto(`${page.url().split('#')[0]}#/`);
  await page.reload();
  await page.getByText('all in your browser').waitFor();
  const hints = page.getByRole('complementary', { name: 'Where to start' });
  await hints.getByText('Analyse: paste or drop').waitFor();
  assert.equal(await hints.getByText('Engines:').count(), 0);
  assert.equal(await page.getByRole('navigation').getByRole('link', { name: 'Engines' }).count(), 0);
  for (const room of ['engines', 'tournaments', 'check', 'online']) {
    await page.evaluate((hash) => (location.hash = hash), `#/${room}`);
    await page.getByText('This page runs without a server').waitFor();
    await page.getByRole('link', { name: 'To Play' }).waitFor();
  }
  await page.evaluate(() => (location.hash = '#/play'));
  await page.getByRole('heading', { name: 'New game' }).waitFor();
  assert.equal(await page.getByText('By link').count(), 0);
});

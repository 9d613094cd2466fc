// Others: a guest with the link to a seat, and a person who comes in with the password.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boardOf, byMouse, plies } from './board.mjs';
import { asker, open, serve, settled } from './driver.mjs';

const PASSWORD = 'correct horse';
const site = await serve({ args: ['--listen', '0.0.0.0'], env: { QUADRILLE_PASSWORD: PASSWORD } });

test.after(() => site.stop());

/** The address without the word that opens everything. */
const door = () => `${new URL(site.address).origin}/`;

test('a game by link: the guest plays, gives a name, and may do nothing else', async () => {
  const page = await open('/play?game=chess', { from: site });
  await page.locator('label', { hasText: 'By link' }).click();
  await page.locator('label.segment', { hasText: 'White' }).first().click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForURL(/#\/play\/\d+/);
  const link = await page.getByLabel('By link').inputValue();
  assert.match(link, /\?guest=\w+/);
  // The game begins when they come: until then nothing can be moved, and it is said why.
  await byMouse(page, ['e2']);
  assert.equal(await boardOf(page).locator('[aria-selected=true]').count(), 0);
  const box = page.getByRole('textbox', { name: 'Move', exact: true });
  await box.fill('e4');
  await box.press('Enter');
  await page.locator('.toast', { hasText: 'when the other player has opened the link' }).waitFor();
  await box.fill('');
  const guest = await open('/', { from: { address: link } });
  await boardOf(guest).waitFor();
  await guest.getByRole('textbox', { name: /name/i }).fill('Zoë');
  await guest.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Zoë').first().waitFor();
  await byMouse(page, ['e2', 'e4']);
  await plies(guest, 1);
  await byMouse(guest, ['e7', 'e5']);
  await plies(page, 2);
  // No hints with a guest; what one asks for is seen by both.
  assert.equal(await page.getByRole('button', { name: 'Hint' }).count(), 0);
  await page.getByRole('button', { name: 'Take back' }).click();
  await page.getByText('You have asked to take a move back').waitFor();
  await guest.getByRole('button', { name: 'Decline' }).click();
  await page.getByText('You have asked to take a move back').waitFor({ state: 'detached' });
  // The owner's side is not theirs, nor is anything else.
  await byMouse(guest, ['g1', 'f3']);
  assert.equal(await boardOf(guest).locator('[aria-selected=true]').count(), 0);
  const ask = await asker(guest);
  for (const question of [
    { ask: 'add-engine', engine: { command: '/bin/true', args: [], folder: null, game: 'chess', name: 'x' } },
    { ask: 'new-study', start: { game: 'chess', rules: '', position: '' }, title: null },
    { ask: 'attach-event', path: '/' },
  ]) {
    await assert.rejects(ask(question), /forbidden/, question.ask);
  }
  // Rooms that are not theirs say so, and lead back.
  for (const room of ['engines', 'library', 'tournaments', 'analyse', 'editor', 'play', '']) {
    await guest.evaluate((hash) => (location.hash = hash), `#/${room}`);
    await guest.getByText('You are a guest here').waitFor();
    assert.equal(await guest.getByRole('button', { name: 'Add an engine' }).count(), 0);
  }
  // A game that is not theirs, or does not exist, is not the one they are led back to.
  await guest.evaluate(() => (location.hash = '#/play/999'));
  await guest.getByText('This game is not there any more').waitFor();
  assert.equal(await guest.getByRole('link', { name: 'New game' }).count(), 0);
  await guest.getByRole('link', { name: 'To the game' }).waitFor();
  await guest.evaluate(() => (location.hash = '#/engines'));
  await guest.getByText('You are a guest here').waitFor();
  await guest.getByRole('link', { name: 'To the game' }).click();
  await boardOf(guest).waitFor();
  // On a phone the game can be given up without scrolling.
  for (const [width, height] of [[390, 844], [390, 640], [320, 568]]) {
    await guest.setViewportSize({ width, height });
    for (const name of ['Offer a draw', 'Resign']) {
      const button = await guest.getByRole('button', { name, exact: true }).elementHandle();
      const bar = await guest.getByRole('navigation', { name: 'Rooms' }).elementHandle();
      // Once the board has its new size.
      await guest.waitForFunction(([a, b]) => a.getBoundingClientRect().top >= 0 && a.getBoundingClientRect().bottom <= b.getBoundingClientRect().top, [button, bar]);
    }
  }
  await guest.setViewportSize({ width: 1280, height: 860 });
  // They come back to their seat.
  await guest.reload();
  await boardOf(guest).waitFor();
  await plies(guest, 2);
});

test('the page is not shown without the word or the password, and is with it', async () => {
  const page = await open('/', { from: site });
  const stranger = await page.context().browser().newContext();
  try {
    const tab = await stranger.newPage();
    await tab.goto(door());
    await tab.getByLabel(/Password/).fill('wrong password');
    await tab.getByRole('button').click();
    await tab.getByText('That is not the password').waitFor();
    await tab.goto(door());
    await tab.getByLabel(/Password/).fill(PASSWORD);
    await tab.getByRole('button').click();
    await settled(tab);
  } finally {
    await stranger.close();
  }
});

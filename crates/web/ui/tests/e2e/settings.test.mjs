// Settings: everything at once and for good; part of point 30.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open, visit } from './driver.mjs';

/** Chooses one of a few, by a click on its words. */
const choose = (page, words) => page.locator('label.choice', { hasText: words }).click();

const ground = (page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

test('30: language and theme change at once, without a reload', async () => {
  const page = await open('/settings');
  await page.evaluate(() => (window.stillHere = true));
  const light = await ground(page);
  await choose(page, 'dark');
  await page.waitForFunction((old) => getComputedStyle(document.documentElement).backgroundColor !== old, light);
  await choose(page, 'Русский');
  await page.getByRole('heading', { name: 'Настройки', level: 1 }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'ru');
  assert.equal(await page.evaluate(() => window.stillHere), true);
  // Remembered by the server: another browser has it too.
  const other = await open('/settings');
  await other.getByRole('heading', { name: 'Настройки', level: 1 }).waitFor();
  await choose(other, 'English');
  await choose(other, 'as the system');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
});

test('board theme, sounds and the player name are kept over a reload', async () => {
  const page = await open('/settings');
  await choose(page, 'Walnut');
  await page.getByRole('switch', { name: /Sounds of moves/ }).uncheck();
  await page.getByLabel('Your name at the board').fill('Ann');
  await page.getByLabel('Your name at the board').press('Tab');
  await page.reload();
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.board), 'walnut');
  assert.equal(await page.getByRole('switch', { name: /Sounds of moves/ }).isChecked(), false);
  assert.equal(await page.getByLabel('Your name at the board').inputValue(), 'Ann');
});

test('21: a key can be changed, a taken one is named, and back', async () => {
  const page = await open('/settings');
  const row = page.getByRole('row', { name: /Light or dark/ });
  await row.getByRole('button', { name: /Change/ }).click();
  await page.keyboard.press('?');
  await page.getByText(/already means/).waitFor();
  await page.keyboard.press('Shift+T');
  await row.getByText('shift+t').waitFor();
  await page.locator('h1').click();
  const before = await ground(page);
  await page.keyboard.press('Shift+T');
  await page.waitForFunction((old) => getComputedStyle(document.documentElement).backgroundColor !== old, before);
  await row.getByRole('button', { name: 'Usual key' }).click();
  await row.getByText('shift+d').waitFor();
});

test('the data folder is shown', async () => {
  const page = await open('/settings');
  assert.match(await page.locator('code.folder').innerText(), /quadrille-e2e-/);
});

test('a key that is typed as a dialog closes is not lost', async () => {
  const page = await open('/settings');
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('Find anything').first().waitFor();
  // Within one turn of the page: its focus is still on the button inside.
  await page.evaluate(() => {
    document.querySelector('dialog').close();
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '/', code: 'Slash', bubbles: true, cancelable: true }));
  });
  await page.locator('dialog input:focus').waitFor();
});

test('? lists the keys and / finds a room', async () => {
  const page = await open('/settings');
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('Find anything').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('/');
  await page.locator('dialog input:focus').waitFor();
  await page.keyboard.type('engin');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#\/engines/);
  await visit(page, '/settings');
});

// The Engines room; points 28 and 29.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { asker, open, ui, visit } from './driver.mjs';

const odd = join(ui, 'tests/e2e/engines/odd.mjs');

/** Adds the odd engine of a kind through the dialog; the page then shows it. */
async function add(page, kind, name) {
  await page.getByRole('button', { name: 'Add an engine' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Path of the program').fill(process.execPath);
  await dialog.getByText('More', { exact: true }).click();
  await dialog.getByLabel('Arguments').fill(`${odd} ${kind}`);
  await dialog.getByLabel('Name to show').fill(name);
  await dialog.getByLabel('Game').selectOption('chess');
  await dialog.getByRole('button', { name: 'Start and greet it' }).click();
  return dialog;
}

/** Another page that analyses with an engine. */
async function analysing(id) {
  const page = await open('/settings');
  const ask = await asker(page);
  await ask({ ask: 'remember', name: 'analysis', value: JSON.stringify({ engines: { chess: [id] }, lines: 3, seconds: 0, on: true }) });
  await visit(page, '/analyse?game=chess');
  return page;
}

test('an engine is added by its path, and the handshake is shown step by step', async () => {
  const page = await open('/engines');
  const dialog = await add(page, 'options', 'Odd one');
  const steps = dialog.getByRole('list', { name: 'Handshake' }).getByRole('listitem');
  await steps.filter({ hasText: 'Keep it in the list' }).waitFor();
  for (const words of ['Start the program', 'Greet it', 'Read its options', 'Ask whether it is ready', 'Keep it in the list']) {
    assert.match(await steps.filter({ hasText: words }).innerText(), /done/);
  }
  await dialog.getByRole('button', { name: 'Show it' }).click();
  await page.waitForURL(/#\/engines\/\d+$/);
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Odd one');
});

test('an engine that cannot be started is explained in words', async () => {
  const page = await open('/engines');
  await page.getByRole('button', { name: 'Add an engine' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Path of the program').fill('/no/such/engine');
  await dialog.getByRole('button', { name: 'Start and greet it' }).click();
  assert.match(await dialog.getByRole('alert').innerText(), /\/no\/such\/engine/);
  await dialog.getByRole('listitem').filter({ hasText: 'Start the program' }).filter({ hasText: 'failed' }).waitFor();
});

test('28: the option dialog has all five kinds, defaults, reset, search and sliders', async () => {
  const page = await open('/engines');
  await page.getByRole('link', { name: /Odd one/ }).click();
  const hash = page.getByRole('spinbutton', { name: 'Hash' });
  assert.equal(await hash.inputValue(), '16');
  // Sliders for the common ones, in step with the number.
  await page.getByRole('slider', { name: 'Hash' }).press('ArrowRight');
  await page.waitForFunction(() => document.querySelector('input[type=number]')?.value === '32');
  await page.getByRole('button', { name: 'Set Hash back to its default' }).click();
  await page.waitForFunction(() => document.querySelector('input[type=number]')?.value === '16');
  // The other kinds.
  await page.getByRole('switch', { name: 'Wild' }).check();
  await page.getByLabel('Style', { exact: true }).selectOption('Risky');
  await page.getByLabel('Book File', { exact: true }).fill('/tmp/book.bin');
  await page.getByLabel('Book File', { exact: true }).press('Tab');
  await page.getByText('default: Normal').waitFor();
  await page.getByText('default: empty').waitFor();
  // A number outside its range is named and not sent.
  await page.getByRole('spinbutton', { name: 'Contempt' }).fill('500');
  await page.getByRole('spinbutton', { name: 'Contempt' }).press('Tab');
  await page.locator('strong', { hasText: '-100 to 100' }).waitFor();
  // Search.
  await page.getByRole('searchbox', { name: 'Find an option' }).fill('sty');
  assert.equal(await page.locator('.option').count(), 1);
  await page.getByRole('searchbox', { name: 'Find an option' }).fill('');
  // The values are kept.
  await page.reload();
  await page.getByRole('switch', { name: 'Wild' }).waitFor();
  assert.equal(await page.getByRole('switch', { name: 'Wild' }).isChecked(), true);
  assert.equal(await page.getByLabel('Style', { exact: true }).inputValue(), 'Risky');
  // All back, and that can be undone.
  await page.getByRole('button', { name: 'Reset all' }).click();
  await page.waitForFunction(() => !document.querySelector('input[role=switch]').checked);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction(() => document.querySelector('input[role=switch]').checked);
});

test('28: a button of an engine can be pressed, and the engine hears it', async () => {
  const page = await open('/engines');
  await page.getByRole('link', { name: /Odd one/ }).click();
  // Nothing would hear it while the engine does not run.
  await page.locator('.option', { hasText: 'Ping' }).getByRole('button').click();
  await page.getByText(/does not run now/).waitFor();
  const id = Number(/\d+$/.exec(page.url())[0]);
  const other = await analysing(id);
  await page.locator('.chip', { hasText: 'thinking' }).waitFor();
  await page.locator('.option', { hasText: 'Ping' }).getByRole('button').click();
  await page.getByText('Ping was pressed').waitFor();
  await page.getByRole('tab', { name: 'Log' }).click();
  await page.getByRole('searchbox', { name: 'Find in the log' }).fill('pong');
  await page.locator('[data-way="<"]', { hasText: 'info string pong' }).first().waitFor();
  await other.context().close();
});

test('29: the log has both directions, a filter, a pause and an export', async () => {
  const page = await open('/engines');
  await page.getByRole('link', { name: /Odd one/ }).click();
  await page.getByRole('tab', { name: 'Log' }).click();
  // Only the newest lines are drawn; the first ones are found.
  await page.getByRole('searchbox', { name: 'Find in the log' }).fill('uci');
  await page.locator('[data-way=">"]', { hasText: 'uci' }).first().waitFor();
  const colour = (way) => page.locator(`[data-way="${way}"] .text`).first().evaluate((e) => getComputedStyle(e).color);
  assert.notEqual(await colour('>'), await colour('<'));
  await page.getByRole('button', { name: 'to the engine', exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll('[data-way="<"]').length === 0);
  await page.getByRole('button', { name: 'both' }).click();
  await page.getByRole('searchbox', { name: 'Find in the log' }).fill('option name Wild type');
  await page.waitForFunction(() => document.querySelectorAll('[data-way=">"]').length === 0);
  assert.match(await page.locator('[data-way]').first().innerText(), /Wild/);
  assert.equal(await page.locator('[data-way=">"]').count(), 0);
  await page.getByRole('searchbox', { name: 'Find in the log' }).fill('');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as file' }).click();
  const text = await readFile(await (await saved).path(), 'utf8');
  assert.match(text, /> uci\n[\s\S]*< uciok/);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText(/Paused; 0 lines wait/).waitFor();
  await page.getByRole('button', { name: 'Go on' }).click();
});

test('29: an engine that does not answer is told in words, never a silent hang', async () => {
  const page = await open('/engines');
  const dialog = await add(page, 'silent', 'Silent one');
  // While it waits it says for what; then what is wrong.
  await dialog.getByRole('listitem').filter({ hasText: 'Greet it' }).filter({ hasText: 'under way' }).waitFor();
  await dialog.getByRole('alert').waitFor({ timeout: 40_000 });
  await dialog.getByRole('listitem').filter({ hasText: 'Greet it' }).filter({ hasText: 'failed' }).waitFor();
});

test('an attempt that is given up leaves nothing behind', async () => {
  const page = await open('/engines');
  let dialog = await add(page, 'silent', 'Silent two');
  await dialog.getByRole('listitem').filter({ hasText: 'Greet it' }).filter({ hasText: 'under way' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // The next one begins at once, and only its own steps are shown.
  await page.getByRole('button', { name: 'Add an engine' }).click();
  dialog = page.getByRole('dialog');
  await dialog.getByLabel('Path of the program').fill('/no/such/engine');
  await dialog.getByRole('button', { name: 'Start and greet it' }).click();
  await dialog.getByRole('alert').filter({ hasText: '/no/such/engine' }).waitFor();
  await dialog.getByRole('listitem').filter({ hasText: 'failed' }).waitFor();
  assert.equal(await dialog.getByRole('listitem').count(), 1);
  await page.keyboard.press('Escape');
  assert.equal(await page.getByRole('link', { name: /Silent two/ }).count(), 0);
});

test('an attempt that is cancelled is no fault of the engine, and one in a room that is left ends', async () => {
  const page = await open('/engines');
  let dialog = await add(page, 'silent', 'Silent three');
  const greeted = () => dialog.getByRole('listitem').filter({ hasText: 'Greet it' }).filter({ hasText: 'under way' }).waitFor();
  await greeted();
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).waitFor({ state: 'detached' });
  assert.equal(await dialog.getByRole('alert').count(), 0);
  assert.equal(await dialog.getByRole('listitem').count(), 0);
  await dialog.getByRole('button', { name: 'Start and greet it' }).click();
  await greeted();
  await visit(page, '/settings');
  // Another page may add one at once, which it may not while this one is at it.
  const other = await open('/engines');
  dialog = await add(other, 'options', 'Odd after silent');
  await dialog.getByRole('button', { name: 'Show it' }).waitFor();
});

test('an engine that dies when it is to move is not kept, and it is said when it died', async () => {
  const page = await open('/engines');
  const dialog = await add(page, 'dies', 'Dying one');
  await dialog.getByRole('alert').filter({ hasText: 'first move of chess' }).waitFor();
  await dialog.getByRole('listitem').filter({ hasText: 'Ask for a first move' }).filter({ hasText: 'failed' }).waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.getByRole('link', { name: /Dying one/ }).count(), 0);
});

test('registration is asked for and given', async () => {
  const page = await open('/engines');
  const dialog = await add(page, 'register', 'Registered one');
  await dialog.getByRole('button', { name: 'Show it' }).click();
  await page.getByRole('heading', { name: 'Registration' }).waitFor();
  await page.getByLabel('Name', { exact: true }).last().fill('Me');
  await page.getByLabel('Code').fill('42');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByRole('heading', { name: 'Registration' }).waitFor({ state: 'detached' });
});

test('a copy-protection refusal is explained', async () => {
  const page = await open('/engines');
  const dialog = await add(page, 'protect', 'Protected one');
  await dialog.getByRole('alert').waitFor();
  assert.match(await dialog.getByRole('alert').innerText(), /copy protection/i);
  await dialog.getByRole('listitem').filter({ hasText: 'failed' }).waitFor();
});

test('engines are reordered by keys and by dragging, duplicated, removed with undo', async () => {
  const page = await open('/engines');
  const names = () => page.getByRole('list', { name: /Engines, in the order/ }).locator('.name').allInnerTexts();
  await page.getByRole('link', { name: /Odd one/ }).waitFor();
  const before = await names();
  const at = before.indexOf('Odd one');
  await page.getByRole('link', { name: /Odd one/ }).press('Alt+ArrowUp');
  await page.waitForFunction((i) => document.querySelectorAll('ol .name')[i]?.textContent === 'Odd one', at - 1);
  await page.locator('li', { hasText: 'Odd one' }).dragTo(page.locator('li').nth(0));
  await page.waitForFunction(() => document.querySelectorAll('ol .name')[0]?.textContent === 'Odd one');
  await page.getByRole('link', { name: /Odd one/ }).click();
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await page.waitForFunction((n) => document.querySelectorAll('ol .name').length === n + 1, before.length);
  const copy = page.locator('ol a').nth(1);
  await copy.click();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.waitForFunction((n) => document.querySelectorAll('ol .name').length === n, before.length);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction((n) => document.querySelectorAll('ol .name').length === n + 1, before.length);
});

test('what a hostile engine says is text and nothing else', async () => {
  const page = await open('/engines');
  const dialog = await add(page, 'hostile', '');
  await dialog.getByRole('button', { name: 'Show it' }).click();
  await page.getByRole('tab', { name: 'About' }).click();
  await page.getByText('onerror').first().waitFor();
  await page.getByRole('tab', { name: 'Log' }).click();
  await page.locator('[data-way="<"]').first().waitFor();
  assert.equal(await page.locator('img[src="x"]').count(), 0);
  assert.doesNotMatch(await page.title(), /broken in/);
});

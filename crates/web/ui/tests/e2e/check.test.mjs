// The Check room: an engine that breaks rules is checked, its findings read, two checks compared; and
// tapes in the log window.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { asker, open, ui, visit } from './driver.mjs';

const odd = join(ui, 'tests/e2e/engines/odd.mjs');

async function addOdd(page, kind) {
  const ask = await asker(page);
  const engine = { command: process.execPath, args: [odd, kind], folder: null, game: 'chess', name: `Odd ${kind}` };
  return (await ask({ ask: 'add-engine', engine })).of;
}

/** Checks an engine on some rules, and waits for the end. */
async function check(page, engine, only) {
  await visit(page, `/check?engine=${engine}&only=${only}`);
  await page.getByRole('combobox', { name: 'Engine' }).selectOption(String(engine));
  await page.getByRole('button', { name: 'Check it' }).click();
  await page.waitForURL(/#\/check\/\d+$/);
  await page.getByRole('button', { name: 'Save as JSON' }).waitFor({ timeout: 90_000 });
  return Number(/\d+$/.exec(page.url())[0]);
}

test('a mutant is checked, its finding opened, its transcript shown, and mended in another run', async () => {
  const page = await open('/settings');
  const bad = await addOdd(page, 'twice');
  const first = await check(page, bad, 'bestmove');
  const finding = page.locator('details', { has: page.locator('code', { hasText: 'bestmove.once' }) });
  await finding.locator('summary').click();
  await finding.getByText('The rule').waitFor();
  assert.match(await finding.locator('blockquote').innerText(), /bestmove/);
  const said = await finding.locator('pre').innerText();
  assert.match(said, /> go /);
  assert.match(said, /< bestmove .*\n[\s\S]*< bestmove /);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as JSON' }).click();
  const report = JSON.parse(await readFile(await (await saved).path(), 'utf8'));
  assert.equal(report.name, 'Odd twice');
  assert.ok(report.findings.some((found) => found.severity === 'error'));
  // Beside our own engine, which keeps the rules.
  const second = await check(page, 1, 'bestmove');
  await page.getByText('No rule was broken.').waitFor();
  await visit(page, `/check/${first}/${second}`);
  await page.getByRole('heading', { name: 'Only in the first: mended' }).waitFor();
  // It is there after a reload, and in the list.
  await page.reload();
  await page.getByRole('heading', { name: 'Only in the first: mended' }).waitFor();
  await visit(page, '/check');
  await page.getByRole('list', { name: 'Checks so far' }).getByRole('link', { name: /Odd twice/ }).waitFor();
});

test('a check can be cancelled, and says that it is not all', async () => {
  const page = await open('/check');
  await page.getByRole('combobox', { name: 'Engine' }).selectOption('1');
  await page.getByRole('button', { name: 'Check it' }).click();
  await page.getByText(/^Now: /).waitFor();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByText('It was broken off').waitFor({ timeout: 60_000 });
});

test('a log is saved as a tape and opened again; what is no tape is refused in words', async () => {
  const page = await open('/settings');
  const id = await addOdd(page, 'options');
  await visit(page, `/engines/${id}`);
  await page.getByRole('tab', { name: 'Log' }).click();
  await page.locator('[data-way="<"]').first().waitFor();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as tape' }).click();
  const path = await (await saved).path();
  assert.match(await readFile(path, 'utf8'), /^# quadrille tape 1\n# engine Odd options\n\d+\.\d{6} > uci\n\d+\.\d{6} < id name Odd\n/);
  const other = join(tmpdir(), `quadrille-e2e-${process.pid}.tape`);
  await writeFile(other, '# quadrille tape 1\n# engine other\n0.000100 > uci\n0.200000 < id name From another day\n');
  await page.getByLabel('Open a tape').setInputFiles(other);
  await page.locator('[data-way="<"]', { hasText: 'From another day' }).waitFor();
  await page.getByRole('button', { name: 'Back to the engine' }).click();
  await page.locator('[data-way="<"]', { hasText: 'From another day' }).waitFor({ state: 'detached' });
  await writeFile(other, 'nothing of the kind');
  await page.getByLabel('Open a tape').setInputFiles(other);
  await page.getByText(/is no tape/).waitFor();
});

// What the tests of the analysis room share.
import { boardOf } from './board.mjs';
import { open, visit } from './driver.mjs';

export const OPERA = `[Event "Paris"]
[White "Morphy"]
[Black "Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 (3... exd4 4. Nxd4 (4. Qxd4 Nc6) 4... Nf6) 4. dxe5 Bxf3 {He had to.} 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 1-0`;

export const nodes = (page) => page.locator('.tree [data-node]');
export const now = (page) => page.locator('.tree [aria-current=step]');
export const arrows = (page) => page.locator('.board .arrow');

/** Pastes a text as a person does. */
export async function paste(page, text) {
  await page.evaluate((pasted) => {
    const data = new DataTransfer();
    data.setData('text', pasted);
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  }, text);
  await page.waitForURL(/#\/analyse\/\d+/);
}

/** A new analysis with its board, engines off unless they are wanted. */
export async function analysis(game = 'chess', { engines = false, ...options } = {}) {
  const page = await open('/', options);
  await visit(page, `/analyse?game=${game}`);
  await page.waitForURL(/#\/analyse\/\d+/);
  await boardOf(page).waitFor();
  const on = (await page.getByRole('switch', { name: 'Engines' }).getAttribute('aria-checked')) === 'true';
  if (on !== engines) await page.getByRole('switch', { name: 'Engines' }).click();
  if (engines) await page.locator('.engine li .first').first().waitFor({ timeout: 60_000 });
  return page;
}

export async function game() {
  const page = await analysis();
  await paste(page, OPERA);
  await page.locator('.tree', { hasText: 'Bc4' }).waitFor();
  return page;
}

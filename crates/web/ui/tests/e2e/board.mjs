// How a test moves pieces: as a person does, by mouse or by keys.

/** Names of squares as the board has them, from the text of a Gyges move. */
export const gyges = (text) =>
  text.split('|').map((number) => (number === '36' ? 'P1' : number === '37' ? 'P2' : 'abcdef'[number % 6] + (Math.floor(number / 6) + 1)));

/** A board of the page; the first one where there are several. */
export const boardOf = (page) => page.getByRole('grid').first();

const cell = (page, square) => boardOf(page).locator(`[data-square="${square}"]`);

/** Clicks in the middle of a square. */
export async function click(page, square) {
  const box = await cell(page, square).boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

export async function drag(page, from, to, options = {}) {
  const [a, b] = [await cell(page, from).boundingBox(), await cell(page, to).boundingBox()];
  await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
  await page.mouse.down(options);
  await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2, { steps: 4 });
  await page.mouse.up(options);
}

/** The steps of a move: squares, and choices written `=r`. By mouse. */
export async function byMouse(page, steps) {
  for (const step of steps) {
    if (step.startsWith('=')) {
      const key = step.slice(1).toUpperCase();
      await page.getByRole('group', { name: /Choose|Выберите/ }).locator('button', { has: page.locator(`kbd:text-is("${key}")`) }).click();
    } else await click(page, step);
  }
}

const parse = (square) => {
  if (square === 'P1' || square === 'P2') return { file: 3, rank: square === 'P1' ? -1 : 99 };
  const [, letters, digits] = /^([a-z]+)(\d+)$/.exec(square);
  return { file: letters.charCodeAt(0) - 97, rank: Number(digits) };
};

/** Walks the focus of the board to a square with the arrow keys. */
export async function walk(page, square) {
  for (let presses = 0; presses < 60; presses++) {
    const now = await page.evaluate(() => document.activeElement?.getAttribute('data-square') ?? '');
    if (now === square) return;
    if (!now) throw new Error('no square has the focus');
    const [from, to] = [parse(now), parse(square)];
    const goal = square[0] === 'P';
    const key = !goal && from.file !== to.file && now[0] !== 'P' ? (to.file > from.file ? 'ArrowRight' : 'ArrowLeft') : to.rank > from.rank ? 'ArrowUp' : 'ArrowDown';
    await page.keyboard.press(key);
    await page.waitForFunction((old) => document.activeElement?.getAttribute('data-square') !== old, now, { timeout: 3000 }).catch(() => {});
  }
  throw new Error(`${square} was not reached`);
}

/** The same by keys alone. */
export async function byKeys(page, steps) {
  for (const step of steps) {
    if (step.startsWith('=')) await page.keyboard.press(step.slice(1));
    else {
      await walk(page, step);
      await page.keyboard.press('Enter');
    }
  }
}

/** Until so many moves were made. */
export async function plies(page, n) {
  await page.waitForFunction((wanted) => document.querySelectorAll('main [data-ply]').length >= wanted, n);
}

/** Presses Tab until something has the focus that fits. */
export async function tabTo(page, fits, most = 80) {
  for (let i = 0; i < most; i++) {
    if (await page.evaluate(fits)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('the Tab key does not lead there');
}

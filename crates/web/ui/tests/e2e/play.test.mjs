// Games on the page of a server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oddEngine } from './analyse.mjs';
import { boardOf, byMouse, drag, plies } from './board.mjs';
import { asker, open, visit } from './driver.mjs';
import { ended, wholeGames } from './games.mjs';

wholeGames();

test('a weak engine is beaten from a position of the editor', async () => {
  const page = await open('/editor/chess?position=6k1%2F5ppp%2F8%2F8%2F8%2F8%2F8%2F4R1K1%20w%20-%20-%200%201');
  await page.getByRole('button', { name: 'Play from here' }).click();
  await page.waitForURL(/#\/play\?/);
  await page.locator('label.segment', { hasText: 'Engine' }).first().click();
  await page.getByRole('slider').first().fill('1');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForURL(/#\/play\/\d+/);
  await byMouse(page, ['e1', 'e8']);
  await ended(page, ['1–0', 'White wins', 'by checkmate']);
});

test('a move typed while the engine thinks stays in its box; draw and resignation are asked once more', async () => {
  const page = await open('/play');
  const ask = await asker(page);
  const seats = [{ seat: 'person', name: '' }, { seat: 'engine', engine: await oddEngine(ask, 'flood'), level: { level: 'full' } }];
  // The engine thinks for as long as that.
  const time = { time: 'unlimited', engine: 3000 };
  const { of: table } = await ask({ ask: 'new-table', table: { start: { game: 'chess', rules: '', position: '' }, seats, time } });
  await visit(page, `/play/${table}`);
  await boardOf(page).waitFor();
  const address = page.url();
  await page.keyboard.press('i');
  await page.keyboard.type('a3');
  await page.keyboard.press('Enter');
  await page.keyboard.type('nh3');
  await page.keyboard.press('Enter');
  await page.getByText('It is not your turn yet').waitFor();
  assert.equal(page.url(), address);
  await plies(page, 2);
  assert.equal(await page.getByRole('textbox', { name: 'Move' }).inputValue(), 'nh3 ');
  await page.keyboard.press('Enter');
  await plies(page, 3);
  await page.getByRole('button', { name: 'Offer a draw' }).click();
  await page.getByText('Offer a draw?').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByText('Resign this game?').waitFor();
  assert.equal(await page.locator('.result').count(), 0);
  await page.getByRole('button', { name: 'Resign' }).click();
  await ended(page, ['0–1', 'Black wins', 'White resigned']);
});

test('14: click-click and drag both work, a second click cancels, illegal does nothing', async () => {
  const page = await open('/play?game=chess');
  await page.locator('label', { hasText: 'Same screen' }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await boardOf(page).waitFor();
  await byMouse(page, ['e2']);
  assert.equal(await boardOf(page).locator('[aria-selected=true]').getAttribute('data-square'), 'e2');
  assert.equal(await boardOf(page).locator('.target').count(), 2);
  await byMouse(page, ['e2']);
  assert.equal(await boardOf(page).locator('[aria-selected=true]').count(), 0);
  await byMouse(page, ['e2', 'e5']);
  await drag(page, 'e2', 'e5');
  assert.equal(await page.locator('.toast').count(), 0);
  await drag(page, 'e2', 'e4');
  await plies(page, 1);
  await byMouse(page, ['e7', 'e5']);
  await plies(page, 2);
});

test('a reload in the middle of a game loses nothing', async () => {
  const page = await open('/play?game=leiser');
  await page.locator('label', { hasText: 'Same screen' }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await boardOf(page).waitFor();
  await byMouse(page, ['h4', '=R']);
  await plies(page, 1);
  await page.reload();
  await boardOf(page).waitFor();
  await plies(page, 1);
  await byMouse(page, ['d6', 'e6']);
  await plies(page, 2);
  await visit(page, '/');
  await page.goBack();
  await plies(page, 2);
});

test('a piece that is picked up stays so when the other side offers a draw', async () => {
  const page = await open('/play?game=chess');
  await page.locator('label', { hasText: 'Same screen' }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForURL(/#\/play\/\d+/);
  await byMouse(page, ['e2']);
  const picked = boardOf(page).locator('[aria-selected=true]');
  await picked.waitFor({ state: 'attached' });
  const ask = await asker(page);
  await ask({ ask: 'act', table: Number(/\d+$/.exec(page.url())[0]), action: { do: 'offer-draw', side: 'black' } });
  await page.getByRole('button', { name: /Accept/ }).first().waitFor();
  assert.equal(await picked.getAttribute('data-square'), 'e2');
  await byMouse(page, ['e4']);
  await plies(page, 1);
});

test('Play that is pressed before the engines are known begins the game when they are', async () => {
  const page = await open('/settings');
  // Their list comes late, as on a machine that does much else.
  let release = () => {};
  const held = new Promise((done) => (release = done));
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (/"say":"news","topic":\{"topic":"engines"/.test(String(message))) void held.then(() => socket.send(message));
      else socket.send(message);
    });
  });
  await page.goto(`${page.url().split('#')[0]}#/play?game=chess`);
  await page.reload();
  const button = page.getByRole('button', { name: 'Play', exact: true });
  await button.waitFor();
  await page.locator('label.segment', { hasText: /^ ?Engine$/ }).click();
  // As a person presses it, not when it is ready.
  await button.evaluate((element) => element.click());
  await page.waitForTimeout(300);
  assert.match(page.url(), /#\/play\?/);
  release();
  await page.waitForURL(/#\/play\/\d+/);
});

/** Whether the middle of an element is not covered by another. */
const uncovered = (page, locator) =>
  locator.evaluate((element) => {
    const box = element.getBoundingClientRect();
    const top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    return element.contains(top) || `${top?.tagName}.${top?.className} over ${element.getAttribute('aria-label') ?? element.textContent}`;
  });

for (const [width, height] of [[360, 740], [390, 640], [375, 667], [320, 568], [600, 600]]) {
  test(`the box for moves, the steps and the moves are not under the buttons at ${width} by ${height}`, async () => {
    const page = await open('/play?game=chess', { width, height });
    await page.locator('label', { hasText: 'Same screen' }).click();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.waitForURL(/#\/play\/\d+/);
    const box = page.getByRole('textbox', { name: 'Move', exact: true });
    await box.focus();
    const always = [box, ...['Offer a draw', 'Resign', 'To the beginning', 'One move back', 'Flip the board'].map((name) => page.getByRole('button', { name, exact: true }))];
    for (const one of always) assert.equal(await uncovered(page, one), true);
    for (const [i, move] of ['f3', 'e5', 'g4'].entries()) {
      await box.fill(move);
      await box.press('Enter');
      await plies(page, i + 1);
    }
    const first = page.locator('[data-ply="1"]');
    // By the keyboard: from the board into the list.
    await page.evaluate(() => scrollTo(0, 0));
    await first.focus();
    assert.equal(await uncovered(page, first), true);
    await box.focus();
    await box.fill('Qh4');
    await box.press('Enter');
    await page.locator('.result').waitFor();
    for (const one of [box, page.getByRole('button', { name: 'One move back', exact: true })]) assert.equal(await uncovered(page, one), true);
    await page.evaluate(() => scrollTo(0, 0));
    await first.focus();
    assert.equal(await uncovered(page, first), true);
  });
}

test('the box for moves names a move as the list writes it, and none on other boards of Liberty chess', async () => {
  const page = await open('/settings');
  const ask = await asker(page);
  const seats = ['a', 'b'].map((name) => ({ seat: 'person', name }));
  const standard = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
  const mini = 'qkbnr/ppppp/5/5/PPPPP/QKBNR w Kk - 0 1 1';
  for (const [game, position, words] of [
    ['gyges', '', 'Move, e.g. d1-d2'],
    ['chess', '', 'Move, e.g. Nf3'],
    ['liberty', standard, 'Move, e.g. Nf3'],
    ['liberty', mini, 'Type a move'],
  ]) {
    const table = { start: { game, rules: '', position }, seats, time: { time: 'unlimited', engine: 100 } };
    await visit(page, `/play/${(await ask({ ask: 'new-table', table })).of}`);
    await page.waitForFunction((wanted) => document.querySelector('.through input')?.placeholder === wanted, words);
  }
});

test('moves that are typed faster than they are made are made in their order', async () => {
  const page = await open('/settings');
  const ask = await asker(page);
  const seats = ['a', 'b'].map((name) => ({ seat: 'person', name }));
  const table = { start: { game: 'chess', rules: '', position: '' }, seats, time: { time: 'unlimited', engine: 100 } };
  const game = (await ask({ ask: 'new-table', table })).of;
  const study = (await ask({ ask: 'new-study', start: { game: 'chess', rules: '', position: '' }, title: null })).of;
  const line = ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6'];
  for (const [room, shown] of [[`/play/${game}`, 'main [data-ply]'], [`/analyse/${study}`, '.tree [data-node]']]) {
    await visit(page, room);
    const box = page.locator('.through input');
    await box.click();
    await page.keyboard.type(line.map((move) => `${move}\n`).join(''));
    await page.waitForFunction(({ shown, most }) => document.querySelectorAll(shown).length >= most, { shown, most: line.length });
    const made = await page.locator(shown).allInnerTexts();
    assert.deepEqual(made.map((text) => text.match(/[KQRBN]?[a-h][1-8]/)?.[0]), line, room);
    // What stands behind a move that is none was meant for another position: it comes back.
    await page.keyboard.type('Ba4\nQd5\nNf6\n');
    await page.waitForFunction(() => document.querySelector('.through input')?.value.trim() === 'Qd5 Nf6');
    assert.equal(await page.locator(shown).count(), line.length + 1, room);
  }
});

test('a move that is typed behind one that was refused does not run into it', async () => {
  const page = await open('/settings');
  const ask = await asker(page);
  const seats = ['a', 'b'].map((name) => ({ seat: 'person', name }));
  const table = { start: { game: 'chess', rules: '', position: '' }, seats, time: { time: 'unlimited', engine: 100 } };
  await visit(page, `/play/${(await ask({ ask: 'new-table', table })).of}`);
  const box = page.locator('.through input');
  await box.click();
  await page.keyboard.type('e5\n');
  await page.getByText('“e5” is not a legal move here').waitFor();
  await page.keyboard.type('d4');
  assert.equal(await box.inputValue(), 'e5 d4');
});

test('moves that are not made when the room is left are in the box when one comes back', async () => {
  const page = await open('/settings');
  const ask = await asker(page);
  const seats = ['a', 'b'].map((name) => ({ seat: 'person', name }));
  const table = { start: { game: 'chess', rules: '', position: '' }, seats, time: { time: 'unlimited', engine: 100 } };
  const game = (await ask({ ask: 'new-table', table })).of;
  const study = (await ask({ ask: 'new-study', start: { game: 'chess', rules: '', position: '' }, title: null })).of;
  const other = (await ask({ ask: 'new-study', start: { game: 'gyges', rules: '', position: '' }, title: null })).of;
  const line = ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6', 'Ba4', 'Nf6'];
  for (const [room, shown] of [[`/play/${game}`, 'main [data-ply]'], [`/analyse/${study}`, '.tree [data-node]']]) {
    await visit(page, room);
    const box = page.locator('.through input');
    await box.fill(line.join(' '));
    // In one turn of the page: no answer can come between.
    await page.evaluate((hash) => {
      document.querySelector('.through form').requestSubmit();
      location.hash = hash;
    }, `#/analyse/${other}`);
    // Its board comes behind the answer about the first move, which was on its way. The page stays where it went.
    await page.getByPlaceholder('Move, e.g. d1-d2').waitFor();
    assert.equal(await page.evaluate(() => location.hash), `#/analyse/${other}`, room);
    assert.equal(await box.inputValue(), '', room);
    await visit(page, room);
    const made = page.locator(shown).first();
    await made.waitFor();
    if (room.startsWith('/analyse')) await made.click();
    assert.equal(await box.inputValue(), `${line.slice(1).join(' ')} `, room);
    await box.press('Enter');
    await page.waitForFunction(({ shown, most }) => document.querySelectorAll(shown).length >= most, { shown, most: line.length });
    assert.equal(await box.inputValue(), '', room);
  }
});

// A game server and its page: people play each other, an engine and a visitor who watches, and come back.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { boardOf, byMouse, plies } from './board.mjs';
import { program } from '../where.mjs';
import { errors, open } from './driver.mjs';

const folder = mkdtempSync(join(tmpdir(), 'quadrille-hall-'));
let started = null;

/** The game server of this file, with its page. */
const hall = () => (running ??= start());
let running = null;

async function start() {
  const args = ['serve', '--listen', '127.0.0.1:0', '--page', '127.0.0.1:0', '--folder', folder, '--json', '--log', 'off', '--chat'];
  const child = spawn(program(), args, { stdio: ['ignore', 'pipe', 'inherit'] });
  started = child;
  const line = await new Promise((done, fail) => {
    child.stdout.once('data', (text) => done(String(text)));
    child.once('exit', (code) => fail(new Error(`the game server ended with ${code}`)));
  });
  const told = JSON.parse(line.split('\n')[0]);
  return { address: told.page, port: Number(told.listen[0].split(':').at(-1)) };
}

after(() => {
  started?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A page that has come in under a name. */
async function visitor(from, name) {
  const page = await open('/', { from });
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Come in' }).click();
  await page.getByRole('heading', { name: 'Open games' }).waitFor();
  return page;
}

const seat = (page, text) => page.locator('.seat', { hasText: text });

test('two visitors seek, play, talk, offer a draw and play again; a third watches; a reload comes back', async () => {
  const from = await hall();
  const ann = await visitor(from, 'Ann');
  const bob = await visitor(from, 'Bob');
  await ann.getByLabel('Your side').selectOption('white');
  await ann.getByRole('button', { name: 'Ask for a game' }).click();
  const seeks = bob.getByRole('list', { name: 'Open games' }).getByRole('listitem');
  await seeks.filter({ hasText: 'Ann' }).getByRole('button', { name: 'Play' }).click();
  for (const page of [ann, bob]) await boardOf(page).waitFor();
  await byMouse(ann, ['e2', 'e4']);
  await plies(bob, 1);
  await byMouse(bob, ['e7', 'e5']);
  await plies(ann, 2);
  const eve = await visitor(from, 'Eve');
  await eve.getByRole('list', { name: 'Being played' }).getByRole('button', { name: 'Watch' }).click();
  await plies(eve, 2);
  await ann.getByPlaceholder('Say something').fill('hello\u0007 there');
  await ann.getByPlaceholder('Say something').press('Enter');
  await bob.getByText('there').waitFor();
  // A page that is loaded again comes back to its game.
  await ann.reload();
  await plies(ann, 2);
  await byMouse(ann, ['g1', 'f3']);
  await plies(eve, 3);
  await bob.getByRole('button', { name: 'Draw' }).click();
  await ann.getByRole('button', { name: 'Accept' }).click();
  for (const page of [ann, bob, eve]) await page.locator('.result').waitFor();
  assert.match(await eve.locator('.result').innerText(), /½–½/);
  await ann.getByRole('button', { name: 'Play again' }).click();
  await bob.getByRole('button', { name: 'Accept' }).click();
  // It is another game, with colours exchanged.
  await seat(bob, 'Bob').getByText('White').waitFor();
  await seat(bob, 'Bob').getByText('your move').waitFor();
  await byMouse(bob, ['d2', 'd4']);
  await plies(ann, 1);
  await ann.getByRole('button', { name: 'Resign' }).click();
  await ann.getByRole('button', { name: 'Resign' }).click();
  await bob.locator('.result').waitFor();
  assert.match(await bob.locator('.result').innerText(), /1–0/);
});

test('a lost connection comes back to its game, and a plain client plays with a page', async () => {
  const from = await hall();
  const dan = await visitor(from, 'Dan');
  const socket = connect(from.port, '127.0.0.1');
  const lines = [];
  let rest = '';
  socket.on('data', (data) => {
    const all = (rest + String(data)).split('\n');
    rest = all.pop();
    lines.push(...all);
    if (all.includes('uci')) socket.write('id name Plain\nid version 1\nuciok\n');
    if (all.includes('isready')) socket.write('readyok\n');
    if (all.some((line) => line.startsWith('go'))) {
      const moves = lines.findLast((line) => line.startsWith('position')).split(' moves ')[1]?.split(' ').length ?? 0;
      socket.write(`bestmove ${['e7e5', 'b8c6'][(moves - 1) / 2]}\r\n`);
    }
  });
  await dan.getByRole('list', { name: 'Who is here' }).getByText('Plain').waitFor();
  await dan.getByLabel('Your side').selectOption('white');
  await dan.getByLabel('Against').selectOption('engine');
  await dan.getByRole('button', { name: 'Play', exact: true }).click();
  await boardOf(dan).waitFor();
  await byMouse(dan, ['e2', 'e4']);
  await plies(dan, 2);
  await dan.context().setOffline(true);
  await dan.context().setOffline(false);
  await byMouse(dan, ['g1', 'f3']);
  await plies(dan, 4);
  socket.destroy();
  assert.ok(!lines.some((line) => line.startsWith('lobby')), 'a plain client never hears the lobby');
});

test('nothing went wrong in the console', () => assert.deepEqual(errors.filter((e) => !/ERR_INTERNET_DISCONNECTED/.test(e)), []));

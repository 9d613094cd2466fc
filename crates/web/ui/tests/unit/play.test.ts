import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitCommand } from '../../src/engines/command.ts';
import { endWords, presetName } from '../../src/lib/say.ts';
import { date, locale } from '../../src/lib/words.svelte.ts';
import { clockless } from '../../src/play/choices.svelte.ts';
import { players, waitsFor } from '../../src/play/offers.ts';
import { type Shown, Table } from '../../src/play/table.svelte.ts';

/** A game as far as these tests look at it. */
function table(mine: [boolean, boolean], more: Partial<Shown> = {}): Table {
  const seat = (own: boolean) => ({ seat: { seat: own ? 'person' : 'engine' }, mine: own });
  const made = new Table(1);
  made.view = { seats: mine.map(seat), board: { side: 'white' }, plies: [], end: null, ...more } as unknown as Shown;
  return made;
}

test('a move that is typed too early is refused in words, not taken away', () => {
  assert.equal(table([true, false]).hindrance, null);
  assert.equal(table([false, true]).hindrance, 'wait');
  assert.equal(table([true, false], { end: { end: 'agreed' } }).hindrance, 'over');
  // One that was sent, and of which nothing was told yet.
  const quick = table([true, false]);
  void quick.move('e2e4');
  assert.equal(quick.hindrance, 'wait');
  const past = table([true, false]);
  past.ply = 0;
  assert.equal(past.hindrance, 'past');
});

test('whoever lost is named, not “the other side”', () => {
  assert.deepEqual(endWords('chess', { end: 'resigned', loser: 'white' }), ['Black wins', 'White resigned']);
  assert.deepEqual(endWords('gyges', { end: 'resigned', loser: 'black' }), ['South wins', 'North resigned']);
  assert.deepEqual(endWords('leiser', { end: 'time', loser: 'white', draw: false }), ['Lavender wins', 'Tangerine ran out of time']);
});

test('what was asked for is shown to the one who asked', () => {
  assert.equal(waitsFor({ takeback: 'white' }, ['white']), 'takeback');
  assert.equal(waitsFor({ draw_offer: 'black' }, ['black']), 'draw');
  assert.equal(waitsFor({ draw_offer: 'black' }, ['white']), null);
  assert.equal(waitsFor({ draw_offer: 'black', takeback: 'white' }, ['white', 'black']), null);
});

test('two players without names are the two sides', () => {
  const sides: [string, string] = ['White', 'Black'];
  assert.deepEqual(players({ names: ['', ''] }, 'You', sides), sides);
  assert.deepEqual(players({ names: ['', 'Quadrille'] }, 'You', sides), ['You', 'Quadrille']);
});

test('a clock of one’s own needs some time', () => {
  assert.equal(clockless({ custom: true, minutes: 0, increment: 0 }), true);
  assert.equal(clockless({ custom: true, minutes: Number.NaN, increment: 0 }), true);
  assert.equal(clockless({ custom: true, minutes: 0, increment: 2 }), false);
  assert.equal(clockless({ custom: false, minutes: 0, increment: 0 }), false);
});

test('arguments typed behind the path of an engine are told apart', () => {
  assert.deepEqual(splitCommand('gnuchess --uci'), { command: 'gnuchess', args: '--uci' });
  assert.deepEqual(splitCommand(' "/opt/my engines/x" -threads 2 '), { command: '/opt/my engines/x', args: '-threads 2' });
  assert.deepEqual(splitCommand('C:\\Program Files\\x.exe'), { command: 'C:\\Program Files\\x.exe', args: '' });
  assert.deepEqual(splitCommand('/opt/lc0-0.31/lc0'), { command: '/opt/lc0-0.31/lc0', args: '' });
});

test('English dates have 24 hours unless the browser is American', () => {
  assert.equal(locale('en', ['en-GB', 'en']), 'en-GB');
  assert.equal(locale('en', ['en-US', 'en']), 'en-US');
  assert.equal(locale('en', ['de-DE']), 'en-GB');
  assert.equal(locale('ru', ['en-US']), 'ru');
  const evening = new Date();
  evening.setHours(21, 24);
  assert.doesNotMatch(new Intl.DateTimeFormat(locale('en', []), { hour: '2-digit', minute: '2-digit' }).format(evening), /PM/i);
  assert.match(date(0), /19(69|70)/);
});

test('positions to begin with have names that players know', () => {
  assert.doesNotMatch(presetName('kiwipete'), /kiwipete/i);
  assert.equal(presetName('Mini chess'), 'Mini chess, 5 by 6');
  assert.equal(presetName('2016'), '2016');
});

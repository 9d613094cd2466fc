import assert from 'node:assert/strict';
import { test } from 'node:test';
import { angle, palette, pieceOfKey, sideOf, turned } from '../../src/editor/pieces.ts';
import { roundTime } from '../../src/jobs/time.ts';
import { safeName } from '../../src/lib/save.ts';
import { fromAddress, isEmpty, known, knownDate, NOTHING, toAddress, toQuery } from '../../src/library/query.ts';
import { faults, toEvent, USUAL } from '../../src/tournaments/form.ts';
import { along, band, path, scale, thin } from '../../src/tournaments/scale.ts';

test('a search survives the way through the address', () => {
  const search = { ...NOTHING, game: 'gyges' as const, player: 'Ann & Bob', position: '321123/000000' };
  assert.deepEqual(fromAddress(new URLSearchParams(toAddress(search).slice(1))), search);
  assert.equal(toAddress(NOTHING), '');
  assert.ok(isEmpty(NOTHING));
});

test('a position is asked for with its game, or with the one that its shape tells', () => {
  const query = toQuery({ ...NOTHING, position: 'x', result: '1-0', source: '4' }, 100, 50);
  assert.deepEqual([query.game, query.position?.game], [null, 'chess']);
  const guess = (position: string) => toQuery({ ...NOTHING, position }, 0, 1).position?.game;
  assert.equal(guess('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'), 'chess');
  assert.equal(guess('321123/000000/000000/000000/000000/321123'), 'gyges');
  assert.equal(guess('ss3nw3/3nw4/2nw1nw3/1nw3SE1SE/nw1nw3SE1/3SE1SE2/4SE3/3SE3NN W'), 'leiser');
  assert.deepEqual([query.result, query.source, query.skip, query.most, query.player], ['1-0', 4, 100, 50, null]);
  assert.deepEqual(toQuery({ ...NOTHING, game: 'leiser', position: 'x' }, 0, 1).position, { game: 'leiser', rules: '', position: 'x' });
});

test('scales have round ticks around all values', () => {
  assert.deepEqual(scale([-13, 48]).ticks, [-20, 0, 20, 40, 60]);
  assert.deepEqual(scale([-2.94, 2.94]).ticks, [-4, -2, 0, 2, 4]);
  assert.deepEqual(scale([5, 5]).ticks.slice(0, 2), [4, 4.5]);
  assert.deepEqual(scale([]).ticks, [0, 1]);
  assert.equal(along({ low: 0, high: 10 }, 100, 0)(5), 50);
  assert.equal(path([[0, 0], [1, 2]]), 'M0.0 0.0L1.0 2.0');
  assert.equal(band([[0, 0], [1, 0]], [[0, 5], [1, 5]]), 'M0.0 0.0L1.0 0.0L1.0 5.0L0.0 5.0Z');
  assert.equal(thin([1, 2, 3], 5).length, 3);
  assert.deepEqual(thin([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 4), [0, 3, 6, 9]);
});

test('a tournament names what is wrong before it is asked for', () => {
  assert.deepEqual(faults({ ...USUAL }), ['tournaments.wrong.engines']);
  assert.deepEqual(faults({ ...USUAL, engines: [1, 2] }), []);
  assert.deepEqual(faults({ ...USUAL, engines: [1, 2, 3], format: 'sprt', elo0: 5, elo1: 5 }), ['tournaments.engines.two', 'tournaments.wrong.sprt']);
  assert.deepEqual(faults({ ...USUAL, engines: [1, 2], rounds: 0, base: 0 }), ['tournaments.wrong.numbers', 'tournaments.wrong.time']);
  const event = toEvent({ ...USUAL, engines: [1, 2], format: 'sprt' }, 'usual');
  assert.equal(event.name, 'usual');
  assert.deepEqual(event.sprt, [0, 5]);
  assert.deepEqual(event.time, { time: 'clock', base: 10000, increment: 100, moves: 0 });
  assert.equal(toEvent({ ...USUAL, engines: [1, 2] }, '').sprt, null);
});

test('time left is told in round words', () => {
  assert.deepEqual(roundTime(100), { key: 'jobs.time.seconds', n: 1, m: 0 });
  assert.deepEqual(roundTime(119_000), { key: 'jobs.time.minutes', n: 2, m: 0 });
  assert.deepEqual(roundTime(7_500_000), { key: 'jobs.time.hours', n: 2, m: 5 });
});

test('pieces of the editor: palettes, owners, turns, keys', () => {
  assert.equal(palette('chess').flat().length, 12);
  assert.equal(palette('liberty')[0]?.length, 18);
  assert.equal(palette('leiser').flat().length, 16);
  assert.deepEqual(palette('gyges'), [['1', '2', '3']]);
  assert.deepEqual([sideOf('chess', 'K'), sideOf('leiser', 'nw'), sideOf('gyges', '2')], ['white', 'black', null]);
  assert.deepEqual(['NW', 'sw', 'WW'].map(turned), ['NE', 'nw', 'NN']);
  assert.equal(angle('leiser', 'se', false), 180);
  assert.deepEqual([pieceOfKey('chess', 'k'), pieceOfKey('chess', 'a'), pieceOfKey('gyges', '3'), pieceOfKey('gyges', '4')], ['k', null, '3', null]);
});

test('file names keep no signs that a system refuses', () => {
  assert.equal(safeName('a/b:c?.pgn'), 'a-b-c-.pgn');
  assert.equal(safeName(' '), 'quadrille');
});

test('what a record does not know is not shown', () => {
  assert.deepEqual(['1858.11.02', '1858.11.??', '1858.??.??', '????.??.??', '?', ''].map(knownDate), ['1858.11.02', '1858.11', '1858', '', '', '']);
  assert.deepEqual(['Ann', '?', '', ' ? ', '?a'].map(known), ['Ann', '', '', '', '?a']);
});

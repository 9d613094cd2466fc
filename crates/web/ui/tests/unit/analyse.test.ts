import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Analysis } from '../../src/analyse/analysis.svelte.ts';
import { arrows, arrowWidth } from '../../src/analyse/arrows.ts';
import { endScore, lineStart, resultSign } from '../../src/analyse/score.ts';
import { found, studyName } from '../../src/analyse/studies.ts';
import type { Study } from '../../src/analyse/study.svelte.ts';
import { nagsOf } from '../../src/analyse/tree.ts';
import { outline } from '../../src/board/arrow.ts';
import { ahead } from '../../src/board/material.ts';
import { latin } from '../../src/board/letters.ts';
import { near, layout, rows, unit } from '../../src/board/geometry.ts';
import { outcomeWords } from '../../src/lib/say.ts';
import { connect } from '../../src/lib/wire.svelte.ts';
import type { EngineAnalysis, LineView, NodeView, PositionReport, StudyInfo, ToPage } from '../../src/lib/wire.gen.ts';

test('a position that ends the game says how, and the bar shows it', () => {
  assert.equal(outcomeWords('chess', { winner: 'black', reason: 'checkmate' }).join(', '), 'Black wins, by checkmate');
  assert.equal(endScore({ winner: 'black', reason: 'checkmate' }).win, 0);
  assert.equal(endScore({ winner: null, reason: 'stalemate' }).win, 0.5);
  assert.deepEqual([resultSign({ winner: 'white', reason: 'goal' }), resultSign({ winner: null, reason: 'stalemate' })], ['1–0', '½']);
});

test('the moves of a threat are numbered as those of the other side', () => {
  assert.deepEqual(lineStart({ side: 'white', number: 7 }, 'black'), { side: 'black', number: 7 });
  assert.deepEqual(lineStart({ side: 'black', number: 7 }, 'white'), { side: 'white', number: 8 });
  assert.deepEqual(lineStart({ side: 'black', number: 7 }, 'black'), { side: 'black', number: 7 });
});

const line = (text: string, win: number): LineView =>
  ({ rank: 1, moves: [text], notation: [text], squares: [text.slice(0, 2), text.slice(2)], depth: 9, score: { cp: null, mate: null, win, wdl: null } }) as unknown as LineView;
const said = (search: number, node: number, more: Partial<EngineAnalysis> = {}): EngineAnalysis =>
  ({ engine: 1, search, study: 3, node, threat: false, only: [], running: true, side: 'white', depth: 9, lines: [], trouble: null, said: null, ...more }) as EngineAnalysis;

/** An analysis that hears what a server says. */
function listening(): { analysis: Analysis; hear: (engine: EngineAnalysis) => void; leave: () => void } {
  let heard: (message: ToPage) => void = () => {};
  connect((listener) => {
    heard = listener.heard;
    return { send: () => {}, close: () => {} };
  });
  heard({ say: 'hello', program: '', run: '1', rooms: [], games: [], data: null });
  const analysis = new Analysis({ id: 3, at: 5, game: 'chess' });
  const leave = analysis.follow();
  return { analysis, leave, hear: (of) => heard({ say: 'news', topic: { topic: 'analysis' }, version: 1, news: { news: 'lines', of } }) };
}

test('lines of the search before are old, also where it was about the same position', () => {
  const { analysis, hear, leave } = listening();
  hear(said(1, 5, { lines: [line('e2e4', 0.6)] }));
  assert.equal(analysis.shown(1)?.old, false);
  hear(said(2, 5));
  assert.equal(analysis.shown(1)?.lines.length, 1);
  assert.equal(analysis.shown(1)?.old, true);
  hear(said(2, 5, { lines: [line('d2d4', 0.6)] }));
  assert.equal(analysis.shown(1)?.old, false);
  leave();
});

test('lines and scores are those of the position that is looked at, and of no other study', () => {
  const { analysis, hear, leave } = listening();
  hear(said(1, 5, { study: 2, lines: [line('a2a3', 0.1)] }));
  assert.equal(analysis.shown(1), null);
  assert.equal(analysis.score(5), null);
  // What the other side threatens, or what is said about some moves, is no score of the position.
  hear(said(2, 5, { threat: true, lines: [line('b7b6', 0.2)] }));
  assert.equal(analysis.shown(1)?.old, true);
  hear(said(3, 5, { only: ['a2a3'], lines: [line('a2a3', 0.3)] }));
  assert.equal(analysis.score(5), null);
  hear(said(4, 4, { lines: [line('e2e4', 0.7)] }));
  assert.deepEqual([analysis.shown(1)?.old, analysis.shown(1)?.from.node], [true, 4]);
  hear(said(5, 5, { lines: [line('e2e4', 0.6)] }));
  assert.equal(analysis.shown(1)?.old, false);
  analysis.lost();
  assert.equal(analysis.shown(1)?.old, true);
  leave();
});

test('arrows are never thicker than the best one, whoever threatens', () => {
  assert.deepEqual([arrowWidth(0), arrowWidth(-0.4), arrowWidth(0.5)], [1, 1, 0.1]);
  // Black threatens: its best line is the one with the least for White.
  const analysis = { on: true, engines: [1], lines: 3, threat: true, shown: () => ({ ...said(1, 5, { side: 'black', lines: [line('d8h4', 0.2), line('a7a6', 0.3)] }), old: false }) };
  const drawn = arrows({ at: 5, boardOf: 5, id: 3 } as Study, analysis as unknown as Analysis, null).reverse();
  assert.deepEqual(drawn.map((arrow) => [arrow.squares[0], Math.round(arrow.width * 100)]), [['d8', 100], ['a7', 50]]);
});

test('the head of a short arrow leaves a shaft', () => {
  const path = outline([{ x: 24, y: 24 }, { x: 24 + unit, y: 24 }], 11);
  const xs = [...path.matchAll(/[ML]([-\d.]+) /g)].map((found) => Number(found[1]));
  // From the beginning to the neck, and from there to the tip.
  assert.ok(xs[1]! > xs[0]! + 6, path);
  assert.ok(xs[3]! > xs[1]! + 20, path);
});

test('glyphs of a report stand at the moves, and a person’s own go before', () => {
  const node = (nags: number[]): NodeView => ({ nags }) as NodeView;
  const report = { nag: 4 } as PositionReport;
  assert.deepEqual(nagsOf(node([]), report), [4]);
  assert.deepEqual(nagsOf(node([1]), report), [1]);
  assert.deepEqual(nagsOf(node([14]), report), [4, 14]);
  assert.deepEqual(nagsOf(node([2]), undefined), [2]);
});

test('analyses are found by name, game and number', () => {
  const all: StudyInfo[] = Array.from({ length: 30 }, (_, i) => ({ id: i + 1, game: i % 2 ? 'gyges' : 'chess', title: i === 3 ? 'Morphy – Duke' : '', changed: i, moves: 0 }));
  assert.equal(found(all, '', '').length, 30);
  assert.equal(found(all, '', '')[0]?.id, 30);
  assert.deepEqual(found(all, 'duke', '').map((s) => s.id), [4]);
  assert.deepEqual(found(all, '#17', '').map((s) => s.id), [17]);
  assert.equal(found(all, '', 'gyges').length, 15);
  assert.match(studyName(all[0]!), /#1$/);
});

test('large boards have cells near the focus only', () => {
  const large = layout('liberty', [256, 256], false);
  const cells = near(large, 'iv256').flat();
  assert.ok(cells.length <= 25 * 25);
  assert.ok(cells.includes('iv256'));
  for (const flipped of [false, true]) {
    const l = layout('liberty', [41, 41], flipped);
    const all = rows(l).map((row) => row.join());
    const part = near(l, 'u21');
    const first = all.findIndex((row) => row.includes(part[0]!.join()));
    part.forEach((row, i) => assert.ok(all[first + i]!.includes(row.join()), row.join()));
  }
  assert.equal(near(layout('chess', [8, 8], true), 'a1').flat().length, 64);
});

test('what a side is ahead by is what the other has less', () => {
  const pieces = [...'KQRPPkqrrn'].map((piece) => ({ piece, side: piece === piece.toUpperCase() ? ('white' as const) : ('black' as const) }));
  assert.deepEqual(ahead(pieces, 'white'), { more: ['p', 'p'], points: 0 });
  assert.deepEqual(ahead(pieces, 'black'), { more: ['r', 'n'], points: 6 });
});

test('Russian letters that look Latin are read as such', () => {
  assert.equal(latin('Кf3'), 'Nf3');
  assert.equal(latin('Сb5'), 'Bb5');
  assert.equal(latin('е4'), 'e4');
  assert.equal(latin('Кхе5'), 'Nxe5');
  assert.equal(latin('О-О-О'), 'O-O-O');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { items } from '../../src/analyse/tree.ts';
import { leaves } from '../../src/board/beam.ts';
import { beside, fileName, fileRank, layout, middle, rows, squareAt, squareName, unit } from '../../src/board/geometry.ts';
import { follow } from '../../src/board/men.ts';
import { ending, narrow, readMove, stepsOf } from '../../src/board/steps.ts';
import type { BoardView, Game, MoveView, NodeView, PieceView } from '../../src/lib/wire.gen.ts';

const move = (text: string, squares: string[], suffix: string | null = null, notation = text): MoveView => ({ text, notation, squares, suffix, tactical: false });

function view(game: Game, pieces: [string, string][], last: string[] | null = null): BoardView {
  const men = pieces.map(([square, piece]): PieceView => {
    const at = fileRank(game, square);
    return { square, file: at?.file ?? null, rank: at?.rank ?? null, piece, side: game === 'gyges' ? null : piece === piece.toUpperCase() ? 'white' : 'black' };
  });
  return {
    game, rules: '', text: '', size: game === 'gyges' ? [6, 6] : [8, 8], side: 'white', number: 1, pieces: men, check: [], outcome: null, claim: null, moves: [], move_count: 0, beams: [],
    last: last && { ...move(last.join(''), last), side: 'white', fire: null, bounces: null, captured: null },
  };
}

test('squares are named as each game names them', () => {
  assert.equal(squareName('chess', 4, 3), 'e4');
  assert.equal(squareName('leiser', 7, 0), 'h0');
  assert.deepEqual([25, 26, 51, 52, 255].map(fileName), ['z', 'aa', 'az', 'ba', 'iv']);
  assert.deepEqual(fileRank('liberty', 'ab12'), { file: 27, rank: 11 });
  assert.equal(fileRank('gyges', 'P1'), null);
});

test('a point finds the square that is drawn there, from both sides', () => {
  for (const game of ['chess', 'leiser', 'gyges'] as const) {
    const size: [number, number] = game === 'gyges' ? [6, 6] : [8, 8];
    for (const flipped of [false, true]) {
      const l = layout(game, size, flipped);
      for (const square of rows(l).flat()) {
        const { x, y } = middle(l, square);
        assert.equal(squareAt(l, x, y), square);
      }
    }
  }
  assert.equal(squareAt(layout('chess', [8, 8], false), -1, 5), null);
});

test('arrow keys go where the eye expects, also into the goals of Gyges', () => {
  const l = layout('gyges', [6, 6], false);
  assert.equal(beside(l, 'c6', 0, 1), 'P2');
  assert.equal(beside(l, 'P2', 0, -1), 'd6');
  assert.equal(beside(l, 'a1', -1, 0), 'a1');
  assert.equal(beside(layout('chess', [8, 8], true), 'e4', 0, 1), 'e3');
});

test('steps narrow the moves by what is picked', () => {
  const moves = [move('b7b8q', ['b7', 'b8'], 'q'), move('b7b8n', ['b7', 'b8'], 'n'), move('b7c8q', ['b7', 'c8'], 'q'), move('a2a3', ['a2', 'a3'])];
  assert.deepEqual([...narrow(moves, []).squares.keys()], ['b7', 'a2']);
  assert.deepEqual([...narrow(moves, ['b7']).squares.keys()], ['b8', 'c8']);
  assert.deepEqual(narrow(moves, ['b7', 'b8']).choices, ['q', 'n']);
  assert.equal(narrow(moves, ['b7', 'b8', '=n']).done?.text, 'b7b8n');
  assert.equal(narrow(moves, ['a2', 'a3']).done?.text, 'a2a3');
});

test('Leiserchess turns, stays and fires, Gyges drops', () => {
  assert.deepEqual(stepsOf(move('h0R', ['h0'], 'R')), ['h0', '=R']);
  assert.deepEqual(stepsOf(move('h0h0', ['h0', 'h0'])), ['h0', '=.']);
  const gyges = [move('1', ['a1', 'b2', 'c3']), move('2', ['a1', 'b2', 'd4']), move('3', ['a1', 'a2'])];
  assert.equal(narrow(gyges, ['a1', 'b2']).done, null);
  assert.deepEqual([...narrow(gyges, ['a1', 'b2']).squares.keys()], ['c3', 'd4']);
  assert.equal(narrow(gyges, ['a1', 'b2', 'd4']).done?.text, '2');
});

test('where a move may end or go on, ending is a choice', () => {
  const moves = [move('short', ['a1', 'a2']), move('long', ['a1', 'a2', 'a3'])];
  assert.deepEqual(narrow(moves, ['a1', 'a2']).choices, ['end']);
  assert.equal(ending(moves, ['a1', 'a2'])?.text, 'short');
});

test('a typed move is found as engines and as people write it', () => {
  const moves = [move('e1g1', ['e1', 'g1'], null, 'O-O'), move('g1f3', ['g1', 'f3'], null, 'Nf3'), move('b2c3', ['b2', 'c3'], null, 'bxc3'), move('f1c3', ['f1', 'c3'], null, 'Bc3')];
  assert.equal(readMove(moves, '0-0')?.text, 'e1g1');
  assert.equal(readMove(moves, 'nf3')?.text, 'g1f3');
  assert.equal(readMove(moves, 'Nf3+!')?.text, 'g1f3');
  assert.equal(readMove(moves, 'Bc3')?.text, 'f1c3');
  assert.equal(readMove(moves, 'bc3')?.text, 'b2c3');
  assert.equal(readMove(moves, 'Qh5'), null);
});

test('pieces keep their identity: moved, promoted, captured, turned, swapped', () => {
  const l = layout('chess', [8, 8], false);
  const a = follow([], view('chess', [['e2', 'P'], ['d7', 'p'], ['b7', 'P']]), l).men;
  const moved = follow(a, view('chess', [['e4', 'P'], ['d7', 'p'], ['b7', 'P']], ['e2', 'e4']), l);
  assert.equal(moved.men[0]!.id, a[0]!.id);
  assert.equal(moved.gone.length, 0);
  const promoted = follow(a, view('chess', [['e2', 'P'], ['d7', 'p'], ['b8', 'Q']], ['b7', 'b8']), l);
  assert.equal(promoted.men[2]!.id, a[2]!.id);
  const captured = follow(a, view('chess', [['d7', 'P'], ['b7', 'P']], ['e2', 'd7']), l);
  assert.equal(captured.men[0]!.id, a[0]!.id);
  assert.deepEqual(captured.gone.map((m) => m.piece), ['p']);

  const z = layout('leiser', [8, 8], false);
  const b = follow([], view('leiser', [['h0', 'NN'], ['c2', 'NW'], ['d2', 'SE']]), z).men;
  const turned = follow(b, view('leiser', [['h0', 'WW'], ['c2', 'NW'], ['d2', 'SE']], ['h0']), z);
  assert.equal(turned.men[0]!.id, b[0]!.id);
  assert.equal(turned.men[0]!.angle, -90);
  const swapped = follow(b, view('leiser', [['h0', 'NN'], ['d2', 'NW'], ['c2', 'SE']], ['c2', 'd2']), z);
  assert.deepEqual(swapped.men.map((m) => m.id), b.map((m) => m.id));
  assert.equal(unit, 48);
});

test('the tree is a list of rows with words and variations between', () => {
  let id = 0;
  const all: NodeView[] = [];
  const add = (parent: number, notation: string, more: Partial<NodeView> = {}): number => {
    const before = all.find((n) => n.id === parent);
    const black = before && before.parent !== null && before.side === 'white';
    id += 1;
    all.push({
      id, parent, text: notation, notation, side: black ? 'black' : 'white', number: black ? before.number : (before?.parent === null || !before ? 1 : before.number + 1),
      nags: [], before: '', comment: '', shapes: [], evaluation: null, clock: null, spent: null, ...more,
    });
    return id;
  };
  const below = (parent: number): NodeView[] => all.filter((n) => n.parent === parent);
  const e4 = add(0, 'e4');
  const e5 = add(e4, 'e5');
  const c5 = add(e4, 'c5');
  const nf3 = add(c5, 'Nf3');
  add(nf3, 'd6');
  add(nf3, 'Nc6');
  add(e5, 'Nf3', { comment: 'Good.' });
  const list = items(below, undefined);
  assert.deepEqual(list.map((i) => i.kind), ['row', 'line', 'row', 'words']);
  const line = list[1]!;
  assert.ok(line.kind === 'line');
  const text = line.tokens.map((k) => ('move' in k ? k.move.notation : 'sign' in k ? k.sign : k.words)).join(' ');
  assert.equal(text, 'c5 Nf3 d6 ( Nc6 )');
});

test('a beam leaves the board by the mirror it meets last', () => {
  const pieces = view('leiser', [['h0', 'NN'], ['h4', 'SE'], ['a7', 'ss'], ['a3', 'nw'], ['c0', 'ww']]).pieces;
  const beam = (king: string, path: string[]) => ({ king, path, struck: null });
  assert.equal(leaves(beam('h0', ['h1', 'h2', 'h3', 'h4']), pieces), 'e');
  assert.equal(leaves(beam('a7', ['a6', 'a5', 'a4', 'a3']), pieces), 'w');
  assert.equal(leaves(beam('h0', ['h1', 'h2']), pieces), 'n');
  assert.equal(leaves(beam('c0', []), pieces), 'w');
});

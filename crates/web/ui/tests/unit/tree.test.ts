import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Heights } from '../../src/analyse/heights.svelte.ts';
import { items, placesOf } from '../../src/analyse/tree.ts';
import type { NodeView } from '../../src/lib/wire.gen.ts';

const node = (id: number, parent: number | null, more: Partial<NodeView> = {}): NodeView =>
  ({ id, parent, text: `m${id}`, notation: `M${id}`, side: id % 2 ? 'white' : 'black', number: Math.ceil(id / 2), nags: [], comment: '', before: '', ...more }) as unknown as NodeView;

function below(nodes: NodeView[]): (id: number) => NodeView[] {
  const all = new Map<number, NodeView[]>();
  for (const n of nodes) if (n.parent !== null) all.set(n.parent, [...(all.get(n.parent) ?? []), n]);
  return (id) => all.get(id) ?? [];
}

test('a long variation is drawn in parts, and every move has its place', () => {
  // Two moves, and instead of the second a variation of three hundred.
  const nodes = [node(0, null), node(1, 0), node(2, 1), node(1000, 1)];
  for (let id = 1001; id < 1300; id++) nodes.push(node(id, id - 1));
  const list = items(below(nodes), nodes[0]);
  assert.deepEqual(list.map((item) => item.kind), ['row', 'line', 'line', 'line']);
  const parts = list.filter((item) => item.kind === 'line');
  assert.deepEqual(parts.map((part) => [part.tokens.length, part.begins, part.ends]), [[120, true, false], [120, false, false], [60, false, true]]);
  const places = placesOf(list);
  assert.deepEqual([1, 2, 1000, 1119, 1120, 1299].map((id) => places.get(id)), [0, 0, 1, 1, 2, 3]);
  assert.equal(new Set(list.map((item) => item.key)).size, list.length);
});

test('heights are guessed, then learnt, and tell which items are in view', () => {
  const heights = new Heights(() => [['a', 20], ['b', 30], ['c', 40]]);
  assert.deepEqual([heights.all, heights.top(0), heights.top(1), heights.top(2), heights.top(9)], [90, 0, 20, 50, 90]);
  assert.deepEqual([-5, 0, 19, 20, 49, 50, 89, 500].map((at) => heights.at(at)), [0, 0, 0, 1, 1, 2, 2, 2]);
  // What is above the view has moved it, what is in it has not.
  assert.equal(heights.learn('a', 26, 60), 6);
  assert.equal(heights.learn('c', 44, 60), 0);
  assert.equal(heights.learn('a', 26, 60), 0);
  assert.equal(heights.learn('nothing', 26, 60), 0);
  assert.deepEqual([heights.all, heights.top(1), heights.top(2)], [100, 26, 56]);
  const none = new Heights(() => []);
  assert.deepEqual([none.all, none.at(10), none.top(0)], [0, 0, 0]);
});

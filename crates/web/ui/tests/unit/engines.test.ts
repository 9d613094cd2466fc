import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from '../../src/check/compare.ts';
import { asTape, asText, Conversation, fromTape, matching, MOST } from '../../src/engines/log.svelte.ts';
import { defaultText, isCommon, sliderSteps, stepOf, tone, valueText } from '../../src/engines/state.ts';
import type { CheckFinding, LogLine, OptionView } from '../../src/lib/wire.gen.ts';

const line = (way: string, text: string, at = 0): LogLine => ({ at, way, text });
const spin = (name: string, value: string | null): OptionView => ({ name, kind: { kind: 'spin', default: 16, min: 1, max: 1024 }, value, managed: false });

test('a conversation takes each line once, whatever overlaps', () => {
  const talk = new Conversation();
  talk.hear({ engine: 1, first: 0, lines: [line('>', 'uci'), line('<', 'id name A')] });
  talk.hear({ engine: 1, first: 1, lines: [line('<', 'id name A'), line('<', 'uciok')] });
  assert.deepEqual(talk.lines.map((l) => l.text), ['uci', 'id name A', 'uciok']);
  assert.equal(talk.missed, 0);
});

test('a conversation says how many lines are no longer there', () => {
  const talk = new Conversation();
  talk.hear({ engine: 1, first: 7, lines: [line('<', 'a')] });
  assert.equal(talk.missed, 7);
  talk.hear({ engine: 1, first: 10, lines: [line('<', 'b')] });
  assert.equal(talk.missed, 9);
});

test('a pause keeps what comes and shows it afterwards, in order', () => {
  const talk = new Conversation();
  talk.hear({ engine: 1, first: 0, lines: [line('>', 'one')] });
  talk.paused = true;
  talk.hear({ engine: 1, first: 1, lines: [line('<', 'two')] });
  assert.equal(talk.lines.length, 1);
  assert.equal(talk.waiting, 1);
  talk.resume();
  assert.deepEqual(talk.lines.map((l) => l.text), ['one', 'two']);
});

test('a cleared conversation does not show old lines again', () => {
  const talk = new Conversation();
  talk.hear({ engine: 1, first: 0, lines: [line('>', 'one')] });
  talk.clear();
  talk.hear({ engine: 1, first: 0, lines: [line('>', 'one'), line('<', 'two')] });
  assert.deepEqual(talk.lines.map((l) => l.text), ['two']);
});

test('a page keeps the newest lines and lets the oldest go', () => {
  const talk = new Conversation();
  talk.hear({ engine: 1, first: 0, lines: Array.from({ length: MOST + 5 }, (_, i) => line('<', String(i))) });
  assert.equal(talk.lines.length, MOST);
  assert.equal(talk.lines[0]?.text, '5');
});

test('lines are found by direction and text', () => {
  const lines = [line('>', 'go depth 5'), line('<', 'info depth 5'), line('!', 'warning')].map((l, number) => ({ ...l, number }));
  assert.equal(matching(lines, 'host', '').length, 1);
  assert.equal(matching(lines, 'engine', '').length, 2);
  assert.deepEqual(matching(lines, 'all', 'DEPTH').map((l) => l.way), ['>', '<']);
  assert.match(asText(lines), /^ +0\.000 > go depth 5\n/);
});

test('sliders reach both ends in few steps', () => {
  assert.deepEqual(sliderSteps(1, 4), [1, 2, 3, 4]);
  const steps = sliderSteps(1, 33554432);
  assert.equal(steps[0], 1);
  assert.equal(steps.at(-1), 33554432);
  assert.ok(steps.length < 30);
  assert.equal(steps[stepOf(steps, 100)], 64);
  assert.deepEqual(sliderSteps(0, 100).slice(0, 3), [0, 1, 2]);
});

test('defaults and values are texts; only numbers called so are common', () => {
  assert.equal(valueText(spin('Hash', null)), '16');
  assert.equal(valueText(spin('Hash', '64')), '64');
  assert.equal(isCommon(spin('hash', null)), true);
  assert.equal(isCommon(spin('Contempt', null)), false);
  assert.equal(defaultText({ name: 'Clear', kind: { kind: 'button' }, value: null, managed: false }), null);
  assert.equal(defaultText({ name: 'Own', kind: { kind: 'check', default: false }, value: null, managed: false }), 'false');
  assert.equal(tone({ state: 'dead', words: 'x' }), 'bad');
});

test('a tape has every line and is read again; what is none is refused', () => {
  const talk = new Conversation();
  talk.hear({ engine: 1, first: 0, lines: [line('>', 'uci', 5), line('!', 'hm'), line('<', 'id name C:\\new', 1200)] });
  const tape = asTape(talk.lines, 'A');
  assert.equal(tape, '# quadrille tape 1\n# engine A\n0.005000 > uci\n# hm\n1.200000 < id name C:\\\\new\n');
  assert.deepEqual(fromTape(tape)?.map((l) => [l.at, l.way, l.text]), [[5, '>', 'uci'], [1200, '<', 'id name C:\\new']]);
  const odd = '# quadrille tape 1\n0.1 <- info dep\nrubbish\n0.2 < th 1\\x07\n0.3 ! exit 0\n0.4 > no en';
  assert.deepEqual(fromTape(odd)?.map((l) => [l.way, l.text]), [['<', 'info depth 1\\x07'], ['#', 'exit 0'], ['>', 'no en']]);
  assert.equal(fromTape('uci\n'), null);
});

test('two checks are compared by the names of their rules', () => {
  const finding = (id: string): CheckFinding => ({ id, severity: 'error', title: '', document: '', section: '', says: '', seen: '', count: 1, hint: '', transcript: [] });
  const { gone, fresh, both } = compare([finding('a'), finding('b')], [finding('b'), finding('c')]);
  assert.deepEqual([gone, fresh, both].map((list) => list.map((one) => one.id)), [['a'], ['c'], ['b']]);
});

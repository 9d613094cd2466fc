import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asText, Conversation, matching, MOST } from '../../src/engines/log.svelte.ts';
import { defaultText, isCommon, sliderSteps, stepOf, tone, valueText } from '../../src/engines/state.ts';
import type { LogLine, OptionView } from '../../src/lib/wire.gen.ts';

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

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Lesson } from '../../src/learn/lesson.ts';
import { decimal, whole } from '../../src/lib/words.svelte.ts';
import russian from '../../src/lib/ru.json';
import chess from '../../src/learn/texts/chess.json';
import gyges from '../../src/learn/texts/gyges.json';
import leiser from '../../src/learn/texts/leiser.json';
import liberty from '../../src/learn/texts/liberty.json';

type Words = Record<string, string>;
const folders = import.meta.glob<{ en: Words }>('../../src/*/words.ts', { eager: true });
const en: Words = Object.assign({}, ...Object.values(folders).map((folder) => folder.en));
const ru: Words = russian;

const places = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]).sort();

test('every key has both languages, with the same places to fill', () => {
  assert.deepEqual(Object.keys(ru).filter((key) => !(key in en) && !/\.(few|many)$/.test(key)), []);
  for (const [key, text] of Object.entries(en)) {
    assert.ok(text.trim() && ru[key]?.trim(), `${key} is empty`);
    assert.deepEqual(places(ru[key] ?? ''), places(text), key);
  }
});

test('no two folders share a key', () => {
  const seen = new Map<string, string>();
  for (const [file, { en }] of Object.entries(folders)) {
    for (const key of Object.keys(en)) {
      assert.equal(seen.get(key), undefined, `${key} is in ${file} and ${seen.get(key)}`);
      seen.set(key, file);
    }
  }
});

test('what is counted has all Russian forms', () => {
  const stems = new Set(Object.keys(ru).filter((key) => key.endsWith('.one')).map((key) => key.slice(0, -4)));
  for (const stem of stems) for (const form of ['few', 'many', 'other']) assert.ok(ru[`${stem}.${form}`], `${stem}.${form}`);
});

test('Russian is written with Russian letters, English without', () => {
  for (const [key, text] of Object.entries(en)) if (!key.startsWith('settings.language')) assert.doesNotMatch(text, /[а-яё]/i, key);
  for (const [key, text] of Object.entries(ru)) {
    // What has no Russian letter is a name that is the same in both, or signs alone.
    if (!/[а-яё]/i.test(text)) assert.ok(en[key] === text || !/\p{L}/u.test(text.replace(/\{\w+\}/g, '')), `${key} is not Russian: ${text}`);
  }
});

test('the rules are told in both languages, section by section', () => {
  for (const lesson of [chess, liberty, leiser, gyges] as Lesson[]) {
    assert.ok(lesson.sections.some((section) => section.exercise), lesson.game);
    for (const section of lesson.sections) {
      for (const both of [lesson.lead, section.title, ...section.text, ...(section.exercise ? [section.exercise.task] : [])]) {
        assert.match(both.ru, /[а-яё]/i, both.en);
        assert.doesNotMatch(both.en, /[а-яё]/i);
        assert.equal(both.en.startsWith('- '), both.ru.startsWith('- '), both.en);
      }
    }
  }
});

test('numbers below zero have the minus of typography', () => {
  assert.deepEqual([decimal(-14.5), decimal(-0.04, 0), decimal(3.25, 2), whole(-1234567)], ['−14.5', '0', '3.25', '−1,234,567']);
});

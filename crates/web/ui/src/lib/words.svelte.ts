import * as analyse from '../analyse/words.ts';
import * as board from '../board/words.ts';
import * as check from '../check/words.ts';
import * as editor from '../editor/words.ts';
import * as engines from '../engines/words.ts';
import * as home from '../home/words.ts';
import * as jobs from '../jobs/words.ts';
import * as learn from '../learn/words.ts';
import * as library from '../library/words.ts';
import * as online from '../online/words.ts';
import * as parts from '../parts/words.ts';
import * as play from '../play/words.ts';
import * as settings from '../settings/words.ts';
import * as shell from '../shell/words.ts';
import * as tournaments from '../tournaments/words.ts';
import * as common from './words.ts';
import { prefs } from './prefs.svelte.ts';
import ru from './ru.json?url';

const en = {
  ...common.en, ...shell.en, ...parts.en, ...board.en, ...home.en, ...play.en, ...analyse.en, ...library.en,
  ...engines.en, ...tournaments.en, ...check.en, ...online.en, ...learn.en, ...settings.en, ...editor.en, ...jobs.en,
};
export type Key = keyof typeof en;
type Stem<K> = K extends `${infer S}.other` ? S : never;
/** What can be counted: keys with forms for one, few, many, other. */
export type Countable = Stem<Key>;

/** Russian is fetched by those who read it. Until it is there, or where it cannot be had, everything is in English. */
let russian: Readonly<Record<string, string>> = $state.raw({});
let fetched: Promise<void> | null = null;
const words = (): Readonly<Record<string, string>> => (prefs.language === 'ru' ? russian : en);

/** Has the words of the language of the page. */
export function fetchWords(): Promise<void> {
  if (prefs.language === 'en') return Promise.resolve();
  fetched ??= fetch(ru)
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.statusText))))
    .then((all: Record<string, string>) => void (russian = all))
    // It is tried again when the language is chosen again.
    .catch(() => void (fetched = null));
  return fetched;
}
const plural = { en: new Intl.PluralRules('en'), ru: new Intl.PluralRules('ru') };

export type Language = 'en' | 'ru';
type Params = Record<string, string | number>;

/** The language of the page, reactive. */
export const language = {
  get now(): Language {
    return prefs.language;
  },
};

function fill(text: string, params?: Params): string {
  if (!params) return text;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
}

/** The words for a key in the language of the page. */
export function t(key: Key, params?: Params): string {
  return fill(words()[key] ?? en[key], params);
}

/** Words for a key that is put together at run time, if there are any. */
export function maybe(key: string, params?: Params): string | null {
  const text = words()[key] ?? (en as Record<string, string>)[key];
  return text === undefined ? null : fill(text, params);
}

/** The form of a phrase that goes with a number; `{n}` stands for the number. */
export function count(stem: Countable, n: number, params?: Params): string {
  const form = plural[prefs.language].select(n);
  const key = `${stem}.${form}`;
  return maybe(key, { n: whole(n), ...params }) ?? maybe(`${stem}.other`, { n: whole(n), ...params }) ?? '';
}

/** A number with the minus of typography, as scores have it; the browser writes a hyphen. */
function format(n: number, options: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(prefs.language, options).format(n).replace('-', '−');
}

/** A whole number with its thousands apart. */
export function whole(n: number): string {
  return format(n, { maximumFractionDigits: 0, signDisplay: 'negative' });
}

/** A number with so many digits behind the point. */
export function decimal(n: number, digits = 1): string {
  return format(n, { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: 'negative' });
}

/** A large number in short: 1.2 M. */
export function short(n: number): string {
  return format(n, { notation: 'compact', maximumSignificantDigits: 3 });
}

/** How dates are written: as the browser's user does in the language of the page. English is not only American. */
export function locale(now: Language, wanted: readonly string[]): string {
  return wanted.find((tag) => tag.toLowerCase().startsWith(`${now}-`)) ?? (now === 'en' ? 'en-GB' : now);
}

/** A date, with the time where it was today. */
export function date(at: number): string {
  const day = new Date(at);
  const today = new Date().toDateString() === day.toDateString();
  const style: Intl.DateTimeFormatOptions = today ? { hour: '2-digit', minute: '2-digit' } : { day: 'numeric', month: 'short', year: 'numeric' };
  return new Intl.DateTimeFormat(locale(prefs.language, navigator.languages), style).format(day);
}

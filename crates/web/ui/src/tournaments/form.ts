/** What was typed into the form of a tournament, checked and turned into a question. */
import type { Game, NewEvent } from '../lib/wire.ts';
import type { Key } from '../lib/words.svelte.ts';

export const FORMATS = ['round-robin', 'gauntlet', 'knockout', 'swiss', 'sprt'] as const;
export type Format = (typeof FORMATS)[number];

export interface Form {
  name: string;
  game: Game;
  rules: string;
  position: string;
  engines: number[];
  format: Format;
  rounds: number;
  games: number;
  concurrency: number;
  time: 'clock' | 'per-move';
  base: number;
  increment: number;
  each: number;
  openings: string;
  elo0: number;
  elo1: number;
}

export const USUAL: Form = {
  name: '',
  game: 'chess',
  rules: '',
  position: '',
  engines: [],
  format: 'round-robin',
  rounds: 1,
  games: 2,
  concurrency: 1,
  time: 'clock',
  base: 10,
  increment: 0.1,
  each: 0.5,
  openings: '',
  elo0: 0,
  elo1: 5,
};

const natural = (value: number) => Number.isInteger(value) && value >= 1;

/** What is wrong, as keys of the dictionary; empty if it can be started. */
export function faults(form: Form): Key[] {
  const found: Key[] = [];
  if (form.engines.length < 2) found.push('tournaments.wrong.engines');
  if (form.format === 'sprt' && form.engines.length > 2) found.push('tournaments.engines.two');
  if (![form.rounds, form.games, form.concurrency].every(natural)) found.push('tournaments.wrong.numbers');
  if (form.format === 'sprt' && !(form.elo1 > form.elo0)) found.push('tournaments.wrong.sprt');
  const times = form.time === 'clock' ? form.base > 0 && form.increment >= 0 : form.each > 0;
  if (!times) found.push('tournaments.wrong.time');
  return found;
}

export function toEvent(form: Form, name: string): NewEvent {
  return {
    name: form.name.trim() || name,
    start: { game: form.game, rules: form.rules, position: form.position },
    engines: form.engines,
    format: form.format,
    rounds: form.rounds,
    games: form.games,
    time:
      form.time === 'clock'
        ? { time: 'clock', base: form.base * 1000, increment: form.increment * 1000, moves: 0 }
        : { time: 'per-move', each: form.each * 1000 },
    concurrency: form.concurrency,
    openings: form.openings,
    sprt: form.format === 'sprt' ? [form.elo0, form.elo1] : null,
  };
}

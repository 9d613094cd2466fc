import { enginesFor } from '../lib/engines.svelte.ts';
import { showpiece } from '../lib/games.ts';
import { prefs, remember } from '../lib/prefs.svelte.ts';
import { hello, type Game, type Level, type NewTable, type RulesChoice, type Seat, type StudyStart, type TimeSetting } from '../lib/wire.ts';
import { t } from '../lib/words.svelte.ts';

export type Against = 'engine' | 'person' | 'link' | 'engines';
export interface Choices {
  game: Game;
  against: Against;
  /** By game, because engines differ. */
  engine: Partial<Record<Game, number>>;
  other: Partial<Record<Game, number>>;
  level: Level;
  colour: 'white' | 'black' | 'random';
  /** Minutes and seconds; 0 and 0 for no clock. */
  minutes: number;
  increment: number;
  custom: boolean;
  rules: Partial<Record<Game, string>>;
  /** `usual`, `960`, `rows`, `custom` or the name of a preset. */
  start: Partial<Record<Game, string>>;
  number: number;
  position: string;
  /** The rows of Gyges, from file a. */
  north: string;
  south: string;
}

const usual: Choices = {
  game: 'chess', against: 'engine', engine: {}, other: {}, level: { level: 'step', of: 3 }, colour: 'white',
  minutes: 0, increment: 0, custom: false, rules: {}, start: {}, number: 518, position: '', north: '321123', south: '321123',
};

/** What is chosen for the next game; kept for the one after. */
export const choices: Choices = $state({ ...usual, ...(prefs.play as Partial<Choices>) });

export const times: [number, number][] = [[0, 0], [1, 0], [3, 2], [5, 3], [10, 5], [15, 10], [30, 20]];

export function timeName(minutes: number, increment: number): string {
  return minutes === 0 && increment === 0 ? t('play.time.none') : `${minutes}+${increment}`;
}

/** A position of Gyges with these rows; texts begin with South's. */
export function gygesText(south: string, north: string): string {
  return [south, ...Array<string>(4).fill('000000'), north].join('/');
}

/** Two pieces of each kind in any order. */
export function shuffled(): string {
  const row = [...'112233'];
  for (let i = row.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [row[i], row[j]] = [row[j]!, row[i]!];
  }
  return row.join('');
}

/** The rule set that is chosen for a game. */
export function rulesOf(game: Game): RulesChoice | undefined {
  const all = hello.games.find((g) => g.game === game)?.rules ?? [];
  return all.find((r) => r.rules === (choices.rules[game] ?? '')) ?? all[0];
}

/** The choice of where a game begins; before any was made, what the game is about. */
export function startKind(game: Game): string {
  return choices.start[game] ?? showpiece(game)?.name ?? 'usual';
}

export function startOf(game: Game): StudyStart {
  const rules = rulesOf(game)?.rules ?? '';
  const kind = startKind(game);
  if (kind === '960') return { game, rules: 'chess960', position: String(choices.number) };
  if (kind === 'rows' && game === 'gyges') return { game, rules, position: gygesText(choices.south, choices.north) };
  if (kind === 'custom') return { game, rules, position: choices.position.trim() };
  const preset = rulesOf(game)?.presets.find((p) => p.name === kind);
  return { game, rules, position: preset?.position ?? '' };
}

export function engineOf(game: Game, which: 'engine' | 'other'): number | null {
  const all = enginesFor(game);
  const wanted = choices[which][game];
  return all.find((e) => e.id === wanted)?.id ?? all[0]?.id ?? null;
}

/** A clock of one's own choice that shows nothing is none: that has its own button. */
export function clockless(c: Pick<Choices, 'custom' | 'minutes' | 'increment'>): boolean {
  return c.custom && !(c.minutes > 0 || c.increment > 0);
}

function time(): TimeSetting {
  if (choices.minutes === 0 && choices.increment === 0) return { time: 'unlimited', engine: 1500 };
  return { time: 'clock', base: (choices.minutes || 0) * 60_000, increment: (choices.increment || 0) * 1000, moves: 0 };
}

/** The game that is chosen; nothing while it lacks an engine or its clock a time. */
export function newTable(): NewTable | null {
  const { game, against, level } = choices;
  if (clockless(choices)) return null;
  const me: Seat = { seat: 'person', name: prefs.name };
  const engine = engineOf(game, 'engine');
  const start = startOf(game);
  if (against === 'engines') {
    const other = engineOf(game, 'other');
    if (engine === null || other === null) return null;
    const full: Level = { level: 'full' };
    return { start, seats: [{ seat: 'engine', engine, level: full }, { seat: 'engine', engine: other, level: full }], time: engineTime() };
  }
  let you: Seat = { seat: 'person', name: '' };
  if (against === 'link') you = { seat: 'guest', name: '' };
  if (against === 'engine') {
    if (engine === null) return null;
    you = { seat: 'engine', engine, level: { ...level } };
  }
  const black = against !== 'person' && (choices.colour === 'black' || (choices.colour === 'random' && Math.random() < 0.5));
  return { start, seats: black ? [you, me] : [me, you], time: time() };
}

/** Two engines without a clock think a second each. */
function engineTime(): TimeSetting {
  const chosen = time();
  return chosen.time === 'unlimited' ? { time: 'per-move', each: 1000 } : chosen;
}

export function keepChoices(): void {
  remember('play', $state.snapshot(choices) as unknown as Record<string, unknown>);
}

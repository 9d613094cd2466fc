import { ask, follow } from './wire.ts';

/** What is remembered for the user, with what holds until they choose. */
const usual = {
  theme: 'system' as 'system' | 'light' | 'dark',
  language: (navigator.language.startsWith('ru') ? 'ru' : 'en') as 'en' | 'ru',
  board: 'paper' as 'paper' | 'slate' | 'walnut' | 'contrast',
  coordinates: true,
  animation: true,
  sound: true,
  volume: 0.6,
  /** The player's name at this screen. */
  name: '',
  /** Whose point of view scores are shown from. */
  view: 'white' as 'white' | 'mover',
  /** Scores as win, draw, loss. */
  wdl: false,
  arrows: true,
  /** What arrowheads carry. */
  heads: 'none' as 'none' | 'rank' | 'win' | 'score',
  /** Piece letters of notation in the language of the page. */
  letters: true,
  /** Keys changed by the user: the name of a command and its key. */
  keys: {} as Record<string, string>,
  /** Engines of the analysis by game, best lines, and whether it runs. */
  analysis: { engines: {} as Record<string, number[]>, lines: 3, seconds: 0, on: true },
  /** The hints of the first visit are still shown. */
  hints: true,
  /** What was chosen for the last new game. */
  play: {} as Record<string, unknown>,
};
export type Prefs = typeof usual;

const place = 'quadrille.prefs';

function kept(): Prefs {
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(place) ?? '{}') as Partial<Prefs>) };
  } catch {
    return { ...usual };
  }
}

/** Read freely; change with {@link remember}. */
export const prefs: Prefs = $state(kept());

function keep(): void {
  try {
    localStorage.setItem(place, JSON.stringify(prefs));
  } catch {
    // A private window may refuse; the server remembers all the same.
  }
}

/** Settings whose last change is still on its way: what is told of them is older. */
const unsaved = new Map<string, number>();

/** Changes a setting, here and for good. */
export function remember<K extends keyof Prefs>(name: K, value: Prefs[K]): void {
  prefs[name] = value;
  keep();
  const mine = (unsaved.get(name) ?? 0) + 1;
  unsaved.set(name, mine);
  const saved = () => unsaved.get(name) === mine && unsaved.delete(name);
  ask({ ask: 'remember', name, value: JSON.stringify(value) }).then(saved, saved);
}

/** Takes over what the server remembers; the page calls it once. */
export function followPrefs(): () => void {
  return follow({ topic: 'settings' }, (news) => {
    if (news.news !== 'settings') return;
    for (const [name, value] of news.of) {
      if (!(name in usual) || unsaved.has(name)) continue;
      try {
        (prefs as Record<string, unknown>)[name] = JSON.parse(value);
      } catch {
        // A value that cannot be read is as good as none.
      }
    }
    keep();
  });
}

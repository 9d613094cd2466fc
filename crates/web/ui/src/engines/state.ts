/** What an engine is doing, as a key of the dictionary and a colour. */
import type { EngineState, OptionView } from '../lib/wire.ts';
import type { Key } from '../lib/words.svelte.ts';

export type Tone = 'quiet' | 'good' | 'warn' | 'bad';

export function tone(state: EngineState): Tone {
  switch (state.state) {
    case 'idle':
    case 'searching':
      return 'good';
    case 'starting':
    case 'registration':
      return 'warn';
    case 'refuses':
    case 'not-responding':
    case 'dead':
      return 'bad';
    default:
      return 'quiet';
  }
}

/** The words for a state; `say` is the dictionary. */
export function stateWords(
  state: EngineState,
  say: (key: Key, params?: Record<string, string>) => string,
): string {
  const key: Key = `engines.state.${state.state}`;
  if (state.state === 'starting') return say(key, { awaiting: state.awaiting });
  if (state.state === 'dead') return say(key, { words: state.words });
  return say(key);
}

/** Options that nearly every engine has and that get a slider of their own. */
const COMMON = ['threads', 'hash', 'multipv'];

export const isCommon = (option: OptionView): boolean =>
  COMMON.includes(option.name.toLowerCase()) && option.kind.kind === 'spin';

/** The default, as text; `null` for a button, which has none. */
export function defaultText(option: OptionView): string | null {
  const kind = option.kind;
  switch (kind.kind) {
    case 'button':
      return null;
    case 'check':
    case 'spin':
      return String(kind.default);
    default:
      return kind.default;
  }
}

/** What is set now, as text. */
export const valueText = (option: OptionView): string => option.value ?? defaultText(option) ?? '';

/**
 * The steps of a slider over a wide range: doubling, so that 1 MB and 64 GB are both within
 * reach; every number where there are few.
 */
export function sliderSteps(min: number, max: number): number[] {
  if (max - min <= 64) return Array.from({ length: max - min + 1 }, (_, i) => min + i);
  const steps = [min];
  for (let step = 1; step < max; step *= 2) if (step > min) steps.push(step);
  if (steps[steps.length - 1] !== max) steps.push(max);
  return steps;
}

/** The step of the slider that is nearest to a value from below. */
export function stepOf(steps: number[], value: number): number {
  let found = 0;
  steps.forEach((step, i) => {
    if (step <= value) found = i;
  });
  return found;
}

import { Refused, type Game, type Outcome, type Side, type TableEnd } from './wire.ts';
import { maybe, t, type Key } from './words.svelte.ts';

/** Who a side is in a game: White, Tangerine, South. */
export function sideName(game: Game, side: Side): string {
  return maybe(`side.${game}.${side}`) ?? t(`side.${side}`);
}

/** A position to begin with: some have names that only programmers know. */
export function presetName(name: string): string {
  return maybe(`preset.${name}`) ?? name;
}

/** A rule set: those of a game alone are called like the game. */
export function rulesName(name: string): string {
  return maybe(`rules.${name}`) ?? name;
}

/** Why something was refused, in the language of the page where it has words for it. */
export function refusal(error: unknown): string {
  if (!(error instanceof Refused)) return error instanceof Error ? error.message : String(error);
  return t(`refused.${error.code}`, { words: error.words });
}

function winner(game: Game, side: Side | null): string {
  if (!side) return t('result.draw');
  return maybe(`result.${game}.win.${side}`) ?? t(`result.win.${side}`);
}

export function other(side: Side): Side {
  return side === 'white' ? 'black' : 'white';
}

/** Who won by the rules, and why: two phrases. */
export function outcomeWords(game: Game, outcome: Outcome): [string, string] {
  return [winner(game, outcome.winner), t(`reason.${outcome.reason}` as Key)];
}

/** How a played game ended: who won, and why. */
export function endWords(game: Game, end: TableEnd): [string, string] {
  const side = 'loser' in end ? sideName(game, end.loser) : '';
  switch (end.end) {
    case 'rules':
      return outcomeWords(game, end.outcome);
    case 'resigned':
      return [winner(game, other(end.loser)), maybe(`reason.${game}.resigned`, { side }) ?? t('reason.resigned', { side })];
    case 'time':
      return end.draw ? [t('result.draw'), t('reason.time-draw', { side })] : [winner(game, other(end.loser)), t('reason.time', { side })];
    case 'agreed':
      return [t('result.draw'), t('reason.agreed')];
    case 'engine':
      return [winner(game, other(end.loser)), t('reason.engine', { side, words: end.words })];
    case 'aborted':
      return [t('result.none'), ''];
  }
}

/** Who won a played game: a side, a draw, or neither. */
export function endWinner(end: TableEnd): Side | 'draw' | null {
  switch (end.end) {
    case 'rules':
      return end.outcome.winner ?? 'draw';
    case 'time':
      return end.draw ? 'draw' : other(end.loser);
    case 'resigned':
    case 'engine':
      return other(end.loser);
    case 'agreed':
      return 'draw';
    case 'aborted':
      return null;
  }
}

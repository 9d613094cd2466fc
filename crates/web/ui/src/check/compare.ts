import type { CheckFinding } from '../lib/wire.ts';

export interface Compared {
  gone: CheckFinding[];
  fresh: CheckFinding[];
  both: CheckFinding[];
}

/** The findings of two checks, by the names of the rules. */
export function compare(first: CheckFinding[], second: CheckFinding[]): Compared {
  const has = (list: CheckFinding[], id: string) => list.some((finding) => finding.id === id);
  return {
    gone: first.filter((finding) => !has(second, finding.id)),
    fresh: second.filter((finding) => !has(first, finding.id)),
    both: second.filter((finding) => has(first, finding.id)),
  };
}

/** The colour of a severity. */
export const tone = (severity: string): string => (severity === 'error' ? 'bad' : severity === 'warning' ? 'warn' : '');

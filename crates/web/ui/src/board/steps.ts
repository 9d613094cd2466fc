import type { MoveView } from '../lib/wire.ts';

/**
 * A move is a list of steps: squares, and choices that are written `=q`. Picking
 * narrows the legal moves to those that begin so, whether by mouse, touch or key.
 */
export function stepsOf(move: MoveView): string[] {
  // Leiserchess's null move: the King stays and fires.
  if (move.squares.length === 2 && move.squares[0] === move.squares[1]) return [move.squares[0]!, '=.'];
  return move.suffix ? [...move.squares, `=${move.suffix}`] : move.squares;
}

export interface Narrowed {
  /** Squares that can come next, and whether something happens there. */
  squares: Map<string, boolean>;
  /** Choices that can come next, without their sign. */
  choices: string[];
  /** The move, if nothing needs to follow. */
  done: MoveView | null;
}

/** Whether a move begins with these steps. */
function begins(steps: string[], picked: string[]): boolean {
  return picked.every((step, i) => steps[i] === step);
}

/** What can follow on the steps that are picked. */
export function narrow(moves: MoveView[], picked: string[]): Narrowed {
  const squares = new Map<string, boolean>();
  const choices = new Set<string>();
  let done: MoveView | null = null;
  for (const move of moves) {
    const steps = stepsOf(move);
    if (!begins(steps, picked)) continue;
    const next = steps[picked.length];
    if (next === undefined) done ??= move;
    else if (next.startsWith('=')) choices.add(next.slice(1));
    else squares.set(next, (squares.get(next) ?? false) || move.tactical);
  }
  // Where a move may end or go on, ending is one of the choices.
  if (done && (squares.size > 0 || choices.size > 0)) {
    choices.add('end');
    done = null;
  }
  return { squares, choices: [...choices], done };
}

/** The move of steps that end by choice. */
export function ending(moves: MoveView[], picked: string[]): MoveView | null {
  return moves.find((m) => stepsOf(m).length === picked.length && begins(stepsOf(m), picked)) ?? null;
}

/** What a person wrote, as a legal move: as engines or as people write it. */
export function readMove(moves: MoveView[], written: string): MoveView | null {
  const bare = (text: string): string => text.replace(/[\s+#=x×:!?-]/g, '').replace(/0/g, 'o');
  const text = written.trim();
  if (!text) return null;
  const exact = moves.find((m) => m.text === text || m.notation === text);
  if (exact) return exact;
  const found = moves.filter((m) => bare(m.notation) === bare(text) || bare(m.text) === bare(text));
  if (found.length === 1) return found[0]!;
  const low = bare(text).toLowerCase();
  const loose = moves.filter((m) => bare(m.notation).toLowerCase() === low || bare(m.text).toLowerCase() === low);
  return loose.length === 1 ? loose[0]! : null;
}

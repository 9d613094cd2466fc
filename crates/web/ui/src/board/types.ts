/** An arrow of an engine, along the squares of a move. */
export interface Arrow {
  squares: string[];
  /** Which colour: an engine's place from 1, a threat, a hint. */
  kind: 1 | 2 | 3 | 4 | 'threat' | 'hint';
  /** From 0 to 1. */
  width: number;
  /** The best of its engine. */
  best?: boolean;
  /** What stands at its head. */
  label?: string;
  /** The move, as engines write it; pressing the head plays it. */
  text?: string;
}

/** A glyph on a square, by its number. */
export interface Mark {
  square: string;
  nag: number;
}

export type Orientation = 'white' | 'black';

/** The glyphs a person sets with a key, and their colours. */
export const glyphs: Record<number, { sign: string; tone: 'brilliant' | 'good' | 'muted' | 'warn' | 'bad' }> = {
  1: { sign: '!', tone: 'good' },
  2: { sign: '?', tone: 'bad' },
  3: { sign: '!!', tone: 'brilliant' },
  4: { sign: '??', tone: 'bad' },
  5: { sign: '!?', tone: 'muted' },
  6: { sign: '?!', tone: 'warn' },
  7: { sign: '□', tone: 'muted' },
  10: { sign: '=', tone: 'muted' },
  13: { sign: '∞', tone: 'muted' },
  14: { sign: '⩲', tone: 'muted' },
  15: { sign: '⩱', tone: 'muted' },
  16: { sign: '±', tone: 'muted' },
  17: { sign: '∓', tone: 'muted' },
  18: { sign: '+−', tone: 'muted' },
  19: { sign: '−+', tone: 'muted' },
};

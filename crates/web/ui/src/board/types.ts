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
  /** What is told when the head is pressed. */
  text?: string;
}

/** A glyph on a square: `!`, `?`. */
export interface Mark {
  square: string;
  nag: number;
}

export type Orientation = 'white' | 'black';

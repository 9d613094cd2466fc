/** What a rules page is made of. The texts themselves stand in `texts/`, one file a game. */
import type { BoardView, Game, MoveView, StudyStart } from '../lib/wire.ts';

/** A text in both languages: a missing one fails a test. */
export interface Both {
  en: string;
  ru: string;
}

export interface Section {
  title: Both;
  /** Paragraphs; those that begin with `- ` make a list. */
  text: Both[];
  exercise?: Exercise;
}

export interface Exercise {
  /** The position and the rules. */
  start: Omit<StudyStart, 'game'>;
  task: Both;
  aim: Aim;
  /** A first move that reaches the aim; for tests and for "show me". */
  solution?: string;
}

/** When an exercise is done. */
export type Aim =
  /** One of these moves, as engines write them. */
  | { aim: 'moves'; moves: string[] }
  /** The side that begins wins by the rules. */
  | { aim: 'win' }
  /** A move that puts a piece elsewhere (Gyges). */
  | { aim: 'drop' }
  /** Any moves, for both sides. */
  | { aim: 'free' };

export interface Lesson {
  game: Game;
  lead: Both;
  sections: Section[];
}

/** Whether the move that led to `after` does what was asked. */
export function reached(aim: Aim, move: MoveView, before: BoardView, after: BoardView): boolean {
  switch (aim.aim) {
    case 'moves':
      return aim.moves.includes(move.text);
    case 'win':
      return after.outcome?.winner === before.side;
    case 'drop':
      return move.squares.length === 3;
    case 'free':
      return false;
  }
}

import { prefs } from '../lib/prefs.svelte.ts';
import type { Game } from '../lib/wire.ts';

// Only chess has letters that every Russian player knows.
const russian: Record<string, string> = { K: 'Кр', Q: 'Ф', R: 'Л', B: 'С', N: 'К' };

/** A move of chess as people of the page's language write it. */
export function local(game: Game, notation: string): string {
  if (game !== 'chess' || prefs.language !== 'ru' || !prefs.letters) return notation;
  return notation.replace(/^[KQRBN]/, (l) => russian[l]!).replace(/=([QRBN])/, (_, l: string) => `=${russian[l]}`);
}

const alike: Record<string, string> = { а: 'a', с: 'c', е: 'e', х: 'x' };

/** The sign for a piece that a Pawn becomes, on the key to choose it. */
export function choiceLetter(game: Game, choice: string): string {
  const letter = choice.toUpperCase();
  return game === 'chess' && prefs.language === 'ru' && prefs.letters ? (russian[letter] ?? letter) : letter;
}

/** The other way round, for what a person types. */
export function latin(text: string): string {
  return text
    // To the eye some signs are the same in both alphabets.
    .replace(/[ОоOo0]-[ОоOo0](-[ОоOo0])?/, (castling) => castling.replace(/[^-]/g, 'O'))
    .replace(/[асе](?=[1-8])|х/g, (sign) => alike[sign]!)
    .replace(/^Кр/i, 'K').replace(/^Ф/i, 'Q').replace(/^Л/i, 'R').replace(/^С(?=[a-h1-8x:])/i, 'B').replace(/^К/i, 'N')
    .replace(/=?Ф$/i, '=Q').replace(/=?Л$/i, '=R').replace(/=?С$/i, '=B').replace(/=?К$/i, '=N');
}

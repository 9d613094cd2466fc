/** The games that a search found, loaded as far as they are looked at. */
import { askFor, type LibraryGame } from '../lib/wire.ts';
import { refusal } from '../lib/say.ts';
import { toQuery, type Search } from './query.ts';

/** Games asked for at once. */
const PAGE = 100;

export class Found {
  games = $state.raw<LibraryGame[]>([]);
  loading = $state(false);
  trouble = $state('');
  /** All that fit are here. */
  complete = $state(false);
  #search: Search | null = null;
  /** Answers to an older search are thrown away. */
  #asked = 0;

  async begin(search: Search): Promise<void> {
    this.#search = { ...search };
    this.complete = false;
    this.#asked += 1;
    await this.#load(this.#asked, 0);
  }

  /** More of the same, where there is more. */
  async more(): Promise<void> {
    if (this.loading || this.complete || !this.#search) return;
    await this.#load(this.#asked, this.games.length);
  }

  take(ids: Set<number>): void {
    this.games = this.games.filter((game) => !ids.has(game.id));
  }

  async #load(mine: number, skip: number): Promise<void> {
    if (!this.#search) return;
    this.loading = true;
    try {
      const found = await askFor('games', { ask: 'find-games', query: toQuery(this.#search, skip, PAGE) });
      if (mine !== this.#asked) return;
      this.complete = found.length < PAGE;
      this.games = skip === 0 ? found : [...this.games, ...found];
      this.trouble = '';
    } catch (error) {
      if (mine !== this.#asked) return;
      this.complete = true;
      this.trouble = refusal(error);
      if (skip === 0) this.games = [];
    } finally {
      if (mine === this.#asked) this.loading = false;
    }
  }
}

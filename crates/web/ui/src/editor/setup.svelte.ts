/** The position being put together; the rules themselves are asked for every change. */
import { refusal } from '../lib/say.ts';
import { askFor, type EditorView, type Game } from '../lib/wire.ts';

/** Steps that can be taken back. */
const MOST = 200;

export class Setup {
  view = $state.raw<EditorView | null>(null);
  trouble = $state('');
  #past = $state.raw<EditorView[]>([]);
  #future = $state.raw<EditorView[]>([]);
  /** Answers to older changes are not shown. */
  #asked = 0;

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  pieces = $derived(new Map(this.view?.pieces ?? []));

  /** Another game, rules or position; from a text or the name of a preset. */
  async read(game: Game, rules: string, position: string): Promise<boolean> {
    const start = { game, rules, position };
    return this.#ask({ start, size: [8, 8], pieces: [], fields: [], errors: [], text: null });
  }

  put(square: string, piece: string): void {
    this.#pieces((pieces) => pieces.set(square, piece));
  }

  remove(square: string): void {
    this.#pieces((pieces) => pieces.delete(square));
  }

  move(from: string, to: string): void {
    const piece = this.pieces.get(from);
    if (!piece || from === to) return;
    this.#pieces((pieces) => {
      pieces.delete(from);
      pieces.set(to, piece);
    });
  }

  /** An empty board has nothing to castle with and no pawn that jumped. */
  clear(): void {
    if (!this.view) return;
    const fields = this.view.fields.map(([key, old]): [string, string] => [key, key === 'castling' || key === 'en passant' ? '-' : old]);
    void this.#ask({ ...this.view, pieces: [], fields });
  }

  field(name: string, value: string): void {
    if (!this.view) return;
    const fields = this.view.fields.map(([key, old]): [string, string] => [key, key === name ? value : old]);
    void this.#ask({ ...this.view, fields });
  }

  undo(): void {
    this.#step(-1);
  }

  redo(): void {
    this.#step(1);
  }

  #step(way: -1 | 1): void {
    const [from, to] = way < 0 ? [this.#past, this.#future] : [this.#future, this.#past];
    const next = from[from.length - 1];
    if (!next || !this.view) return;
    const rest = from.slice(0, -1);
    const kept = [...to, this.view];
    [this.#past, this.#future] = way < 0 ? [rest, kept] : [kept, rest];
    this.#asked += 1;
    this.view = next;
    this.trouble = '';
  }

  #pieces(change: (pieces: Map<string, string>) => void): void {
    if (!this.view) return;
    const pieces = new Map(this.view.pieces);
    change(pieces);
    void this.#ask({ ...this.view, pieces: [...pieces] });
  }

  async #ask(editor: EditorView): Promise<boolean> {
    const mine = ++this.#asked;
    const before = this.view;
    // Shown at once; what is wrong with it comes with the answer.
    const known = editor.start.position === '';
    if (known && before) this.view = editor;
    if (before) {
      this.#past = [...this.#past, before].slice(-MOST);
      this.#future = [];
    }
    try {
      const answer = await askFor('editor', { ask: 'edit', editor });
      if (mine !== this.#asked) return false;
      // From now on the pieces say where it stands, not the text it came from.
      this.view = { ...answer, start: { ...answer.start, position: '' } };
      this.trouble = '';
      return true;
    } catch (error) {
      if (mine !== this.#asked) return false;
      this.view = before;
      if (before) this.#past = this.#past.slice(0, -1);
      this.trouble = refusal(error);
      return false;
    }
  }
}

// Keys and values in the browser (IndexedDB). Where that cannot be had, as in some
// private windows, everything works and nothing is kept.

const NAME = "quadrille";
const TABLE = "kept";

export class Store {
  #base;
  #waiting = new Map();
  #timer = null;

  static async open() {
    try {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(TABLE);
      return new Store(await done(request));
    } catch {
      return new Store(null);
    }
  }

  constructor(base) {
    this.#base = base;
  }

  /** Everything that is kept: pairs of key and value. */
  async all() {
    if (!this.#base) return [];
    const table = this.#base.transaction(TABLE).objectStore(TABLE);
    const [keys, values] = await Promise.all([done(table.getAllKeys()), done(table.getAll())]);
    return keys.map((key, index) => [String(key), String(values[index])]);
  }

  /** Keeps a value, or forgets it. Changes of the same moment are written together. */
  keep(key, value) {
    if (!this.#base) return;
    this.#waiting.set(key, value);
    this.#timer ??= setTimeout(() => this.#write(), 50);
  }

  #write() {
    this.#timer = null;
    const table = this.#base.transaction(TABLE, "readwrite").objectStore(TABLE);
    for (const [key, value] of this.#waiting) {
      if (value === null) table.delete(key);
      else table.put(value, key);
    }
    this.#waiting.clear();
  }
}

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("another tab holds an older version open"));
  });
}

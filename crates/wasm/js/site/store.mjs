// Keys and values in the browser (IndexedDB). Where that cannot be had, as in some
// private windows, everything works and nothing is kept.

const NAME = "quadrille";
const TABLE = "kept";

export class Store {
  #base;
  #waiting = new Map();
  #written = Promise.resolve();

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

  /** Keeps a value, or forgets it. What one message changes is written together. */
  keep(key, value) {
    if (!this.#base) return;
    // No timer: a tab that is closed takes what still waits with it.
    if (this.#waiting.size === 0) this.#written = Promise.resolve().then(() => this.#write());
    this.#waiting.set(key, value);
  }

  /** Until everything that was to be kept is kept. */
  written() {
    return this.#written;
  }

  #write() {
    const transaction = this.#base.transaction(TABLE, "readwrite");
    const table = transaction.objectStore(TABLE);
    for (const [key, value] of this.#waiting) {
      if (value === null) table.delete(key);
      else table.put(value, key);
    }
    this.#waiting.clear();
    transaction.commit();
    // A browser that cannot keep anything more goes on without.
    return new Promise((over) => (transaction.oncomplete = transaction.onabort = over));
  }
}

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("another tab holds an older version open"));
  });
}

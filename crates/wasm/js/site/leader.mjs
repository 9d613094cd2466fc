// The desk, its engines and what is kept, for all tabs.

import { Desk } from "./desk.mjs";
import { Store } from "./store.mjs";

export class Leader {
  #desk;
  #module;
  #store;
  #send;
  #engines = new Map();
  /** The desk's numbers of pages, by the names of tabs, and back. */
  #pages = new Map();
  #tabs = new Map();
  /** Messages that wait for what is being written, and until when. */
  #held = 0;
  #told = Promise.resolve();
  #timer = null;
  #due = Infinity;

  /** `send(tab, text)` brings a message to a tab. */
  static async begin(send) {
    const leader = new Leader();
    leader.#send = send;
    const [bytes, store] = await Promise.all([load("quadrille.wasm"), Store.open()]);
    leader.#store = store;
    leader.#module = await WebAssembly.compile(bytes);
    const run = [...crypto.getRandomValues(new Uint32Array(4))].map((n) => n.toString(16)).join("");
    const beginning = { program: "", run, kept: await store.all() };
    const { desk, deeds } = await Desk.load(leader.#module, beginning);
    leader.#desk = desk;
    leader.#carryOut(deeds);
    return leader;
  }

  join(tab) {
    this.left(tab);
    const { page, deeds } = this.#desk.join();
    this.#pages.set(tab, page);
    this.#tabs.set(page, tab);
    this.#carryOut(deeds);
  }

  left(tab) {
    const page = this.#pages.get(tab);
    if (page === undefined) return;
    this.#pages.delete(tab);
    this.#tabs.delete(page);
    this.#carryOut(this.#desk.left(page));
  }

  said(tab, text) {
    const page = this.#pages.get(tab);
    if (page !== undefined) this.#carryOut(this.#desk.said(page, text));
  }

  #carryOut(deeds) {
    const kept = deeds.filter((deed) => deed.do === "keep");
    for (const { key, value } of kept) this.#store.keep(key, value);
    for (const deed of deeds) {
      switch (deed.do) {
        case "send": {
          const tab = this.#tabs.get(deed.page);
          if (tab !== undefined) this.#tell(tab, JSON.stringify(deed.message), kept.length > 0);
          break;
        }
        case "start":
          this.#start(deed.worker, deed.game, deed.rules);
          break;
        case "tell":
          this.#engines.get(deed.worker)?.postMessage({ line: deed.line });
          break;
        case "end":
          this.#engines.get(deed.worker)?.terminate();
          this.#engines.delete(deed.worker);
          break;
        case "wake":
          this.#wake(deed.at);
          break;
      }
    }
  }

  /**
   * Messages go out in order, and what says that something was done goes out when it is kept: this
   * tab may be closed at any moment, and what was not answered is asked of the next one.
   */
  async #tell(tab, text, done) {
    if (!done && this.#held === 0) return this.#send(tab, text);
    this.#held += 1;
    const before = this.#told;
    const written = this.#store.written();
    this.#told = before.then(() => written);
    await this.#told;
    this.#held -= 1;
    this.#send(tab, text);
  }

  #start(number, game, rules) {
    const engine = new Worker(new URL("engine-worker.js", import.meta.url), { type: "module" });
    this.#engines.set(number, engine);
    const failed = (words) => {
      if (this.#engines.get(number) !== engine) return;
      engine.terminate();
      this.#engines.delete(number);
      this.#carryOut(this.#desk.died(number, words));
    };
    engine.onmessage = (event) => {
      if (event.data.failed !== undefined) return failed(event.data.failed);
      for (const line of event.data.lines) this.#carryOut(this.#desk.heard(number, line));
    };
    engine.onerror = (event) => failed(event.message || "the engine's worker has failed");
    engine.postMessage({ module: this.#module, game, rules });
  }

  /** One timer, for the earliest time that is wanted. */
  #wake(at) {
    if (at >= this.#due) return;
    this.#due = at;
    clearTimeout(this.#timer);
    // A timer longer than 24 days would go off at once.
    const wait = Math.min(Math.max(at - Date.now(), 0), 1e9);
    this.#timer = setTimeout(() => {
      this.#due = Infinity;
      this.#carryOut(this.#desk.tick());
    }, wait);
  }
}

async function load(name) {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.arrayBuffer();
}

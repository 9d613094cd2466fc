// The desk of a page without a server, in a WebAssembly module. Everything runs on the
// thread that calls; each call gives a list of deeds to carry out (crates/desk,
// `alone::Deed`).
//
//   const { desk, deeds } = await Desk.load(bytes, { program, run, seed, kept });
//   for (const deed of desk.said('{"say":"follow","topic":{"topic":"studies"}}')) ...

export class Desk {
  #wasm;

  /** `source` is the module, compiled or as bytes; `beginning` as crates/desk has it. */
  static async load(source, beginning) {
    const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
    const instance = await WebAssembly.instantiate(module, { env: { now: () => performance.now() } });
    const desk = new Desk(instance.exports);
    const length = desk.#write(JSON.stringify(beginning));
    const deeds = desk.#deeds(desk.#wasm.desk_open(length, Date.now()));
    if (deeds.length === 0) throw new Error("the desk cannot read what it begins with");
    return { desk, deeds };
  }

  constructor(wasm) {
    this.#wasm = wasm;
  }

  /** The page says something, as JSON text. */
  said(text) {
    return this.#deeds(this.#wasm.desk_said(this.#write(text), Date.now()));
  }

  /** An engine says a line. */
  heard(worker, line) {
    return this.#deeds(this.#wasm.desk_heard(worker, this.#write(line), Date.now()));
  }

  /** An engine's worker has failed. */
  died(worker, words) {
    return this.#deeds(this.#wasm.desk_died(worker, this.#write(words), Date.now()));
  }

  /** Time goes by. */
  tick() {
    return this.#deeds(this.#wasm.desk_tick(Date.now()));
  }

  #deeds(length) {
    if (length === 0) return [];
    const bytes = new Uint8Array(this.#wasm.memory.buffer, this.#wasm.said(), length);
    return JSON.parse(new TextDecoder().decode(bytes));
  }

  /** Memory may grow at every call, so its view is made anew each time. */
  #write(text) {
    const bytes = new TextEncoder().encode(text);
    const at = this.#wasm.buffer(bytes.length);
    new Uint8Array(this.#wasm.memory.buffer, at, bytes.length).set(bytes);
    return bytes.length;
  }
}

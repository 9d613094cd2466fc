// The desk of pages without a server, in a WebAssembly module. Everything runs on the
// thread that calls; each call gives a list of deeds to carry out (crates/desk,
// `alone::Deed`).
//
//   const { desk, deeds } = await Desk.load(bytes, { program, run, kept });
//   const { page, deeds } = desk.join();
//   for (const deed of desk.said(page, '{"say":"follow","topic":{"topic":"studies"}}')) ...

export class Desk {
  #wasm;

  /** `source` is the module, compiled or as bytes; `beginning` as crates/desk has it. */
  static async load(source, beginning) {
    const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
    const instance = await WebAssembly.instantiate(module, { env: { now: () => performance.now() } });
    const desk = new Desk(instance.exports);
    const length = desk.#write(JSON.stringify(beginning));
    const answer = desk.#wasm.desk_open(length, Date.now());
    if (answer === 0) throw new Error("the desk cannot read what it begins with");
    return { desk, deeds: desk.#deeds(answer) };
  }

  constructor(wasm) {
    this.#wasm = wasm;
  }

  /** A page is there: its number, and the deeds that greet it. */
  join() {
    const page = this.#wasm.desk_join(Date.now());
    return { page, deeds: this.#deeds(this.#wasm.desk_deeds()) };
  }

  /** A page is gone. */
  left(page) {
    return this.#deeds(this.#wasm.desk_left(page, Date.now()));
  }

  /** A page says something, as JSON text. */
  said(page, text) {
    return this.#deeds(this.#wasm.desk_said(page, this.#write(text), Date.now()));
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

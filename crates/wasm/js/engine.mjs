// One engine in a WebAssembly module, for a worker or for Node. Everything runs on
// the thread that calls.
//
//   const engine = await Engine.load(bytes, "chess");
//   engine.feed("go depth 8");
//   while (engine.step(20) === Engine.WORKING) { /* let messages in, feed them */ }
//   for (const line of engine.lines()) console.log(line);

const GAMES = ["chess", "liberty", "leiser", "gyges"];

export class Engine {
  /** What `step` answers: nothing to do, more to do, waits for `stop` or `ponderhit`, over. */
  static IDLE = 0;
  static WORKING = 1;
  static WAITING = 2;
  static OVER = 3;

  #wasm;

  /** `source` is the module, compiled or as bytes; `rules` the words that choose rules. */
  static async load(source, game, rules = "") {
    const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
    const instance = await WebAssembly.instantiate(module, { env: { now: () => performance.now() } });
    return new Engine(instance.exports, game, rules);
  }

  constructor(wasm, game, rules) {
    this.#wasm = wasm;
    const number = GAMES.indexOf(game);
    if (number < 0) throw new Error(`there is no game ${game}: ${GAMES.join(", ")}`);
    const length = this.#write(rules);
    if (wasm.open(number, length, Date.now() + Math.random()) !== 0) {
      throw new Error(this.lines().join(" "));
    }
  }

  /** A line for the engine, without its end. */
  feed(line) {
    this.#wasm.feed(this.#write(line));
  }

  /** Works for about so many milliseconds. */
  step(milliseconds) {
    return this.#wasm.step(milliseconds);
  }

  /** What the engine has said since the last time. */
  lines() {
    const length = this.#wasm.take();
    const bytes = new Uint8Array(this.#wasm.memory.buffer, this.#wasm.said(), length);
    const text = new TextDecoder().decode(bytes);
    return text.split("\n").slice(0, -1);
  }

  /** Memory may grow at every call, so its view is made anew each time. */
  #write(text) {
    const bytes = new TextEncoder().encode(text);
    const at = this.#wasm.buffer(bytes.length);
    new Uint8Array(this.#wasm.memory.buffer, at, bytes.length).set(bytes);
    return bytes.length;
  }
}

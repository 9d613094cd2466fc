// The desk's worker of a page without a server: it speaks the messages of a server, as
// JSON text, and begins with the greeting. Engines have workers of their own.

import { Desk } from "./desk.mjs";
import { Store } from "./store.mjs";

const engines = new Map();
const early = [];
let desk = null;
let module = null;
let store = null;
let timer = null;
let due = Infinity;

self.onmessage = (event) => {
  if (desk) carryOut(desk.said(event.data));
  else early.push(event.data);
};

function carryOut(deeds) {
  for (const deed of deeds) {
    switch (deed.do) {
      case "send":
        self.postMessage(JSON.stringify(deed.message));
        break;
      case "keep":
        store.keep(deed.key, deed.value);
        break;
      case "start":
        start(deed.worker, deed.game, deed.rules);
        break;
      case "tell":
        engines.get(deed.worker)?.postMessage({ line: deed.line });
        break;
      case "end":
        engines.get(deed.worker)?.terminate();
        engines.delete(deed.worker);
        break;
      case "wake":
        wake(deed.at);
        break;
    }
  }
}

function start(number, game, rules) {
  const engine = new Worker(new URL("engine-worker.js", import.meta.url), { type: "module" });
  engines.set(number, engine);
  const failed = (words) => {
    if (engines.get(number) !== engine) return;
    engine.terminate();
    engines.delete(number);
    carryOut(desk.died(number, words));
  };
  engine.onmessage = (event) => {
    if (event.data.failed !== undefined) return failed(event.data.failed);
    for (const line of event.data.lines) carryOut(desk.heard(number, line));
  };
  engine.onerror = (event) => failed(event.message || "the engine's worker has failed");
  engine.postMessage({ module, game, rules });
}

/** One timer, for the earliest time that is wanted. */
function wake(at) {
  if (at >= due) return;
  due = at;
  clearTimeout(timer);
  // A timer longer than 24 days would go off at once.
  const wait = Math.min(Math.max(at - Date.now(), 0), 1e9);
  timer = setTimeout(() => {
    due = Infinity;
    carryOut(desk.tick());
  }, wait);
}

async function begin() {
  const [bytes, opened] = await Promise.all([load("quadrille.wasm"), Store.open()]);
  store = opened;
  module = await WebAssembly.compile(bytes);
  const seed = [...crypto.getRandomValues(new Uint32Array(4))];
  const beginning = {
    program: "",
    run: seed.map((n) => n.toString(16)).join(""),
    seed,
    kept: await store.all(),
  };
  const begun = await Desk.load(module, beginning);
  desk = begun.desk;
  carryOut(begun.deeds);
  for (const text of early.splice(0)) carryOut(desk.said(text));
}

async function load(name) {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.arrayBuffer();
}

// What fails here is an error of the worker, and the page says that it is lost.
begin().catch((error) => setTimeout(() => { throw error; }));

// One engine. First comes { module, game, rules }, then { line } for each line to it;
// back go { lines } and, if it cannot go on, { failed }.

import { Engine } from "./engine.mjs";

/** Milliseconds of work between two looks at the messages. */
const SLICE = 30;

const turn = new MessageChannel();
const waiting = [];
let engine = null;
let working = false;

turn.port1.onmessage = work;

self.onmessage = async (event) => {
  const { module, game, rules, line } = event.data;
  try {
    if (module) {
      engine = await Engine.load(module, game, rules);
      for (const early of waiting.splice(0)) feed(early);
    } else if (engine) {
      feed(line);
    } else {
      waiting.push(line);
    }
  } catch (error) {
    self.postMessage({ failed: String(error) });
  }
};

function feed(line) {
  engine.feed(line);
  if (!working) {
    working = true;
    turn.port2.postMessage(null);
  }
}

/** A slice of work; messages are let in before the next. */
function work() {
  try {
    const state = engine.step(SLICE);
    const lines = engine.lines();
    if (lines.length > 0) self.postMessage({ lines });
    working = state === Engine.WORKING;
  } catch (error) {
    working = false;
    self.postMessage({ failed: String(error) });
  }
  if (working) turn.port2.postMessage(null);
}

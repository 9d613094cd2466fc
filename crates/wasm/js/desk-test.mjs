// The desk of a page without a server under Node, with engines of the same module.
//
//   node desk-test.mjs MODULE.wasm
//
// In each game two engines play some moves; a study is analysed; what was kept brings
// everything back.

import { readFile } from "node:fs/promises";
import process from "node:process";
import { Desk } from "./desk.mjs";
import { Engine } from "./engine.mjs";

const MOST_ROUNDS = 5_000;
const PLIES = 4;

function check(condition, text) {
  if (!condition) throw new Error(text);
}

/** A page: its desk, its engines, what it heard. */
class Page {
  heard = [];
  kept = new Map();
  engines = new Map();
  #ids = 0;

  static async open(module, kept = new Map()) {
    const page = new Page();
    page.module = module;
    page.kept = new Map(kept);
    const beginning = { program: "", run: "r", kept: [...page.kept] };
    const { desk, deeds } = await Desk.load(module, beginning);
    page.desk = desk;
    await page.carryOut(deeds);
    const joined = desk.join();
    page.number = joined.page;
    await page.carryOut(joined.deeds);
    return page;
  }

  async carryOut(deeds) {
    for (const deed of deeds) {
      if (deed.do === "send") this.heard.push(deed.message);
      if (deed.do === "keep" && deed.value === null) this.kept.delete(deed.key);
      if (deed.do === "keep" && deed.value !== null) this.kept.set(deed.key, deed.value);
      if (deed.do === "start") {
        this.engines.set(deed.worker, await Engine.load(this.module, deed.game, deed.rules));
      }
      if (deed.do === "tell") this.engines.get(deed.worker).feed(deed.line);
      if (deed.do === "end") this.engines.delete(deed.worker);
    }
  }

  async say(message) {
    await this.carryOut(this.desk.said(this.number, JSON.stringify(message)));
  }

  async ask(ask) {
    const id = (this.#ids += 1);
    await this.say({ say: "ask", id, ask });
    const found = this.heard.find((message) => message.id === id);
    check(found?.say === "answer", JSON.stringify(found));
    return found.answer.of;
  }

  async follow(topic) {
    await this.say({ say: "follow", topic, version: null });
  }

  /** The last news of a kind. */
  last(kind) {
    return this.heard.findLast((m) => m.say === "news" && m.news.news === kind)?.news.of;
  }

  /** Lets engines work until something is so. */
  async until(done, what) {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      if (done()) return;
      for (const [number, engine] of [...this.engines]) {
        engine.step(20);
        for (const line of engine.lines()) await this.carryOut(this.desk.heard(number, line));
      }
      await this.carryOut(this.desk.tick());
    }
    throw new Error(`${what} did not happen`);
  }
}

async function game(module, game, engine) {
  const page = await Page.open(module);
  const seat = (step) => ({ seat: "engine", engine, level: { level: "step", of: step } });
  const start = { game, rules: "", position: "" };
  const time = { time: "unlimited", engine: 50 };
  const table = await page.ask({ ask: "new-table", table: { start, seats: [seat(1), seat(3)], time } });
  await page.follow({ topic: "table", id: table });
  const over = () => page.last("table").end !== null || page.last("table").plies.length >= PLIES;
  await page.until(over, `a game of ${game}`);
  const study = await page.ask({ ask: "study-table", table });
  await page.follow({ topic: "analysis" });
  const limits = { movetime: null, depth: 3, nodes: null };
  const focus = { study, node: 1, engines: [engine], lines: 2, limits, moves: [], threat: false };
  await page.ask({ ask: "analyse", focus });
  await page.until(() => page.last("lines")?.running === false, `an analysis of ${game}`);
  check(page.last("lines").lines.length === 2, JSON.stringify(page.last("lines")));
  const again = await Page.open(module, page.kept);
  await again.follow({ topic: "study", id: study });
  check(again.last("study").nodes.length > PLIES, "the study is there again");
  console.log(`desk: ${game} passed`);
}

const [path] = process.argv.slice(2);
const module = await WebAssembly.compile(await readFile(path));
const page = await Page.open(module);
const hello = page.heard[0];
check(hello.say === "hello" && hello.games.length === 4, JSON.stringify(hello));
await page.follow({ topic: "engines" });
const engines = page.last("engines").engines;
for (const engine of engines) {
  check(engine.name.startsWith("Quadrille") && engine.identity, JSON.stringify(engine));
  await game(module, engine.games[0], engine.id);
}
check(engines.length === 4, "four engines");

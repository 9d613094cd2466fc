// Plays with the module under Node, as a worker would.
//
//   node test.mjs MODULE.wasm GAME=NODES...
//
// In each game: the engine introduces itself, a move it plays is one that it takes
// back as legal, `stop` ends an endless search, and `bench` searches as many nodes as
// the native build, which are the numbers on the command line.

import { readFile } from "node:fs/promises";
import process from "node:process";
import { Engine } from "./engine.mjs";

/** Steps that no conversation here comes near: more is a search without end. */
const MOST_STEPS = 100_000;

const GAMES = {
  chess: { hello: ["uci", "uciok"], position: "position startpos", go: "go nodes 20000" },
  liberty: { hello: ["uci", "uciok"], position: "position startpos", go: "go movetime 100" },
  leiser: { hello: ["uci", "uciok"], position: "position startpos", go: "go depth 5" },
  gyges: { hello: ["ugi", "ugiok"], position: "setpos start", go: "go", options: ["setoption maxPly 4"] },
};

function check(condition, text) {
  if (!condition) throw new Error(text);
}

/** Feeds lines and works until there is nothing to do; gives what was said. */
function talk(engine, lines, slice = 20) {
  for (const line of lines) engine.feed(line);
  let steps = 0;
  while (engine.step(slice) === Engine.WORKING) {
    steps += 1;
    check(steps < MOST_STEPS, `no end after ${lines}`);
  }
  return engine.lines();
}

function answer(lines) {
  const found = lines.filter((line) => line.startsWith("bestmove "));
  check(found.length === 1, `one answer, not ${found.length}: ${lines.join("\n")}`);
  return found[0].split(" ")[1];
}

/** The moves of a position by `perft 1`, which lists each with a count of 1. */
function legalMoves(engine, game) {
  if (game === "leiser") return talk(engine, ["generate"])[0].split(" ");
  return talk(engine, ["perft 1"])
    .filter((line) => /^\S+: 1$/.test(line))
    .map((line) => line.split(":")[0]);
}

async function play(module, game) {
  const { hello, position, go, options = [] } = GAMES[game];
  const engine = await Engine.load(module, game);
  const introduced = talk(engine, [hello[0], "isready"]);
  check(introduced.includes(hello[1]) && introduced.at(-1) === "readyok", introduced.join("\n"));
  const moves = legalMoves(engine, game);
  check(moves.length > 10, `${game}: ${moves}`);
  const move = answer(talk(engine, [...options, position, go]));
  check(moves.includes(move), `${game}: ${move} is not legal`);
  // An endless search is seen to work, then to wait for no clock but the word.
  for (const line of [...options.map(() => "setoption maxPly 0"), "go infinite"]) engine.feed(line);
  for (let slices = 0; slices < 10; slices += 1) {
    check(engine.step(5) === Engine.WORKING, `${game}: the search ended`);
  }
  engine.feed("isready");
  check(engine.lines().includes("readyok"), `${game}: no answer during a search`);
  const stopped = answer(talk(engine, ["stop"]));
  check(moves.includes(stopped), `${game}: ${stopped} is not legal`);
  engine.feed("quit");
  check(engine.step(1) === Engine.OVER, `${game}: goes on after quit`);
  return move;
}

async function bench(module, game) {
  const engine = await Engine.load(module, game);
  const start = performance.now();
  const lines = talk(engine, ["bench"]);
  const found = lines.map((line) => /^Nodes searched: (\d+)$/.exec(line)).find(Boolean);
  check(found, lines.join("\n"));
  const nodes = Number(found[1]);
  return { nodes, perSecond: Math.round((nodes / (performance.now() - start)) * 1000) };
}

const [path, ...native] = process.argv.slice(2);
const module = await WebAssembly.compile(await readFile(path));
check(native.length === 4, "node test.mjs MODULE.wasm GAME=NODES...");
for (const pair of native) {
  const [game, expected] = pair.split("=");
  const move = await play(module, game);
  const { nodes, perSecond } = await bench(module, game);
  check(nodes === Number(expected), `${game}: ${nodes} nodes here, ${expected} in the native build`);
  console.log(`${game}: plays ${move}; bench ${nodes} as natively, ${perSecond} nodes per second`);
}
let refused = "";
await Engine.load(module, "leiser", "1999").catch((error) => (refused = error.message));
check(refused !== "", "rules of 1999 were accepted");

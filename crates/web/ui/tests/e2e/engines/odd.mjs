#!/usr/bin/env node
// An engine that does what a test needs: `odd.mjs KIND`.
//   options   all five kinds of options, and a button that answers
//   register  wants to be registered with the code 42
//   protect   refuses to work: copy protection
//   silent    says nothing at all
//   flood     100 lines a second while it searches
//   late      says nothing for a second after `go`
//   once      lines in its first search only
//   bounds    one exact score, then only bounds
//   twice     says bestmove twice
//   hostile   markup in every text it says
//   wide      lines, names and options without a place to break them
//   dies      ends when it is to move
import { createInterface } from 'node:readline';

const kind = process.argv[2] ?? 'options';
const hostile = '<img src=x onerror="document.title=\'broken in\'"><script>document.title="broken in"</script>';
const say = (...lines) => process.stdout.write(lines.map((line) => `${line}\n`).join(''));
/** Lines for the start and, legal after every first move, for Black. */
const WHITE = ['e2e4 e7e5 g1f3 b8c6', 'd2d4 d7d5 c2c4', 'c2c4 e7e5', 'g1f3 d7d5'];
const BLACK = ['e7e5', 'c7c5', 'e7e6', 'c7c6'];
let lines = WHITE;
let timer = null;
let depth = 0;
let ticks = 0;
let searches = 0;

const OPTIONS = [
  'option name Hash type spin default 16 min 1 max 4096',
  'option name Threads type spin default 1 min 1 max 64',
  'option name MultiPV type spin default 1 min 1 max 8',
  'option name Wild type check default false',
  'option name Style type combo default Normal var Solid var Normal var Risky',
  'option name Book File type string default <empty>',
  'option name Ping type button',
  'option name Contempt type spin default 0 min -100 max 100',
];

const wide = (letter) => letter.repeat(600);

function greet() {
  const [name, author] = { hostile: [hostile, hostile], wide: [wide('N'), wide('A')] }[kind] ?? ['Odd', 'The tests'];
  say(`id name ${name}`, `id author ${author}`);
  say(...OPTIONS);
  if (kind === 'wide') say(`option name ${wide('O')} type string default ${wide('D')}`, `option name UCI_EngineAbout type string default ${wide('B')}`, `option name Kind type combo default ${wide('V')} var ${wide('V')} var b`);
  say('uciok');
  if (kind === 'register') say('registration checking', 'registration error');
  if (kind === 'protect') say('copyprotection checking', 'copyprotection error');
}

function info() {
  ticks += 1;
  if (kind === 'once' && searches > 1) return;
  if (kind === 'late' && ticks < 20) return;
  if (kind === 'bounds') {
    say(ticks === 1 ? 'info depth 5 score cp 31 nodes 10 time 1 pv ' + lines[0].slice(0, 4) : `info depth 6 score cp ${900 + ticks} lowerbound nodes 20 time 2 pv ${lines[0].slice(0, 4)}`);
    return;
  }
  depth = 1 + Math.floor(ticks / 8);
  const rank = 1 + (ticks % 4);
  const text = `info depth ${depth} seldepth ${depth + 4} multipv ${rank} score cp ${40 - 10 * rank + (ticks % 3)} nodes ${ticks * 1000} nps 100000 hashfull ${ticks % 1000} time ${ticks * 10} pv ${lines[rank - 1]}`;
  say(text);
  if (kind === 'hostile' && ticks % 8 === 0) say(`info string ${hostile}`);
}

function stop() {
  if (timer === null) return;
  clearInterval(timer);
  timer = null;
  for (let n = kind === 'twice' ? 2 : 1; n > 0; n -= 1) say(`bestmove ${lines[0].slice(0, 4)}`);
}

createInterface({ input: process.stdin }).on('line', (line) => {
  if (kind === 'silent' && line !== 'quit') return;
  const [word, ...rest] = line.trim().split(/\s+/);
  if (word === 'uci') greet();
  else if (word === 'position') lines = rest.includes('moves') && (rest.length - rest.indexOf('moves')) % 2 === 0 ? BLACK : WHITE;
  else if (word === 'isready') say('readyok');
  else if (word === 'register' && rest[0] !== 'later') say('registration checking', /code 42\b/.test(line) ? 'registration ok' : 'registration error');
  else if (word === 'setoption' && /name Ping/.test(line)) say('info string pong');
  else if (word === 'go') {
    if (kind === 'protect') return;
    if (kind === 'dies') process.exit(7);
    if (kind === 'wide') say(wide('X'), `${wide('Y')} ${wide('Z')}`, `info string ${wide('S')}`);
    ticks = 0;
    searches += 1;
    timer ??= setInterval(info, kind === 'flood' ? 10 : 50);
    const time = /movetime (\d+)/.exec(line);
    if (time) setTimeout(stop, Number(time[1]));
    else if (!/infinite/.test(line)) setTimeout(stop, 200);
  } else if (word === 'stop') stop();
  else if (word === 'quit') process.exit(0);
}).on('close', () => process.exit(0));

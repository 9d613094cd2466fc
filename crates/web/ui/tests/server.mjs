// Starts the program for the tests, the bench and the pictures, and speaks with it as the page does.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { program } from './where.mjs';

/** How long the program may take to say its address. */
const PATIENCE = 60_000;

/**
 * A server with a data folder of its own, on a port of its own. `restart` keeps both. Options:
 * `args` and `env` are added to those of the program.
 */
export async function startServer({ args: more = [], env = {} } = {}) {
  const data = mkdtempSync(join(tmpdir(), 'quadrille-e2e-'));
  const page = process.env.QUADRILLE_PAGE;
  let child = null;
  const server = { address: '', pid: 0, data, stop, restart };

  async function start(port) {
    const args = ['gui', '--no-open', '--json', '--port', String(port), '--data', data, ...(page ? ['--page', page] : []), ...more];
    child = spawn(program(), args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } });
    const lines = createInterface({ input: child.stdout });
    const line = await new Promise((done, fail) => {
      lines.once('line', done);
      child.once('exit', (code) => fail(new Error(`the server ended with ${code} before it said its address`)));
      setTimeout(() => fail(new Error(`no address after ${PATIENCE / 1000} seconds`)), PATIENCE).unref();
    });
    const told = JSON.parse(line);
    server.address = told.address;
    server.pid = told.pid;
  }

  async function end(signal) {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await gone;
  }

  async function stop() {
    await end('SIGTERM');
    rmSync(data, { recursive: true, force: true });
  }

  async function restart(signal = 'SIGTERM') {
    const { port } = new URL(server.address);
    await end(signal);
    await start(port);
  }

  await start(0);
  return server;
}

/** Says one thing through a socket of the page's own, and gives the first answer or news. */
function say(page, message) {
  return page.evaluate(async (first) => {
    const socket = new WebSocket(new URL('ws', location.href.split('#')[0]).href.replace(/^http/, 'ws'));
    try {
      return await new Promise((done, fail) => {
        socket.onopen = () => socket.send(JSON.stringify(first));
        socket.onclose = () => fail(new Error('the socket was closed'));
        socket.onmessage = (event) => {
          const heard = JSON.parse(event.data);
          if (heard.say === 'answer') done(heard.answer);
          if (heard.say === 'news') done(heard.news);
          if (heard.say === 'refused') fail(new Error(`${heard.refusal.code}: ${heard.refusal.words}`));
        };
      });
    } finally {
      socket.close();
    }
  }, message);
}

/** Asks the server a question: its answer, or the refusal as an error. */
export const ask = (page, question) => say(page, { say: 'ask', id: 1, ask: question });

/** What a topic says first. */
export const news = (page, topic) => say(page, { say: 'follow', topic, version: null });

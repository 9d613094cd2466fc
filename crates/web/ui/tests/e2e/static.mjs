// A web server that only knows files, for the page without a server of its own.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';

const KINDS = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

/** Serves a folder under a sub-path, as many hosts of such pages do. */
export async function serveFolder(folder) {
  let listening = null;
  const server = { address: '', data: null, stop, restart };

  function answer(request, response) {
    const { pathname } = new URL(request.url, 'http://localhost');
    const inside = pathname.startsWith('/some/where/') ? pathname.slice('/some/where/'.length) : null;
    const path = inside === null ? null : normalize(join(folder, decodeURIComponent(inside) || 'index.html'));
    if (path === null || !path.startsWith(folder + sep) || !existsSync(path) || !statSync(path).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': KINDS[extname(path)] ?? 'application/octet-stream' });
    createReadStream(path).pipe(response);
  }

  async function start(port) {
    listening = createServer(answer);
    await new Promise((done) => listening.listen(port, '127.0.0.1', done));
    server.address = `http://127.0.0.1:${listening.address().port}/some/where/`;
  }

  async function stop() {
    listening.closeAllConnections();
    await new Promise((done) => listening.close(done));
  }

  async function restart() {
    const { port } = new URL(server.address);
    await stop();
    await start(Number(port));
  }

  await start(0);
  return server;
}

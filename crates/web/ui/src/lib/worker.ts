import type { Open } from './transport.ts';
import type { ToPage } from './wire.gen.ts';

/**
 * Messages to a worker of the page itself, for a page without a server. The worker
 * is `desk/worker.js` beside the page; it speaks the same messages as the server,
 * as JSON text, and begins with its greeting.
 */
export const worker: Open = (listener) => {
  const desk = new Worker(new URL('desk/worker.js', document.baseURI), { type: 'module' });
  desk.onmessage = (event: MessageEvent<string>) => listener.heard(JSON.parse(event.data) as ToPage);
  desk.onerror = () => {
    desk.terminate();
    listener.lost();
  };
  return {
    send: (message) => desk.postMessage(JSON.stringify(message)),
    close: () => desk.terminate(),
  };
};

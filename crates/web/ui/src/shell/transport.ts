import { socket } from '../lib/socket.ts';
import type { Open } from '../lib/transport.ts';

/**
 * The transport of this page: a page that was built to stand alone says so on its
 * root element and speaks to a worker, any other to its server.
 */
export async function transport(): Promise<Open> {
  if (document.documentElement.dataset.alone !== undefined) {
    return (await import('../lib/worker.ts')).worker;
  }
  return socket;
}

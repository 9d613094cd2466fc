import type { Open } from './transport.ts';
import type { ToPage } from './wire.gen.ts';

/** Messages over a WebSocket of the server that the page came from. */
export const socket: Open = (listener) => {
  const address = new URL('ws', location.href.split(/[?#]/)[0]);
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  // A guest's link and the token of a first visit travel in the query.
  address.search = location.search;
  const line = new WebSocket(address);
  let over = false;
  line.onmessage = (event) => {
    if (typeof event.data === 'string') listener.heard(JSON.parse(event.data) as ToPage);
  };
  line.onclose = () => {
    if (!over) listener.lost();
    over = true;
  };
  return {
    send: (message) => line.send(JSON.stringify(message)),
    close: () => {
      over = true;
      line.close();
    },
  };
};

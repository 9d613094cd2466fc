import type { FromPage, ToPage } from './wire.gen.ts';

/** What carries messages: a socket to a server, or a worker of the page itself. */
export interface Transport {
  send(message: FromPage): void;
  /** Ends it for good. */
  close(): void;
}

export interface Listener {
  heard(message: ToPage): void;
  /** The way is broken; a transport is not used again after that. */
  lost(): void;
}

export type Open = (listener: Listener) => Transport;

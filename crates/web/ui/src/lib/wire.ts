/** The only way to the server or to the worker; see wire.svelte.ts. */
export * from './wire.svelte.ts';
export type * from './wire.gen.ts';

/** Addresses are hashes (`#/analyse/7/n34`), so that the page works without a server too. */
export const rooms = [
  'home', 'play', 'analyse', 'library', 'engines', 'tournaments', 'check', 'online', 'learn', 'settings', 'editor',
] as const;
export type RoomName = (typeof rooms)[number];

type Route = { room: RoomName; parts: string[]; query: URLSearchParams };

function read(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [first = '', ...parts] = path.split('/').filter(Boolean).map(safe);
  const room = rooms.find((r) => r === first && r !== 'home') ?? 'home';
  return { room, parts, query: new URLSearchParams(query) };
}

function safe(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Where the page is. */
export const route: Route = $state(read());

function arrived(): void {
  Object.assign(route, read());
}
addEventListener('hashchange', arrived);

/** Goes to an address such as `/play/12`; `quietly` leaves no entry in the history. */
export function go(path: string, quietly = false): void {
  const hash = `#${path.startsWith('/') ? path : `/${path}`}`;
  if (hash === location.hash) return;
  if (quietly) {
    history.replaceState(null, '', hash);
    arrived();
  } else {
    location.hash = hash;
  }
}

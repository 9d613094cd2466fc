import { untrack } from 'svelte';
import { socket } from './socket.ts';
import type { Open, Transport } from './transport.ts';
import type { Answer, Ask, FromPage, GameInfo, News, RefusalCode, Room, Topic, ToPage } from './wire.gen.ts';

/** A question that was not answered: why, and the server's English words for it. */
export class Refused extends Error {
  constructor(
    readonly code: RefusalCode | 'lost',
    readonly words: string,
  ) {
    super(words);
  }
}

type State = 'connecting' | 'open' | 'lost';
type Hello = { program: string; run: string; rooms: Room[]; games: GameInfo[]; data: string | null };
type Waiting = { ask: Ask; sent: boolean; done: (a: Answer) => void; fail: (e: Refused) => void };
type Followed = { topic: Topic; version: number | null; last: News[]; hear: Set<(news: News) => void> };

/** Whether the other side can be reached, and for how long it could not. */
export const connection: { state: State; since: number } = $state({ state: 'connecting', since: Date.now() });

/** Why what happens now cannot be kept, in the server's English words. */
export const unkept: { words: string | null } = $state({ words: null });

/** What the other side said first; empty until then. */
export const hello: Hello = $state({ program: '', run: '', rooms: [], games: [], data: null });

/** Rooms of the page without a server; the greeting of its worker names the same. */
const OFFLINE: readonly Room[] = ['play', 'analyse', 'library', 'learn', 'settings'];

/** Whether this page has no server behind it, as its root element says before any greeting; or one that keeps nothing for it. */
export const alone = (): boolean => builtAlone() || (hello.run !== '' && hello.data === null);

const builtAlone = (): boolean => document.documentElement.dataset.alone !== undefined;

/** The rooms of whoever is here; none where a server has not named them yet. */
export function knownRooms(): readonly Room[] | null {
  if (hello.run !== '') return hello.rooms;
  return builtAlone() ? OFFLINE : null;
}

/** Whether whoever is here has a room. Until the rooms are known, an address may lead to any. */
export const hasRoom = (room: Room): boolean => knownRooms()?.includes(room) ?? true;

/** Whether this page is that of a guest, who has one game. */
export const isGuest = (): boolean => hello.rooms.length === 1 && hello.rooms[0] === 'play';

let open: Open = socket;
let way: Transport | null = null;
let wait = 250;
let number = 0;
const waiting = new Map<number, Waiting>();
const followed = new Map<string, Followed>();

/** Begins; the page calls it once, with the transport of its kind. */
export function connect(by: Open = socket): void {
  open = by;
  begin();
}

function begin(): void {
  connection.state = 'connecting';
  way = open({ heard, lost });
}

function lost(): void {
  way = null;
  if (connection.state === 'open') connection.since = Date.now();
  connection.state = 'lost';
  for (const [id, w] of waiting) {
    // What was under way may have been done or not: only the one who asked knows
    // whether asking again is harmless.
    if (!w.sent) continue;
    waiting.delete(id);
    w.fail(new Refused('lost', 'The connection was lost.'));
  }
  setTimeout(begin, wait);
  wait = Math.min(wait * 2, 4000);
}

function heard(message: ToPage): void {
  switch (message.say) {
    case 'hello':
      return greeted(message);
    case 'answer': {
      const w = waiting.get(message.id);
      waiting.delete(message.id);
      return w?.done(message.answer);
    }
    case 'refused': {
      const w = waiting.get(message.id);
      waiting.delete(message.id);
      return w?.fail(new Refused(message.refusal.code, message.refusal.words));
    }
    case 'unkept':
      unkept.words = message.words;
      return;
    case 'heard':
      return server.hear(message.line);
    case 'parted':
      return server.parted(message.words);
    case 'news':
      return told(message.topic, message.version, message.news);
  }
}

function greeted(message: Hello): void {
  const again = hello.run === message.run;
  hello.program = message.program;
  hello.run = message.run;
  hello.rooms = message.rooms;
  hello.games = message.games;
  hello.data = message.data;
  unkept.words = null;
  connection.state = 'open';
  wait = 250;
  for (const f of followed.values()) {
    if (!again) f.version = null;
    way?.send({ say: 'follow', topic: f.topic, version: f.version });
  }
  for (const [id, w] of waiting) submit(id, w);
}

/** What replaces part of a topic, by what part that is. */
function part(news: News): string | null {
  if (news.news === 'lines') return `lines ${news.of.engine}`;
  if (news.news === 'live') return `live ${news.of.game}`;
  return null;
}

function told(topic: Topic, version: number, news: News): void {
  const f = followed.get(JSON.stringify(topic));
  if (!f) return;
  f.version = version;
  const key = part(news);
  f.last = key === null ? [news] : [...f.last.filter((n) => part(n) !== key), news];
  for (const hear of f.hear) hear(news);
}

function submit(id: number, w: Waiting): void {
  w.sent = true;
  way?.send({ say: 'ask', id, ask: w.ask });
}

/** Asks, and waits for the answer. A refusal is thrown as {@link Refused}. */
export function ask(question: Ask): Promise<Answer> {
  number += 1;
  const id = number;
  return new Promise((done, fail) => {
    const w: Waiting = { ask: question, sent: false, done, fail };
    waiting.set(id, w);
    if (connection.state === 'open') submit(id, w);
  });
}

type Kind = Answer['answer'];
type Of<K extends Kind> = Extract<Answer, { answer: K }> extends { of: infer T } ? T : undefined;

/** Asks for an answer of one kind: `await askFor('board', { ask: 'look', ... })`. */
export async function askFor<K extends Kind>(kind: K, question: Ask): Promise<Of<K>> {
  const answer = await ask(question);
  if (answer.answer !== kind) {
    throw new Refused('message', `The server answered "${answer.answer}" where "${kind}" was asked for.`);
  }
  return ('of' in answer ? answer.of : undefined) as Of<K>;
}

/** Hears a topic from now on, at once if it is known already; returns how to stop. */
export function follow(topic: Topic, hear: (news: News) => void): () => void {
  const key = JSON.stringify(topic);
  let f = followed.get(key);
  if (f) {
    for (const news of f.last) hear(news);
  } else {
    f = { topic, version: null, last: [], hear: new Set() };
    followed.set(key, f);
    if (isOpen()) way?.send({ say: 'follow', topic, version: null });
  }
  const mine = f;
  mine.hear.add(hear);
  return () => {
    mine.hear.delete(hear);
    if (mine.hear.size > 0 || followed.get(key) !== mine) return;
    followed.delete(key);
    if (isOpen()) way?.send({ say: 'leave', topic });
  };
}

/** Who hears what a game server says, and that the connection to it is over. */
export const server: { hear: (line: string) => void; parted: (words: string) => void } = { hear() {}, parted() {} };

/** Goes to a game server, tells it a line, or leaves it. */
export function toServer(message: Extract<FromPage, { say: 'join' | 'tell' | 'part' }>): void {
  if (isOpen()) way?.send(message);
}

/** Asked without being followed: an effect that follows something need not run again, and forget what it has, when a connection comes or goes. */
function isOpen(): boolean {
  return untrack(() => connection.state === 'open');
}

import { prefs } from '../lib/prefs.svelte.ts';
import { connection, server, toServer, type Game, type Side } from '../lib/wire.ts';
import { toast } from '../parts/toasts.svelte.ts';
import { t } from '../lib/words.svelte.ts';
import { Match } from './match.svelte.ts';
import { clocks, pairs, plain, position } from './lines.ts';

/** A game that a player looks for, or wants of us. */
export interface Seek {
  id: number;
  by: string;
  rating: string;
  game: Game;
  time: string;
  rated: boolean;
  colour: Side | 'random';
  /** A named position, rules or a position of its own. */
  start: string;
}
export interface Running {
  id: number;
  names: [string, string];
  game: Game;
  time: string;
  plies: number;
}
export interface Player {
  name: string;
  person: boolean;
  ratings: [Game, string][];
  playing: boolean;
}

/** Where a tab remembers which server it is at. */
const place = 'quadrille.online';

/** Every piece of Liberty Chess. */
const pieces = 'kmqcaehuriwbznxlop';

/** This page as a client of a game server. */
class Session {
  state: 'out' | 'joining' | 'in' = $state('out');
  name = $state('');
  account = $state(false);
  chat = $state(false);
  register = $state(false);
  program = $state('');
  seeks: Seek[] = $state.raw([]);
  challenges: Seek[] = $state.raw([]);
  running: Running[] = $state.raw([]);
  players: Player[] = $state.raw([]);
  match: Match | null = $state.raw(null);
  /** Why we are out. */
  words = $state('');

  private address: string | null = null;
  private wanted = '';
  private password = '';
  private token = '';
  private listed: { games: Running[]; players: Player[] } = { games: [], players: [] };
  /** Why the server does not let us in: it says so before it ends the connection. */
  private refusal = '';
  /** We were in, and come again by ourselves. */
  private stays = false;

  constructor() {
    // A reload comes back to where it was, and to its game.
    try {
      const kept = JSON.parse(sessionStorage.getItem(place) ?? 'null') as { address: string | null; name: string; token: string } | null;
      if (!kept) return;
      [this.address, this.wanted, this.token] = [kept.address, plain(kept.name), plain(kept.token)];
      this.stays = true;
    } catch {
      // A window that keeps nothing begins anew.
    }
  }

  private keep(): void {
    try {
      if (this.state === 'in') sessionStorage.setItem(place, JSON.stringify({ address: this.address, name: this.name, token: this.token }));
      else sessionStorage.removeItem(place);
    } catch {
      // The same.
    }
  }

  /** Goes to a server; `null` is the one that this page came from. */
  join(address: string | null, name: string, password: string): void {
    [this.address, this.wanted, this.password, this.token] = [address, plain(name), plain(password), ''];
    this.stays = false;
    this.call();
  }

  private call(): void {
    this.state = 'joining';
    this.words = this.refusal = '';
    this.seeks = this.challenges = [];
    toServer({ say: 'join', address: this.address });
  }

  leave(): void {
    this.stays = false;
    toServer({ say: 'part' });
    this.state = 'out';
    this.match = null;
    this.keep();
  }

  say(line: string): void {
    toServer({ say: 'tell', line });
  }

  lobby(line: string): void {
    this.say(`lobby ${line}`);
  }

  /** Games and players change without being told. */
  look(): void {
    if (this.state !== 'in') return;
    this.lobby('list games');
    this.lobby('list players');
  }

  parted(words: string): void {
    this.state = 'out';
    this.words = this.refusal || words;
    this.match?.lost();
    // Once: a server that does not want us is not asked again and again.
    if (this.stays) setTimeout(() => this.again(), 1000);
  }

  /** The page's own connection broke: the server will know us by the token. */
  broken(): void {
    if (this.state !== 'out') this.state = 'out';
  }

  again(): void {
    if (!this.stays || this.state !== 'out' || connection.state !== 'open') return;
    this.stays = false;
    this.call();
  }

  hear(line: string): void {
    const [, first = '', rest = ''] = /^\s*(\S*)\s*([^]*)$/.exec(line) ?? [];
    switch (first) {
      case 'uci':
        return this.greet();
      case 'isready':
        return this.say('readyok');
      case 'position':
        return this.match?.placed(position(rest));
      case 'go':
      case 'clock': {
        const left = clocks(rest);
        return left ? this.match?.timed(left, first === 'go') : undefined;
      }
      case 'info':
        return this.noted(rest);
      case 'lobby':
        return this.told(rest);
    }
  }

  private greet(): void {
    const lines = ['id name Quadrille', 'id version 1', `id pieces ${pieces}`, 'id games chess liberty leiser gyges', 'id lobby 1', `id username ${this.wanted}`];
    if (this.token) lines.push(`id token ${this.token}`);
    if (this.password) lines.push(`id password ${this.password}`);
    for (const line of [...lines, 'uciok']) this.say(line);
  }

  private noted(rest: string): void {
    const [, kind = '', words = ''] = /^(\S+)\s*([^]*)$/.exec(rest) ?? [];
    if (kind === 'clienterror' || kind === 'servererror') {
      if (this.state === 'joining') this.words = this.refusal = whyOut(words);
      else toast(words, { bad: true });
      this.match?.refused();
    } else if (kind === 'string') toast(words);
  }

  private told(text: string): void {
    const [, kind = '', rest = ''] = /^(\S+)\s*([^]*)$/.exec(text) ?? [];
    const p = pairs(rest);
    const get = (key: string): string => p.get(key) ?? '';
    const id = Number(get('id'));
    const match = this.match?.id === id ? this.match : null;
    switch (kind) {
      case 'welcome':
        [this.name, this.token, this.program] = [get('name'), get('token'), get('program')];
        [this.account, this.chat, this.register] = [get('account') === 'yes', get('chat') === 'on', get('register') === 'yes'];
        this.state = 'in';
        this.refusal = '';
        this.stays = true;
        this.keep();
        this.lobby('list seeks');
        return this.look();
      case 'seek':
        this.seeks = [...this.seeks.filter((s) => s.id !== id), seek(p)];
        return;
      case 'challenge':
        if (get('by') === this.name) return;
        this.challenges = [...this.challenges.filter((s) => s.id !== id), seek(p)];
        return;
      case 'seek-gone':
        this.seeks = this.seeks.filter((s) => s.id !== id);
        this.challenges = this.challenges.filter((s) => s.id !== id);
        return;
      case 'declined':
        return void toast(t('online.declined', { name: get('by') }));
      case 'start':
        if (match) match.again(p);
        else this.match = new Match(p, (line) => this.say(line));
        return;
      case 'offer':
        return match?.offered(get('what'), get('by') === this.name);
      case 'offer-gone':
        return match?.offered('', false);
      case 'away':
      case 'back':
        return match?.went(kind === 'away' ? get('name') : '');
      case 'end':
        return match?.over(get('result'), get('reason'));
      case 'rating':
        return this.match?.rated(get('name'), get('old'), get('new'));
      case 'said':
        return match?.said(get('name'), get('text'));
      case 'game':
        this.listed.games.push({ id, names: [get('white'), get('black')], game: get('game') as Game, time: get('time'), plies: Number(get('plies')) });
        return;
      case 'player':
        this.listed.players.push({
          name: get('name'), person: get('kind') === 'person', playing: get('playing') !== 'no',
          ratings: get('ratings').split(',').map((r) => r.split('=') as [Game, string]).filter((r) => r.length === 2),
        });
        return;
      case 'list-end':
        if (rest === 'games') this.running = this.listed.games;
        if (rest === 'players') this.players = this.listed.players;
        if (rest === 'games' || rest === 'players') this.listed = { ...this.listed, [rest]: [] };
        return;
      case 'error':
        toast(rest, { bad: true });
        return match?.refused();
    }
  }
}

/** What a server says to one whom it does not let in, in words of ours where we know them. */
function whyOut(said: string): string {
  if (/\bis an account\b/.test(said)) return t('online.refused.account');
  if (/\bpassword is wrong\b/.test(said)) return t('online.refused.wrong');
  return t('online.refused', { why: said });
}

function seek(p: Map<string, string>): Seek {
  const start = p.get('preset')?.replaceAll('_', ' ') ?? p.get('rules')?.replaceAll('_', ' ') ?? (p.has('fen') ? '…' : '');
  return {
    id: Number(p.get('id')), by: p.get('by') ?? '', rating: p.get('rating') ?? '', game: (p.get('game') ?? 'chess') as Game,
    time: p.get('time') ?? '', rated: p.get('rated') === 'yes', colour: (p.get('colour') ?? 'random') as Seek['colour'], start,
  };
}

export const session = new Session();
server.hear = (line) => session.hear(line);
server.parted = (words) => session.parted(words);

$effect.root(() => {
  $effect(() => {
    if (connection.state === 'open') session.again();
    else session.broken();
  });
});

/** The name to begin with: that of the player at this screen, as far as a server takes it. */
export function usualName(): string {
  return prefs.name.replace(/\s+/g, '_').replace(/[^A-Za-z0-9_.-]/g, '').slice(0, 20);
}

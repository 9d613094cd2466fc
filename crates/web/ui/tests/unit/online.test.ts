import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, server } from '../../src/lib/wire.svelte.ts';
import type { FromPage, ToPage } from '../../src/lib/wire.gen.ts';
import { clocks, pairs, plain, position, word } from '../../src/online/lines.ts';
import { session } from '../../src/online/session.svelte.ts';

test('lines of a game server are read, and a text of a stranger cannot pass for a fact', () => {
  assert.deepEqual([...pairs(' id 7  by Ann time 300+5 fen 8/8 w - id 9')], [['id', '7'], ['by', 'Ann'], ['time', '300+5'], ['fen', '8/8 w - id 9']]);
  assert.equal(pairs('id 7 id 8').get('id'), '7');
  assert.deepEqual(position('startpos moves e2e4  e7e5'), { start: '', moves: ['e2e4', 'e7e5'] });
  assert.deepEqual(position('fen 8/8 w - moves'), { start: '8/8 w -', moves: [] });
  assert.deepEqual([clocks('wtime 5 btime 7 winc 1'), clocks('wtime x')], [[5, 7], null]);
  assert.deepEqual([word(' a b '), plain('a\nb\r\n c')], ['a_b', 'a b c']);
});

test('a page greets a server, hears the lobby, plays, and a game ends', async () => {
  const said: string[] = [];
  let tell: (message: ToPage) => void = () => undefined;
  connect((hear) => {
    tell = hear.heard;
    queueMicrotask(() => tell({ say: 'hello', program: 'Q', run: 'x', rooms: ['online'], games: [], data: null }));
    return {
      send(message: FromPage) {
        if (message.say === 'tell') said.push(message.line);
        if (message.say === 'join') said.push(`JOIN ${message.address}`);
      },
      close() {},
    };
  });
  await new Promise((done) => setTimeout(done, 5));
  session.join(null, 'Ann\nlobby resign', '');
  const hear = (line: string): void => tell({ say: 'heard', line });
  hear('uci');
  assert.equal(said[0], 'JOIN null');
  assert.ok(said.includes('id username Ann lobby resign') && said.includes('id lobby 1') && said.at(-1) === 'uciok', said.join('|'));
  hear('lobby welcome name Ann account no token T1 chat off register no games chess program Quadrille 1');
  assert.deepEqual([session.state, session.name], ['in', 'Ann']);
  hear('lobby seek id 3 by Bob rating 1500? game gyges time 180+2 rated no colour white');
  hear('lobby seek id 4 by <b>x</b> rating 1500? game chess time 60+0 rated yes colour random fen 8/8 id 5');
  assert.deepEqual(session.seeks.map((s) => [s.id, s.game, s.rated]), [[3, 'gyges', false], [4, 'chess', true]]);
  hear('lobby seek-gone id 3');
  assert.equal(session.seeks.length, 1);
  hear('lobby game id 9 white C black D game chess time 60+0 rated no plies 4');
  hear('lobby list-end games');
  assert.deepEqual(session.running.map((g) => g.names), [['C', 'D']]);
  hear('isready');
  assert.equal(said.at(-1), 'readyok');
  hear('lobby start id 12 white Ann black Bob white-rating 1500? black-rating 1480 game chess time 60+0 rated yes you white');
  hear('go wtime 60000 btime 59000 winc 0 binc 0');
  const match = session.match!;
  assert.deepEqual([match.mine, match.asked, match.left, match.bottom], ['white', true, [60000, 59000], 'white']);
  let back = false;
  void match.move('e2e5').catch(() => (back = true));
  assert.equal(said.at(-1), 'bestmove e2e5');
  hear('info clienterror e2e5 is not legal here');
  await new Promise((done) => setTimeout(done, 1));
  assert.ok(back, 'a piece springs back');
  hear('lobby offer id 12 what draw by Bob');
  assert.deepEqual(match.offer, { what: 'draw', ours: false });
  hear('lobby end id 11 result 0-1 reason another game');
  assert.equal(match.result, null);
  hear('lobby end id 12 result 1-0 reason Black gives up');
  assert.deepEqual(match.result, { score: '1-0', words: 'Black gives up' });
  hear('lobby rating game chess name Ann old 1500? new 1512?');
  assert.equal(match.ratings[0], '1500? → 1512?');
  server.parted('the game server has ended the connection');
  assert.equal(session.state, 'out');
});

test('one who is not let in learns why', () => {
  const refused = (said: string): string => {
    session.join(null, 'Ann', 'guess');
    session.hear('uci');
    session.hear(`info clienterror ${said}`);
    server.parted('the game server has ended the connection');
    assert.equal(session.state, 'out');
    return session.words;
  };
  assert.equal(refused('the name or the password is wrong'), 'The name or the password is wrong.');
  assert.match(refused('Ann is an account: send id password before uciok'), /belongs to an account: give its password/);
  assert.equal(refused('this address is banned: ask'), 'The server does not let you in: this address is banned: ask');
  // It is not said of the next connection.
  session.join(null, 'Ann', '');
  server.parted('nothing answers there');
  assert.equal(session.words, 'nothing answers there');
});

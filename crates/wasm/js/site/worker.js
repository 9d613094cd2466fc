// The worker of a page without a server: it speaks the messages of a server, as JSON
// text, and begins with the greeting.
//
// The tabs of a browser share one desk, because they share what is kept: one of them
// leads (the one that holds a lock), the others speak with its desk over a channel. When
// the leading tab is closed the lock goes to another, which takes up what was kept; its
// greeting has another `run`, so pages ask for everything again.

import { Leader } from "./leader.mjs";

const me = crypto.randomUUID?.() ?? String(Math.random());
const channel = new BroadcastChannel("quadrille");
let leader = null;
let starting = [];

self.onmessage = (event) => {
  if (leader) leader.said(me, event.data);
  else if (starting) starting.push(event.data);
  else channel.postMessage({ to: "leader", from: me, text: event.data });
};

channel.onmessage = (event) => {
  const { to, from, text, join, leads } = event.data;
  if (leader && to === "leader") {
    if (join) welcome(from);
    else leader.said(from, text);
  } else if (!leader && to === me) {
    starting = null;
    self.postMessage(text);
  } else if (!leader && leads) {
    ask();
  }
};

/** Asks the leading tab for a place at its desk. */
function ask() {
  starting ??= [];
  channel.postMessage({ to: "leader", from: me, join: true });
}

/** Another tab is there for as long as it holds its own lock. */
function welcome(tab) {
  leader.join(tab);
  navigator.locks.request(`quadrille-tab-${tab}`, () => leader.left(tab));
}

async function lead() {
  const begun = await Leader.begin((tab, text) => {
    if (tab === me) self.postMessage(text);
    else channel.postMessage({ to: tab, text });
  });
  leader = begun;
  leader.join(me);
  for (const text of starting ?? []) leader.said(me, text);
  starting = null;
  channel.postMessage({ leads: me });
}

// What fails here is an error of the worker, and the page says that it is lost.
const fail = (error) => setTimeout(() => { throw error; });

if (navigator.locks) {
  // Held until this worker ends.
  const forever = () => new Promise(() => {});
  navigator.locks.request(`quadrille-tab-${me}`, () => {
    navigator.locks.request("quadrille-desk", () => lead().then(forever, fail));
    ask();
    return forever();
  });
} else {
  // Without locks (an address that the browser does not trust) each tab is alone.
  lead().catch(fail);
}

// Keeps the files of this page for times without a connection. The two values below
// are filled in by `cargo xtask site`.
const VERSION = "@VERSION@";
const FILES = [/*@FILES@*/];

self.addEventListener("install", (event) => {
  const kept = caches.open(VERSION).then((cache) => cache.addAll(FILES));
  event.waitUntil(kept.then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const others = caches.keys().then((names) =>
    Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name))),
  );
  event.waitUntil(others.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  const found = caches.open(VERSION).then((cache) => cache.match(event.request, { ignoreSearch: true }));
  event.respondWith(found.then((kept) => kept ?? fetch(event.request)));
});

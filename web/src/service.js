// Keeps the site's files, each by its digest, so that the page opens without a network; a new version fetches only what
// has changed, and is used from the next visit on.
"use strict";
const FILES = /* filled in by grader/site/publish.py */ {};
const STORE = "maze-grader-site";
const here = new URL("./", self.location);
const nameOf = (path) => new URL(`${path}?${FILES[path]}`, here).href;
const pathOf = (url) => decodeURIComponent(url.pathname.slice(here.pathname.length)) || "index.html";

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const isOurs = event.request.method === "GET" && url.origin === here.origin && url.pathname.startsWith(here.pathname);
  if (isOurs && Object.hasOwn(FILES, pathOf(url))) event.respondWith(answer(pathOf(url)));
});

async function install() {
  const store = await caches.open(STORE);
  for (const path of Object.keys(FILES)) if (!(await store.match(nameOf(path)))) await keep(store, path);
  await self.skipWaiting();
}

async function keep(store, path) {
  const found = await fetch(new URL(path, here), { cache: "no-cache" });
  if (!found.ok) throw new Error(`${path}: ${found.status}`);
  await store.put(nameOf(path), found);
}

async function activate() {
  const store = await caches.open(STORE);
  const wanted = new Set(Object.keys(FILES).map(nameOf));
  for (const request of await store.keys()) if (!wanted.has(request.url)) await store.delete(request);
  await self.clients.claim();
}

async function answer(path) {
  const store = await caches.open(STORE);
  return (await store.match(nameOf(path))) ?? fetch(new URL(path, here));
}

// The service worker: the page works offline. The build fills in FILES and VERSION (vite.config.ts). Files under assets/
// have a hash of their content in their names, so a stored file is never stale; the page itself is requested from the
// network first.
const FILES = /* files */ [];
// Another copy of the page on this host has a cache of its own.
const COPY = 'komabako ' + registration.scope + ' ';
const CACHE = COPY + /* version */ 'dev';

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
});

self.addEventListener('activate', (event) => {
  const old = (name) => name.startsWith(COPY) && name !== CACHE;
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name)))));
});

// A new version waits until the user reloads, so that a page and its workers have the same version.
self.addEventListener('message', (event) => {
  if (event.data === 'reload') self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin) return;
  const hashed = url.href.startsWith(registration.scope + 'assets/');
  event.respondWith(hashed ? storedFirst(event.request) : networkFirst(event.request));
});

// `Vary` is ignored: a server that sends `Vary: Origin` means other origins, and the files are the same for all.
async function storedFirst(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

async function networkFirst(request) {
  try {
    return await fetch(request);
  } catch {
    // The query only contains the position: every address is the same page.
    const stored = await caches.match(request, { ignoreSearch: true, ignoreVary: true });
    return stored ?? (request.mode === 'navigate' ? caches.match('./', { ignoreVary: true }) : undefined) ?? Response.error();
  }
}

import './styles.css';
import './page/komabako-page.js';
import { Module } from './module.js';
import { registerOffline } from './offline.js';
import { Session } from './page/session.js';

/** `cargo xtask web` puts the module here; the build adds its hash to the name. */
const MODULE = new URL('./komabako.wasm', import.meta.url);

async function loadModule(): Promise<WebAssembly.Module> {
  const response = await fetch(MODULE);
  if (!response.ok) throw new Error(`${MODULE.pathname}: ${response.status}`);
  // Streaming compilation requires the media type of wasm, which not every host sends.
  const streams = response.headers.get('content-type') === 'application/wasm';
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

const session = new Session();
const page = document.createElement('komabako-page') as HTMLElement & { session: Session };
page.session = session;
document.querySelector('#app')!.replaceChildren(page);
requestAnimationFrame(() => performance.mark('komabako-board'));

async function start(): Promise<void> {
  try {
    const compiled = await loadModule();
    await pause();
    const module = await Module.instantiate(compiled);
    await warmUp(module);
    session.setModule(module, compiled);
    performance.mark('komabako-module');
  } catch {
    session.setModule(null);
  }
}

/** A browser compiles a function at its first call. The calls that a position needs are made one by one, and input is
 * handled between them. */
async function warmUp(module: Module): Promise<void> {
  const { sfen } = session;
  const calls = [() => module.call('version', {}), () => module.call('position', { sfen }), () => module.call('moves', { sfen, moves: [] })];
  for (const call of calls) {
    await pause();
    call();
  }
  await pause();
}

/** Lets the browser handle input and draw. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

// Offline use is optional: the page also works from places without service workers. The service worker asks for all files,
// so it starts when the page has what it needs itself.
void start()
  .then(() => registerOffline((reload) => session.offerReload(reload)))
  .catch(() => undefined);

// Tries the built page in WebKitGTK, which playwright does not drive: npm run webkit. Needs Debian's webkit2gtk-driver and xvfb. The
// module is loaded under the page's policy, a move is played with keys, a mate is solved in a worker, and bits are shown.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Site } from '../build/test/page/harness.js';

const PORT = 4723;
const LIBRARIES = '/usr/lib/x86_64-linux-gnu';
const browser = readdirSync(LIBRARIES).find((name) => name.startsWith('webkit2gtk-4'));
const driver = spawn('WebKitWebDriver', [`--port=${PORT}`], { stdio: 'inherit' });

async function call(method, path, body) {
  const response = await fetch(`http://127.0.0.1:${PORT}${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${path}: ${value.error}: ${value.message}`);
  return value;
}
async function until(what, probe) {
  for (let tries = 0; tries < 300; tries += 1) {
    const found = await probe().catch(() => null);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${what}: not within a minute`);
}

const site = await Site.start();
let session;
try {
  const capabilities = {
    alwaysMatch: { 'webkitgtk:browserOptions': { binary: join(LIBRARIES, browser, 'MiniBrowser'), args: ['--automation'] } },
  };
  const created = await until('the driver', () => call('POST', '/session', { capabilities }));
  session = `/session/${created.sessionId}`;
  console.log(`${created.capabilities.browserName} ${created.capabilities.browserVersion}`);
  const run = (script) => call('POST', `${session}/execute/sync`, { script, args: [] });
  const shows = (text) => until(text, () => run(`return document.body.innerText.includes(${JSON.stringify(text)})`));
  const keys = (...pressed) =>
    call('POST', `${session}/actions`, {
      actions: [
        {
          type: 'key',
          id: 'keys',
          actions: pressed.flatMap((value) => [
            { type: 'keyDown', value },
            { type: 'keyUp', value },
          ]),
        },
      ],
    });

  await call('POST', `${session}/url`, { url: `${site.url}?lang=en` });
  await until('the module', () => run("return document.querySelector('komabako-page[data-workers=ready]') !== null"));
  await run("document.querySelector('komabako-board').focusGrid()");
  await keys('7', 'g', ' ', '7', 'f', ' ');
  await until('the move', () => run("return document.querySelector('komabako-board').sfen.startsWith('lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/')"));
  console.log('a move is played with keys');
  await call('POST', `${session}/url`, { url: `${site.url}?sfen=8k/9/7PP/9/9/9/9/9/9_b_G2r2b3g4s4n4l16p_1&lang=en#solve` });
  await until('the workers', () => run("return document.querySelector('komabako-page[data-workers=ready]') !== null"));
  await run("[...document.querySelectorAll('button')].find((one) => one.textContent.trim() === 'Solve').click()");
  await shows('Mate in 1');
  console.log('a mate is solved');
  await run("document.querySelector('#tab-bits').click()");
  await until('the bits', () => run("return document.querySelectorAll('section.word').length === 7"));
  console.log('the bits are shown');
  assert.equal(await run('return document.documentElement.scrollWidth <= innerWidth'), true);
} finally {
  if (session) await call('DELETE', session).catch(() => undefined);
  driver.kill();
  await site.stop();
}

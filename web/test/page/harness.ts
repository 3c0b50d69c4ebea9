/** Starts a browser, and serves the built page on a separate port. */

import assert from 'node:assert/strict';
import { createReadStream, existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { type Browser, type BrowserContextOptions, type Locator, type Page, chromium, firefox } from 'playwright-core';

/** The project's directory, relative to build/test/page/. */
export const WEB = fileURLToPath(new URL('../../../', import.meta.url));
/** Game records at the edges of their formats, and 2,000 records of training data. */
export const EDGE = join(WEB, '../crates/komabako-kifu/tests/data/edge');
export const SAMPLE = join(WEB, '../data/sample.psv');
/** The 300 records that the page shows to new visitors. */
export const ZSTD = join(WEB, 'src/sample.psv.zst');
/** A game with an end as its main line, a variation in a variation, times, scores and a bookmark. */
export const GAME = `先手：Sato
後手：Suzuki
棋戦：A test
手数----指手---------消費時間--
*the comment of the start
   1 ７六歩(77)   ( 0:05/00:00:05)
*#評価値=120
   2 ３四歩(33)   ( 0:07/00:00:07)
*#評価値=-80
   3 ２六歩(27)   ( 1:09/00:01:14)
*#評価値=350
&the turning point
   4 投了   ( 0:01/00:00:08)
*a comment on the end

変化：4手
   4 ８四歩(83)   ( 0:02/00:00:09)
   5 ２五歩(26)   ( 0:02/00:01:16)

変化：2手
   2 ８四歩(83)   ( 1:01/00:01:01)
*the comment of the variation
   3 ２六歩(27)   ( 0:01/00:00:06)
   4 ８五歩(84)   ( 0:01/00:01:02)

変化：4手
   4 ３二金(41)   ( 0:01/00:01:02)
`;
const DIST = join(WEB, 'dist');
/** Debian's Firefox, instead of Chromium. Its protocol has no touch, and 1.65 of playwright-core needs a newer one. */
const FIREFOX = process.env['FIREFOX'];
const BROWSER = FIREFOX ?? process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.wasm': 'application/wasm',
  '.woff2': 'font/woff2', '.webmanifest': 'application/manifest+json',
};
/** Disables Chromium's own network requests at startup. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** The reason why the page's tests cannot run here, or false. */
export const missing: string | false = !existsSync(BROWSER)
  ? `no ${BROWSER}: apt-get install chromium, or name one in CHROMIUM`
  : !existsSync(join(DIST, 'index.html'))
    ? 'the page is not built: npm run build'
    : false;
/** The reasons why the browser cannot be driven in some way, or false. */
const lacks = (what: string): string | false => (FIREFOX ? `the protocol of Firefox has no ${what}` : false);
export const withoutTouch = lacks('touch');
export const withoutDownloads = lacks('downloads');
export const withoutEmulation = lacks('paper, forced colours or pages without scripts');
/** The same as `missing` for tests of another page. */
export const withoutBrowser: string | false = existsSync(BROWSER) ? false : missing;
export const withoutModule: string | false =
  missing || (readdirSync(join(DIST, 'assets')).some((name) => name.endsWith('.wasm')) ? false : 'the page is built without the module: cargo xtask web');

/** A factor for time limits, which on a busy machine would otherwise not measure the page. */
export const PATIENCE = Number(process.env['PATIENCE'] ?? 1);

/** The milliseconds by the browser's clock from a click on a button to the appearance of a heading. */
export function fromClickToHeading(page: Page, button: string, heading: string): Promise<number> {
  return page.evaluate(([name, text]) => new Promise<number>((resolve) => {
    const pressed = [...document.querySelectorAll('button')].find((one) => one.textContent?.trim() === name);
    new MutationObserver((_, observer) => {
      if (![...document.querySelectorAll('h2')].some((one) => one.textContent?.trim() === text)) return;
      observer.disconnect();
      resolve(performance.now() - began);
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
    const began = performance.now();
    pressed!.click();
  }), [button, heading] as const);
}

/** Runs an action that must complete within a number of milliseconds. */
export async function within(milliseconds: number, act: () => Promise<void>): Promise<void> {
  const began = performance.now();
  await act();
  const took = performance.now() - began;
  assert.ok(took < milliseconds * PATIENCE, `${took.toFixed(0)} ms, at most ${milliseconds * PATIENCE} allowed`);
}

export interface Opened {
  readonly page: Page;
  /** The console messages, and the requested addresses since the last `forget`. */
  readonly consoleMessages: string[];
  readonly requests: string[];
}

export class Site {
  readonly #server: Server;
  readonly #browser: Browser;
  readonly #pages: Page[] = [];

  private constructor(server: Server, browser: Browser) {
    this.#server = server;
    this.#browser = browser;
  }

  /** `compress`: sends files compressed with brotli, as web servers do. `headers` are added to every answer. `folder`: of another
   * page. */
  static async start({ compress = false, headers = {} as Readonly<Record<string, string>>, folder = DIST } = {}): Promise<Site> {
    const compressed = new Map<string, Buffer>();
    // Compressed before any request, because it takes seconds.
    for (const name of compress ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []) {
      const file = join(folder, name);
      if (statSync(file).isFile()) compressed.set(file, brotliCompressSync(readFileSync(file)));
    }
    const server = createServer((request, response) => {
      const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname));
      const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
      if (!file.startsWith(folder) || !existsSync(file) || !statSync(file).isFile()) {
        response.writeHead(404).end();
        return;
      }
      const type = TYPES[extname(file)] ?? 'application/octet-stream';
      const body = compressed.get(file);
      if (body) {
        response.writeHead(200, { ...headers, 'content-type': type, 'content-encoding': 'br' }).end(body);
        return;
      }
      response.writeHead(200, { ...headers, 'content-type': type });
      createReadStream(file).pipe(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const browser = FIREFOX
      ? await firefox.launch({ channel: 'moz-firefox', executablePath: FIREFOX })
      : await chromium.launch({ executablePath: BROWSER, args: FLAGS });
    return new Site(server, browser);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Opens the page and waits until it is drawn and the module is loaded, unless the module is missing. */
  async open(query: string, options: BrowserContextOptions = {}, prepare?: (page: Page) => Promise<unknown>): Promise<Opened> {
    const opened = await this.openBare(query, { viewport: { width: 1280, height: 800 }, locale: 'en-US', ...options }, prepare);
    await opened.page.locator('komabako-page[data-module=ready], komabako-page[data-module=missing]').waitFor();
    return opened;
  }

  /** Opens a page without waiting. */
  async openBare(query: string, options: BrowserContextOptions = {}, prepare?: (page: Page) => Promise<unknown>): Promise<Opened> {
    const context = await this.#browser.newContext(options);
    const page = await context.newPage();
    page.setDefaultTimeout(15_000 * PATIENCE);
    const consoleMessages: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => consoleMessages.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => consoleMessages.push(`error: ${error.message}`));
    page.on('request', (request) => requests.push(request.url()));
    this.#pages.push(page);
    await prepare?.(page);
    await page.goto(this.url + query);
    return { page, consoleMessages, requests };
  }

  async closePages(): Promise<void> {
    for (const page of this.#pages.splice(0)) await page.context().close();
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** The SFEN that the address shows. */
export function sfenOf(page: Page): string {
  const sfen = /[?&]sfen=([^&#]*)/.exec(page.url())?.[1] ?? '';
  return decodeURIComponent(sfen).replaceAll('_', ' ');
}

/** Types another number into a box, as a visitor does: in Firefox, `fill` sends no events. */
export async function typeNumber(box: Locator, text: string): Promise<void> {
  await box.click({ clickCount: 3 });
  const { keyboard } = box.page();
  await keyboard.press('Delete');
  await keyboard.type(text);
  await keyboard.press('Enter');
}

/** Drops a file on the board, as if dragged from a folder. */
export async function drop(page: Page, name: string, content: Buffer): Promise<void> {
  const accepted = await page.evaluate(([file, base64]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))], file));
    const send = (type: string) => document.querySelector('komabako-board')!
      .dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, composed: true }));
    // If the page does not accept it, the browser would navigate to the file.
    return !send('dragover') && !send('drop');
  }, [name, content.toString('base64')] as const);
  assert.ok(accepted, `${name} is taken`);
}

/** Pastes a text anywhere on the page. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', pasted);
    // Firefox takes the text from members of its own.
    const init = { clipboardData, dataType: 'text/plain', data: pasted, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new ClipboardEvent('paste', init));
  }, text);
}

/** Waits until the address shows a position, because the browser reports a new address with a short delay. */
export async function showsSfen(page: Page, sfen: string): Promise<void> {
  for (let tries = 0; tries < 100 && sfenOf(page) !== sfen; tries += 1) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(sfenOf(page), sfen);
}

/** The middle of a square on the screen. */
export async function middleOf(page: Page, square: number): Promise<{ x: number; y: number }> {
  const box = await page.locator(`[data-square="${square}"] .cell`).boundingBox();
  if (!box) throw new Error(`square ${square} is not shown`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}
declare const axe: { run(): Promise<{ violations: Violation[] }> };

/** The findings of axe-core; the page's CSP does not apply to `evaluate`. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(join(WEB, 'node_modules/axe-core/axe.min.js'), 'utf8'));
  const found = await page.evaluate(async () => (await axe.run()).violations);
  return found.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 2).map((node) => `${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`).join(' | ')}`);
}

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { parseSquare } from '../../src/model/square.js';
import { Site, middleOf, missing, showsSfen, withoutModule, withoutTouch } from './harness.js';

const START = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1';
const square = (name: string) => parseSquare(name)!;

async function dragWithMouse(page: Page, from: string, to: string): Promise<void> {
  const [start, end] = [await middleOf(page, square(from)), await middleOf(page, square(to))];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 3 });
  await page.mouse.move(end.x, end.y, { steps: 3 });
  await page.mouse.up();
}

/** Drags with a finger. The drop point is half a square above the finger, at the raised piece. */
async function dragWithFinger(page: Page, from: string, to: string): Promise<void> {
  const [start, end] = [await middleOf(page, square(from)), await middleOf(page, square(to))];
  const below = 22;
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await touch('touchStart', [start]);
  for (let step = 1; step <= 5; step += 1) {
    await touch('touchMove', [{ x: start.x + ((end.x - start.x) * step) / 5, y: start.y + ((end.y + below - start.y) * step) / 5 }]);
  }
  await touch('touchEnd', []);
}

/** The accessible name of the focused control. */
function nameOfFocus(): string {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at?.getAttribute('aria-label') ?? at?.closest('label')?.textContent?.trim() ?? at?.textContent?.trim() ?? '';
}

describe('the board, without the module', { skip: missing }, () => {
  let site: Site;
  before(async () => {
    site = await Site.start();
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  const setUp = (page: Page) => page.getByLabel('Set up', { exact: true }).check();

  test('dragged_piece_changes_the_address_and_survives_reload', async () => {
    const { page } = await site.open('?lang=en');
    await setUp(page);
    await dragWithMouse(page, '7g', '7e');
    const edited = 'lnsgkgsnl/1r5b1/ppppppppp/9/2P6/9/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1';
    await showsSfen(page, edited);
    await page.reload();
    await page.getByRole('gridcell', { name: '7e Black pawn' }).waitFor();
    await showsSfen(page, edited);
  });

  test('piece_dropped_outside_goes_to_the_box', async () => {
    const { page } = await site.open('?lang=en');
    await setUp(page);
    const start = await middleOf(page, square('5i'));
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(start.x, 780, { steps: 4 });
    await page.mouse.up();
    await showsSfen(page, START.replace('LNSGKGSNL', 'LNSG1GSNL'));
    await page.getByRole('button', { name: 'king, 1' }).waitFor();
  });

  test('hand_piece_dropped_outside_goes_to_the_box_and_changes_are_announced', async () => {
    const { page } = await site.open('?sfen=4k4/9/9/9/9/9/9/9/9_b_2P_1&lang=en');
    await setUp(page);
    const announcement = page.locator('komabako-board .live');
    const hand = (await page.locator('[data-stack=black-P]').boundingBox())!;
    await page.mouse.move(hand.x + 20, hand.y + 20);
    await page.mouse.down();
    await page.mouse.move(hand.x, 780, { steps: 4 });
    await page.mouse.up();
    await showsSfen(page, '4k4/9/9/9/9/9/9/9/9 b P 1');
    await dragWithMouse(page, '5a', '5b');
    await announcement.getByText('5b White king. 5a empty').waitFor({ state: 'attached' });
    await page.keyboard.press('Control+z');
    await announcement.getByText('5a White king. 5b empty').waitFor({ state: 'attached' });
    await showsSfen(page, '4k4/9/9/9/9/9/9/9/9 b P 1');
  });

  test('touch_taps_and_drags_pieces_at_400_pixels', { skip: withoutTouch }, async () => {
    const { page } = await site.open('?lang=en', { viewport: { width: 400, height: 800 }, hasTouch: true, isMobile: true });
    await setUp(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400);
    const cell = await page.locator('[data-square="40"] .cell').boundingBox();
    assert.ok(cell!.width >= 40 && cell!.height >= 40, JSON.stringify(cell));
    for (const name of ['7g', '7f']) {
      const { x, y } = await middleOf(page, square(name));
      await page.touchscreen.tap(x, y);
    }
    await dragWithFinger(page, '2b', '5e');
    await showsSfen(page, 'lnsgkgsnl/1r7/ppppppppp/9/4b4/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1');
    // A tap on a picked piece shows its next face.
    const { x, y } = await middleOf(page, square('5e'));
    for (let tap = 0; tap < 2; tap += 1) await page.touchscreen.tap(x, y);
    await showsSfen(page, 'lnsgkgsnl/1r7/ppppppppp/9/4+b4/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1');
  });

  test('tap_that_asks_for_promotion_does_not_answer', { skip: withoutTouch }, async () => {
    const { page } = await site.open('?lang=en&sfen=4k4/9/9/9/R8/9/9/9/4K4_b_-_1', { viewport: { width: 400, height: 800 }, hasTouch: true, isMobile: true });
    const tap = async (name: string) => {
      const { x, y } = await middleOf(page, square(name));
      await page.touchscreen.tap(x, y);
    };
    const question = page.getByRole('group', { name: 'Promote?' });
    // The answers cover the square in the middle, and not at the edge.
    for (const target of ['9c', '9b']) {
      await tap('9e');
      await tap(target);
      await question.waitFor();
      await page.waitForTimeout(100);
      assert.ok(await question.isVisible(), target);
      // A tap beside the answers closes the question.
      await tap('5f');
      await question.waitFor({ state: 'detached' });
    }
    await tap('9e');
    await tap('9c');
    const { x, y, width, height } = (await page.getByRole('button', { name: 'Do not promote' }).boundingBox())!;
    await page.touchscreen.tap(x + width / 2, y + height / 2);
    await page.waitForURL(/moves=9e9c(?!%2B)/);
  });

  test('keyboard_alone_sets_up_a_position', async () => {
    const { page } = await site.open('?sfen=9/9/9/9/9/9/9/9/9_b_-_1&lang=en');
    await page.getByLabel('Set up', { exact: true }).focus();
    await page.keyboard.press('Space');
    for (let tab = 0; tab < 20; tab += 1) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute('role') === 'gridcell')) break;
    }
    const keys = [
      '5', 'a', 'Shift+K', // White's king on 5a
      '5', 'c', 'P', '+', // a tokin on 5c
      'ArrowDown', 'G', '/', // White's gold on 5d
      'ArrowRight', 'R', 'Enter', 'ArrowUp', 'ArrowUp', 'Enter', // a rook put on 4d, carried to 4b
      'End', 'L', 'Delete', // a lance on 1b, back in the box
    ];
    for (const key of keys) await page.keyboard.press(key);
    await showsSfen(page, '4k4/5R3/4+P4/4g4/9/9/9/9/9 b - 1');
    // Hands from the box and back, the side to move and the rest of the pieces.
    const press = async (key: string, name: string, tabKey = 'Tab') => {
      for (let tab = 0; tab < 120 && (await page.evaluate(nameOfFocus)) !== name; tab += 1) await page.keyboard.press(tabKey);
      assert.equal(await page.evaluate(nameOfFocus), name);
      await page.keyboard.press(key);
    };
    await press('Enter', 'Pieces in hand');
    for (const key of ['Enter', 'Enter', 'Enter']) await press(key, 'One more: Black pawn');
    // Backwards, because in Firefox the keys of the test do not come back from the browser's own buttons.
    await press('Enter', 'One fewer: Black pawn', 'Shift+Tab');
    await press('Space', 'One more: White silver', 'Shift+Tab');
    await showsSfen(page, '4k4/5R3/4+P4/4g4/9/9/9/9/9 b 2Ps 1');
    await press('ArrowRight', '☗ Black', 'Shift+Tab');
    await showsSfen(page, '4k4/5R3/4+P4/4g4/9/9/9/9/9 w 2Ps 1');
    await press('Enter', "Rest to White's hand", 'Shift+Tab');
    await showsSfen(page, '4k4/5R3/4+P4/4g4/9/9/9/9/9 w 2Pr2b3g4s4n4l15p 1');
  });

  test('undo_of_100_random_edits_restores_the_position', async () => {
    const { page } = await site.open('?lang=en');
    await setUp(page);
    await page.evaluate(async () => {
      let state = 11;
      const pick = (below: number) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 2 ** 32) * below);
      };
      const board = document.querySelector('komabako-board')!;
      const root = board.shadowRoot!;
      let edits = 0;
      board.addEventListener('komabako-change', () => (edits += 1));
      while (edits < 100) {
        const cell = root.querySelector<SVGElement>(`[data-square="${pick(81)}"]`)!;
        cell.focus();
        const key = ['P', 'l', 'N', 's', '+', '/', 'Delete', 'B', 'r'][pick(9)]!;
        cell.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey: pick(2) === 0, bubbles: true, composed: true }));
        await board.updateComplete;
      }
    });
    // The address follows after a pause.
    await page.waitForURL((url) => url.search.includes('sfen=') && !decodeURIComponent(url.search).includes(START.replaceAll(' ', '_')));
    for (let step = 0; step < 100; step += 1) await page.keyboard.press('Control+z');
    await showsSfen(page, START);
    assert.ok(await page.getByRole('button', { name: 'Undo' }).isDisabled());
  });

  test('links_with_plus_show_promoted_pieces', async () => {
    for (const query of ['?sfen=4k4/4+R4/9/9/9/9/9/9/4+b4+b+2g4S+7', '?sfen=4k4/4%2BR4/9/9/9/9/9/9/4%2Bb4_b_4S2g_7', '?sfen=4k4/4+R4/9/9/9/9/9/9/4+b4%20b%204S2g%207']) {
      const { page } = await site.open(`${query}&lang=en`);
      await page.getByRole('gridcell', { name: '5b Black dragon' }).waitFor();
      await page.getByRole('gridcell', { name: '5i White horse' }).waitFor();
    }
  });

  test('board_is_editable_before_the_module_loads', { skip: withoutModule }, async () => {
    let edited = '';
    const { page } = await site.open('?lang=en', {}, async (fresh) => {
      await fresh.route('**/*.wasm', async (route) => {
        await setUp(fresh);
        await dragWithMouse(fresh, '7g', '7e');
        await showsSfen(fresh, START.replace('9/9/9/PPPPPPPPP', '9/2P6/9/PP1PPPPPP'));
        edited = (await fresh.locator('komabako-page').getAttribute('data-module')) ?? '';
        await route.continue();
      });
    });
    assert.equal(edited, 'loading');
    const at = await page.evaluate(() => ['first-contentful-paint', 'komabako-board', 'komabako-module'].map((name) => performance.getEntriesByName(name)[0]!.startTime));
    assert.ok(Math.max(at[0]!, at[1]!) < at[2]!, at.join(' '));
  });

  test('invalid_sfen_shows_an_alert', async () => {
    const { page } = await site.open('?sfen=nonsense&lang=en');
    assert.match((await page.getByRole('alert').first().textContent()) ?? '', /nonsense/);
  });
});

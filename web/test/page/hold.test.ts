import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { parseSquare } from '../../src/model/square.js';
import { Site, middleOf, paste, showsSfen, withoutDownloads, withoutEmulation, withoutModule, withoutTouch } from './harness.js';

const START = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1';
const at = (page: Page, name: string) => middleOf(page, parseSquare(name)!);
const focus = (page: Page, square: string) => page.locator(`[data-square="${parseSquare(square)}"]`).focus();
const movesOf = (page: Page) => new URL(page.url()).searchParams.get('moves');
const live = (page: Page) => page.locator('komabako-board .live').textContent();

describe('what is held, said and asked', { skip: withoutModule }, () => {
  let site: Site;
  before(async () => {
    site = await Site.start();
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  test('press_counts_where_it_is_released', async () => {
    const { page } = await site.open('?lang=en');
    const [from, to, other] = [await at(page, '7g'), await at(page, '7f'), await at(page, '5e')];
    await page.mouse.click(from.x, from.y);
    for (const end of [other, { x: 1200, y: 700 }]) {
      await page.mouse.move(to.x, to.y);
      await page.mouse.down();
      await page.mouse.move(end.x, end.y, { steps: 4 });
      await page.mouse.up();
    }
    // A selection of text that ends on the board.
    await page.mouse.down();
    await page.mouse.move(other.x, other.y, { steps: 4 });
    await page.mouse.up();
    await page.waitForTimeout(400);
    assert.equal(movesOf(page), null);
    await page.mouse.click(to.x, to.y);
    await page.getByRole('gridcell', { name: '7f Black pawn' }).waitFor();
  });

  test('another_position_takes_the_held_piece_away', async () => {
    const { page } = await site.open('?lang=en&moves=7g7f,3c3d,8h2b%2B,3a2b,7i8h,2b3c&ply=0');
    const [from, to] = [await at(page, '8h'), await at(page, '7g')];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 9, from.y - 9);
    for (let step = 0; step < 6; step += 1) await page.keyboard.press(']');
    await page.getByRole('gridcell', { name: '8h Black silver' }).waitFor();
    await page.mouse.move(to.x, to.y, { steps: 3 });
    await page.mouse.up();
    await page.waitForTimeout(400);
    assert.equal(movesOf(page)?.split(',').length, 6);
  });

  test('second_finger_zooms_and_moves_no_piece', { skip: withoutTouch }, async () => {
    const { page } = await site.open('?lang=en', { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
    await page.getByLabel('Set up', { exact: true }).check();
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: { x: number; y: number }[]) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map((point, id) => ({ ...point, id })) });
    const [one, other] = [await at(page, '7g'), await at(page, '5e')];
    await touch('touchStart', one);
    await touch('touchStart', one, other);
    for (let step = 1; step <= 10; step += 1) {
      await touch('touchMove', { x: one.x - step * 2, y: one.y + step * 6 }, { x: other.x + step * 3, y: other.y - step * 9 });
    }
    await touch('touchEnd');
    await page.waitForTimeout(400);
    assert.ok((await page.evaluate(() => visualViewport!.scale)) > 1.2);
    await showsSfen(page, START);
  });

  test('board_is_hit_where_it_is_drawn_on_a_zoomed_page', async () => {
    const { page } = await site.open('?lang=en');
    await page.evaluate(() => document.body.style.setProperty('zoom', '0.8'));
    for (const square of ['7g', '7f']) {
      const { x, y } = await at(page, square);
      await page.mouse.click(x, y);
    }
    await page.getByRole('gridcell', { name: '7f Black pawn' }).waitFor();
  });

  test('keys_of_the_grid_work_while_promotion_is_asked', async () => {
    const { page } = await site.open('?lang=en&sfen=4k4/9/9/2P6/9/9/9/9/4K4_b_-_1');
    const question = page.getByRole('group', { name: 'Promote?' });
    await focus(page, '7d');
    for (const key of ['Enter', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
    await question.waitFor();
    await page.keyboard.press('Shift+Tab');
    for (const key of ['ArrowDown', 'Escape']) await page.keyboard.press(key);
    await question.waitFor({ state: 'detached' });
    await page.locator('[role=gridcell][tabindex="0"][data-square="29"]').waitFor();
  });

  test('focus_stays_on_its_square_when_the_board_is_flipped', async () => {
    const { page } = await site.open('?lang=en');
    await page.getByLabel('Set up', { exact: true }).check();
    await focus(page, '7g');
    await page.keyboard.press('f');
    await page.waitForFunction(() => document.querySelector('komabako-board')!.shadowRoot!.activeElement?.getAttribute('aria-label') === '7g Black pawn');
    await page.keyboard.press('Delete');
    await page.getByRole('gridcell', { name: '7g empty' }).waitFor();
  });

  test('captures_mates_and_refusals_are_said', async () => {
    const { page } = await site.open('?lang=en&sfen=8k/9/7G1/9/9/9/9/9/9_b_2G_1#moves');
    const heard = (text: string) => page.waitForFunction((wanted) => document.querySelector('komabako-board')!.shadowRoot!.querySelector('.live')!.textContent === wanted, text);
    await focus(page, '5e');
    for (const key of ['2', 'c', 'Enter', '5', 'e', 'Enter']) await page.keyboard.press(key);
    await heard('Not a legal move');
    await page.keyboard.press('r');
    await heard('Not a legal move\u00a0');
    await focus(page, '1b');
    await page.keyboard.press('g');
    await heard('Black gold dropped on 1b. Checkmate.');
    await paste(page, 'position startpos moves 7g7f 3c3d 8h2b+');
    await page.getByRole('button', { name: 'Last', exact: true }).click();
    for (const key of ['[', ']']) await page.keyboard.press(key);
    await heard('Black bishop to 2b, takes the bishop, promotes');
    await page.getByLabel('Set up', { exact: true }).check();
    await focus(page, '5e');
    await page.keyboard.press('k');
    await page.getByRole('note').getByText('This side has a king.').waitFor();
    assert.equal(await page.getByRole('alert').count(), 0, 'the board says it');
    const first = await live(page);
    await page.keyboard.press('k');
    await page.waitForFunction((said) => document.querySelector('komabako-board')!.shadowRoot!.querySelector('.live')!.textContent !== said, first);
  });

  test('board_without_an_sfen_is_the_start_position', async () => {
    const { page, consoleMessages } = await site.open('?lang=en');
    const sfens = await page.evaluate(async () => {
      const board = document.createElement('komabako-board');
      document.body.append(board);
      const shown: number[] = [];
      for (const change of [() => board.removeAttribute('sfen'), () => Object.assign(board, { sfen: undefined })]) {
        board.setAttribute('sfen', '9/9/9/9/4K4/9/9/9/9 b - 1');
        await board.updateComplete;
        change();
        await board.updateComplete;
        shown.push(board.shadowRoot!.querySelectorAll('[role=gridcell] .piece').length);
      }
      return shown;
    });
    assert.deepEqual(sfens, [40, 40]);
    await page.locator('komabako-board').last().evaluate((board) => board.setAttribute('lang', 'en-GB'));
    await page.locator('komabako-board').last().getByRole('grid', { name: 'Shogi board' }).waitFor();
    assert.deepEqual(consoleMessages, []);
  });

  test('worker_that_cannot_be_started_is_reported', async () => {
    const { page } = await site.open('?lang=en&sfen=8k/9/7G1/9/9/9/9/9/9_b_2G_1#solve', {}, (one) => one.addInitScript(() => {
      Object.assign(globalThis, { Worker: class { constructor() { throw new Error('no workers here'); } } });
    }));
    await page.getByRole('button', { name: 'Solve', exact: true }).click();
    await page.getByRole('alert').getByText('no workers here').waitFor();
  });

  test('picture_that_cannot_be_drawn_is_reported', { skip: withoutDownloads }, async () => {
    const { page } = await site.open('?lang=en');
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    const save = page.getByRole('button', { name: 'Save PNG' }).first();
    await save.click();
    await page.getByText('Saved: board.png.').waitFor();
    await page.evaluate(() => {
      HTMLImageElement.prototype.decode = () => Promise.reject(new Error('no pictures here'));
    });
    await save.click();
    await page.getByText('no pictures here').waitFor();
  });

  test('bits_scroll_past_the_board_in_a_low_window_and_text_grows', async () => {
    const { page } = await site.open('?lang=en#bits', { viewport: { width: 320, height: 256 } });
    const styleOf = (selector: string, name: string) => page.locator(selector).evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);
    assert.equal(await styleOf('.board-side', 'position'), 'static');
    await page.setViewportSize({ width: 320, height: 568 });
    assert.equal(await styleOf('.board-side', 'position'), 'sticky');
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'));
    assert.equal(await styleOf('body', 'font-size'), '30px');
  });

  test('paper_is_white_in_the_dark_theme', { skip: withoutEmulation }, async () => {
    const { page } = await site.open('?lang=en', { colorScheme: 'dark' });
    await page.getByText('Display', { exact: true }).click();
    await page.getByLabel('Theme').selectOption('dark');
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(await paper(), 'rgb(29, 25, 21)');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    assert.equal(await paper(), 'rgb(255, 255, 255)');
  });
});

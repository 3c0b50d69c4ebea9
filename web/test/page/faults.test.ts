/** Faults that visitors met, one test each. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Locator, Page } from 'playwright-core';
import { zipOf } from '../archive.js';
import { SAMPLE, ZSTD, Site, drop, paste, showsSfen, typeNumber, withoutEmulation, withoutModule } from './harness.js';

const START = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1';
/** A game with all that a line of moves does not have. */
const RECORD = `先手：Sato
後手：Suzuki
開始日時：2026/11/26
手数----指手---------消費時間--
*the comment of the start
   1 ７六歩(77)   ( 0:05/00:00:05)
   2 ３四歩(33)   ( 0:07/00:00:07)
   3 ２六歩(27)   ( 0:09/00:00:14)
*the comment of move three
   4 投了

変化：2手
   2 ８四歩(83)   ( 1:01/00:01:01)
*the comment of the variation
   3 ２六歩(27)   ( 0:01/00:00:06)
`;
const tree = (page: Page) => page.locator('.moves');

describe('faults that visitors met', { skip: withoutModule }, () => {
  let site: Site;
  before(async () => {
    site = await Site.start({ headers: { vary: 'Origin' } });
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  test('page_works_offline_after_a_server_that_sends_vary', async () => {
    const { page } = await site.open('?lang=en');
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    await page.reload();
    await page.context().setOffline(true);
    await page.reload();
    await page.locator('komabako-page[data-module=ready]').waitFor();
    await page.getByRole('gridcell', { name: '7g Black pawn' }).waitFor();
  });

  test('refused_addresses_do_not_stop_the_page', async () => {
    const { page, consoleMessages } = await site.open('?lang=en', {}, (fresh) => fresh.addInitScript(() => {
      history.replaceState = () => {
        throw new DOMException('Attempt to use history.replaceState() more than 100 times per 30 seconds', 'SecurityError');
      };
    }));
    for (const name of ['7g Black pawn', '7f empty', '3c White pawn', '3d empty']) await page.getByRole('gridcell', { name }).click();
    await tree(page).getByText('P3c-3d').waitFor();
    await page.waitForTimeout(500);
    assert.deepEqual(consoleMessages, []);
  });

  test('hundred_steps_write_few_addresses', async () => {
    const { page } = await site.open('?lang=en', {}, (fresh) => fresh.addInitScript(() => {
      const replace = history.replaceState.bind(history);
      Object.assign(globalThis, { written: 0 });
      history.replaceState = (...state) => {
        (globalThis as unknown as { written: number }).written += 1;
        replace(...state);
      };
    }));
    await page.evaluate(() => {
      for (let step = 0; step < 100; step += 1) document.dispatchEvent(new KeyboardEvent('keydown', { key: step % 2 ? 'm' : 'f' }));
    });
    await page.waitForTimeout(800);
    const written = await page.evaluate(() => (globalThis as unknown as { written: number }).written);
    assert.ok(written >= 1 && written < 10, `${written}`);
  });

  test('compressed_records_beyond_the_first_block_are_shown', async () => {
    const { page } = await site.open('?lang=en#files');
    const sample = await readFile(SAMPLE);
    const zstd = await readFile(ZSTD);
    const go = async (number: number, offset: string) => {
      await typeNumber(page.getByRole('spinbutton', { name: 'Record', exact: true }), String(number));
      await page.locator('.record').getByText(offset, { exact: true }).waitFor();
    };
    await drop(page, 'many.psv.zst', Buffer.concat(Array<Buffer>(40).fill(zstd)));
    await page.locator('.record').waitFor();
    await go(11_001, '440,000');
    // Record 11,000 is record 200 of the sample, counted from 0.
    assert.equal(await page.locator('.record .mono').last().textContent(), sample.subarray(200 * 40, 201 * 40).toString('hex'));
    await go(3, '80');
    await drop(page, 'many.psv.gz', gzipSync(Buffer.concat(Array<Buffer>(8).fill(sample))));
    await page.getByRole('heading', { name: 'many.psv.gz' }).waitFor();
    await go(15_501, '620,000');
    assert.equal(await page.locator('.record .mono').last().textContent(), sample.subarray(1500 * 40, 1501 * 40).toString('hex'));
  });

  test('size_that_an_archive_states_is_not_believed', async () => {
    const { page } = await site.open('?lang=en');
    const bomb = zipOf({ 'bomb.kif': Buffer.alloc((64 << 20) + 1, '*'), 'good.usi': Buffer.from('position startpos moves 7g7f') });
    // The directory states ten bytes.
    bomb.writeUInt32LE(10, bomb.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24);
    await drop(page, 'bomb.zip', bomb);
    await page.getByText('bomb.kif (larger than the limit when unpacked)').waitFor();
    await tree(page).getByText('P7g-7f').waitFor();
  });

  test('links_of_this_page_and_of_others_are_pasted', async () => {
    const { page } = await site.open('?lang=en');
    await paste(page, `${site.url}?sfen=${START.replaceAll(' ', '_')}&moves=7g7f,3c3d#bits`);
    await tree(page).getByText('P3c-3d').waitFor();
    await paste(page, 'https://example.org/shogi?other=1&sfen=4k4/4%2BR4/9/9/9/9/9/9/4K4%20b%20G%201');
    await page.getByRole('gridcell', { name: '5b Black dragon' }).waitFor();
    await paste(page, '58a451220ceb6722 ea3db8c76fb8b0f4 e4e24cfb89e9d5fc 7e3a1df7ad8d1d17');
    await page.locator('komabako-paste-dialog .fault').or(page.getByRole('tab', { name: 'Bits', selected: true })).first().waitFor();
  });

  test('several_positions_open_as_a_list', async () => {
    const { page } = await site.open('?lang=en');
    await paste(page, '4k4/9/4P4/9/9/9/9/9/9 b G 1\n8k/9/9/9/9/9/9/9/9 b G 1\tmate\n9/9/9/9/4k4/9/9/9/9 b - 1\n');
    const list = page.locator('.collection');
    await list.getByText('3 in this list').waitFor();
    await list.getByRole('button').nth(1).click();
    await page.getByRole('gridcell', { name: '1a White king' }).waitFor();
    await list.getByRole('button').nth(2).click();
    await page.getByRole('gridcell', { name: '5e White king' }).waitFor();
    assert.equal(await list.locator('[aria-current=true]').count(), 1);
  });

  test('kif_with_the_extension_txt_opens_and_other_texts_are_records', async () => {
    const { page } = await site.open('?lang=en');
    await drop(page, 'game.txt', Buffer.from(RECORD));
    await tree(page).getByText('P2g-2f').first().waitFor();
    await drop(page, 'binary.txt', (await readFile(SAMPLE)).subarray(0, 400));
    await page.getByRole('tab', { name: 'Files', selected: true }).waitFor();
  });

  test('bad_record_shows_no_board_and_says_why', async () => {
    const damaged = Buffer.from((await readFile(SAMPLE)).subarray(0, 400));
    damaged.fill(0xff, 40, 72);
    const { page } = await site.open('?lang=en#files');
    await drop(page, 'damaged.psv', damaged);
    await page.locator('.record').waitFor();
    const board = page.locator('komabako-board');
    await board.waitFor({ state: 'visible' });
    await page.getByRole('button', { name: 'Next record' }).click();
    const reason = page.locator('.no-board');
    await reason.waitFor();
    assert.match((await reason.textContent()) ?? '', /no position\..+\w/);
    assert.ok(await board.isHidden());
    await page.getByRole('button', { name: 'Next record' }).click();
    await board.waitFor({ state: 'visible' });
    assert.equal(await reason.count(), 0);
  });

  test('number_box_shows_what_is_shown', async () => {
    const { page } = await site.open('?lang=en#files');
    await page.locator('komabako-files-tab input[type=file]').setInputFiles(SAMPLE);
    const box = page.getByRole('spinbutton', { name: 'Record', exact: true });
    for (const [typed, shown, offset] of [['99999', '2000', '79,960'], ['0', '2000', '79,960'], ['1.5', '2000', '79,960'], ['7', '7', '240']] as const) {
      await typeNumber(box, typed);
      await page.locator('.record').getByText(offset, { exact: true }).waitFor();
      assert.equal(await box.inputValue(), shown, typed);
    }
  });

  test('every_number_box_shows_what_is_used', async () => {
    const { page } = await site.open('?lang=en#moves');
    const shows = async (box: Locator, typed: readonly (readonly [string, string])[]) => {
      for (const [text, shown] of typed) {
        await typeNumber(box, text);
        assert.equal(await box.inputValue(), shown, text);
      }
    };
    await shows(page.getByLabel('Depth'), [['99', '8'], ['0', '1'], ['2.4', '2'], ['', '1']]);
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.locator('komabako-files-tab input[type=file]').setInputFiles(SAMPLE);
    await shows(page.getByRole('spinbutton', { name: 'Records' }), [['9999', '2000'], ['0', '1'], ['12.7', '13']]);
    await shows(page.getByRole('spinbutton', { name: 'Seed' }), [['-4', '1'], ['1.5', '1'], ['18446744073709551615', '18446744073709551615']]);
    await page.getByLabel('Set up', { exact: true }).check();
    await shows(page.getByLabel('Move number'), [['7', '7'], ['0', '7'], ['123456', '7'], ['7.2', '7']]);
  });

  test('hands_are_packed_in_play_and_have_slots_in_set_up', async () => {
    const { page } = await site.open('?lang=en&sfen=4k4/9/9/9/9/9/9/9/4K4_b_RPb_1');
    const held = (color: string) => page.locator(`[data-stack^=${color}]`).count();
    await page.locator('[data-stack=black-R]').waitFor();
    assert.deepEqual([await held('black'), await held('white'), await held('box')], [2, 1, 0]);
    await page.getByLabel('Set up', { exact: true }).check();
    await page.locator('[data-stack=box-K]').waitFor();
    assert.deepEqual([await held('black'), await held('white'), await held('box')], [7, 7, 8]);
  });

  test('only_promoted_pieces_and_checks_are_red', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await site.open('?lang=en&sfen=4k4/9/4%2BR4/9/9/9/9/4%2BpL3/4K4_w_RPb_1', { colorScheme });
      await page.locator('komabako-board .piece').nth(6).waitFor({ state: 'attached' });
      const fills = await page.locator('komabako-board .piece').evaluateAll((pieces) => pieces.map((piece) => {
        const [red, green] = getComputedStyle(piece.querySelector('.glyph')!).fill.match(/\d+/g)!.map(Number);
        return [piece.classList.contains('promoted'), red! > green! + 60];
      }));
      assert.equal(fills.filter(([isPromoted]) => isPromoted).length, 2);
      for (const [isPromoted, isRed] of fills) assert.equal(isRed, isPromoted);
    }
  });

  test('files_that_were_cut_short_say_so', async () => {
    const { page } = await site.open('?lang=en#files');
    await drop(page, 'short.psv', (await readFile(SAMPLE)).subarray(0, 4013));
    await page.getByText('13 bytes more after its last whole record').waitFor();
    await page.getByText('100 records').first().waitFor();
    const zstd = await readFile(ZSTD);
    await drop(page, 'short.psv.zst', Buffer.concat([zstd, zstd, zstd.subarray(0, 3000)]));
    await page.getByRole('heading', { name: 'short.psv.zst' }).waitFor();
    await page.getByText('cut short after 24,000 bytes').waitFor();
    await page.locator('.record').waitFor();
    await page.getByText('600 records').first().waitFor();
  });

  test('link_and_reload_keep_variations_comments_and_names', async () => {
    const { page } = await site.open('?lang=en', { permissions: ['clipboard-read', 'clipboard-write'] });
    await drop(page, 'game.kif', Buffer.from(RECORD));
    await tree(page).getByRole('button', { name: /^2 P8c-8d/ }).click();
    const isComplete = async (shown: Page) => {
      await shown.locator('.comments').getByText('the comment of the variation').waitFor();
      await shown.locator('komabako-board').getByText('Suzuki').first().waitFor({ state: 'attached' });
      await shown.getByRole('button', { name: 'First', exact: true }).click();
      await shown.locator('.comments').getByText('the comment of the start').waitFor();
      await shown.locator('.comments dl').getByText('Sato').waitFor();
      await tree(shown).getByRole('button', { name: /^2 P8c-8d/ }).click();
      await shown.locator('.clocks').getByText('☖ 1:01').waitFor();
    };
    await page.waitForURL(/#board&at=1\.1\.0&game=/);
    await page.reload();
    await isComplete(page);
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Link to this page' }).click();
    await page.getByText('Copied: Link to this page').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const { page: other } = await site.open(link.slice(site.url.length));
    await isComplete(other);
  });

  test('damaged_link_shows_its_line_and_says_so', async () => {
    const { page } = await site.open('?lang=en&moves=7g7f,3c3d#board&at=1&game=AAAA');
    await page.getByText('The game in the link is damaged').waitFor();
    await tree(page).getByText('P3c-3d').waitFor();
    await page.getByRole('gridcell', { name: '2g Black pawn' }).click();
    await page.getByRole('gridcell', { name: '2f empty' }).click();
    await page.waitForURL((url) => url.search.includes('2g2f') && !url.hash.includes('game='));
  });

  test('link_of_a_game_that_is_too_long_says_what_it_holds', async () => {
    const { page } = await site.open('?lang=en', { permissions: ['clipboard-read', 'clipboard-write'] });
    const noise = Array.from({ length: 40_000 }, (_, index) => ((index * 2_654_435_761) % 4_294_967_296).toString(36)).join('');
    await drop(page, 'game.kif', Buffer.from(`${RECORD}*${noise}\n`));
    await tree(page).getByText('P2g-2f').first().waitFor();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Link to this page' }).click();
    await page.getByText('which only holds this line of moves').waitFor();
  });

  test('link_that_loses_times_or_the_end_says_so', async () => {
    const { page } = await site.open('?lang=en', { permissions: ['clipboard-read', 'clipboard-write'] });
    await drop(page, 'game.csa', Buffer.from('V3.0\nPI\n+\n+7776FU\nT1.234\n%MAX_MOVES\n'));
    await tree(page).getByText('P7g-7f').waitFor();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Link to this page' }).click();
    await page.getByText(/Copied: Link to this page Not held by this format: .*1 time/).waitFor();
  });

  test('every_number_of_a_move_that_the_rules_read_is_shown', async () => {
    const { page, consoleMessages } = await site.open('?lang=en');
    for (const ply of [1_000_000, 4_294_967_295]) {
      await paste(page, START.replace(/1$/, `${ply} moves 7g7f`));
      await tree(page).getByText('P7g-7f').waitFor();
      await paste(page, START.replace(/1$/, String(ply)));
      await showsSfen(page, START.replace(/1$/, String(ply)));
    }
    await paste(page, START.replace(/1$/, '4294967296'));
    await page.locator('komabako-paste-dialog .fault').waitFor();
    assert.deepEqual(consoleMessages, []);
  });

  test('losses_of_a_copy_are_told_in_words', async () => {
    for (const [lang, copy, sentence] of [
      ['en', 'Copy', 'Not held by this format: 3 comment lines, 2 variation moves.'],
      ['ja', 'コピー', 'この形式に入らないもの: '],
    ] as const) {
      const { page } = await site.open(`?lang=${lang}`, { permissions: ['clipboard-read', 'clipboard-write'] });
      await drop(page, 'game.kif', Buffer.from(RECORD));
      await tree(page).waitFor();
      await page.getByRole('button', { name: copy, exact: true }).click();
      await page.locator('komabako-copy-dialog').getByRole('button', { name: 'CSA', exact: true }).click();
      const status = page.locator('komabako-copy-dialog [role=status]');
      await status.getByText(lang === 'en' ? '2 variation moves' : '変化の手 2').waitFor();
      assert.doesNotMatch((await status.textContent()) ?? '', /_/, sentence);
    }
  });

  test('rows_of_no_mate_are_playable_in_one_notation', async () => {
    const { page } = await site.open('?sfen=4k4/9/9/9/9/9/9/9/9_b_G_1&lang=ja#solve');
    await page.getByRole('button', { name: '詰将棋を解く' }).click();
    await page.getByRole('heading', { name: '不詰' }).waitFor();
    const cells = await page.locator('.replies tbody td').allInnerTexts();
    assert.ok(cells.length >= 2);
    for (const [index, cell] of cells.entries()) assert.match(cell, index % 2 === 0 ? /^▲/ : /^△/, cell);
    await page.locator('.replies tbody button').nth(1).click();
    await page.waitForURL(/moves=G\*\w\w,\w{4}/);
  });

  test('names_ends_and_header_keys_are_shown_in_the_language', async () => {
    const { page } = await site.open('?lang=en');
    await drop(page, 'game.kif', Buffer.from(RECORD));
    await tree(page).getByText('resigns').waitFor();
    await page.locator('.comments dt').getByText('White', { exact: true }).waitFor();
    const names = await page.locator('komabako-board .name').evaluateAll((texts) => texts.map((text) => text.lastChild!.textContent!.trim()));
    assert.deepEqual(names, ['Suzuki', 'Sato'], 'at the stands');
  });

  test('times_align_beside_variations', async () => {
    const { page } = await site.open('?lang=en');
    await drop(page, 'game.kif', Buffer.from(RECORD));
    await tree(page).waitFor();
    const edges = await page.locator('.moves .time').evaluateAll((times) => times.filter((time) => time.textContent).map((time) => Math.round(time.getBoundingClientRect().right)));
    assert.equal(edges.length, 3);
    assert.equal(new Set(edges).size, 1, edges.join());
  });

  test('arrows_wheel_and_ctrl_y_step', async () => {
    const { page } = await site.open('?lang=en&moves=7g7f,3c3d');
    const at = (text: string) => page.locator('.navigation .number').getByText(text, { exact: true }).waitFor();
    await at('2 / 2');
    await page.keyboard.press('ArrowLeft');
    await at('1 / 2');
    await page.keyboard.press('ArrowRight');
    await at('2 / 2');
    await page.locator('komabako-board').hover();
    await page.mouse.wheel(0, -100);
    await at('1 / 2');
    await page.mouse.wheel(0, 100);
    await at('2 / 2');
    await page.getByRole('button', { name: 'Delete from here' }).click();
    await at('1 / 1');
    await page.keyboard.press('Control+z');
    await at('2 / 2');
    await page.keyboard.press('Control+y');
    await at('1 / 1');
  });

  test('step_in_a_long_game_redraws_only_what_changed', async () => {
    const round = ['2h3h', '8b7b', '3h2h', '7b8b'];
    const moves = Array.from({ length: 300 }, (_, ply) => round[ply % 4]);
    const { page } = await site.open(`?lang=en&moves=${moves.join()}&ply=150`);
    await page.locator('.moves .move').nth(300).waitFor({ state: 'attached' });
    await page.locator('komabako-page[data-workers=ready]').waitFor();
    const work = await page.evaluate(async () => {
      const updates: Record<string, number> = {};
      for (const name of ['komabako-game-tab', 'komabako-solve-tab', 'komabako-files-tab', 'komabako-board']) {
        const { prototype } = customElements.get(name)! as unknown as { prototype: { update(changed: unknown): void } };
        const { update } = prototype;
        updates[name] = 0;
        prototype.update = function (changed) {
          updates[name]! += 1;
          update.call(this, changed);
        };
      }
      let changes = 0;
      const observer = new MutationObserver((records) => (changes += records.length));
      const board = document.querySelector('komabako-board')!;
      for (const root of [document.body, board.shadowRoot!]) observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
      document.dispatchEvent(new KeyboardEvent('keydown', { key: ']' }));
      await board.updateComplete;
      await new Promise((resolve) => setTimeout(resolve));
      return { updates, changes };
    });
    assert.deepEqual(work.updates, { 'komabako-game-tab': 1, 'komabako-solve-tab': 0, 'komabako-files-tab': 0, 'komabako-board': 1 });
    assert.ok(work.changes > 3 && work.changes < 60, `${work.changes} changes of nodes`);
  });

  test('one_position_is_not_called_positions', async () => {
    // One legal move: the king goes down.
    const { page } = await site.open('?sfen=k8/2G6/9/9/9/9/9/9/4K4_w_-_1&lang=en#moves');
    await typeNumber(page.getByLabel('Depth'), '1');
    await page.getByRole('button', { name: /perft/ }).click();
    await page.locator('.perft [role=status]').getByText(/^\d+ position/).waitFor();
    assert.match((await page.locator('.perft [role=status]').innerText()).trim(), /^1 position ·/);
  });

  test('printing_shows_board_and_moves_only', { skip: withoutEmulation }, async () => {
    const { page } = await site.open('?lang=en&moves=7g7f,3c3d');
    await tree(page).waitFor();
    await page.emulateMedia({ media: 'print' });
    const visible = (selector: string) => page.locator(selector).first().isVisible();
    assert.deepEqual([await visible('komabako-board'), await visible('.moves')], [true, true]);
    assert.deepEqual([await visible('header'), await visible('[role=tablist]'), await visible('.navigation'), await visible('footer'), await visible('.edit'), await visible('.save')], [false, false, false, false, false, false]);
  });

  test('icons_of_the_manifest_are_served', async () => {
    const { page } = await site.open('?lang=en');
    const icons = await page.evaluate(async () => {
      const address = document.querySelector<HTMLLinkElement>('link[rel=manifest]')!.href;
      const { icons: listed } = (await (await fetch(address)).json()) as { icons: { src: string; sizes: string; type: string }[] };
      return Promise.all(listed.map(async ({ src, sizes, type }) => {
        const bitmap = type === 'image/png' ? await createImageBitmap(await (await fetch(new URL(src, address))).blob()) : null;
        return `${type} ${bitmap ? `${bitmap.width}x${bitmap.height}` : sizes}`;
      }));
    });
    assert.deepEqual(icons, ['image/svg+xml any', 'image/png 192x192', 'image/png 512x512']);
  });

  test('first_visit_shows_three_cards_until_the_first_action', async () => {
    const { page } = await site.open('?lang=en');
    const cards = page.locator('.card');
    await cards.nth(2).waitFor();
    await cards.filter({ hasText: 'Solve this problem' }).click();
    await page.getByRole('heading', { name: 'Mate in 5' }).waitFor();
    await page.goto(`${site.url}?lang=en`);
    await page.locator('komabako-page[data-module=ready]').waitFor();
    await page.getByText('Black to move').waitFor();
    assert.equal(await cards.count(), 0, 'not on the second visit');
    const { page: bits } = await site.open('?lang=en');
    await bits.locator('.card').filter({ hasText: 'See its bits' }).click();
    await bits.locator('.bits .lit').nth(5).waitFor({ state: 'attached' });
    const { page: data } = await site.open('?lang=en');
    await data.locator('.card').filter({ hasText: 'Open training data' }).click();
    await data.locator('.stats').waitFor();
    await data.locator('.verdict').getByText('300 records').waitFor();
  });

  test('display_menu_changes_pieces_coordinates_and_language', async () => {
    const { page } = await site.open('?lang=en');
    await page.getByText('Display', { exact: true }).click();
    const paths = () => page.locator('komabako-board [data-square="60"] .glyph').count();
    assert.equal(await paths(), 1);
    await page.getByLabel('Pieces').selectOption('two');
    await page.locator('komabako-board [data-square="60"] .glyph').nth(1).waitFor({ state: 'attached' });
    assert.ok((await page.locator('komabako-board .label path').count()) === 18);
    await page.getByLabel('Coordinates').uncheck();
    await page.locator('komabako-board .label path').first().waitFor({ state: 'detached' });
    assert.ok(!(await page.getByLabel('Sound').isChecked()), 'no sound unless it is asked for');
    await page.getByLabel('Language').selectOption('ja');
    await page.getByRole('tab', { name: '棋譜' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.menu .sheet').waitFor({ state: 'hidden' });
    await showsSfen(page, START);
  });

  test('set_up_is_a_mode_in_which_every_tab_works', async () => {
    const { page } = await site.open('?lang=en');
    await page.getByLabel('Set up', { exact: true }).check();
    const tools = page.locator('komabako-setup-tools');
    for (const tab of ['Moves', 'Bits', 'Mate', 'Files', 'Game']) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      assert.ok(await tools.isVisible(), tab);
    }
    await page.getByRole('tab', { name: 'Bits' }).click();
    await tools.getByRole('button', { name: 'Mirror' }).click();
    await page.locator('.changes').getByText(/psv \d+/).waitFor();
  });
});

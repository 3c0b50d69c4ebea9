import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { TABS } from '../../src/model/address.js';
import { GAME, SAMPLE, ZSTD, Site, drop, missing, paste, violations, withoutEmulation, withoutModule } from './harness.js';

describe('access', { skip: missing }, () => {
  let site: Site;
  before(async () => {
    site = await Site.start();
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`axe_finds_nothing_on_any_tab_${colorScheme}`, async () => {
      for (const tab of TABS) {
        const { page } = await site.open(`?lang=${colorScheme === 'light' ? 'en' : 'ja'}#${tab}`, { colorScheme });
        assert.deepEqual(await violations(page), [], tab);
      }
    });
  }

  test('axe_finds_nothing_in_set_up_mode_and_dialogs_on_a_phone', async () => {
    const { page } = await site.open('?lang=en', { viewport: { width: 400, height: 800 } });
    await page.getByLabel('Set up', { exact: true }).check();
    assert.deepEqual(await violations(page), []);
    await page.getByText('Display', { exact: true }).click();
    assert.deepEqual(await violations(page), [], 'the menu');
    for (const name of ['Keys', 'Paste or open', 'Copy']) {
      await page.getByRole('button', { name, exact: true }).click();
      assert.deepEqual(await violations(page), [], name);
      await page.keyboard.press('Escape');
      // The menu closes at a press outside, which the dialog covered.
      if (name === 'Keys') await page.locator('h1').click();
    }
  });

  test('axe_finds_nothing_beside_an_answer_a_list_and_a_reader', { skip: withoutModule }, async () => {
    const { page } = await site.open('?lang=ja#solve', { viewport: { width: 320, height: 800 }, colorScheme: 'dark' });
    await paste(page, '8k/9/7PP/9/9/9/9/9/9 b G2r2b3g4s4n4l16p 1\n4k4/9/9/9/9/9/9/9/9 b G 1');
    await page.locator('.collection').waitFor();
    assert.deepEqual(await violations(page), [], 'a list');
    await page.getByRole('tab', { name: '詰将棋' }).click();
    await page.getByRole('button', { name: '詰将棋を解く' }).click();
    await page.getByRole('heading', { name: '1手詰' }).waitFor();
    await page.getByRole('button', { name: '余詰を検査する' }).click();
    await page.locator('.findings').waitFor();
    assert.deepEqual(await violations(page), [], 'an answer');
    await paste(page, '4k4/9/9/9/9/9/9/9/9 b G 1');
    await page.getByRole('tab', { name: '詰将棋' }).click();
    await page.locator('.answer.stale').waitFor();
    assert.deepEqual(await violations(page), [], 'an answer of another position');
    await page.getByRole('button', { name: '自分で解く' }).click();
    await page.locator('.reader').waitFor();
    assert.deepEqual(await violations(page), [], 'the reader');
  });

  /** By how much the page is wider than the window without its scroll bar, which takes room in Firefox; and the elements that are. */
  const overflow = (page: Page) => page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const wide = [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility() && !one.closest('.scroll, dialog, pre, .hidden, .tool-name, textarea') && one.getBoundingClientRect().right > clientWidth + 0.5);
    return [scrollWidth - clientWidth, ...wide.map((one) => `${one.tagName} ${one.className} ${one.textContent?.trim().slice(0, 30)}`)];
  });

  test('games_with_variations_are_accessible_and_as_wide_as_the_window', { skip: withoutModule }, async () => {
    for (const [lang, width, colorScheme] of [['en', 320, 'light'], ['ja', 320, 'dark'], ['en', 640, 'light'], ['en', 1280, 'dark'], ['ja', 1280, 'light']] as const) {
      const { page } = await site.open(`?lang=${lang}`, { viewport: { width, height: 800 }, colorScheme });
      await drop(page, 'game.kif', Buffer.from(GAME));
      await page.locator('.variation button').nth(3).click();
      await page.locator('.edit summary').click();
      await page.locator('.save button').first().click();
      await page.locator('.save [role=status]').getByText('Sato-Suzuki.kifu').waitFor();
      assert.deepEqual(await violations(page), [], `${lang} ${width}`);
      assert.deepEqual(await overflow(page), [0], `${lang} ${width}`);
      if (width > 320) continue;
      const low = await page.locator('.tab-side').locator('button, summary, input').evaluateAll((targets) => targets.filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 39.5).map((one) => one.outerHTML));
      assert.deepEqual(low, [], 'targets for fingers');
    }
  });

  test('what_scrolls_can_be_reached_by_keys', { skip: withoutModule }, async () => {
    const { page } = await site.open('?lang=en');
    await drop(page, 'game.kif', Buffer.from(`手数----指手---------消費時間--\n${'*a line of a long comment\n'.repeat(60)}   1 ７六歩(77)\n`));
    await page.locator('.comments p').nth(59).waitFor({ state: 'attached' });
    assert.deepEqual(await violations(page), []);
    await paste(page, `手数----指手---------消費時間--\n   1 ９九歩(77)${'x'.repeat(400)}\n`);
    await page.locator('komabako-paste-dialog pre').waitFor();
    assert.deepEqual(await violations(page), []);
  });

  test('nothing_scrolls_sideways_from_320_pixels_on', async () => {
    for (const width of [320, 360, 400, 768, 900, 1280]) {
      for (const lang of ['ja', 'en']) {
        for (const tab of TABS) {
          const { page } = await site.open(`?lang=${lang}&moves=7g7f,3c3d,8h2b%2B&ply=1#${tab}`, { viewport: { width, height: 800 } });
          assert.deepEqual(await overflow(page), [0], `${tab} ${lang} ${width}`);
          if (tab !== 'board') continue;
          await page.locator('input[name=mode]').nth(1).check({ force: true });
          assert.deepEqual(await overflow(page), [0], `set up ${lang} ${width}`);
          await page.locator('.tools summary').click();
          assert.deepEqual(await overflow(page), [0], `hands ${lang} ${width}`);
        }
        await site.closePages();
      }
    }
  });

  test('the_board_is_at_least_600_pixels_wide_at_1280_by_800', async () => {
    for (const lang of ['ja', 'en']) {
      const { page } = await site.open(`?lang=${lang}`);
      const grid = page.locator('komabako-board .border');
      for (const mode of [0, 1]) {
        await page.locator('input[name=mode]').nth(mode).check({ force: true });
        const box = (await grid.boundingBox())!;
        assert.ok(box.width >= 600 && box.y + box.height <= 800, `${lang} ${mode} ${JSON.stringify(box)}`);
      }
    }
  });

  test('touch_targets_are_40_pixels_high_at_400_pixels', async () => {
    const low = (page: Page) => page.locator('button, select, summary, [role=tab], .segmented span, .stepper button').evaluateAll((controls) =>
      controls.filter((control) => control.checkVisibility()).map((control) => [control.textContent?.trim(), control.getBoundingClientRect().height] as const).filter(([, height]) => height < 40));
    for (const tab of TABS) {
      const { page } = await site.open(`?lang=en&moves=7g7f#${tab}`, { viewport: { width: 400, height: 800 } });
      assert.deepEqual(await low(page), [], tab);
      if (tab !== 'board') continue;
      await page.getByLabel('Set up', { exact: true }).check();
      assert.deepEqual(await low(page), [], 'set up');
    }
  });

  test('unsupported_browsers_show_a_message_in_both_languages', { skip: withoutEmulation }, async () => {
    const { page } = await site.openBare('', { javaScriptEnabled: false });
    const sentence = page.locator('#app p');
    await sentence.getByText(/2023 or later.*2023年以降/).waitFor({ state: 'visible', timeout: 10_000 });
  });

  test('board_is_drawn_where_its_frame_stood_before_the_script', async () => {
    for (const [width, height] of [[360, 760], [768, 1024], [1280, 800], [1920, 1080]] as const) {
      const { page } = await site.open('?lang=en', { viewport: { width, height } }, async (fresh) => {
        await fresh.route(/assets\/index.*\.js$/, (route) => void setTimeout(() => void route.continue(), 400));
        await fresh.addInitScript(() => {
          const look = () => {
            const frame = document.querySelector('.early rect')?.getBoundingClientRect();
            if (frame && frame.width > 0) Object.assign(globalThis, { early: frame.toJSON() });
            requestAnimationFrame(look);
          };
          look();
        });
      });
      const [early, late] = await page.evaluate(() => {
        const frame = document.querySelector('komabako-board')!.shadowRoot!.querySelector('.frame')!.getBoundingClientRect();
        return [(globalThis as unknown as { early: DOMRect }).early, frame.toJSON() as DOMRect];
      });
      for (const side of ['left', 'top', 'right', 'bottom'] as const) {
        // The bounds of the frame contain its stroke in Firefox.
        assert.ok(Math.abs(early[side] - late[side]) <= 1.5, `${width} px: ${side} ${early[side]}, then ${late[side]}`);
      }
      await site.closePages();
    }
  });

  test('service_worker_starts_after_the_module', { skip: withoutModule }, async () => {
    const { page } = await site.open('?lang=en', {}, (fresh) => fresh.addInitScript(() => {
      const register = navigator.serviceWorker.register.bind(navigator.serviceWorker);
      navigator.serviceWorker.register = (...asked) => {
        performance.mark('registered');
        return register(...asked);
      };
    }));
    await page.waitForFunction(() => performance.getEntriesByName('registered').length === 1);
    const [module, worker] = await page.evaluate(() => ['komabako-module', 'registered'].map((name) => performance.getEntriesByName(name)[0]!.startTime));
    assert.ok(module! <= worker!, `${module}, ${worker}`);
  });

  test('closed_dialogs_and_hidden_tabs_are_not_drawn', async () => {
    const { page } = await site.open('?lang=en');
    const drawn = () => page.evaluate(() => ['komabako-copy-dialog dialog', 'komabako-paste-dialog dialog', 'komabako-help-dialog dialog', 'komabako-solve-tab', 'komabako-files-tab']
      .filter((name) => document.querySelector(name)!.childElementCount > 0));
    assert.deepEqual(await drawn(), []);
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('dialog', { name: 'Copy' }).getByRole('button', { name: 'Link' }).waitFor();
    assert.deepEqual(await drawn(), ['komabako-copy-dialog dialog', 'komabako-files-tab']);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelector('komabako-copy-dialog dialog')!.childElementCount === 0);
  });

  test('loaded_page_sends_no_requests_and_logs_nothing', { skip: withoutModule }, async () => {
    const { page, consoleMessages, requests } = await site.open('?lang=en');
    await page.locator('komabako-page[data-workers=ready]').waitFor();
    const loaded = requests.length;
    for (const tab of ['Moves', 'Bits', 'Mate', 'Files', 'Game']) await page.getByRole('tab', { name: tab }).click();
    await page.getByRole('gridcell', { name: '7g Black pawn' }).click();
    await page.getByRole('gridcell', { name: '7f empty' }).click();
    await page.getByRole('tab', { name: 'Mate' }).click();
    await page.getByRole('button', { name: 'Solve', exact: true }).click();
    await page.locator('komabako-solve-tab .verdict').waitFor();
    await page.locator('komabako-files-tab input[type=file]').setInputFiles(SAMPLE);
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.getByRole('button', { name: 'Statistics' }).click();
    await page.locator('komabako-files-tab .stats').waitFor();
    await page.locator('komabako-files-tab input[type=file]').setInputFiles(ZSTD);
    await page.getByRole('heading', { name: 'sample.psv.zst' }).waitFor();
    await page.getByRole('button', { name: 'Statistics' }).click();
    await page.locator('komabako-files-tab .stats').waitFor();
    await page.waitForTimeout(500);
    assert.deepEqual(requests.slice(loaded).filter((address) => !address.startsWith('data:')), []);
    assert.deepEqual(consoleMessages, []);
  });
});

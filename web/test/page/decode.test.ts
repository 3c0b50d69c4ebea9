import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { Site, WEB, violations, withoutModule } from './harness.js';

const EXTENSIONS = { Rust: 'rs', 'C++': 'cpp', Python: 'py' } as const;

describe('how to decode', { skip: withoutModule }, () => {
  let site: Site;
  before(async () => {
    site = await Site.start();
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  test('what_the_page_shows_decodes_the_shown_word', async () => {
    const { page, consoleMessages } = await site.open('?lang=en&moves=7g7f,3c3d,8h2b%2B#bits');
    const sfen = await page.locator('komabako-board').evaluate((board) => (board as HTMLElement & { sfen: string }).sfen);
    const folder = mkdtempSync(join(tmpdir(), 'komabako-'));
    for (const section of await page.locator('section.word').all()) {
      const decoders = section.locator('komabako-decoders');
      await decoders.getByText('How to decode').click();
      const shown = decoders.locator('pre[aria-label]');
      for (const [language, extension] of Object.entries(EXTENSIONS)) {
        await decoders.getByLabel('Language').selectOption(language);
        for (const text of await shown.all()) {
          const name = (await text.getAttribute('aria-label'))!;
          assert.ok(name.endsWith(`.${extension}`) || name === 'position.hpp', name);
          assert.equal(await text.textContent(), readFileSync(join(WEB, '../docs/decode', name), 'utf8'));
          writeFileSync(join(folder, name), (await text.textContent())!);
        }
      }
      // The tests of the crates compile the others.
      const [, ...words] = (await decoders.locator('.command').textContent())!.split(' ');
      const said = execFileSync('python3', ['-B', ...words], { cwd: folder, encoding: 'utf8' });
      assert.equal(said.trim(), sfen.split(' ').slice(0, 3).join(' '), words[0]);
    }
    assert.equal(await page.locator('komabako-decoders details[open]').count(), 7);
    assert.deepEqual(consoleMessages, []);
    assert.deepEqual(await violations(page), []);
    rmSync(folder, { recursive: true });
  });

  test('a_program_that_cannot_be_loaded_says_so_and_is_tried_again', async () => {
    const { page } = await site.open('?lang=ja#bits');
    await page.route('**/decode-*.json', (route) => route.abort());
    const decoders = page.locator('komabako-decoders').first();
    await decoders.getByText('読み方').click();
    await decoders.getByRole('alert').waitFor();
    await page.unroute('**/decode-*.json');
    await decoders.getByText('読み方').click();
    await decoders.getByText('読み方').click();
    await decoders.locator('pre').first().waitFor();
    assert.equal(await decoders.getByRole('alert').count(), 0);
  });
});
